/* clock: differences mean what they say. No bound here depends on how busy the machine is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <time.h>

#include "base_internal.h"

static void never_goes_back(void **state) {
    (void)state;
    double before = clock_now();
    for (int i = 0; i < 10000; ++i) {
        const double now = clock_now();
        assert_true(now >= before);
        before = now;
    }
}

static void counts_seconds(void **state) {
    (void)state;
    /* A sleep may take longer than asked for, but not less. */
    const double start = clock_now();
    nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL);
    assert_true(clock_now() - start >= 0.0199);
}

static void process_time_is_spent_by_working(void **state) {
    (void)state;
    const double start = clock_process_cpu();
    const double wall = clock_now();
    volatile unsigned work = 0;
    while (clock_process_cpu() - start < 0.01 && clock_now() - wall < 10.0) {
        ++work;
    }
    assert_true(clock_process_cpu() - start >= 0.01);
}

static void overhead_is_small_and_positive(void **state) {
    (void)state;
    const double overhead = clock_overhead();
    assert_true(overhead > 0.0);
    assert_true(overhead < 1e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_goes_back),
        cmocka_unit_test(counts_seconds),
        cmocka_unit_test(process_time_is_spent_by_working),
        cmocka_unit_test(overhead_is_small_and_positive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
