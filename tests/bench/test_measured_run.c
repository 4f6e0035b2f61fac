/* Reading runs for comparison: results files of this program and of Google Benchmark. */
#include <math.h>

#include "base_internal.h"
#include "bench/compare_fixture.h"
#include "bench/scratch_folder.h"
#include "compare_internal.h"
#include "machine.h"
#include "results.h"

static ScratchFolder folder;

static int make_folder(void **state) {
    (void)state;
    folder = scratch_make();
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    scratch_remove_tree(folder.path);
    return 0;
}

static void own_files_give_the_medians_of_their_launches(void **state) {
    (void)state;
    scratch_write(&folder, "own.json",
                  "{\"benchmarks\": [{\"name\": \"a\", \"kernel_samples_s\": [9, 5, 7, 1, 3],"
                  "\"kernel_turns\": [[0, 0, 1], [0, 1, 2], [2, 0, 2]]},"
                  "{\"name\": \"copy/seq\", \"kernel_samples_s\": [4, 6]}]}");
    char path[512];
    MeasuredRun run;
    scratch_path(&folder, "own.json", path);
    assert_int_equal(measured_run_read(path, &run).code, STATUS_OK);
    assert_int_equal(run.cells[0].launch_count, 2); /* launch 1 has no sample */
    assert_int_equal(run.cells[0].sample_count, 5);
    assert_true(run.cells[0].launches[0] == 2 && run.cells[0].launches[1] == 7);
    assert_true(run.cells[0].median == 4.5);
    assert_false(run.cells[0].roof);
    assert_int_equal(run.cells[1].launch_count, 1);
    assert_true(run.cells[1].median == 5);
    assert_true(run.cells[1].roof);
    assert_true(isnan(run.noise_floor));
    measured_run_release(&run);
}

static void own_files_give_what_identifies_a_cell(void **state) {
    (void)state;
    MeasuredRun run;
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
    measured_run_release(&run);
}

static void check_time(const MeasuredCell *cell, size_t index, double seconds) {
    const double got = cell->launches[index];
    if (fabs(got - seconds) > 1e-15 * seconds) {
        fail_msg("%.17g instead of %.17g", got, seconds);
    }
}

