#include "fixtures.h"
#include "test.h"

#include <locale.h>

#include "fnv.h"
#include "keypoint_files.h"
#include "needs.h"

static Status decode(const char *text, KeypointList *list) {
    return keypoints_decode("some.csv", text, strlen(text), list);
}

static void assert_keypoint(const KeypointList *list, int32_t index, Keypoint want) {
    assert_in_range(index, 0, list->count - 1);
    assert_memory_equal(&list->keypoints[index], &want, sizeof want);
}

/* Decodes two keypoints that are always the same, however they are written. */
static void assert_two(const char *text) {
    KeypointList list;
    assert_ok(decode(text, &list));
    assert_int_equal(list.count, 2);
    assert_int_equal(list.wanted, 2);
    assert_keypoint(&list, 0, (Keypoint){.x = 1.5F, .y = -2, .size = 3, .angle = 90});
    assert_keypoint(&list, 1, (Keypoint){.x = 300, .y = 0.25F, .size = 0, .angle = -1});
    keypoints_free(&list);
    assert_null(list.keypoints);
    assert_int_equal(list.count, 0);
}

TEST(plain_lines_are_read) {
    assert_two("x,y,size,angle\n1.5,-2,3,90\n300,0.25,0,-1\n");
    assert_two("x,y,size,angle\n1.5,-2,3,90\n3e2,.25,0,-1.");
}

TEST(columns_may_stand_in_any_order) {
    assert_two("angle,size,x,y\n90,3,1.5,-2\n-1,0,300,0.25\n");
}

TEST(further_columns_are_ignored) {
    assert_two("name,x,y,size,angle,response\nnan,1.5,-2,3,90,inf\n,300,0.25,0,-1\n");
    assert_two("\"\",\"x\",\"y\",\"size\",\"angle\"\n\"a,b\",1.5,-2,3,90\n2,300,\"0.25\",0,-1\n");
}

TEST(the_first_column_of_a_name_counts) {
    assert_two("x,y,size,angle,x\n1.5,-2,3,90,7\n300,0.25,0,-1,7\n");
}

TEST(line_ends_blanks_and_comments_do_not_matter) {
    assert_two("x,y,size,angle\r\n1.5,-2,3,90\r\n300,0.25,0,-1\r\n");
    assert_two("x,y,size,angle\r1.5,-2,3,90\r300,0.25,0,-1\r");
    assert_two("x,y,size,angle\r\r1.5,-2,3,90\r\n#\r300,0.25,0,-1");
    assert_two("\n# a\n x , y,size,\tangle\n\n1.5, -2 ,3,90\n#b\n300,0.25,0,-1\n \n#");
    assert_two("\xef\xbb\xbfx,y,size,angle\n1.5,-2,3,90\n300,0.25,0,-1\n");
}

static float scale_of(const char *comment) {
    char text[128];
    RELEASED_BY(keypoints_free) KeypointList list;
    snprintf(text, sizeof text, "%s\nx,y,size,angle\n1,2,3,4\n", comment);
    assert_ok(decode(text, &list));
    const float scale = list.scale;
    return scale;
}

TEST(the_detector_sets_the_scale) {
    assert_true(scale_of("") == 6.75F);
    assert_true(scale_of("# detector: sift") == 6.75F);
    assert_true(scale_of("# detector: fast") == 1);
    assert_true(scale_of("#detector:orb \r") == 1);
    assert_true(scale_of("# the detector: fast") == 6.75F);
    KeypointList list;
    assert_refused(decode("#\n# detector: surf\nx,y,size,angle\n", &list), STATUS_FILE,
                   "some.csv: line 2: its detector is \"surf\"", "sift, fast or orb");
    assert_int_equal(list.count, 0);
}

#define WITH_HEADER(lines) "x,y,size,angle\n" lines

static void assert_wrong(const char *text, const char *where, const char *what) {
    KeypointList list;
    assert_refused(decode(text, &list), STATUS_FILE, where, what);
    assert_null(list.keypoints);
    assert_int_equal(list.count, 0);
}

TEST(a_file_without_keypoints_is_refused) {
    assert_wrong("# detector: fast\nx,y,size,angle\n", "some.csv: holds no keypoints",
                 "the line that names the columns");
    assert_wrong("x,y,size,angle\r\n\n# 1,2,3,4\n", "some.csv: holds no keypoints", "columns");
}

