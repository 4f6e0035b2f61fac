/*
 * A fake algorithm for tests of the harness: every pixel inverted, and how many pixels have each
 * value of the low two bits. Its variants are right, or wrong in one way each. The registry does
 * not know them; their tables are all in the algorithm's `cpu` rows.
 */
#ifndef TESTS_BENCH_FAKES_H
#define TESTS_BENCH_FAKES_H

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "algorithm.h"
#include "bench/fake_device.h"
#include "harness.h"
#include "registry.h"
#include "run_options.h"

static inline Status fake_layout(const Workload *workload, const Point *answer,
                                 OutputLayout *layout) {
    (void)answer;
    STATUS_TRY(output_layout_add(layout, "inverse", OUTPUT_IMAGE_U8, (size_t)workload->image.width,
                                 (size_t)workload->image.height));
    return output_layout_add(layout, "counts", OUTPUT_COUNTS_U64, 4, 1);
}

static inline Cost fake_cost(const Workload *workload, const Point *answer) {
    (void)answer;
    const double pixels = (double)image_pixel_count(&workload->image);
    return (Cost){.bytes = 2 * pixels, .operations = pixels, .items = pixels};
}

static inline void fake_compute(const Image *image, const Output *output) {
    uint8_t *inverse = output_part(output, 0);
    uint64_t counts[4] = {0};
    for (int32_t y = 0; y < image->height; y++) {
        for (int32_t x = 0; x < image->width; x++) {
            const uint8_t pixel = image_row(image, y)[x];
            inverse[(size_t)y * (size_t)image->width + (size_t)x] = (uint8_t)~pixel;
            counts[pixel & 3]++;
        }
    }
    memcpy(output_part(output, 1), counts, sizeof counts);
}

typedef struct FakeState {
    const Request *request;
    int runs;
    bool uploaded;
    uint8_t *input, *answer; /* on the device */
} FakeState;

static inline Status fake_open(const Request *request, void **state) {
    FakeState *made = calloc(1, sizeof *made);
    made->request = request;
    *state = made;
    fake_device.opened++;
    return status_ok();
}

static inline void fake_close(void *state) {
    FakeState *fake = state;
    if (fake != NULL) {
        fake_release(fake->input);
        fake_release(fake->answer);
        fake_device.closed++;
    }
    free(fake);
}

static inline Status fake_run(void *state) {
    FakeState *fake = state;
    fake->runs++;
    fake_device.runs++;
    fake_compute(&fake->request->workload->image, fake->request->output);
    return status_ok();
}

/* As many threads as its tuning says take part, if only in that. */
static inline void fake_gather(const FakeState *fake) {
    volatile int taking_part = 0;
    const int threads = (int)point_integer(fake->request->tuning, "threads", 1);
#pragma omp parallel num_threads(threads)
#pragma omp atomic
    taking_part++;
}

static inline Status fake_run_together(void *state) {
    fake_gather(state);
    return fake_run(state);
}

static inline uint8_t *fake_last_pixel(const FakeState *fake) {
    const Output *output = fake->request->output;
    return (uint8_t *)output_part(output, 0) + output->layout.parts[0].bytes - 1;
}

static inline Status fake_run_one_wrong(void *state) {
    fake_run(state);
    *fake_last_pixel(state) ^= 1;
    return status_ok();
}

static inline Status fake_run_past_end(void *state) {
    const Output *output = ((FakeState *)state)->request->output;
    fake_run(state);
    output->data[output->layout.bytes] = 0;
    return status_ok();
}

/* Leaves one byte as it was before. */
static inline Status fake_run_unwritten(void *state) {
    const uint8_t before = *fake_last_pixel(state);
    fake_run(state);
    *fake_last_pixel(state) = before;
    return status_ok();
}

static inline Status fake_run_wrong_later(void *state) {
    return ((FakeState *)state)->runs == 0 ? fake_run(state) : fake_run_one_wrong(state);
}

/* Right the first time, and where the memory holds poison. */
static inline Status fake_run_on_poison(void *state) {
    const bool right =
        ((FakeState *)state)->runs == 0 || *fake_last_pixel(state) == POISON_CANDIDATE;
    return right ? fake_run(state) : fake_run_one_wrong(state);
}

