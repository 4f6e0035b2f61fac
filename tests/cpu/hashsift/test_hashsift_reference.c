/* hashsift: patches, values and descriptors of a photograph by an independent program, with the
 * published weights (DATA.md of the shared data). */
#include "cpu/keypoint_cases.h"
#include "hashsift_internal.h"
#include "test.h"

enum { PATCHES = 200, PATCH_PIXELS = PATCH_SIDE * PATCH_SIDE };

extern const Algorithm hashsift_algorithm;

static Workload graf1(void) {
    return keypoint_case_graf1(REFERENCE_DESCRIPTORS "weights256.f32",
                               REFERENCE_DESCRIPTORS "weights512.f32");
}

TEST(patches_are_the_reference) {
    RELEASED_BY(keypoint_case_free) Workload workload = graf1();
    uint8_t *want = keypoint_case_hex(REFERENCE_DESCRIPTORS "patch_graf1_first200_s6.75.hex",
                                      PATCHES, PATCH_PIXELS);
    for (int32_t k = 0; k < PATCHES; k++) {
        uint8_t patch[PATCH_PIXELS];
        hashsift_patch(&workload.image, workload.keypoints.keypoints[k], (float)REFERENCE_SCALE,
                       patch);
        assert_memory_equal(patch, want + (size_t)k * PATCH_PIXELS, PATCH_PIXELS);
    }
    free(want);
}

/* At most 1 in 100,000 may be off by one: none of these few. */
TEST(values_are_the_reference) {
    RELEASED_BY(keypoint_case_free) Workload workload = graf1();
    const Point answer =
        keypoint_case_point(&hashsift_algorithm, HASHSIFT_VALUE_BITS, PATCHES, REFERENCE_SCALE);
    for (size_t row = 0; row < hashsift_algorithm.cpu.count; row++) {
        RELEASED_BY(output_free)
        Output output = variant_answer_of(&hashsift_algorithm, &hashsift_algorithm.cpu.rows[row],
                                          &workload, &answer, 2);
        FILE *file = fopen(REFERENCE_DESCRIPTORS "sift128_graf1_first200_s6.75.csv", "r");
        assert_non_null(file);
        for (size_t i = 0; i < (size_t)PATCHES * HASHSIFT_VALUES; i++) {
            int want = -1;
            assert_int_equal(fscanf(file, "%d%*[,\n]", &want), 1);
            assert_int_equal(hashsift_descriptors(&output)[i], want);
        }
        fclose(file);
    }
}

static void check_descriptors(const Workload *workload, int32_t bits, const char *path) {
    const int32_t keypoints = workload->keypoints.count;
    const Point answer = keypoint_case_point(&hashsift_algorithm, bits, keypoints, REFERENCE_SCALE);
    const size_t bytes = (size_t)keypoints * (size_t)bits / 8;
    uint8_t *want = keypoint_case_hex(path, (size_t)keypoints, (size_t)bits / 8);
    for (size_t row = 0; row < hashsift_algorithm.cpu.count; row++) {
        const Variant *variant = &hashsift_algorithm.cpu.rows[row];
        RELEASED_BY(output_free)
        Output output = variant_answer_of(&hashsift_algorithm, variant, workload, &answer, 2);
        size_t differing = 0;
        for (size_t i = 0; i < bytes; i++) {
            differing += (size_t)__builtin_popcount(want[i] ^ hashsift_descriptors(&output)[i]);
        }
        print_message("%s, %d bits: %zu of %zu differ\n", variant->name, bits, differing,
                      8 * bytes);
        assert_true(differing <= 8 * bytes / 10000);
    }
    free(want);
}

TEST(descriptors_are_the_reference) {
    RELEASED_BY(keypoint_case_free) Workload workload = graf1();
    check_descriptors(&workload, 256, REFERENCE_DESCRIPTORS "hashsift256_graf1_s6.75.hex");
    check_descriptors(&workload, 512, REFERENCE_DESCRIPTORS "hashsift512_graf1_s6.75.hex");
}
