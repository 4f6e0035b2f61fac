/* thread_team: how many threads there can be, without and under a limit of address space. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "needs.h"
#include "resources.h"

static void as_many_as_wanted(void **state) {
    (void)state;
    assert_int_equal(thread_team_most(1), 1);
    assert_int_equal(thread_team_most(0), 1);
    assert_int_equal(thread_team_most(7), 7);
    assert_int_equal(thread_team_check(7).code, STATUS_OK);
    assert_true(thread_team_default() >= 1);
}

/* Stacks of 4 MiB for 15 more threads do not fit into 40 MiB. */
static void as_many_as_there_are_addresses_for(void **state) {
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip_needing("a build without address or thread sanitizer", NULL); /* terabytes of addresses */
#endif
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    limit = before;
    limit.rlim_cur = (rlim_t)40 << 20;
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    const int most = thread_team_most(16);
    const Status status = thread_team_check(16);
    const Status alone = thread_team_check(1);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_in_range(most, 1, 15);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_non_null(strstr(status.why, "needs 16 threads"));
    assert_int_equal(alone.code, STATUS_OK);
    assert_int_equal(thread_team_most(16), 16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_as_wanted),
        cmocka_unit_test(as_many_as_there_are_addresses_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
