#include "fnv.h"
#include "needs.h"
#include "test.h"
#include "weights_fixtures.h"

static void assert_boxes(char *text, int32_t bits) {
    static const float row[] = {1, 2, 30, 29, 1, 0.5F};
    Weights weights;
    assert_ok(decode(text, &weights));
    free(text);
    assert_string_equal(weights.kind, "bad");
    assert_string_equal(weights.name, "some.csv");
    assert_int_equal(weights.bits, bits);
    assert_int_equal(weights.columns, 6);
    uint64_t hash = FNV_START;
    for (int32_t i = 0; i < bits; i++) {
        assert_memory_equal(weights.values + 6 * i, row, sizeof row);
        hash = fnv_bytes(hash, row, sizeof row);
    }
    assert_true(weights.hash == hash);
    weights_free(&weights);
    assert_null(weights.values);
}

TEST(boxes_are_read) {
    assert_boxes(repeated(BAD_HEADER, BOXES, FEW, ""), FEW);
    assert_boxes(repeated("bench weights 1\nkind,bad\nbits,512\ncolumns,6\n", BOXES, MANY, "\n#"),
                 MANY);
    assert_boxes(repeated("", BOXES, FEW, ""), FEW);
    assert_boxes(repeated("", BOXES, MANY, ""), MANY);
}

TEST(line_ends_blanks_and_comments_do_not_matter) {
    assert_boxes(repeated("# a, \"b\"\r\nbench weights 1\r\n\r\nkind, bad\r\nbits,256\r\n"
                          "columns,6\r\n# more\r\n",
                          " 1,2 ,30,\t29,1.0,5e-1\r\n", FEW, ""),
                 FEW);
}

/* Row i is bias −i/2, then factors i + k/4. */
static float expected_factor(int32_t row, int32_t column) {
    return column == 0 ? (float)-row / 2 : (float)row + (float)column / 4;
}

static void assert_projection(const Weights *weights, int32_t bits) {
    assert_string_equal(weights->kind, "hashsift");
    assert_int_equal(weights->bits, bits);
    assert_int_equal(weights->columns, WEIGHTS_HASHSIFT_COLUMNS);
    for (int32_t row = 0; row < bits; row++) {
        for (int32_t i = 0; i < WEIGHTS_HASHSIFT_COLUMNS; i++) {
            assert_true(weights->values[row * WEIGHTS_HASHSIFT_COLUMNS + i] ==
                        expected_factor(row, i));
        }
    }
}

TEST(projections_are_read) {
    char *text = malloc(TEXT_ROOM);
    int size = snprintf(text, TEXT_ROOM, "bench weights 1\nkind,hashsift\nbits,256\ncolumns,129\n");
    for (int32_t row = 0; row < FEW; row++) {
        for (int32_t i = 0; i < WEIGHTS_HASHSIFT_COLUMNS; i++) {
            size += snprintf(text + size, (size_t)(TEXT_ROOM - size), "%s%.2f", i > 0 ? "," : "",
                             (double)expected_factor(row, i));
        }
        text[size++] = '\n';
    }
    Weights weights;
    assert_ok(weights_decode("a/folder/b256.csv", test_kinds, text, (size_t)size, &weights));
    assert_string_equal(weights.name, "b256.csv");
    assert_projection(&weights, FEW);
    weights_free(&weights);
    free(text);
}

static uint8_t *raw_projection(int32_t bits, size_t *size) {
    *size = (size_t)bits * WEIGHTS_HASHSIFT_COLUMNS * 4;
    uint8_t *bytes = malloc(*size);
    assert_non_null(bytes);
    for (int32_t i = 0; i < bits * WEIGHTS_HASHSIFT_COLUMNS; i++) {
        const float factor =
            expected_factor(i / WEIGHTS_HASHSIFT_COLUMNS, i % WEIGHTS_HASHSIFT_COLUMNS);
        uint32_t word;
        memcpy(&word, &factor, sizeof word);
        for (int32_t j = 0; j < 4; j++) {
            bytes[4 * i + j] = (uint8_t)(word >> (8 * j));
        }
    }
    return bytes;
}

TEST(raw_numbers_are_read) {
    for (int32_t bits = FEW; bits <= MANY; bits += FEW) {
        size_t size = 0;
        uint8_t *bytes = raw_projection(bits, &size);
        Weights weights;
        assert_ok(weights_decode("b.f32", test_kinds, bytes, size, &weights));
        assert_projection(&weights, bits);
        weights_free(&weights);
        free(bytes);
    }
}

TEST(utf16_is_named) {
    static const uint8_t text[] = {'b', 0, 'e', 0, 'n', 0, 'c', 0, 'h', 0};
    Weights weights;
    assert_refused(weights_decode("wide.csv", test_kinds, text, sizeof text, &weights), STATUS_FILE,
                   "wide.csv: is text in UTF-16", "save it as UTF-8");
}

