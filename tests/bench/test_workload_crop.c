#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "datasets.h"
#include "image_sets.h"
#include "workload_crop.h"
#include "workload_source.h"

static Workload load(WorkloadKind kind, const char *name, SizeSpec size) {
    Input input = {.kind = kind};
    Workload workload;
    snprintf(input.name, sizeof input.name, "%s", name);
    assert_int_equal(workload_load(&input, &size, 1, &workload).code, STATUS_OK);
    return workload;
}

static void a_picture_is_cut_to_its_corner(void **state) {
    (void)state;
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
    workload_release(&whole);
}

static void of_a_set_the_first_pictures_are_taken(void **state) {
    (void)state;
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
    workload_release(&whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_is_cut_to_its_corner),
        cmocka_unit_test(of_a_set_the_first_pictures_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
