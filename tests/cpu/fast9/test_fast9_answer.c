/* fast9: suppression, order and number of keypoints, what is written and what it costs; all CPU
 * variants. */
#include <unistd.h>

#include "cpu/fast9_points.h"
#include "datasets.h"
#include "fast9_internal.h"
#include "needs.h"
#include "test.h"

enum { MANY = 1000000, ROOM = 64 };

/* A bright square at (28, 28), or at the same place with a shift: 24 corners of one score, 6 at
 * each of its own corners. */
enum { SQUARE = 12, AT = 28, CORNER_SCORE = 199 };

static Image square_image(int32_t side) {
    Image image = fast9_flat_image(side, side, 0);
    fast9_fill(&image, AT, AT, SQUARE, SQUARE, 200);
    return image;
}

typedef struct Place {
    int32_t x, y;
} Place;

/* Every variant gives `count` keypoints at these places, and 0 in all rows behind. */
static void assert_keypoints(const Image *image, Fast9Point values, const Place *places,
                             size_t count) {
    const Point answer = fast9_answer_point(values);
    for (size_t i = 0; i < fast9_algorithm.cpu.count; i++) {
        const Variant *variant = &fast9_algorithm.cpu.rows[i];
        RELEASED_BY(output_free)
        Output output = variant_answer_at(&fast9_algorithm, variant, image, &answer, 2);
        const Fast9Keypoint *keypoints = fast9_keypoints(&output);
        static const Fast9Keypoint none;
        assert_int_equal(*fast9_count(&output), count);
        for (size_t k = 0; k < (size_t)values.max_keypoints; k++) {
            if (k < count) {
                assert_int_equal(keypoints[k].x, places[k].x);
                assert_int_equal(keypoints[k].y, places[k].y);
            } else {
                assert_memory_equal(&keypoints[k], &none, sizeof none);
            }
        }
    }
}

/* Equal scores: the first of each six by rows stays; with 7 pixels, from one six to the next, that
 * of all. */
TEST(of_equal_ones_the_earlier_stays) {
    static const Place four[] = {{28, 28}, {37, 28}, {28, 37}, {39, 37}};
    RELEASED_BY(test_image_free) Image image = square_image(68);
    assert_keypoints(&image, (Fast9Point){ROOM, 1, 20, 1, FAST9_SCORE_FAST}, four, 4);
    assert_keypoints(&image, (Fast9Point){ROOM, 1, 20, 6, FAST9_SCORE_FAST}, four, 4);
    static const Place one[] = {{28, 28}};
    assert_keypoints(&image, (Fast9Point){ROOM, 1, 20, 7, FAST9_SCORE_FAST}, one, 1);
    assert_keypoints(&image, (Fast9Point){ROOM, 1, 20, 16, FAST9_SCORE_FAST}, one, 1);
    assert_keypoints(&image, (Fast9Point){ROOM, 1, 199, 1, FAST9_SCORE_FAST}, four, 4);
    assert_keypoints(&image, (Fast9Point){ROOM, 1, 200, 1, FAST9_SCORE_FAST}, NULL, 0);
}

/* Single pixels are corners; what suppresses need not stay itself. */
TEST(stronger_ones_suppress) {
    RELEASED_BY(test_image_free) Image image = fast9_flat_image(80, 60, 0);
    *fast9_pixel(&image, 30, 30) = 100;
    *fast9_pixel(&image, 35, 30) = 120;
    *fast9_pixel(&image, 40, 31) = 140;
    *fast9_pixel(&image, 45, 24) = 130;
    static const Place all[] = {{40, 31}, {45, 24}, {35, 30}, {30, 30}};
    assert_keypoints(&image, (Fast9Point){ROOM, 1, 20, 4, FAST9_SCORE_FAST}, all, 4);
    static const Place far[] = {{40, 31}, {45, 24}};
    assert_keypoints(&image, (Fast9Point){ROOM, 1, 20, 5, FAST9_SCORE_FAST}, far, 2);
    assert_keypoints(&image, (Fast9Point){ROOM, 1, 20, 6, FAST9_SCORE_FAST}, far, 2);
    assert_keypoints(&image, (Fast9Point){ROOM, 1, 20, 7, FAST9_SCORE_FAST}, far, 1);
}

/* The strongest come first; equal ones by rows; no more than asked for, and none of none. */
TEST(only_the_strongest) {
    RELEASED_BY(test_image_free) Image image = fast9_flat_image(90, 70, 250);
    static const Place order[] = {{50, 40}, {20, 20}, {60, 20}, {20, 50}, {35, 28}};
    static const uint8_t values[] = {10, 100, 100, 100, 200};
    for (size_t i = 0; i < COUNT_OF(order); i++) {
        *fast9_pixel(&image, order[i].x, order[i].y) = values[i];
    }
    for (int32_t most = 0; most <= 6; most++) {
        assert_keypoints(&image, (Fast9Point){most, 1, 20, 1, FAST9_SCORE_FAST}, order,
                         most < 5 ? (size_t)most : 5);
    }
    assert_keypoints(&image, (Fast9Point){MANY, 1, 20, 1, FAST9_SCORE_HARRIS}, order, 5);
}

