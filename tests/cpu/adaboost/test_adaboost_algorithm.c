/* adaboost's table: layout, cost, what it cannot do, stages, and the answer as CSV. */
#include "adaboost_runs.h"
#include "test.h"
#include "variant_runs.h"

static AdaboostPoint small_point(void) {
    return (AdaboostPoint){
        .digit = 1, .rounds = 3, .candidates = 20, .min_side = 3, .threshold = 100};
}

TEST(layout_and_cost) {
    const Workload workload = {.kind = WORKLOAD_IMAGE_SET,
                               .image = {.width = 28, .height = 2800, .stride = 28},
                               .set = {.count = 100, .width = 28, .height = 28}};
    const Point point = training_point(small_point());
    OutputLayout layout = {0};
    assert_ok(adaboost_algorithm.output_layout(&workload, &point, &layout));
    assert_int_equal(layout.count, 2);
    assert_string_equal(layout.parts[ADABOOST_PART_COUNT].name, "count");
    assert_int_equal(layout.parts[ADABOOST_PART_COUNT].kind, OUTPUT_COUNTS_U64);
    assert_int_equal(layout.parts[ADABOOST_PART_COUNT].bytes, 8);
    assert_string_equal(layout.parts[ADABOOST_PART_STUMPS].name, "stumps");
    assert_int_equal(layout.parts[ADABOOST_PART_STUMPS].kind, OUTPUT_TABLE_U64);
    assert_int_equal(layout.parts[ADABOOST_PART_STUMPS].width, 11);
    assert_int_equal(layout.parts[ADABOOST_PART_STUMPS].height, 3);
    const Cost cost = adaboost_algorithm.cost(&workload, &point);
    assert_true(cost.items == 3.0 * 20 * 100);
    assert_true(cost.bytes == 100 * 28 * 28 + 100 + 8 + 3 * 88);
    assert_string_equal(cost.operation, "int32");
    assert_true(cost.oracle_work > cost.items);
}

static void check_refusal(const Workload *workload, AdaboostPoint wanted, const char *text) {
    const Point point = training_point(wanted);
    OutputLayout layout = {0};
    const Status status = adaboost_algorithm.output_layout(workload, &point, &layout);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_says(status.why, text);
}

TEST(refusals_say_why) {
    RELEASED_BY(free_set) Workload workload = random_set(4, 8, 6, 256, 2, 1);
    AdaboostPoint point = small_point();
    point.min_side = 7;
    check_refusal(&workload, point, "no rectangle of side 7");
    uint8_t *labels = workload.set.labels;
    workload.set.labels = NULL;
    check_refusal(&workload, small_point(), "give --labels FILE");
    workload.set.labels = labels;
    workload.set.width = 256;
    check_refusal(&workload, small_point(), "sides go up to 255");
}

TEST(defaults_are_those_of_the_axes) {
    const Point none = {.count = 0};
    const AdaboostPoint point = adaboost_point(&none);
    const struct {
        const char *name;
        int32_t fallback;
    } wanted[] = {{"digit", point.digit},
                  {"rounds", point.rounds},
                  {"candidates", point.candidates},
                  {"min-side", point.min_side},
                  {"threshold", point.threshold}};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        const Axis *axis = adaboost_algorithm.answer[i];
        assert_string_equal(axis->name, wanted[i].name);
        AxisValues *values = malloc(sizeof *values);
        assert_ok(axis_parse(axis, axis->defaults, NULL, values));
        assert_int_equal(values->count, 1);
        assert_int_equal(values->values[0].number, wanted[i].fallback);
        free(values);
    }
}

TEST(stages_make_up_the_run) {
    static const char *const names[] = {"integral", "values", "sort", "boosting", NULL};
    RELEASED_BY(free_set) Workload workload = random_set(100, 8, 8, 256, 3, 5);
    const Point point = training_point(small_point());
    check_stages(&adaboost_algorithm, &workload, &point, names);
}

static void check_csv(const Output *output, size_t part, const char *want) {
    char text[1024] = "";
    FILE *stream = fmemopen(text, sizeof text, "w");
    assert_non_null(stream);
    const Workload workload = {.kind = WORKLOAD_IMAGE_SET};
    const Point none = {.count = 0};
    assert_ok(adaboost_algorithm.write_part(stream, &workload, &none, output, part));
    fclose(stream);
    assert_string_equal(text, want);
}

TEST(stumps_as_csv) {
    RELEASED_BY(free_set) Workload workload = random_set(4, 8, 8, 256, 2, 1);
    const Point point = training_point(small_point());
    RELEASED_BY(free_output) Output output = new_output(&workload, &point);
    *adaboost_count(&output) = 2;
    AdaboostStump *stumps = adaboost_stumps(&output);
    /* An error of 1/4 has an alpha of ½ ln 3, one of 1/8 one of ½ ln 7. */
    stumps[0] = (AdaboostStump){17, HAAR_THREE_ROWS, 1, 2, 5, 6, -123, 1, 1ULL << 38, 9, 10};
    stumps[1] = (AdaboostStump){3, HAAR_CHECKER, 0, 3, 4, 5, 77, 0, 1ULL << 37, 2, 1};
    check_csv(&output, ADABOOST_PART_STUMPS,
              "round,candidate,type,x,y,w,h,threshold,polarity,error,alpha,misses,false_alarms\n"
              "1,17,three_rows,1,2,5,6,-123,1,0.250000000000,0.549306144334,9,10\n"
              "2,3,checker,0,3,4,5,77,0,0.125000000000,0.972955074528,2,1\n");
    check_csv(&output, ADABOOST_PART_COUNT, "stumps\n2\n");
}
