/* bad: the definition by hand, piece by piece, then whole descriptors by every CPU variant. */
#include "bad.h"
#include "cpu/keypoint_cases.h"
#include "descriptor_weights.h"
#include "test.h"

extern const Algorithm bad_algorithm;

static const float infinite = (float)INFINITY;

static void assert_at(const PatchMap *map, float i, float j, double x, double y) {
    assert_true(fabs((double)patch_map_x(map, i, j) - x) < 1e-4);
    assert_true(fabs((double)patch_map_y(map, i, j) - y) < 1e-4);
}

/* scale · size = 64: two pixels of the image to one of the patch. */
TEST(maps_of_keypoints) {
    static const float upright[] = {-1, -180, 0, 360};
    for (size_t i = 0; i < COUNT_OF(upright); i++) {
        const PatchMap map = bad_map((Keypoint){100, 50, 32, upright[i]}, 2);
        assert_true(map.s == 2.0F);
        assert_at(&map, 16, 16, 100, 50);
        assert_at(&map, 0, 0, 68, 18);
        assert_at(&map, 20, 10, 108, 38);
    }
    const PatchMap quarter = bad_map((Keypoint){100, 50, 32, 90}, 2);
    assert_at(&quarter, 16, 16, 100, 50);
    assert_at(&quarter, 20, 10, 112, 58);
    const PatchMap sixth = bad_map((Keypoint){100, 50, 32, 30}, 2);
    assert_at(&sixth, 26, 16, 100 + 20 * 0.8660254, 50 + 10);
}

/* Towards zero after adding a half. */
TEST(rounding) {
    static const struct {
        float position;
        int32_t rounded;
    } cases[] = {{0.49F, 0},
                 {0.5F, 1},
                 {1.49F, 1},
                 {7, 7},
                 {-0.5F, 0},
                 {-1.4F, 0},
                 {-1.5F, -1},
                 {-1.6F, -1},
                 {-2.5F, -2},
                 {1e30F, BAD_POSITION_MAX},
                 {-1e30F, -BAD_POSITION_MAX},
                 {(float)INFINITY, BAD_POSITION_MAX},
                 {(float)NAN, -BAD_POSITION_MAX}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(bad_round(cases[i].position), cases[i].rounded);
    }
}

TEST(radii) {
    static const struct {
        float s, radius;
        int32_t want;
    } cases[] = {{1, 3, 3},         {0.25F, 1, 0},     {0.5F, 1, 1},     {0, 7, 0},
                 {206.8F, 7, 1448}, {206.9F, 7, 1448}, {1e30F, 1, 1448}, {1e30F, 0, 0}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const PatchMap map = {.s = cases[i].s};
        assert_int_equal(bad_radius(&map, cases[i].radius), cases[i].want);
    }
    const PatchMap endless = {.s = infinite};
    assert_int_equal(bad_radius(&endless, 0), 0);
}

static void assert_box(float x, float y, int32_t left, int32_t top, int32_t right, int32_t bottom) {
    /* Patch pixel (0, 0) at (x, y), in an image of 10 × 8. */
    const PatchMap map = {.c = 1, .n = 0, .x0 = x, .y0 = y, .s = 1};
    const BadBox box = bad_box(&map, 0, 0, 2, 10, 8);
    assert_int_equal(box.left, left);
    assert_int_equal(box.top, top);
    assert_int_equal(box.right, right);
    assert_int_equal(box.bottom, bottom);
}

TEST(boxes_at_every_edge) {
    assert_box(4, 4, 2, 2, 7, 7);
    assert_box(2, 2, 0, 0, 5, 5);
    assert_box(1, 4, 0, 2, 4, 7);
    assert_box(7, 4, 5, 2, 10, 7);
    assert_box(8, 4, 6, 2, 10, 7);
    assert_box(4, 0, 2, 0, 7, 3);
    assert_box(4, 7, 2, 5, 7, 8);
    assert_box(-50, 4, 0, 2, 1, 7);
    assert_box(50, 4, 9, 2, 10, 7);
    assert_box(4, -50, 2, 0, 7, 1);
    assert_box(4, 1e30F, 2, 7, 7, 8);
}

/* scale · size = 8: the border is 7 pixels wide. */
TEST(borders) {
    static const struct {
        float x, y;
        int near;
    } cases[] = {{7, 7, 0},       {6.99F, 7, 1}, {7, 6.99F, 1},  {12.9F, 7, 0},
                 {13, 7, 1},      {7, 22.9F, 0}, {7, 23, 1},     {-3, 15, 1},
                 {10, -1e30F, 1}, {10, 15, 0},   {10, 1e30F, 1}, {1e30F, 10, 1}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const Keypoint keypoint = {cases[i].x, cases[i].y, 4, 0};
        assert_int_equal(bad_near_border(keypoint, 2, 20, 30), cases[i].near);
    }
    const Keypoint point = {0, 0, 0, 0};
    assert_int_equal(bad_near_border(point, 2, 1, 1), 0);
    const Keypoint endless = {10, 15, 1e30F, 0};
    assert_int_equal(bad_near_border(endless, 2, 20, 30), 1);
}