/* 16 pixels from the edges are the first that can be keypoints, 15 the last that cannot. */
TEST(borders_have_none) {
    static const int32_t near[] = {15, 64};
    static const Place corners[] = {{16, 16}, {63, 16}, {16, 63}, {63, 63}};
    RELEASED_BY(test_image_free) Image image = fast9_flat_image(80, 80, 0);
    for (size_t i = 0; i < COUNT_OF(near); i++) {
        for (int32_t at = 0; at < 80; at += 8) {
            *fast9_pixel(&image, near[i], at) = 255;
            *fast9_pixel(&image, at, near[i]) = 255;
        }
    }
    assert_keypoints(&image, (Fast9Point){ROOM, 1, 20, 1, FAST9_SCORE_FAST}, NULL, 0);
    fast9_fill(&image, 0, 0, 80, 80, 0);
    for (size_t i = 0; i < COUNT_OF(corners); i++) {
        *fast9_pixel(&image, corners[i].x, corners[i].y) = 255;
    }
    assert_keypoints(&image, (Fast9Point){ROOM, 1, 20, 1, FAST9_SCORE_FAST}, corners, 4);
}

TEST(small_images_have_none) {
    static const int32_t sides[][2] = {{1, 1}, {39, 40}, {40, 39}, {300, 5}};
    for (size_t i = 0; i < COUNT_OF(sides); i++) {
        RELEASED_BY(test_image_free)
        Image image = test_image(sides[i][0], sides[i][1], 1, FILL_EXTREME, 1);
        assert_keypoints(&image, (Fast9Point){5, 8, 1, 1, FAST9_SCORE_FAST}, NULL, 0);
        assert_keypoints(&image, (Fast9Point){0, 8, 1, 1, FAST9_SCORE_HARRIS}, NULL, 0);
    }
}

/* A single pixel: scores by hand, and moments of itself and of one in the disc. */
TEST(rows_of_the_answer) {
    RELEASED_BY(test_image_free) Image image = fast9_flat_image(60, 60, 0);
    *fast9_pixel(&image, 25, 30) = 10;
    *fast9_pixel(&image, 35, 33) = 3;
    for (int score = FAST9_SCORE_FAST; score <= FAST9_SCORE_HARRIS; score++) {
        const Point answer = fast9_answer_point((Fast9Point){8, 1, 5, 1, (Fast9Score)score});
        for (size_t i = 0; i < fast9_algorithm.cpu.count; i++) {
            RELEASED_BY(output_free)
            Output output = variant_answer_at(&fast9_algorithm, &fast9_algorithm.cpu.rows[i],
                                              &image, &answer, 2);
            const Fast9Keypoint *row = fast9_keypoints(&output);
            assert_int_equal(*fast9_count(&output), 1);
            assert_int_equal(row->level, 0);
            assert_int_equal(row->x, 25);
            assert_int_equal(row->y, 30);
            assert_int_equal(row->score, score == FAST9_SCORE_FAST ? 9 : 30240000);
            assert_int_equal(row->m10, 3 * 10);
            assert_int_equal(row->m01, 3 * 3);
        }
    }
}

/*
 * graf1.png at threshold 20, one level: the corners and scores of OpenCV 5.0.0
 * (test_fast9_corners.c) with suppression and order as fast9.h says, written apart in Python with
 * numpy: how many stay, sums of their scores, x and y, and of place · x, where the first has
 * place 1.
 */
TEST(strongest_of_a_photograph) {
    static const struct {
        int32_t radius;
        uint64_t count, scores, x, y, places;
    } anchors[] = {{1, 2426, 107837, 927243, 956253, 1161095790},
                   {3, 1471, 75432, 554748, 565611, 423674722}};
    static const char path[] = BENCH_SHARED_DATA "/homography/graf1.png";
    if (access(path, R_OK) != 0) {
        skip_needing(NEEDS_SHARED_DATA, path);
    }
    RELEASED_BY(image_free) Image image;
    assert_ok(image_read(path, &image));
    for (size_t i = 0; i < COUNT_OF(anchors) * fast9_algorithm.cpu.count; i++) {
        const size_t a = i % COUNT_OF(anchors);
        const Variant *variant = &fast9_algorithm.cpu.rows[i / COUNT_OF(anchors)];
        const Point answer =
            fast9_answer_point((Fast9Point){5000, 1, 20, anchors[a].radius, FAST9_SCORE_FAST});
        RELEASED_BY(output_free)
        Output output = variant_answer_at(&fast9_algorithm, variant, &image, &answer, 3);
        const Fast9Keypoint *rows = fast9_keypoints(&output);
        uint64_t sums[4] = {0};
        for (uint64_t k = 0; k < *fast9_count(&output); k++) {
            sums[0] += (uint64_t)rows[k].score;
            sums[1] += rows[k].x;
            sums[2] += rows[k].y;
            sums[3] += (k + 1) * rows[k].x;
        }
        assert_int_equal(*fast9_count(&output), anchors[a].count);
        assert_int_equal(sums[0], anchors[a].scores);
        assert_int_equal(sums[1], anchors[a].x);
        assert_int_equal(sums[2], anchors[a].y);
        assert_int_equal(sums[3], anchors[a].places);
    }
}

