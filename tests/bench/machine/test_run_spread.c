/* What the machine remembers of runs: what is kept, how far runs lie apart, and what that demands.
 */
#include <inttypes.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine_internal.h"
#include "sample_results.h"
#include "spread_files.h"
#include "test.h"

static LaunchSpread spread;

static const char *file(void) {
    return test_path("cache/spread.json");
}

static void enter(void) {
}

EACH_TEST(enter);

/* A run at `when` of one cell of one thread that takes 5 ms. */
static void add(uint64_t cell, double when, double value) {
    const RunTime time = {.cell = cell, .kind = SPREAD_ONE_THREAD, .seconds = 5e-3, .value = value};
    assert_ok(run_times_add(file(), when, &time, 1));
}

static const RunSpread *read_runs(RunDistance distance) {
    launch_spread_read(file(), &spread);
    return &spread.runs[distance][SPREAD_ONE_THREAD][3];
}

static double width(void) {
    launch_spread_read(file(), &spread);
    return run_spread_width(&spread, SPREAD_ONE_THREAD, 2e-3);
}

static bool near(double a, double b) {
    return fabs(a - b) < 1e-9;
}

/* By hand: values of e^0, e^0.1 and e^0.3 lie 0.1, 0.2 and 0.3 apart, of which the 95th percentile
 * is 0.29; two degrees of freedom make 2.2 of it, and of both runs one is off by 1/√2. */
TEST(three_runs_demand_a_width) {
    assert_true(width() == 0);
    add(1, 1e9, 1);
    add(1, 1e9 + 60, exp(0.1));
    assert_true(width() == 0);
    add(1, 1e9 + 120, exp(0.3));
    assert_true(near(width(), 0.29 * 2.2 / sqrt(2)));
    const RunSpread *runs = read_runs(RUNS_MINUTES);
    assert_int_equal(runs->pairs, 3);
    assert_int_equal(runs->runs, 3);
}

/* Of another processor, another duration, another cell. */
TEST(only_runs_of_one_cell_are_compared_and_only_its_class_learns) {
    for (uint64_t cell = 1; cell <= 6; cell++) {
        add(cell, 1e9 + 60 * (double)cell, exp((double)cell));
    }
    assert_true(width() == 0);
    for (int run = 0; run < 3; run++) {
        add(1, 2e9 + 60 * run, exp(0.01 * run));
    }
    assert_true(width() > 0);
    assert_true(run_spread_width(&spread, SPREAD_ONE_THREAD, 2e-2) == 0);
    assert_true(run_spread_width(&spread, SPREAD_THREADS, 2e-3) == 0);
    assert_true(run_spread_width(&spread, SPREAD_RATIO, 2e-3) == 0);
}

/* 599 s are minutes, 600 hours; 43,199 s are hours, 43,200 days. */
TEST(distances_are_apart_and_the_widest_counts) {
    add(1, 1e9, 1);
    add(1, 1e9 + 599, exp(0.01));
    add(1, 1e9 + 599 + 600, exp(0.02));
    assert_int_equal(read_runs(RUNS_MINUTES)->pairs, 1);
    assert_int_equal(read_runs(RUNS_HOURS)->pairs, 2);
    assert_int_equal(read_runs(RUNS_HOURS)->runs, 2); /* the first two are one to it */
    assert_true(width() == 0);
    add(1, 1e9 + 599 + 600 + 599, exp(0.03));
    add(1, 1e9 + 599 + 600 + 599 + 2, exp(0.04));
    const double minutes = width();
    assert_true(minutes > 0);
    for (int day = 1; day <= 3; day++) {
        add(1, 1e9 + 43200 * day, exp(0.5 * day));
    }
    assert_true(read_runs(RUNS_DAYS)->runs >= 3);
    assert_true(width() > 5 * minutes);
}

/* Of many runs in a row eight are kept, and they reach back to the first hours. */
TEST(runs_of_a_cell_thin_out) {
    for (int run = 0; run < 200; run++) {
        add(1, 1e9 + 60 * run, 1 + 1e-3 * run);
    }
    assert_int_equal(read_runs(RUNS_MINUTES)->pairs + read_runs(RUNS_HOURS)->pairs, 28);
    assert_true(read_runs(RUNS_MINUTES)->runs >= 3);
    assert_true(read_runs(RUNS_HOURS)->runs >= 3);
}

enum { MOST = 8192 };

static void add_many(uint64_t from, size_t count, double when) {
    RunTime *times = calloc(count, sizeof *times);
    assert_non_null(times);
    for (size_t i = 0; i < count; i++) {
        times[i] = (RunTime){
            .cell = from + i, .kind = SPREAD_DEVICE, .seconds = 1e-3, .value = 1 + 1e-3 * when};
    }
    assert_ok(run_times_add(file(), when, times, count));
    free(times);
}

static size_t pairs_of_devices(void) {
    launch_spread_read(file(), &spread);
    return spread.runs[RUNS_MINUTES][SPREAD_DEVICE][3].pairs;
}

/* The cells that were measured longest ago give way. */
TEST(cells_are_bounded) {
    add_many(1, 10, 1);
    add_many(1000, MOST - 5, 2);
    add_many(1000, MOST - 5, 3);
    assert_int_equal(pairs_of_devices(), MOST - 5);
    add_many(1, 10, 4); /* half of them are known yet */
    assert_int_equal(pairs_of_devices(), MOST - 10 + 5);
    add_many(100000, MOST + 100, 5);
    assert_int_equal(pairs_of_devices(), 0);
}

