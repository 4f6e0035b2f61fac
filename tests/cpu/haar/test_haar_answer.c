/* haar: layout, cost, and answers judged and written. */
#include "cpu/haar_sets.h"
#include "haar_internal.h"
#include "test.h"

/* --- Layout and cost -------------------------------------------------------------------------- */

/* 3×3 images with one white pixel in the corner; with min-side 2 the value of every feature with
 * the corner in it is 255: two columns 2×2, 2×3, 3×2, 3×3, two rows as many, three columns 3×2 and
 * 3×3, three rows 2×3 and 3×3, checker 2×2, 2×3, 3×2, 3×3. */
enum { RECORDS_OF_CORNER = 4 + 4 + 2 + 2 + 4 };

static Workload corners(int32_t count) {
    Workload workload = haar_set(count, 3, 3);
    for (int32_t i = 0; i < count; i++) {
        workload.image.pixels[i * 9] = 255;
    }
    return workload;
}

TEST(layouts_have_exact_room) {
    Workload workload = corners(5);
    const Point kept = haar_answer_point(2, 254);
    const Point none = haar_answer_point(2, 255);
    OutputLayout layout = haar_layout(&workload, &kept);
    assert_int_equal(layout.count, 2);
    assert_string_equal(layout.parts[HAAR_PART_COUNT].name, "count");
    assert_int_equal(layout.parts[HAAR_PART_COUNT].kind, OUTPUT_COUNTS_U64);
    assert_int_equal(layout.parts[HAAR_PART_COUNT].width, 1);
    assert_string_equal(layout.parts[HAAR_PART_RECORDS].name, "records");
    assert_int_equal(layout.parts[HAAR_PART_RECORDS].kind, OUTPUT_RECORDS_U64);
    assert_int_equal(layout.parts[HAAR_PART_RECORDS].width, 5 * RECORDS_OF_CORNER);
    assert_int_equal(layout.parts[HAAR_PART_RECORDS].height, 1);
    layout = haar_layout(&workload, &none);
    assert_int_equal(layout.parts[HAAR_PART_RECORDS].width, 0);
    /* In a plan the pixels are not there. */
    uint8_t *pixels = workload.image.pixels;
    workload.image.pixels = NULL;
    layout = haar_layout(&workload, &kept);
    assert_int_equal(layout.parts[HAAR_PART_RECORDS].width, 0);
    assert_int_equal(layout.parts[HAAR_PART_COUNT].width, 1);
    free(pixels);
}

/* Images with no rectangle have an answer: no records. */
TEST(small_images_have_no_records) {
    static const int32_t sides[][2] = {{3, 9}, {9, 3}, {1, 1}};
    const Point answer = haar_answer_point(4, 0);
    for (size_t i = 0; i < COUNT_OF(sides); i++) {
        Workload workload = haar_noise(4, sides[i][0], sides[i][1], 6);
        const OutputLayout layout = haar_layout(&workload, &answer);
        Output output = haar_output(&layout);
        Verdict verdict = STRUCT_OF(Verdict, .accepted = false);
        haar_run(&haar_algorithm.cpu.rows[1], &workload, &answer, 1, &output);
        assert_int_equal(*haar_count(&output), 0);
        haar_algorithm.compare(&output, &output, &verdict);
        assert_true(verdict.accepted);
        assert_true(verdict.agreement == 1);
        cpu_backend.release(output.data);
        free(workload.image.pixels);
    }
}

TEST(numbers_are_remembered) {
    Workload workload = corners(2);
    const HaarPoint point = {2, 100};
    uint64_t count = 0;
    workload.hash = 12345;
    assert_ok(haar_count_records(&workload, &point, &count));
    assert_int_equal(count, 2 * RECORDS_OF_CORNER);
    /* Pixels with the same hash are the same pixels. */
    workload.image.pixels[0] = 0;
    assert_ok(haar_count_records(&workload, &point, &count));
    assert_int_equal(count, 2 * RECORDS_OF_CORNER);
    /* Another hash, part of the set, another point: counted anew. */
    Workload other = workload;
    other.hash = 54321;
    assert_ok(haar_count_records(&other, &point, &count));
    assert_int_equal(count, RECORDS_OF_CORNER);
    other = workload;
    other.set.count = 1;
    assert_ok(haar_count_records(&other, &point, &count));
    assert_int_equal(count, 0);
    assert_ok(haar_count_records(&workload, &(HaarPoint){3, 100}, &count));
    assert_int_equal(count, 5); /* one of each type */
    /* The oldest is forgotten at some time. */
    for (int32_t threshold = 0; threshold < 20; threshold++) {
        const HaarPoint any = {2, threshold};
        assert_ok(haar_count_records(&workload, &any, &count));
        assert_int_equal(count, RECORDS_OF_CORNER);
    }
    free(workload.image.pixels);
}

