

#include "bench/fakes.h"
#include "bench/scratch_folder.h"
#include "datasets.h"
#include "status_checks.h"
#include "sweep.h"
#include "test.h"
#include "verify.h"

static const Workload workload = {.size_name = "1080p",
                                  .image = {.width = 3, .height = 2, .stride = 3}};

static SavedAnswer saved_at(const Algorithm *algorithm, const Point *answer, const Output *output) {
    return (SavedAnswer){.algorithm = algorithm,
                         .input_stem = "meadow",
                         .workload = &workload,
                         .answer = answer,
                         .output = output};
}

static Output make_answer(void) {
    OutputLayout layout = {0};
    Output output;
    fake_layout(&workload, NULL, &layout);
    answer_alloc_plain(&layout, &output);
    memcpy(output_part(&output, 0), "\x00\x01\x02\x80\xfe\xff", 6);
    const uint64_t counts[] = {7, 0, UINT64_C(18446744073709551615), 1};
    memcpy(output_part(&output, 1), counts, sizeof counts);
    return output;
}

TEST(parts_are_saved_in_forms_people_open) {
    RELEASED_BY(answer_release_plain) Output output = make_answer();
    const Point none = {0};
    const SavedAnswer saved = saved_at(&fake_algorithm, &none, &output);
    assert_ok(save_answer(test_folder, &saved));
    assert_int_equal(scratch_count(test_folder), 2);
    char *csv = test_read("fake-meadow-1080p-counts.csv");
    assert_string_equal(csv, "bin,count\n0,7\n1,0\n2,18446744073709551615\n3,1\n");
    RELEASED_BY(image_free) Image image = {0};
    assert_ok(image_read(test_path("fake-meadow-1080p-inverse.png"), &image));
    assert_int_equal(image.width, 3);
    assert_int_equal(image.height, 2);
    assert_memory_equal(image_row(&image, 0), "\x00\x01\x02", 3);
    assert_memory_equal(image_row(&image, 1), "\x80\xfe\xff", 3);
}

/* Also where the algorithm writes its other parts itself. */
static Status write_nothing(FILE *stream, const Workload *shape, const Point *answer,
                            const Output *output, size_t part) {
    (void)stream, (void)shape, (void)answer, (void)output, (void)part;
    return status_fail("asked for a part that has a form");
}

TEST(rows_of_bytes_are_lines_of_digits) {
    OutputLayout layout = {0};
    RELEASED_BY(answer_release_plain) Output output;
    assert_ok(output_layout_add(&layout, "rows", OUTPUT_ROWS_U8, 3, 2));
    assert_ok(answer_alloc_plain(&layout, &output));
    memcpy(output_part(&output, 0), "\x00\x9f\xa0\xff\x01\x10", 6);
    Algorithm writes = fake_algorithm;
    writes.write_part = write_nothing;
    const Point none = {0};
    const SavedAnswer saved = saved_at(&writes, &none, &output);
    assert_ok(save_answer(test_folder, &saved));
    char *text = test_read("fake-meadow-1080p-rows.hex");
    assert_string_equal(text, "009fa0\nff0110\n");
}

/* What was drawn last; `answer` is what drawing comes to. */
static struct {
    char folder[512], name[64];
    uint64_t last;
    size_t bins;
    Status answer;
} drawn;

static Status note_histogram(const char *where, const char *name, const uint64_t *counts,
                             size_t bins) {
    snprintf(drawn.folder, sizeof drawn.folder, "%s", where);
    snprintf(drawn.name, sizeof drawn.name, "%s", name);
    drawn.last = counts[bins - 1];
    drawn.bins = bins;
    return drawn.answer;
}

