

#include "algorithm.h"
#include "datasets.h"
#include "harness.h"
#include "inputs.h"
#include "keypoint_files.h"
#include "registry.h"
#include "test.h"
#include "verify.h"

enum { COLUMNS = 6 };

static Output make_answer(size_t columns, size_t rows, uint64_t count) {
    OutputLayout layout = {0};
    Output answer;
    assert_ok(output_layout_add(&layout, "count", OUTPUT_COUNTS_U64, 1, 1));
    assert_ok(output_layout_add(&layout, "keypoints", OUTPUT_TABLE_U64, columns, rows));
    assert_ok(answer_alloc_plain(&layout, &answer));
    memset(answer.data, 0, layout.bytes);
    *(uint64_t *)output_part(&answer, 0) = count;
    return answer;
}

static void check_keypoint(Keypoint got, double x, double y, double size, double angle) {
    assert_true(fabs(got.x - x) < 1e-4);
    assert_true(fabs(got.y - y) < 1e-4);
    assert_true(fabs(got.size - size) < 1e-4);
    assert_true(fabs(got.angle - angle) < 1e-4);
}

/* --- Rows of an answer, by hand --------------------------------------------------------------- */

/* Level 1 of 100×60 pixels has 83×50, level 2 has 69×42. */
TEST(rows_become_keypoints_of_the_image) {
    const Image image = {.width = 100, .height = 60, .stride = 100};
    RELEASED_BY(answer_release_plain) Output answer = make_answer(COLUMNS, 4, 3);
    const uint64_t rows[3][COLUMNS] = {
        {0, 10, 20, 99, 1, 0}, {1, 5, 7, 98, 0, (uint64_t)-2}, {2, 30, 16, 97, 0, 0}};
    memcpy(output_part(&answer, 1), rows, sizeof rows);
    RELEASED_BY(keypoints_free) KeypointList list;
    assert_ok(keypoints_from_answer(&image, &answer, &list));
    assert_int_equal(list.count, 3);
    assert_int_equal(list.wanted, 3);
    assert_true(list.scale == 1);
    check_keypoint(list.keypoints[0], 10, 20, 31, 0);
    check_keypoint(list.keypoints[1], 550.0 / 83 - 0.5, 8.5, 3100.0 / 83, 270);
    check_keypoint(list.keypoints[2], 3050.0 / 69 - 0.5, 16.5 * 60 / 42 - 0.5, 3100.0 / 69, -1);
}

/* A saved answer read as a keypoint file has the same keypoints, to the last bit, and their scale.
 * Sides that levels do not divide make places that few digits do not hold. */
TEST(a_saved_answer_reads_back) {
    const Workload workload = {.image = {.width = 1037, .height = 611, .stride = 1037}};
    const Algorithm *fast = registry_find_algorithm("fast");
    const Point none = {.count = 0};
    RELEASED_BY(answer_release_plain) Output answer = make_answer(COLUMNS, 64, 64);
    uint64_t *rows = output_part(&answer, 1);
    for (uint64_t k = 0; k < 64; k++) {
        const uint64_t row[COLUMNS] = {k % 8, 16 + 3 * k, 16 + k, 99 - k, 7 * k + 1, 5 * k % 31};
        memcpy(rows + k * COLUMNS, row, sizeof row);
    }
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_ok(fast->write_part(stream, &workload, &none, &answer, 1));
    fclose(stream);
    KeypointList found;
    KeypointList read;
    assert_ok(keypoints_from_answer(&workload.image, &answer, &found));
    assert_string_equal(keypoints_decode("saved", text, size, &read).why, "");
    assert_int_equal(read.count, 64);
    assert_memory_equal(read.keypoints, found.keypoints, 64 * sizeof(Keypoint));
    assert_true(read.scale == found.scale);
    keypoints_free(&found);
    keypoints_free(&read);
    free(text);
}

TEST(another_answer_is_refused) {
    const Image image = {.width = 100, .height = 60, .stride = 100};
    KeypointList list;
    Output answer = make_answer(COLUMNS - 1, 4, 3);
    assert_int_equal(keypoints_from_answer(&image, &answer, &list).code, STATUS_FAIL);
    answer_release_plain(&answer);
    answer = make_answer(COLUMNS, 4, 5); /* more than there are rows */
    assert_int_equal(keypoints_from_answer(&image, &answer, &list).code, STATUS_FAIL);
    answer_release_plain(&answer);
}

/* --- Found ------------------------------------------------------------------------------------ */

