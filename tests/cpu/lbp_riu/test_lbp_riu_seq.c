/*
 * lbp_riu/seq, the oracle of all other variants, against bins worked out by hand and against the
 * histograms of an independent program. Bits are in the order of the points: right, (upper right,)
 * up, … anticlockwise.
 */
#include <unistd.h>

#include "cpu/lbp_riu_points.h"
#include "datasets.h"
#include "needs.h"
#include "test.h"

#define ORACLE BENCH_SHARED_DATA "/oracles/lbp_riu_skimage.csv"
#define TEXTURES BENCH_SHARED_DATA "/textures"

/* Bins, the histogram that they make, and the same histogram without the bins. */
static void assert_bins(const Image *image, const char *pr, const char *interp,
                        const uint8_t *expected) {
    const size_t pixels = image_pixel_count(image);
    Output stored = seq_answer(image, pr, interp, "bins");
    Output counted = seq_answer(image, pr, interp, "none");
    uint64_t histogram[LBP_RIU_BINS_MAX] = {0};
    for (size_t i = 0; i < pixels; i++) {
        if (lbp_riu_bins(&stored)[i] != expected[i]) {
            fail_msg("%s %s: bin %u at (%zu, %zu), expected %u", pr, interp,
                     lbp_riu_bins(&stored)[i], i % (size_t)image->width, i / (size_t)image->width,
                     expected[i]);
        }
        histogram[expected[i]]++;
    }
    const size_t bytes = stored.layout.parts[LBP_RIU_PART_HISTOGRAM].bytes;
    assert_memory_equal(lbp_riu_histogram(&stored), histogram, bytes);
    assert_memory_equal(lbp_riu_histogram(&counted), histogram, bytes);
    assert_null(lbp_riu_bins(&counted));
    free(stored.data);
    free(counted.data);
}

/* Rows are three bytes further apart than they are wide; those bytes are no pixels. */
static void check(int32_t width, int32_t height, const uint8_t *pixels, const char *pr,
                  const char *interp, const uint8_t *expected) {
    const size_t stride = (size_t)width + 3;
    Image image = {.width = width, .height = height, .stride = stride};
    image.pixels = malloc(stride * (size_t)height);
    assert_non_null(image.pixels);
    memset(image.pixels, 255, stride * (size_t)height);
    for (int32_t y = 0; y < height; y++) {
        memcpy(image.pixels + (size_t)y * stride, pixels + (size_t)y * (size_t)width,
               (size_t)width);
    }
    assert_bins(&image, pr, interp, expected);
    free(image.pixels);
}

static void check_both(int32_t width, int32_t height, const uint8_t *pixels, const char *pr,
                       const uint8_t *expected) {
    check(width, height, pixels, pr, "nearest", expected);
    check(width, height, pixels, pr, "bilinear", expected);
}

