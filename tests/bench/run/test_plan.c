

#include "bench/fake_set.h"
#include "plan.h"
#include "status_checks.h"
#include "test.h"

static const Input texture = {.name = "texture", .stem = "texture"};
static const InputList inputs = {.inputs = (Input *)&texture, .count = 1};

static Plan make(const RunOptions *options) {
    Plan plan;
    assert_ok(plan_make(options, &inputs, &plan));
    return plan;
}

static void check_name(const Plan *plan, size_t index, const char *want) {
    char name[256];
    const Row row = plan_row(plan, &plan->cells[index], false);
    row_name(&row, name, sizeof name);
    assert_string_equal(name, want);
}

TEST(the_product_is_ordered_with_the_last_axis_fastest) {
    RunOptions options = fake_options(&fake_algorithm);
    options.size_count = 2;
    options.sizes[1] = (SizeSpec){.name = "8x8", .width = 8, .height = 8};
    fake_select(&options, "seq");
    fake_select(&options, "tiled");
    options.axis_count = 2;
    options.axes[0] = (AxisRequest){"threads", "2,1"};
    options.axes[1] = (AxisRequest){"tile", "32,4"};
    RELEASED_BY(plan_release) Plan plan = make(&options);
    assert_int_equal(plan.cell_count, 10);
    assert_int_equal(plan.workload_count, 2);
    assert_int_equal(plan.group_count, 2);
    check_name(&plan, 0, "fake/seq/texture/16x8");
    check_name(&plan, 1, "fake/tiled/texture/16x8/threads:2,tile:32");
    check_name(&plan, 2, "fake/tiled/texture/16x8/threads:2,tile:4");
    check_name(&plan, 3, "fake/tiled/texture/16x8/threads:1,tile:32");
    check_name(&plan, 9, "fake/tiled/texture/8x8/threads:1,tile:4");
    assert_int_equal(plan.cells[4].group, 0);
    assert_int_equal(plan.cells[5].group, 1);
    assert_int_equal(plan_threads(plan.cells[1].variant, &plan.cells[1].tuning), 2);
}

TEST(defaults_are_swept_when_nothing_is_given) {
    RunOptions options = fake_options(&fake_algorithm);
    fake_select(&options, "tiled");
    RELEASED_BY(plan_release) Plan plan = make(&options);
    assert_int_equal(plan.cell_count, 6); /* threads 1,2 times tiles 4,8,16 */
    check_name(&plan, 5, "fake/tiled/texture/16x8/threads:2,tile:16");
}

/* lbp has one: omp_seq. Without CUDA too, its other rows are planned. */
TEST(a_variant_on_request_is_swept_where_it_is_named) {
    RunOptions options = fake_options(registry_find_algorithm("lbp"));
    options.axis_count = 1;
    options.axes[0] = (AxisRequest){"threads", "2"};
    Plan plan = make(&options);
    size_t plain = 0;
    for (size_t i = 0; i < plan.cell_count; i++) {
        assert_string_not_equal(plan.cells[i].variant->name, "omp_seq");
        plain += strcmp(plan.cells[i].variant->name, "omp") == 0;
    }
    assert_int_equal(plain, 1);
    plan_release(&plan);
    fake_select(&options, "omp_seq");
    plan = make(&options);
    assert_int_equal(plan.cell_count, 1);
    check_name(&plan, 0, "lbp/omp_seq/texture/16x8/threads:2");
    plan_release(&plan);
}

TEST(a_variant_without_the_axis_ignores_it) {
    RunOptions options = fake_options(&fake_algorithm);
    fake_select(&options, "seq");
    fake_select(&options, "omp");
    options.axis_count = 1;
    options.axes[0] = (AxisRequest){"threads", "1,2,4"};
    RELEASED_BY(plan_release) Plan plan = make(&options);
    assert_int_equal(plan.cell_count, 4);
    check_name(&plan, 0, "fake/seq/texture/16x8");
}

TEST(an_axis_that_nothing_has_matches_nothing) {
    RunOptions options = fake_options(&fake_algorithm);
    fake_select(&options, "seq");
    options.axis_count = 1;
    options.axes[0] = (AxisRequest){"tile", "4"};
    Plan plan;
    assert_status(plan_make(&options, &inputs, &plan), STATUS_NO_MATCH, "--tile");
    assert_null(plan.cells);
}

