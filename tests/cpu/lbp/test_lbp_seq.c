/*
 * lbp/seq, the oracle of all other variants, against answers that no program of this project made:
 * codes worked out by hand, and the published images' histograms and digests.
 */
#include <unistd.h>

#include "datasets.h"
#include "lbp.h"
#include "needs.h"
#include "test.h"
#include "variant_runs.h"

#define ORACLES BENCH_SHARED_DATA "/oracles"

static Output seq_answer(const Image *image) {
    return variant_answer(&lbp_algorithm, cpu_variant(&lbp_algorithm, "seq"), image, 1);
}

static void assert_codes(int32_t width, int32_t height, const uint8_t *pixels,
                         const uint8_t *expected) {
    const size_t count = (size_t)width * (size_t)height;
    uint8_t *copy = malloc(count);
    assert_non_null(copy);
    memcpy(copy, pixels, count);
    const Image image = {.width = width, .height = height, .stride = (size_t)width, .pixels = copy};
    Output answer = seq_answer(&image);
    assert_memory_equal(lbp_codes(&answer), expected, count);
    uint64_t histogram[LBP_BINS] = {0};
    for (size_t i = 0; i < count; i++) {
        histogram[expected[i]]++;
    }
    assert_memory_equal(lbp_histogram(&answer), histogram, sizeof histogram);
    output_free(&answer);
    free(copy);
}

/* All neighbours are outside, so 0: they are ≥ 0 and set all bits, but not ≥ 7. */
TEST(one_pixel) {
    assert_codes(1, 1, (const uint8_t[]){0}, (const uint8_t[]){255});
    assert_codes(1, 1, (const uint8_t[]){7}, (const uint8_t[]){0});
    assert_codes(1, 1, (const uint8_t[]){255}, (const uint8_t[]){0});
}

/*
 * Weights:    1   2   4        Image:   5 9 1
 *             8   .  16                   4 5 6
 *            32  64 128                   5 0 7
 *
 * Row 0  (0,0) = 5: right 9 → 16; below 4, no; below right 5 → 128; outside 0 < 5.       144
 *        (1,0) = 9: left 5, right 1, below 4, 5, 6: none is ≥ 9.                           0
 *        (2,0) = 1: left 9 → 8; below left 5 → 32; below 6 → 64; outside 0 < 1.          104
 * Row 1  (0,1) = 4: above 5 → 2; above right 9 → 4; right 5 → 16; below 5 → 64;
 *                   below right 0, no.                                                    86
 *        (1,1) = 5: 5 → 1, 9 → 2, 1 no, 4 no, 6 → 16, 5 → 32, 0 no, 7 → 128.            179
 *        (2,1) = 6: above left 9 → 1; above 1, left 5, below left 0: no; below 7 → 64.    65
 * Row 2  (0,2) = 5: above 4 no; above right 5 → 4; right 0 no.                             4
 *        (1,2) = 0: everything is ≥ 0.                                                   255
 *        (2,2) = 7: above left 5, above 6, left 0: none is ≥ 7.                            0
 */
TEST(three_by_three) {
    assert_codes(3, 3, (const uint8_t[]){5, 9, 1, 4, 5, 6, 5, 0, 7},
                 (const uint8_t[]){144, 0, 104, 86, 179, 65, 4, 255, 0});
}

/*
 * A bright cross on black, 5×5 (9 on row 2 and column 2, 0 elsewhere): a black pixel has code 255,
 * since nothing is below 0. A pixel of the cross has the bits of its neighbours on the cross:
 *   upper end (2,0): below → 64;                    (2,1): above → 2, below → 64 = 66, and the
 *   diagonal neighbours (1,2) and (3,2) of row 2 → 32 + 128: 226.
 *   left end (0,2): right → 16;                     (1,2): left → 8, right → 16, above right
 *   (2,1) → 4, below right (2,3) → 128: 156.
 *   centre (2,2): 2 + 8 + 16 + 64 = 90 (its diagonal neighbours are black).
 *   (3,2): left → 8, right → 16, above left (2,1) → 1, below left (2,3) → 32: 57.
 *   right end (4,2): left → 8.
 *   (2,3): above → 2, below → 64, above left (1,2) → 1, above right (3,2) → 4: 71.
 *   lower end (2,4): above → 2.
 */
