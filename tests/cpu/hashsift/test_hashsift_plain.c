/* hashsift, step by step: where a patch lies, what its pixels are, votes, values and signs of tiny
 * cases by hand. */
#include <float.h>

#include "cpu/keypoint_cases.h"
#include "hashsift_internal.h"
#include "test.h"

extern const Algorithm hashsift_algorithm;

enum { PATCH_PIXELS = PATCH_SIDE * PATCH_SIDE, LAST = PATCH_SIDE - 1 };

static void assert_place(const PatchMap *map, float i, float j, double x, double y) {
    assert_float_equal(patch_map_x(map, i, j), x, 1e-4);
    assert_float_equal(patch_map_y(map, i, j), y, 1e-4);
}

TEST(places_of_pixels) {
    /* Size 8 at scale 8 is two pixels of the image for each of the patch. */
    const PatchMap straight = hashsift_map((Keypoint){100, 200, 8, -1}, 8);
    assert_place(&straight, 16, 16, 100, 200);
    assert_place(&straight, 0, 0, 68, 168);
    assert_place(&straight, 31, 16, 130, 200);
    assert_place(&straight, 16, 31, 100, 230);
    /* A quarter turn: the patch's x axis runs down the image. */
    const PatchMap turned = hashsift_map((Keypoint){100, 200, 8, 90}, 8);
    assert_place(&turned, 16, 16, 100, 200);
    assert_place(&turned, 31, 16, 100, 230);
    assert_place(&turned, 16, 31, 70, 200);
    /* cos 60° = 0.5, sin 60° = 0.8660254 */
    const PatchMap oblique = hashsift_map((Keypoint){100, 200, 32, 60}, 1);
    assert_place(&oblique, 26, 16, 105, 208.660254);
    assert_place(&oblique, 16, 26, 91.339746, 205);
}

/* A keypoint whose patch is the image's first 32×32 pixels, one for one. */
static const Keypoint one_to_one = {16, 16, 32, -1};

TEST(patches_of_a_image) {
    uint8_t patch[PATCH_PIXELS];
    RELEASED_BY(test_image_free) Image image = test_image(33, 33, 5, FILL_NOISE, 3);
    hashsift_patch(&image, one_to_one, 1, patch);
    for (int32_t j = 0; j < PATCH_SIDE; j++) {
        assert_memory_equal(patch + j * PATCH_SIDE, image_row(&image, j), PATCH_SIDE);
    }
    /* Pixel (i, j) of a patch turned by 90° lies at (32 − j, i). */
    hashsift_patch(&image, (Keypoint){16, 16, 32, 90}, 1, patch);
    for (int32_t j = 1; j < PATCH_SIDE; j++) {
        for (int32_t i = 1; i < PATCH_SIDE; i++) {
            assert_int_equal(patch[j * PATCH_SIDE + i], image_row(&image, i)[32 - j]);
        }
    }
}

TEST(pixels_between_pixels) {
    RELEASED_BY(test_image_free) Image image = test_image(40, 40, 0, FILL_ZERO, 0);
    uint8_t patch[PATCH_PIXELS];
    uint8_t *pixel = image.pixels + 10 * image.stride + 20;
    pixel[0] = 10;
    pixel[1] = 21;
    pixel[image.stride] = 100;
    pixel[image.stride + 1] = 203;
    hashsift_patch(&image, (Keypoint){16.5F, 16, 32, -1}, 1, patch);
    assert_int_equal(patch[10 * PATCH_SIDE + 20], 16); /* 15.5 */
    hashsift_patch(&image, (Keypoint){16, 16.25F, 32, -1}, 1, patch);
    assert_int_equal(patch[10 * PATCH_SIDE + 20], 33); /* 32.5 */
    hashsift_patch(&image, (Keypoint){16.25F, 16.75F, 32, -1}, 1, patch);
    assert_int_equal(patch[10 * PATCH_SIDE + 20], 98); /* 0.25 · 12.75 + 0.75 · 125.75 = 97.5 */
}

