/* --weak: the plan has for each number of GPUs the question that has grown for it. */
#include "bench/fake_set.h"
#include "plan.h"
#include "run.h"
#include "run_options.h"
#include "scaling.h"
#include "share.h"
#include "test.h"

static Input texture = {.kind = WORKLOAD_IMAGE, .name = "texture", .stem = "texture"};
static const InputList inputs = {.inputs = &texture, .count = 1};

/* `gpus` NULL: not given. */
static RunOptions weak_options(const char *algorithm, const char *gpus) {
    RunOptions options = fake_options(registry_find_algorithm(algorithm));
    assert_non_null(options.algorithms[0]);
    options.weak = true;
    options.sizes[0] = (SizeSpec){.name = "64x48", .width = 64, .height = 48};
    fake_select(&options, "seq");
    fake_select(&options, "cuda_multi");
    if (gpus != NULL) {
        options.axes[options.axis_count++] = (AxisRequest){"gpus", gpus};
    }
    return options;
}

static void check_plan(const RunOptions *options, const InputList *list, const char *const *want) {
    RELEASED_BY(plan_release) Plan plan;
    assert_ok(plan_make(options, list, &plan));
    size_t i = 0;
    for (; want[i] != NULL; i++) {
        char name[CELL_NAME_SIZE];
        assert_true(i < plan.cell_count);
        const Row row = plan_row(&plan, &plan.cells[i], false);
        row_name(&row, name, sizeof name);
        assert_string_equal(name, want[i]);
        assert_int_equal(row.weak, row_gpus(&row) > 0);
    }
    assert_int_equal(plan.cell_count, i);
}

static void check_refused(const RunOptions *options, const InputList *list, const char *why) {
    Plan plan;
    const Status status = plan_make(options, list, &plan);
    assert_int_equal(status.code, STATUS_USAGE);
    assert_string_equal(status.why, why);
    assert_null(plan.cells);
}

/* Baseline and best CPU are those of the size that has grown. */
TEST(rows_of_images_grow) {
    const RunOptions options = weak_options("lbp", "1,2,4");
    const char *const want[] = {"lbp/seq/texture/64x48",
                                "lbp/cuda_multi/texture/64x48/gpus:1",
                                "lbp/seq/texture/64x96",
                                "lbp/cuda_multi/texture/64x96/gpus:2",
                                "lbp/seq/texture/64x192",
                                "lbp/cuda_multi/texture/64x192/gpus:4",
                                NULL};
    check_plan(&options, &inputs, want);
}

/* The numbers of GPUs are those of one question. */
TEST(without_weak_nothing_grows) {
    WeakNumbers numbers;
    RunOptions options = weak_options("lbp", "1,2");
    options.weak = false;
    assert_ok(weak_numbers(&options, &numbers));
    assert_int_equal(numbers.count, 0);
    options.weak = true;
    assert_ok(weak_numbers(&options, &numbers));
    assert_int_equal(numbers.count, 2);
    assert_int_equal(numbers.list[1], 2);
}

/* A size that was given and one that has grown to it are one workload, with the GPUs of both. */
TEST(sizes_that_meet_are_one) {
    RunOptions options = weak_options("lbp", "1,2");
    options.sizes[options.size_count++] = (SizeSpec){.name = "64x96", .width = 64, .height = 96};
    const char *const want[] = {"lbp/seq/texture/64x48",
                                "lbp/cuda_multi/texture/64x48/gpus:1",
                                "lbp/seq/texture/64x96",
                                "lbp/cuda_multi/texture/64x96/gpus:1",
                                "lbp/cuda_multi/texture/64x96/gpus:2",
                                "lbp/seq/texture/64x192",
                                "lbp/cuda_multi/texture/64x192/gpus:2",
                                NULL};
    check_plan(&options, &inputs, want);
}

/* The size of one GPU is not measured where one GPU is not. */
TEST(without_one_gpu_there_is_no_share) {
    const RunOptions options = weak_options("lbp", "2,4");
    const char *const want[] = {"lbp/seq/texture/64x96", "lbp/cuda_multi/texture/64x96/gpus:2",
                                "lbp/seq/texture/64x192", "lbp/cuda_multi/texture/64x192/gpus:4",
                                NULL};
    check_plan(&options, &inputs, want);
}

