/* What limits threads from outside: OpenMP's settings, the stack, a library that ends the program.
 */
#include <unistd.h>

#include "needs.h"
#include "program.h"
#include "test.h"

EACH_TEST(folder_enter, folder_leave);

#define QUICK " --reps 1 --warmup 1 --no-roof --no-plot --quiet --out run --force"
#define OMP_RUN "--algo lbp --variants seq,omp --sizes 64x64" QUICK

static void check_lines(const char *path, const char *fragment, size_t expected) {
    char *text = read_text(path);
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, fragment)) != NULL; at++) {
        count++;
    }
    if (count != expected) {
        fail_msg("%zu times '%s', not %zu, in %s", count, fragment, expected, text);
    }
}

/* --- OMP_NUM_THREADS -------------------------------------------------------------------------- */

TEST(all_ends_at_omp_num_threads) {
    static const char *const values[] = {"3", "3,2", " 3 , 1 "};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        setenv("OMP_NUM_THREADS", values[i], 1);
        Outcome outcome = bench("--algo lbp --variants omp --sizes 64x64 --threads all --dry-run");
        unsetenv("OMP_NUM_THREADS");
        check_code(&outcome, 0);
        check_contains(outcome.out, "lbp/omp/texture/64x64/threads:1 ");
        check_contains(outcome.out, "lbp/omp/texture/64x64/threads:2 ");
        check_contains(outcome.out, "lbp/omp/texture/64x64/threads:3 ");
        assert_null(strstr(outcome.out, "threads:4"));
    }
    setenv("OMP_NUM_THREADS", "1", 1);
    Outcome outcome = bench("--algo lbp --variants omp --sizes 64x64 --dry-run");
    unsetenv("OMP_NUM_THREADS");
    assert_null(strstr(outcome.out, "threads:2"));
}

TEST(all_processors_and_one_less_unless_asked) {
    setenv("OMP_NUM_THREADS", "5", 1);
    Outcome outcome = bench("--algo lbp --variants simd,omp --sizes 64x64 --dry-run");
    unsetenv("OMP_NUM_THREADS");
    check_code(&outcome, 0);
    check_contains(outcome.out, "lbp/simd/texture/64x64 ");
    check_contains(outcome.out, "lbp/omp/texture/64x64/threads:4 ");
    check_contains(outcome.out, "lbp/omp/texture/64x64/threads:5 ");
    assert_null(strstr(outcome.out, "threads:1 "));
    assert_null(strstr(outcome.out, "threads:2 "));
}

TEST(a_number_of_threads_that_is_none_is_refused) {
    static const char *const values[] = {"abc", "0",   "-1",   "4,",  ",4",
                                         "4,0", "4;2", "1025", "2 3", "99999999999999999999"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        setenv("OMP_NUM_THREADS", values[i], 1);
        Outcome outcome = bench(OMP_RUN);
        unsetenv("OMP_NUM_THREADS");
        check_code(&outcome, 2);
        check_contains(outcome.err, "bench: OMP_NUM_THREADS is '");
        check_contains(outcome.err, "a number of threads from 1 to 1024");
        assert_false(file_exists("run"));
    }
    setenv("OMP_NUM_THREADS", "abc", 1); /* help does not need it */
    Outcome outcome = bench("run --help");
    setenv("OMP_NUM_THREADS", "", 1);
    check_code(&outcome, 0);
    outcome = bench("--algo lbp --variants omp --sizes 64x64 --dry-run");
    unsetenv("OMP_NUM_THREADS");
    check_code(&outcome, 0);
}

/* --- Limits of OpenMP ------------------------------------------------------------------------- */

static void check_skipped(const char *name, const char *value) {
    char reason[128];
    setenv(name, value, 1);
    Outcome outcome = bench(OMP_RUN " --threads 1,2");
    unsetenv(name);
    check_code(&outcome, 0);
    check_contains(outcome.out, "3 cells: 2 ok, 1 skipped, 0 failed");
    snprintf(reason, sizeof reason, "needs 2 threads, and OpenMP runs only 1 (%s=%s)", name, value);
    check_lines("run/results.csv", reason, 1);
}

