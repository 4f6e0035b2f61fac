

#include "bench/fake_set.h"
#include "harness.h"
#include "status_checks.h"
#include "test.h"

static const Point no_point = {.count = 0};

TEST(an_answer_is_computed_once) {
    uint8_t pixels[2] = {1, 254};
    const Workload workload = {.image = {2, 1, 2, pixels}};
    Output output;
    assert_ok(
        one_answer_compute(&fake_algorithm, fake_variant("tiled"), &workload, &no_point, &output));
    assert_memory_equal(output_part(&output, 0), "\xfe\x01", 2);
    assert_int_equal(((uint64_t *)output_part(&output, 1))[1], 1);
    answer_release_guarded(&output);
    assert_int_equal(cpu_backend.in_use(), 0);
}

TEST(an_answer_is_timed) {
    uint8_t pixels[2] = {1, 254};
    const Workload workload = {.image = {2, 1, 2, pixels}};
    Output output;
    double seconds = -1;
    assert_ok(one_answer_time(&fake_algorithm, fake_variant("dev_good"), &workload, &no_point,
                              &output, &seconds));
    assert_memory_equal(output_part(&output, 0), "\xfe\x01", 2);
    assert_int_equal(((uint64_t *)output_part(&output, 1))[1], 1);
    /* Of the fake device a run takes a millisecond, and so do the copies, which do not count. */
    assert_true(seconds == 1e-3);
    answer_release_guarded(&output);
    assert_int_equal(one_answer_time(&fake_algorithm, fake_variant("past_end"), &workload,
                                     &no_point, &output, &seconds)
                         .code,
                     STATUS_FAIL);
    assert_int_equal(cpu_backend.in_use(), 0);
}

TEST(what_goes_wrong_leaves_nothing) {
    static const struct {
        const char *variant;
        StatusCode code;
        const char *why;
    } cases[] = {{"fails", STATUS_FAIL, "ran into a wall"},
                 {"open_skips", STATUS_SKIP, "wants a larger picture"},
                 {"past_end", STATUS_FAIL, "out of bounds"}};
    uint8_t pixels[2] = {1, 254};
    const Workload workload = {.image = {2, 1, 2, pixels}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Output output;
        const Status status = one_answer_compute(&fake_algorithm, fake_variant(cases[i].variant),
                                                 &workload, &no_point, &output);
        assert_int_equal(status.code, cases[i].code);
        assert_says(status.why, cases[i].why);
        assert_int_equal(cpu_backend.in_use(), 0);
    }
}

TEST(a_variant_is_held_against_the_oracle) {
    assert_ok(one_answer_prove(&fake_algorithm, fake_variant("simd"), &no_point));
    assert_status(one_answer_prove(&fake_algorithm, fake_variant("one_wrong"), &no_point),
                  STATUS_FAIL, "one_wrong gave a wrong answer: inverse (63, 63) is");
    /* Nothing to hold it against is no proof against it. */
    assert_ok(one_answer_prove(&fake_algorithm, fake_variant("open_skips"), &no_point));
}

/* On digits, which have labels. */
TEST(variants_on_sets_are_held_against_the_oracle) {
    assert_ok(one_answer_prove(&fake_set_algorithm, &fake_set_variants[1], &no_point));
    assert_status(one_answer_prove(&fake_set_algorithm, &fake_set_variants[2], &no_point),
                  STATUS_FAIL, "wrong gave a wrong answer: sums");
}

static Status layout_with_keypoints(const Workload *workload, const Point *answer,
                                    OutputLayout *layout) {
    if (workload->keypoints.count == 0 || workload->weights.count == 0) {
        return status_skip("the fake needs keypoints and weights");
    }
    return fake_layout(workload, answer, layout);
}

/* On pictures with keypoints and weights, whether there are trained ones or not. */
TEST(variants_on_keypoints_are_held_against_the_oracle) {
    Algorithm algorithm = fake_algorithm;
    algorithm.input = WORKLOAD_KEYPOINTS;
    algorithm.output_layout = layout_with_keypoints;
    assert_status(one_answer_prove(&algorithm, fake_variant("one_wrong"), &no_point), STATUS_FAIL,
                  "one_wrong gave a wrong answer: inverse (639, 479) is");
}

TEST(variants_on_descriptors_are_held_against_the_oracle) {
    Algorithm algorithm = fake_algorithm;
    algorithm.input = WORKLOAD_DESCRIPTORS;
    assert_status(one_answer_prove(&algorithm, fake_variant("one_wrong"), &no_point), STATUS_FAIL,
                  "one_wrong gave a wrong answer: inverse (127, 2047) is");
}

TEST(variants_are_found_by_name) {
    const Variant *variant = NULL;
    assert_ok(one_answer_variant(&fake_algorithm, "omp", &variant));
    assert_ptr_equal(variant, fake_variant("omp"));
    /* Of the whole table the last that can run. */
    assert_ok(one_answer_variant(&fake_algorithm, NULL, &variant));
    assert_string_equal(variant->name, "tiled");
    assert_ok(one_answer_fastest(&fake_algorithm, &variant));
    assert_string_equal(variant->name, "tiled");
    fake_device.absent = true;
    assert_ok(one_answer_fastest(&fake_algorithm, &variant));
    assert_ptr_equal(variant->backend, &cpu_backend);
    fake_device.absent = false;
    assert_status(one_answer_variant(&fake_algorithm, "opm", &variant), STATUS_USAGE,
                  "'opm' is no variant of fake (there are seq, simd, omp");
    assert_status(one_answer_variant(&fake_algorithm, "never", &variant), STATUS_SKIP,
                  "never cannot run: this processor has no fake");
}