static const uint8_t one_to_nine[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

/*
 * Right and below is larger, above and left smaller, outside is 0. 5: right 1, up 0, left 0, down
 * 1: 1001 has 2 transitions and 2 ones. 3, 6: down only; 7, 8: right only; 9: none.
 */
TEST(four_points_on_a_ramp) {
    check_both(3, 3, one_to_nine, "4:1", (const uint8_t[]){2, 2, 1, 2, 2, 1, 1, 1, 0});
}

/* 5: right 9 ≥ 5, up 0, left 9, down 0: 1010 has 4 transitions: bin 5. The two 9 have nothing ≥ 9,
 * and around 0 everything is ≥ 0. */
TEST(four_points_not_uniform) {
    static const uint8_t pixels[] = {0, 0, 0, 9, 5, 9, 0, 0, 0};
    check_both(3, 3, pixels, "4:1", (const uint8_t[]){4, 4, 4, 0, 5, 0, 4, 4, 4});
}

/* 1…25. Two pixels to the right is inside for x ≤ 2, two down for y ≤ 2: r00d. */
TEST(four_points_two_pixels_away) {
    uint8_t pixels[25];
    for (int i = 0; i < 25; i++) {
        pixels[i] = (uint8_t)(i + 1);
    }
    static const uint8_t expected[] = {
        2, 2, 2, 1, 1, /* */
        2, 2, 2, 1, 1, /* */
        2, 2, 2, 1, 1, /* */
        1, 1, 1, 0, 0, /* */
        1, 1, 1, 0, 0,
    };
    check_both(5, 5, pixels, "4:2", expected);
}

/*
 * Nearest: 1: right, down, lower right: 10000011 → 3. 2: right, lower left, down, lower right:
 * 10000111 → 4. 3: lower left, down → 2. 4 as 1, 5 as 2, 6 as 3. 7, 8: right → 1. 9: none.
 *
 * Bilinear, weights 8192 diagonal, 3393 beside, 1406 centre: a sample with all four pixels inside
 * lies on the plane 1 + x + 3y, so its bit is that of the diagonal. Of the others only the lower
 * right of 3, 6 and the lower left of 1, 4 have a larger pixel, the one below: 1406·1 + 3393·4 =
 * 14978 < 16384; 1406·3 + 3393·6 = 24576 < 49152; 1406·4 + 3393·7 = 29375 < 65536; 1406·6 + 3393·9
 * = 38973 < 98304; and the right ones of the rows 1 2 3 and 7 8 9, upwards and downwards: 1406·1 +
 * 3393·2 = 8192 < 16384; 1406·2 + 3393·3 = 12991 < 32768; 1406·7 + 3393·8 = 36986 < 114688;
 * 1406·8 + 3393·9 = 41785 < 131072. All bits are as in nearest.
 */
TEST(eight_points_on_a_ramp) {
    check_both(3, 3, one_to_nine, "8:1", (const uint8_t[]){3, 4, 2, 3, 4, 2, 1, 1, 0});
}

/*
 * A chessboard of 9 and 0. Nearest: an inner 9 has its four diagonals: 01010101, 8 transitions:
 * bin 9. One in a corner has one diagonal: bin 1. One on an edge has two, apart: bin 9.
 * Bilinear: a diagonal sample is at most 9·(8192 + 1406) < 9·16384: bin 0.
 */
TEST(eight_points_on_a_chessboard) {
    static const uint8_t pixels[] = {
        9, 0, 9, 0, 9, /* */
        0, 9, 0, 9, 0, /* */
        9, 0, 9, 0, 9, /* */
        0, 9, 0, 9, 0, /* */
        9, 0, 9, 0, 9,
    };
    static const uint8_t nearest[] = {
        1, 8, 9, 8, 1, /* */
        8, 9, 8, 9, 8, /* */
        9, 8, 9, 8, 9, /* */
        8, 9, 8, 9, 8, /* */
        1, 8, 9, 8, 1,
    };
    uint8_t bilinear[25];
    for (int i = 0; i < 25; i++) {
        bilinear[i] = pixels[i] == 9 ? 0 : 8;
    }
    check(5, 5, pixels, "8:1", "nearest", nearest);
    check(5, 5, pixels, "8:1", "bilinear", bilinear);
}

/* The diagonal sample between four pixels of 1 is exactly 1, which is ≥ 1: each pixel of the block
 * has the bits of its two neighbours and of the diagonal between them, in a row: bin 3. */
TEST(eight_points_on_a_block) {
    static const uint8_t pixels[] = {
        0, 0, 0, 0, 0, /* */
        0, 0, 1, 1, 0, /* */
        0, 0, 1, 1, 0, /* */
        0, 0, 0, 0, 0, /* */
        0, 0, 0, 0, 0,
    };
    static const uint8_t expected[] = {
        8, 8, 8, 8, 8, /* */
        8, 8, 3, 3, 8, /* */
        8, 8, 3, 3, 8, /* */
        8, 8, 8, 8, 8, /* */
        8, 8, 8, 8, 8,
    };
    check_both(5, 5, pixels, "8:1", expected);
}

/* The centre 1 sees 1 at the upper right: nearest 1 ≥ 1; bilinear 8192 + 1406 < 16384. For the
 * corner the centre is the lower left and the same holds. */
TEST(interpolation_makes_a_difference) {
    static const uint8_t pixels[] = {0, 0, 1, 0, 1, 0, 0, 0, 0};
    check(3, 3, pixels, "8:1", "nearest", (const uint8_t[]){8, 8, 1, 8, 1, 8, 8, 8, 8});
    check(3, 3, pixels, "8:1", "bilinear", (const uint8_t[]){8, 8, 0, 8, 0, 8, 8, 8, 8});
}

/* Nothing is ≥ the bright pixel, and everything is ≥ 0. */
TEST(bright_pixel) {
    static const struct {
        const char *pr;
        uint8_t points;
    } cases[] = {{"4:1", 4}, {"8:1", 8}, {"16:2", 16}, {"24:1.5", 24}, {"3:0.7", 3}};
    uint8_t pixels[25] = {0};
    uint8_t expected[25];
    pixels[12] = 200;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        memset(expected, cases[i].points, sizeof expected);
        expected[12] = 0;
        check_both(5, 5, pixels, cases[i].pr, expected);
    }
}