/* A number alone is none. Without gnuplot the numbers are saved all the same. */
TEST(histograms_are_drawn) {
    OutputLayout layout = {0};
    RELEASED_BY(answer_release_plain) Output output;
    assert_ok(output_layout_add(&layout, "bins", OUTPUT_COUNTS_U64, 3, 1));
    assert_ok(output_layout_add(&layout, "count", OUTPUT_COUNTS_U64, 1, 1));
    assert_ok(answer_alloc_plain(&layout, &output));
    memcpy(output_part(&output, 0), (const uint64_t[]){4, 5, 6}, 3 * sizeof(uint64_t));
    memcpy(output_part(&output, 1), (const uint64_t[]){7}, sizeof(uint64_t));
    const Point none = {0};
    SavedAnswer saved = saved_at(&fake_algorithm, &none, &output);
    saved.draw_histogram = note_histogram;
    drawn.answer = status_ok();
    assert_ok(save_answer(test_folder, &saved));
    assert_string_equal(drawn.folder, test_folder);
    assert_string_equal(drawn.name, "fake-meadow-1080p-bins");
    assert_int_equal(drawn.bins, 3);
    assert_int_equal(drawn.last, 6);
    drawn.answer = status_skip("gnuplot is not installed");
    assert_ok(save_answer(test_folder, &saved));
    char *text = test_read("fake-meadow-1080p-count.csv");
    assert_string_equal(text, "bin,count\n0,7\n");
    drawn.answer = status_make(STATUS_FILE, "the disk is full");
    assert_int_equal(save_answer(test_folder, &saved).code, STATUS_FILE);
}

/* NumPy's format: the length of the header from its 8th byte on, 128 bytes with what is before it.
 */
