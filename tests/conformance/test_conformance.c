/*
 * Conformance: every variant of every algorithm, at every answer and tuning point, gives the
 * oracle's answer on awkward images. The oracle itself is anchored by hand in tests/cpu.
 *
 *     test_conformance [--backend cpu|cuda] [--only NAMES] [--except NAMES] [--quick]
 *                      [--wide] [--answer AXIS=LIST]… [--shapes WxH|NxWxH,…]
 *                      [--contents NAME,…]
 *
 * NAMES are algorithms and algorithm/variant, comma between. Answer axes without --answer have all
 * their choices or their defaults. --wide is for many answer points; --quick is for checkers that
 * slow everything down; what takes turns then is in sweep.h. NxWxH are N images of W×H pixels,
 * for algorithms that take sets; descriptors have shapes and contents of their own. Exit code 77
 * when the backend cannot run here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "algorithm.h"
#include "axis.h"
#include "backend.h"
#include "base.h"
#include "descriptor_cases.h"
#include "keypoint_cases.h"
#include "needs.h"
#include "output.h"
#include "run.h"
#include "run_internal.h"
#include "status.h"
#include "sweep.h"
#include "variant.h"
#include "workload.h"

enum { EXIT_BAD_ARGUMENTS = 2, EXIT_NO_BACKEND = 77, TESTS_MAX = 256, RUNS_AGAIN = 2 };

static const size_t paddings[] = {0, 1, 29};

static CaseSweep sweep;

typedef struct Subject {
    const Algorithm *algorithm;
    const Variant *variant;
    size_t asked, ran; /* requests that have an answer; those of them that the variant computed */
} Subject;

static const Settings no_settings = {.count = 0};

static void expect_ok(const Status *status, const Subject *subject, const Request *request,
                      const char *step) {
    if (!status_is_ok(status)) {
        char answer[128];
        char tuning[128];
        point_format(request->answer, answer, sizeof answer);
        point_format(request->tuning, tuning, sizeof tuning);
        fail_msg("%s/%s [%s] [%s] on %s %s, stride %zu: %s: %s", subject->algorithm->name,
                 subject->variant->name, answer, tuning, request->workload->input,
                 request->workload->size_name, request->workload->image.stride, step, status->why);
    }
}

/* The overlapped path, on poisoned memory, when the variant has one. */
static Status verify_stream(const Subject *subject, const Request *request, void *state,
                            const Output *want) {
    double agreement = 0.0;
    STATUS_TRY(poison_everything(subject->variant, request->output, POISON_CANDIDATE));
    STATUS_TRY(subject->variant->stream(state));
    return verify_answer(subject->algorithm, subject->variant, request->answer, request->output,
                         want, &agreement);
}

static void check_request(Subject *subject, const Request *request, const Output *want) {
    const Variant *variant = subject->variant;
    void *state = NULL;
    double agreement = 0.0;
    subject->asked++;
    Status status = variant->open(request, &state);
    if (status.code == STATUS_SKIP) {
        return; /* says that it cannot, which is an answer */
    }
    subject->ran++;
    expect_ok(&status, subject, request, "open");
    status = verify_state(subject->algorithm, variant, request->answer, state, request->output,
                          want, &agreement);
    expect_ok(&status, subject, request, "first run");
    if (variant->stream != NULL) {
        status = verify_stream(subject, request, state, want);
        expect_ok(&status, subject, request, "stream");
    }
    for (int i = 0; i < RUNS_AGAIN; i++) {
        status = run_once(variant, state);
        expect_ok(&status, subject, request, "run again");
    }
    status = verify_answer(subject->algorithm, variant, request->answer, request->output, want,
                           &agreement);
    expect_ok(&status, subject, request, "after more runs");
    variant->close(state);
}