TEST(raw_numbers_of_another_size_are_refused) {
    size_t size = 0;
    uint8_t *bytes = raw_projection(MANY, &size);
    static const size_t wrong[] = {4, RAW_FEW - 4, RAW_FEW - 1, RAW_FEW + 1, 2 * RAW_FEW - 1};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char count[32];
        snprintf(count, sizeof count, "has %zu bytes", wrong[i]);
        Weights weights;
        assert_refused(weights_decode("b.f32", test_kinds, bytes, wrong[i], &weights), STATUS_FILE,
                       count, "132096 for 256 bits, 264192 for 512");
        assert_null(weights.values);
    }
    free(bytes);
}

TEST(raw_numbers_are_finite) {
    static const uint8_t wrong[][4] = {{0, 0, 0x80, 0x7f}, {0, 0, 0x80, 0xff}, {1, 0, 0xc0, 0x7f}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        size_t size = 0;
        uint8_t *bytes = raw_projection(FEW, &size);
        memcpy(bytes + (size_t)(2 * WEIGHTS_HASHSIFT_COLUMNS + 4) * 4, wrong[i], 4);
        Weights weights;
        assert_refused(weights_decode("b.f32", test_kinds, bytes, size, &weights), STATUS_FILE,
                       "b.f32: number 5 of row 3", "finite");
        assert_null(weights.values);
        free(bytes);
    }
}

static void assert_wrong(const char *text, const char *where, const char *what) {
    Weights weights;
    assert_refused(decode(text, &weights), STATUS_FILE, where, what);
    assert_null(weights.values);
    assert_int_equal(weights.bits, 0);
}

static void assert_wrong_and_free(char *text, const char *where, const char *what) {
    assert_wrong(text, where, what);
    free(text);
}

/* Positions as far from the keypoint as there are any, and one step further. */
TEST(pairs_stay_in_the_patch) {
    static const char header[] = "bench weights 1\nkind,orb\nbits,256\ncolumns,4\n";
    static const float want[] = {-15, 15, 3, -4};
    char *text = repeated(header, "-15,15,3,-4\n", FEW, "");
    Weights weights;
    assert_ok(decode(text, &weights));
    assert_string_equal(weights.kind, "orb");
    assert_int_equal(weights.columns, 4);
    assert_memory_equal(weights_row(&weights, FEW - 1), want, sizeof want);
    weights_free(&weights);
    free(text);
    assert_wrong_and_free(repeated(header, "1,2,3,4\n", 9, "1,-16,3,4\n"), "line 14: y1 is -16",
                          "-15 to 15 would be right");
    assert_wrong_and_free(repeated(header, "1,2,3,4\n", 9, "1,2,0.5,4\n"), "line 14: x2 is 0.5",
                          "a whole number");
    assert_wrong_and_free(repeated(header, "1,2,3,4\n", 9, "1,2,3\n"), "line 14", "fewer numbers");
}

TEST(wrong_headers_are_refused) {
    assert_wrong("", "some.csv: holds no weights", "bench weights 1");
    assert_wrong("# a comment\n", "some.csv: holds no weights", "bench weights 1");
    assert_wrong("hello\n", "line 1: begins no weights",
                 "\"bench weights 1\" or a line of six numbers");
    assert_wrong("bench weights 2\n", "line 1: is \"bench weights 2\"", "bench weights 1");
    assert_wrong("bench weights 1\n", "truncated: it ends after line 1", "kind");
    assert_wrong("#\nbench weights 1\nkind,sift\n", "line 3: is \"kind,sift\"",
                 "kind,bad or kind,orb");
    assert_wrong("bench weights 1\nbits,256\n", "line 2: is \"bits,256\"", "\"kind,\"");
    assert_wrong("bench weights 1\nkind\n", "line 2: is \"kind\"", "\"kind,\"");
    assert_wrong("bench weights 1\nkind,bad,bad\n", "line 2", "\"kind,\"");
    assert_wrong("bench weights 1\nkind,bad\n", "truncated", "bits");
    assert_wrong("bench weights 1\nkind,bad\nbits,128\n", "\"bits,128\"", "bits,256 or bits,512");
    assert_wrong("bench weights 1\nkind,bad\nbits,-256\n", "\"bits,-256\"", "bits,512");
    assert_wrong("bench weights 1\nkind,bad\nbits,256\n", "truncated", "columns");
    assert_wrong("bench weights 1\nkind,bad\nbits,256\ncolumns,129\n", "\"columns,129\"",
                 "columns,6 would be right");
    assert_wrong("bench weights 1\nkind,hashsift\nbits,256\ncolumns,6\n", "\"columns,6\"",
                 "columns,129 would be right");
}

TEST(too_few_or_too_many_rows_are_refused) {
    assert_wrong(BAD_HEADER, "some.csv: truncated", "0 rows of 256");
    assert_wrong_and_free(repeated(BAD_HEADER, BOXES, FEW - 1, ""), "truncated", "255 rows of 256");
    assert_wrong_and_free(repeated(BAD_HEADER, BOXES, FEW + 1, ""), "line 261",
                          "the last of 256 rows");
    assert_wrong(BOXES, "has 1 lines", "256 or 512");
    assert_wrong_and_free(repeated("", BOXES, FEW + 1, ""), "has 257 lines", "256 or 512");
    assert_wrong_and_free(repeated("", BOXES, MANY + 1, ""), "line 513", "the last of 512 rows");
}

