/* The table of hashsift: its axes, what its answer looks like, what it costs at least, its CPU
 * variants; and how its answers are compared. */
#include <stdio.h>
#include <stdlib.h>

#include "cpu_variant.h"
#include "descriptor_weights.h"
#include "hashsift.h"
#include "hashsift_internal.h"
#include "patch_map.h"

/* === Comparing ================================================================================ */

enum {
    BITS_PER_DIFFERENCE = 10000,
    VALUES_PER_DIFFERENCE = 2000,
    ALLOWED_OF_FEW = 2,
    VALUE_DIFFERENCE_MAX = 1
};

typedef struct Difference {
    size_t count;
    int largest;  /* of two values */
    size_t first; /* byte of the first one */
} Difference;

static void add(Difference *difference, size_t byte, int count, int size) {
    if (count > 0 && difference->count == 0) {
        difference->first = byte;
    }
    difference->count += (size_t)count;
    difference->largest = size > difference->largest ? size : difference->largest;
}

void hashsift_compare(const Output *got, const Output *want, Verdict *verdict) {
    const OutputPart *part = &want->layout.parts[0];
    const uint8_t *left = hashsift_descriptors(got);
    const uint8_t *right = hashsift_descriptors(want);
    const bool values = part->width == HASHSIFT_VALUES;
    const size_t elements = values ? part->bytes : 8 * part->bytes;
    Difference difference = {0};
    for (size_t i = 0; i < part->bytes; i++) {
        const int size = abs(left[i] - right[i]);
        add(&difference, i, values ? size > 0 : __builtin_popcount(left[i] ^ right[i]), size);
    }
    const size_t share = elements / (values ? VALUES_PER_DIFFERENCE : BITS_PER_DIFFERENCE);
    const size_t allowed = share > ALLOWED_OF_FEW ? share : ALLOWED_OF_FEW;
    verdict->agreement = elements == 0 ? 1 : 1 - (double)difference.count / (double)elements;
    verdict->accepted =
        difference.count <= allowed && (!values || difference.largest <= VALUE_DIFFERENCE_MAX);
    if (difference.count > 0) {
        snprintf(verdict->why, sizeof verdict->why,
                 "%zu of %zu %s differ (at most %zu may), first in byte %zu of keypoint %zu",
                 difference.count, elements, values ? "values" : "bits", allowed,
                 difference.first % part->width, difference.first / part->width);
    }
}

/* === The table ================================================================================ */

VARIANT_FUNCTIONS(hashsift_seq);
VARIANT_EXTERN Status hashsift_seq_sift(void *state);
VARIANT_EXTERN Status hashsift_seq_product(void *state);
VARIANT_EXTERN Status hashsift_seq_sign(void *state);
VARIANT_FUNCTIONS(hashsift_simd);
VARIANT_FUNCTIONS(hashsift_omp);

static const char *const bits_words[] = {"256", "512", "1024", NULL};

static const Axis bits_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "bits",
    .help = "bits of a descriptor; 1024: the 128 values themselves, not projected",
    .defaults = "256",
    .kind = AXIS_CHOICE,
    .choices = bits_words,
};

static const Axis *const answer_axes[] = {&bits_axis, &keypoints_axis, &keypoint_scale_axis, NULL};

static Status hashsift_output_layout(const Workload *workload, const Point *answer,
                                     OutputLayout *layout) {
    const bool projected = point_bits(answer) != HASHSIFT_VALUE_BITS;
    return descriptors_layout(workload, answer, projected ? WEIGHTS_HASHSIFT : NULL, layout);
}

/* Of a patch pixel: a step of the map along each of two coordinates, two shares, three mixtures of
 * two products. Of one of the inner: two differences, a magnitude of four operations, an
 * orientation of eight at least, shares of three votes, and four sums (the row's and the column's
 * share are the same for all keypoints, and lanes may hold a row or a column each). */
enum { PER_SAMPLE = 2 + 2 + 9, PER_GRADIENT = 2 + 4 + 8 + 3 + 4, INNER = 30 * 30 };

static Cost hashsift_cost(const Workload *workload, const Point *answer) {
    const double keypoints = point_keypoints(answer);
    const int32_t bits = point_bits(answer);
    const bool projected = bits != HASHSIFT_VALUE_BITS;
    const double factors = projected ? (double)bits * HASHSIFT_COLUMNS : 0;
    const double sift = PER_SAMPLE * PATCH_SIDE * PATCH_SIDE + PER_GRADIENT * INNER;
    (void)workload; /* Patches may all lie on the same few pixels. */
    return (Cost){
        .bytes = keypoints * ((double)sizeof(Keypoint) + bits / 8.0) + factors * sizeof(float),
        /* The product is not counted: it runs on matrix units, for which no ceiling is measured. */
        .operations = keypoints * sift,
        .items = keypoints,
        .operation = "fp32",
        .oracle_work = keypoints * (40 * INNER + factors),
    };
}

static const Stage seq_stages[] = {{"sift", hashsift_seq_sift},
                                   {"product", hashsift_seq_product},
                                   {"sign", hashsift_seq_sign},
                                   {NULL, NULL}};

static const Stage work_stages[] = {{"sift", hashsift_work_sift},
                                    {"product", hashsift_work_product},
                                    {"sign", hashsift_work_sign},
                                    {NULL, NULL}};

static const Variant cpu_variants[] = {
    CPU_VARIANT("seq", NULL, "one keypoint after the other, every pixel's eight votes, one thread",
                hashsift_seq_open, hashsift_seq_run, hashsift_seq_close, .stages = seq_stages),
    CPU_VARIANT("simd", "seq",
                "vectors of pixels, votes summed by column instead of scattered, product by "
                "OpenBLAS; instruction set chosen at run time",
                hashsift_simd_open, hashsift_work_run, hashsift_work_close, .stages = work_stages,
                .vectorized = true),
    CPU_VARIANT("omp", "simd", "keypoints handed out to all processors", hashsift_omp_open,
                hashsift_work_run, hashsift_work_close, .tuning = threads_tuning,
                .stages = work_stages),
};

const Algorithm hashsift_algorithm = {
    .struct_bytes = sizeof(Algorithm),
    .name = "hashsift",
    .summary = "HashSIFT descriptors: SIFT of a patch, projected and reduced to signs",
    .item = "keypoint",
    .weights = &hashsift_weights,
    .input = WORKLOAD_KEYPOINTS,
    .answer = answer_axes,
    .output_layout = hashsift_output_layout,
    .compare = hashsift_compare,
    .cost = hashsift_cost,
    .weak_axis = "keypoints",
    .cpu = {.rows = cpu_variants, .count = sizeof cpu_variants / sizeof cpu_variants[0]},
    .verify = DESCRIPTOR_CASES("256,512,1024"),
};