/* How many pixels of the patch are not 0. */
static int32_t pixels_in(const Image *image, Keypoint keypoint) {
    uint8_t patch[PATCH_PIXELS];
    int32_t count = 0;
    hashsift_patch(image, keypoint, 1, patch);
    for (int32_t k = 0; k < PATCH_PIXELS; k++) {
        assert_true(patch[k] == 0 || patch[k] == 77);
        count += patch[k] != 0;
    }
    return count;
}

/* A pixel needs a right and a lower neighbour, even where their share is 0. */
TEST(pixels_outside_are_0) {
    RELEASED_BY(test_image_free) Image image = test_image(33, 33, 0, FILL_CONSTANT, 0);
    assert_int_equal(pixels_in(&image, one_to_one), 32 * 32);
    assert_int_equal(pixels_in(&image, (Keypoint){17, 16, 32, -1}), 31 * 32);
    assert_int_equal(pixels_in(&image, (Keypoint){15, 16, 32, -1}), 31 * 32);
    assert_int_equal(pixels_in(&image, (Keypoint){16, 18, 32, -1}), 32 * 30);
    assert_int_equal(pixels_in(&image, (Keypoint){16, 15.5F, 32, -1}), 32 * 31);
    assert_int_equal(pixels_in(&image, (Keypoint){0, 0, 32, -1}), 16 * 16);
    assert_int_equal(pixels_in(&image, (Keypoint){48, 16, 32, -1}), 0);
    assert_int_equal(pixels_in(&image, (Keypoint){-3e8F, 16, 32, -1}), 0);
    assert_int_equal(pixels_in(&image, (Keypoint){16, FLT_MAX, 32, 10}), 0);
    /* Of size 0 all pixels are one. */
    assert_int_equal(pixels_in(&image, (Keypoint){5, 5, 0, 45}), 32 * 32);
    assert_int_equal(pixels_in(&image, (Keypoint){32, 5, 0, 45}), 0);
    /* Pixels so far from each other that only the keypoint's can lie in the image. */
    assert_int_equal(pixels_in(&image, (Keypoint){16, 16, 32 * 40, -1}), 1);
    assert_in_range(pixels_in(&image, (Keypoint){16, 16, FLT_MAX, 45}), 0, 1);
}

TEST(images_smaller_than_a_patch) {
    static const struct {
        int32_t width, height, pixels;
    } cases[] = {{1, 1, 0}, {1, 50, 0}, {50, 1, 0}, {2, 2, 1}, {3, 7, 12}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        RELEASED_BY(test_image_free)
        Image image = test_image(cases[i].width, cases[i].height, 1, FILL_CONSTANT, 0);
        assert_int_equal(pixels_in(&image, one_to_one), cases[i].pixels);
    }
}

/* The vote for a cell and an orientation. */
static float vote_for(const float *votes, int32_t row, int32_t column, int32_t orientation) {
    return votes[(row * HASHSIFT_CELLS + column) * HASHSIFT_ORIENTATIONS + orientation];
}

static float sum_of(const float *votes) {
    float sum = 0;
    for (int32_t k = 0; k < HASHSIFT_VALUES; k++) {
        sum += votes[k];
    }
    return sum;
}

