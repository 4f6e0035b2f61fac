

#include "bench/fakes.h"
#include "bench/idx_file.h"
#include "bench/scratch_folder.h"
#include "cli_internal.h"
#include "command_line.h"
#include "exit_code.h"
#include "machine.h"
#include "plan.h"
#include "run.h"
#include "samples.h"
#include "status_checks.h"
#include "sweep.h"
#include "test.h"

/* Whether two lines are of one request. */
static Status lines_same(const char *stored, const char *now) {
    ArgumentList lists[2];
    bool open;
    assert_ok(command_line_split(stored, &lists[0], &open));
    assert_ok(command_line_split(now, &lists[1], &open));
    const Status status = arguments_both_same(&command_run, &lists[0], &lists[1]);
    argument_list_release(&lists[0]);
    argument_list_release(&lists[1]);
    return status;
}

TEST(the_order_of_arguments_does_not_matter) {
    static const char *const same[][2] = {
        {"--algo lbp --sizes all", "--algo lbp --sizes all"},
        {"--algo lbp --sizes all", "run --sizes all --algo lbp"},
        {"--algo=lbp --reps 5", "--reps=5 --algo lbp"},
        {"--algo lbp", "--algo lbp --resume reports/runs/x --quiet --no-plot"},
        {"--algo lbp --out 'my runs' --csv a.csv", "--algo lbp --json b.json --save c --plot"},
        {"--algo lbp", "--algo lbp --save c --save-table --baseline b --baseline-program p "
                       "--baseline-threshold 1%"},
        {"--input 'my photo.png' --cold", "--cold --input 'my photo.png'"},
        {"--input 'it'\\''s.png' --cold --out o", "--cold --input 'it'\\''s.png' --resume o"},
        {"--input 'a b.png'", "--input a\\ b.png"},
        {"--plugin a.so --algo lbp", "--algo lbp --color never --all --price gpu=3,cpu=1"},
        {"--algo lbp --reps 3 --reps=5", "--algo lbp --reps 5"}, /* the last one counts */
        {"--algo lbp --sizes 4k,640x480 --max-time 2s --ci-width 5%",
         "--algo lbp --sizes 4K,640X480 --max-time 2000ms --ci-width 0.05"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        assert_ok(lines_same(same[i][0], same[i][1]));
    }
}

TEST(a_difference_is_named) {
    assert_status(lines_same("--algo lbp --reps 5", "--algo lbp --reps 6"), STATUS_USAGE,
                  "there --reps 5, here --reps 6;");
    assert_status(lines_same("--algo lbp --sizes all", "--algo lbp --cold --sizes all"),
                  STATUS_USAGE, "there nothing, here --cold;");
    assert_status(lines_same("--algo lbp --cold", "--algo lbp"), STATUS_USAGE,
                  "there --cold, here nothing;");
    /* The axis of lacunarity, not what a comparison lets pass. */
    Status status = lines_same("--threshold 64", "--threshold 128");
    assert_int_equal(status.code, STATUS_USAGE);
    status = lines_same("--input 'a b.png'", "--input 'a c.png'");
    assert_int_equal(status.code, STATUS_USAGE);
    assert_status(lines_same("--axis-of-a-module 3", "--algo lbp"), STATUS_USAGE,
                  "'--axis-of-a-module' is no option of 'bench run'");
}

static Row finished_row(const char *size_name, int32_t side) {
    Row row = row_empty();
    row.algorithm = &fake_algorithm;
    row.variant = fake_variant("omp");
    strcpy(row.input, "texture");
    strcpy(row.size_name, size_name);
    row.width = row.height = side;
    row.tuning = (Point){.count = 1, .axes = {&fake_threads_axis}, .values = {{2, "2"}}};
    row.status = CELL_OK;
    samples_add(&row.kernel, 0.5);
    return row;
}

TEST(only_whole_rows_are_finished) {
    Row row = finished_row("64", 64);
    assert_true(resume_is_sampled(&row));
    assert_false(resume_is_finished(&row)); /* killed before it was measured end to end */
    samples_add(&row.end_to_end, 0.5);
    assert_true(resume_is_finished(&row));
    row.unfinished = true; /* killed before its transfers were */
    assert_true(resume_is_sampled(&row));
    assert_false(resume_is_finished(&row));
    row.unfinished = false;
    row.status = CELL_FAIL;
    assert_false(resume_is_sampled(&row)); /* failed: tried again */
    assert_false(resume_is_finished(&row));
    row_release(&row);
    row = finished_row("64", 64);
    row.variant = fake_variant("dev_good");
    assert_false(resume_is_sampled(&row)); /* not without its samples end to end */
    row_release(&row);
}

TEST(rows_are_taken_once) {
    StoredRun stored = {.complete = false};
    Row row = finished_row("64", 64);
    results_add(&stored.results, &row);
    Row planned = row;
    planned.kernel = (Samples){0};
    Row taken;
    assert_true(resume_extract(&stored, &planned, &taken));
    assert_int_equal(taken.kernel.count, 1);
    assert_true(taken.kernel.seconds[0] == 0.5);
    Row again;
    assert_false(resume_extract(&stored, &planned, &again));
    row_release(&taken);
    results_release(&stored.results);
}

TEST(other_rows_are_not_taken) {
    StoredRun stored = {.complete = false};
    Row row = finished_row("64", 64);
    results_add(&stored.results, &row);
    Row taken;
    Row planned = row;
    planned.cold = true;
    assert_false(resume_extract(&stored, &planned, &taken));
    planned = row;
    planned.width = 65; /* "native" of another picture */
    assert_false(resume_extract(&stored, &planned, &taken));
    planned = row;
    planned.images = 10; /* "all" of another set */
    assert_false(resume_extract(&stored, &planned, &taken));
    planned = row;
    strcpy(planned.tuning.values[0].text, "4");
    assert_false(resume_extract(&stored, &planned, &taken));
    planned = row;
    planned.variant = fake_variant("seq");
    assert_false(resume_extract(&stored, &planned, &taken));
    results_release(&stored.results);
}

/* --- The whole way, on an algorithm that can be read back from a file ------------------------- */

static Machine machine;

/* The request says that these were given. */
static void set_given(RunOptions *options, int argc, char **argv) {
    RunOptions read;
    options_start(&command_run, &read, &read.given);
    assert_ok(options_read(argc - 1, argv + 1, &read, &read.given));
    options->given = read.given;
    options->arguments = (ArgumentList){.argc = argc - 1, .argv = argv + 1};
}

static Status run(RunOptions *options, Results *results, int *exit_code) {
    FILE *output = tmpfile();
    FILE *notes = tmpfile();
    *results = (Results){0};
    const Status status = runner_run_on(options, &machine, output, notes, results, exit_code);
    fclose(output);
    fclose(notes);
    return status;
}

TEST(what_was_measured_stays_as_it_is) {
    const Algorithm *copy = registry_find_algorithm("copy");
    assert_non_null(copy);
    char *first_argv[] = {"bench", "--algo", "copy", "--out", test_folder};
    RunOptions options = fake_options(copy);
    machine_read(&machine);
    options.out = test_folder;
    options.arguments = (ArgumentList){.argc = 4, .argv = first_argv + 1};
    options.axis_count = 1;
    options.axes[0] = (AxisRequest){"threads", "1"};
    options.variant_count = 1;
    options.variants[0] = "omp";
    RELEASED_BY(results_release) Results first;
    int exit_code = -1;
    assert_ok(run(&options, &first, &exit_code));
    assert_int_equal(first.count, 1);

    char *second_argv[] = {"bench", "--algo", "copy", "--resume", test_folder};
    options.out = NULL;
    options.resume = test_folder;
    set_given(&options, 5, second_argv);
    options.interleave = true;
    options.variants[0] = "seq"; /* comes before omp in the plan */
    options.variants[1] = "omp";
    options.variant_count = 2;
    Results second;
    assert_ok(run(&options, &second, &exit_code));
    assert_int_equal(exit_code, EXIT_OK);
    assert_int_equal(second.count, 2);
    assert_string_equal(second.rows[0].variant->name, "seq");
    assert_string_equal(second.rows[1].variant->name, "omp");
    assert_int_equal(second.rows[1].kernel.count, first.rows[0].kernel.count);
    for (size_t i = 0; i < second.rows[1].kernel.count; i++) {
        const double before = first.rows[0].kernel.seconds[i];
        const double after = second.rows[1].kernel.seconds[i];
        assert_true(after > before * (1 - 1e-6) && after < before * (1 + 1e-6));
    }
    results_release(&second);

    char *third_argv[] = {"bench", "--algo", "copy", "--reps", "9"};
    set_given(&options, 5, third_argv);
    options.reps = 9;
    Status status = run(&options, &second, &exit_code);
    assert_int_equal(status.code, STATUS_USAGE);
    assert_int_equal(exit_code, EXIT_USAGE);
    assert_says(status.why, "--reps 9");
    results_release(&second);
}

/* A run that was killed while the cell waited for its neighbours. */
TEST(a_sampled_cell_is_not_sampled_again) {
    char *argv[] = {"bench", "--algo", "copy"};
    RunOptions options = fake_options(registry_find_algorithm("copy"));
    machine_read(&machine);
    options.out = test_folder;
    options.arguments = (ArgumentList){.argc = 2, .argv = argv + 1};
    options.axis_count = 1;
    options.axes[0] = (AxisRequest){"threads", "1"};
    options.variant_count = 1;
    options.variants[0] = "omp";
    RELEASED_BY(results_release) Results first;
    int exit_code = -1;
    assert_ok(run(&options, &first, &exit_code));
    Row *row = &first.rows[0];
    samples_release(&row->end_to_end);
    row->end_to_end_summary = summary_none();
    row->with_alloc_summary.median = NAN;
    row->kernel.seconds[0] = 0.125; /* never measured */
    assert_ok(summarize(&row->kernel, &row->kernel_summary));
    const RunRecord record = {.options = &options, .machine = &machine, .started = "2026"};
    assert_ok(report_json(test_path("results.json"), &record, &first));
    options.out = NULL;
    options.resume = test_folder;
    set_given(&options, 3, argv);
    RELEASED_BY(results_release) Results second;
    assert_ok(run(&options, &second, &exit_code));
    assert_int_equal(exit_code, EXIT_OK);
    assert_int_equal(second.count, 1);
    assert_int_equal(second.rows[0].kernel.count, first.rows[0].kernel.count);
    assert_true(second.rows[0].kernel.seconds[0] == 0.125);
    assert_int_equal(second.rows[0].batch, first.rows[0].batch);
    assert_true(second.rows[0].verified);
    assert_true(second.rows[0].end_to_end.count > 0);
    assert_true(isfinite(second.rows[0].with_alloc_summary.median));
}

TEST(a_folder_without_results_cannot_be_resumed) {
    RunOptions options = fake_options(&fake_algorithm);
    options.resume = test_folder;
    options.given.command = &command_run;
    Results results;
    int exit_code = -1;
    const Status status = run(&options, &results, &exit_code);
    assert_int_equal(status.code, STATUS_FILE);
    assert_int_equal(exit_code, EXIT_FILE);
    assert_int_equal(scratch_count(test_folder), 0);
}

TEST(another_picture_is_refused) {
    test_write("p.pgm", "P2 2 2 255 1 2 3 4\n");
    const char *path = test_path("p.pgm");
    RunOptions options = fake_options(&fake_algorithm);
    options.input = path;
    options.sizes[0] = (SizeSpec){.name = "native"};
    RELEASED_BY(inputs_release) InputList inputs;
    RELEASED_BY(plan_release) Plan plan;
    assert_ok(inputs_open(&options, stderr, &inputs));
    assert_ok(plan_make(&options, &inputs, &plan));
    Workload workload;
    workload_load(&inputs.inputs[0], &options.sizes[0], 1, &workload);
    StoredRun stored = {.complete = false};
    Row row = finished_row("native", 2);
    strcpy(row.input, "p.pgm");
    row.input_hash = workload.hash;
    results_add(&stored.results, &row);
    assert_ok(resume_check_inputs(&stored, &plan, 1));
    test_write("p.pgm", "P2 2 2 255 1 2 3 5\n");
    assert_status(resume_check_inputs(&stored, &plan, 1), STATUS_USAGE, path);
    workload_release(&workload);
    results_release(&stored.results);
}

/* Rows of sets of other pictures say nothing about a set of the same name and number. */
TEST(another_set_is_refused) {
    idx_write_pictures("set.idx", 4, 3, 2);
    Algorithm of_sets = fake_algorithm;
    of_sets.input = WORKLOAD_IMAGE_SET;
    RunOptions options = fake_options(&of_sets);
    options.synthetic = NULL;
    options.input = test_path("set.idx");
    options.set_size_count = 1;
    options.set_sizes[0] = (SizeSpec){.name = "all"};
    RELEASED_BY(inputs_release) InputList inputs;
    RELEASED_BY(plan_release) Plan plan;
    assert_ok(inputs_open(&options, stderr, &inputs));
    assert_ok(plan_make(&options, &inputs, &plan));
    StoredRun stored = {.complete = false};
    Row row = finished_row(plan.workloads[0].shape.size_name, 3);
    row.algorithm = &of_sets;
    strcpy(row.input, "set.idx");
    row.images = 4;
    row.input_hash = 5;
    results_add(&stored.results, &row);
    Row *added = &stored.results.rows[0];
    const int32_t others[][3] = {{3, 3, 4}, {4, 2, 4}, {3, 2, 5}, {3, 2, 4}};
    for (size_t i = 0; i < 4; i++) {
        added->width = others[i][0];
        added->height = others[i][1];
        added->images = others[i][2];
        const Status status = resume_check_inputs(&stored, &plan, 1);
        assert_int_equal(status.code, i < 3 ? STATUS_OK : STATUS_USAGE);
    }
    results_release(&stored.results);
}

/* A row of the same picture without keypoints says nothing about them. */
TEST(other_keypoints_are_refused) {
    test_write("k.csv", "x,y,size,angle\n1,2,3,4\n");
    Algorithm described = fake_algorithm;
    described.input = WORKLOAD_KEYPOINTS;
    RunOptions options = fake_options(&described);
    options.synthetic = "texture";
    options.keypoints_file = test_path("k.csv");
    options.weights = "random";
    options.sizes[0] = (SizeSpec){.name = "64", .width = 64, .height = 64};
    RELEASED_BY(inputs_release) InputList inputs;
    RELEASED_BY(plan_release) Plan plan;
    assert_ok(inputs_open(&options, stderr, &inputs));
    assert_ok(plan_make(&options, &inputs, &plan));
    Workload workload;
    workload_load(&inputs.inputs[0], &options.sizes[0], 1, &workload);
    StoredRun stored = {.complete = false};
    Row row = finished_row("64", 64);
    row.input_hash = 5;
    results_add(&stored.results, &row);
    row = finished_row("64", 64);
    row.algorithm = &described;
    row.input_hash = workload.hash;
    results_add(&stored.results, &row);
    assert_ok(resume_check_inputs(&stored, &plan, 1));
    test_write("k.csv", "x,y,size,angle\n1,2,3,5\n");
    assert_status(resume_check_inputs(&stored, &plan, 1), STATUS_USAGE,
                  "texture, its keypoints or the weights are not those");
    workload_release(&workload);
    results_release(&stored.results);
}
