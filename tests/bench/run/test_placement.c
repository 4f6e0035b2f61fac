/* Where cells of one thread and of a device run, and the sentinel that is timed there. */
#include <omp.h>
#include <sched.h>
#include <unistd.h>

#include "bench/fake_system.h"
#include "child_process.h"
#include "clock.h"
#include "cpu_state.h"
#include "measure.h"
#include "needs.h"
#include "row.h"
#include "run_options.h"
#include "test.h"

TEST(the_load_of_processors_is_read) {
    ProcessorTimes times;
    assert_false(processor_times_read(test_folder, &times));
    system_write("proc/stat", "cpu  999 0 0 0 0 0 0 0 0 0\n"
                              "cpu0 100 20 30 7000 800 4 5 6 1000 1000\n"
                              "cpu3 1 0 0 9000 0 0 0 0 0 0\n"
                              "intr 77 1 2\n"
                              "cpu4 5 5 5 5 5 5 5 5\n");
    assert_true(processor_times_read(test_folder, &times));
    const double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
    assert_int_equal(times.count, 4);
    /* user, nice, system, irq, softirq and steal; guests are in user already */
    assert_true(fabs(times.busy[0] - 165 * tick) < 1e-9);
    assert_true(times.busy[1] == 0 && times.busy[2] == 0);
    assert_true(fabs(times.busy[3] - 1 * tick) < 1e-9);
    assert_true(fabs(times.stolen[0] - 6 * tick) < 1e-9);
    assert_true(times.stolen[3] == 0);
}

TEST(the_idlest_place_is_chosen) {
    const double busy_first[] = {1, 0.02, 0.3};
    const double busy_last[] = {0.05, 0.1, 1};
    const double all_idle[] = {0, 0, 0};
    assert_int_equal(place_choose(busy_first, 3, 3), 1);
    assert_int_equal(place_choose(busy_last, 3, 3), 1); /* as idle as the first, and farther */
    assert_int_equal(place_choose(all_idle, 3, 3), 2);
    assert_int_equal(place_choose(all_idle, 3, 0), 0); /* no move without a reason */
    assert_int_equal(place_choose(busy_last, 3, 1), 1);
    assert_int_equal(place_choose(busy_last, 3, 2), 1);
    assert_int_equal(place_choose(busy_first, 3, 2), 1);
}

static int processors_of_thread(void) {
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    return CPU_COUNT(&set);
}

static int processors_within(int threads) {
    const RunOptions options = {.cold = false};
    const Measurement measurement = {.options = &options, .threads = threads};
    placement_enter(&measurement);
    const int count = processors_of_thread();
    placement_leave();
    return count;
}

/* ctest has OpenMP bind its threads to processors. */
TEST(a_device_has_all_places_and_one_thread_has_one) {
    if (omp_get_proc_bind() == omp_proc_bind_false || omp_get_num_places() < 2) {
        skip_needing("threads that OpenMP binds to two places", "there are none");
    }
    const int home = processors_of_thread();
    assert_int_equal(home, omp_get_place_num_procs(omp_get_place_num()));
    assert_in_range(processors_within(0), home + 1, CPU_SETSIZE); /* those of its NUMA node */
    assert_int_equal(processors_of_thread(), home);
    assert_int_equal(processors_within(1), home);
    assert_int_equal(processors_within(2), home);
    assert_int_equal(processors_of_thread(), home);
}

TEST(the_sentinel_is_its_fastest_turn) {
    Sentinel sentinel = {.chain = 0};
    assert_ok(sentinel_sample(&sentinel, NULL));
    assert_true(sentinel.chain > 1e-6 && sentinel.copy > 1e-6);
    sentinel = (Sentinel){.chain = 1e-9, .copy = 1000};
    assert_ok(sentinel_sample(&sentinel, NULL));
    assert_true(sentinel.chain == 1e-9 && sentinel.copy > 1e-6 && sentinel.copy < 1000);
}

/* Every processor has had so many ticks stolen. */
static void write_stolen(int ticks) {
    FILE *stream = test_stream();
    fprintf(stream, "cpu  0 0 0 0 0 0 0 0 0 0\n");
    for (int i = 0; i < CPU_SETSIZE; i++) {
        fprintf(stream, "cpu%d 1000 0 0 0 0 0 0 %d 0 0\n", i, ticks);
    }
    char *text = test_text(stream);
    system_write("proc/stat", text);
}

/* Two turns, in the second of which each processor is stolen for two ticks. */
TEST(stolen_time_is_a_share_of_the_turns) {
    const double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
    setenv("BENCH_SYSTEM_ROOT", test_folder, 1);
    for (int threads = 0; threads < 3; threads++) {
        Stolen stolen = {.seconds = 0};
        write_stolen(50);
        const double started = clock_now();
        stolen_begin(&stolen, threads);
        usleep(2000);
        stolen_end(&stolen, threads);
        assert_true(stolen.share == 0 && stolen.watched > 0);
        stolen_begin(&stolen, threads);
        write_stolen(52);
        usleep(20000);
        stolen_end(&stolen, threads);
        const double turns = clock_now() - started;
        const int processors = threads == 1 ? processors_of_thread() : processors_allowed();
        assert_true(fabs(stolen.seconds - 2 * tick * processors) < 1e-9);
        assert_in_range((int)(stolen.watched / processors * 1e6), 22000, (int)(turns * 1e6));
        assert_true(fabs(stolen.share - stolen.seconds / stolen.watched) < 1e-12);
    }
    scratch_remove_tree(test_folder);
    Stolen unknown = {.seconds = 0};
    stolen_begin(&unknown, 0);
    stolen_end(&unknown, 0);
    assert_true(isnan(unknown.share));
    unsetenv("BENCH_SYSTEM_ROOT");
}
/* Two ticks of 10 ms may be anything from 0 to 30 ms. */
TEST(a_tick_or_two_show_no_share) {
    const double tick = 1.0 / (double)sysconf(_SC_CLK_TCK);
    Row row;
    for (int ticks = 0; ticks < 5; ticks++) {
        const Stolen stolen = {.seconds = ticks * tick, .watched = 1, .share = ticks * tick};
        stolen_note(&stolen, &row);
        assert_float_equal(row.stolen_share, ticks < 3 ? 0 : ticks * tick, 0);
    }
    stolen_note(&(Stolen){.share = NAN}, &row);
    assert_true(isnan(row.stolen_share));
}