/* In an image of 0 every bit is 1, at the border too: outside is 0. */
TEST(flat_zero_is_all_ones) {
    const uint8_t pixels[15] = {0};
    uint8_t expected[15];
    for (int points = 1; points <= LBP_RIU_POINTS_MAX; points++) {
        char pr[AXIS_TEXT_SIZE];
        snprintf(pr, sizeof pr, "%d:%d.5", points, points % 9);
        memset(expected, points, sizeof expected);
        check_both(5, 3, pixels, pr, expected);
    }
}

/* Samples that are outside or partly outside are < 255: an edge lacks one of 4 points and three of
 * 8, a corner two of 4 and five of 8. At radius 0.5 bilinear, half of a sample is outside. */
TEST(flat_full_lacks_what_is_outside) {
    uint8_t pixels[25];
    memset(pixels, 255, sizeof pixels);
    static const uint8_t four[] = {
        2, 3, 3, 3, 2, /* */
        3, 4, 4, 4, 3, /* */
        3, 4, 4, 4, 3, /* */
        3, 4, 4, 4, 3, /* */
        2, 3, 3, 3, 2,
    };
    static const uint8_t eight[] = {
        3, 5, 5, 5, 3, /* */
        5, 8, 8, 8, 5, /* */
        5, 8, 8, 8, 5, /* */
        5, 8, 8, 8, 5, /* */
        3, 5, 5, 5, 3,
    };
    check_both(5, 5, pixels, "4:1", four);
    check_both(5, 5, pixels, "4:0.5", four);
    check_both(5, 5, pixels, "8:1", eight);
}

/* (centre + neighbour) / 2 ≥ centre when neighbour ≥ centre, so bilinear 0.5 is as 1; nearest 0.5
 * is 1; nearest 0.499 is the centre itself, ≥ itself. */
TEST(radius_below_one) {
    check_both(3, 3, one_to_nine, "4:0.5", (const uint8_t[]){2, 2, 1, 2, 2, 1, 1, 1, 0});
    check(3, 3, one_to_nine, "4:0.499", "nearest", (const uint8_t[]){4, 4, 4, 4, 4, 4, 4, 4, 4});
}

/* One point, to the right: a code of one bit has no transition. Two points, right and left: at most
 * two transitions. 3: 00; 1: 11; 2: right 2, left 1: 10; 2: right outside, left 2: 01. */
TEST(one_and_two_points) {
    check_both(4, 1, (const uint8_t[]){1, 2, 2, 1}, "1:1", (const uint8_t[]){1, 1, 0, 0});
    check_both(4, 1, (const uint8_t[]){3, 1, 2, 2}, "2:1", (const uint8_t[]){0, 2, 1, 1});
    check_both(1, 1, (const uint8_t[]){7}, "1:1", (const uint8_t[]){0});
    check_both(1, 1, (const uint8_t[]){0}, "32:64", (const uint8_t[]){32});
}

