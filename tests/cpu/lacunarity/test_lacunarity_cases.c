/*
 * lacunarity: images whose sums are known in closed form, and the exact integers of an independent
 * program, by every CPU variant.
 */
#include "cpu/lacunarity_points.h"
#include "datasets.h"
#include "needs.h"
#include "test.h"
#include "variant_runs.h"

/* What a row must hold. */
typedef struct Expected {
    uint64_t positions, sum_s, sum_s2;
} Expected;

static void check_row(const LacunarityRow *row, const char *name, const Expected *expected) {
    if (row->positions != expected->positions || row->sum_s != expected->sum_s ||
        row->sum_s2_low != expected->sum_s2 || row->sum_s2_high != 0) {
        fail_msg("%s, threshold %d, box %d: %llu positions, sums %llu and %llu·2^64 + %llu", name,
                 (int)row->threshold, (int)row->box, (unsigned long long)row->positions,
                 (unsigned long long)row->sum_s, (unsigned long long)row->sum_s2_high,
                 (unsigned long long)row->sum_s2_low);
    }
}

/* One threshold and box by one variant; `lambda` is what lacunarity_value makes of it. */
static double check_variant(const Image *image, const Variant *variant, int threshold, int32_t box,
                            const Expected *expected) {
    char box_text[16];
    char threshold_text[16];
    snprintf(box_text, sizeof box_text, "%d", box);
    snprintf(threshold_text, sizeof threshold_text, "%d", threshold);
    const Point answer = lacunarity_point(box_text, threshold_text);
    RELEASED_BY(output_free)
    Output output = variant_answer_at(&lacunarity_algorithm, variant, image, &answer, 2);
    const LacunarityRow *row = lacunarity_rows(&output);
    assert_int_equal(row->threshold, threshold);
    assert_int_equal(row->box, box);
    check_row(row, variant->name, expected);
    const double lambda = lacunarity_value(row);
    return lambda;
}

static double check_all(const Image *image, int threshold, int32_t box, Expected expected) {
    double lambda = 0;
    for (size_t i = 0; i < lacunarity_algorithm.cpu.count; i++) {
        lambda = check_variant(image, &lacunarity_algorithm.cpu.rows[i], threshold, box, &expected);
    }
    return lambda;
}

static uint64_t positions_of(const Image *image, int32_t box) {
    return (uint64_t)(image->width - box + 1) * (uint64_t)(image->height - box + 1);
}

static void set_pixel(Image *image, int32_t x, int32_t y, uint8_t value) {
    image->pixels[(size_t)y * image->stride + (size_t)x] = value;
}

static const int32_t boxes[] = {1, 2, 3, 7, 16, 37};

/* Every box holds box² object pixels: with N positions, Σs = N·box², Σs² = N·box⁴, Λ = 1. */
TEST(a_full_image) {
    RELEASED_BY(test_image_free) Image image = test_image(61, 37, 5, FILL_CONSTANT, 1);
    for (size_t i = 0; i < COUNT_OF(boxes); i++) {
        const uint64_t n = positions_of(&image, boxes[i]);
        const uint64_t s = (uint64_t)boxes[i] * (uint64_t)boxes[i];
        const Expected full = {n, n * s, n * s * s};
        assert_true(check_all(&image, 77, boxes[i], full) == 1);
        assert_true(check_all(&image, 0, boxes[i], full) == 1);
    }
}

/* No object pixel: the sums are 0 and Λ is undefined. */
TEST(an_empty_image) {
    RELEASED_BY(test_image_free) Image image = test_image(61, 37, 5, FILL_CONSTANT, 1);
    for (size_t i = 0; i < COUNT_OF(boxes); i++) {
        const Expected empty = {positions_of(&image, boxes[i]), 0, 0};
        assert_true(isnan(check_all(&image, 78, boxes[i], empty)));
        assert_true(isnan(check_all(&image, 255, boxes[i], empty)));
    }
}

