/* Reading runs for comparison: results files of this program and of Google Benchmark. */
#include "bench/compare_fixture.h"
#include "bench/scratch_folder.h"
#include "compare_internal.h"
#include "machine.h"
#include "registry.h"
#include "results.h"
#include "row.h"
#include "status_checks.h"
#include "test.h"

/* A file of this program, and an entry of a cell "a/v/i/s" in it; a is not in the registry. */
#define FILE_OF(entries)                                                                           \
    "{\"context\": {\"json_schema_version\": 1}, \"benchmarks\": [" entries                        \
    "], \"failures\": [], \"skipped\": []}"
#define ENTRY(algorithm, verified, more)                                                           \
    "{\"name\": \"" algorithm "/v/i/s\", \"algorithm\": \"" algorithm "\", \"variant\": \"v\","    \
    "\"input\": \"i\", \"size\": \"s\", \"answer\": {}, \"tuning\": {}, \"input_hash\": \"0\","    \
    "\"mode\": \"hot\", \"verified\": " verified ", \"converged\": true, \"best_tuning\": true,"   \
    "\"end_to_end_samples_s\": [], " more "}"

TEST(own_files_give_the_medians_of_their_launches) {
    scratch_write(
        test_scratch(), "own.json",
        FILE_OF(ENTRY(
            "a", "true",
            "\"kernel_samples_s\": [9, 5, 7, 1, 3],"
            "\"kernel_turns\": [[0, 0, 1], [0, 1, 2], [2, 0, 2]]") "," ENTRY("copy", "true",
                                                                             "\"kernel_samples_s\":"
                                                                             " [4, 6]")));
    RELEASED_BY(measured_run_release) MeasuredRun run;
    assert_ok(measured_run_read(test_path("own.json"), &run));
    assert_int_equal(run.cells[0].launch_count, 2); /* launch 1 has no sample */
    assert_int_equal(run.cells[0].sample_count, 5);
    assert_true(run.cells[0].launches[0] == 2 && run.cells[0].launches[1] == 7);
    assert_true(run.cells[0].median == 4.5);
    assert_string_equal(run.cells[0].name, "a/v/i/s");
    assert_false(run.cells[0].roof);
    assert_int_equal(run.cells[1].launch_count, 1);
    assert_true(run.cells[1].median == 5);
    assert_true(run.cells[1].roof);
    assert_true(isnan(run.noise_floor));
}

/* One launch of two is half of them; one of three is not. */
TEST(own_files_give_what_disturbed_a_cell) {
    static const char *const launches[] = {"[[0, 0, 1], [1, 0, 2]], \"launches\": 2",
                                           "[[0, 0, 1], [1, 0, 1], [2, 0, 1]], \"launches\": 3"};
    for (int i = 0; i < 2; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 FILE_OF(ENTRY("a", "true",
                               "\"kernel_samples_s\": [9, 5, 7], \"kernel_turns\": %s, "
                               "\"launches_disturbed\": 1, \"disturbed_by\": \"throttling\"")),
                 launches[i]);
        scratch_write(test_scratch(), "own.json", text);
        RELEASED_BY(measured_run_release) MeasuredRun run;
        assert_ok(measured_run_read(test_path("own.json"), &run));
        assert_int_equal(run.cells[0].disturber, i == 0 ? DISTURBER_THROTTLING : DISTURBER_NONE);
    }
}

TEST(own_files_give_what_identifies_a_cell) {
    RELEASED_BY(measured_run_release) MeasuredRun run;
    read_recorded("one_new", &run);
    assert_int_equal(run.count, 3);
    const MeasuredCell *cell = measured_run_find(&run, SIMD);
    assert_non_null(cell);
    assert_int_equal(cell->sample_count, 15);
    assert_string_equal(cell->hash, "00000000deadbeef");
    assert_string_equal(cell->mode, "hot");
    assert_true(run.noise_floor == 0.15);
    const Fact *fact = machine_fact(&run.machine, "cpu_model");
    assert_non_null(fact);
    assert_true(fact->identity);
}

static void check_time(const MeasuredCell *cell, size_t index, double seconds) {
    const double got = cell->launches[index];
    if (fabs(got - seconds) > 1e-15 * seconds) {
        fail_msg("%.17g instead of %.17g", got, seconds);
    }
}