TEST(fewer_threads_than_asked_for_are_a_skip) {
    check_skipped("OMP_THREAD_LIMIT", "1");
    check_skipped("OMP_MAX_ACTIVE_LEVELS", "0");
}

/* A runtime may use as few as it likes, where it is allowed to. */
TEST(openmp_does_not_choose_the_number) {
    setenv("OMP_DYNAMIC", "true", 1);
    Outcome outcome = bench(OMP_RUN " --threads 1,2,8");
    unsetenv("OMP_DYNAMIC");
    check_contains(outcome.out, "4 cells: 4 ok, 0 skipped, 0 failed");
}

TEST(what_openmp_reports_is_stored) {
    setenv("OMP_PROC_BIND", "false", 1);
    setenv("OMP_PLACES", "nonsense", 1);
    setenv("OMP_THREAD_LIMIT", "5", 1);
    setenv("OMP_NUM_THREADS", "2", 1);
    Outcome outcome = bench(OMP_RUN);
    unsetenv("OMP_PROC_BIND");
    unsetenv("OMP_PLACES");
    unsetenv("OMP_THREAD_LIMIT");
    unsetenv("OMP_NUM_THREADS");
    check_code(&outcome, 0);
    check_lines("run/results.csv", "\n# omp_proc_bind: false\n", 1);
    check_lines("run/results.csv", "\n# omp_places: ", 0);
    check_lines("run/results.csv", "\n# omp_thread_limit: 5\n", 1);
    check_lines("run/results.csv", "\n# omp_num_threads: 2\n", 1);
}

/* --- Stacks ----------------------------------------------------------------------------------- */

TEST(stacks_that_threads_cannot_have_are_refused) {
#ifdef SANITIZED_ADDRESSES
    skip_needing(NEEDS_ADDRESSES, NULL);
#endif
    setenv("OMP_STACKSIZE", "16k", 1);
    check_refused(bench(OMP_RUN), 6, "OMP_STACKSIZE=16k is too small a stack");
    check_refused(bench("roof"), 6, "OMP_STACKSIZE=16k is too small a stack");
    setenv("OMP_STACKSIZE", "7G", 1);
    limit_addresses((size_t)6 << 30);
    Outcome refused = bench(OMP_RUN " --threads 2");
    limit_addresses(0);
    unsetenv("OMP_STACKSIZE");
    check_refused(refused, 6, "no second thread can be started with OMP_STACKSIZE=7G");
    /* A child's exit is not taken for anything else. */
    setenv("OMP_STACKSIZE", "16k", 1);
    check_refused(bench("study lbp-2020 --quick --out study --quiet"), 6, "OMP_STACKSIZE=16k");
    check_refused(bench("ci --base HEAD -- --algo lbp"), 6, "OMP_STACKSIZE=16k");
    check_refused(bench("bisect HEAD~1 HEAD -- --algo lbp"), 6, "OMP_STACKSIZE=16k");
    unsetenv("OMP_STACKSIZE");
}

/* Some processes may raise the limit; others are told. */
TEST(a_stack_that_is_too_small_is_raised_or_refused) {
    limit_stack((size_t)64 << 10);
    Outcome outcome = bench(OMP_RUN);
    limit_stack(0);
    if (outcome.code != 0) {
        check_code(&outcome, 6);
        check_contains(outcome.err, "bench: the stack is limited to 64.0 KiB (ulimit -s)");
    }
}

/* --- Ended from within ------------------------------------------------------------------------ */

#define FAULTY_RUN                                                                                 \
    "--plugin " FAULTY_MODULE                                                                      \
    " --algo faulty --variants seq,late --sizes 64x64 --no-interleave" QUICK

/* As OpenMP ends it with 1, the code of a regression, when it cannot start a thread. What a module
 * ends a supervisor sees (test_cli_deadly). */
TEST(a_library_that_ends_the_program_is_no_regression) {
    static const char *const codes[] = {"1", "0"};
    setenv("BENCH_SUPERVISE", "no", 1);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        setenv("FAULTY_EXIT", codes[i], 1);
        check_says(bench(FAULTY_RUN), 6, "bench: the program was ended from within");
        check_lines("run/results.csv", "\nfaulty,seq,", 1); /* it was measured before */
        unsetenv("FAULTY_EXIT");
    }
    unsetenv("BENCH_SUPERVISE");
}
