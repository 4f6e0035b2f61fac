/*
 * Conformance: every variant of every algorithm, at every tuning point, gives the oracle's answer
 * on awkward images. The oracle itself is anchored by hand in tests/cpu.
 *
 *     test_conformance --backend cpu|cuda [--quick]
 *
 * Exit code 77 when the backend cannot run here. --quick keeps to small shapes, for checkers that
 * slow everything down.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cases.h"
#include "registry.h"
#include "verify.h"

enum { EXIT_NO_BACKEND = 77, TESTS_MAX = 256, RUNS_AGAIN = 2 };

static const size_t paddings[] = {0, 1, 29};

static struct {
    const char *backend;
    bool quick;
} options;

typedef struct Subject {
    const Algorithm *algorithm;
    const Variant *variant;
} Subject;

/* What an axis is tried at: all choices, or a spread of small numbers, or what it sweeps itself. */
static void axis_points(const Axis *axis, const Workload *workload, AxisValues *values) {
    Status status = status_skip("not tried");
    memset(values, 0, sizeof *values);
    if (axis->kind == AXIS_CHOICE) {
        for (size_t i = 0; axis->choices[i] != NULL; i++) {
            values->values[values->count].number = (int64_t)i;
            snprintf(values->values[values->count].text, AXIS_TEXT_SIZE, "%s", axis->choices[i]);
            values->count++;
        }
        return;
    }
    if (axis->kind == AXIS_INTEGER) {
        status = axis_parse(axis, "1,2,3,5", workload, values);
    }
    if (!status_is_ok(&status)) {
        memset(values, 0, sizeof *values);
        status = axis_parse(axis, axis->defaults, workload, values);
    }
    if (!status_is_ok(&status)) {
        fail_msg("--%s: %s", axis->name, status.why);
    }
}

/* Advances `point` like an odometer over the axes' values; false when it has come round. */
static bool next_point(const Axis *const *axes, const AxisValues *values, size_t *digits,
                       Point *point) {
    size_t count = 0;
    bool advanced = false;
    for (; axes != NULL && axes[count] != NULL; count++) {
        if (!advanced) {
            digits[count] = (digits[count] + 1) % values[count].count;
            advanced = digits[count] != 0;
        }
        point->values[count] = values[count].values[digits[count]];
    }
    return advanced;
}

static Point first_point(const Axis *const *axes, const AxisValues *values) {
    Point point = {.count = 0};
    for (; axes != NULL && axes[point.count] != NULL; point.count++) {
        point.axes[point.count] = axes[point.count];
        point.values[point.count] = values[point.count].values[0];
    }
    return point;
}

static AxisValues *values_of(const Axis *const *axes, const Workload *workload) {
    AxisValues *values = calloc(POINT_AXES_MAX, sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; axes != NULL && axes[i] != NULL; i++) {
        axis_points(axes[i], workload, &values[i]);
    }
    return values;
}

static void expect_ok(const Status *status, const Subject *subject, const Request *request,
                      const char *step) {
    if (!status_is_ok(status)) {
        char tuning[128];
        point_format(request->tuning, tuning, sizeof tuning);
        fail_msg("%s/%s %s on %s %s, stride %zu: %s: %s", subject->algorithm->name,
                 subject->variant->name, tuning, request->workload->input,
                 request->workload->size_name, request->workload->image.stride, step, status->why);
    }
}

/* The overlapped path, on poisoned memory, when the variant has one. */
static Status verify_stream(const Subject *subject, const Request *request, void *state,
                            const Output *want) {
    double agreement = 0.0;
    STATUS_TRY(poison_everything(subject->variant, request->output, POISON_CANDIDATE));
    STATUS_TRY(subject->variant->stream(state));
    return verify_answer(subject->algorithm, subject->variant, request->output, want, &agreement);
}

static void check_request(const Subject *subject, const Request *request, const Output *want) {
    const Variant *variant = subject->variant;
    void *state = NULL;
    double agreement = 0.0;
    Status status = variant->open(request, &state);
    if (status.code == STATUS_SKIP) {
        return; /* says that it cannot, which is an answer */
    }
    expect_ok(&status, subject, request, "open");
    status = verify_state(subject->algorithm, variant, state, request->output, want, &agreement);
    expect_ok(&status, subject, request, "first run");
    if (variant->stream != NULL) {
        status = verify_stream(subject, request, state, want);
        expect_ok(&status, subject, request, "stream");
    }
    for (int i = 0; i < RUNS_AGAIN; i++) {
        status = run_once(variant, state);
        expect_ok(&status, subject, request, "run again");
    }
    status = verify_answer(subject->algorithm, variant, request->output, want, &agreement);
    expect_ok(&status, subject, request, "after more runs");
    variant->close(state);
}