/* Wherever it stands among others that a variant has. */
TEST(each_axis_must_be_one_of_a_variant) {
    for (int place = 0; place < 2; place++) {
        RunOptions options = fake_options(&fake_algorithm);
        fake_select(&options, "omp");
        options.axis_count = 2;
        options.axes[place] = (AxisRequest){"tile", "4"};
        options.axes[1 - place] = (AxisRequest){"threads", "1"};
        Plan plan;
        assert_status(plan_make(&options, &inputs, &plan), STATUS_NO_MATCH, "--tile");
        assert_null(plan.cells);
    }
}

TEST(a_variant_that_is_nowhere_matches_nothing) {
    RunOptions options = fake_options(&fake_algorithm);
    fake_select(&options, "no_such");
    Plan plan;
    assert_int_equal(plan_make(&options, &inputs, &plan).code, STATUS_NO_MATCH);
}

TEST(wrong_axis_values_are_refused) {
    RunOptions options = fake_options(&fake_algorithm);
    fake_select(&options, "omp");
    options.axis_count = 1;
    options.axes[0] = (AxisRequest){"threads", "0"};
    Plan plan;
    assert_int_equal(plan_make(&options, &inputs, &plan).code, STATUS_USAGE);
}

TEST(a_synthetic_image_has_no_native_size) {
    RunOptions options = fake_options(&fake_algorithm);
    options.sizes[0] = (SizeSpec){.name = "native"};
    Plan plan;
    assert_int_equal(plan_make(&options, &inputs, &plan).code, STATUS_USAGE);
}

TEST(unavailable_variants_are_planned_with_the_reason) {
    RunOptions options = fake_options(&fake_algorithm);
    fake_select(&options, "never");
    RELEASED_BY(plan_release) Plan plan = make(&options);
    assert_int_equal(plan.cell_count, 1);
    assert_int_equal(plan.cells[0].ready.code, STATUS_SKIP);
    assert_string_equal(plan.cells[0].ready.why, "this processor has no fake instructions");
}

/* 16·8 bytes of input; each answer is 128 bytes and 32 bytes padded to 64. */
TEST(memory_is_input_and_two_answers) {
    RunOptions options = fake_options(&fake_algorithm);
    fake_select(&options, "seq");
    RELEASED_BY(plan_release) Plan plan = make(&options);
    assert_int_equal(plan.cells[0].host_bytes, 128 + 2 * 192);
}

/* A mapped input lies in its file as long as it is taken as it is. */
TEST(a_mapped_input_takes_no_memory_at_its_own_size) {
    Input input = {.kind = WORKLOAD_IMAGE, .width = 100, .height = 50, .mapped = true};
    PlanWorkload workload = {.input = &input};
    workload.shape.image = (Image){.width = 100, .height = 50, .stride = 128};
    assert_int_equal(plan_pixel_bytes(&workload), 0);
    workload.shape.image.height = 49;
    assert_int_equal(plan_pixel_bytes(&workload), 128 * 49);
    workload.shape.image = (Image){.width = 99, .height = 50, .stride = 128};
    assert_int_equal(plan_pixel_bytes(&workload), 128 * 50);
    workload.shape.image.width = 100;
    input.mapped = false;
    assert_int_equal(plan_pixel_bytes(&workload), 128 * 50);
}

/* The roof of a run is that of its ceilings. */
TEST(copy_is_planned_where_it_is_asked_for) {
    const Algorithm *copy = registry_find_algorithm("copy");
    assert_non_null(copy);
    RunOptions options = fake_options(&fake_algorithm);
    options.roof = true;
    fake_select(&options, "seq");
    Plan plan = make(&options);
    assert_int_equal(plan.cell_count, 1);
    assert_ptr_equal(plan.cells[0].algorithm, &fake_algorithm);
    plan_release(&plan);
    options.algorithms[options.algorithm_count++] = copy;
    plan = make(&options);
    assert_int_equal(plan.cell_count, 2);
    assert_ptr_equal(plan.cells[1].algorithm, copy);
    plan_release(&plan);
}

