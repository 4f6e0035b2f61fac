/* Scaling over several GPUs: which rows belong together, and their efficiency. */
#include "algorithm.h"
#include "backend.h"
#include "cost.h"
#include "csv.h"
#include "results.h"
#include "results_internal.h"
#include "scaling.h"
#include "test.h"
#include "variant.h"

static const Axis gpus_axis = {
    .name = "gpus", .defaults = "1", .kind = AXIS_INTEGER, .minimum = 1, .maximum = 16};
static const Axis items_axis = {
    .name = "items", .defaults = "1", .kind = AXIS_INTEGER, .minimum = 1, .maximum = 1000000};
static const Axis box_axis = {
    .name = "box", .defaults = "1", .kind = AXIS_INTEGER, .minimum = 1, .maximum = 100};
static const Axis *const gpus_tuning[] = {&gpus_axis, NULL};
static const Axis *const items_answer[] = {&items_axis, &box_axis, NULL};

static const Variant variants[] = {
    {.name = "seq", .backend = &cpu_backend},
    {.name = "cuda_fast", .backend = &cuda_backend},
    {.name = "cuda_multi", .backend = &cuda_multi_backend, .tuning = gpus_tuning}};

static const Algorithm rows_algorithm = {
    .name = "of_rows", .item = "pixel", .cpu = {.rows = variants, .count = 3}};
static const Algorithm items_algorithm = {.name = "of_items",
                                          .item = "pair",
                                          .answer = items_answer,
                                          .weak_axis = "items",
                                          .cpu = {.rows = variants, .count = 3}};
static const Algorithm squares_algorithm = {.name = "of_squares",
                                            .item = "pair",
                                            .answer = items_answer,
                                            .weak_axis = "items",
                                            .weak_power = 2,
                                            .cpu = {.rows = variants, .count = 3}};

enum { LAUNCHES = 6 };

/* Milliseconds on one GPU: the machine drifts from launch to launch. */
static const double one_gpu[LAUNCHES] = {8, 13, 9, 12, 10, 11};
/* How many times faster two are in the same launches: median 1.935, from 1.90 to 1.98. The ratio of
 * the medians over all launches is another one. */
static const double two_gpus[LAUNCHES] = {1.90, 1.93, 1.92, 1.98, 1.94, 1.96};

static void set_point(Point *point, size_t at, const Axis *axis, int value) {
    point->axes[at] = axis;
    point->values[at].number = value;
    snprintf(point->values[at].text, AXIS_TEXT_SIZE, "%d", value);
    point->count = at + 1;
}

/* A row without times. `gpus` 0: of cuda_fast. */
static Row row_of(const Algorithm *algorithm, int gpus, int width, int height) {
    Row row = row_empty();
    row.algorithm = algorithm;
    row.variant = &variants[gpus > 0 ? 2 : 1];
    strcpy(row.input, "texture");
    snprintf(row.size_name, sizeof row.size_name, "%dx%d", width, height);
    row.width = width;
    row.height = height;
    row.status = CELL_OK;
    row.cost = (Cost){.bytes = 2000, .operations = 8000, .items = 1000};
    if (gpus > 0) {
        set_point(&row.tuning, 0, &gpus_axis, gpus);
    }
    return row;
}

/* Times in `launches` launches: those of one GPU divided by `factors`, which may be NULL. */
static void add(Results *results, Row row, int launches, const double *factors, double whole) {
    for (int launch = 0; launch < launches; launch++) {
        const double seconds = 1e-3 * one_gpu[launch] / (factors != NULL ? factors[launch] : 1);
        for (int i = -1; i <= 1; i++) {
            row.kernel.origin = row.end_to_end.origin = (SampleOrigin){(uint32_t)launch, 0};
            samples_add(&row.kernel, seconds * (1 + 0.01 * i));
            samples_add(&row.end_to_end, whole * seconds * (1 + 0.01 * i));
        }
    }
    assert_ok(results_add(results, &row));
}