/* False when the oracle says that there is no answer, which it may find out only now. */
static bool compute_oracle(const Algorithm *algorithm, const Workload *workload,
                           const Point *answer, const Output *want) {
    const Variant *oracle = &algorithm->cpu.rows[0];
    PointSet tunings = point_set_create(oracle->tuning, &no_settings, workload);
    const Point tuning = point_set_at(&tunings, 0);
    const Request request = {
        .workload = workload, .answer = answer, .tuning = &tuning, .output = want};
    const Subject subject = {.algorithm = algorithm, .variant = oracle};
    void *state = NULL;
    point_set_free(&tunings);
    answer_poison(want, POISON_ORACLE);
    Status status = oracle->open(&request, &state);
    if (status.code == STATUS_SKIP) {
        return false;
    }
    expect_ok(&status, &subject, &request, "oracle open");
    status = run_once(oracle, state);
    expect_ok(&status, &subject, &request, "oracle run");
    oracle->close(state);
    return true;
}

/* Where the oracle has no answer nobody may claim one. */
static void expect_skip(const Subject *subject, const Request *request) {
    void *state = NULL;
    const Status status = subject->variant->open(request, &state);
    if (status.code != STATUS_SKIP) {
        fail_msg("%s/%s on %s %s: the oracle has no answer, and this opens",
                 subject->algorithm->name, subject->variant->name, request->workload->input,
                 request->workload->size_name);
    }
}

/* Where one case is: the numbers that turns go by, and how many answer points there are. */
typedef struct Place {
    SweepCase at;
    size_t answers;
} Place;

/* The oracle's answer to a case, which is the same for every variant of an algorithm. */
typedef struct Answered {
    const Algorithm *algorithm;
    SweepCase at;
    bool has_answer;
    Output want;
} Answered;

enum { ANSWERED_BYTES_MAX = 1 << 29 };

/* Those of one algorithm, kept from one of its variants to the next. */
static struct {
    Answered *list;
    size_t count, capacity, bytes;
    size_t next; /* where the case after the last one found is: variants meet cases in one order */
} answered;

static const Answered *find_answered(const Algorithm *algorithm, const SweepCase *at) {
    for (size_t i = 0; i < answered.count; i++) {
        const size_t index = (answered.next + i) % answered.count;
        const Answered *entry = &answered.list[index];
        if (entry->algorithm == algorithm && entry->at.shape == at->shape &&
            entry->at.content == at->content && entry->at.answer == at->answer) {
            answered.next = index + 1;
            return entry;
        }
    }
    return NULL;
}

static void forget_answered(void) {
    for (size_t i = 0; i < answered.count; i++) {
        answer_release_plain(&answered.list[i].want);
    }
    answered.count = answered.bytes = answered.next = 0;
}

/* Returns false when there is no room: the caller keeps what it computed. */
static bool keep_answered(const Answered *entry) {
    if (answered.count > 0 && answered.list[0].algorithm != entry->algorithm) {
        forget_answered();
    }
    if (answered.bytes + entry->want.layout.bytes > ANSWERED_BYTES_MAX) {
        return false;
    }
    if (answered.count == answered.capacity) {
        answered.capacity = 2 * answered.capacity + 64;
        answered.list = realloc(answered.list, answered.capacity * sizeof *answered.list);
        assert_non_null(answered.list);
    }
    answered.list[answered.count++] = *entry;
    answered.bytes += entry->want.layout.bytes;
    return true;
}