/* One bright pixel makes four gradients, each along an axis. */
TEST(votes_of_a_dot) {
    uint8_t patch[PATCH_PIXELS] = {0};
    float votes[HASHSIFT_VALUES];
    patch[20 * PATCH_SIDE + 20] = 100;
    hashsift_votes(patch, votes);
    /* Weights: 3² + 4², 5² + 4² pixels away; row 20 is cell 2, rows 19 and 21 an eighth away. */
    const double left = 100 * exp(-25.0 / 512);
    const double right = 100 * exp(-41.0 / 512);
    assert_float_equal(vote_for(votes, 2, 1, 0), left / 8, 1e-4);
    assert_float_equal(vote_for(votes, 2, 2, 0), left * 7 / 8, 1e-4);
    assert_float_equal(vote_for(votes, 2, 2, 4), right * 7 / 8, 1e-4);
    assert_float_equal(vote_for(votes, 2, 3, 4), right / 8, 1e-4);
    /* Above it the image gets brighter downwards: dy = upper − lower = −100. */
    assert_float_equal(vote_for(votes, 1, 2, 6), left / 8, 1e-4);
    assert_float_equal(vote_for(votes, 2, 2, 6), left * 7 / 8, 1e-4);
    assert_float_equal(vote_for(votes, 2, 2, 2), right * 7 / 8, 1e-4);
    assert_float_equal(vote_for(votes, 3, 2, 2), right / 8, 1e-4);
    assert_float_equal(sum_of(votes), 2 * left + 2 * right, 1e-3);
}

/* What goes to cells outside the patch is lost. */
TEST(votes_beside_the_cells_are_dropped) {
    uint8_t patch[PATCH_PIXELS] = {0};
    float votes[HASHSIFT_VALUES];
    patch[2 * PATCH_SIDE + 0] = 100; /* one gradient: pixel (1, 2) looks left */
    hashsift_votes(patch, votes);
    const double vote = 100 * exp(-(15.0 * 15 + 14 * 14) / 512) * 0.625 * 0.75;
    assert_float_equal(vote_for(votes, 0, 0, 4), vote, 1e-4);
    assert_float_equal(sum_of(votes), vote, 1e-4);
    memset(patch, 0, sizeof patch);
    patch[LAST * PATCH_SIDE + 30] = 100; /* pixel (30, 30) looks down */
    hashsift_votes(patch, votes);
    const double last = 100 * exp(-(14.0 * 14 + 14 * 14) / 512) * 0.75 * 0.75;
    assert_float_equal(vote_for(votes, 3, 3, 6), last, 1e-4);
    assert_float_equal(sum_of(votes), last, 1e-4);
}

/* The votes of a slope: every gradient is (dx, dy), both even and small. */
static void votes_of_slope(int32_t dx, int32_t dy, float *votes) {
    uint8_t patch[PATCH_PIXELS];
    for (int32_t k = 0; k < PATCH_PIXELS; k++) {
        patch[k] = (uint8_t)(128 + (k % PATCH_SIDE - 16) * dx / 2 - (k / PATCH_SIDE - 16) * dy / 2);
    }
    hashsift_votes(patch, votes);
}

/* atan(1 / 2)·8 / 2π = 0.590334. */
TEST(orientations_share_votes) {
    static const struct {
        int32_t dx, dy, bin;
        double next;
    } cases[] = {
        {4, 0, 0, 0},  {4, 2, 0, 0.590334},   {4, 4, 1, 0},   {2, 4, 1, 0.409666},
        {0, 4, 2, 0},  {-2, 4, 2, 0.590334},  {-4, 4, 3, 0},  {-4, 2, 3, 0.409666},
        {-4, 0, 4, 0}, {-4, -2, 4, 0.590334}, {-4, -4, 5, 0}, {-2, -4, 5, 0.409666},
        {0, -4, 6, 0}, {2, -4, 6, 0.590334},  {4, -4, 7, 0},  {4, -2, 7, 0.409666},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        float votes[HASHSIFT_VALUES];
        votes_of_slope(cases[i].dx, cases[i].dy, votes);
        for (int32_t cell = 0; cell < HASHSIFT_CELLS * HASHSIFT_CELLS; cell++) {
            const float *bins = votes + cell * HASHSIFT_ORIENTATIONS;
            float all = 0;
            for (int32_t o = 0; o < HASHSIFT_ORIENTATIONS; o++) {
                all += bins[o];
            }
            assert_true(all > 1);
            const int32_t next = (cases[i].bin + 1) % HASHSIFT_ORIENTATIONS;
            assert_float_equal(bins[cases[i].bin] / all, 1 - cases[i].next, 2e-6);
            assert_float_equal(bins[next] / all, cases[i].next, 2e-6);
        }
    }
}

