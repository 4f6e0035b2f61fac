/* The table of lacunarity: its axes, what its answer looks like, what it costs at least, and its
 * CPU variants. */
#include "cpu_variant.h"
#include "lacunarity.h"
#include "lacunarity_internal.h"

VARIANT_FUNCTIONS(lacunarity_seq);
VARIANT_FUNCTIONS(lacunarity_seq_pipeline);
VARIANT_FUNCTIONS(lacunarity_simd);
VARIANT_FUNCTIONS(lacunarity_omp);

static const Axis *const answer_axes[] = {&lacunarity_box_axis, &lacunarity_threshold_axis, NULL};

/* The plan for an image's shape alone: nothing here depends on what otsu gives. */
static Status shape_plan(const Workload *workload, const Point *answer, LacunarityPlan *plan) {
    const Image shape = {.width = workload->image.width, .height = workload->image.height};
    return lacunarity_plan_make(&shape, answer, plan);
}

/* Σs must fit its 64 bits even where every pixel is one. */
static Status check_sums(const Image *image, const LacunarityPlan *plan) {
    for (size_t b = 0; b < plan->box_count; b++) {
        const uint64_t box = (uint64_t)plan->boxes[b];
        uint64_t sum = 0;
        if (__builtin_mul_overflow(lacunarity_positions(image, plan->boxes[b]), box * box, &sum)) {
            return status_skip("the masses of boxes of side %d may add up to more than 64 bits",
                               (int)box);
        }
    }
    return status_ok();
}

static Status lacunarity_output_layout(const Workload *workload, const Point *answer,
                                       OutputLayout *layout) {
    LacunarityPlan plan;
    Status status = shape_plan(workload, answer, &plan);
    if (status_is_ok(&status)) {
        status = check_sums(&workload->image, &plan);
    }
    if (status_is_ok(&status)) {
        status = output_layout_add(layout, "curve", OUTPUT_TABLE_U64, LACUNARITY_COLUMNS,
                                   plan.threshold_count * plan.box_count);
    }
    lacunarity_plan_release(&plan);
    return status;
}

/* Lower bound of known methods, per position: one subtraction, and one multiply-add for the square.
 */
enum { OPERATIONS_PER_POSITION = 2 };

static Cost plan_cost(const Image *image, const LacunarityPlan *plan) {
    double positions = 0;
    double counted = 0;
    for (size_t b = 0; b < plan->box_count; b++) {
        const double side = plan->boxes[b];
        const double of_box = (double)lacunarity_positions(image, plan->boxes[b]);
        positions += of_box;
        counted += of_box * side * side;
    }
    const double thresholds = (double)plan->threshold_count;
    return (Cost){
        .bytes = (double)image_pixel_count(image) +
                 thresholds * (double)plan->box_count * sizeof(LacunarityRow),
        .operations = OPERATIONS_PER_POSITION * thresholds * positions,
        .items = thresholds * positions,
        .operation = "int32",
        .oracle_work = thresholds * counted,
    };
}

static Cost lacunarity_cost(const Workload *workload, const Point *answer) {
    const Image *image = &workload->image;
    LacunarityPlan plan;
    const Status status = shape_plan(workload, answer, &plan);
    const Cost cost = status_is_ok(&status) ? plan_cost(image, &plan)
                                            : (Cost){.items = (double)image_pixel_count(image)};
    lacunarity_plan_release(&plan);
    return cost;
}

static const Variant cpu_variants[] = {
    CPU_VARIANT("seq", NULL,
                "every pixel of every box counted, one thread (the study's conventional way)",
                lacunarity_seq_open, lacunarity_seq_run, lacunarity_seq_close),
    CPU_VARIANT("seq_pipeline", "seq",
                "rows of pixels taken from and added to boxes going down a column (the study's)",
                lacunarity_seq_pipeline_open, lacunarity_seq_pipeline_run,
                lacunarity_seq_pipeline_close),
    CPU_VARIANT("simd", "seq_pipeline",
                "vectors of positions, work independent of the box; instruction set chosen at "
                "run time",
                lacunarity_simd_open, lacunarity_simd_run, lacunarity_simd_close,
                .vectorized = true),
    CPU_VARIANT("omp", "simd", "bands of positions, boxes and thresholds on all processors",
                lacunarity_omp_open, lacunarity_omp_run, lacunarity_omp_close,
                .tuning = threads_tuning),
};

const Algorithm lacunarity_algorithm = {
    .struct_bytes = sizeof(Algorithm),
    .name = "lacunarity",
    .summary = "gliding-box lacunarity of a thresholded image, for sets of boxes and thresholds",
    .item = "position",
    .input = WORKLOAD_IMAGE,
    .answer = answer_axes,
    .output_layout = lacunarity_output_layout,
    .cost = lacunarity_cost,
    .cpu = {.rows = cpu_variants, .count = sizeof cpu_variants / sizeof cpu_variants[0]},
    /* Single boxes and sets, around the 8 rows and 16 columns that variants work by; shapes wide
     * enough for blocks of one to eight warps. */
    .verify = "--wide --box 1,2,3+5,7,8,15+16+17,31+64,100,log --threshold 0,128,1+200+255 "
              "--contents noise,extreme,texture,full,zero "
              "--shapes 1x1,3x2,17x1,1x33,16x16,31x31,64x9,37x41,130x17,130x131,513x20,1040x9,"
              "2100x35,3x70000,16400x20",
    .write_part = lacunarity_write_part,
    .write_table = lacunarity_write_table,
};
