/* Sets of pictures all the way from a request to rows and saved answers. */
#include "bench/fake_set.h"
#include "bench/idx_file.h"
#include "bench/runner_fixture.h"
#include "inputs.h"
#include "plan.h"
#include "status_checks.h"
#include "sweep.h"
#include "test.h"

EACH_TEST(reset);

TEST(sets_are_measured) {
    RunOptions options = fake_set_options();
    fake_select(&options, "seq");
    fake_select(&options, "simd");
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, 0);
    assert_int_equal(outcome.results.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const Row *row = &outcome.results.rows[i];
        check_ok(row, i == 0 ? "seq" : "simd");
        assert_string_equal(row->input, "digits");
        assert_string_equal(row->size_name, "5x7x6");
        assert_int_equal(row->images, 5);
        assert_int_equal(row->width, 7);
        assert_int_equal(row->height, 6);
        assert_true(row->input_hash != 0);
        /* 210 pixels, and what only the loaded pixels tell. */
        assert_true(row->cost.bytes == 1210);
        assert_true(row->host_peak >= 210);
    }
}

TEST(a_wrong_variant_gets_no_time) {
    RunOptions options = fake_set_options();
    fake_select(&options, "wrong");
    RELEASED_BY(finish) Outcome outcome = run(options);
    check_failed(&outcome.results.rows[0], "wrong answer: sums");
}

TEST(pictures_and_sets_go_side_by_side) {
    RunOptions options = fake_set_options();
    options.algorithms[options.algorithm_count++] = &fake_algorithm;
    options.size_count = 1;
    options.sizes[0] = (SizeSpec){.name = "16x8", .width = 16, .height = 8};
    fake_select(&options, "seq");
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, 0);
    assert_int_equal(outcome.results.count, 2);
    assert_string_equal(outcome.results.rows[0].algorithm->name, "fake");
    assert_string_equal(outcome.results.rows[0].input, "texture");
    assert_int_equal(outcome.results.rows[0].images, 0);
    assert_int_equal(outcome.results.rows[0].width, 16);
    assert_string_equal(outcome.results.rows[1].algorithm->name, "fake_set");
    assert_int_equal(outcome.results.rows[1].images, 5);
}

/* Whether there are labels is known when the set is loaded. */
TEST(a_set_without_labels_is_a_reason) {
    idx_write_pictures("set.idx", 4, 3, 2);
    RunOptions options = fake_set_options();
    options.synthetic = NULL;
    options.input = test_path("set.idx");
    options.set_sizes[0] = (SizeSpec){.name = "all"};
    fake_select(&options, "seq");
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.results.count, 1);
    assert_int_equal(outcome.results.rows[0].status, CELL_SKIP);
    assert_says(outcome.results.rows[0].why, "the fake needs labels");
    assert_int_equal(outcome.results.rows[0].images, 4);
}

/* Pictures of 0…5 and 16…21 have the sums 15 and 111; the labels are 9 and 8. */
TEST(answers_are_saved) {
    char labels[512];
    char saved[512];
    idx_write_pictures("set.idx", 2, 3, 2);
    idx_write_labels("names", 2);
    scratch_path(test_scratch(), "names", labels);
    scratch_path(test_scratch(), "saved", saved);
    RunOptions options = fake_set_options();
    options.synthetic = NULL;
    options.input = test_path("set.idx");
    options.labels = labels;
    options.save = saved;
    options.set_sizes[0] = (SizeSpec){.name = "all"};
    fake_select(&options, "seq");
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, 0);
    char *sums = test_read("saved/fake_set-set-2-sums.csv");
    assert_string_equal(sums, "record\n15\n111\n");
}

TEST(a_dry_run_prices_a_set) {
    RunOptions options = fake_set_options();
    options.dry_run = true;
    fake_select(&options, "seq");
    RELEASED_BY(finish) Outcome outcome = run(options);
    assert_int_equal(outcome.exit_code, 0);
    assert_says(outcome.printed, "fake_set/seq/digits/5x7x6");
    assert_says(outcome.printed, "samples of about"); /* of a small set */
}

TEST(a_resumed_set_has_to_be_the_same) {
    idx_write_pictures("set.idx", 2, 3, 2);
    char path[512];
    scratch_path(test_scratch(), "set.idx", path);
    const Input input = {.kind = WORKLOAD_IMAGE_SET,
                         .path = path,
                         .name = "set.idx",
                         .images = 2,
                         .width = 3,
                         .height = 2};
    PlanWorkload planned = {.input = &input, .size = {.name = "all"}};
    const Plan plan = {.workloads = &planned, .workload_count = 1};
    RELEASED_BY(workload_release) Workload workload;
    assert_ok(workload_load(&input, &planned.size, 1, &workload));
    assert_ok(workload_describe(&input, &planned.size, &planned.shape));
    StoredRun stored = {.complete = false};
    Row row = row_empty();
    row.algorithm = &fake_set_algorithm;
    row.variant = &fake_set_variants[0];
    strcpy(row.input, "set.idx");
    strcpy(row.size_name, "2");
    row.images = 2;
    row.width = 3;
    row.height = 2;
    row.status = CELL_OK;
    row.input_hash = workload.hash;
    samples_add(&row.kernel, 1);
    results_add(&stored.results, &row);
    assert_ok(resume_check_inputs(&stored, &plan, 1));
    stored.results.rows[0].input_hash++;
    assert_status(resume_check_inputs(&stored, &plan, 1), STATUS_USAGE,
                  "is not the set that the stored run was measured on");
    Row wanted = stored.results.rows[0];
    Row taken;
    wanted.images = 3;
    assert_false(resume_extract(&stored, &wanted, &taken));
    wanted.images = 2;
    assert_true(resume_extract(&stored, &wanted, &taken));
    row_release(&taken);
    results_release(&stored.results);
}