/*
 * 3×3, min-side 2: rectangles 2×2 at 4 places, 2×3 and 3×2 at 2, 3×3 at 1: 9, 45 features. Cells
 * that differ: two columns of a cell 1 wide, 2 high at 2·2 places, 3 high at 2: 6; two rows as
 * many; three columns 2 high at 2 places, 3 high at 1: 3; three rows as many; checker at 4. A
 * threshold of 510 is above all two of cells of 2 pixels, and above the checker and what has cells
 * of 1 pixel; with 3 pixels 765 are in reach: 2 + 2; with three cells of 2 pixels 1020: all 3 + 3.
 */
TEST(the_least_work_is_counted) {
    Workload workload = corners(7);
    const Point open = haar_answer_point(2, 200);
    const Point high = haar_answer_point(2, 510);
    const Cost cost = haar_algorithm.cost(&workload, &open);
    assert_true(cost.items == 7 * 45);
    assert_true(cost.oracle_work == 7 * 45);
    assert_true(cost.operations == 7 * 2 * (6 + 6 + 3 + 3 + 4));
    assert_true(cost.bytes == 7 * 9 + 8 * 7 * RECORDS_OF_CORNER);
    assert_string_equal(cost.operation, "fp32");
    const Cost less = haar_algorithm.cost(&workload, &high);
    assert_true(less.items == 7 * 45);
    assert_true(less.operations == 7 * 2 * (2 + 2 + 3 + 3));
    assert_true(less.bytes == 7 * 9);
    uint8_t *pixels = workload.image.pixels;
    workload.image.pixels = NULL;
    assert_true(haar_algorithm.cost(&workload, &open).bytes == 7 * 9);
    free(pixels);
}

/* --- Judging ---------------------------------------------------------------------------------- */

/* Three records. */
static HaarPacking make_answer(Output *output, size_t room) {
    static const HaarFeature features[] = {
        {HAAR_TWO_COLUMNS, 3, 4, 8, 9}, {HAAR_CHECKER, 0, 0, 28, 27}, {HAAR_TWO_ROWS, 1, 2, 5, 6}};
    static const uint32_t images[] = {12, 7, 13};
    static const int32_t values[] = {20312, -9000, 1};
    const ImageSet set = {.count = 100, .width = 28, .height = 28};
    HaarPacking packing;
    assert_ok(haar_packing(&set, &packing));
    *output = (Output){.data = NULL};
    output_layout_add(&output->layout, "count", OUTPUT_COUNTS_U64, 1, 1);
    output_layout_add(&output->layout, "records", OUTPUT_RECORDS_U64, room, 1);
    output->layout.parts[HAAR_PART_RECORDS].format = haar_packing_format(&packing);
    output->data = aligned_alloc(OUTPUT_ALIGNMENT, output->layout.bytes);
    assert_non_null(output->data);
    memset(output->data, 0xA5, output->layout.bytes);
    *haar_count(output) = 3;
    for (size_t i = 0; i < 3 && i < room; i++) {
        haar_records(output)[i] = haar_pack(&packing, images[i], features[i], values[i]);
    }
    return packing;
}

static void assert_judged(const Output *got, const Output *want, double agreement,
                          const char *why) {
    Verdict verdict = STRUCT_OF(Verdict, .accepted = false);
    haar_compare(got, want, &verdict);
    assert_int_equal(verdict.accepted, why[0] == '\0');
    assert_string_equal(verdict.why, why);
    assert_true(verdict.agreement == agreement);
    assert_int_equal(haar_digest(got) == haar_digest(want), verdict.accepted);
}

TEST(any_order_is_right) {
    Output got;
    Output want;
    make_answer(&want, 3);
    make_answer(&got, 3);
    assert_judged(&got, &want, 1, "");
    const uint64_t first = haar_records(&got)[0];
    haar_records(&got)[0] = haar_records(&got)[2];
    haar_records(&got)[2] = first;
    assert_judged(&got, &want, 1, "");
    free(got.data);
    free(want.data);
}