/* The boxes of side r that cover column a of w begin at max(0, a − r + 1) … min(a, w − r). */
static uint64_t covering(int32_t at, int32_t size, int32_t box) {
    const int32_t first = at - box + 1 > 0 ? at - box + 1 : 0;
    const int32_t last = at < size - box ? at : size - box;
    return (uint64_t)(last - first + 1);
}

/* Each position that covers the pixel has mass 1: Σs = Σs² = their number. */
TEST(a_single_pixel) {
    static const struct {
        int32_t x, y;
    } places[] = {{0, 0}, {60, 36}, {60, 0}, {0, 36}, {30, 18}, {31, 5}, {32, 20}, {47, 1}};
    for (size_t p = 0; p < COUNT_OF(places); p++) {
        RELEASED_BY(test_image_free) Image image = test_image(61, 37, 3, FILL_ZERO, 1);
        set_pixel(&image, places[p].x, places[p].y, 255);
        for (size_t i = 0; i < COUNT_OF(boxes); i++) {
            const uint64_t n = positions_of(&image, boxes[i]);
            const uint64_t covered =
                covering(places[p].x, 61, boxes[i]) * covering(places[p].y, 37, boxes[i]);
            const double lambda = check_all(&image, 255, boxes[i], (Expected){n, covered, covered});
            assert_true(lambda == (double)n / (double)covered);
        }
    }
}

/*
 * 12 pixels further than r from each other and at least r − 1 from the edge, r ≤ 8: no box covers
 * two of them and each is covered r² times: Σs = Σs² = 12·r², Λ = positions / (12·r²).
 */
TEST(scattered_pixels) {
    RELEASED_BY(test_image_free) Image image = test_image(50, 40, 0, FILL_ZERO, 1);
    for (int i = 0; i < 12; i++) {
        set_pixel(&image, 9 + 9 * (i % 4), 9 + 9 * (i / 4), 128);
    }
    for (int32_t box = 1; box <= 8; box++) {
        const uint64_t n = positions_of(&image, box);
        const uint64_t covered = 12 * (uint64_t)box * (uint64_t)box;
        const double lambda = check_all(&image, 128, box, (Expected){n, covered, covered});
        assert_true(lambda == (double)n / (double)covered);
    }
}

/* A chessboard: boxes of an even side hold half of their pixels, so Λ = 1; of an odd side one more
 * or less than half, as often the one as the other when there is an even number of positions. */
TEST(a_chessboard) {
    RELEASED_BY(test_image_free) Image image = test_image(64, 30, 0, FILL_ZERO, 1);
    for (int32_t y = 0; y < 30; y++) {
        for (int32_t x = y % 2; x < 64; x += 2) {
            set_pixel(&image, x, y, 200);
        }
    }
    const uint64_t even = positions_of(&image, 8);
    assert_true(check_all(&image, 128, 8, (Expected){even, even * 32, even * 32 * 32}) == 1);
    const uint64_t half = positions_of(&image, 5) / 2; /* 60·26 positions */
    check_all(&image, 128, 5, (Expected){2 * half, half * 25, half * (12 * 12 + 13 * 13)});
}

/* 255 alone is ≥ 255, everything is ≥ 0. Box 1: Λ = pixels / object pixels. */
TEST(the_ends_of_the_thresholds) {
    RELEASED_BY(test_image_free) Image image = test_image(16, 16, 1, FILL_ZERO, 1);
    for (int i = 0; i < 256; i++) {
        set_pixel(&image, i % 16, i / 16, (uint8_t)i);
    }
    assert_true(check_all(&image, 255, 1, (Expected){256, 1, 1}) == 256);
    assert_true(check_all(&image, 254, 1, (Expected){256, 2, 2}) == 128);
    assert_true(check_all(&image, 1, 1, (Expected){256, 255, 255}) == 256.0 / 255);
    assert_true(check_all(&image, 0, 1, (Expected){256, 256, 256}) == 1);
    assert_true(check_all(&image, 255, 16, (Expected){1, 1, 1}) == 1);
    assert_true(check_all(&image, 128, 16, (Expected){1, 128, 128 * 128}) == 1);
}

