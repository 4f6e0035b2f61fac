#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/fakes.h"
#include "bench/scratch_folder.h"
#include "datasets.h"
#include "save.h"
#include "verify.h"

static const Workload workload = {.image = {.width = 3, .height = 2, .stride = 3}};

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

static void parts_are_saved_in_forms_people_open(void **state) {
    (void)state;
    ScratchFolder folder = scratch_make();
    Output output = make_answer();
    const Point none = {0};
    const Status status =
        save_answer(folder.path, &fake_algorithm, "meadow", "1080p", &none, &output);
    assert_int_equal(status.code, STATUS_OK);
    assert_int_equal(scratch_count(folder.path), 2);
    char *csv = scratch_read(&folder, "fake-meadow-1080p-counts.csv");
    assert_string_equal(csv, "bin,count\n0,7\n1,0\n2,18446744073709551615\n3,1\n");
    free(csv);
    char path[512];
    scratch_path(&folder, "fake-meadow-1080p-inverse.png", path);
    Image image = {0};
    assert_int_equal(image_read(path, &image).code, STATUS_OK);
    assert_int_equal(image.width, 3);
    assert_int_equal(image.height, 2);
    assert_memory_equal(image_row(&image, 0), "\x00\x01\x02", 3);
    assert_memory_equal(image_row(&image, 1), "\x80\xfe\xff", 3);
    image_free(&image);
    answer_release_plain(&output);
    scratch_remove_tree(folder.path);
}

static void small_values_are_spread_over_the_grey_range(void **state) {
    (void)state;
    ScratchFolder folder = scratch_make();
    Output output = make_answer();
    output.layout.parts[0].peak = 9;
    memcpy(output_part(&output, 0), "\x00\x01\x02\x05\x09\x0a", 6);
    const Point none = {0};
    const Status status =
        save_answer(folder.path, &fake_algorithm, "meadow", "1080p", &none, &output);
    assert_int_equal(status.code, STATUS_OK);
    char path[512];
    scratch_path(&folder, "fake-meadow-1080p-inverse.png", path);
    Image image = {0};
    assert_int_equal(image_read(path, &image).code, STATUS_OK);
    /* 255/9 = 28.33, 56.67, 141.67; what is above the peak is white too. */
    assert_memory_equal(image_row(&image, 0), "\x00\x1c\x39", 3);
    assert_memory_equal(image_row(&image, 1), "\x8e\xff\xff", 3);
    image_free(&image);
    assert_int_equal(((uint8_t *)output_part(&output, 0))[4], 9); /* the answer is left alone */
    answer_release_plain(&output);
    scratch_remove_tree(folder.path);
}

static void the_answer_point_is_part_of_the_name(void **state) {
    (void)state;
    ScratchFolder folder = scratch_make();
    Output output = make_answer();
    const Point answer = {.count = 2,
                          .axes = {&fake_tile_axis, &fake_threads_axis},
                          .values = {{0, "24:3"}, {2, "2"}}};
    save_answer(folder.path, &fake_algorithm, "meadow", "1080p", &answer, &output);
    char *csv = scratch_read(&folder, "fake-meadow-1080p-tile24_3-threads2-counts.csv");
    assert_string_not_equal(csv, "");
    free(csv);
    answer_release_plain(&output);
    scratch_remove_tree(folder.path);
}

static void a_folder_that_is_not_there_is_an_error(void **state) {
    (void)state;
    Output output = make_answer();
    const Point none = {0};
    const Status status =
        save_answer("/no such folder", &fake_algorithm, "meadow", "1080p", &none, &output);
    assert_int_equal(status.code, STATUS_FILE);
    assert_non_null(strstr(status.why, "/no such folder"));
    answer_release_plain(&output);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_saved_in_forms_people_open),
        cmocka_unit_test(small_values_are_spread_over_the_grey_range),
        cmocka_unit_test(the_answer_point_is_part_of_the_name),
        cmocka_unit_test(a_folder_that_is_not_there_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