typedef struct Region {
    uint64_t expected[LBP_RIU_BINS_MAX], got[LBP_RIU_BINS_MAX];
} Region;

/* The largest share of equal bins that two histograms allow. */
static double agreement(const Region *region) {
    uint64_t apart = 0;
    uint64_t pixels = 0;
    for (size_t i = 0; i < LBP_RIU_BINS_MAX; i++) {
        const uint64_t a = region->expected[i];
        const uint64_t b = region->got[i];
        apart += a > b ? a - b : b - a;
        pixels += a;
    }
    return 1 - (double)apart / 2 / (double)pixels;
}

static uint64_t sum(const uint64_t *counts) {
    uint64_t total = 0;
    for (size_t i = 0; i < LBP_RIU_BINS_MAX; i++) {
        total += counts[i];
    }
    return total;
}

static void count_bins(const Output *answer, int border, uint64_t *counts) {
    const OutputPart *bins = &answer->layout.parts[LBP_RIU_PART_BINS];
    const size_t margin = (size_t)border;
    for (size_t y = margin; y < bins->height - margin; y++) {
        for (size_t x = margin; x < bins->width - margin; x++) {
            counts[lbp_riu_bins(answer)[y * bins->width + x]]++;
        }
    }
}

/* Exact at (8,1). The independent program computes in floating point, where ties fall either way:
 * brick has many at (16,2). */
static double least_agreement(const char *name, int points) {
    return points == 8 ? 1 : strcmp(name, "brick") == 0 && points == 16 ? 0.993 : 0.999;
}

static void compare_texture(const char *name, int points, int radius, Region *whole,
                            Region *interior) {
    char path[512];
    char pr[AXIS_TEXT_SIZE];
    RELEASED_BY(image_free) Image image = {0};
    snprintf(path, sizeof path, TEXTURES "/%s.png", name);
    snprintf(pr, sizeof pr, "%d:%d", points, radius);
    const Status status = image_read(path, &image);
    assert_string_equal(status.why, "");
    Output answer = seq_answer(&image, pr, "bilinear", "bins");
    count_bins(&answer, 0, whole->got);
    count_bins(&answer, radius, interior->got);
    assert_int_equal(sum(whole->expected), sum(whole->got));
    assert_int_equal(sum(interior->expected), sum(interior->got));
    const double least = least_agreement(name, points);
    print_message("%s %s: %.4f %%, interior %.4f %%\n", name, pr, 100 * agreement(whole),
                  100 * agreement(interior));
    assert_true(agreement(whole) >= least && agreement(interior) >= least);
    free(answer.data);
}

/* Rows: image, method, P, R, bin, counts of the whole image and of its interior. */
TEST(independent_histograms) {
    FILE *file = access(TEXTURES, R_OK) == 0 ? fopen(ORACLE, "r") : NULL;
    if (file == NULL) {
        skip_needing(NEEDS_SHARED_DATA, ORACLE);
    }
    char line[256];
    int compared = 0;
    Region whole = {{0}, {0}};
    Region interior = {{0}, {0}};
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file) != NULL) {
        char name[64];
        int points = 0;
        int radius = 0;
        int bin = 0;
        unsigned long long counts[2] = {0, 0};
        assert_int_equal(sscanf(line, "%63[^,],uniform,%d,%d,%d,%llu,%llu", name, &points, &radius,
                                &bin, &counts[0], &counts[1]),
                         6);
        assert_in_range(bin, 0, points + 1);
        whole.expected[bin] = counts[0];
        interior.expected[bin] = counts[1];
        if (bin == points + 1) {
            compare_texture(name, points, radius, &whole, &interior);
            memset(&whole, 0, sizeof whole);
            memset(&interior, 0, sizeof interior);
            compared++;
        }
    }
    fclose(file);
    assert_true(compared >= 9);
}
