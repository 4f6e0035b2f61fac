/* The table of copy: its answer, its cost, and its CPU variants. */
#include "copy.h"
#include "tuning_axes.h"

VARIANT_FUNCTIONS(copy_seq);
VARIANT_FUNCTIONS(copy_simd);
VARIANT_FUNCTIONS(copy_omp);

static Status copy_output_layout(const Workload *workload, const Point *answer,
                                 OutputLayout *layout) {
    (void)answer;
    return output_layout_add(layout, "copy", OUTPUT_IMAGE_U8, (size_t)workload->image.width,
                             (size_t)workload->image.height);
}

static Cost copy_cost(const Workload *workload, const Point *answer) {
    (void)answer;
    const double pixels = (double)image_pixel_count(&workload->image);
    return (Cost){.bytes = 2.0 * pixels, .operations = 0.0, .items = pixels};
}

static const Axis *const omp_tuning[] = {&threads_axis, NULL};

static const Variant cpu_variants[] = {
    {
        .name = "seq",
        .summary = "memcpy, one thread",
        .backend = &cpu_backend,
        .open = copy_seq_open,
        .run = copy_seq_run,
        .close = copy_seq_close,
    },
    {
        .name = "simd",
        .summary = "vectors, one thread; stores bypass the cache where the image does not fit it",
        .improves_on = "seq",
        .backend = &cpu_backend,
        .open = copy_simd_open,
        .run = copy_simd_run,
        .close = copy_simd_close,
    },
    {
        .name = "omp",
        .summary = "bands of rows on all processors, each copied as simd does",
        .improves_on = "simd",
        .backend = &cpu_backend,
        .tuning = omp_tuning,
        .open = copy_omp_open,
        .run = copy_omp_run,
        .close = copy_omp_close,
    },
};

const Algorithm copy_algorithm = {
    .name = "copy",
    .summary = "copy of the image: the memory roof of the other algorithms",
    .item = "pixel",
    .input = WORKLOAD_IMAGE,
    .output_layout = copy_output_layout,
    .cost = copy_cost,
    .cpu = {.rows = cpu_variants, .count = sizeof cpu_variants / sizeof cpu_variants[0]},
};
