#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "run.h"

static const char *const words[] = {"near", "far", NULL};
static const Axis radius = {
    .name = "radius", .defaults = "1,2,4", .kind = AXIS_INTEGER, .minimum = 1, .maximum = 9};
static const Axis place = {
    .name = "place", .defaults = "near", .kind = AXIS_CHOICE, .choices = words};
static const Axis *const axes[] = {&radius, &place, NULL};
static const Workload workload = {.kind = WORKLOAD_IMAGE};

static void of_each_axis_the_last_default_is_taken(void **state) {
    (void)state;
    Point point;
    assert_int_equal(default_point(axes, &workload, &point).code, STATUS_OK);
    assert_int_equal(point.count, 2);
    assert_int_equal(point_integer(&point, "radius", 0), 4);
    assert_string_equal(point_text(&point, "place"), "near");
    assert_int_equal(default_point(NULL, &workload, &point).code, STATUS_OK);
    assert_int_equal(point.count, 0);
}

static void a_point_is_moved_along_an_axis(void **state) {
    (void)state;
    Point point;
    default_point(axes, &workload, &point);
    assert_int_equal(point_set("place", "far", &workload, &point).code, STATUS_OK);
    assert_int_equal(point_set("radius", "3", &workload, &point).code, STATUS_OK);
    assert_int_equal(point_integer(&point, "radius", 0), 3);
    assert_int_equal(point_integer(&point, "place", 0), 1);
    assert_string_equal(point_text(&point, "place"), "far");
}

static void what_is_no_value_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *name, *text, *why;
        StatusCode code;
    } cases[] = {
        {"radius", "10", "10", STATUS_USAGE},
        {"place", "here", "near or far, not 'here'", STATUS_USAGE},
        {"radius", "2,3", "'2,3' are several values; give one", STATUS_USAGE},
        {"colour", "red", "there is no axis --colour", STATUS_FAIL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Point point;
        default_point(axes, &workload, &point);
        const Status status = point_set(cases[i].name, cases[i].text, &workload, &point);
        assert_int_equal(status.code, cases[i].code);
        assert_non_null(strstr(status.why, cases[i].why));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_each_axis_the_last_default_is_taken),
        cmocka_unit_test(a_point_is_moved_along_an_axis),
        cmocka_unit_test(what_is_no_value_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