TEST(other_separators_are_named) {
    assert_wrong("x;y;size;angle\n1;2;3;4\n", "some.csv: line 1: has semicolons between its fields",
                 "commas would be right");
    assert_wrong("#\nx\ty\tsize\tangle\n1\t2\t3\t4\n", "some.csv: line 2: has tabs", "commas");
}

/* Little and big end first, with a byte-order mark and without. */
TEST(utf16_is_named) {
    static const char text[] = WITH_HEADER("1,2,3,4\n");
    for (int kind = 0; kind < 4; kind++) {
        const bool big = kind % 2 != 0;
        char wide[2 * sizeof text];
        size_t size = 0;
        for (size_t i = kind < 2 ? 1 : 0; i < sizeof text; i++) {
            const char low = i == 0 ? '\xff' : text[i - 1];
            const char high = i == 0 ? '\xfe' : '\0';
            wide[size++] = big ? high : low;
            wide[size++] = big ? low : high;
        }
        KeypointList list;
        assert_refused(keypoints_decode("wide.csv", wide, size, &list), STATUS_FILE,
                       "wide.csv: is text in UTF-16", "save it as UTF-8");
        assert_null(list.keypoints);
    }
}

TEST(a_missing_column_is_named) {
    assert_wrong("", "some.csv: has no line", "x, y, size and angle");
    assert_wrong("# detector: sift\n", "some.csv: has no line", "names columns");
    assert_wrong("x,size,angle\n1,2,3\n", "some.csv: line 1", "\"y\"");
    assert_wrong("x,y,Size,angle\n1,2,3,4\n", "some.csv: line 1", "\"size\"");
    assert_wrong("#\nx,y,size\n1,2,3\n", "some.csv: line 2", "\"angle\"");
    assert_wrong("1,2,3,4\n", "some.csv: line 1", "x, y, size and angle are needed");
}

TEST(what_is_no_number_is_refused) {
    assert_wrong(WITH_HEADER("1,2,3,4\n\nabc,2,3,4\n"), "some.csv: line 4: x is \"abc\"",
                 "a number would be right");
    assert_wrong(WITH_HEADER("1,,3,4\n"), "line 2: y is \"\"", "a number");
    assert_wrong(WITH_HEADER("1,2,3mm,4\n"), "line 2: size is \"3mm\"", "a number");
    assert_wrong(WITH_HEADER("1,2,3,0x4\n"), "line 2: angle is \"0x4\"", "a number");
    assert_wrong(WITH_HEADER("1-2,2,3,4\n"), "line 2: x is \"1-2\"", "a number");
    assert_wrong(WITH_HEADER("e,2,3,4\n"), "line 2: x is \"e\"", "a number");
    assert_wrong(WITH_HEADER("\x1b[2J,2,3,4\n"), "line 2: x is \"?[2J\"", "a number");
}

TEST(a_zero_byte_is_no_end) {
    static const char text[] = WITH_HEADER("1\0,2,3,4\n");
    KeypointList list;
    assert_refused(keypoints_decode("zero.csv", text, sizeof text - 1, &list), STATUS_FILE,
                   "zero.csv: line 2: x is \"1?\"", "a number");
}

TEST(what_is_not_finite_is_refused) {
    assert_wrong(WITH_HEADER("nan,2,3,4\n"), "line 2: x is \"nan\"", "finite");
    assert_wrong(WITH_HEADER("1,-NaN,3,4\n"), "line 2: y is \"-NaN\"", "finite");
    assert_wrong(WITH_HEADER("1,2,inf,4\n"), "line 2: size is \"inf\"", "finite");
    assert_wrong(WITH_HEADER("1,2,3,-Infinity\n"), "line 2: angle is \"-Infinity\"", "finite");
    assert_wrong(WITH_HEADER("1e39,2,3,4\n"), "line 2: x is \"1e39\"", "finite");
}

TEST(a_negative_size_is_refused) {
    assert_wrong(WITH_HEADER("1,2,-0.5,4\n"), "line 2: size is -0.5", "0 or more");
}