/* Each algorithm on the inputs that it takes, in the order of the inputs. */
TEST(pictures_and_sets_are_planned_apart) {
    Input both[] = {texture, {.kind = WORKLOAD_IMAGE_SET, .name = "digits"}};
    const InputList list = {.inputs = both, .count = 2};
    RunOptions options = fake_set_options();
    options.algorithms[options.algorithm_count++] = &fake_algorithm;
    options.size_count = 1;
    options.sizes[0] = (SizeSpec){.name = "16x8", .width = 16, .height = 8};
    fake_select(&options, "seq");
    RELEASED_BY(plan_release) Plan plan;
    assert_ok(plan_make(&options, &list, &plan));
    assert_int_equal(plan.cell_count, 2);
    check_name(&plan, 0, "fake/seq/texture/16x8");
    check_name(&plan, 1, "fake_set/seq/digits/5x7x6");
    /* 5·7·6 bytes of input; each answer is 8 bytes padded to 64 and 5·8. */
    assert_int_equal(plan.cells[1].host_bytes, 210 + 2 * 128);
    assert_true(plan.cells[1].cost.bytes == 210); /* without pixels */
    const Row row = plan_row(&plan, &plan.cells[1], false);
    assert_int_equal(row.images, 5);
    assert_int_equal(row.width, 7);
    assert_int_equal(row.height, 6);
    const Row picture = plan_row(&plan, &plan.cells[0], false);
    assert_int_equal(picture.images, 0);
}

/* "all" of 5 pictures are the 5 that were asked for already. */
TEST(the_same_set_is_planned_once) {
    Input set = {.kind = WORKLOAD_IMAGE_SET,
                 .path = (char[]){"set"},
                 .name = "set",
                 .images = 5,
                 .width = 7,
                 .height = 6};
    const InputList list = {.inputs = &set, .count = 1};
    RunOptions options = fake_set_options();
    options.set_size_count = 3;
    options.set_sizes[0] = (SizeSpec){.name = "5", .images = 5};
    options.set_sizes[1] = (SizeSpec){.name = "all"};
    options.set_sizes[2] = (SizeSpec){.name = "allx2x2", .width = 2, .height = 2};
    fake_select(&options, "seq");
    Plan plan;
    assert_ok(plan_make(&options, &list, &plan));
    assert_int_equal(plan.workload_count, 2);
    check_name(&plan, 0, "fake_set/seq/set/5");
    check_name(&plan, 1, "fake_set/seq/set/5x2x2");
    plan_release(&plan);
    options.set_sizes[2].images = 6;
    const Status many = plan_make(&options, &list, &plan);
    assert_int_equal(many.code, STATUS_USAGE);
}

/* Each input that is there as both is planned for the algorithms that take it so. */
TEST(keypoints_and_descriptors_are_planned) {
    Algorithm described = fake_algorithm;
    described.name = "described";
    described.input = WORKLOAD_KEYPOINTS;
    Algorithm matched = fake_algorithm;
    matched.name = "matched";
    matched.input = WORKLOAD_DESCRIPTORS;
    Input both[] = {{.kind = WORKLOAD_KEYPOINTS,
                     .name = "texture",
                     .keypoints_file = "k.csv",
                     .keypoints = {.count = 30, .scale = 2, .wanted = 20},
                     .weights = {.count = 1, .list = {{.bits = 256, .columns = 6}}}},
                    {.kind = WORKLOAD_DESCRIPTORS, .name = "pairs"}};
    const InputList list = {.inputs = both, .count = 2};
    RunOptions options = fake_options(&described);
    options.algorithms[options.algorithm_count++] = &matched;
    options.size_count = 1;
    options.sizes[0] = (SizeSpec){.name = "16x8", .width = 16, .height = 8};
    fake_select(&options, "seq");
    RELEASED_BY(plan_release) Plan plan;
    assert_ok(plan_make(&options, &list, &plan));
    assert_int_equal(plan.cell_count, 2);
    check_name(&plan, 0, "described/seq/texture/16x8");
    check_name(&plan, 1, "matched/seq/pairs/100000");
    const Workload *shape = &plan.workloads[0].shape;
    assert_int_equal(shape->keypoints.count, 30);
    assert_int_equal(shape->keypoints.wanted, 20);
    assert_true(shape->keypoints.scale == 2);
    assert_null(shape->keypoints.keypoints);
    assert_int_equal(shape->weights.count, 1);
    /* 16·8 pixels, 30 keypoints of 16 bytes, 256·6 numbers of 4, two answers of 128 + 64. */
    assert_int_equal(plan.cells[0].host_bytes, 128 + 480 + 6144 + 2 * (128 + 64));
    shape = &plan.workloads[1].shape;
    assert_int_equal(shape->queries, 100000);
    assert_int_equal(shape->image.height, 200000);
    assert_int_equal(shape->image.width, 128);
    assert_int_equal(shape->keypoints.wanted, 10000);
}