/* Boxes of 9 pixels, of which the border leaves the first one 6. */
TEST(bits_from_sums_and_averages) {
    const BadBox cut = {0, 4, 2, 7};
    const BadBox whole = {3, 4, 6, 7};
    assert_int_equal(bad_area(&cut), 6);
    assert_int_equal(bad_bit(0, 118, &whole, 100, &whole, 1, 2), 1);
    assert_int_equal(bad_bit(0, 119, &whole, 100, &whole, 1, 2), 0);
    assert_int_equal(bad_bit(0, 100, &whole, 118, &whole, 1, -2), 1);
    assert_int_equal(bad_bit(0, 101, &whole, 118, &whole, 1, -2), 0);
    assert_int_equal(bad_bit(1, 60, &cut, 72, &whole, 1, 2), 1);
    assert_int_equal(bad_bit(1, 61, &cut, 72, &whole, 1, 2), 0);
    assert_int_equal(bad_bit(0, 61, &cut, 72, &whole, 1, 2), 1);
}

/* --- Whole descriptors ------------------------------------------------------------------------ */

enum { BITS = 256, BYTES = BITS / 8, REST = 0xFF };

/* Tests of boxes that are the same, and of which every bit is 1. */
static Workload make_workload(BadTest tests[BITS], const Image *image, Keypoint *keypoints,
                              int32_t count) {
    for (int32_t i = 0; i < BITS; i++) {
        tests[i] = (BadTest){16, 16, 16, 16, 0, 0};
    }
    return (Workload){
        .kind = WORKLOAD_KEYPOINTS,
        .image = *image,
        .keypoints = {.keypoints = keypoints, .count = count, .scale = 1, .wanted = count},
        .weights = {.count = 1,
                    .list = {{.kind = WEIGHTS_BAD,
                              .bits = BITS,
                              .columns = WEIGHTS_BAD_COLUMNS,
                              .values = (float *)tests}}}};
}

/* Every variant: the first byte of each keypoint's descriptor, and a byte for all others. */
static void assert_descriptors(const Workload *workload, const uint8_t *first, uint8_t rest) {
    const int32_t count = workload->keypoints.count;
    const Point answer = keypoint_case_point(&bad_algorithm, BITS, count, 1);
    for (size_t v = 0; v < bad_algorithm.cpu.count; v++) {
        Output output =
            variant_answer_of(&bad_algorithm, &bad_algorithm.cpu.rows[v], workload, &answer, 3);
        const uint8_t *descriptor = bad_descriptors(&output);
        for (int32_t k = 0; k < count; k++, descriptor += BYTES) {
            assert_int_equal(descriptor[0], first[k]);
            for (size_t i = 1; i < BYTES; i++) {
                assert_int_equal(descriptor[i], rest);
            }
        }
        output_free(&output);
    }
}

/* 0 left of column 40, and 200 from there on. */
static Image two_halves(void) {
    Image image = test_image(80, 90, 3, FILL_ZERO, 0);
    for (int32_t y = 0; y < image.height; y++) {
        memset(image.pixels + (size_t)y * image.stride + 40, 200, 40);
    }
    return image;
}

/* Size 32 is one pixel to a pixel. Boxes of 9 pixels: from one half to the other sums differ by
 * 1800, and a box in the middle has 3 columns, of which 2 are bright at (40, y). */
TEST(descriptor_in_the_middle) {
    BadTest tests[BITS];
    Keypoint keypoints[] = {{40, 45, 32, -1}, {40, 45, 32, 180}};
    RELEASED_BY(test_image_free) Image image = two_halves();
    const Workload workload = make_workload(tests, &image, keypoints, 2);
    const BadTest first[] = {
        {8, 16, 24, 16, 1, 0},    /* 0 - 1800: 1; turned round 1800: 0 */
        {24, 16, 8, 16, 1, 0},    /* 1800: 0; 1 */
        {24, 16, 8, 16, 1, 200},  /* 1800 ≤ 1800: 1; 1 */
        {24, 16, 8, 16, 1, 199},  /* 0; 1 */
        {16, 16, 8, 20, 1, 130},  /* 1200 ≤ 1170: 0; 1200 - 1800 or less: 1 */
        {16, 16, 8, 20, 1, 134},  /* 1200 ≤ 1206: 1; 1 */
        {8, 16, 24, 16, 1, -200}, /* -1800 ≤ -1800: 1; 0 */
        {8, 16, 24, 16, 1, -201}, /* 0; 0 */
    };
    memcpy(tests, first, sizeof first);
    static const uint8_t want[] = {0xA6, 0x7C};
    assert_descriptors(&workload, want, REST);
}

