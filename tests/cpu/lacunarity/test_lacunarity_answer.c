/* lacunarity: Λ, the saved forms of an answer, the table of masses and Otsu's threshold, worked out
 * by hand. */
#include "cpu/lacunarity_points.h"
#include "test.h"

/* What `write` wrote and returned. */
typedef struct Written {
    Status status;
    char text[4096];
} Written;

/* Rows in place of an answer. */
static Output output_of(LacunarityRow *rows, size_t count) {
    Output output = {.data = (uint8_t *)rows};
    assert_ok(
        output_layout_add(&output.layout, "curve", OUTPUT_TABLE_U64, LACUNARITY_COLUMNS, count));
    return output;
}

static Written write_answer(const Image *image, LacunarityRow *rows, size_t count, bool table) {
    const Workload workload = {.image = *image};
    const Point answer = {.count = 0};
    const Output output = output_of(rows, count);
    Written written = {.text = ""};
    FILE *stream = tmpfile();
    assert_non_null(stream);
    written.status = table
                         ? lacunarity_algorithm.write_table(stream, &workload, &answer, &output)
                         : lacunarity_algorithm.write_part(stream, &workload, &answer, &output, 0);
    rewind(stream);
    written.text[fread(written.text, 1, sizeof written.text - 1, stream)] = '\0';
    fclose(stream);
    return written;
}

/*
 * 255   0 255      At threshold 128: box 1 has 6 positions, Σs = Σs² = 4, Λ = 6·4/4² = 1.5;
 *   0 255 255      box 2 has the masses 2 and 3, Λ = 2·13/5² = 1.04.
 */
static uint8_t pixels[] = {255, 0, 255, 0, 255, 255};
static const Image three_by_two = {.width = 3, .height = 2, .stride = 3, .pixels = pixels};

TEST(a_saved_curve) {
    LacunarityRow rows[] = {
        {128, 1, 6, 4, 4, 0},
        {128, 2, 2, 5, 13, 0},
        {0, 1, 6, 6, 6, 0},
        {0, 2, 2, 8, 32, 0},
    };
    const Written written = write_answer(&three_by_two, rows, COUNT_OF(rows), false);
    assert_ok(written.status);
    /* 1.04/1.5 = 0.69333…; the double next to it needs 16 digits. */
    assert_string_equal(written.text,
                        "threshold,box,positions,sum_s,sum_s2,lambda,lambda_normalised\n"
                        "128,1,6,4,4,1.5,1\n"
                        "128,2,2,5,13,1.04,0.6933333333333334\n"
                        "0,1,6,6,6,1,1\n"
                        "0,2,2,8,32,1,1\n");
}

TEST(an_undefined_lacunarity_is_an_empty_field) {
    uint8_t dark[] = {0, 1, 2, 3, 4, 5};
    const Image image = {.width = 3, .height = 2, .stride = 3, .pixels = dark};
    LacunarityRow rows[] = {{6, 1, 6, 0, 0, 0}, {6, 2, 2, 0, 0, 0}, {5, 1, 6, 1, 1, 0}};
    const Written written = write_answer(&image, rows, COUNT_OF(rows), false);
    assert_string_equal(written.text,
                        "threshold,box,positions,sum_s,sum_s2,lambda,lambda_normalised\n"
                        "6,1,6,0,0,,\n"
                        "6,2,2,0,0,,\n"
                        "5,1,6,1,1,6,1\n");
}

TEST(sums_of_128_bits_are_exact) {
    LacunarityRow rows[] = {
        {128, 1, 1, 0, 0, 1},
        {128, 1, 1, 0, UINT64_MAX, 0},
        {128, 1, 1, 0, UINT64_MAX, UINT64_MAX},
        {128, 1, 1, 0, UINT64_C(17607720812694995200), 1550},
    };
    const Written written = write_answer(&three_by_two, rows, COUNT_OF(rows), false);
    assert_string_equal(written.text,
                        "threshold,box,positions,sum_s,sum_s2,lambda,lambda_normalised\n"
                        "128,1,1,0,18446744073709551616,,\n"
                        "128,1,1,0,18446744073709551615,,\n"
                        "128,1,1,0,340282366920938463463374607431768211455,,\n"
                        "128,1,1,0,28610061035062500000000,,\n");
}

/* N positions of mass s: Λ = N·(N·s²) / (N·s)² = 1. The sums are those of a full 20000×9000 image
 * with box 4500. */
TEST(the_value) {
    const LacunarityRow full = {
        255, 4500, 69770001, UINT64_C(1412842520250000), UINT64_C(17607720812694995200), 1550};
    const LacunarityRow some = {128, 2, 2, 5, 13, 0};
    const LacunarityRow none = {128, 2, 2, 0, 0, 0};
    assert_true(lacunarity_value(&full) == 1);
    assert_true(lacunarity_value(&some) == 1.04);
    assert_true(isnan(lacunarity_value(&none)));
}

TEST(a_saved_table) {
    LacunarityRow rows[] = {{128, 1, 6, 4, 4, 0}, {128, 2, 2, 5, 13, 0}, {0, 2, 2, 8, 32, 0}};
    const Written written = write_answer(&three_by_two, rows, COUNT_OF(rows), true);
    assert_ok(written.status);
    assert_string_equal(written.text, "threshold,box,s,count\n"
                                      "128,1,0,2\n128,1,1,4\n"
                                      "128,2,2,1\n128,2,3,1\n"
                                      "0,2,4,2\n");
}