/* Right the first time; afterwards it does nothing at all, which is fast. */
static inline Status fake_run_once_only(void *state) {
    FakeState *fake = state;
    return fake->runs == 0 ? fake_run(state) : status_ok();
}

static inline Status fake_run_fails(void *state) {
    (void)state;
    return status_fail("the fake ran into a wall");
}

static inline Status fake_open_skips(const Request *request, void **state) {
    (void)request;
    *state = NULL;
    return status_skip("the fake wants a larger picture");
}

static inline Status fake_open_fails(const Request *request, void **state) {
    (void)request;
    *state = NULL;
    return status_fail("the fake could not be opened");
}

static inline Status fake_never(void) {
    return status_skip("this processor has no fake instructions");
}

/* On the device: input and answer are device memory, dense. */
static inline Status fake_device_open(const Request *request, void **state) {
    STATUS_TRY(fake_open(request, state));
    FakeState *fake = *state;
    void *input = NULL;
    void *answer = NULL;
    Status status = fake_alloc(image_pixel_count(&request->workload->image), &input);
    if (status_is_ok(&status)) {
        status = fake_alloc(request->output->layout.bytes, &answer);
    }
    fake->input = input;
    fake->answer = answer;
    if (!status_is_ok(&status)) {
        fake_close(fake);
        *state = NULL;
    }
    return status;
}

static inline Status fake_upload(void *state) {
    FakeState *fake = state;
    const Image *image = &fake->request->workload->image;
    fake_device.steps++;
    fake->uploaded = true;
    for (int32_t y = 0; y < image->height; y++) {
        memcpy(fake->input + (size_t)y * (size_t)image->width, image_row(image, y),
               (size_t)image->width);
    }
    return status_ok();
}

static inline Status fake_device_run(void *state) {
    FakeState *fake = state;
    const Image *image = &fake->request->workload->image;
    const Image input = {image->width, image->height, (size_t)image->width, fake->input};
    const Output output = {.layout = fake->request->output->layout, .data = fake->answer};
    fake->runs++;
    fake_device.steps++;
    fake_compute(&input, &output);
    return status_ok();
}

static inline Status fake_download(void *state) {
    FakeState *fake = state;
    const Output *output = fake->request->output;
    fake_device.steps++;
    for (size_t i = 0; i < output->layout.count; i++) {
        const OutputPart *part = &output->layout.parts[i];
        memcpy(output->data + part->offset, fake->answer + part->offset, part->bytes);
    }
    return status_ok();
}

static inline Status fake_stream(void *state) {
    STATUS_TRY(fake_upload(state));
    STATUS_TRY(fake_device_run(state));
    return fake_download(state);
}

/* Forgets the upload: whatever an earlier one left is taken. */
static inline Status fake_stream_stale(void *state) {
    STATUS_TRY(fake_device_run(state));
    return fake_download(state);
}

/* Takes an earlier upload for its own, which is a picture less to copy. */
static inline Status fake_stream_saving(void *state) {
    return ((FakeState *)state)->uploaded ? fake_stream_stale(state) : fake_stream(state);
}

static inline Status fake_device_run_once_only(void *state) {
    fake_device.steps++;
    return ((FakeState *)state)->runs == 0 ? fake_device_run(state) : status_ok();
}

static inline Status fake_run_lost(void *state) {
    (void)state;
    return status_make(STATUS_DEVICE_LOST, "an illegal address was met");
}

static inline const char *fake_path(const void *state) {
    return ((const FakeState *)state)->runs == 0 ? "by air" : "asked too late";
}

static inline const char *fake_exchange(const void *state) {
    return ((const FakeState *)state)->runs == 0 ? "pigeons; no wire" : "asked too late";
}

static const Axis fake_threads_axis = {.name = "threads",
                                       .help = "threads",
                                       .defaults = "1,2",
                                       .kind = AXIS_INTEGER,
                                       .minimum = 1,
                                       .maximum = 64};
static const Axis fake_tile_axis = {.name = "tile",
                                    .help = "tile width",
                                    .defaults = "4,8,16",
                                    .kind = AXIS_INTEGER,
                                    .minimum = 1,
                                    .maximum = 64};
static const Axis *const fake_omp_tuning[] = {&fake_threads_axis, NULL};
static const Axis *const fake_tiled_tuning[] = {&fake_threads_axis, &fake_tile_axis, NULL};

