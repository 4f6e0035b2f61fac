/*
 * A fake algorithm that takes sets: the sum of each image, and how many of the images are
 * labelled 1. Its cost depends on the pixels, as that of an answer of unknown length does, and it
 * needs labels.
 */
#ifndef TESTS_BENCH_FAKE_SET_H
#define TESTS_BENCH_FAKE_SET_H

#include "bench/fakes.h"

static inline Status fake_set_layout(const Workload *workload, const Point *answer,
                                     OutputLayout *layout) {
    (void)answer;
    if (workload->image.pixels != NULL && workload->set.labels == NULL) {
        return status_skip("the fake needs labels");
    }
    STATUS_TRY(output_layout_add(layout, "labelled", OUTPUT_COUNTS_U64, 1, 1));
    return output_layout_add(layout, "sums", OUTPUT_RECORDS_U64, (size_t)workload->set.count, 1);
}

static inline Cost fake_set_cost(const Workload *workload, const Point *answer) {
    (void)answer;
    const double pixels = (double)image_pixel_count(&workload->image);
    const double more = workload->image.pixels != NULL ? 1000 : 0;
    return (Cost){.bytes = pixels + more, .operations = pixels, .items = pixels};
}

static inline void fake_set_compute(const Workload *workload, const Output *output) {
    uint64_t *labelled = output_part(output, 0);
    uint64_t *sums = output_part(output, 1);
    const size_t pixels = (size_t)workload->set.width * (size_t)workload->set.height;
    *labelled = 0;
    for (int32_t i = 0; i < workload->set.count; i++) {
        sums[i] = 0;
        for (size_t p = 0; p < pixels; p++) {
            sums[i] += workload_image(workload, i)[p];
        }
        *labelled += workload->set.labels[i] == 1;
    }
}

static inline Status fake_set_run(void *state) {
    const Request *request = ((FakeState *)state)->request;
    fake_set_compute(request->workload, request->output);
    return status_ok();
}

static inline Status fake_set_run_wrong(void *state) {
    STATUS_TRY(fake_set_run(state));
    ((uint64_t *)output_part(((FakeState *)state)->request->output, 1))[0]++;
    return status_ok();
}

static const Variant fake_set_variants[] = {
    FAKE_CPU("seq", fake_set_run),
    FAKE_CPU("simd", fake_set_run),
    FAKE_CPU("wrong", fake_set_run_wrong),
};

static const Algorithm fake_set_algorithm = {
    .name = "fake_set",
    .summary = "sums",
    .item = "pixel",
    .input = WORKLOAD_IMAGE_SET,
    .output_layout = fake_set_layout,
    .cost = fake_set_cost,
    .cpu = {fake_set_variants, sizeof fake_set_variants / sizeof fake_set_variants[0]},
};

/* A quick request for 5 digits of 7×6 pixels. */
static inline RunOptions fake_set_options(void) {
    RunOptions options = fake_options(&fake_set_algorithm);
    options.synthetic = "digits";
    options.size_count = 0;
    options.set_size_count = 1;
    options.set_sizes[0] = (SizeSpec){.name = "5x7x6", .width = 7, .height = 6, .images = 5};
    return options;
}

#endif
