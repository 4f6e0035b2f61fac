/* matching: every kernel gives the rows that seq gives. Variants are held to it by conformance. */
#include "cpu/matching_cases.h"
#include "matching_internal.h"
#include "test.h"
#include "variant_runs.h"

DEFINE_CHECK_KERNELS(MatchingKernel, matching_kernels, MatchingWork, matching_work,
                     matching_algorithm)

/* Around the numbers of rows in vectors, groups and tiles. */
TEST(kernels_agree) {
    static const int32_t counts[][2] = {{1, 1},  {1, 40},  {2, 0},    {0, 3},     {3, 7},
                                        {4, 16}, {5, 17},  {33, 31},  {32, 33},   {16, 100},
                                        {8, 8},  {130, 5}, {513, 65}, {100, 511}, {67, 1030}};
    for (size_t i = 0; i < COUNT_OF(counts) * 6; i++) {
        static const int32_t bits[] = {256, 512, 1024};
        const int32_t *count = counts[i / 6];
        Workload workload = matching_random(count[0], count[1], bits[i % 3] / 8, i % 4 * 3);
        const Point answer = matching_point(bits[i % 3], 2000, (MatchingDistance)(i / 3 % 2));
        check_kernels(&workload, &answer);
        test_image_free(&workload.image);
    }
}

/* Several tiles of both sets. */
TEST(kernels_agree_on_large_sets) {
    Workload workload = matching_random(1100, 1200, 32, 0);
    for (int distance = MATCHING_HAMMING; distance <= MATCHING_L2; distance++) {
        const Point answer = matching_point(256, 2000, (MatchingDistance)distance);
        check_kernels(&workload, &answer);
    }
    test_image_free(&workload.image);
}

TEST_BEST_KERNEL(MatchingKernel, matching_kernels, matching_kernel_best(), matching_kernel_plain)

TEST(wider_kernels_come_first) {
    int32_t lanes = INT32_MAX;
    for (const MatchingKernel *const *kernel = matching_kernels; *kernel != NULL; kernel++) {
        assert_true((*kernel)->lanes < lanes);
        lanes = (*kernel)->lanes;
    }
}