static Image texture(int32_t width, int32_t height) {
    Image image;
    assert_ok(synthetic_image("texture", width, height, 1, &image));
    return image;
}

/* A white square on black: its corners are the corners. */
TEST(corners_are_found) {
    RELEASED_BY(image_free) Image image;
    RELEASED_BY(keypoints_free) KeypointList list;
    assert_ok(image_create(100, 80, 1, &image));
    memset(image.pixels, 0, 8000);
    for (int y = 30; y < 50; y++) {
        memset(image.pixels + y * 100 + 35, 255, 25);
    }
    assert_ok(keypoints_detect(&image, NULL, 1000, &list));
    assert_true(list.count >= 4);
    assert_true(list.scale == 1);
    assert_int_equal(list.wanted, list.count);
    for (int32_t i = 0; i < list.count; i++) {
        const Keypoint *keypoint = &list.keypoints[i];
        const double across = fmin(fabs(keypoint->x - 35), fabs(keypoint->x - 59));
        const double down = fmin(fabs(keypoint->y - 30), fabs(keypoint->y - 49));
        assert_true(across < 5 && down < 5);
        assert_true(keypoint->size >= 31);
        assert_true(keypoint->angle >= -1 && keypoint->angle <= 360);
    }
}

TEST(the_strongest_are_kept) {
    RELEASED_BY(image_free) Image image = texture(200, 150);
    RELEASED_BY(keypoints_free) KeypointList all;
    KeypointList few;
    const Variant *seq = registry_find_variant(registry_find_algorithm("fast"), "seq");
    assert_ok(keypoints_detect(&image, NULL, 100000, &all));
    assert_true(all.count > 10);
    assert_ok(keypoints_detect(&image, seq, 10, &few));
    assert_int_equal(few.count, 10);
    assert_memory_equal(few.keypoints, all.keypoints, 10 * sizeof(Keypoint));
    keypoints_free(&few);
    assert_ok(keypoints_detect(&image, NULL, 0, &few));
    assert_int_equal(few.count, 0);
    keypoints_free(&few);
}

TEST(a_small_image_has_none) {
    RELEASED_BY(image_free) Image image = texture(1, 1);
    RELEASED_BY(keypoints_free) KeypointList list;
    assert_ok(keypoints_detect(&image, NULL, 100, &list));
    assert_int_equal(list.count, 0);
}

/* --- Drawn ------------------------------------------------------------------------------------ */

static KeypointList filled(int32_t count, uint64_t seed) {
    KeypointList list = {.count = 0};
    assert_ok(keypoints_fill(64, 48, count, seed, &list));
    assert_int_equal(list.count, count);
    return list;
}

TEST(drawn_keypoints_lie_in_the_image) {
    RELEASED_BY(keypoints_free) KeypointList list = filled(1000, 1);
    int seen[8] = {0};
    for (int32_t i = 0; i < list.count; i++) {
        const Keypoint *keypoint = &list.keypoints[i];
        const double level = log(keypoint->size / 31.0) / log(1.2);
        assert_true(keypoint->x >= -0.5 && keypoint->x <= 63.5);
        assert_true(keypoint->y >= -0.5 && keypoint->y <= 47.5);
        assert_true(keypoint->angle >= 0 && keypoint->angle <= 360);
        assert_true(fabs(level - round(level)) < 1e-4);
        seen[(int)round(level)]++;
    }
    for (int i = 0; i < 8; i++) {
        assert_true(seen[i] > 60); /* 125, give or take 10.5 */
    }
}

TEST(drawn_keypoints_follow_from_the_seed) {
    RELEASED_BY(keypoints_free) KeypointList list = filled(20, 1);
    RELEASED_BY(keypoints_free) KeypointList more = filled(30, 1);
    RELEASED_BY(keypoints_free) KeypointList other = filled(20, 2);
    assert_memory_equal(list.keypoints, more.keypoints, 20 * sizeof(Keypoint));
    assert_memory_not_equal(list.keypoints, other.keypoints, sizeof(Keypoint));
    const Keypoint mine = {1, 2, 3, 4};
    list.keypoints[0] = mine;
    assert_ok(keypoints_fill(64, 48, 10, 1, &list));
    assert_int_equal(list.count, 20); /* enough already */
    assert_ok(keypoints_fill(64, 48, 30, 1, &list));
    assert_memory_equal(&list.keypoints[0], &mine, sizeof mine);
    assert_memory_equal(list.keypoints + 20, more.keypoints + 20, 10 * sizeof(Keypoint));
}
