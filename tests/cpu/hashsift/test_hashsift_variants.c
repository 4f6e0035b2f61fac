/* hashsift: stages of the CPU variants, their threads, and what a comparison accepts. They are held
 * to the oracle by conformance. */
#include "blas.h"
#include "cpu/keypoint_cases.h"
#include "descriptor_weights.h"
#include "hashsift.h"
#include "test.h"

extern const Algorithm hashsift_algorithm;

enum { KEYPOINTS = 300, OTHER_THREADS = 2 };

static Workload make_workload(int32_t width, int32_t height, size_t padding, Fill fill) {
    return keypoint_case_random(WEIGHTS_HASHSIFT, width, height, padding, fill, KEYPOINTS);
}

static Output answer_of(const Variant *variant, const Workload *workload, const Point *answer,
                        int threads) {
    return variant_answer_of(&hashsift_algorithm, variant, workload, answer, threads);
}

/* A patch whose side is no finite number lies nowhere: all its pixels are 0, and so are its values,
 * without a conversion of what is no number. */
TEST(endless_patches_have_no_values) {
    static const float angles[] = {-1, 0, 30, 90};
    static const uint8_t none[HASHSIFT_VALUES];
    RELEASED_BY(keypoint_case_random_free) Workload workload = make_workload(60, 50, 3, FILL_NOISE);
    const int32_t count = (int32_t)COUNT_OF(angles);
    for (int32_t k = 0; k < count; k++) {
        workload.keypoints.keypoints[k] = (Keypoint){30, 25, 3e38F, angles[k]};
    }
    const Point answer =
        keypoint_case_point(&hashsift_algorithm, HASHSIFT_VALUE_BITS, count, REFERENCE_SCALE);
    for (size_t row = 0; row < hashsift_algorithm.cpu.count; row++) {
        RELEASED_BY(output_free)
        Output output = answer_of(&hashsift_algorithm.cpu.rows[row], &workload, &answer, 2);
        for (int32_t k = 0; k < count; k++) {
            assert_memory_equal(hashsift_descriptors(&output) + k * HASHSIFT_VALUES, none,
                                sizeof none);
        }
    }
}

TEST(stages_make_up_the_run) {
    static const char *const names[] = {"sift", "product", "sign", NULL};
    RELEASED_BY(keypoint_case_random_free)
    Workload workload = make_workload(150, 120, 3, FILL_NOISE);
    const Point answer = keypoint_case_point(&hashsift_algorithm, 256, KEYPOINTS, 1);
    check_stages(&hashsift_algorithm, &workload, &answer, names);
}

/* The library keeps its threads for whoever else uses it. */
TEST(threads_of_the_library_stay) {
    RELEASED_BY(keypoint_case_random_free) Workload workload = make_workload(60, 60, 0, FILL_NOISE);
    const Point answer = keypoint_case_point(&hashsift_algorithm, 256, KEYPOINTS, 1);
    const Blas *blas = NULL;
    assert_ok(blas_library(1, &blas));
    assert_int_equal(blas->get_threads(), 1);
    blas->set_threads(OTHER_THREADS);
    for (size_t row = 0; row < hashsift_algorithm.cpu.count; row++) {
        Output output = answer_of(&hashsift_algorithm.cpu.rows[row], &workload, &answer, 3);
        output_free(&output);
        assert_int_equal(blas->get_threads(), OTHER_THREADS);
    }
    blas->set_threads(1);
}