TEST(a_short_line_is_refused) {
    assert_wrong(WITH_HEADER("1,2,3,4\n1,2,3\n"), "line 3: has 3 fields", "at least 4");
    assert_wrong("id,x,y,size,angle\n7\n", "line 2: has 1 field;", "at least 5");
}

TEST(the_most_keypoints_are_read_and_no_more) {
    static const char header[] = "x,y,size,angle\n";
    static const char line[] = "1,2,3,4\n";
    const size_t lines = KEYPOINTS_MAX + 1;
    const size_t size = strlen(header) + lines * strlen(line);
    char *text = malloc(size);
    assert_non_null(text);
    memcpy(text, header, strlen(header));
    for (size_t i = 0; i < lines; i++) {
        memcpy(text + strlen(header) + i * strlen(line), line, strlen(line));
    }
    KeypointList list;
    assert_refused(keypoints_decode("many.csv", text, size, &list), STATUS_FILE,
                   "many.csv: line 1000002", "more than 1000000 keypoints");
    assert_null(list.keypoints);
    assert_ok(keypoints_decode("many.csv", text, size - strlen(line), &list));
    assert_int_equal(list.count, KEYPOINTS_MAX);
    assert_keypoint(&list, KEYPOINTS_MAX - 1, (Keypoint){.x = 1, .y = 2, .size = 3, .angle = 4});
    keypoints_free(&list);
    free(text);
}

/* Where a comma separates decimals, a file still has points. */
TEST(the_locale_does_not_matter) {
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        skip_needing("the locale de_DE.UTF-8", NULL);
    }
    assert_two("x,y,size,angle\n1.5,-2,3,90\n300,0.25,0,-1\n");
    assert_string_equal(localeconv()->decimal_point, ",");
    setlocale(LC_ALL, "C");
}

TEST(files_are_read, fixture_setup, fixture_teardown) {
    const char *path = fixture_path(test_state, "points.csv");
    static const char text[] = "# detector: fast\nx,y,size,angle\n1,2,3,4\n";
    KeypointList list;
    assert_refused(keypoints_read(path, &list), STATUS_FILE, path, "No such file");
    assert_null(list.keypoints);
    write_file(path, text, sizeof text - 1);
    assert_ok(keypoints_read(path, &list));
    assert_int_equal(list.count, 1);
    assert_true(list.scale == 1);
    keypoints_free(&list);
    const Fixture *fixture = test_state;
    assert_refused(keypoints_read(fixture->folder, &list), STATUS_FILE, fixture->folder,
                   "is a folder; an ordinary file is needed");
}

/* The bytes of 1, 2, 3 and −1 as float32, by hand; on a machine with the lowest byte first. */
TEST(the_hash_is_that_of_the_numbers) {
    static const uint8_t bytes[] = {0, 0, 0x80, 0x3f, 0, 0, 0,    0x40,
                                    0, 0, 0x40, 0x40, 0, 0, 0x80, 0xbf};
    KeypointList list;
    assert_ok(decode("x,y,size,angle\n1,2,3,-1\n", &list));
    assert_true(keypoints_hash(FNV_START, &list) == fnv_bytes(FNV_START, bytes, sizeof bytes));
    assert_true(keypoints_hash(7, &list) == fnv_bytes(7, bytes, sizeof bytes));
    keypoints_free(&list);
    assert_true(keypoints_hash(7, &list) == 7);
}

/* Of OpenCV's keypoints the first line and the last, and how many there are. */
TEST(published_keypoints_are_read) {
    static const char path[] = BENCH_SHARED_DATA "/oracles/sift_graf1.csv";
    if (access(path, F_OK) != 0) {
        skip_needing(NEEDS_SHARED_DATA, path);
    }
    RELEASED_BY(keypoints_free) KeypointList list;
    assert_ok(keypoints_read(path, &list));
    assert_int_equal(list.count, 2001);
    assert_true(list.scale == 6.75F);
    assert_keypoint(
        &list, 0,
        (Keypoint){.x = 441.597137F, .y = 262.167938F, .size = 6.06219339F, .angle = 40.1254082F});
    assert_keypoint(
        &list, 2000,
        (Keypoint){.x = 585.300293F, .y = 591.896729F, .size = 2.53999114F, .angle = 250.962082F});
}