TEST(too_few_or_too_many_numbers_are_refused) {
    assert_wrong(BAD_HEADER "1,2,3,4,1\n", "line 5: has fewer", "the 6 that a row of bad has");
    assert_wrong(BAD_HEADER BOXES "1,2,3,4,1,0,9\n", "line 6: has more", "the 6");
    assert_wrong(BAD_HEADER "1,2,3,4,1,0,\n", "line 5: has more", "the 6");
    assert_wrong("1,2,3,4,1\n", "line 1: has fewer", "the 6");
    assert_wrong("bench weights 1\nkind,hashsift\nbits,512\ncolumns,129\n1,2\n",
                 "line 5: has fewer", "the 129 that a row of hashsift has");
}

TEST(wrong_numbers_are_refused) {
    assert_wrong(BAD_HEADER "1,2,x,4,1,0\n", "line 5: number 3 is \"x\"", "a number would");
    assert_wrong(BAD_HEADER "1,2,,4,1,0\n", "line 5: number 3 is \"\"", "a number would");
    assert_wrong(BAD_HEADER "1,2,3,4,1,nan\n", "line 5: number 6 is \"nan\"", "a finite number");
    assert_wrong(BAD_HEADER "1,2,3,4,1,-inf\n", "line 5: number 6 is \"-inf\"", "a finite number");
    assert_wrong(BAD_HEADER "1,2,3,4,1,1e99\n", "line 5: number 6 is \"1e99\"", "a finite number");
    assert_wrong("1,2,3,4,1,inf\n", "line 1: number 6 is \"inf\"", "a finite number");
}

TEST(boxes_stay_in_the_patch) {
    assert_wrong(BAD_HEADER "3,4,5,6,4,0\n", "line 5: with x1 3 and radius 4", "0 to 31");
    assert_wrong(BAD_HEADER "4,3,5,6,4,0\n", "line 5: with y1 3 and radius 4", "0 to 31");
    assert_wrong(BAD_HEADER "4,4,28,6,4,0\n", "line 5: with x2 28 and radius 4", "0 to 31");
    assert_wrong(BAD_HEADER "4,4,27,28,4,0\n", "line 5: with y2 28 and radius 4", "0 to 31");
    assert_wrong(BAD_HEADER "0,0,32,0,0,0\n", "line 5: with x2 32 and radius 0", "0 to 31");
    assert_wrong("1e30,4,5,6,4,0\n", "line 1: with x1 1e+30", "0 to 31");
    assert_wrong(BAD_HEADER "4,4,5,6,-1,0\n", "line 5: the radius is -1", "0 or more");
    assert_wrong(BAD_HEADER "4,4,5.5,6,1,0\n", "line 5: x2 is 5.5", "whole number");
    assert_wrong(BAD_HEADER "4,4,5,6,1.5,0\n", "line 5: radius is 1.5", "whole number");
    Weights weights;
    char *text = repeated("", "4,4,27,27,4,0\n", FEW, "");
    assert_ok(decode(text, &weights));
    weights_free(&weights);
    free(text);
}

TEST(files_that_cannot_be_read_are_refused, fixture_setup, fixture_teardown) {
    const Fixture *fixture = test_state;
    const char *path = fixture_path(test_state, "none.csv");
    Weights weights;
    assert_refused(weights_read(path, test_kinds, &weights), STATUS_FILE, path, "No such file");
    assert_null(weights.values);
    assert_refused(weights_read(fixture->folder, test_kinds, &weights), STATUS_FILE,
                   fixture->folder, "is a folder; an ordinary file is needed");
    write_file(path, "", 0);
    assert_int_equal(truncate(path, (1 << 26) + 1), 0);
    assert_refused(weights_read(path, test_kinds, &weights), STATUS_FILE, "has 67108865 bytes",
                   "at most");
    assert_null(weights.values);
}

typedef struct Published {
    const char *name, *kind;
    int32_t bits;
    float first, last; /* numbers of the file, read with another program */
} Published;

TEST(published_weights_are_read) {
    static const Published published[] = {
        {"weights256.f32", "hashsift", FEW, 0.199232817F, -0.0211142804F},
        {"weights512.f32", "hashsift", MANY, 0.31842199F, -0.0104654003F},
        {"bad256.csv", "bad", FEW, 25, 2.75F},
        {"bad512.csv", "bad", MANY, 17, 2.65F},
    };
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        char path[FIXTURE_PATH_SIZE];
        snprintf(path, sizeof path, "%s/descriptors/%s", BENCH_SHARED_DATA, published[i].name);
        if (access(path, F_OK) != 0) {
            skip_needing(NEEDS_SHARED_DATA, path);
        }
        RELEASED_BY(weights_free) Weights weights;
        assert_ok(weights_read(path, test_kinds, &weights));
        assert_string_equal(weights.kind, published[i].kind);
        assert_string_equal(weights.name, published[i].name);
        assert_int_equal(weights.bits, published[i].bits);
        assert_true(weights.values[0] == published[i].first);
        assert_true(weights.values[weights.bits * weights.columns - 1] == published[i].last);
    }
}