TEST(wrong_records_are_named) {
    Output got;
    Output want;
    const HaarPacking packing = make_answer(&want, 3);
    make_answer(&got, 3);
    uint64_t *records = haar_records(&got);
    const uint64_t first = records[0];
    records[0] -= 12;
    assert_judged(&got, &want, 2.0 / 3,
                  "image 12, two_columns at (3, 4), 8×9 has value 20300, expected 20312");
    records[0] = records[1]; /* twice */
    assert_judged(&got, &want, 2.0 / 3,
                  "image 7, checker at (0, 0), 28×27, value -9000 should not be there");
    records[0] = haar_pack(&packing, 99, (HaarFeature){HAAR_THREE_ROWS, 1, 1, 4, 4}, 5);
    assert_judged(&got, &want, 2.0 / 3,
                  "image 12, two_columns at (3, 4), 8×9, value 20312 is missing");
    records[0] = haar_pack(&packing, 1, (HaarFeature){7, 1, 1, 4, 4}, 5);
    assert_judged(&got, &want, 2.0 / 3,
                  "image 1, no type at (1, 1), 4×4, value 5 should not be there");
    records[0] = first;
    assert_judged(&got, &want, 1, "");
    free(got.data);
    free(want.data);
}

TEST(wrong_numbers_are_named) {
    Output got;
    Output want;
    make_answer(&want, 3);
    make_answer(&got, 3);
    uint64_t *records = haar_records(&got);
    *haar_count(&got) = 4;
    assert_judged(&got, &want, 1, "4 records, expected 3: those that there was room for are right");
    *haar_count(&got) = UINT64_MAX;
    assert_judged(&got, &want, 1,
                  "18446744073709551615 records, expected 3: those that there was room for are "
                  "right");
    *haar_count(&got) = 2;
    assert_judged(&got, &want, 2.0 / 3,
                  "2 records, expected 3: image 13, two_rows at (1, 2), 5×6, value 1 is missing");
    records[0] = records[2];
    assert_judged(&got, &want, 2.0 / 3,
                  "2 records, expected 3: image 12, two_columns at (3, 4), 8×9, value 20312 is "
                  "missing");
    *haar_count(&got) = 0;
    assert_judged(&got, &want, 0,
                  "0 records, expected 3: image 7, checker at (0, 0), 28×27, value -9000 is "
                  "missing");
    free(got.data);
    free(want.data);
}

TEST(answers_without_records_are_judged) {
    Output got;
    Output want;
    make_answer(&want, 0);
    make_answer(&got, 0);
    *haar_count(&want) = 0;
    *haar_count(&got) = 0;
    assert_judged(&got, &want, 1, "");
    *haar_count(&got) = 1;
    assert_judged(&got, &want, 1, "1 records, expected 0: those that there was room for are right");
    free(got.data);
    free(want.data);
}

/* --- Writing ---------------------------------------------------------------------------------- */

static void assert_written(const Output *output, size_t part, const char *want) {
    const Workload workload = {.kind = WORKLOAD_IMAGE_SET};
    const Point answer = haar_answer_point(4, 0);
    char got[512] = "";
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_ok(haar_write_part(file, &workload, &answer, output, part));
    rewind(file);
    got[fread(got, 1, sizeof got - 1, file)] = '\0';
    assert_string_equal(got, want);
    fclose(file);
}

TEST(parts_are_written) {
    Output output;
    make_answer(&output, 3);
    assert_written(&output, HAAR_PART_COUNT, "bin,count\n0,3\n");
    assert_written(&output, HAAR_PART_RECORDS,
                   "image,type,x,y,w,h,value\n"
                   "7,checker,0,0,28,27,-9000\n"
                   "12,two_columns,3,4,8,9,20312\n"
                   "13,two_rows,1,2,5,6,1\n");
    free(output.data);
    make_answer(&output, 0);
    assert_written(&output, HAAR_PART_RECORDS, "image,type,x,y,w,h,value\n");
    free(output.data);
}

TEST(the_table_is_complete) {
    static const char *const names[] = {"seq", "simd", "omp"};
    assert_int_equal(haar_algorithm.cpu.count, COUNT_OF(names));
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        assert_string_equal(haar_algorithm.cpu.rows[i].name, names[i]);
    }
    assert_int_equal(haar_algorithm.input, WORKLOAD_IMAGE_SET);
    assert_string_equal(haar_algorithm.item, "feature");
    AxisValues *values = malloc(sizeof *values);
    assert_non_null(values);
    for (const Axis *const *axis = haar_algorithm.answer; *axis != NULL; axis++) {
        assert_ok(axis_parse(*axis, (*axis)->defaults, NULL, values));
        assert_int_equal(values->count, 1);
        assert_int_equal(values->values[0].number, axis == haar_algorithm.answer ? 4 : 25000);
    }
    free(values);
}