/* Two GPUs take 1/1.935 of the time: 100 · 1.935 / 2 = 96.75. */
TEST(strong_efficiency_is_formed_within_launches) {
    RELEASED_BY(results_release) Results results = {0};
    add(&results, row_of(&rows_algorithm, 1, 640, 480), LAUNCHES, NULL, 2);
    add(&results, row_of(&rows_algorithm, 2, 640, 480), LAUNCHES, two_gpus, 3);
    add(&results, row_of(&rows_algorithm, 0, 640, 480), LAUNCHES, NULL, 2);
    results_derive(&results, 1);
    const Row *one = &results.rows[0];
    const Row *two = &results.rows[1];
    assert_near(one->parallel_efficiency, 100, 1e-9);
    assert_near(two->parallel_efficiency, 96.75, 1e-9);
    assert_near(two->parallel_efficiency_ci_low, 95, 1e-9);
    assert_near(two->parallel_efficiency_ci_high, 99, 1e-9);
    assert_near(two->parallel_efficiency_end_to_end, 96.75 * 2 / 3, 1e-9);
    assert_near(two->parallel_efficiency_end_to_end_ci_high, 99.0 * 2 / 3, 1e-9);
    assert_near(row_efficiency(two, TIME_KERNEL).value, 0.9675, 1e-9);
    assert_near(row_over_one(two, TIME_KERNEL).value, 1.935, 1e-9);
    assert_near(row_over_one(two, TIME_KERNEL).low, 1.90, 1e-9);
    assert_near(row_over_one(two, TIME_END_TO_END).high, 1.98 * 2 / 3, 1e-9);
    assert_int_equal(row_gpus(two), 2);
    assert_int_equal(row_gpus(&results.rows[2]), 0);
    assert_true(isnan(results.rows[2].parallel_efficiency));
}

/* Fewer than six launches have no interval, but a least and a greatest. */
TEST(few_launches_have_a_least_and_a_greatest) {
    RELEASED_BY(results_release) Results results = {0};
    add(&results, row_of(&rows_algorithm, 1, 640, 480), 3, NULL, 2);
    add(&results, row_of(&rows_algorithm, 2, 640, 480), 3, two_gpus, 2);
    results_derive(&results, 1);
    const Row *two = &results.rows[1];
    assert_near(two->parallel_efficiency, 96, 1e-9);
    assert_true(isnan(two->parallel_efficiency_ci_low));
    assert_near(two->parallel_efficiency_launch_low, 95, 1e-9);
    assert_near(two->parallel_efficiency_launch_high, 96.5, 1e-9);
    assert_true(row_efficiency(two, TIME_KERNEL).extremes);
    assert_near(row_efficiency(two, TIME_KERNEL).high, 0.965, 1e-9);
}

TEST(without_one_gpu_there_is_no_efficiency) {
    RELEASED_BY(results_release) Results results = {0};
    Row failed = row_of(&rows_algorithm, 1, 640, 480);
    failed.status = CELL_FAIL;
    add(&results, failed, 1, NULL, 2);
    add(&results, row_of(&rows_algorithm, 1, 640, 481), 1, NULL, 2);
    Row cold = row_of(&rows_algorithm, 1, 640, 480);
    cold.cold = true;
    add(&results, cold, 1, NULL, 2);
    add(&results, row_of(&rows_algorithm, 2, 640, 480), 1, NULL, 2);
    results_derive(&results, 1);
    assert_true(isnan(results.rows[3].parallel_efficiency));
}

/* Two GPUs have twice the rows. They take as long as one would with its own: here a little more, as
 * 1 / 1.02, and the efficiency is 100 / 1.02. */
TEST(weak_efficiency_is_of_the_same_share) {
    static const double slower[LAUNCHES] = {1 / 1.02, 1 / 1.02, 1 / 1.02,
                                            1 / 1.02, 1 / 1.02, 1 / 1.02};
    RELEASED_BY(results_release) Results results = {0};
    Row rows[] = {row_of(&rows_algorithm, 1, 640, 480), row_of(&rows_algorithm, 2, 640, 960),
                  row_of(&rows_algorithm, 4, 640, 1920),
                  /* Of another share: twice the width, or the rows of one GPU. */
                  row_of(&rows_algorithm, 2, 1280, 480), row_of(&rows_algorithm, 2, 640, 480)};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rows[i].weak = true;
        add(&results, rows[i], LAUNCHES, i == 0 ? NULL : slower, 2);
    }
    results_derive(&results, 1);
    assert_near(results.rows[0].parallel_efficiency, 100, 1e-9);
    assert_near(results.rows[1].parallel_efficiency, 100 / 1.02, 1e-9);
    assert_near(results.rows[2].parallel_efficiency, 100 / 1.02, 1e-9);
    assert_near(row_over_one(&results.rows[2], TIME_KERNEL).value, 4 / 1.02, 1e-9);
    assert_true(isnan(results.rows[3].parallel_efficiency));
    assert_true(isnan(results.rows[4].parallel_efficiency));
    assert_true(row_same_scaling(&results.rows[1], &results.rows[2]));
}