/* Words of an answer axis are those of the given size: each:log goes up to half the shorter side,
 * which is 8 at 64×16 and would be 32 at 64×64. */
TEST(answers_are_those_of_the_given_size) {
    RunOptions options = weak_options("lacunarity", "1,4");
    options.sizes[0] = (SizeSpec){.name = "64x16", .width = 64, .height = 16};
    options.axes[options.axis_count++] = (AxisRequest){"box", "each:log"};
    options.axes[options.axis_count++] = (AxisRequest){"threshold", "128"};
    RELEASED_BY(plan_release) Plan plan;
    size_t counts[2] = {0, 0};
    assert_ok(plan_make(&options, &inputs, &plan));
    assert_int_equal(plan.workload_count, 2);
    for (size_t i = 0; i < plan.cell_count; i++) {
        counts[plan.cells[i].workload]++;
    }
    assert_int_equal(counts[0], 2 * 4); /* boxes 1, 2, 4, 8 */
    assert_int_equal(counts[1], 2 * 4);
}

TEST(images_of_sets_grow) {
    Input digits = {.kind = WORKLOAD_IMAGE_SET, .name = "digits"};
    const InputList list = {.inputs = &digits, .count = 1};
    RunOptions options = weak_options("haar", "1,2");
    options.axes[options.axis_count++] = (AxisRequest){"min-side", "4"};
    options.axes[options.axis_count++] = (AxisRequest){"threshold", "500"};
    options.set_size_count = 2;
    options.set_sizes[0] = (SizeSpec){.name = "10x28x28", .images = 10, .width = 28, .height = 28};
    options.set_sizes[1] = (SizeSpec){.name = "20x28x28", .images = 20, .width = 28, .height = 28};
    const char *const want[] = {"haar/seq/digits/10x28x28/min-side:4,threshold:500",
                                "haar/cuda_multi/digits/10x28x28/min-side:4,threshold:500/gpus:1",
                                "haar/seq/digits/20x28x28/min-side:4,threshold:500",
                                "haar/cuda_multi/digits/20x28x28/min-side:4,threshold:500/gpus:1",
                                "haar/cuda_multi/digits/20x28x28/min-side:4,threshold:500/gpus:2",
                                "haar/seq/digits/40x28x28/min-side:4,threshold:500",
                                "haar/cuda_multi/digits/40x28x28/min-side:4,threshold:500/gpus:2",
                                NULL};
    check_plan(&options, &list, want);
    digits.path = (char[]){"set"};
    digits.images = 30;
    check_refused(&options, &list,
                  "--weak with 2 GPUs needs 40 images, and digits has 30; write at most --images "
                  "15");
}

/* Points that meet are one, as sizes are. */
TEST(axes_of_the_answer_grow) {
    RunOptions options = weak_options("hashsift", "1,2");
    options.axes[options.axis_count++] = (AxisRequest){"keypoints", "10,20"};
    options.weights = "random";
    RELEASED_BY(inputs_release) InputList list;
    assert_ok(inputs_open(&options, stderr, &list));
#define CELL(variant, keypoints, rest)                                                             \
    "hashsift/" variant "/texture/64x48/bits:256,keypoints:" keypoints ",scale:1" rest
    const char *const want[] = {CELL("seq", "10", ""),
                                CELL("cuda_multi", "10", "/gpus:1"),
                                CELL("seq", "20", ""),
                                CELL("cuda_multi", "20", "/gpus:1"),
                                CELL("cuda_multi", "20", "/gpus:2"),
                                CELL("seq", "40", ""),
                                CELL("cuda_multi", "40", "/gpus:2"),
                                NULL};
    check_plan(&options, &list, want);
    options.axes[1].list = "600000";
    check_refused(&options, &list,
                  "--weak with 2 GPUs needs 2 times --keypoints 600000, and 1000000 is the most; "
                  "write less");
}

