/* haar_features: integral images, the five types and how many rectangles there are. */
#include "cpu/haar_sets.h"
#include "datasets.h"
#include "haar_features.h"
#include "needs.h"
#include "test.h"

/* 1 2 3   0 0  0  0
 * 4 5 6   0 1  3  6
 *         0 5 12 21 */
TEST(integral_image_by_hand) {
    static const uint8_t pixels[] = {1, 2, 3, 4, 5, 6};
    static const int32_t want[] = {0, 0, 0, 0, 0, 1, 3, 6, 0, 5, 12, 21};
    int32_t got[COUNT_OF(want)];
    haar_integral(pixels, 3, 2, got);
    assert_memory_equal(got, want, sizeof want);
    assert_int_equal(haar_sum(got, 4, 1, 0, 2, 2), 2 + 3 + 5 + 6);
    assert_int_equal(haar_sum(got, 4, 0, 1, 1, 1), 4);
    assert_int_equal(haar_sum(got, 4, 2, 1, 0, 1), 0);
}

typedef struct Texture {
    char name[16];
    int32_t *integral;
    int32_t width, height;
} Texture;

static void load(Texture *texture) {
    char path[512];
    RELEASED_BY(image_free) Image image;
    snprintf(path, sizeof path, BENCH_SHARED_DATA "/textures/%s.png", texture->name);
    const Status status = image_read(path, &image);
    assert_string_equal(status.why, "");
    assert_int_equal(image.stride, image.width);
    texture->width = image.width;
    texture->height = image.height;
    texture->integral =
        malloc(sizeof(int32_t) * (size_t)(image.width + 1) * (size_t)(image.height + 1));
    assert_non_null(texture->integral);
    haar_integral(image.pixels, image.width, image.height, texture->integral);
}

TEST(sums_of_an_independent_program) {
    FILE *file = fopen(BENCH_SHARED_DATA "/oracles/rect_sums.csv", "r");
    Texture textures[] = {{.name = "brick"}, {.name = "grass"}};
    if (file == NULL) {
        skip_needing(NEEDS_SHARED_DATA, "oracles/rect_sums.csv");
    }
    load(&textures[0]);
    load(&textures[1]);
    char line[128];
    int checked = 0;
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file) != NULL) {
        char name[16];
        int row0, col0, row1, col1, sum;
        assert_int_equal(
            sscanf(line, "%15[^,],%d,%d,%d,%d,%d", name, &row0, &col0, &row1, &col1, &sum), 6);
        const Texture *texture = strcmp(name, "brick") == 0 ? &textures[0] : &textures[1];
        assert_string_equal(name, texture->name);
        assert_int_equal(
            haar_sum(texture->integral, texture->width + 1, col0, row0, col1 - col0, row1 - row0),
            sum);
        checked++;
    }
    assert_int_equal(checked, 64);
    fclose(file);
    free(textures[0].integral);
    free(textures[1].integral);
}

static const uint8_t image[] = {
    1, 2, 3, 4, 5, 6, /**/
    7, 9, 2, 4, 8, 1, /**/
    3, 3, 5, 5, 0, 2, /**/
    6, 1, 4, 9, 7, 8, /**/
    2, 8, 1, 0, 3, 5, /**/
    9, 4, 6, 2, 1, 7,
};