static void check_refused(const char *text, const char *fragment) {
    test_write("wrong.json", text);
    MeasuredRun run;
    const Status status = measured_run_read(test_path("wrong.json"), &run);
    assert_int_equal(status.code, STATUS_FILE);
    assert_says(status.why, "wrong.json");
    assert_says(status.why, fragment);
    assert_int_equal(run.count, 0);
}

TEST(repetitions_of_google_benchmark_become_launches) {
    test_write("google.json",
               "{\"context\": {\"num_cpus\": 8, \"json_schema_version\": 7},"
               "\"benchmarks\": ["
               "{\"name\": \"a\", \"run_name\": \"a\", \"run_type\": \"iteration\","
               " \"real_time\": 4, \"time_unit\": \"ns\"},"
               "{\"name\": \"a\", \"run_name\": \"a\", \"run_type\": \"iteration\","
               " \"real_time\": 2, \"time_unit\": \"us\"},"
               "{\"name\": \"a\", \"run_name\": \"a\", \"real_time\": 3, \"time_unit\": \"ms\"},"
               "{\"name\": \"a\", \"real_time\": 5, \"time_unit\": \"s\"},"
               "{\"name\": \"b\", \"real_time\": 7},"
               "{\"name\": \"a_mean\", \"run_name\": \"a\", \"run_type\": \"aggregate\","
               " \"aggregate_name\": \"mean\", \"real_time\": 9, \"time_unit\": \"s\"},"
               "{\"name\": \"a_median\", \"run_name\": \"a\","
               " \"aggregate_name\": \"median\", \"real_time\": 9, \"time_unit\": \"s\"},"
               "{\"name\": \"c\", \"error_occurred\": true, \"real_time\": 0},"
               "{\"name\": \"d\", \"skipped\": true, \"real_time\": 0}]}");
    RELEASED_BY(measured_run_release) MeasuredRun run;
    assert_ok(measured_run_read(test_path("google.json"), &run));
    assert_int_equal(run.count, 2);
    const MeasuredCell *cell = measured_run_find(&run, "a");
    assert_int_equal(cell->launch_count, 4);
    check_time(cell, 0, 4e-9);
    check_time(cell, 1, 2e-6);
    check_time(cell, 2, 3e-3);
    check_time(cell, 3, 5);
    assert_true(fabs(cell->median - (2e-6 + 3e-3) / 2) < 1e-15);
    check_time(measured_run_find(&run, "b"), 0, 7e-9);
    assert_true(isnan(run.noise_floor));
    assert_true(machine_fact(&run.machine, "cpu_count")->number == 8);
    assert_true(measured_run_find_untimed(&run, "c")->failed);
    assert_false(measured_run_find_untimed(&run, "d")->failed);
}

static void check_untimed(const MeasuredRun *run, const char *name, bool failed, const char *why) {
    const UntimedCell *cell = measured_run_find_untimed(run, name);
    assert_non_null(cell);
    assert_int_equal(cell->failed, failed);
    assert_string_equal(cell->why, why);
    assert_null(measured_run_find(run, name));
}

TEST(cells_without_a_time_keep_why) {
    MeasuredRun run;
    read_recorded("failed", &run);
    assert_int_equal(run.count, 2);
    check_untimed(&run, SIMD, true, "its answer differs from seq");
    assert_string_equal(measured_run_failure(&run)->name, SIMD);
    measured_run_release(&run);
    read_recorded("skipped", &run);
    check_untimed(&run, SIMD, false, "no memory left");
    assert_null(measured_run_failure(&run));
    measured_run_release(&run);
}

/* The ninth repetition may be right: an answer that is sometimes wrong is wrong. */
TEST(one_failed_repetition_is_a_failed_cell) {
    RELEASED_BY(measured_run_release) MeasuredRun run;
    read_recorded("google_failed", &run);
    assert_int_equal(run.count, 1);
    check_untimed(&run, "BM_copy/64", true, "wrong answer");
    check_untimed(&run, "BM_broken", true, "no such file");
    check_untimed(&run, "BM_left_out", false, "not here");
}

