/*
 * Algorithm: what is computed. Its name in algorithms.def is the whole registration: the registry
 * expects `<name>_algorithm` (cpu/<name>/) and `<name>_cuda_variants` (kernels/<name>/).
 */
#ifndef BENCH_API_ALGORITHM_H
#define BENCH_API_ALGORITHM_H

#include <stdbool.h>
#include <stdio.h>

#include "axis.h"
#include "cost.h"
#include "output.h"
#include "status.h"
#include "variant.h"
#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Algorithm {
    uint32_t struct_bytes; /* sizeof(Algorithm) */
    const char *name;
    const char *summary;       /* one line for `bench list` */
    const char *item;          /* "pixel", "image", "keypoint" */
    WorkloadKind input;        /* the input that the loader provides */
    const Axis *const *answer; /* NULL-terminated list; NULL: no answer axis */

    /* Adds the answer's parts to `layout`, which has none. STATUS_SKIP when this workload has
     * no answer at this point (a box larger than the image). */
    Status (*output_layout)(const Workload *workload, const Point *answer, OutputLayout *layout);

    /* Compares an answer with the oracle's. NULL: every byte of every part must be equal. */
    void (*compare)(const Output *got, const Output *want, Verdict *verdict);

    /* For a `compare` that takes different bytes for equal, such as records in any order: a number
     * that such answers share and others hardly do. By it later launches are verified, without an
     * oracle. NULL: a hash of all bytes; with a `compare` or a `tolerance` none: then every launch
     * computes the oracle, since an answer within the tolerance may differ from the one before. */
    uint64_t (*digest)(const Output *answer);

    Cost (*cost)(const Workload *workload, const Point *answer);

    /* What grows with the number of GPUs, N, with --weak: this answer axis, of whole numbers. NULL:
     * the rows of the image or the images of the set; "": nothing. */
    const char *weak_axis;
    /* The work is proportional to this power of weak_axis, 1 or 2, so that it grows N-fold or
     * √N-fold. 0 is 1. */
    int weak_power;

    VariantTable cpu; /* row 0 is the oracle */

    /* What `bench verify` tries, as options of it: "--wide --shapes 1x1,3x2 --radius 1,2". NULL:
     * the usual cases at small values of each axis suit it. Defaults and
     * ends of axes are tried besides. */
    const char *verify;

    /* Writes a part of a verified answer as CSV with a header line. NULL: the default format of the
     * part's kind. */
    Status (*write_part)(FILE *stream, const Workload *workload, const Point *answer,
                         const Output *output, size_t part);
    /* Writes the table of `--save-table` as CSV with a header line. NULL: there is none. */
    Status (*write_table)(FILE *stream, const Workload *workload, const Point *answer,
                          const Output *output);

    /* The kind of weights that it was trained to; NULL: none. For WORKLOAD_KEYPOINTS. */
    const WeightsKind *weights;

    /* How far the numbers of an answer may be from the oracle's, without a `compare`; NULL: every
     * byte must be equal. */
    const Tolerance *tolerance;

    /* The type of the pixels of its image, which are in Workload.image: OUTPUT_ARRAY_U8 to
     * OUTPUT_ARRAY_F64, in dense rows. OUTPUT_IMAGE_U8, which is 0: 8 bits, in rows that may have
     * bytes between them. For WORKLOAD_IMAGE. */
    OutputKind element;
    bool pair; /* it takes two images of one size, the other one in Workload.second; likewise */

    bool roof; /* nothing that reads and writes as much can be faster: it decides nothing */
} Algorithm;

/* Whether right answers have the same bytes. */
static inline bool algorithm_is_exact(const Algorithm *algorithm) {
    return algorithm->compare == NULL && algorithm->tolerance == NULL;
}

#ifdef __cplusplus
}
#endif

#endif