TEST(five_by_five_cross) {
    static const uint8_t pixels[] = {
        0, 0, 9, 0, 0, /* */
        0, 0, 9, 0, 0, /* */
        9, 9, 9, 9, 9, /* */
        0, 0, 9, 0, 0, /* */
        0, 0, 9, 0, 0,
    };
    static const uint8_t expected[] = {
        255, 255, 64,  255, 255, /* */
        255, 255, 226, 255, 255, /* */
        16,  156, 90,  57,  8,   /* */
        255, 255, 71,  255, 255, /* */
        255, 255, 2,   255, 255,
    };
    assert_codes(5, 5, pixels, expected);
}

/* Constant and not 0: a pixel has the bits of the neighbours that are inside. In 5×2, the corners
 * have three: upper left 16 + 64 + 128 = 208, upper right 8 + 32 + 64 = 104, lower left
 * 2 + 4 + 16 = 22, lower right 1 + 2 + 8 = 11. Between them: 8 + 16 + 32 + 64 + 128 = 248 above and
 * 1 + 2 + 4 + 8 + 16 = 31 below. */
TEST(constant_five_by_two) {
    static const uint8_t pixels[] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    static const uint8_t expected[] = {208, 248, 248, 248, 104, 22, 31, 31, 31, 11};
    assert_codes(5, 2, pixels, expected);
}

/* One row 1 2 3: right neighbours are larger; outside is 0. 1: 16; 2: 16; 3: 0. One column: 3 has
 * nothing ≥ 3; 1 has 3 above (2) and 2 below (64); 2 has 1 above, no. */
TEST(one_row_and_one_column) {
    assert_codes(3, 1, (const uint8_t[]){1, 2, 3}, (const uint8_t[]){16, 16, 0});
    assert_codes(1, 3, (const uint8_t[]){3, 1, 2}, (const uint8_t[]){0, 66, 0});
}

static bool read_image(const char *name, Image *image) {
    static const char *const folders[] = {"textures/%s.png", "photo/%s.jpg", "homography/%s.png"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char file[128];
        char path[512];
        snprintf(file, sizeof file, folders[i], name);
        snprintf(path, sizeof path, "%s/%s", BENCH_SHARED_DATA, file);
        if (access(path, R_OK) == 0) {
            const Status status = image_read(path, image);
            assert_string_equal(status.why, "");
            return true;
        }
    }
    return false;
}

static FILE *open_oracle(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        skip_needing(NEEDS_SHARED_DATA, path);
    }
    return file;
}

TEST(published_histograms) {
    FILE *file = open_oracle(ORACLES "/lbp3x3.csv");
    char line[256];
    assert_non_null(fgets(line, sizeof line, file));
    char current[64] = "";
    bool have = false;
    Output answer = {.data = NULL};
    size_t compared = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        char name[64];
        unsigned code = 0;
        unsigned long long count = 0;
        assert_int_equal(sscanf(line, "%63[^,],%u,%llu", name, &code, &count), 3);
        if (strcmp(name, current) != 0) {
            Image image;
            output_free(&answer);
            have = read_image(name, &image);
            if (have) {
                answer = seq_answer(&image);
                image_free(&image);
            }
            snprintf(current, sizeof current, "%s", name);
        }
        if (have) {
            assert_in_range(code, 0, LBP_BINS - 1);
            assert_int_equal(lbp_histogram(&answer)[code], count);
            compared++;
        }
    }
    output_free(&answer);
    fclose(file);
    assert_true(compared >= LBP_BINS);
}

/* The digest of the codes by the system's sha256sum. */
static void sha256(const uint8_t *bytes, size_t count, char digest[65]) {
    char path[] = "/tmp/test_lbp_seq_XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
    char command[128];
    snprintf(command, sizeof command, "sha256sum %s", path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%64s", digest), 1);
    assert_int_equal(pclose(pipe), 0);
    unlink(path);
}

TEST(published_digests) {
    if (system("command -v sha256sum > /dev/null") != 0) {
        skip_needing("sha256sum", NULL);
    }
    FILE *file = open_oracle(ORACLES "/lbp3x3_digest.csv");
    char line[256];
    assert_non_null(fgets(line, sizeof line, file));
    size_t compared = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        char name[64];
        char expected[65];
        int32_t width = 0;
        int32_t height = 0;
        assert_int_equal(sscanf(line, "%63[^,],%d,%d,%64s", name, &width, &height, expected), 4);
        Image image;
        if (read_image(name, &image)) {
            assert_int_equal(image.width, width);
            assert_int_equal(image.height, height);
            Output answer = seq_answer(&image);
            char digest[65];
            sha256(lbp_codes(&answer), image_pixel_count(&image), digest);
            assert_string_equal(digest, expected);
            output_free(&answer);
            image_free(&image);
            compared++;
        }
    }
    fclose(file);
    assert_true(compared >= 1);
}