TEST(what_cannot_be_a_time_is_not_kept) {
    static const double values[] = {0, -1, NAN, INFINITY, 1e300};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        add(1, 1e9 + (double)i, values[i]);
        add(1, values[i] == 1e300 ? NAN : values[i], 1);
    }
    assert_int_equal(read_runs(RUNS_MINUTES)->pairs, 0);
}

#define CELL(id, processor, from, when, values)                                                    \
    "{\"version\": 1, \"cells\": [5, [], {}, {\"id\": " id ", \"processor\": " processor           \
    ", \"from_s\": " from ", \"when\": " when ", \"values\": " values "}]}"
#define ID "\"0123456789abcdef\""

/* A damaged file counts as none, a damaged cell is left out; adding to it makes it whole. */
TEST(damage_is_ignored) {
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "{\"version\": 1, \"cells\": 5}",
        "{\"version\": 2, \"cells\": [{\"id\": " ID ", \"processor\": \"device\", \"from_s\": 0, "
        "\"when\": [1, 2, 3], \"values\": [1, 2, 3]}]}",
        CELL("5", "\"device\"", "0", "[1, 2, 3]", "[1, 2, 3]"),
        CELL("\"0123\"", "\"device\"", "0", "[1, 2, 3]", "[1, 2, 3]"),
        CELL("\"0123456789abcdeg\"", "\"device\"", "0", "[1, 2, 3]", "[1, 2, 3]"),
        CELL(ID, "\"devize\"", "0", "[1, 2, 3]", "[1, 2, 3]"),
        CELL(ID, "\"device\"", "0.5", "[1, 2, 3]", "[1, 2, 3]"),
        CELL(ID, "\"device\"", "null", "[1, 2, 3]", "[1, 2, 3]"),
        CELL(ID, "\"device\"", "0", "5", "[1, 2, 3]"),
        CELL(ID, "\"device\"", "0", "[1, 2, 3]", "{}"),
        CELL(ID, "\"device\"", "0", "[1, \"2\", -3]", "[1, 2, 3]"),
        CELL(ID, "\"device\"", "0", "[1, 2, 3]", "[1, 1e999, -1]"),
        CELL(ID, "\"device\"", "0", "[1, 2, 3]", "[1]"),
    };
    static const LaunchSpread nothing;
    add(1, 1e9, 1); /* makes the folder */
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        test_write("cache/spread.json", texts[i]);
        launch_spread_read(file(), &spread);
        assert_memory_equal(&spread, &nothing, sizeof spread);
        for (int run = 0; run < 3; run++) {
            add(1, 1e9 + run, 1 + run);
        }
        assert_true(width() > 0);
    }
    test_write("cache/spread.json",
               CELL(ID, "\"device\"", "0", "[3, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11]",
                    "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]"));
    launch_spread_read(file(), &spread);
    assert_int_equal(spread.runs[RUNS_MINUTES][SPREAD_DEVICE][0].pairs, 28); /* of eight */
}

/* A file of an earlier version has the self-test's spread alone. Both keep what the other wrote. */
TEST(the_self_test_and_runs_share_the_file) {
    LaunchSpread tested = {.of = {{{0}}}};
    launch_spread_add(&tested, 0, 5, 0.25, 6);
    assert_ok(launch_spread_write(file(), &tested));
    for (int run = 0; run < 3; run++) {
        add(1, 1e9 + run, exp(run));
    }
    const double before = width();
    assert_true(before > 0);
    assert_true(near(launch_spread_find(&spread, 0, 5)->value, 0.25));
    launch_spread_add(&tested, 1, 5, 0.5, 6);
    assert_ok(launch_spread_write(file(), &tested));
    assert_true(near(width(), before));
    assert_true(near(launch_spread_find(&spread, 1, 5)->value, 0.5));
}

/* Each process adds three runs of a cell of its own: none is lost. */
TEST(parallel_writers_lose_nothing) {
    enum { WRITERS = 8 };
    pid_t writers[WRITERS];
    (void)test_scratch(); /* one folder for all of them */
    for (uint64_t writer = 0; writer < WRITERS; writer++) {
        writers[writer] = fork();
        if (writers[writer] == 0) {
            for (int run = 0; run < 3; run++) {
                add(writer + 1, 1e9 + run, exp(run));
            }
            _exit(0);
        }
    }
    for (size_t writer = 0; writer < WRITERS; writer++) {
        int how = -1;
        assert_int_equal(waitpid(writers[writer], &how, 0), writers[writer]);
        assert_int_equal(how, 0);
    }
    assert_int_equal(read_runs(RUNS_MINUTES)->pairs, 3 * WRITERS);
    assert_int_equal(scratch_count(test_path("cache")), 1); /* no part file, no lock */
}

TEST(a_place_that_cannot_be_written_is_an_error) {
    const RunTime time = {.cell = 1, .kind = SPREAD_DEVICE, .seconds = 1, .value = 1};
    test_write("cache", "a file");
    assert_int_equal(run_times_add(file(), 1e9, &time, 1).code, STATUS_FILE);
}
