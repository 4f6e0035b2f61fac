/* Sets of images for tests of adaboost, and trainings on them as the runner has them done: open,
 * poison, run, check guards, close. */
#ifndef TESTS_CPU_ADABOOST_RUNS_H
#define TESTS_CPU_ADABOOST_RUNS_H

#include "adaboost.h"
#include "backend_runner.h"
#include "test.h"

extern const Algorithm adaboost_algorithm;

static inline uint32_t next_random(uint32_t *random) {
    *random = *random * 1664525U + 1013904223U;
    return *random >> 8;
}

/* Images of 0 and labels 0, to be filled by the test. */
static inline Workload empty_set(int32_t count, int32_t width, int32_t height) {
    const size_t pixels = (size_t)count * (size_t)width * (size_t)height;
    Workload workload = {
        .kind = WORKLOAD_IMAGE_SET,
        .image = {.width = width,
                  .height = height * count,
                  .stride = (size_t)width,
                  .pixels = calloc(pixels, 1)},
        .set = {.count = count, .width = width, .height = height, .labels = calloc(count, 1)},
        .seed = 1,
    };
    assert_non_null(workload.image.pixels);
    assert_non_null(workload.set.labels);
    return workload;
}

/* Random pixels of so many grey levels from 0 to 255 (few levels: many equal values), and random
 * labels 0 … labels - 1. */
static inline Workload random_set(int32_t count, int32_t width, int32_t height, uint32_t levels,
                                  uint32_t labels, uint32_t seed) {
    Workload workload = empty_set(count, width, height);
    uint32_t random = seed;
    for (size_t i = 0; i < image_pixel_count(&workload.image); i++) {
        workload.image.pixels[i] = (uint8_t)(next_random(&random) % levels * 255 / (levels - 1));
    }
    for (int32_t i = 0; i < count; i++) {
        workload.set.labels[i] = (uint8_t)(next_random(&random) % labels);
    }
    return workload;
}

static inline void free_set(Workload *workload) {
    free(workload->image.pixels);
    free(workload->set.labels);
}

/* A value for each answer axis, whatever their order. */
static inline Point training_point(AdaboostPoint wanted) {
    const struct {
        const char *name;
        int32_t value;
    } values[] = {{"digit", wanted.digit},
                  {"rounds", wanted.rounds},
                  {"candidates", wanted.candidates},
                  {"min-side", wanted.min_side},
                  {"threshold", wanted.threshold}};
    Point point = {.count = 0};
    for (; adaboost_algorithm.answer[point.count] != NULL; point.count++) {
        const Axis *axis = adaboost_algorithm.answer[point.count];
        point.axes[point.count] = axis;
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            if (strcmp(axis->name, values[i].name) == 0) {
                point.values[point.count].number = values[i].value;
            }
        }
    }
    return point;
}

/* An answer full of 0x5A. */
static inline Output new_output(const Workload *workload, const Point *point) {
    Output output = {.data = NULL};
    const Status status = adaboost_algorithm.output_layout(workload, point, &output.layout);
    assert_string_equal(status.why, "");
    output.data = aligned_alloc(OUTPUT_ALIGNMENT, output.layout.bytes);
    assert_non_null(output.data);
    memset(output.data, 0x5A, output.layout.bytes);
    return output;
}

static inline void free_output(Output *output) {
    free(output->data);
    output->data = NULL;
}

/* One run of the variant between guard bands, its scratch poisoned before; what run() says. */
static inline Status train(const Variant *variant, int threads, const Workload *workload,
                           const Point *point, const Output *output, const Steps *steps) {
    Point tuning = {.count = 0};
    if (variant->tuning != NULL) {
        tuning = (Point){.count = 1, .axes = {variant->tuning[0]}, .values = {{.number = threads}}};
    }
    const Request request = {
        .workload = workload, .answer = point, .tuning = &tuning, .output = output, .steps = steps};
    void *state = NULL;
    const Status opened = variant->open(&request, &state);
    assert_string_equal(opened.why, "");
    assert_ok(cpu_backend.runner->poison(0xA5));
    const Status status = variant->run(state);
    const Status guards = cpu_backend.runner->check_guards();
    assert_string_equal(guards.why, "");
    variant->close(state);
    variant->close(NULL);
    return status;
}

/* The answer of seq; the caller owns it. */
static inline Output train_seq(const Workload *workload, AdaboostPoint wanted) {
    const Point point = training_point(wanted);
    Output output = new_output(workload, &point);
    const Status status =
        train(&adaboost_algorithm.cpu.rows[0], 1, workload, &point, &output, NULL);
    assert_string_equal(status.why, "");
    return output;
}

static inline void assert_same_training(const Output *got, const Output *want, const char *name,
                                        int threads) {
    if (*adaboost_count(got) != *adaboost_count(want)) {
        fail_msg("%s, %d threads: %u stumps, expected %u", name, threads,
                 (unsigned)*adaboost_count(got), (unsigned)*adaboost_count(want));
    }
    const OutputPart *part = &want->layout.parts[ADABOOST_PART_STUMPS];
    const uint64_t *a = output_part(got, ADABOOST_PART_STUMPS);
    const uint64_t *b = output_part(want, ADABOOST_PART_STUMPS);
    for (size_t i = 0; i < part->width * part->height; i++) {
        if (a[i] != b[i]) {
            fail_msg("%s, %d threads: stump %zu, column %zu differs (%llu, expected %llu)", name,
                     threads, i / ADABOOST_COLUMNS, i % ADABOOST_COLUMNS, (unsigned long long)a[i],
                     (unsigned long long)b[i]);
        }
    }
}

#endif