/* What a version to come, or a module, has: cells by name, with points of its own axes. */
TEST(cells_that_this_version_does_not_have_are_compared) {
    test_write("own.json",
               FILE_OF("{\"name\": \"b/w/i/s/r:2,kind:odd/tile:0.5\", \"algorithm\": \"b\","
                       "\"variant\": \"w\", \"input\": \"i\", \"size\": \"s\","
                       "\"answer\": {\"r\": 2, \"kind\": \"odd\"}, \"tuning\": {\"tile\": 0.5},"
                       "\"input_hash\": \"0\", \"mode\": \"hot\", \"verified\": true,"
                       "\"converged\": true, \"best_tuning\": true,"
                       "\"kernel_samples_s\": [1], \"end_to_end_samples_s\": []}," ENTRY(
                           "lbp", "true", "\"kernel_samples_s\": [2]")));
    RELEASED_BY(measured_run_release) MeasuredRun run;
    assert_ok(measured_run_read(test_path("own.json"), &run));
    assert_int_equal(run.count, 2);
    assert_non_null(measured_run_find(&run, "b/w/i/s/r:2,kind:odd/tile:0.5"));
    assert_non_null(measured_run_find(&run, "lbp/v/i/s"));
}

/* What `bench ci` does with its launches: old and new program may fail in one of them alone. */
TEST(a_cell_that_failed_in_one_launch_failed) {
    RELEASED_BY(measured_run_release) MeasuredRun whole = {.count = 0};
    static const char *const launches[] = {"base", "failed", "skipped", "again"};
    for (size_t i = 0; i < sizeof launches / sizeof launches[0]; i++) {
        RELEASED_BY(measured_run_release) MeasuredRun run;
        read_recorded(launches[i], &run);
        assert_ok(measured_run_join(&whole, &run));
    }
    check_untimed(&whole, SIMD, true, "its answer differs from seq");
    assert_int_equal(measured_run_find(&whole, SEQ)->launch_count, 32);
}

/* Of --benchmark_report_aggregates_only; BigO and RMS are no times of a run. */
TEST(the_median_of_aggregates_is_one_value) {
    MeasuredRun run;
    read_recorded("google_aggregates", &run);
    assert_int_equal(run.count, 2);
    const MeasuredCell *cell = measured_run_find(&run, "BM_sort/1024");
    assert_int_equal(cell->launch_count, 1);
    assert_true(cell->aggregated);
    assert_true(cell->median > 5.3e-5 && cell->median < 5.7e-5);
    measured_run_release(&run);
    read_recorded("google_new", &run);
    assert_false(measured_run_find(&run, "BM_sort/1024")->aggregated);
    measured_run_release(&run);
}

/* As Google Benchmark writes counters; in a text they stay. */
TEST(numbers_that_are_none_are_read_over) {
    MeasuredRun run;
    read_recorded("google_nan", &run);
    assert_int_equal(measured_run_find(&run, "BM_sort/1024")->launch_count, 10);
    measured_run_release(&run);
    test_write("nan.json",
               "{\"benchmarks\": [{\"name\": \"NaN \\\\\\\" Infinity\", \"real_time\": 1,"
               "\"a\": -NaN, \"b\": [NaN,-Infinity, Infinity ]}]}");
    assert_ok(measured_run_read(test_path("nan.json"), &run));
    assert_string_equal(run.cells[0].name, "NaN \\\" Infinity");
    measured_run_release(&run);
    check_refused("{\"benchmarks\": [NaNa]}", "is not valid JSON");
    check_refused("{\"benchmarks\": [nan]}", "is not valid JSON");
    check_refused("{\"benchmarks\": []} NaN", "is not valid JSON");
    check_refused("{\"benchmarks\": [{\"name\": \"a\", \"real_time\": NaN}]}", "no \"real_time\"");
}

