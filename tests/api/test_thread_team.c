/* thread_team: how many threads there can be, without and under a limit of address space. */
#include <sys/resource.h>

#include <omp.h>
#include <pthread.h>
#include <unistd.h>

#include "needs.h"
#include "process_memory.h"
#include "resources.h"
#include "test.h"

TEST(as_many_as_wanted) {
    assert_int_equal(thread_team_most(1), 1);
    assert_int_equal(thread_team_most(0), 1);
    assert_int_equal(thread_team_most(7), 7);
    assert_ok(thread_team_check(7));
    assert_true(thread_team_default() >= 1);
}

/* A region of OpenMP counts: the threads could be started. */
TEST(as_many_as_openmp_runs) {
    omp_set_max_active_levels(0);
    const Status status = thread_team_check(4);
    omp_set_max_active_levels(1);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_says(status.why, "needs 4 threads, and OpenMP runs only 1");
    assert_ok(thread_team_check(4));
}

/* Settings of OpenMP, read as it reads them. What it does not understand it ignores. */
TEST(stacks_that_are_too_small_or_too_large) {
#ifdef SANITIZED_ADDRESSES
    skip_needing(NEEDS_ADDRESSES, NULL);
#endif
    static const struct {
        const char *value, *why; /* NULL: it is fine */
    } cases[] = {
        {"64k", "OMP_STACKSIZE=64k is too small"},
        {"100", "OMP_STACKSIZE=100 is too small"},
        {" 65536 B ", "is too small"},
        {"100000T", NULL},
        {"-5", NULL},
        {"", NULL},
        {"many", NULL},
        {"4 m", NULL},
        {"4M k", NULL},
        {"128", NULL},
        {"99999999999999999999", NULL},
        {"20000G", "no second thread can be started with OMP_STACKSIZE=20000G"},
        {"200000G", "no second thread can be started with OMP_STACKSIZE=200000G"},
    };
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    limit = before;
    limit.rlim_cur = (rlim_t)1 << 40;
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(setenv("OMP_STACKSIZE", cases[i].value, 1), 0);
        const Status status = thread_team_prepare();
        if (cases[i].why == NULL ? !status_is_ok(&status)
                                 : strstr(status.why, cases[i].why) == NULL) {
            fail_msg("'%s': '%s'", cases[i].value, status.why);
        }
        assert_int_equal(status.code, cases[i].why == NULL ? STATUS_OK : STATUS_SKIP);
    }
    assert_int_equal(setenv("OMP_STACKSIZE", "1000G", 1), 0);
    const Status one = thread_team_check(2);
    assert_int_equal(unsetenv("OMP_STACKSIZE"), 0);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(one.code, STATUS_SKIP);
    assert_says(one.why, "(OMP_STACKSIZE=1000G, ulimit -v");
}

/* Those that OpenMP keeps are ended before others are started: there are addresses for two stacks
 * more, and three would be started beside three. */
TEST(threads_that_openmp_keeps_do_not_count_twice) {
#ifdef SANITIZED_ADDRESSES
    skip_needing(NEEDS_ADDRESSES, NULL);
#endif
    struct rlimit before, limit;
    pthread_attr_t attributes;
    size_t stack = 0;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_getstacksize(&attributes, &stack), 0);
    pthread_attr_destroy(&attributes);
    assert_ok(thread_team_check(4));
    const uint64_t addresses = process_memory(MEMORY_ADDRESSES);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    limit = before;
    limit.rlim_cur = addresses + 5 * stack / 2;
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    const Status again = thread_team_check(4);
    const Status more = thread_team_check(16);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_ok(again);
    assert_int_equal(more.code, STATUS_SKIP);
}

TEST(a_small_stack_is_raised) {
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_STACK, &before), 0);
    assert_ok(stack_check());
    limit = before;
    limit.rlim_cur = 96 << 10;
    assert_int_equal(setrlimit(RLIMIT_STACK, &limit), 0);
    const Status status = stack_check();
    assert_int_equal(getrlimit(RLIMIT_STACK, &limit), 0);
    assert_int_equal(setrlimit(RLIMIT_STACK, &before), 0);
    assert_ok(status);
    assert_int_equal(limit.rlim_cur, STACK_LEAST);
}

/* Stacks of 4 MiB for 15 more threads do not fit into 40 MiB. */
TEST(as_many_as_there_are_addresses_for) {
#ifdef SANITIZED_ADDRESSES
    skip_needing(NEEDS_ADDRESSES, NULL);
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
    assert_says(status.why, "needs 16 threads");
    assert_ok(alone);
    assert_int_equal(thread_team_most(16), 16);
}
