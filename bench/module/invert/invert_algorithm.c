/* The table of invert: what its answer looks like, what it costs at least, and its CPU variants. */
#include "cpu_variant.h"
#include "invert_answer.h"

VARIANT_FUNCTIONS(invert_seq);
VARIANT_FUNCTIONS(invert_omp);

static Status invert_output_layout(const Workload *workload, const Point *answer,
                                   OutputLayout *layout) {
    (void)answer;
    const Image *image = &workload->image;
    return output_layout_add(layout, "image", OUTPUT_IMAGE_U8, (size_t)image->width,
                             (size_t)image->height);
}

static Cost invert_cost(const Workload *workload, const Point *answer) {
    (void)answer;
    const double pixels = (double)image_pixel_count(&workload->image);
    return (Cost){.bytes = 2.0 * pixels, .operations = pixels, .items = pixels};
}

static const Variant cpu_variants[] = {
    CPU_VARIANT("seq", NULL, "one thread, pixel by pixel", invert_seq_open, invert_seq_run,
                invert_seq_close),
    CPU_VARIANT("omp", "seq", "bands of rows on all processors", invert_omp_open, invert_omp_run,
                invert_omp_close, .tuning = threads_tuning),
};

const Algorithm invert_algorithm = {
    .struct_bytes = sizeof(Algorithm),
    .name = "invert",
    .summary = "the negative of an image",
    .item = "pixel",
    .input = WORKLOAD_IMAGE,
    .output_layout = invert_output_layout,
    .cost = invert_cost,
    .cpu = {.rows = cpu_variants, .count = sizeof cpu_variants / sizeof cpu_variants[0]},
};