#define FAKE_CPU(variant_name, run_function)                                                       \
    {                                                                                              \
        .name = variant_name, .summary = variant_name, .backend = &cpu_backend, .open = fake_open, \
        .run = run_function, .close = fake_close                                                   \
    }
#define FAKE_DEVICE(variant_name, run_function, stream_function)                                   \
    {                                                                                              \
        .name = variant_name, .summary = variant_name, .backend = &fake_backend,                   \
        .open = fake_device_open, .upload = fake_upload, .run = run_function,                      \
        .download = fake_download, .stream = stream_function, .close = fake_close                  \
    }

static const Variant fake_variants[] = {
    FAKE_CPU("seq", fake_run),
    FAKE_CPU("simd", fake_run),
    {.name = "omp",
     .summary = "omp",
     .backend = &cpu_backend,
     .tuning = fake_omp_tuning,
     .open = fake_open,
     .run = fake_run_together,
     .close = fake_close},
    FAKE_CPU("one_wrong", fake_run_one_wrong),
    FAKE_CPU("past_end", fake_run_past_end),
    FAKE_CPU("unwritten", fake_run_unwritten),
    FAKE_CPU("wrong_later", fake_run_wrong_later),
    FAKE_CPU("once_only", fake_run_once_only),
    FAKE_CPU("on_poison", fake_run_on_poison),
    FAKE_CPU("fails", fake_run_fails),
    {.name = "open_skips",
     .backend = &cpu_backend,
     .open = fake_open_skips,
     .run = fake_run,
     .close = fake_close},
    {.name = "open_fails",
     .backend = &cpu_backend,
     .open = fake_open_fails,
     .run = fake_run,
     .close = fake_close},
    {.name = "never",
     .backend = &cpu_backend,
     .available = fake_never,
     .open = fake_open,
     .run = fake_run,
     .close = fake_close},
    FAKE_DEVICE("dev_good", fake_device_run, NULL),
    FAKE_DEVICE("dev_stream", fake_device_run, fake_stream),
    FAKE_DEVICE("dev_stale", fake_device_run, fake_stream_stale),
    FAKE_DEVICE("dev_saving", fake_device_run, fake_stream_saving),
    FAKE_DEVICE("dev_once_only", fake_device_run_once_only, NULL),
    FAKE_DEVICE("dev_lost", fake_run_lost, NULL),
    FAKE_DEVICE("dev_later", fake_device_run, NULL),
    {.name = "dev_exchange",
     .summary = "dev_exchange",
     .backend = &fake_backend,
     .open = fake_device_open,
     .upload = fake_upload,
     .run = fake_device_run,
     .download = fake_download,
     .close = fake_close,
     .exchanges_by = fake_exchange,
     .path = fake_path},
    {.name = "tiled",
     .backend = &cpu_backend,
     .tuning = fake_tiled_tuning,
     .open = fake_open,
     .run = fake_run_together,
     .close = fake_close},
};

static const Algorithm fake_algorithm = {
    .name = "fake",
    .summary = "inverts",
    .item = "pixel",
    .input = WORKLOAD_IMAGE,
    .output_layout = fake_layout,
    .cost = fake_cost,
    .cpu = {fake_variants, sizeof fake_variants / sizeof fake_variants[0]},
};

static inline const Variant *fake_variant(const char *name) {
    return registry_find_variant(&fake_algorithm, name);
}

/* A quick request for `algorithm` on a 16×8 texture. */
static inline RunOptions fake_options(const Algorithm *algorithm) {
    return (RunOptions){.algorithm_count = 1,
                        .algorithms = {algorithm},
                        .size_count = 1,
                        .sizes = {{.name = "16x8", .width = 16, .height = 8}},
                        .synthetic = "texture",
                        .seed = 1,
                        .reps = 7,
                        .ci_width = 0.01,
                        .min_reps = 6,
                        .max_time = 0.2,
                        .max_cell = 60,
                        .warmup = 1,
                        .quiet = true};
}

/* The same for an algorithm of these variants; there is one such algorithm at a time. */
static inline RunOptions fake_options_of(const Variant *variants, size_t count) {
    static Algorithm algorithm;
    algorithm = fake_algorithm;
    algorithm.cpu = (VariantTable){variants, count};
    return fake_options(&algorithm);
}

static inline void fake_select(RunOptions *options, const char *variant) {
    options->variants[options->variant_count++] = variant;
}

#endif
