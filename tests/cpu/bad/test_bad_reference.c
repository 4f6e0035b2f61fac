/* bad: all descriptors of a photograph by an independent program, with the published boxes (DATA.md
 * of the shared data); every CPU variant. */
#include "bad.h"
#include "cpu/keypoint_cases.h"
#include "test.h"

extern const Algorithm bad_algorithm;

static void check_bits(const Workload *workload, int32_t bits, const char *path) {
    const int32_t count = workload->keypoints.count;
    const size_t width = (size_t)bits / 8;
    const Point answer = keypoint_case_point(&bad_algorithm, bits, count, REFERENCE_SCALE);
    uint8_t *want = keypoint_case_hex(path, (size_t)count, width);
    for (size_t v = 0; v < bad_algorithm.cpu.count; v++) {
        const Variant *variant = &bad_algorithm.cpu.rows[v];
        RELEASED_BY(output_free)
        Output output = variant_answer_of(&bad_algorithm, variant, workload, &answer, 2);
        assert_int_equal(output.layout.parts[0].bytes, (size_t)count * width);
        assert_memory_equal(bad_descriptors(&output), want, (size_t)count * width);
    }
    free(want);
}

TEST(all_bits_of_a_photograph) {
    Workload workload =
        keypoint_case_graf1(REFERENCE_DESCRIPTORS "bad256.csv", REFERENCE_DESCRIPTORS "bad512.csv");
    assert_int_equal(workload.keypoints.count, 2001);
    check_bits(&workload, 256, REFERENCE_DESCRIPTORS "bad256_graf1_s6.75.hex");
    check_bits(&workload, 512, REFERENCE_DESCRIPTORS "bad512_graf1_s6.75.hex");
    keypoint_case_free(&workload);
}