static void check_tunings(Subject *subject, const Workload *workload, const Point *answer,
                          const Place *place) {
    OutputLayout layout = {.count = 0};
    Status status = subject->algorithm->output_layout(workload, answer, &layout);
    if (status.code == STATUS_SKIP) {
        return;
    }
    assert_true(status_is_ok(&status));
    Output got = {.data = NULL};
    status = answer_alloc_guarded(&layout, &got);
    assert_true(status_is_ok(&status));
    Answered own = {.algorithm = subject->algorithm, .at = place->at};
    const Answered *oracle = find_answered(subject->algorithm, &place->at);
    bool kept = true;
    if (oracle == NULL) {
        status = answer_alloc_plain(&layout, &own.want);
        assert_true(status_is_ok(&status));
        own.has_answer = compute_oracle(subject->algorithm, workload, answer, &own.want);
        oracle = &own;
        kept = keep_answered(&own);
    }

    PointSet tunings = point_set_create(subject->variant->tuning, &no_settings, workload);
    for (size_t i = 0; i < tunings.count; i++) {
        if (sweep_tries_tuning(&sweep, &place->at, place->answers, i, tunings.count)) {
            const Point tuning = point_set_at(&tunings, i);
            const Request request = {
                .workload = workload, .answer = answer, .tuning = &tuning, .output = &got};
            if (oracle->has_answer) {
                check_request(subject, &request, &oracle->want);
            } else {
                expect_skip(subject, &request);
            }
        }
    }
    point_set_free(&tunings);
    answer_release_guarded(&got);
    if (!kept) {
        answer_release_plain(&own.want);
    }
}

static void check_workload(Subject *subject, const Workload *workload, SweepCase at) {
    PointSet answers = point_set_create(subject->algorithm->answer, &sweep.answers, workload);
    for (at.answer = 0; at.answer < answers.count; at.answer++) {
        if (sweep_tries(&sweep, &at, answers.count)) {
            const Point answer = point_set_at(&answers, at.answer);
            check_tunings(subject, workload, &answer, &(Place){.at = at, .answers = answers.count});
        }
    }
    point_set_free(&answers);
}

/* Images, with keypoints or without. */
static bool create_image(const Subject *subject, Shape shape, CaseContent content, size_t padding,
                         Workload *workload) {
    return subject->algorithm->input == WORKLOAD_KEYPOINTS
               ? keypoint_case_create(shape, content, padding, workload)
               : case_create(shape, content, padding, workload);
}

static void release_image(Workload *workload) {
    if (workload->kind == WORKLOAD_KEYPOINTS) {
        keypoint_case_release(workload);
    } else {
        case_release(workload);
    }
}

static void conforms_on_images(Subject *subject) {
    const bool is_oracle = subject->variant == &subject->algorithm->cpu.rows[0];
    for (size_t i = 0; i < sweep.shape_count; i++) {
        for (size_t j = 0; j < sweep.content_count; j++) {
            const Shape shape = sweep.shapes[i];
            const CaseContent content = sweep.contents[j];
            const SweepCase at = {.shape = i,
                                  .content = j,
                                  .shapes = sweep.shape_count,
                                  .contents = sweep.content_count,
                                  .large = sweep_is_large(shape)};
            Workload workload;
            if (sweep_tries_image(&sweep, subject->variant, is_oracle, shape, content)) {
                assert_true(
                    create_image(subject, shape, content, paddings[(i + j) % 3], &workload));
                check_workload(subject, &workload, at);
                release_image(&workload);
            }
        }
    }
}

static void conforms_on_sets(Subject *subject) {
    for (size_t i = 0; i < sweep.set_shape_count; i++) {
        for (size_t j = 0; j < sweep.set_content_count; j++) {
            const SweepCase at = {.shape = i,
                                  .content = j,
                                  .shapes = sweep.set_shape_count,
                                  .contents = sweep.set_content_count};
            Workload workload;
            assert_true(set_case_create(sweep.set_shapes[i], sweep.set_contents[j], &workload));
            check_workload(subject, &workload, at);
            set_case_release(&workload);
        }
    }
}

