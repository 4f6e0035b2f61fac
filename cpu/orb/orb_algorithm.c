/* The table of orb: its axes, what its answer looks like, what it costs at least, and its CPU
 * variants. */
#include "cpu_variant.h"
#include "descriptor_weights.h"
#include "orb.h"

VARIANT_FUNCTIONS(orb_seq);
VARIANT_EXTERN Status orb_seq_blur(void *state);
VARIANT_EXTERN Status orb_seq_tests(void *state);
VARIANT_FUNCTIONS(orb_simd);
VARIANT_FUNCTIONS(orb_omp);
VARIANT_FUNCTIONS(orb_work);
VARIANT_EXTERN Status orb_work_blur(void *state);
VARIANT_EXTERN Status orb_work_tests(void *state);

static const Axis *const answer_axes[] = {&descriptor_bits_axis, &keypoints_axis,
                                          &keypoint_scale_axis, NULL};

static Status orb_output_layout(const Workload *workload, const Point *answer,
                                OutputLayout *layout) {
    return descriptors_layout(workload, answer, WEIGHTS_ORB, layout);
}

/* Of each of two positions: its turn (6 operations, 2 roundings), its move to the keypoint and into
 * the image (2 sums, 4 comparisons); and the comparison. Of a smoothed pixel, for the oracle: two
 * passes of 4 products and 7 sums. */
enum { PER_TEST = 2 * (6 + 2 + 2 + 4) + 1, PER_PIXEL = 2 * (4 + 7) };

static Cost orb_cost(const Workload *workload, const Point *answer) {
    const double keypoints = point_keypoints(answer);
    const double bits = point_bits(answer);
    /* Keypoints may all lie on the same few pixels, and need no others to be smoothed. */
    return (Cost){
        .bytes = keypoints * ((double)sizeof(Keypoint) + bits / 8) + bits * sizeof(OrbTest),
        .operations = keypoints * bits * PER_TEST,
        .items = keypoints,
        .operation = "int32",
        .oracle_work =
            PER_PIXEL * (double)image_pixel_count(&workload->image) + keypoints * bits * PER_TEST,
    };
}

static const Stage seq_stages[] = {{"blur", orb_seq_blur}, {"tests", orb_seq_tests}, {NULL, NULL}};

static const Stage work_stages[] = {
    {"blur", orb_work_blur}, {"tests", orb_work_tests}, {NULL, NULL}};

static const Variant cpu_variants[] = {
    CPU_VARIANT("seq", NULL, "a smoothed image, then one keypoint after the other, one thread",
                orb_seq_open, orb_seq_run, orb_seq_close, .stages = seq_stages),
    CPU_VARIANT("simd", "seq",
                "vectors of pixels and of tests, positions inside the image not moved; "
                "instruction set chosen at run time",
                orb_simd_open, orb_work_run, orb_work_close, .stages = work_stages,
                .vectorized = true),
    CPU_VARIANT("omp", "simd", "bands of the smoothed image, then keypoints, on all processors",
                orb_omp_open, orb_work_run, orb_work_close, .tuning = threads_tuning,
                .stages = work_stages),
};

const Algorithm orb_algorithm = {
    .struct_bytes = sizeof(Algorithm),
    .name = "orb",
    .summary = "ORB descriptors: comparisons of pairs of smoothed pixels, turned with the keypoint",
    .item = "keypoint",
    .weights = &orb_weights,
    .input = WORKLOAD_KEYPOINTS,
    .answer = answer_axes,
    .output_layout = orb_output_layout,
    .cost = orb_cost,
    .weak_axis = "keypoints",
    .cpu = {.rows = cpu_variants, .count = sizeof cpu_variants / sizeof cpu_variants[0]},
    .verify = DESCRIPTOR_CASES("256,512"),
};