/* At (76, 45) there are no columns behind 79: averages of what is left of a box decide. At (44, 45)
 * sums do. */
TEST(descriptor_at_the_border) {
    BadTest tests[BITS];
    Keypoint keypoints[] = {{76, 45, 32, -1}, {44, 45, 32, -1}};
    RELEASED_BY(test_image_free) Image image = two_halves();
    const Workload workload = make_workload(tests, &image, keypoints, 2);
    const BadTest first[] = {
        {19, 16, 16, 16, 1, -1}, /* columns 78 … 79 and 75 … 77: averages equal: 0 */
        {19, 16, 16, 16, 1, 0},  /* 1 */
        {30, 16, 16, 16, 1, -1}, /* column 79 alone: 0 */
        {30, 16, 16, 16, 1, 0},  /* 1 */
        {16, 16, 30, 16, 1, 0},  /* the same with sums would be 0: 1 */
        {16, 16, 16, 30, 1, -1}, /* 0 */
        {16, 16, 10, 16, 2, 0}, /* columns 74 … 78 and 68 … 72: 1; 42 … 46 and 36 … 40: 0 */
        {10, 16, 16, 16, 2, -1}, /* 0; 200 · 5 - 200 · 25 ≤ -25: 1 */
    };
    memcpy(tests, first, sizeof first);
    static const uint8_t want[] = {0x5A, 0x59};
    assert_descriptors(&workload, want, REST);
}

/* All averages are 77: a bit says whether its threshold is at least 0, whatever the keypoint. */
TEST(extreme_keypoints_in_any_image) {
    static const int32_t sides[][2] = {{1, 1}, {7, 5}, {31, 40}, {1, 300}, {300, 1}, {90, 70}};
    enum { COUNT = 132 };
    BadTest tests[BITS];
    Keypoint keypoints[COUNT];
    uint8_t want[COUNT];
    memset(want, 0xAA, sizeof want);
    for (size_t s = 0; s < COUNT_OF(sides); s++) {
        RELEASED_BY(test_image_free)
        Image image = test_image(sides[s][0], sides[s][1], 5, FILL_CONSTANT, 0);
        keypoint_cases_fill(&image, COUNT, keypoints);
        const Workload workload = make_workload(tests, &image, keypoints, COUNT);
        for (int32_t i = 0; i < BITS; i++) {
            tests[i] = (BadTest){(float)(i % 32),     (float)(i / 8),      (float)(31 - i / 16),
                                 (float)(31 - i % 8), (float)(i % 16 / 2), i % 2 == 0 ? 0 : -0.01F};
        }
        assert_descriptors(&workload, want, 0xAA);
    }
}

TEST(no_keypoints) {
    BadTest tests[BITS];
    RELEASED_BY(test_image_free) Image image = test_image(20, 20, 0, FILL_NOISE, 1);
    const Workload workload = make_workload(tests, &image, NULL, 0);
    assert_descriptors(&workload, NULL, 0);
}

TEST(layout_and_cost) {
    BadTest tests[BITS];
    Keypoint keypoints[3] = {{0}};
    const Image image = {.width = 30, .height = 20, .stride = 30};
    const Workload workload = make_workload(tests, &image, keypoints, 3);
    const Point answer = keypoint_case_point(&bad_algorithm, BITS, 2, 1);
    OutputLayout layout = {0};
    assert_ok(bad_algorithm.output_layout(&workload, &answer, &layout));
    assert_int_equal(layout.count, 1);
    assert_string_equal(layout.parts[0].name, "descriptors");
    assert_int_equal(layout.parts[0].kind, OUTPUT_ROWS_U8);
    assert_int_equal(layout.parts[0].width, BYTES);
    assert_int_equal(layout.parts[0].height, 2);
    const Cost cost = bad_algorithm.cost(&workload, &answer);
    assert_true(cost.items == 2);
    assert_true(cost.bytes == 2 * (16 + 32) + 256 * 24);
    assert_true(cost.operations == 2 * 256 * 50);
    assert_true(cost.oracle_work == 30 * 20 + 2 * 256 * 50);
    assert_string_equal(cost.operation, "int32");
    const Point more = keypoint_case_point(&bad_algorithm, BITS, 4, 1);
    assert_int_equal(bad_algorithm.output_layout(&workload, &more, &layout).code, STATUS_SKIP);
    const Point other = keypoint_case_point(&bad_algorithm, 512, 2, 1);
    assert_int_equal(bad_algorithm.output_layout(&workload, &other, &layout).code, STATUS_SKIP);
}
