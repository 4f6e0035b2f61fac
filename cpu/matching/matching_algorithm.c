/* The table of matching: its axes, what its answer looks like, what it costs at least, its CPU
 * variants; and the sets of a cell. */
#include <inttypes.h>

#include "cpu_variant.h"
#include "matching.h"

/* === Sets ===================================================================================== */

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

MatchingSets matching_sets(const Workload *workload, const Point *answer) {
    const int32_t most = point_keypoints(answer);
    const size_t stride = workload->image.stride;
    return (MatchingSets){
        .a = workload->image.pixels,
        .b = workload->image.pixels + (size_t)workload->queries * stride,
        .a_count = smaller(most, workload->queries),
        .b_count = smaller(most, workload->image.height - workload->queries),
        .stride = stride,
        .bytes = point_bits(answer) / 8,
        .distance = (MatchingDistance)point_integer(answer, "distance", MATCHING_HAMMING),
    };
}

/* === The table ================================================================================ */

VARIANT_FUNCTIONS(matching_seq);
VARIANT_FUNCTIONS(matching_simd);
VARIANT_FUNCTIONS(matching_omp);
VARIANT_FUNCTIONS(matching_work);

static const char *const bits_words[] = {"256", "512", "1024", NULL};
static const char *const distance_words[] = {"hamming", "l2", NULL};

static const Axis bits_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "bits",
    .help = "bits of a descriptor; 1024: 128 values of a byte each",
    .defaults = "256",
    .kind = AXIS_CHOICE,
    .choices = bits_words,
};

static const Axis distance_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "distance",
    .help = "bits that differ (hamming), or squared differences of bytes (l2)",
    .defaults = "hamming",
    .kind = AXIS_CHOICE,
    .choices = distance_words,
};

static const Axis *const answer_axes[] = {&bits_axis, &descriptors_axis, &distance_axis, NULL};

static Status matching_output_layout(const Workload *workload, const Point *answer,
                                     OutputLayout *layout) {
    const int32_t bytes = point_bits(answer) / 8;
    const int32_t most = point_keypoints(answer);
    const int32_t rows = most < workload->queries ? most : workload->queries;
    if (bytes > workload->image.width) {
        return status_skip("the descriptors have %" PRId32 " bits, not %" PRId32,
                           8 * workload->image.width, 8 * bytes);
    }
    return output_layout_add(layout, "matches", OUTPUT_TABLE_U64, MATCH_COLUMNS, (size_t)rows);
}

/* Operations are not counted: matrix units have a descriptor's distances as a product, at a rate
 * that no ceiling here knows. */
static Cost matching_cost(const Workload *workload, const Point *answer) {
    const MatchingSets sets = matching_sets(workload, answer);
    const double rows = (double)sets.a_count + sets.b_count;
    const double pairs = (double)sets.a_count * sets.b_count;
    return (Cost){
        .bytes = rows * sets.bytes + (double)sets.a_count * sizeof(Match),
        .operations = 0.0,
        .items = pairs,
        .oracle_work = 2 * pairs * sets.bytes,
    };
}

static Status matching_write_part(FILE *stream, const Workload *workload, const Point *answer,
                                  const Output *output, size_t part) {
    const Match *matches = matching_matches(output);
    (void)workload;
    (void)answer;
    fprintf(stream, "query,nearest,distance,mutual\n");
    for (size_t i = 0; i < output->layout.parts[part].height; i++) {
        fprintf(stream, "%zu,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", i, matches[i].nearest,
                matches[i].distance, matches[i].mutual);
    }
    return status_ok();
}

static const Variant cpu_variants[] = {
    CPU_VARIANT("seq", NULL, "every pair byte by byte, then back from each nearest one, one thread",
                matching_seq_open, matching_seq_run, matching_seq_close),
    CPU_VARIANT("simd", "seq",
                "both directions from one pass over tiles of pairs, a vector of rows of the "
                "other set at a time; instruction set chosen at run time",
                matching_simd_open, matching_work_run, matching_work_close, .vectorized = true),
    CPU_VARIANT("omp", "simd", "parts of the first set on all processors", matching_omp_open,
                matching_work_run, matching_work_close, .tuning = threads_tuning),
};

const Algorithm matching_algorithm = {
    .struct_bytes = sizeof(Algorithm),
    .name = "matching",
    .summary = "mutual nearest neighbours of two sets of descriptors",
    .item = "pair",
    .input = WORKLOAD_DESCRIPTORS,
    .answer = answer_axes,
    .output_layout = matching_output_layout,
    .cost = matching_cost,
    .weak_axis = "keypoints", /* of both sets */
    .weak_power = 2,
    .cpu = {.rows = cpu_variants, .count = sizeof cpu_variants / sizeof cpu_variants[0]},
    /* None, few, around a warp, many. */
    .verify = "--wide --bits 256,512,1024 --keypoints 0,1,7,33,300,10000 --distance hamming,l2",
    .write_part = matching_write_part,
};
