/* The table of adaboost: its axes, what its answer looks like, what it costs at least, its CPU
 * variants; and how its answer is written. */
#include <inttypes.h>

#include "adaboost.h"
#include "adaboost_internal.h"
#include "cpu_variant.h"

/* === Files ==================================================================================== */

static void write_stump(FILE *stream, uint64_t number, const AdaboostStump *stump) {
    const char *type = stump->type < HAAR_TYPES ? haar_type_names[stump->type] : "";
    fprintf(stream, "%" PRIu64 ",%" PRIu64 ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
            number, stump->candidate, type, stump->x, stump->y, stump->w, stump->h);
    fprintf(stream, ",%" PRId64 ",%" PRIu64 ",%.12f,%.12f,%" PRIu64 ",%" PRIu64 "\n",
            stump->threshold, stump->polarity, (double)stump->error / (double)ADABOOST_TOTAL,
            adaboost_factors(stump->error).alpha, stump->misses, stump->false_alarms);
}

/* Algorithm.write_part. "stumps": round,candidate,type,x,y,w,h,threshold,polarity,error,alpha,
 * misses,false_alarms with a row for each stump taken; error is a share of the weights, 0…1.
 * "count": stumps. */
static Status adaboost_write_part(FILE *stream, const Workload *workload, const Point *answer,
                                  const Output *output, size_t part) {
    (void)workload;
    (void)answer;
    const uint64_t count = *adaboost_count(output);
    if (part == ADABOOST_PART_COUNT) {
        fprintf(stream, "stumps\n%" PRIu64 "\n", count);
        return status_ok();
    }
    fprintf(stream, "round,candidate,type,x,y,w,h,threshold,polarity,error,alpha,misses,"
                    "false_alarms\n");
    for (uint64_t i = 0; i < count; i++) {
        write_stump(stream, i + 1, &adaboost_stumps(output)[i]);
    }
    return status_ok();
}

/* === The table ================================================================================ */

VARIANT_FUNCTIONS(adaboost_seq);
VARIANT_FUNCTIONS(adaboost_simd);
VARIANT_FUNCTIONS(adaboost_omp);

static const Axis digit_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "digit",
    .help = "label that the classifier separates from the others",
    .defaults = "0",
    .kind = AXIS_INTEGER,
    .minimum = 0,
    .maximum = 255,
};
static const Axis rounds_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "rounds",
    .help = "stumps that a training takes",
    .defaults = "100",
    .kind = AXIS_INTEGER,
    .minimum = 1,
    .maximum = 100000,
};
static const Axis candidates_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "candidates",
    .help = "features that are searched in each round, drawn from those that haar keeps",
    .defaults = "1000",
    .kind = AXIS_INTEGER,
    .minimum = 1,
    .maximum = 1000000,
};
static const Axis min_side_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "min-side",
    .help = "least width and height of a feature, pixels",
    .defaults = "4",
    .kind = AXIS_INTEGER,
    .minimum = 1,
    .maximum = HAAR_SIDE_MAX,
};
static const Axis threshold_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "threshold",
    .help = "features are candidates whose |value| is above this in one of the first 1000 images",
    .defaults = "4000",
    .kind = AXIS_INTEGER,
    .minimum = 0,
    .maximum = 16777215,
};

static const Axis *const answer_axes[] = {&digit_axis,    &rounds_axis,    &candidates_axis,
                                          &min_side_axis, &threshold_axis, NULL};

/* Whether a set can be trained on; its pixels may be absent, as in a plan. */
static Status check_set(const Workload *workload, const AdaboostPoint *point) {
    const ImageSet *set = &workload->set;
    if (set->width > HAAR_SIDE_MAX || set->height > HAAR_SIDE_MAX) {
        return status_skip("images of %d×%d are too large, sides go up to %d", set->width,
                           set->height, HAAR_SIDE_MAX);
    }
    if (haar_rectangles(set->width, set->height, point->min_side) == 0) {
        return status_skip("images of %d×%d have no rectangle of side %d; give a lower "
                           "--min-side",
                           set->width, set->height, point->min_side);
    }
    if (workload->image.pixels != NULL && set->labels == NULL) {
        return status_skip("training needs labels: give --labels FILE");
    }
    return status_ok();
}

static Status adaboost_output_layout(const Workload *workload, const Point *answer,
                                     OutputLayout *layout) {
    const AdaboostPoint point = adaboost_point(answer);
    STATUS_TRY(check_set(workload, &point));
    STATUS_TRY(output_layout_add(layout, "count", OUTPUT_COUNTS_U64, 1, 1));
    return output_layout_add(layout, "stumps", OUTPUT_TABLE_U64, ADABOOST_COLUMNS,
                             (size_t)point.rounds);
}

/* Values and sorting take seq as long as so many rounds. */
enum { ROUNDS_OF_SORTING = 5 };

static Cost adaboost_cost(const Workload *workload, const Point *answer) {
    const AdaboostPoint point = adaboost_point(answer);
    const double samples = (double)point.candidates * workload->set.count;
    const double pixels = (double)workload->set.count * workload->set.width * workload->set.height;
    return (Cost){
        .bytes = pixels + workload->set.count + sizeof(uint64_t) +
                 point.rounds * (double)sizeof(AdaboostStump),
        .operations = point.rounds * samples,
        .items = point.rounds * samples,
        .operation = "int32",
        .oracle_work = (point.rounds + ROUNDS_OF_SORTING) * samples,
    };
}

static const Variant cpu_variants[] = {
    CPU_VARIANT(
        "seq", NULL, "sorted images of each candidate summed one after the other, one thread",
        adaboost_seq_open, adaboost_seq_run, adaboost_seq_close, .stages = adaboost_seq_stages),
    CPU_VARIANT("simd", "seq",
                "shares added into bins of two candidates at a time, exact sums where a bin may "
                "hold the best stump",
                adaboost_simd_open, adaboost_work_run, adaboost_work_close,
                .stages = adaboost_work_stages, .vectorized = true),
    CPU_VARIANT("omp", "simd", "the same with candidates and images on all processors",
                adaboost_omp_open, adaboost_work_run, adaboost_work_close, .tuning = threads_tuning,
                .stages = adaboost_work_stages),
};

const Algorithm adaboost_algorithm = {
    .struct_bytes = sizeof(Algorithm),
    .name = "adaboost",
    .summary = "AdaBoost training of one digit against the rest, over stumps on Haar-like features",
    .item = "sample",
    .input = WORKLOAD_IMAGE_SET,
    .answer = answer_axes,
    .output_layout = adaboost_output_layout,
    .cost = adaboost_cost,
    .weak_axis = "candidates",
    .cpu = {.rows = cpu_variants, .count = sizeof cpu_variants / sizeof cpu_variants[0]},
    /* Sets in which the digit is, or is not. A set whose features are too few has no answer, which
     * is known when all features were looked at: of large images there are millions. */
    .verify = "--wide --rounds 1,5 --candidates 1,40 --digit 0,3 --min-side 4,24 --threshold 0,500 "
              "--shapes 1x4x4,2x5x5,5x9x7,1x28x28,33x28x28,3x28x9,1x64x7,7x32x9,2x11x40,33x12x28",
    .write_part = adaboost_write_part,
};
