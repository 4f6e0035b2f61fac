/* Curves read from saved tables: their points and labels, what is refused, and the chart. */
#include "curve_internal.h"
#include "drawn_charts.h"
#include "needs.h"
#include "test.h"

#define HEAD "threshold,box,positions,sum_s,sum_s2,lambda,lambda_normalised\n"

static void add_file(const char *name, const char *text, PathList *paths) {
    test_write(name, text);
    const char *path = test_path(name);
    assert_ok(path_list_add(paths, path));
}

/* The same rows under each name. */
static void read_named(const char *const *names, const char *text, CurveSet *set) {
    RELEASED_BY(path_list_release) PathList paths = {.count = 0};
    for (size_t i = 0; names[i] != NULL; i++) {
        add_file(names[i], text, &paths);
    }
    assert_ok(curve_set_read(&paths, set));
}

TEST(defined_points_are_sorted_by_box) {
    RELEASED_BY(curve_set_release) CurveSet set = {.count = 0};
    read_named((const char *const[]){"lac-a-512-curve.csv", NULL},
               HEAD "128,4,9,9,9,1.5,0.25\n128,1,9,9,9,6,1\n128,2,9,0,0,,\n", &set);
    assert_int_equal(set.count, 1);
    assert_int_equal(set.curves[0].count, 2);
    assert_true(set.curves[0].points[0].box == 1 && set.curves[0].points[0].lambda == 6);
    assert_true(set.curves[0].points[1].box == 4 && set.curves[0].points[1].normalised == 0.25);
    assert_string_equal(set.curves[0].label, "a-512");
    assert_string_equal(set.title, "lac");
}

TEST(other_columns_may_be_missing) {
    RELEASED_BY(curve_set_release) CurveSet set = {.count = 0};
    read_named((const char *const[]){"mine.csv", NULL}, "lambda,box\n2,1\n1.5,2\n", &set);
    assert_int_equal(set.count, 1);
    assert_true(set.curves[0].points[1].lambda == 1.5);
    assert_true(isnan(set.curves[0].points[1].normalised));
    assert_string_equal(set.curves[0].label, "mine");
}

TEST(a_label_is_what_differs) {
    CurveSet set = {.count = 0};
    const char *const rows = HEAD "128,1,9,9,9,2,1\n128,2,9,9,9,1,0.5\n";
    read_named((const char *const[]){"lac-even-512-box1..4_3-threshold128-curve.csv",
                                     "lac-cantor-512-box1..4_3-threshold128-curve.csv", NULL},
               rows, &set);
    assert_string_equal(set.curves[0].label, "even");
    assert_string_equal(set.curves[1].label, "cantor");
    assert_string_equal(set.title, "lac, 512, box 1..4_3, threshold 128");
    curve_set_release(&set);
    /* One name begins and ends as the other, and nothing is left of it. */
    read_named((const char *const[]){"a-b-curve.csv", "a-a-b-curve.csv", NULL}, rows, &set);
    assert_string_equal(set.curves[0].label, "b");
    assert_string_equal(set.curves[1].label, "a-b");
    curve_set_release(&set);
}

TEST(thresholds_are_curves_of_their_own) {
    CurveSet set = {.count = 0};
    const char *const rows = HEAD "64,1,9,9,9,2,1\n64,2,9,9,9,1,0.5\n128,1,9,9,9,3,1\n";
    read_named((const char *const[]){"lac-a-512-curve.csv", NULL}, rows, &set);
    assert_int_equal(set.count, 2);
    assert_string_equal(set.curves[0].label, "threshold 64");
    assert_string_equal(set.curves[1].label, "threshold 128");
    assert_string_equal(set.title, "lac, a, 512");
    curve_set_release(&set);
    read_named((const char *const[]){"lac-a-1-curve.csv", "lac-b-1-curve.csv", NULL}, rows, &set);
    assert_int_equal(set.count, 4);
    assert_string_equal(set.curves[3].label, "b, threshold 128");
    curve_set_release(&set);
}

