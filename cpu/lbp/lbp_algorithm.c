/* The table of lbp: what its answer looks like, what it costs at least, and its CPU variants. */
#include "lbp.h"
#include "tuning_axes.h"

VARIANT_FUNCTIONS(lbp_seq);
VARIANT_FUNCTIONS(lbp_simd);
VARIANT_FUNCTIONS(lbp_omp);

static Status lbp_output_layout(const Workload *workload, const Point *answer,
                                OutputLayout *layout) {
    (void)answer;
    const Image *image = &workload->image;
    STATUS_TRY(output_layout_add(layout, "codes", OUTPUT_IMAGE_U8, (size_t)image->width,
                                 (size_t)image->height));
    return output_layout_add(layout, "histogram", OUTPUT_COUNTS_U64, LBP_BINS, 1);
}

static Cost lbp_cost(const Workload *workload, const Point *answer) {
    (void)answer;
    const double pixels = (double)image_pixel_count(&workload->image);
    /* Each neighbour is compared, its bit shifted into place and joined to the code; each code is
     * counted once. */
    const double operations_per_pixel = 3.0 * LBP_NEIGHBOURS + 1.0;
    return (Cost){
        .bytes = 2.0 * pixels + LBP_BINS * sizeof(uint64_t),
        .operations = operations_per_pixel * pixels,
        .items = pixels,
    };
}

static const Axis *const omp_tuning[] = {&threads_axis, NULL};

static const Variant cpu_variants[] = {
    {
        .name = "seq",
        .summary = "Algorithm 1 of the study, one thread, pixel by pixel",
        .backend = &cpu_backend,
        .open = lbp_seq_open,
        .run = lbp_seq_run,
        .close = lbp_seq_close,
    },
    {
        .name = "simd",
        .summary = "vectors of pixels, one thread; instruction set chosen at run time",
        .improves_on = "seq",
        .backend = &cpu_backend,
        .open = lbp_simd_open,
        .run = lbp_simd_run,
        .close = lbp_simd_close,
    },
    {
        .name = "omp",
        .summary = "bands of rows on all processors, private histograms merged",
        .improves_on = "simd",
        .backend = &cpu_backend,
        .tuning = omp_tuning,
        .open = lbp_omp_open,
        .run = lbp_omp_run,
        .close = lbp_omp_close,
    },
};

const Algorithm lbp_algorithm = {
    .name = "lbp",
    .summary = "3×3 local binary patterns: code image and histogram",
    .item = "pixel",
    .input = WORKLOAD_IMAGE,
    .output_layout = lbp_output_layout,
    .cost = lbp_cost,
    .cpu = {.rows = cpu_variants, .count = sizeof cpu_variants / sizeof cpu_variants[0]},
};