/* The work of matching is in proportion to the square of its axis. */
TEST(axes_of_squares_grow_by_the_root) {
    Input pairs = {.kind = WORKLOAD_DESCRIPTORS, .name = "pairs", .stem = "pairs"};
    const InputList list = {.inputs = &pairs, .count = 1};
    RunOptions options = weak_options("matching", "1,2,4");
    options.axes[options.axis_count++] = (AxisRequest){"keypoints", "1000"};
    Plan plan;
    int64_t keypoints[3] = {0, 0, 0};
    assert_ok(plan_make(&options, &list, &plan));
    for (size_t i = 0; i < plan.cell_count; i++) {
        const Row row = plan_row(&plan, &plan.cells[i], false);
        if (row_gpus(&row) > 0) {
            keypoints[row_gpus(&row) / 2] = point_integer(&row.answer, "keypoints", 0);
        }
    }
    assert_int_equal(keypoints[0], 1000);
    assert_int_equal(keypoints[1], 1414);
    assert_int_equal(keypoints[2], 2000);
    plan_release(&plan);
    options.axes[1].list = "80000";
    check_refused(&options, &list,
                  "--weak with 2 GPUs needs 1.41 times --keypoints 80000, and 100000 is the most; "
                  "write less");
}

static void check_skipped(const char *algorithm, const InputList *list, const char *why) {
    RunOptions options = weak_options("lbp", "1,2");
    options.algorithms[0] = registry_find_algorithm(algorithm);
    options.algorithms[options.algorithm_count++] = registry_find_algorithm("lbp");
    RELEASED_BY(plan_release) Plan plan;
    assert_ok(plan_make(&options, list, &plan));
    size_t count = 0;
    for (size_t i = 0; i < plan.cell_count; i++) {
        const PlanCell *cell = &plan.cells[i];
        if (cell->algorithm == options.algorithms[0]) {
            assert_int_equal(cell->ready.code, STATUS_SKIP);
            assert_string_equal(cell->ready.why, why);
            count++;
        }
    }
    assert_true(count > 0);
}

/* They are rows with the reason, at the size that was given. */
TEST(what_does_not_grow_is_skipped) {
    Input both[] = {texture, {.kind = WORKLOAD_DESCRIPTORS, .name = "pairs"}};
    const InputList list = {.inputs = both, .count = 2};
    check_skipped("fast", &list, "--weak: fast has no variant for several GPUs");
    check_skipped("copy", &list, "--weak: copy has no variant for several GPUs");
}

TEST(one_number_of_gpus_is_refused) {
    RunOptions options = weak_options("lbp", "2");
    check_refused(&options, &inputs,
                  "--weak compares numbers of GPUs, and --gpus 2 is one; write several such as "
                  "--gpus 1,2,4");
    options = weak_options("lbp", "1,16");
    options.sizes[0] = (SizeSpec){.name = "8x100000", .width = 8, .height = 100000};
    check_refused(&options, &inputs,
                  "--weak with 16 GPUs: '8x1600000' is too large; write sides of at most 1048576");
}

/* A number of GPUs is compared with one: both are in one share. */
TEST(numbers_of_gpus_stay_in_one_share) {
    RunOptions options = weak_options("lbp", "1,2");
    options.share = (Share){.index = 2, .count = 2};
    check_refused(&options, &inputs,
                  "--shard: the plan has 1 group of cells that are compared with each other; write "
                  "at most 1 share");
    options.algorithms[options.algorithm_count++] = registry_find_algorithm("lbp_riu");
    options.share = (Share){.index = 1, .count = 2};
    RELEASED_BY(plan_release) Plan plan;
    assert_ok(plan_make(&options, &inputs, &plan));
    assert_true(plan.cell_count >= 4);
    for (size_t i = 1; i < plan.cell_count; i++) {
        assert_ptr_equal(plan.cells[i].algorithm, plan.cells[0].algorithm);
    }
}

/* `bench reproduce` looks for the input of each row of a stored run among those of its request. */
TEST(stored_inputs_are_found_where_they_have_grown) {
    const RunOptions options = weak_options("lbp", "1,2");
    const SizeSpec twice = {.name = "64x96", .width = 64, .height = 96};
    Workload workload;
    assert_ok(workload_load(&texture, &twice, options.seed, &workload));
    Row row = row_empty();
    row.algorithm = options.algorithms[0];
    strcpy(row.input, "texture");
    strcpy(row.size_name, "64x96");
    row.input_hash = workload.hash;
    workload_release(&workload);
    assert_ok(stored_input_check(&options, &inputs, &row));
    strcpy(row.size_name, "64x192");
    assert_int_equal(stored_input_check(&options, &inputs, &row).code, STATUS_USAGE);
}