/* Higher scores never have a lower class, and small ones have one each. */
TEST(classes_of_scores) {
    int32_t last = fast9_score_class(INT64_MIN);
    assert_in_range(last, 0, FAST9_CLASSES - 1);
    for (int exponent = 55; exponent >= 0; --exponent) {
        for (int64_t part = 255; part >= 128; --part) {
            const int32_t class = fast9_score_class(-((part << exponent) >> 7));
            assert_true(class >= last);
            last = class;
        }
    }
    for (int64_t score = -255; score <= 256; score++) {
        assert_true(fast9_score_class(score) > fast9_score_class(score - 1));
    }
    last = fast9_score_class(0);
    for (int exponent = 0; exponent <= 55; exponent++) {
        for (int64_t part = 128; part < 256; part++) {
            const int32_t class = fast9_score_class((part << exponent) >> 7);
            assert_true(class >= last);
            last = class;
        }
    }
    assert_in_range(fast9_score_class(INT64_MAX), last, FAST9_CLASSES - 1);
}

static void assert_written(const Image *image, const Point *answer, const Output *output,
                           size_t part, const char *want) {
    const Workload workload = {.kind = WORKLOAD_IMAGE, .image = *image};
    FILE *stream = test_stream();
    const Status status = fast9_algorithm.write_part(stream, &workload, answer, output, part);
    char *text = test_text(stream);
    assert_ok(status);
    assert_string_equal(text, want);
}

/* 48 pixels are 40 on level 1, whose pixels are 1.2 wide. */
TEST(written_in_pixels_of_the_image) {
    const Point answer = fast9_answer_point((Fast9Point){9, 2, 20, 1, FAST9_SCORE_FAST});
    const Image image = {.width = 48, .height = 72, .stride = 48};
    const Workload workload = {.kind = WORKLOAD_IMAGE, .image = image};
    Output output = {.data = NULL};
    assert_ok(fast9_algorithm.output_layout(&workload, &answer, &output.layout));
    output.data = aligned_alloc(OUTPUT_ALIGNMENT, output.layout.bytes);
    assert_non_null(output.data);
    memset(output.data, 0, output.layout.bytes);
    static const Fast9Keypoint rows[] = {
        {.level = 0, .x = 16, .y = 17, .score = 90, .m10 = 5, .m01 = 0},
        {.level = 1, .x = 20, .y = 16, .score = -7, .m10 = 0, .m01 = 3},
        {.level = 1, .x = 16, .y = 30, .score = 6, .m10 = -1, .m01 = 0},
        {.level = 0, .x = 31, .y = 55, .score = 5, .m10 = 4, .m01 = -4},
        {.level = 0, .x = 30, .y = 50, .score = 4, .m10 = 0, .m01 = 0},
    };
    memcpy(fast9_keypoints(&output), rows, sizeof rows);
    *fast9_count(&output) = COUNT_OF(rows);
    assert_written(&image, &answer, &output, FAST9_PART_COUNT, "bin,count\n0,5\n");
    assert_written(&image, &answer, &output, FAST9_PART_KEYPOINTS,
                   "# detector: fast\n"
                   "x,y,size,angle,response,level\n"
                   "16,17,31,0,90,0\n"
                   "24.1000004,19.2999992,37.2000008,90,-7,1\n"
                   "19.2999992,36.0999985,37.2000008,180,6,1\n"
                   "31,55,31,315,5,0\n"
                   "30,50,31,-1,4,0\n");
    *fast9_count(&output) = 0;
    assert_written(&image, &answer, &output, FAST9_PART_KEYPOINTS,
                   "# detector: fast\nx,y,size,angle,response,level\n");
    free(output.data);
}

/* 48×72: levels of 48×72 and 40×60 with 16×40 and 8×28 pixels that can be keypoints. */
TEST(cost_by_hand) {
    const Workload workload = {.image = {.width = 48, .height = 72, .stride = 48}};
    const Point answer = fast9_answer_point((Fast9Point){100, 8, 20, 1, FAST9_SCORE_FAST});
    const Cost cost = fast9_algorithm.cost(&workload, &answer);
    assert_true(cost.items == 48 * 72);
    assert_true(cost.bytes == 48 * 72 + 8 + 100 * 48);
    assert_true(cost.operations == 4 * (16 * 40 + 8 * 28));
    assert_true(cost.oracle_work == 48 * 72 + 40 * 60);
    assert_string_equal(cost.operation, "int32");
}

TEST(points_of_axes) {
    const Fast9Point values = {7, 3, 99, 5, FAST9_SCORE_HARRIS};
    const Point answer = fast9_answer_point(values);
    const Fast9Point got = fast9_point(&answer);
    assert_memory_equal(&got, &values, sizeof got);
}
