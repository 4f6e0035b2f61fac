/* The table of bad: its axes, what its answer looks like, what it costs at least, and its CPU
 * variants. */
#include "bad.h"
#include "cpu_variant.h"
#include "descriptor_weights.h"

VARIANT_FUNCTIONS(bad_seq);
VARIANT_EXTERN Status bad_seq_integral(void *state);
VARIANT_EXTERN Status bad_seq_tests(void *state);
VARIANT_FUNCTIONS(bad_simd);
VARIANT_FUNCTIONS(bad_omp);
VARIANT_FUNCTIONS(bad_work);
VARIANT_EXTERN Status bad_work_integral(void *state);
VARIANT_EXTERN Status bad_work_tests(void *state);

static const Axis *const answer_axes[] = {&descriptor_bits_axis, &keypoints_axis,
                                          &keypoint_scale_axis, NULL};

static Status bad_output_layout(const Workload *workload, const Point *answer,
                                OutputLayout *layout) {
    return descriptors_layout(workload, answer, WEIGHTS_BAD, layout);
}

/* Of each of two boxes: its centre by the map (8 operations, 2 roundings), its four corners moved
 * into the image (4 sums, 8 comparisons), 3 sums of the integral image. */
enum { PER_TEST = 2 * (8 + 2 + 4 + 8 + 3) };

static Cost bad_cost(const Workload *workload, const Point *answer) {
    const double keypoints = point_keypoints(answer);
    const double bits = point_bits(answer);
    (void)workload; /* Boxes may all lie on the same few pixels, and need no integral image. */
    return (Cost){
        .bytes = keypoints * ((double)sizeof(Keypoint) + bits / 8) + bits * sizeof(BadTest),
        .operations = keypoints * bits * PER_TEST,
        .items = keypoints,
        .operation = "int32",
        .oracle_work = (double)image_pixel_count(&workload->image) + keypoints * bits * PER_TEST,
    };
}

static const Stage seq_stages[] = {
    {"integral", bad_seq_integral}, {"tests", bad_seq_tests}, {NULL, NULL}};

static const Stage work_stages[] = {
    {"integral", bad_work_integral}, {"tests", bad_work_tests}, {NULL, NULL}};

static const Variant cpu_variants[] = {
    CPU_VARIANT("seq", NULL, "an integral image, then one keypoint after the other, one thread",
                bad_seq_open, bad_seq_run, bad_seq_close, .stages = seq_stages),
    CPU_VARIANT("simd", "seq",
                "vectors of tests, boxes inside the image not moved; instruction set chosen "
                "at run time",
                bad_simd_open, bad_work_run, bad_work_close, .stages = work_stages,
                .vectorized = true),
    CPU_VARIANT("omp", "simd", "bands of the integral image, then keypoints, on all processors",
                bad_omp_open, bad_work_run, bad_work_close, .tuning = threads_tuning,
                .stages = work_stages),
};

const Algorithm bad_algorithm = {
    .struct_bytes = sizeof(Algorithm),
    .name = "bad",
    .summary = "BAD descriptors: differences of box averages against thresholds",
    .item = "keypoint",
    .weights = &bad_weights,
    .input = WORKLOAD_KEYPOINTS,
    .answer = answer_axes,
    .output_layout = bad_output_layout,
    .cost = bad_cost,
    .weak_axis = "keypoints",
    .cpu = {.rows = cpu_variants, .count = sizeof cpu_variants / sizeof cpu_variants[0]},
    /* The last shape: wide enough for keypoints of one cell that no tile of cuda_fast holds. */
    .verify = DESCRIPTOR_CASES("256,512") ",6144x96",
};