static void check_array(OutputKind kind, const void *elements, size_t bytes, const char *header) {
    ScratchFolder folder = scratch_make();
    OutputLayout layout = {0};
    Output output;
    assert_ok(output_layout_add(&layout, "table", kind, 3, 2));
    assert_ok(answer_alloc_plain(&layout, &output));
    memcpy(output_part(&output, 0), elements, bytes);
    Algorithm writes = fake_algorithm;
    writes.write_part = write_nothing;
    const Point none = {0};
    const SavedAnswer saved = saved_at(&writes, &none, &output);
    assert_ok(save_answer(folder.path, &saved));
    char path[512];
    scratch_path(&folder, "fake-meadow-1080p-table.npy", path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char got[256];
    assert_int_equal(fread(got, 1, sizeof got, file), 128 + bytes);
    fclose(file);
    assert_memory_equal(got, "\x93NUMPY\x01\x00\x76\x00", 10);
    assert_memory_equal(got + 10, header, strlen(header));
    for (size_t i = 10 + strlen(header); i < 127; i++) {
        assert_int_equal(got[i], ' ');
    }
    assert_int_equal(got[127], '\n');
    assert_memory_equal(got + 128, elements, bytes);
    answer_release_plain(&output);
    scratch_remove_tree(folder.path);
}

TEST(arrays_are_saved_for_numpy) {
    const uint32_t of_32[] = {1, 2, 3, 4, 5, UINT32_MAX};
    const uint64_t of_64[] = {1, 2, 3, 4, 5, UINT64_MAX};
    check_array(OUTPUT_ARRAY_U32, of_32, sizeof of_32,
                "{'descr': '<u4', 'fortran_order': False, 'shape': (2, 3), }");
    check_array(OUTPUT_ARRAY_U64, of_64, sizeof of_64,
                "{'descr': '<u8', 'fortran_order': False, 'shape': (2, 3), }");
    const int32_t below_0[] = {-1, 2, 3, 4, 5, INT32_MIN};
    check_array(OUTPUT_ARRAY_I32, below_0, sizeof below_0,
                "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }");
    const float real[] = {-1.5F, 2, 3, 4, 5, 1e30F};
    check_array(OUTPUT_ARRAY_F32, real, sizeof real,
                "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }");
}

TEST(small_values_are_spread_over_the_grey_range) {
    RELEASED_BY(answer_release_plain) Output output = make_answer();
    output.layout.parts[0].peak = 9;
    memcpy(output_part(&output, 0), "\x00\x01\x02\x05\x09\x0a", 6);
    const Point none = {0};
    const SavedAnswer saved = saved_at(&fake_algorithm, &none, &output);
    assert_ok(save_answer(test_folder, &saved));
    Image image = {0};
    assert_ok(image_read(test_path("fake-meadow-1080p-inverse.png"), &image));
    /* 255/9 = 28.33, 56.67, 141.67; what is above the peak is white too. */
    assert_memory_equal(image_row(&image, 0), "\x00\x1c\x39", 3);
    assert_memory_equal(image_row(&image, 1), "\x8e\xff\xff", 3);
    image_free(&image);
    assert_int_equal(((uint8_t *)output_part(&output, 0))[4], 9); /* the answer is left alone */
}

TEST(the_answer_point_is_part_of_the_name) {
    RELEASED_BY(answer_release_plain) Output output = make_answer();
    const Point answer = {.count = 2,
                          .axes = {&fake_tile_axis, &fake_threads_axis},
                          .values = {{0, "24:3"}, {2, "2"}}};
    const SavedAnswer saved = saved_at(&fake_algorithm, &answer, &output);
    save_answer(test_folder, &saved);
    char *csv = test_read("fake-meadow-1080p-tile24_3-threads2-counts.csv");
    assert_string_not_equal(csv, "");
}

TEST(answers_of_variants_are_named_by_them) {
    RELEASED_BY(answer_release_plain) Output output = make_answer();
    const Point answer = {.count = 1, .axes = {&fake_tile_axis}, .values = {{0, "24:3"}}};
    const Point tuning = {.count = 1, .axes = {&fake_threads_axis}, .values = {{2, "2"}}};
    SavedAnswer saved = saved_at(&fake_algorithm, &answer, &output);
    saved.variant = fake_variant("omp");
    assert_ok(save_answer(test_folder, &saved));
    saved.tuning = &tuning;
    assert_ok(save_answer(test_folder, &saved));
    assert_int_equal(scratch_count(test_folder), 4);
    static const char *const names[] = {"fake-meadow-1080p-tile24_3-omp-counts.csv",
                                        "fake-meadow-1080p-tile24_3-omp-threads2-counts.csv"};
    for (size_t i = 0; i < 2; i++) {
        char *csv = test_read(names[i]);
        assert_memory_equal(csv, "bin,count\n", 10);
    }
}

/* Sets of values keep their signs, so that different sets have different names. */
TEST(names_of_answers_are_readable_and_unambiguous) {
    static const struct {
        const char *value, *name;
    } cases[] = {
        {"4+8+16", "f/fake-meadow-1080p-tile4+8+16-counts.csv"},
        {"1..256:16", "f/fake-meadow-1080p-tile1..256_16-counts.csv"},
        {"0.5", "f/fake-meadow-1080p-tile0.5-counts.csv"},
        {"a/b c", "f/fake-meadow-1080p-tilea%2Fb%20c-counts.csv"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Point answer = {.count = 1, .axes = {&fake_tile_axis}};
        snprintf(answer.values[0].text, AXIS_TEXT_SIZE, "%s", cases[i].value);
        char path[SAVE_PATH_SIZE];
        const SavedAnswer saved = saved_at(&fake_algorithm, &answer, NULL);
        assert_ok(save_path("f", &saved, "counts", "csv", path));
        assert_string_equal(path, cases[i].name);
    }
}

/* Two names of 240 letters that differ in the last one. */
TEST(long_names_are_cut_and_stay_different) {
    char stem[241];
    char paths[2][SAVE_PATH_SIZE];
    const Point none = {0};
    memset(stem, 'a', 240);
    stem[240] = '\0';
    for (size_t i = 0; i < 2; i++) {
        stem[239] = (char)('x' + i);
        SavedAnswer saved = saved_at(&fake_algorithm, &none, NULL);
        saved.input_stem = stem;
        assert_ok(save_path("f", &saved, "counts", "csv", paths[i]));
        assert_true(strlen(paths[i]) < 230);
        assert_memory_equal(paths[i], "f/fake-aaaa", 11);
        assert_says(paths[i], "-counts.csv");
    }
    assert_string_not_equal(paths[0], paths[1]);
}

static Output make_table(void) {
    OutputLayout layout = {0};
    Output output;
    output_layout_add(&layout, "curve", OUTPUT_TABLE_U64, 2, 3);
    answer_alloc_plain(&layout, &output);
    const uint64_t rows[] = {1, 2, 3, 4, 5, UINT64_MAX};
    memcpy(output_part(&output, 0), rows, sizeof rows);
    return output;
}

static Status write_sums(FILE *stream, const Workload *input, const Point *answer,
                         const Output *output, size_t part) {
    const uint64_t *rows = output_part(output, part);
    fprintf(stream, "width,axes,sum\n%d,%zu,%d\n", (int)input->image.width, answer->count,
            (int)(rows[0] + rows[1]));
    return status_ok();
}

static Status write_first(FILE *stream, const Workload *input, const Point *answer,
                          const Output *output) {
    fprintf(stream, "first\n");
    return write_sums(stream, input, answer, output, 0);
}

static void expect_file(const char *name, const char *text) {
    assert_string_equal(test_read(name), text);
}

TEST(an_algorithm_may_write_its_parts_and_tables) {
    RELEASED_BY(answer_release_plain) Output output = make_table();
    const Point none = {0};
    Algorithm algorithm = fake_algorithm;
    const SavedAnswer saved = saved_at(&algorithm, &none, &output);
    assert_ok(save_answer(test_folder, &saved));
    expect_file("fake-meadow-1080p-curve.csv",
                "column0,column1\n1,2\n3,4\n5,18446744073709551615\n");
    assert_int_equal(save_table(test_folder, &saved).code, STATUS_USAGE);
    algorithm.write_part = write_sums;
    algorithm.write_table = write_first;
    assert_ok(save_answer(test_folder, &saved));
    expect_file("fake-meadow-1080p-curve.csv", "width,axes,sum\n3,0,3\n");
    assert_ok(save_table(test_folder, &saved));
    expect_file("fake-meadow-1080p-table.csv", "first\nwidth,axes,sum\n3,0,3\n");
    assert_int_equal(scratch_count(test_folder), 2);
}

static Status write_half(FILE *stream, const Workload *input, const Point *answer,
                         const Output *output, size_t part) {
    (void)input;
    (void)answer;
    (void)output;
    (void)part;
    fprintf(stream, "half");
    return status_fail("no memory left");
}

TEST(a_part_that_fails_leaves_no_file) {
    RELEASED_BY(answer_release_plain) Output output = make_table();
    const Point none = {0};
    Algorithm algorithm = fake_algorithm;
    algorithm.write_part = write_half;
    const SavedAnswer saved = saved_at(&algorithm, &none, &output);
    assert_status_is(save_answer(test_folder, &saved), STATUS_FAIL, "no memory left");
    assert_int_equal(scratch_count(test_folder), 0);
}

TEST(a_folder_that_is_not_there_is_an_error) {
    RELEASED_BY(answer_release_plain) Output output = make_answer();
    const Point none = {0};
    const SavedAnswer saved = saved_at(&fake_algorithm, &none, &output);
    assert_status(save_answer("/no such folder", &saved), STATUS_FILE, "/no such folder");
}

TEST(records_are_saved_one_a_line) {
    OutputLayout layout = {0};
    RELEASED_BY(answer_release_plain) Output output;
    const Point none = {0};
    output_layout_add(&layout, "records", OUTPUT_RECORDS_U64, 3, 1);
    answer_alloc_plain(&layout, &output);
    const uint64_t records[] = {7, UINT64_MAX, 0};
    memcpy(output_part(&output, 0), records, sizeof records);
    SavedAnswer saved = saved_at(&fake_algorithm, &none, &output);
    saved.input_stem = "set";
    assert_ok(save_answer(test_folder, &saved));
    char *csv = test_read("fake-set-1080p-records.csv");
    assert_string_equal(csv, "record\n7\n18446744073709551615\n0\n");
}
