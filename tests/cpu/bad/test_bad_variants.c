/* bad: every kernel gives the bits that seq gives. Variants are held to it by conformance. */
#include "bad_internal.h"
#include "cpu/keypoint_cases.h"
#include "descriptor_weights.h"
#include "test.h"

extern const Algorithm bad_algorithm;

enum { KEYPOINTS = 400 };

/* Boxes anywhere in the patch, with small thresholds of both signs. */
static void fill_tests(int32_t bits, BadTest *tests) {
    uint32_t random = 99;
    for (int32_t i = 0; i < bits; i++) {
        float numbers[WEIGHTS_BAD_COLUMNS];
        for (int c = 0; c < WEIGHTS_BAD_COLUMNS; c++) {
            random = random * 1664525U + 1013904223U;
            numbers[c] = (float)(random >> 27);
        }
        tests[i] = (BadTest){numbers[0], numbers[1],     numbers[2],
                             numbers[3], numbers[4] / 4, (numbers[5] - 16) / 4};
        tests[i].radius = (float)(int)tests[i].radius;
    }
}

typedef struct Case {
    Image image;
    BadTest tests[BAD_BITS_MAX];
    Keypoint keypoints[KEYPOINTS];
    Workload workload;
} Case;

/* Half of the keypoints are of all kinds, the others ordinary ones that fit the image. */
static void make_case(Case *made, int32_t width, int32_t height, int32_t bits, Fill fill) {
    made->image = test_image(width, height, 7, fill, 4);
    fill_tests(bits, made->tests);
    keypoint_cases_fill(&made->image, KEYPOINTS, made->keypoints);
    for (int32_t k = 0; k < KEYPOINTS; k += 2) {
        Keypoint *keypoint = &made->keypoints[k];
        keypoint->size = 2 + (float)(k % 37);
        keypoint->x = (keypoint->x + 20) / (float)(width + 40) * (float)width;
        keypoint->y = (keypoint->y + 20) / (float)(height + 40) * (float)height;
    }
    made->workload = (Workload){
        .kind = WORKLOAD_KEYPOINTS,
        .image = made->image,
        .keypoints = {.keypoints = made->keypoints, .count = KEYPOINTS},
        .weights = {.count = 1,
                    .list = {{.kind = WEIGHTS_BAD,
                              .bits = bits,
                              .columns = WEIGHTS_BAD_COLUMNS,
                              .values = (float *)made->tests}}},
    };
}

static const int32_t sides[][2] = {{1, 1},  {2, 3},   {15, 40},  {16, 16}, {17, 90},
                                   {31, 5}, {33, 70}, {130, 97}, {400, 3}, {351, 260}};

DEFINE_CHECK_KERNELS(BadKernel, bad_kernels, BadWork, bad_work, bad_algorithm)

TEST(kernels_agree) {
    static Case made;
    for (size_t s = 0; s < COUNT_OF(sides); s++) {
        make_case(&made, sides[s][0], sides[s][1], 512, FILL_NOISE);
        const Point answer = keypoint_case_point(&bad_algorithm, 512, KEYPOINTS, 0.75);
        check_kernels(&made.workload, &answer);
        test_image_free(&made.image);
    }
}

TEST_BEST_KERNEL(BadKernel, bad_kernels, bad_kernel_best(INT32_MAX), bad_kernel_plain)

TEST(tables_beyond_32_bits_take_the_plain_kernel) {
    assert_ptr_equal(bad_kernel_best((size_t)INT32_MAX + 1), &bad_kernel_plain);
}

TEST(stages_make_up_the_run) {
    static const char *const names[] = {"integral", "tests", NULL};
    static Case made;
    make_case(&made, 100, 90, 256, FILL_NOISE);
    const Point answer = keypoint_case_point(&bad_algorithm, 256, KEYPOINTS, 1);
    check_stages(&bad_algorithm, &made.workload, &answer, names);
    test_image_free(&made.image);
}