static const struct {
    HaarFeature feature; /* type, x, y, w, h */
    int32_t value;
} by_hand[] = {
    /* left 9+2 + 3+5 + 1+4 = 24, right 4+8 + 5+0 + 9+7 = 33 */
    {{HAAR_TWO_COLUMNS, 1, 1, 4, 3}, 24 - 33},
    /* left 2+8 + 9+4 = 23, right 1+0 + 6+2 = 9, column 4 is not used */
    {{HAAR_TWO_COLUMNS, 0, 4, 5, 2}, 23 - 9},
    /* top 3+4+5 + 2+4+8 = 26, bottom 5+5+0 + 4+9+7 = 30 */
    {{HAAR_TWO_ROWS, 2, 0, 3, 4}, 26 - 30},
    /* top 7+9 + 3+3 = 22, bottom 6+1 + 2+8 = 17, row 5 is not used */
    {{HAAR_TWO_ROWS, 0, 1, 2, 5}, 22 - 17},
    /* left 1+2 + 7+9 = 19, middle 3+4 + 2+4 = 13, right 5+6 + 8+1 = 20 */
    {{HAAR_THREE_COLUMNS, 0, 0, 6, 2}, 19 - 2 * 13 + 20},
    /* columns 1, 2, 3: 1+8+4 = 13, 4+1+6 = 11, 9+0+2 = 11; 4 and 5 are not used */
    {{HAAR_THREE_COLUMNS, 1, 3, 5, 3}, 13 - 2 * 11 + 11},
    /* top 4+5 + 4+8 = 21, middle 5+0 + 9+7 = 21, bottom 0+3 + 2+1 = 6 */
    {{HAAR_THREE_ROWS, 3, 0, 2, 6}, 21 - 2 * 21 + 6},
    /* rows 2, 3, 4: 3+5+5 = 13, 1+4+9 = 14, 8+1+0 = 9; 5 is not used */
    {{HAAR_THREE_ROWS, 1, 2, 3, 4}, 13 - 2 * 14 + 9},
    /* top left 9+2 + 3+5 = 19, top right 4+8 + 5+0 = 17, bottom left 1+4 + 8+1 = 14, bottom right
     * 9+7 + 0+3 = 19 */
    {{HAAR_CHECKER, 1, 1, 4, 4}, 19 - 17 - 14 + 19},
    /* 1+2, 3+4 / 7+9, 2+4; column 4 and row 2 are not used */
    {{HAAR_CHECKER, 0, 0, 5, 3}, 3 - 7 - 16 + 6},
    /* 4+5, 8+0 / 9+0, 7+3; column 5 and row 5 are not used */
    {{HAAR_CHECKER, 3, 1, 3, 5}, 9 - 8 - 9 + 10},
};

TEST(features_by_hand) {
    int32_t integral[7 * 7];
    haar_integral(image, 6, 6, integral);
    for (size_t i = 0; i < COUNT_OF(by_hand); i++) {
        assert_int_equal(haar_value(integral, 7, by_hand[i].feature), by_hand[i].value);
        /* What other tests hold variants against. */
        assert_int_equal(haar_brute_value(image, 6, by_hand[i].feature), by_hand[i].value);
    }
}

/* Where a side is shorter than the parts it is split into there are no cells. */
TEST(features_without_cells_are_zero) {
    int32_t integral[7 * 7];
    haar_integral(image, 6, 6, integral);
    for (int type = 0; type < HAAR_TYPES; type++) {
        const HaarFeature f = {.type = (uint8_t)type, .x = 2, .y = 3, .w = 1, .h = 1};
        assert_int_equal(haar_value(integral, 7, f), 0);
        assert_int_equal(haar_reach(type, 1, 1), 0);
    }
}

/* An image that is white where the feature is, and black elsewhere, reaches what can be reached.
 */
TEST(reach_is_reached) {
    for (int type = 0; type < HAAR_TYPES; type++) {
        for (int32_t side = 2; side <= 9; side++) {
            const HaarFeature f = {
                .type = (uint8_t)type, .w = (uint8_t)side, .h = (uint8_t)(11 - side)};
            uint8_t extreme[9 * 9] = {0};
            int32_t integral[10 * 10];
            for (int32_t i = 0; i < f.w * f.h; i++) {
                const int32_t weight = haar_pixel_weight(f, i % f.w, i / f.w);
                extreme[i / f.w * 9 + i % f.w] = weight > 0 ? 255 : 0;
            }
            haar_integral(extreme, 9, 9, integral);
            assert_int_equal(haar_value(integral, 10, f), haar_reach(type, f.w, f.h));
        }
    }
}

TEST(rectangles_are_counted) {
    assert_int_equal(haar_rectangles(28, 28, 4), 105625); /* 325² */
    assert_int_equal(haar_rectangles(28, 28, 5), 90000);  /* 300² */
    assert_int_equal(haar_rectangles(255, 255, 1), INT64_C(1065369600));
    assert_int_equal(haar_rectangles(24, 16, 16), 45); /* 1 + 2 + … + 9 */
    assert_int_equal(haar_rectangles(4, 9, 4), 21);
    assert_int_equal(haar_rectangles(3, 28, 4), 0);
    assert_int_equal(haar_rectangles(28, 3, 4), 0);
    assert_int_equal(haar_rectangles(2, 2, 255), 0);
}

TEST(types_have_names) {
    static const char *const names[] = {"two_columns", "two_rows", "three_columns", "three_rows",
                                        "checker"};
    for (int type = 0; type < HAAR_TYPES; type++) {
        assert_string_equal(haar_type_names[type], names[type]);
    }
}
