/* axis: what a person may write for an axis, and what is said where it is wrong. */
#include "axis.h"
#include "test.h"
#include "workload.h"

static AxisValues values;

static const Axis tile = {.name = "tile", .kind = AXIS_INTEGER, .minimum = 1, .maximum = 32};
static const Axis wide = {
    .name = "wide", .kind = AXIS_INTEGER, .minimum = INT64_MIN, .maximum = INT64_MAX};

static const char *const interpolations[] = {"nearest", "bilinear", NULL};
static const Axis interp = {.name = "interp", .kind = AXIS_CHOICE, .choices = interpolations};

static Status check_pair(const char *value) {
    return strchr(value, ':') != NULL
               ? status_ok()
               : status_make(STATUS_USAGE, "--pr takes P:R, not '%s'", value);
}

static const Axis pair = {.name = "pr", .kind = AXIS_TEXT, .check = check_pair};

/* "half" is half the image's width; "broken" cannot be had. */
static Status expand_box(const char *word, const Workload *workload, AxisValues *out) {
    if (strcmp(word, "half") == 0) {
        return axis_values_add(out, workload->image.width / 2);
    }
    if (strcmp(word, "broken") == 0) {
        return status_make(STATUS_USAGE, "broken is not available");
    }
    return status_make(STATUS_NO_MATCH, "no word of this axis");
}

static const Axis box = {
    .name = "box", .kind = AXIS_INTEGER, .minimum = 1, .maximum = 1000, .expand = expand_box};

static const Workload workload = {.image = {.width = 100, .height = 50, .stride = 100}};

static void assert_numbers(const Axis *axis, const char *list, size_t count,
                           const int64_t *expected) {
    const Status status = axis_parse(axis, list, &workload, &values);
    assert_string_equal(status.why, "");
    assert_ok(status);
    assert_int_equal(values.count, count);
    for (size_t i = 0; i < count; ++i) {
        assert_int_equal(values.values[i].number, expected[i]);
    }
}

static void assert_refused(const Axis *axis, const char *list, const char *why) {
    const Status status = axis_parse(axis, list, &workload, &values);
    assert_int_equal(status.code, STATUS_USAGE);
    assert_string_equal(status.why, why);
}

TEST(lists_and_ranges) {
    assert_numbers(&tile, "8", 1, (const int64_t[]){8});
    assert_numbers(&tile, "4,8,16", 3, (const int64_t[]){4, 8, 16});
    assert_numbers(&tile, "1..4", 4, (const int64_t[]){1, 2, 3, 4});
    assert_numbers(&tile, "1..32:10", 4, (const int64_t[]){1, 11, 21, 31});
    assert_numbers(&tile, "5..5", 1, (const int64_t[]){5});
    assert_numbers(&tile, "32,1..3,7", 5, (const int64_t[]){32, 1, 2, 3, 7});
}

TEST(duplicates_are_dropped_and_order_kept) {
    assert_numbers(&tile, "8,4,8,1..5,04", 6, (const int64_t[]){8, 4, 1, 2, 3, 5});
    assert_string_equal(values.values[0].text, "8");
}

TEST(limits_of_64_bits) {
    assert_numbers(&wide, "-9223372036854775808,9223372036854775807", 2,
                   (const int64_t[]){INT64_MIN, INT64_MAX});
    assert_numbers(&wide, "9223372036854775806..9223372036854775807", 2,
                   (const int64_t[]){INT64_MAX - 1, INT64_MAX});
    assert_numbers(&wide, "-3..-1", 3, (const int64_t[]){-3, -2, -1});
    assert_numbers(&wide, "-9223372036854775808..9223372036854775807:9223372036854775807", 3,
                   (const int64_t[]){INT64_MIN, -1, INT64_MAX - 1});
    assert_refused(&wide, "9223372036854775808",
                   "--wide takes whole numbers of at least -9223372036854775808, not "
                   "'9223372036854775808'");
    assert_refused(&wide, "-9223372036854775808..9223372036854775807",
                   "--wide takes at most 1024 values, "
                   "'-9223372036854775808..9223372036854775807' is more");
}

TEST(wrong_integers) {
    const char *const wrong[] = {"x",     "8x",    "0",      "33",      "-1",     "+1",   " 1",
                                 "1 ",    "1.5",   "1..",    "..4",     "1..4..", "1...", "1..x",
                                 "1..40", "1..4:", "1..4:x", "1..4:1x", "8:2",    "1e1"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        char why[128];
        snprintf(why, sizeof why, "--tile takes whole numbers from 1 to 32, not '%s'", wrong[i]);
        assert_refused(&tile, wrong[i], why);
    }
    assert_refused(&tile, "4,x", "--tile takes whole numbers from 1 to 32, not 'x'");
    assert_refused(&tile, "8..4",
                   "--tile: a range goes from the smaller to the larger number, unlike '8..4'");
    assert_refused(&tile, "1..4:0",
                   "--tile: the step of a range is at least 1, unlike in '1..4:0'");
    assert_refused(&tile, "1..4:-1",
                   "--tile: the step of a range is at least 1, unlike in '1..4:-1'");
}

