/* Stops: how a process knows that it was stopped, what its clock makes of that, and tries. SIGCONT
 * alone is a stop of no length, so no test waits for a clock. */
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "interrupt.h"
#include "stops.h"
#include "test.h"

static int64_t monotonic_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* --- Real stops, of a child ------------------------------------------------------------------- */

static void block_sigcont(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCONT);
    sigprocmask(SIG_BLOCK, &signals, NULL);
}

static void ignore_sigcont(void) {
    signal(SIGCONT, SIG_IGN);
}

static void leave_sigcont(void) {
}

/* Whatever the process that started this one has done with the signal. */
TEST(a_stopped_process_knows) {
    static void (*const inherited[])(void) = {leave_sigcont, block_sigcont, ignore_sigcont};
    for (size_t i = 0; i < sizeof inherited / sizeof inherited[0]; i++) {
        int how = 0;
        const pid_t child = fork();
        if (child == 0) {
            inherited[i]();
            stops_watch();
            const StopMark mark = stops_mark();
            const bool early = stops_since(&mark);
            raise(SIGSTOP);
            _exit(!early && stops_since(&mark) ? 0 : 1);
        }
        assert_int_equal(waitpid(child, &how, WUNTRACED), child);
        assert_true(WIFSTOPPED(how));
        assert_int_equal(kill(child, SIGCONT), 0);
        assert_int_equal(waitpid(child, &how, 0), child);
        assert_true(WIFEXITED(how));
        assert_int_equal(WEXITSTATUS(how), 0);
    }
}

/* --- The clock -------------------------------------------------------------------------------- */

/* From its last reading before the stop on. */
TEST(the_clock_stands_still_while_stopped) {
    stops_watch();
    const int64_t before = stops_clock();
    const int64_t from = monotonic_ns();
    nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL); /* stopped */
    const int64_t to = monotonic_ns();
    raise(SIGCONT);
    const int64_t after = stops_clock();
    const int64_t end = monotonic_ns();
    assert_true(after >= before);
    assert_true(after - before <= end - from - (to - from));
}

TEST(the_clock_goes_on_between_stops) {
    stops_watch();
    const int64_t before = stops_clock();
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    const int64_t middle = stops_clock();
    raise(SIGCONT);
    raise(SIGCONT);
    assert_true(middle - before >= 5000000);
    assert_true(stops_clock() >= middle);
}

/* --- Suspends --------------------------------------------------------------------------------- */

/* The clocks are read one after the other, so how long the machine slept lies between two numbers:
 * only what no two readings can explain is a suspend. */
TEST(a_suspend_moves_the_clocks_apart) {
    static const struct {
        StopMark before, after;
        bool stopped;
    } cases[] = {{{0, 100, 200}, {0, 100, 200}, false},
                 {{0, 100, 200}, {0, 150, 900}, false},  /* something ran in between */
                 {{0, -800, 200}, {0, 150, 250}, false}, /* the same, at first */
                 {{0, 100, 200}, {0, 201, 300}, true},
                 {{0, 100, 200}, {0, 6000000100, 6000000200}, true},
                 {{4, 100, 200}, {5, 100, 200}, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(stops_between(&cases[i].before, &cases[i].after), cases[i].stopped);
    }
    const StopMark mark = stops_mark();
    assert_true(mark.asleep_least <= mark.asleep_most);
    assert_false(stops_since(&mark));
}

/* --- Tries ------------------------------------------------------------------------------------ */

/* Returns how many there were; the first `stopped` of them are. */
static int try_all(int stopped, Status *status, size_t *repeated) {
    StopTries tries = {.count = 0};
    int done = 0;
    do {
        stop_tries_begin(&tries);
        if (done++ < stopped) {
            raise(SIGCONT);
        }
    } while (stop_tries_again(&tries));
    *status = stop_tries_end(&tries, repeated);
    return done;
}

TEST(what_was_stopped_is_tried_again) {
    Status status;
    size_t repeated = 10;
    stops_watch();
    assert_int_equal(try_all(0, &status, &repeated), 1);
    assert_int_equal(repeated, 10);
    assert_int_equal(try_all(2, &status, &repeated), 3);
    assert_ok(status);
    assert_int_equal(repeated, 12);
    assert_int_equal(try_all(STOP_TRIES_MAX - 1, &status, NULL), STOP_TRIES_MAX);
    assert_ok(status);
}

TEST(what_is_stopped_each_time_is_given_up) {
    Status status;
    size_t repeated = 0;
    stops_watch();
    assert_int_equal(try_all(1000, &status, &repeated), STOP_TRIES_MAX);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_string_equal(status.why, "the process was stopped (SIGSTOP, Ctrl-Z or suspend) in each "
                                    "of 8 tries to time it");
    assert_int_equal(repeated, STOP_TRIES_MAX - 1);
}

/* Stopped, and then ended by a signal: nobody waits for the timing any more. */
TEST(an_interrupt_ends_the_tries) {
    Status status;
    stops_watch();
    interrupt_watch();
    raise(SIGTERM);
    assert_int_equal(try_all(1000, &status, NULL), 1);
    interrupt_watch();
}