TEST(a_table_of_other_sums_is_a_failure) {
    LacunarityRow rows[] = {{128, 2, 2, 6, 13, 0}, {128, 2, 2, 5, 14, 0}, {128, 2, 2, 5, 13, 1}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const Written written = write_answer(&three_by_two, &rows[i], 1, true);
        assert_int_equal(written.status.code, STATUS_FAIL);
        assert_string_equal(written.status.why, "the table of masses at threshold 128, box 2 does "
                                                "not add up to the sums of the answer");
    }
}

/* 3990×3930, all object, box 1900: 2091·2031 = 4246821 positions of mass 3610000, whose squares add
 * up to 55344995954100000000 = 3·2^64 + 4763732971345152: the 3 needs every carry. */
TEST(a_table_adds_up_above_64_bits) {
    Image image = {.width = 3990, .height = 3930, .stride = 0, .pixels = malloc(3990)};
    assert_non_null(image.pixels);
    memset(image.pixels, 200, 3990);
    LacunarityRow row = {1, 1900, 4246821, UINT64_C(15331023810000), UINT64_C(4763732971345152), 3};
    const Written written = write_answer(&image, &row, 1, true);
    assert_string_equal(written.status.why, "");
    assert_string_equal(written.text, "threshold,box,s,count\n1,1900,3610000,4246821\n");
    free(image.pixels);
}

TEST(the_table_counts_every_position) {
    enum { WIDTH = 29, HEIGHT = 17, STRIDE = 31 };
    uint8_t noise[STRIDE * HEIGHT];
    uint32_t random = 5;
    for (size_t i = 0; i < sizeof noise; i++) {
        random = random * 1664525U + 1013904223U;
        noise[i] = (uint8_t)(random >> 24);
    }
    const Image image = {.width = WIDTH, .height = HEIGHT, .stride = STRIDE, .pixels = noise};
    for (int32_t box = 1; box <= HEIGHT; box++) {
        uint64_t want[HEIGHT * HEIGHT + 1] = {0};
        for (int32_t y = 0; y + box <= HEIGHT; y++) {
            for (int32_t x = 0; x + box <= WIDTH; x++) {
                int s = 0;
                for (int32_t i = 0; i < box * box; i++) {
                    s += noise[(y + i / box) * STRIDE + x + i % box] >= 90 ? 1 : 0;
                }
                want[s]++;
            }
        }
        uint64_t got[HEIGHT * HEIGHT + 1];
        memset(got, 0xC3, sizeof got);
        assert_ok(lacunarity_table(&image, 90, box, got));
        assert_memory_equal(got, want, (size_t)(box * box + 1) * sizeof got[0]);
    }
}

static int otsu_of(const uint8_t *values, int32_t count) {
    uint8_t *copy = malloc((size_t)count);
    assert_non_null(copy);
    memcpy(copy, values, (size_t)count);
    const Image image = {.width = count, .height = 1, .stride = (size_t)count, .pixels = copy};
    const int threshold = lacunarity_otsu(&image);
    free(copy);
    return threshold;
}

/*
 * Between-class variances n₀·n₁·(mean₁ − mean₀)²:
 *   0 0 10 100: parting at 1…10: 2·2·55² = 12100; at 11…100: 3·1·(100 − 10/3)² = 28033.3 → 11.
 *   0 40 60 100: at 1: 1·3·(200/3)² = 13333.3; at 41: 2·2·60² = 14400; at 61 as at 1 → 41.
 *   0 50 100: at 1: 1·2·75² = 11250; at 51: 2·1·75² = 11250: the lower one, 1.
 */
TEST(otsu_by_hand) {
    assert_int_equal(otsu_of((const uint8_t[]){9, 200, 9, 200}, 4), 10);
    assert_int_equal(otsu_of((const uint8_t[]){0, 255}, 2), 1);
    assert_int_equal(otsu_of((const uint8_t[]){254, 255, 254}, 3), 255);
    assert_int_equal(otsu_of((const uint8_t[]){100, 0, 10, 0}, 4), 11);
    assert_int_equal(otsu_of((const uint8_t[]){60, 0, 100, 40}, 4), 41);
    assert_int_equal(otsu_of((const uint8_t[]){0, 50, 100}, 3), 1);
}

TEST(otsu_of_one_grey_value_is_that_value) {
    assert_int_equal(otsu_of((const uint8_t[]){0, 0}, 2), 0);
    assert_int_equal(otsu_of((const uint8_t[]){77}, 1), 77);
    assert_int_equal(otsu_of((const uint8_t[]){255, 255, 255}, 3), 255);
}

/* Bytes between the rows are none of the image's: 1 and 3 would part at 2, with 200 above. */
TEST(otsu_leaves_out_the_padding) {
    uint8_t padded[] = {1, 3, 200, 3, 1, 200};
    const Image image = {.width = 2, .height = 2, .stride = 3, .pixels = padded};
    assert_int_equal(lacunarity_otsu(&image), 2);
}