/* A factor of 0 leaves the bias alone, and one of +0 is not above 0. */
TEST(bits_of_the_bias) {
    RELEASED_BY(keypoint_case_random_free) Workload workload = make_workload(60, 60, 0, FILL_NOISE);
    Weights *weights = &workload.weights.list[0];
    const Point answer = keypoint_case_point(&hashsift_algorithm, 256, KEYPOINTS, 1);
    uint8_t want[256 / 8];
    memset(want, 0, sizeof want);
    memset(weights->values, 0, 256 * HASHSIFT_COLUMNS * sizeof *weights->values);
    for (int32_t b = 0; b < 256; b += 5) {
        weights->values[b * HASHSIFT_COLUMNS] = b % 2 == 0 ? 1e-6F : -1;
        want[b / 8] = (uint8_t)(want[b / 8] | (b % 2 == 0 ? 0x80 >> b % 8 : 0));
    }
    for (size_t row = 0; row < hashsift_algorithm.cpu.count; row++) {
        RELEASED_BY(output_free)
        Output output = answer_of(&hashsift_algorithm.cpu.rows[row], &workload, &answer, 2);
        for (int32_t k = 0; k < KEYPOINTS; k++) {
            assert_memory_equal(hashsift_descriptors(&output) + k * 256 / 8, want, sizeof want);
        }
    }
}

TEST(what_cannot_be_described_is_skipped) {
    RELEASED_BY(keypoint_case_random_free) Workload workload = make_workload(60, 60, 0, FILL_NOISE);
    Point answer = keypoint_case_point(&hashsift_algorithm, 256, KEYPOINTS + 1, 1);
    OutputLayout layout = {.count = 0};
    Status status = hashsift_algorithm.output_layout(&workload, &answer, &layout);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_string_equal(status.why, "there are 300 keypoints, not 301; write --keypoints all");
    answer = keypoint_case_point(&hashsift_algorithm, 512, KEYPOINTS, 1);
    weights_free(&workload.weights.list[1]);
    workload.weights.count = 1;
    status = hashsift_algorithm.output_layout(&workload, &answer, &layout);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_says(status.why, "no weights of hashsift for 512 bits");
}

/* Whether the answer is accepted after the lowest bit of its first `changed` bytes is changed. */
static bool accepted_after(int32_t bits, int32_t keypoints, int32_t changed, uint8_t change) {
    Workload workload = {.keypoints = {.count = keypoints}};
    Weights weights = {.kind = WEIGHTS_HASHSIFT, .bits = bits};
    workload.weights = (WeightsList){.count = 1, .list = {weights}};
    const Point answer = keypoint_case_point(&hashsift_algorithm, bits, keypoints, 1);
    Output outputs[2] = {{.data = NULL}, {.data = NULL}};
    for (int i = 0; i < 2; i++) {
        const Status status =
            hashsift_algorithm.output_layout(&workload, &answer, &outputs[i].layout);
        assert_string_equal(status.why, "");
        outputs[i].data = calloc(outputs[i].layout.bytes, 1);
        assert_non_null(outputs[i].data);
    }
    memset(outputs[0].data, change, (size_t)changed);
    Verdict verdict = {.accepted = false};
    hashsift_algorithm.compare(&outputs[0], &outputs[1], &verdict);
    assert_int_equal(verdict.why[0] == 0, changed == 0);
    assert_int_equal(verdict.agreement<1, changed> 0);
    output_free(&outputs[0]);
    output_free(&outputs[1]);
    return verdict.accepted;
}

TEST(few_differences_are_accepted) {
    assert_true(accepted_after(256, 10, 0, 1));
    assert_true(accepted_after(256, 10, 2, 1));
    assert_false(accepted_after(256, 10, 3, 1));
    assert_false(accepted_after(256, 10, 1, 0x15)); /* three bits of a byte */
    assert_true(accepted_after(512, 1000, 51, 1));  /* of 512,000 */
    assert_false(accepted_after(512, 1000, 52, 1));
    assert_true(accepted_after(HASHSIFT_VALUE_BITS, 10, 2, 1));
    assert_false(accepted_after(HASHSIFT_VALUE_BITS, 10, 3, 1));
    assert_false(accepted_after(HASHSIFT_VALUE_BITS, 10, 1, 2)); /* off by two */
    assert_true(accepted_after(HASHSIFT_VALUE_BITS, 1000, 64, 1));
    assert_false(accepted_after(HASHSIFT_VALUE_BITS, 1000, 65, 1));
}
