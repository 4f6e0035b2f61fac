/* hashsift: the kernels of all instruction sets that there are here against the plain steps. */
#include <sys/mman.h>
#include <unistd.h>

#include "cpu/keypoint_cases.h"
#include "hashsift_internal.h"
#include "needs.h"
#include "test.h"

enum { PATCH_PIXELS = PATCH_SIDE * PATCH_SIDE, KEYPOINTS = 300 };

/* Runs `check` with each kernel that this processor can run. */
static void with_kernels(void (*check)(const HashsiftKernel *kernel)) {
    const HashsiftKernel *last = NULL;
    for (const HashsiftKernel *const *kernel = hashsift_kernels; *kernel != NULL; kernel++) {
        last = *kernel;
        if (last->supported()) {
            check(last);
        }
    }
    assert_true(last->supported());
    assert_true(hashsift_kernel_best()->supported());
}

static void check_patch(const HashsiftKernel *kernel, const Image *image, Keypoint keypoint,
                        float scale) {
    uint8_t want[PATCH_PIXELS];
    float got[PATCH_PIXELS];
    hashsift_patch(image, keypoint, scale, want);
    kernel->patch(image, keypoint, scale, got);
    for (int32_t k = 0; k < PATCH_PIXELS; k++) {
        if (got[k] != want[k]) {
            fail_msg("%s, %d×%d, keypoint %g %g %g %g: pixel %d is %g, expected %u", kernel->name,
                     image->width, image->height, (double)keypoint.x, (double)keypoint.y,
                     (double)keypoint.size, (double)keypoint.angle, k, (double)got[k], want[k]);
        }
    }
}

static void check_patches(const HashsiftKernel *kernel) {
    static const int32_t sizes[][2] = {{1, 1},  {1, 90},  {90, 1},  {2, 2},   {2, 31},  {3, 3},
                                       {31, 2}, {33, 33}, {40, 31}, {61, 47}, {97, 90}, {200, 131}};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        RELEASED_BY(test_image_free)
        Image image = test_image(sizes[i][0], sizes[i][1], i % 3 * 5, FILL_NOISE, 7);
        Keypoint keypoints[KEYPOINTS];
        keypoint_cases_fill(&image, KEYPOINTS, keypoints);
        for (int32_t k = 0; k < KEYPOINTS; k++) {
            check_patch(kernel, &image, keypoints[k], k % 2 == 0 ? 1 : 1.7F);
        }
    }
}

TEST(patches_are_equal) {
    with_kernels(check_patches);
}

/* An image between pages that cannot be read. */
static void check_edges(const HashsiftKernel *kernel) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const int32_t width = (int32_t)page / 64;
    uint8_t *memory = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(memory != MAP_FAILED);
    assert_int_equal(mprotect(memory + page, page, PROT_READ | PROT_WRITE), 0);
    const Image image = {
        .width = width, .height = 64, .stride = (size_t)width, .pixels = memory + page};
    for (size_t i = 0; i < page; i++) {
        image.pixels[i] = (uint8_t)(i * i >> 3);
    }
    Keypoint keypoints[KEYPOINTS];
    keypoint_cases_fill(&image, KEYPOINTS, keypoints);
    for (int32_t k = 0; k < KEYPOINTS; k++) {
        check_patch(kernel, &image, keypoints[k], 1);
    }
    /* The last pixels that have neighbours, as the last of a patch and in the middle of one. */
    for (float y = 62; y < 63.2F; y += 0.25F) {
        for (float x = (float)width - 2; x < (float)width - 0.8F; x += 0.25F) {
            check_patch(kernel, &image, (Keypoint){x, y, 0, -1}, 1);
            check_patch(kernel, &image, (Keypoint){x, y, 20, 45}, 1);
            check_patch(kernel, &image, (Keypoint){x - 15, y - 15, 32, -1}, 1);
        }
    }
    munmap(memory, 3 * page);
}

TEST(nothing_outside_is_read) {
    with_kernels(check_edges);
}

/* Rows so far apart in memory that 32 bits do not tell their distance. */
static void check_far_rows(const HashsiftKernel *kernel) {
    const size_t stride = (size_t)1 << 30;
    const int32_t rows = 5;
    const size_t bytes = (size_t)(rows - 1) * stride + 50;
    uint8_t *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        skip_needing("address space for rows far apart", NULL);
    }
    const Image image = {.width = 50, .height = rows, .stride = stride, .pixels = memory};
    for (int32_t i = 0; i < 50 * rows; i++) {
        image.pixels[(size_t)(i / 50) * stride + (size_t)(i % 50)] = (uint8_t)(7 * i);
    }
    check_patch(kernel, &image, (Keypoint){25, 3, 32, 20}, 1);
    check_patch(kernel, &image, (Keypoint){25, 2, 1, 20}, 1);
    check_patch(kernel, &image, (Keypoint){25, 3, 0, -1}, 1);
    check_patch(kernel, &image, (Keypoint){25, 1.5F, 0.25F, 20}, 1);
    munmap(memory, bytes);
}

TEST(rows_far_apart) {
    with_kernels(check_far_rows);
}

static void check_values(const HashsiftKernel *kernel) {
    HashsiftShares shares;
    hashsift_shares(&shares);
    size_t differing = 0;
    for (uint32_t seed = 0; seed < 500; seed++) {
        const Fill fill = (Fill)(seed % FILLS);
        RELEASED_BY(test_image_free)
        Image image = test_image(PATCH_SIDE, PATCH_SIDE, 0, fill, seed);
        float patch[PATCH_PIXELS];
        float want[HASHSIFT_VALUES];
        float got[HASHSIFT_VALUES];
        for (int32_t k = 0; k < PATCH_PIXELS; k++) {
            image.pixels[k] = (uint8_t)(image.pixels[k] >> seed / FILLS % 8); /* contrasts */
            patch[k] = image.pixels[k];
        }
        hashsift_votes(image.pixels, want);
        hashsift_normalise(want);
        kernel->values(&shares, patch, got);
        for (int32_t k = 0; k < HASHSIFT_VALUES; k++) {
            assert_true(fabsf(got[k] - want[k]) <= 1);
            differing += got[k] != want[k];
        }
    }
    assert_true(differing <= 6); /* of 64,000, by rounding to whole numbers */
}

TEST(values_are_equal) {
    with_kernels(check_values);
}

/* Bit by bit; a response equal to its threshold is not above it. */
static void check_signs(const HashsiftKernel *kernel) {
    float responses[512];
    float thresholds[512];
    uint8_t want[512 / 8] = {0};
    uint8_t got[512 / 8 + 1];
    for (int32_t bits = 64; bits <= 512; bits *= 2) {
        memset(want, 0, sizeof want);
        memset(got, 0xEE, sizeof got);
        for (int32_t b = 0; b < bits; b++) {
            const int32_t response = b * b % 7 - 3;
            responses[b] = (float)response;
            thresholds[b] = (float)(b % 3 - 1);
            if (response > b % 3 - 1) {
                want[b / 8] = (uint8_t)(want[b / 8] | 0x80 >> b % 8);
            }
        }
        kernel->signs(responses, thresholds, bits, got);
        assert_memory_equal(got, want, (size_t)bits / 8);
        assert_int_equal(got[bits / 8], 0xEE);
    }
}

TEST(signs_are_equal) {
    with_kernels(check_signs);
}
