/* The table of haar: its axes, what its answer looks like, what it costs at least, and its CPU
 * variants. */
#include "cpu_variant.h"
#include "haar_internal.h"

VARIANT_FUNCTIONS(haar_seq);
VARIANT_EXTERN Status haar_seq_integral(void *state);
VARIANT_EXTERN Status haar_seq_features(void *state);
VARIANT_FUNCTIONS(haar_simd);
VARIANT_FUNCTIONS(haar_omp);

static const Axis min_side_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "min-side",
    .help = "shortest side of a rectangle, pixels",
    .defaults = "4",
    .kind = AXIS_INTEGER,
    .minimum = 1,
    .maximum = HAAR_SIDE_MAX,
};

static const Axis threshold_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "threshold",
    .help = "features are kept whose |value| is larger",
    .defaults = "25000",
    .kind = AXIS_INTEGER,
    .minimum = 0,
    .maximum = (1 << 24) - 1, /* no value is larger */
};

static const Axis *const answer_axes[] = {&min_side_axis, &threshold_axis, NULL};

/* 0 where the pixels are not there yet: a plan needs no number that takes all images to know. */
static Status count_if_loaded(const Workload *workload, const Point *answer, uint64_t *count) {
    const HaarPoint point = haar_point(answer);
    *count = 0;
    return workload->image.pixels == NULL ? status_ok()
                                          : haar_count_records(workload, &point, count);
}

static Status haar_output_layout(const Workload *workload, const Point *answer,
                                 OutputLayout *layout) {
    HaarPacking packing;
    uint64_t count = 0;
    STATUS_TRY(haar_packing(&workload->set, &packing));
    STATUS_TRY(count_if_loaded(workload, answer, &count));
    if (count > SIZE_MAX) {
        return status_skip("%llu records are more than memory can hold", (unsigned long long)count);
    }
    STATUS_TRY(output_layout_add(layout, "count", OUTPUT_COUNTS_U64, 1, 1));
    STATUS_TRY(output_layout_add(layout, "records", OUTPUT_RECORDS_U64, (size_t)count, 1));
    layout->parts[HAAR_PART_RECORDS].format = haar_packing_format(&packing);
    return status_ok();
}

/* Parts that a type splits the width and the height of a rectangle into. */
static const struct {
    int32_t across, down;
} splits[HAAR_TYPES] = {
    [HAAR_TWO_COLUMNS] = {2, 1}, [HAAR_TWO_ROWS] = {1, 2}, [HAAR_THREE_COLUMNS] = {3, 1},
    [HAAR_THREE_ROWS] = {1, 3},  [HAAR_CHECKER] = {2, 2},
};

/* Different values of one type in an image that the threshold leaves open. Rectangles with the
 * same cells have the same value: only the smallest of them counts. */
static double values_of_type(const ImageSet *set, const HaarPoint *point, int32_t type) {
    double values = 0;
    for (int32_t h = point->min_side; h <= set->height; h++) {
        for (int32_t w = point->min_side; w <= set->width; w++) {
            const bool smallest_w = w == point->min_side || w % splits[type].across == 0;
            const bool smallest_h = h == point->min_side || h % splits[type].down == 0;
            if (smallest_w && smallest_h && haar_reach(type, w, h) > point->threshold) {
                values += (double)(set->width - w + 1) * (set->height - h + 1);
            }
        }
    }
    return values;
}

/* Lower bound: every known method needs one subtraction and one comparison per value. */
enum { OPERATIONS_PER_VALUE = 2 };

static Cost haar_cost(const Workload *workload, const Point *answer) {
    const ImageSet *set = &workload->set;
    const HaarPoint point = haar_point(answer);
    const double images = set->count;
    const double features =
        (double)haar_rectangles(set->width, set->height, point.min_side) * HAAR_TYPES * images;
    HaarPacking packing;
    const Status packed = haar_packing(set, &packing);
    if (!status_is_ok(&packed)) {
        return (Cost){.items = features};
    }
    double values = 0;
    for (int32_t type = 0; type < HAAR_TYPES; type++) {
        values += values_of_type(set, &point, type);
    }
    uint64_t records = 0;
    const Status counted = count_if_loaded(workload, answer, &records);
    (void)counted; /* Without a number there is no answer, and no row that has a cost. */
    return (Cost){
        .bytes = images * set->width * set->height + (double)records * sizeof(uint64_t),
        .operations = OPERATIONS_PER_VALUE * values * images,
        .items = features,
        .operation = "fp32", /* the faster pipe, in which sums below 2^24 are exact */
        .oracle_work = features,
    };
}

static const Stage seq_stages[] = {
    {"integral", haar_seq_integral}, {"features", haar_seq_features}, {NULL, NULL}};

static const Variant cpu_variants[] = {
    CPU_VARIANT("seq", NULL,
                "integral images, then every feature by its definition, one thread (the "
                "study's)",
                haar_seq_open, haar_seq_run, haar_seq_close, .stages = seq_stages),
    CPU_VARIANT("simd", "seq",
                "vectors of images, each value once, no feature out of reach; instruction set "
                "chosen at run time",
                haar_simd_open, haar_simd_run, haar_simd_close, .vectorized = true),
    CPU_VARIANT("omp", "simd", "batches of images on all processors, one answer with a cursor",
                haar_omp_open, haar_omp_run, haar_omp_close, .tuning = threads_tuning),
};

const Algorithm haar_algorithm = {
    .struct_bytes = sizeof(Algorithm),
    .name = "haar",
    .summary = "Haar-like features of every image of a set, those kept that are large",
    .item = "feature",
    .input = WORKLOAD_IMAGE_SET,
    .answer = answer_axes,
    .output_layout = haar_output_layout,
    .compare = haar_compare,
    .digest = haar_digest,
    .cost = haar_cost,
    .cpu = {.rows = cpu_variants, .count = sizeof cpu_variants / sizeof cpu_variants[0]},
    /* Rectangles of all sizes and of none; everything is kept, much, little, nothing. */
    .verify = "--wide --min-side 1,4,5 --threshold 0,500,18400,16777215",
    .write_part = haar_write_part,
};