TEST(empty_values) {
    const char *const wrong[] = {"", ",", "4,", ",4", "4,,8"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        char why[128];
        snprintf(why, sizeof why, "--tile takes values separated by single commas, not '%s'",
                 wrong[i]);
        assert_refused(&tile, wrong[i], why);
    }
}

TEST(very_long_values) {
    char digits[200];
    memset(digits, '1', sizeof digits - 1);
    digits[sizeof digits - 1] = '\0';
    assert_refused(&tile, digits,
                   "--tile: the value '1111111111111111111111111111111111111111…' is too long");
    digits[31] = '\0';
    assert_int_equal(axis_parse(&pair, digits, &workload, &values).code, STATUS_USAGE);
    digits[1] = ':';
    assert_ok(axis_parse(&pair, digits, &workload, &values));
    assert_string_equal(values.values[0].text, digits);
}

TEST(too_many_values) {
    const Axis many = {.name = "many", .kind = AXIS_INTEGER, .minimum = 0, .maximum = 5000};
    assert_ok(axis_parse(&many, "0..1023", &workload, &values));
    assert_int_equal(values.count, 1024);
    assert_ok(axis_parse(&many, "0..1023,5", &workload, &values));
    assert_refused(&many, "0..1024", "--many takes at most 1024 values, '0..1024' is more");
    assert_refused(&many, "0..1023,5000", "an axis takes at most 1024 values");
}

TEST(choices) {
    assert_ok(axis_parse(&interp, "bilinear,nearest,bilinear", &workload, &values));
    assert_int_equal(values.count, 2);
    assert_int_equal(values.values[0].number, 1);
    assert_string_equal(values.values[0].text, "bilinear");
    assert_int_equal(values.values[1].number, 0);
    assert_refused(&interp, "cubic", "--interp takes nearest or bilinear, not 'cubic'");
    assert_refused(&interp, "near", "--interp takes nearest or bilinear, not 'near'");
}

TEST(texts) {
    assert_ok(axis_parse(&pair, "8:1,24:3", &workload, &values));
    assert_int_equal(values.count, 2);
    assert_string_equal(values.values[1].text, "24:3");
    assert_int_equal(values.values[1].number, 0);
    assert_refused(&pair, "8:1,8", "--pr takes P:R, not '8'");
}

TEST(special_words) {
    assert_numbers(&box, "2,half,4", 3, (const int64_t[]){2, 50, 4});
    assert_refused(&box, "broken", "broken is not available");
    assert_refused(&box, "third", "--box takes whole numbers from 1 to 1000, not 'third'");
}

TEST(points) {
    Point point = {.count = 2, .axes = {&tile, &interp}};
    axis_parse(&tile, "8", &workload, &values);
    point.values[0] = values.values[0];
    axis_parse(&interp, "bilinear", &workload, &values);
    point.values[1] = values.values[0];
    assert_int_equal(point_integer(&point, "tile", -1), 8);
    assert_int_equal(point_integer(&point, "threads", -1), -1);
    assert_string_equal(point_text(&point, "interp"), "bilinear");
    assert_string_equal(point_text(&point, "pr"), "");

    char text[64];
    point_format(&point, text, sizeof text);
    assert_string_equal(text, "tile:8,interp:bilinear");
    point_format(&point, text, 10);
    assert_string_equal(text, "tile:8,in");
    char untouched = 'u';
    point_format(&point, &untouched, 0);
    assert_int_equal(untouched, 'u');
    point.count = 0;
    point_format(&point, text, sizeof text);
    assert_string_equal(text, "");
}

TEST(equal_points) {
    static const Axis width = {.name = "width"};
    static const Axis block = {.name = "block"};
    const Point one = {.count = 1, .axes = {&width}, .values = {{8, "8"}}};
    const Point two = {.count = 2, .axes = {&width, &block}, .values = {{8, "8"}, {4, "4"}}};
    Point other = two;
    assert_true(point_equal(&two, &other));
    assert_false(point_equal(&one, &two));
    other.values[1] = (AxisValue){5, "5"};
    assert_false(point_equal(&two, &other));
    other = one;
    other.axes[0] = &block;
    assert_false(point_equal(&one, &other));
    assert_true(point_equal(&(Point){.count = 0}, &(Point){.count = 0}));
}