static void repetitions_of_google_benchmark_become_launches(void **state) {
    (void)state;
    scratch_write(&folder, "google.json",
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
    char path[512];
    scratch_path(&folder, "google.json", path);
    MeasuredRun run;
    const Status status = measured_run_read(path, &run);
    assert_int_equal(status.code, STATUS_OK);
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
    measured_run_release(&run);
}

static void check_refused(const char *text, const char *fragment) {
    scratch_write(&folder, "wrong.json", text);
    char path[512];
    scratch_path(&folder, "wrong.json", path);
    MeasuredRun run;
    const Status status = measured_run_read(path, &run);
    assert_int_equal(status.code, STATUS_FILE);
    check_has(status.why, "wrong.json");
    check_has(status.why, fragment);
    assert_int_equal(run.count, 0);
}

static void errors_name_the_file_and_what_is_wrong(void **state) {
    (void)state;
    check_refused("", "is empty");
    check_refused("{\"benchmarks\": [", "is not valid JSON");
    check_refused("[]", "has no list \"benchmarks\"");
    check_refused("{\"benchmarks\": [{\"real_time\": 1}]}", "has no \"name\"");
    check_refused("{\"benchmarks\": [{\"name\": \"a\"}]}", "\"a\" has no \"real_time\" above 0");
    check_refused("{\"benchmarks\": [{\"name\": \"a\", \"real_time\": 0}]}",
                  "\"a\" has no \"real_time\" above 0");
    check_refused("{\"benchmarks\": [{\"name\": \"a\", \"real_time\": 1, \"time_unit\": \"min\"}]}",
                  "\"a\" has an unknown \"time_unit\"");
    check_refused("{\"benchmarks\": [{\"name\": \"a\", \"kernel_samples_s\": [1, -1]}]}",
                  "\"a\" has a sample in \"kernel_samples_s\" that is no time");
    check_refused("{\"benchmarks\": [{\"name\": \"a\", \"kernel_samples_s\": [\"1\"]}]}",
                  "\"a\" has a sample in \"kernel_samples_s\" that is no time");
    check_refused("{\"benchmarks\": [{\"name\": \"a\", \"kernel_samples_s\": []}]}",
                  "\"a\" has no sample");
    check_refused("{\"benchmarks\": [{\"name\": \"a\", \"kernel_samples_s\": [1]},"
                  "{\"name\": \"a\", \"kernel_samples_s\": [1]}]}",
                  "\"a\" is there twice");
}

static void a_missing_file_is_file_trouble(void **state) {
    (void)state;
    MeasuredRun run;
    const Status status = measured_run_read("/nonexistent/run.json", &run);
    assert_int_equal(status.code, STATUS_FILE);
    check_has(status.why, "/nonexistent/run.json");
}

static void a_folder_stands_for_its_results(void **state) {
    (void)state;
    scratch_write(&folder, "results.json",
                  "{\"benchmarks\": [{\"name\": \"a\", \"kernel_samples_s\": [1, 3]}]}");
    MeasuredRun run;
    const Status status = measured_run_read(folder.path, &run);
    assert_int_equal(status.code, STATUS_OK);
    check_has(run.path, "/results.json");
    assert_true(run.cells[0].median == 2);
    measured_run_release(&run);
}

static void cells_that_another_run_lacks_are_dropped(void **state) {
    (void)state;
    MeasuredRun run;
    MeasuredRun named;
    read_recorded("base", &run);
    read_recorded("missing", &named); /* without OMP, with another */
    measured_run_keep(&run, &named);
    assert_int_equal(run.count, 2);
    assert_string_equal(run.cells[0].name, SEQ);
    assert_string_equal(run.cells[1].name, SIMD);
    measured_run_release(&named);
    measured_run_release(&run);
}

static void add_row(Results *results, const char *size, CellStatus status, bool verified) {
    Row row = row_empty();
    row.algorithm = registry_find_algorithm("lbp");
    row.variant = registry_find_variant(row.algorithm, "seq");
    strcpy(row.input, "texture");
    strcpy(row.size_name, size);
    row.status = status;
    row.verified = verified;
    assert_int_equal(samples_add(&row.kernel, 2.5).code, STATUS_OK);
    assert_int_equal(summarize(&row.kernel, &row.kernel_summary).code, STATUS_OK);
    assert_int_equal(results_add(results, &row).code, STATUS_OK);
}

/* Times of answers that nobody has verified are compared with nothing. */
static void only_verified_rows_of_results_are_taken(void **state) {
    (void)state;
    static const Machine machine = {.count = 0};
    Results results = {.rows = NULL};
    MeasuredRun run;
    add_row(&results, "360p", CELL_OK, true);
    add_row(&results, "720p", CELL_OK, false);
    add_row(&results, "1080p", CELL_FAIL, true);
    add_row(&results, "4K", CELL_SKIP, true);
    assert_int_equal(measured_run_of_results(&results, &machine, &run).code, STATUS_OK);
    assert_int_equal(run.count, 1);
    assert_string_equal(run.cells[0].name, "lbp/seq/texture/360p");
    assert_true(run.cells[0].median == 2.5);
    measured_run_release(&run);
    results_release(&results);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(own_files_give_the_medians_of_their_launches),
        cmocka_unit_test(own_files_give_what_identifies_a_cell),
        IN_FOLDER(repetitions_of_google_benchmark_become_launches),
        IN_FOLDER(errors_name_the_file_and_what_is_wrong),
        cmocka_unit_test(a_missing_file_is_file_trouble),
        IN_FOLDER(a_folder_stands_for_its_results),
        cmocka_unit_test(cells_that_another_run_lacks_are_dropped),
        cmocka_unit_test(only_verified_rows_of_results_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
