/* clock: differences mean what they say. No bound here depends on how busy the machine is. */
#include <time.h>

#include "clock.h"
#include "test.h"

TEST(never_goes_back) {
    double before = clock_now();
    for (int i = 0; i < 10000; ++i) {
        const double now = clock_now();
        assert_true(now >= before);
        before = now;
    }
}

TEST(counts_seconds) {
    /* A sleep may take longer than asked for, but not less. */
    const double start = clock_now();
    nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL);
    assert_true(clock_now() - start >= 0.0199);
}

TEST(process_time_is_spent_by_working) {
    const double start = clock_process_cpu();
    const double wall = clock_now();
    volatile unsigned work = 0;
    while (clock_process_cpu() - start < 0.01 && clock_now() - wall < 10.0) {
        ++work;
    }
    assert_true(clock_process_cpu() - start >= 0.01);
}
