/* The table of copy: its answer, its cost, and its CPU variants. */
#include "copy.h"
#include "cpu_variant.h"

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

static const Variant cpu_variants[] = {
    CPU_VARIANT("seq", NULL, "memcpy, one thread", copy_seq_open, copy_seq_run, copy_seq_close),
    CPU_VARIANT("simd", "seq",
                "vectors, one thread; stores bypass the cache where the image does not fit it",
                copy_simd_open, copy_simd_run, copy_simd_close, .vectorized = true),
    CPU_VARIANT("omp", "simd", "bands of rows on all processors, each copied as simd does",
                copy_omp_open, copy_omp_run, copy_omp_close, .tuning = threads_tuning),
};

const Algorithm copy_algorithm = {
    .struct_bytes = sizeof(Algorithm),
    .name = "copy",
    .summary = "copy of the image: the memory roof of the other algorithms",
    .item = "pixel",
    .roof = true,
    .input = WORKLOAD_IMAGE,
    .output_layout = copy_output_layout,
    .cost = copy_cost,
    .cpu = {.rows = cpu_variants, .count = sizeof cpu_variants / sizeof cpu_variants[0]},
};
