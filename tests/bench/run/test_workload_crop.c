
#include "datasets.h"
#include "harness.h"
#include "image_sets.h"
#include "inputs.h"
#include "size_spec.h"
#include "test.h"

static Workload load(WorkloadKind kind, const char *name, SizeSpec size) {
    Input input = {.kind = kind, .weights_files = "random"};
    Workload workload;
    snprintf(input.name, sizeof input.name, "%s", name);
    assert_ok(workload_load(&input, &size, 1, &workload));
    return workload;
}

TEST(a_picture_is_cut_to_its_corner) {
    RELEASED_BY(workload_release)
    Workload whole = load(WORKLOAD_IMAGE, "noise", (SizeSpec){.width = 20, .height = 7});
    const Workload crop = workload_crop(&whole, 12);
    assert_int_equal(crop.image.width, 12);
    assert_int_equal(crop.image.height, 7);
    assert_int_equal(crop.image.stride, whole.image.stride);
    assert_ptr_equal(crop.image.pixels, whole.image.pixels);
    assert_string_equal(crop.size_name, "12x7");
    assert_false(workload_crop_is_whole(&crop, &whole));
    assert_true(crop.hash == image_hash(&crop.image) && crop.hash != whole.hash);
    const Workload all = workload_crop(&whole, 20);
    assert_true(workload_crop_is_whole(&all, &whole));
    assert_true(all.hash == whole.hash);
}

/* 12·12 / 40 and one. */
TEST(rows_without_a_gap_stay_whole) {
    const SizeSpec size = {.name = "40x20", .width = 40, .height = 20};
    const Input input = {.name = "noise", .element = OUTPUT_ARRAY_F32, .pair = true};
    RELEASED_BY(workload_release) Workload whole;
    assert_ok(workload_load(&input, &size, 1, &whole));
    const Workload crop = workload_crop(&whole, 12);
    assert_int_equal(crop.image.width, 40);
    assert_int_equal(crop.image.height, 4);
    assert_int_equal(crop.image.stride, 160);
    assert_ptr_equal(crop.image.pixels, whole.image.pixels);
    assert_int_equal(crop.second.height, 4);
    assert_ptr_equal(crop.second.pixels, whole.second.pixels);
    assert_string_equal(crop.size_name, "40x4");
    assert_true(crop.hash != whole.hash);
}

TEST(of_one_row_the_first_pixels_are_taken) {
    const SizeSpec size = {.name = "400x1", .width = 400, .height = 1};
    const Input input = {.name = "noise", .element = OUTPUT_ARRAY_F64};
    RELEASED_BY(workload_release) Workload whole;
    assert_ok(workload_load(&input, &size, 1, &whole));
    const Workload crop = workload_crop(&whole, 12);
    assert_int_equal(crop.image.width, 144);
    assert_int_equal(crop.image.height, 1);
    assert_int_equal(crop.image.stride, 144 * sizeof(double));
    assert_false(workload_crop_is_whole(&crop, &whole));
}

TEST(of_a_set_the_first_pictures_are_taken) {
    RELEASED_BY(workload_release)
    Workload whole = load(WORKLOAD_IMAGE_SET, "digits",
                          (SizeSpec){.name = "9", .width = 6, .height = 5, .images = 9});
    const Workload crop = workload_crop(&whole, 4);
    assert_int_equal(crop.set.count, 4);
    assert_int_equal(crop.set.width, 6);
    assert_int_equal(crop.set.height, 5);
    assert_int_equal(crop.image.width, 6);
    assert_int_equal(crop.image.height, 20);
    assert_ptr_equal(crop.image.pixels, whole.image.pixels);
    assert_ptr_equal(crop.set.labels, whole.set.labels);
    assert_string_equal(crop.size_name, "4");
    assert_false(workload_crop_is_whole(&crop, &whole));
    assert_true(crop.hash == image_set_hash(&crop.image, &crop.set) && crop.hash != whole.hash);
    const Workload all = workload_crop(&whole, 128);
    assert_int_equal(all.set.count, 9);
    assert_true(workload_crop_is_whole(&all, &whole));
    assert_true(all.hash == whole.hash);
}

TEST(of_keypoints_the_first_are_taken) {
    Workload whole =
        load(WORKLOAD_KEYPOINTS, "noise", (SizeSpec){.name = "20x7", .width = 20, .height = 7});
    const Workload crop = workload_crop(&whole, 128);
    assert_int_equal(crop.keypoints.count, 128);
    assert_ptr_equal(crop.keypoints.keypoints, whole.keypoints.keypoints);
    assert_int_equal(crop.image.width, 20);
    assert_int_equal(crop.image.height, 7);
    assert_int_equal(crop.weights.count, whole.weights.count);
    assert_string_equal(crop.size_name, "128 keypoints");
    assert_false(workload_crop_is_whole(&crop, &whole));
    assert_true(crop.hash != whole.hash);
    const Workload all = workload_crop(&whole, whole.keypoints.count);
    assert_true(workload_crop_is_whole(&all, &whole));
    assert_true(all.hash == whole.hash);
    workload_release(&whole);
}

/* The rows of both sets have to follow each other in memory. */
TEST(of_descriptors_those_where_the_sets_meet_are_taken) {
    Workload whole = load(WORKLOAD_DESCRIPTORS, "pairs", (SizeSpec){.name = "9", .images = 9});
    const Workload crop = workload_crop(&whole, 4);
    assert_int_equal(crop.queries, 4);
    assert_int_equal(crop.image.height, 8);
    assert_ptr_equal(crop.image.pixels, image_row(&whole.image, 5));
    assert_string_equal(crop.size_name, "4");
    assert_false(workload_crop_is_whole(&crop, &whole));
    assert_true(crop.hash == image_hash(&crop.image) && crop.hash != whole.hash);
    const Workload all = workload_crop(&whole, 128);
    assert_ptr_equal(all.image.pixels, whole.image.pixels);
    assert_true(workload_crop_is_whole(&all, &whole));
    workload_release(&whole);
    whole = load(WORKLOAD_DESCRIPTORS, "pairs", (SizeSpec){.name = "9", .images = 9});
    whole.queries = 2; /* of sets that are not as large as each other */
    const Workload few = workload_crop(&whole, 4);
    assert_int_equal(few.queries, 2);
    assert_int_equal(few.image.height, 6);
    workload_release(&whole);
}