/* Files of one name in two folders differ by their paths. */
TEST(equal_names_have_their_paths) {
    char inner[512];
    scratch_path(test_scratch(), "inner", inner);
    assert_int_equal(mkdir(inner, 0700), 0);
    RELEASED_BY(curve_set_release) CurveSet set = {.count = 0};
    read_named((const char *const[]){"lac-a-curve.csv", "inner/lac-a-curve.csv", NULL},
               HEAD "128,1,9,9,9,2,1\n", &set);
    assert_says(set.curves[1].label, "/inner/lac-a-curve.csv");
    assert_string_not_equal(set.curves[0].label, set.curves[1].label);
}

TEST(bad_files_are_named) {
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "is empty"},
        {"bin,count\n0,1\n", "has no column \"box\""},
        {"box,count\n0,1\n", "has no column \"lambda\""},
        {HEAD "128,1,9,9,9,much,1\n", "'much' is not a positive number"},
        {HEAD "128,1,9,9,9,nan,1\n", "'nan' is not a positive number"},
        {HEAD "128,0,9,9,9,1,1\n", "'0' is not a positive number"},
        {HEAD "128,2,9,9,9,1,-1\n", "'-1' is not a positive number"},
        {HEAD "1234567890123456,2,9,9,9,1,1\n", "the threshold '1234567890123456' is longer than"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        RELEASED_BY(path_list_release) PathList paths = {.count = 0};
        RELEASED_BY(curve_set_release) CurveSet set = {.count = 0};
        add_file("bad.csv", cases[i].text, &paths);
        const Status status = curve_set_read(&paths, &set);
        assert_int_equal(status.code, STATUS_FILE);
        assert_says(status.why, "bad.csv");
        assert_says(status.why, cases[i].why);
    }
}

TEST(too_many_curves_are_refused) {
    char text[2048] = "threshold,box,lambda\n";
    for (int i = 0; i <= CURVES_MAX; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d,1,1\n", i);
    }
    RELEASED_BY(path_list_release) PathList paths = {.count = 0};
    RELEASED_BY(curve_set_release) CurveSet set = {.count = 0};
    add_file("many.csv", text, &paths);
    assert_int_equal(curve_set_read(&paths, &set).code, STATUS_USAGE);
}

TEST(folders_hold_curves_by_name) {
    RELEASED_BY(path_list_release) PathList paths = {.count = 0};
    assert_int_equal(path_list_add_curves(&paths, test_folder).code, STATUS_FILE);
    test_write("b-curve.csv", "");
    test_write("a-curve.csv", "");
    test_write("a-table.csv", "");
    assert_ok(path_list_add_curves(&paths, test_folder));
    assert_int_equal(paths.count, 2);
    assert_says(paths.paths[0], "/a-curve.csv");
    assert_says(paths.paths[1], "/b-curve.csv");
}

TEST(curves_share_a_chart) {
    CurveSet set = {.count = 0};
    read_named((const char *const[]){"lac-even-9-curve.csv", "lac-it's \"odd\"-9-curve.csv", NULL},
               HEAD "128,1,9,9,9,2,1\n128,2,9,9,9,1.5,0.75\n128,64,9,9,9,,\n128,4,9,9,9,1,0.5\n",
               &set);
    const Status status = curve_set_draw(&set, test_folder, "both");
    if (status.code == STATUS_SKIP) {
        curve_set_release(&set);
        skip_needing(NEEDS_GNUPLOT, status.why);
    }
    assert_ok(status);
    curve_set_release(&set);
    expect_words("both", (const char *const[]){"lacunarity Λ(r)", "log₁₀ Λ(r) / Λ(1)", "box side r",
                                               ">even<", ">it's \"odd\"<", ">4<", "lac, 9", NULL});
    assert_int_equal(scratch_count(test_folder), 4); /* two curves, SVG and PNG */
}