/* √(6² + 8²) = 10, whatever the direction. */
TEST(magnitudes_are_lengths) {
    float oblique[HASHSIFT_VALUES];
    float straight[HASHSIFT_VALUES];
    votes_of_slope(6, -8, oblique);
    votes_of_slope(0, 10, straight);
    assert_true(sum_of(straight) > 1000);
    assert_float_equal(sum_of(oblique), sum_of(straight), 0.05);
}

TEST(values_of_votes) {
    static const struct {
        int32_t equal; /* so many votes of the same size, the others 0 */
        float want;
    } cases[] = {
        {1, 255},  /* cut to 0.2, then 1 again: 512 */
        {2, 255},  /* 362 */
        {16, 128}, /* 0.25 */
        {50, 72},  /* 72.4 */
        {120, 47}, /* 46.7 */
        {128, 45}, /* 45.3 */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        float values[HASHSIFT_VALUES] = {0};
        for (int32_t k = 0; k < cases[i].equal; k++) {
            values[k] = 1234.5F;
        }
        hashsift_normalise(values);
        for (int32_t k = 0; k < HASHSIFT_VALUES; k++) {
            assert_true(values[k] == (k < cases[i].equal ? cases[i].want : 0));
        }
    }
}

/* Before the second division, not after it. */
TEST(large_votes_are_cut) {
    float values[HASHSIFT_VALUES] = {0};
    values[0] = 30;
    for (int32_t k = 1; k <= 64; k++) {
        values[k] = 5; /* norm √(900 + 1600) = 50: 0.6 and 0.1; cut: √(0.04 + 0.64) = 0.824621 */
    }
    hashsift_normalise(values);
    assert_true(values[0] == 124); /* 124.18 */
    assert_true(values[64] == 62); /* 62.09 */
    assert_true(values[65] == 0);
}

/* Votes too small to have a norm stay 0, and are no division by 0. */
TEST(no_votes_no_values) {
    float values[HASHSIFT_VALUES] = {0};
    hashsift_normalise(values);
    for (int32_t k = 0; k < HASHSIFT_VALUES; k++) {
        assert_true(values[k] == 0);
    }
}

TEST(bits_of_responses) {
    const float responses[16] = {1, -1, 0, 1e-30F, -1e-30F, -0.0F, 2, -3, -1, -1, 0, 0, 0, 0, 0, 5};
    uint8_t descriptor[3] = {0xEE, 0xEE, 0xEE};
    hashsift_signs(responses, 16, descriptor);
    assert_int_equal(descriptor[0], 0x92);
    assert_int_equal(descriptor[1], 0x01);
    assert_int_equal(descriptor[2], 0xEE);
}

/* Of each patch 13 operations for each of its 32² pixels and 21 for each of the inner 30²; the
 * factors are read once. Values that are not projected need none. */
TEST(cost_is_that_of_the_patches) {
    const Workload workload = {.kind = WORKLOAD_KEYPOINTS};
    const double patch = 13 * 1024 + 21 * 900, factors = 256 * 129;
    Point answer = keypoint_case_point(&hashsift_algorithm, 256, 2, 1);
    Cost cost = hashsift_algorithm.cost(&workload, &answer);
    assert_true(cost.items == 2);
    assert_true(cost.bytes == 2 * (16 + 32) + 4 * factors);
    assert_true(cost.operations == 2 * patch);
    assert_true(cost.oracle_work == 2 * (40 * 900 + factors));
    assert_string_equal(cost.operation, "fp32");
    answer = keypoint_case_point(&hashsift_algorithm, 1024, 3, 1);
    cost = hashsift_algorithm.cost(&workload, &answer);
    assert_true(cost.bytes == 3 * (16 + 128));
    assert_true(cost.operations == 3 * patch);
}
