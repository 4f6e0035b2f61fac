/* The table of lbp: what its answer looks like, what it costs at least, and its CPU variants. */
#include "cpu_variant.h"
#include "lbp.h"

VARIANT_FUNCTIONS(lbp_seq);
VARIANT_FUNCTIONS(lbp_simd);
VARIANT_FUNCTIONS(lbp_omp);
VARIANT_FUNCTIONS(lbp_omp_seq);

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
    /* An operation is a 32-bit integer operation, or what replaces one in a packed register. Of the
     * ways known, none decides whether a neighbour is at least the centre without an operation on
     * a byte for it, and four bytes go into one operation. Joining the bits and counting the codes
     * are left out: both have been done on other units, for many pixels at once. */
    const double operations_per_pixel = LBP_NEIGHBOURS / 4.0;
    return (Cost){
        .bytes = 2.0 * pixels + LBP_BINS * sizeof(uint64_t),
        .operations = operations_per_pixel * pixels,
        .items = pixels,
        .operation = "int32",
    };
}

static const Variant cpu_variants[] = {
    CPU_VARIANT("seq", NULL, "Algorithm 1 of the study, one thread, pixel by pixel", lbp_seq_open,
                lbp_seq_run, lbp_seq_close),
    CPU_VARIANT("simd", "seq", "vectors of pixels, one thread; instruction set chosen at run time",
                lbp_simd_open, lbp_simd_run, lbp_simd_close, .vectorized = true),
    CPU_VARIANT("omp", "simd", "bands of rows on all processors, private histograms merged",
                lbp_omp_open, lbp_omp_run, lbp_omp_close, .tuning = threads_tuning),
    CPU_VARIANT("omp_seq", "seq", "the code of seq on all processors, as the study threads it",
                lbp_omp_seq_open, lbp_omp_run, lbp_omp_close, .tuning = threads_tuning,
                .on_request = true),
};

const Algorithm lbp_algorithm = {
    .struct_bytes = sizeof(Algorithm),
    .name = "lbp",
    .summary = "3×3 local binary patterns: code image and histogram",
    .item = "pixel",
    .input = WORKLOAD_IMAGE,
    .output_layout = lbp_output_layout,
    .cost = lbp_cost,
    .cpu = {.rows = cpu_variants, .count = sizeof cpu_variants / sizeof cpu_variants[0]},
};