/* Where the work is the square of the axis, √N times as much, rounded. */
TEST(weak_scaling_of_squares_grows_by_the_root) {
    static const struct {
        int gpus, items;
        bool same;
    } cases[] = {{2, 14, true}, {4, 20, true}, {3, 17, true}, {2, 15, false}, {2, 20, false}};
    Row one = row_of(&squares_algorithm, 1, 640, 480);
    one.weak = true;
    set_point(&one.answer, 0, &items_axis, 10);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Row row = row_of(&squares_algorithm, cases[i].gpus, 640, 480);
        row.weak = true;
        set_point(&row.answer, 0, &items_axis, cases[i].items);
        assert_int_equal(row_same_scaling(&one, &row), cases[i].same);
    }
}

/* Of sets the images grow, of some algorithms an axis of the answer. */
TEST(weak_scaling_grows_images_or_an_axis) {
    Row one = row_of(&rows_algorithm, 1, 28, 28);
    Row two = row_of(&rows_algorithm, 2, 28, 28);
    one.weak = two.weak = true;
    one.images = 1000;
    two.images = 2000;
    assert_true(row_same_scaling(&one, &two));
    two.images = 1000;
    assert_false(row_same_scaling(&one, &two));
    two.images = 2000;
    two.height = 56;
    assert_false(row_same_scaling(&one, &two));

    one = row_of(&items_algorithm, 1, 640, 480);
    two = row_of(&items_algorithm, 4, 640, 480);
    one.weak = two.weak = true;
    set_point(&one.answer, 0, &items_axis, 500);
    set_point(&one.answer, 1, &box_axis, 3);
    set_point(&two.answer, 0, &items_axis, 2000);
    set_point(&two.answer, 1, &box_axis, 3);
    assert_true(row_same_scaling(&one, &two));
    two.weak = false;
    assert_false(row_same_scaling(&one, &two));
    two.weak = true;
    set_point(&two.answer, 1, &box_axis, 5);
    assert_false(row_same_scaling(&one, &two));
    set_point(&two.answer, 1, &box_axis, 3);
    set_point(&two.answer, 0, &items_axis, 500);
    set_point(&two.answer, 1, &box_axis, 3);
    assert_false(row_same_scaling(&one, &two));
}

static void check_column(const Row *row, const char *name, const char *want) {
    size_t count;
    const CsvColumn *columns = csv_columns(&count);
    char value[CSV_VALUE_SIZE] = "no such column";
    for (size_t i = 0; i < count; i++) {
        if (strcmp(columns[i].name, name) == 0) {
            csv_column_value(&columns[i], row, value, sizeof value);
        }
    }
    assert_string_equal(value, want);
}

/* 1000 items in half of 10.5 ms are of two GPUs. */
TEST(columns_are_of_variants_with_the_axis) {
    static const double twice[LAUNCHES] = {2, 2, 2, 2, 2, 2};
    RELEASED_BY(results_release) Results results = {0};
    add(&results, row_of(&rows_algorithm, 0, 640, 480), LAUNCHES, NULL, 2);
    add(&results, row_of(&rows_algorithm, 1, 640, 480), LAUNCHES, NULL, 2);
    add(&results, row_of(&rows_algorithm, 2, 640, 480), LAUNCHES, twice, 2);
    results_derive(&results, 1);
    const Row *fast = &results.rows[0];
    const Row *two = &results.rows[2];
    check_column(fast, "gpus", "");
    check_column(fast, "weak", "");
    check_column(fast, "parallel_efficiency", "");
    check_column(fast, "per_gpu_items_per_second", "");
    check_column(two, "gpus", "2");
    check_column(two, "weak", "no");
    check_column(two, "parallel_efficiency", "100");
    assert_near(two->items_per_second, 1000 / 5.25e-3, 1e-9);
    check_column(two, "per_gpu_items_per_second", "95238.0952"); /* half of it */
}

/* Of eight devices that are there two worked, in the row on most of them. */
TEST(a_run_is_named_after_the_devices_that_worked) {
    RELEASED_BY(results_release) Results results = {0};
    static const char model[] = "NVIDIA H200";
    for (int gpus = 0; gpus <= 4; gpus++) {
        Row row = row_of(&rows_algorithm, gpus, 640, 480);
        snprintf(row.device, sizeof row.device, "%d × %s", gpus, model);
        row.status = gpus > 2 ? CELL_SKIP : CELL_OK;
        assert_ok(results_add(&results, &row));
    }
    assert_string_equal(results_gpus(&results, model), "2 × NVIDIA H200");
    results_measured(&results, model, "Test CPU", 16, "2026-11-25T01:02:03Z");
    assert_string_equal(results.measured, "2 × NVIDIA H200; Test CPU, 16 threads; 2026-11-25");
    results.count = 2; /* without the row on two */
    assert_string_equal(results_gpus(&results, model), model);
    results.count = 5;
}
