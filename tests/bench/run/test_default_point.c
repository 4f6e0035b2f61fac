

#include "axis.h"
#include "harness.h"
#include "test.h"

static const char *const words[] = {"near", "far", NULL};
static const Axis radius = {
    .name = "radius", .defaults = "1,2,4", .kind = AXIS_INTEGER, .minimum = 1, .maximum = 9};
static const Axis place = {
    .name = "place", .defaults = "near", .kind = AXIS_CHOICE, .choices = words};
static const Axis *const axes[] = {&radius, &place, NULL};
static const Workload workload = {.kind = WORKLOAD_IMAGE};

TEST(of_each_axis_the_last_default_is_taken) {
    Point point;
    assert_ok(default_point(axes, &workload, &point));
    assert_int_equal(point.count, 2);
    assert_int_equal(point_integer(&point, "radius", 0), 4);
    assert_string_equal(point_text(&point, "place"), "near");
    assert_ok(default_point(NULL, &workload, &point));
    assert_int_equal(point.count, 0);
}

TEST(a_point_is_moved_along_an_axis) {
    Point point;
    default_point(axes, &workload, &point);
    assert_ok(point_set("place", "far", &workload, &point));
    assert_ok(point_set("radius", "3", &workload, &point));
    assert_int_equal(point_integer(&point, "radius", 0), 3);
    assert_int_equal(point_integer(&point, "place", 0), 1);
    assert_string_equal(point_text(&point, "place"), "far");
}

TEST(what_is_no_value_is_refused) {
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
        assert_says(status.why, cases[i].why);
    }
}