TEST(errors_name_the_file_and_what_is_wrong) {
    check_refused("", "is empty");
    check_refused("{\"benchmarks\": [", "is not valid JSON");
    check_refused("[]", "has no list \"benchmarks\"");
    check_refused("{\"benchmarks\": [{\"real_time\": 1}]}", "has no \"name\"");
    check_refused("{\"benchmarks\": [{\"name\": \"a\"}]}", "\"a\" has no \"real_time\" above 0");
    check_refused("{\"benchmarks\": [{\"name\": \"a\", \"real_time\": 0}]}",
                  "\"a\" has no \"real_time\" above 0");
    check_refused("{\"benchmarks\": [{\"name\": \"a\", \"real_time\": 1, \"time_unit\": \"min\"}]}",
                  "\"a\" has an unknown \"time_unit\"");
    static const char *const no_times[] = {"-1", "0", "1e308", "1e7", "1e999", "\"1\""};
    for (size_t i = 0; i < sizeof no_times / sizeof no_times[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, FILE_OF(ENTRY("a", "true", "\"kernel_samples_s\": [1, %s]")),
                 no_times[i]);
        check_refused(text, "has no valid \"kernel_samples_s\": a time is above 0");
    }
    check_refused(
        FILE_OF(ENTRY("a", "true", "\"kernel_samples_s\": [1, 2], \"kernel_turns\": [[0, 0, 1]]")),
        "its turns are [launch, turn, samples]");
    check_refused(FILE_OF(ENTRY("a", "true", "\"kernel_samples_s\": []")),
                  "a measured cell has a sample");
    check_refused(FILE_OF(ENTRY("a", "false", "\"kernel_samples_s\": [1]")),
                  "a measured cell is verified");
    check_refused(FILE_OF(ENTRY("a", "true", "\"kernel_samples_s\": [1]") "," ENTRY(
                      "a", "true", "\"kernel_samples_s\": [1]")),
                  "\"a/v/i/s\" is there twice");
}

TEST(a_missing_file_is_file_trouble) {
    MeasuredRun run;
    assert_status(measured_run_read("/nonexistent/run.json", &run), STATUS_FILE,
                  "/nonexistent/run.json");
}

TEST(a_table_is_no_run) {
    test_write("results.csv", "# bench\nalgorithm,variant\n");
    MeasuredRun run;
    assert_status(measured_run_read(test_path("results.csv"), &run), STATUS_FILE,
                  "a run is read from its results.json; name that, or the folder");
}

TEST(a_folder_stands_for_its_results) {
    test_write("results.json", FILE_OF(ENTRY("a", "true", "\"kernel_samples_s\": [1, 3]")));
    RELEASED_BY(measured_run_release) MeasuredRun run;
    assert_ok(measured_run_read(test_folder, &run));
    assert_says(run.path, "/results.json");
    assert_true(run.cells[0].median == 2);
}

TEST(cells_that_another_run_lacks_are_dropped) {
    RELEASED_BY(measured_run_release) MeasuredRun run;
    RELEASED_BY(measured_run_release) MeasuredRun named;
    read_recorded("base", &run);
    read_recorded("missing", &named); /* without OMP, with another */
    assert_ok(measured_run_keep(&run, &named));
    assert_int_equal(run.count, 2);
    assert_string_equal(run.cells[0].name, SEQ);
    assert_string_equal(run.cells[1].name, SIMD);
}

static void add_row(Results *results, const char *size, CellStatus status, bool verified) {
    Row row = row_empty();
    row.algorithm = registry_find_algorithm("lbp");
    row.variant = registry_find_variant(row.algorithm, "seq");
    strcpy(row.input, "texture");
    strcpy(row.size_name, size);
    row.status = status;
    row.verified = verified;
    assert_ok(samples_add(&row.kernel, 2.5));
    assert_ok(summarize(&row.kernel, &row.kernel_summary));
    assert_ok(results_add(results, &row));
}

/* Times of answers that nobody has verified are compared with nothing. */
TEST(only_verified_rows_of_results_are_taken) {
    static const Machine machine = {.count = 0};
    RELEASED_BY(results_release) Results results = {.rows = NULL};
    RELEASED_BY(measured_run_release) MeasuredRun run;
    add_row(&results, "360p", CELL_OK, true);
    add_row(&results, "720p", CELL_OK, false);
    add_row(&results, "1080p", CELL_FAIL, true);
    add_row(&results, "4K", CELL_SKIP, true);
    strcpy(results.rows[2].why, "wrong");
    assert_ok(measured_run_of_results(&results, &machine, &run));
    assert_int_equal(run.count, 1);
    check_untimed(&run, "lbp/seq/texture/720p", true, "no verified time");
    check_untimed(&run, "lbp/seq/texture/1080p", true, "wrong");
    check_untimed(&run, "lbp/seq/texture/4K", false, "no reason was given");
    assert_string_equal(run.cells[0].name, "lbp/seq/texture/360p");
    assert_true(run.cells[0].median == 2.5);
}