static void compute_oracle(const Algorithm *algorithm, const Workload *workload,
                           const Point *answer, const Output *want) {
    const Variant *oracle = &algorithm->cpu.rows[0];
    AxisValues *values = values_of(oracle->tuning, workload);
    const Point tuning = first_point(oracle->tuning, values);
    const Request request = {
        .workload = workload, .answer = answer, .tuning = &tuning, .output = want};
    const Subject subject = {.algorithm = algorithm, .variant = oracle};
    void *state = NULL;
    answer_poison(want, POISON_ORACLE);
    Status status = oracle->open(&request, &state);
    expect_ok(&status, &subject, &request, "oracle open");
    status = run_once(oracle, state);
    expect_ok(&status, &subject, &request, "oracle run");
    oracle->close(state);
    free(values);
}

static void check_tunings(const Subject *subject, const Workload *workload, const Point *answer) {
    OutputLayout layout = {.count = 0};
    Status status = subject->algorithm->output_layout(workload, answer, &layout);
    if (status.code == STATUS_SKIP) {
        return;
    }
    assert_true(status_is_ok(&status));
    Output want = {.data = NULL};
    Output got = {.data = NULL};
    status = answer_alloc_plain(&layout, &want);
    assert_true(status_is_ok(&status));
    status = answer_alloc_guarded(&layout, &got);
    assert_true(status_is_ok(&status));
    compute_oracle(subject->algorithm, workload, answer, &want);

    AxisValues *values = values_of(subject->variant->tuning, workload);
    Point tuning = first_point(subject->variant->tuning, values);
    size_t digits[POINT_AXES_MAX] = {0};
    do {
        const Request request = {
            .workload = workload, .answer = answer, .tuning = &tuning, .output = &got};
        check_request(subject, &request, &want);
    } while (next_point(subject->variant->tuning, values, digits, &tuning));
    free(values);
    answer_release_guarded(&got);
    answer_release_plain(&want);
}

static void check_workload(const Subject *subject, const Workload *workload) {
    AxisValues *values = values_of(subject->algorithm->answer, workload);
    Point answer = first_point(subject->algorithm->answer, values);
    size_t digits[POINT_AXES_MAX] = {0};
    do {
        check_tunings(subject, workload, &answer);
    } while (next_point(subject->algorithm->answer, values, digits, &answer));
    free(values);
}

static void variant_conforms(void **state) {
    const Subject *subject = *state;
    const Status available = registry_variant_available(subject->variant);
    if (!status_is_ok(&available)) {
        print_message("skipped: %s\n", available.why);
        skip();
    }
    const Shape *shapes = NULL;
    const size_t shape_count = case_shapes(options.quick, &shapes);
    for (size_t i = 0; i < shape_count; i++) {
        for (int content = 0; content < CONTENT_COUNT; content++) {
            Workload workload;
            const size_t padding = paddings[(i + (size_t)content) % 3];
            assert_true(case_create(shapes[i], (CaseContent)content, padding, &workload));
            check_workload(subject, &workload);
            case_release(&workload);
        }
    }
}

static size_t collect(Subject *subjects, struct CMUnitTest *tests) {
    size_t count = 0;
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        const Algorithm *algorithm = registry_algorithm(i);
        for (size_t j = 0; j < registry_variant_count(algorithm) && count < TESTS_MAX; j++) {
            const Variant *variant = registry_variant(algorithm, j);
            if (strcmp(variant->backend->name, options.backend) == 0) {
                static char names[TESTS_MAX][64];
                snprintf(names[count], sizeof names[count], "%s/%s", algorithm->name,
                         variant->name);
                subjects[count] = (Subject){.algorithm = algorithm, .variant = variant};
                tests[count] = (struct CMUnitTest){.name = names[count],
                                                   .test_func = variant_conforms,
                                                   .initial_state = &subjects[count]};
                count++;
            }
        }
    }
    return count;
}

static bool backend_runs(void) {
    for (size_t i = 0; i < registry_backend_count(); i++) {
        const Backend *backend = registry_backend(i);
        char description[STATUS_WHY_SIZE];
        if (strcmp(backend->name, options.backend) == 0) {
            const Status status = backend->probe(description, sizeof description);
            printf("%s: %s\n", backend->name, status_is_ok(&status) ? description : status.why);
            return status_is_ok(&status);
        }
    }
    printf("there is no backend '%s'\n", options.backend);
    return false;
}

int main(int argc, char **argv) {
    static Subject subjects[TESTS_MAX];
    static struct CMUnitTest tests[TESTS_MAX];
    options.backend = "cpu";
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            options.quick = true;
        } else if (strcmp(argv[i], "--backend") == 0 && i + 1 < argc) {
            options.backend = argv[++i];
        }
    }
    if (!backend_runs()) {
        return EXIT_NO_BACKEND;
    }
    const size_t count = collect(subjects, tests);
    return _cmocka_run_group_tests("conformance", tests, count, NULL, NULL);
}