static void conforms_on_descriptors(Subject *subject) {
    const bool is_oracle = subject->variant == &subject->algorithm->cpu.rows[0];
    const DescriptorShape *shapes = NULL;
    const size_t count = descriptor_case_shapes(&shapes);
    for (size_t i = 0; i < count; i++) {
        if (is_oracle && sweep_is_large((Shape){shapes[i].bytes, shapes[i].a + shapes[i].b})) {
            continue; /* it is only held to itself */
        }
        for (size_t j = 0; j < DESCRIPTORS_CONTENT_COUNT; j++) {
            const SweepCase at = {
                .shape = i, .content = j, .shapes = count, .contents = DESCRIPTORS_CONTENT_COUNT};
            Workload workload;
            assert_true(descriptor_case_create(shapes[i], (DescriptorContent)j,
                                               paddings[(i + j) % 3], &workload));
            check_workload(subject, &workload, at);
            case_release(&workload);
        }
    }
}

static void variant_conforms(void **state) {
    Subject *subject = *state;
    const Status available = registry_variant_available(subject->variant);
    if (!status_is_ok(&available)) {
        skip_needing("what a variant runs on", available.why);
    }
    switch (subject->algorithm->input) {
    case WORKLOAD_IMAGE_SET: conforms_on_sets(subject); break;
    case WORKLOAD_DESCRIPTORS: conforms_on_descriptors(subject); break;
    default: conforms_on_images(subject);
    }
    print_message("%zu of %zu requests ran\n", subject->ran, subject->asked);
    /* One that may skip this or that request passes; one that skips them all was not tested. */
    if (subject->ran == 0) {
        fail_msg("%s/%s ran none of %zu requests", subject->algorithm->name, subject->variant->name,
                 subject->asked);
    }
}

static size_t collect(Subject *subjects, struct CMUnitTest *tests) {
    size_t count = 0;
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        const Algorithm *algorithm = registry_algorithm(i);
        for (size_t j = 0; j < registry_variant_count(algorithm) && count < TESTS_MAX; j++) {
            const Variant *variant = registry_variant(algorithm, j);
            if (sweep_selects(&sweep, algorithm, variant)) {
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

/* 0, or what to exit with. */
static int find_backend(void) {
    for (size_t i = 0; i < registry_backend_count(); i++) {
        const Backend *backend = registry_backend(i);
        char description[STATUS_WHY_SIZE];
        if (strcmp(backend->name, sweep.backend) == 0) {
            const Status status = backend->probe(description, sizeof description);
            if (!status_is_ok(&status)) {
                printf("skipped: needs " NEEDS_DEVICE ": %s\n", status.why);
                return EXIT_NO_BACKEND;
            }
            printf("%s: %s\n", backend->name, description);
            return 0;
        }
    }
    printf("there is no backend '%s'\n", sweep.backend);
    return EXIT_BAD_ARGUMENTS;
}

static bool has_axis(const Algorithm *algorithm, const char *name) {
    for (const Axis *const *axis = algorithm->answer; axis != NULL && *axis != NULL; axis++) {
        if (strcmp((*axis)->name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* A name that is misspelt must not pass for a test that found nothing wrong. */
static bool settings_are_used(const Subject *subjects, size_t count) {
    for (size_t i = 0; i < sweep.answers.count; i++) {
        bool used = false;
        for (size_t j = 0; j < count; j++) {
            used = used || has_axis(subjects[j].algorithm, sweep.answers.list[i].axis);
        }
        if (!used) {
            printf("nothing selected has an answer axis '%s'\n", sweep.answers.list[i].axis);
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv) {
    static Subject subjects[TESTS_MAX];
    static struct CMUnitTest tests[TESTS_MAX];
    if (!sweep_parse(argc, argv, &sweep)) {
        return EXIT_BAD_ARGUMENTS;
    }
    const int backend_missing = find_backend();
    if (backend_missing != 0) {
        return backend_missing;
    }
    const size_t count = collect(subjects, tests);
    if (count == 0 || !settings_are_used(subjects, count)) {
        printf("there is nothing to test\n");
        return EXIT_BAD_ARGUMENTS;
    }
    return _cmocka_run_group_tests("conformance", tests, count, NULL, NULL);
}
