/* The table of lbp_riu: its axes, what its answer looks like, what it costs at least, and its CPU
 * variants. */
#include "cpu_variant.h"
#include "lbp_riu.h"

VARIANT_FUNCTIONS(lbp_riu_seq);
VARIANT_FUNCTIONS(lbp_riu_simd);
VARIANT_FUNCTIONS(lbp_riu_omp);

static Status check_pr(const char *value) {
    int points = 0;
    int thousandths = 0;
    return lbp_riu_parse_pr(value, &points, &thousandths);
}

static const char *const interpolations[] = {"nearest", "bilinear", NULL};
static const char *const stores[] = {"bins", "none", NULL};

static const Axis pr_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "pr",
    .help = "points and radius in pixels, P:R (P 1 to 32, R up to 64)",
    .defaults = "8:1,16:2,24:3",
    .kind = AXIS_TEXT,
    .check = check_pr,
};
static const Axis interp_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "interp",
    .help = "value between pixels: nearest or bilinear",
    .defaults = "bilinear",
    .kind = AXIS_CHOICE,
    .choices = interpolations,
};
static const Axis store_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "store",
    .help = "besides the histogram: bins (the bin of every pixel) or none",
    .defaults = "bins",
    .kind = AXIS_CHOICE,
    .choices = stores,
};
static const Axis *const answer_axes[] = {&pr_axis, &interp_axis, &store_axis, NULL};

static Status lbp_riu_output_layout(const Workload *workload, const Point *answer,
                                    OutputLayout *layout) {
    const Image *image = &workload->image;
    LbpRiuPattern pattern;
    STATUS_TRY(lbp_riu_pattern(answer, &pattern));
    STATUS_TRY(
        output_layout_add(layout, "histogram", OUTPUT_COUNTS_U64, (size_t)pattern.points + 2, 1));
    if (pattern.store) {
        STATUS_TRY(output_layout_add(layout, "bins", OUTPUT_IMAGE_U8, (size_t)image->width,
                                     (size_t)image->height));
        layout->parts[LBP_RIU_PART_BINS].peak = pattern.points + 1;
    }
    return status_ok();
}

/* Rows of two pixels with a weight: each takes one packed dot product, and of the ways known none
 * does with less. */
static double dot_products(const LbpRiuPattern *pattern) {
    double count = 0;
    for (int p = 0; p < pattern->points; p++) {
        const int32_t *weight = pattern->taps[p].weight;
        count += weight[0] + weight[1] != 0 ? 1 : 0;
        count += weight[2] + weight[3] != 0 ? 1 : 0;
    }
    return count;
}

static Cost lbp_riu_cost(const Workload *workload, const Point *answer) {
    const double pixels = (double)image_pixel_count(&workload->image);
    LbpRiuPattern pattern;
    const Status status = lbp_riu_pattern(answer, &pattern);
    if (!status_is_ok(&status)) {
        return (Cost){.items = pixels};
    }
    return (Cost){
        .bytes =
            (pattern.store ? 2.0 : 1.0) * pixels + (double)(pattern.points + 2) * sizeof(uint64_t),
        .operations = dot_products(&pattern) * pixels,
        .items = pixels,
        .operation = "int32",
    };
}

static const Variant cpu_variants[] = {
    CPU_VARIANT("seq", NULL, "pixel by pixel, point by point, one thread", lbp_riu_seq_open,
                lbp_riu_seq_run, lbp_riu_seq_close),
    CPU_VARIANT("simd", "seq", "vectors of pixels, one thread; instruction set chosen at run time",
                lbp_riu_simd_open, lbp_riu_simd_run, lbp_riu_simd_close, .vectorized = true),
    CPU_VARIANT("omp", "simd", "bands of rows on all processors, private histograms merged",
                lbp_riu_omp_open, lbp_riu_omp_run, lbp_riu_omp_close, .tuning = threads_tuning),
};

const Algorithm lbp_riu_algorithm = {
    .struct_bytes = sizeof(Algorithm),
    .name = "lbp_riu",
    .summary = "rotation-invariant uniform binary patterns of P points at radius R",
    .item = "pixel",
    .input = WORKLOAD_IMAGE,
    .answer = answer_axes,
    .output_layout = lbp_riu_output_layout,
    .cost = lbp_riu_cost,
    .cpu = {.rows = cpu_variants, .count = sizeof cpu_variants / sizeof cpu_variants[0]},
};
