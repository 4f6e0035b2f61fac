

#include "bench/fake_set.h"
#include "harness.h"
#include "oracle.h"
#include "test.h"

static const Point none = {0};

TEST(the_largest_workload_sets_the_rate) {
    static History history;
    history = (History){0};
    assert_null(history_rate(&history, &fake_algorithm));
    assert_true(isnan(history_estimate(&history, &fake_algorithm, 100)));
    history_note_seq(&history, &fake_algorithm, 0, 3, "nothing to do");
    assert_null(history_rate(&history, &fake_algorithm));
    history_note_seq(&history, &fake_algorithm, 100, 5, "small");
    history_note_seq(&history, &fake_algorithm, 1000, 20, "large");
    history_note_seq(&history, &fake_algorithm, 10, 7, "tiny"); /* not asked any more */
    assert_string_equal(history_rate(&history, &fake_algorithm)->where, "large");
    assert_true(fabs(history_estimate(&history, &fake_algorithm, 5000) - 100) < 1e-9);
    const Algorithm other = {.name = "other"};
    assert_null(history_rate(&history, &other));
}

TEST(the_fastest_verified_variant_is_found) {
    static History history;
    history = (History){0};
    const Point two = {.count = 1, .axes = {&fake_threads_axis}, .values = {{2, "2"}}};
    assert_null(history_fastest(&history, &fake_algorithm));
    history_note_verified(&history, &fake_algorithm, fake_variant("simd"), &none, 100, 4);
    history_note_verified(&history, &fake_algorithm, fake_variant("omp"), &two, 200, 6);
    assert_string_equal(history_fastest(&history, &fake_algorithm)->variant->name, "omp");
    history_note_verified(&history, &fake_algorithm, fake_variant("omp"), &two, 400, 40);
    assert_string_equal(history_fastest(&history, &fake_algorithm)->variant->name, "simd");
    assert_int_equal(history.verified_count, 2);
    const Algorithm other = {.name = "other"};
    assert_null(history_fastest(&history, &other));
    /* 40 s for 400, where simd took 4 s for 100. */
    assert_true(history_times_slower(&history, &fake_algorithm, fake_variant("omp"), &two) == 2.5);
    assert_true(history_times_slower(&history, &fake_algorithm, fake_variant("simd"), &none) == 1);
    assert_true(isnan(history_times_slower(&history, &fake_algorithm, fake_variant("omp"), &none)));
}

TEST(work_is_operations_or_else_bytes) {
    const Cost both = {.bytes = 10, .operations = 30};
    const Cost copy = {.bytes = 10, .operations = 0};
    assert_true(cost_work(&both) == 30);
    assert_true(cost_work(&copy) == 10);
}

static Workload make_workload(int32_t side) {
    Workload workload;
    const Input input = {.name = "noise"};
    SizeSpec size = {.name = "square", .width = side, .height = side};
    assert_ok(workload_load(&input, &size, 1, &workload));
    return workload;
}

TEST(a_probe_learns_the_rate_of_seq) {
    static History history;
    history = (History){0};
    RELEASED_BY(workload_release)
    Workload workload = make_workload(50); /* smaller than the smallest crop: all of it */
    oracle_probe(&history, &fake_algorithm, &workload, &none);
    const SeqRate *rate = history_rate(&history, &fake_algorithm);
    assert_non_null(rate);
    assert_true(rate->work == 2500);
    assert_string_equal(rate->where, "50x50");
    const int runs = fake_device.runs;
    oracle_probe(&history, &fake_algorithm, &workload, &none); /* known already */
    assert_int_equal(fake_device.runs, runs);
}

/* Of 200 pictures the first 128 take no time at all, then all 200 are the whole set. */
TEST(a_probe_of_a_set_takes_its_first_pictures) {
    static History history;
    history = (History){0};
    const Input input = {.kind = WORKLOAD_IMAGE_SET, .name = "digits"};
    const SizeSpec size = {.name = "200", .width = 4, .height = 3, .images = 200};
    RELEASED_BY(workload_release) Workload workload;
    assert_ok(workload_load(&input, &size, 1, &workload));
    oracle_probe(&history, &fake_set_algorithm, &workload, &none);
    const SeqRate *rate = history_rate(&history, &fake_set_algorithm);
    assert_non_null(rate);
    assert_true(rate->work == 128 * 12 || rate->work == 200 * 12);
    assert_string_equal(rate->where, rate->work == 200 * 12 ? "200" : "128");
}

static const Axis side_axis = {
    .name = "side", .defaults = "8", .kind = AXIS_INTEGER, .minimum = 1, .maximum = 4096};
static const Axis *const side_axes[] = {&side_axis, NULL};

static Status layout_of_side(const Workload *workload, const Point *answer, OutputLayout *layout) {
    if (point_integer(answer, "side", 0) > workload->image.width) {
        return status_skip("larger than the image");
    }
    return fake_layout(workload, answer, layout);
}

static Algorithm algorithm_with_side(void) {
    Algorithm algorithm = fake_algorithm;
    algorithm.answer = side_axes;
    algorithm.output_layout = layout_of_side;
    return algorithm;
}

/* All crops are smaller than the side: the rate is learned at the default one. */
TEST(a_probe_learns_where_crops_have_no_answer) {
    static History history;
    history = (History){0};
    Algorithm algorithm = algorithm_with_side();
    const Point large = {.count = 1, .axes = {&side_axis}, .values = {{1500, "1500"}}};
    RELEASED_BY(workload_release) Workload workload = make_workload(1600);
    oracle_probe(&history, &algorithm, &workload, &large);
    assert_non_null(history_rate(&history, &algorithm));
}

/* A minute, on the crop that has an answer at this point. */
static Cost cost_of_side(const Workload *workload, const Point *answer) {
    const double default_work = (double)image_pixel_count(&workload->image);
    return (Cost){.operations = point_integer(answer, "side", 0) > 8 ? 1e12 : default_work};
}

/* The smallest crop has none, and takes no time at the default one. */
TEST(a_probe_does_not_run_what_takes_long) {
    static History history;
    history = (History){0};
    Algorithm algorithm = algorithm_with_side();
    algorithm.cost = cost_of_side;
    const Point large = {.count = 1, .axes = {&side_axis}, .values = {{150, "150"}}};
    RELEASED_BY(workload_release) Workload workload = make_workload(300);
    oracle_probe(&history, &algorithm, &workload, &large);
    assert_string_equal(history_rate(&history, &algorithm)->where, "128x128");
}

TEST(the_oracle_is_the_answer_of_seq) {
    static History history;
    history = (History){0};
    const RunOptions options = fake_options(&fake_algorithm);
    RELEASED_BY(workload_release) Workload workload = make_workload(20);
    OutputLayout layout = {0};
    RELEASED_BY(answer_release_guarded) Output scratch;
    fake_layout(&workload, &none, &layout);
    answer_alloc_guarded(&layout, &scratch);
    RELEASED_BY(oracle_release) Oracle oracle;
    assert_ok(oracle_compute(&history, &options, &fake_algorithm, &workload, &none, &scratch, NULL,
                             &oracle));
    assert_string_equal(oracle.by, "seq");
    assert_false(oracle.stood_in);
    const uint8_t *inverse = output_part(&oracle.answer, 0);
    for (size_t i = 0; i < 400; i++) {
        assert_int_equal(inverse[i] + workload.image.pixels[i], 255);
    }
}