/* The box is as high, or as wide, as the image. Object: the column x = 2, or the row y = 2. */
TEST(a_box_of_full_side) {
    for (int turned = 0; turned < 2; turned++) {
        Image image =
            turned ? test_image(5, 40, 2, FILL_ZERO, 1) : test_image(40, 5, 2, FILL_ZERO, 1);
        for (int32_t i = 0; i < 5; i++) {
            set_pixel(&image, turned ? i : 2, turned ? 2 : i, 255);
        }
        /* Of 36 positions those from 0 to 2 hold the five pixels. */
        assert_true(check_all(&image, 128, 5, (Expected){36, 15, 75}) == 12);
        test_image_free(&image);
    }
}

/* Thresholds are outermost; rows are in the order of the plan. Of 2×2 pixels 10, 20, 30, 40, Otsu's
 * threshold parts two from two: 21. */
TEST(rows_are_in_the_order_of_the_plan) {
    static const uint8_t values[] = {10, 20, 30, 40};
    static const LacunarityRow expected[] = {
        {40, 2, 1, 1, 1, 0}, {40, 1, 4, 1, 1, 0}, {21, 2, 1, 2, 4, 0},
        {21, 1, 4, 2, 2, 0}, {5, 2, 1, 4, 16, 0}, {5, 1, 4, 4, 4, 0},
    };
    RELEASED_BY(test_image_free) Image image = test_image(2, 2, 3, FILL_ZERO, 1);
    for (int i = 0; i < 4; i++) {
        set_pixel(&image, i % 2, i / 2, values[i]);
    }
    const Point answer = lacunarity_point("2+1", "40+otsu+5");
    for (size_t i = 0; i < lacunarity_algorithm.cpu.count; i++) {
        const Variant *variant = &lacunarity_algorithm.cpu.rows[i];
        RELEASED_BY(output_free)
        Output output = variant_answer_at(&lacunarity_algorithm, variant, &image, &answer, 3);
        assert_int_equal(output.layout.parts[0].bytes, sizeof expected);
        assert_memory_equal(lacunarity_rows(&output), expected, sizeof expected);
    }
}

/* --- An independent program's integers -------------------------------------------------------- */

enum { SEQ_BOX_MAX = 32 }; /* counting every pixel of larger boxes takes long under sanitizers */

static void read_texture(const char *name, Image *image) {
    char path[1024];
    snprintf(path, sizeof path, "%s/textures/%s.png", BENCH_SHARED_DATA, name);
    const Status status = image_read(path, image);
    assert_string_equal(status.why, "");
}

static void check_line(const char *line) {
    char name[32];
    unsigned long long ones = 0;
    unsigned long long positions = 0;
    unsigned long long sum_s = 0;
    unsigned long long sum_s2 = 0;
    int32_t box = 0;
    double lambda = 0;
    assert_int_equal(sscanf(line, "%31[^,],%llu,%d,%llu,%llu,%llu,%lf", name, &ones, &box,
                            &positions, &sum_s, &sum_s2, &lambda),
                     7);
    Image image;
    read_texture(name, &image);
    const Expected expected = {positions, sum_s, sum_s2};
    for (size_t i = 0; i < lacunarity_algorithm.cpu.count; i++) {
        if (i > 0 || box <= SEQ_BOX_MAX) {
            const double got =
                check_variant(&image, &lacunarity_algorithm.cpu.rows[i], 128, box, &expected);
            assert_true(fabs(got - lambda) <= 1e-14 * lambda);
        }
    }
    free(image.pixels);
}

TEST(published_sums) {
    FILE *file = fopen(BENCH_SHARED_DATA "/oracles/lacunarity.csv", "r");
    if (file == NULL) {
        skip_needing(NEEDS_SHARED_DATA, "oracles/lacunarity.csv");
    }
    char line[256];
    int lines = 0;
    assert_non_null(fgets(line, sizeof line, file));
    for (; fgets(line, sizeof line, file) != NULL; lines++) {
        check_line(line);
    }
    fclose(file);
    assert_int_equal(lines, 16);
}
