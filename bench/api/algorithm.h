/*
 * Algorithm: what is computed. Its name in algorithms.def is the whole registration: the registry
 * expects `<name>_algorithm` (cpu/<name>/) and `<name>_cuda_variants` (kernels/<name>/).
 */
#ifndef BENCH_API_ALGORITHM_H
#define BENCH_API_ALGORITHM_H

#include <stdio.h>

#include "axis.h"
#include "output.h"
#include "status.h"
#include "variant.h"
#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The least that any implementation has to do: the floor that roofs are computed from. */
typedef struct Cost {
    double bytes;      /* each input byte read once, each output byte written once */
    double operations; /* arithmetic operations that no implementation can do without */
    double items;      /* elements processed: the throughput unit is items per second */

    /* The ceiling that operations are held against: "int32" or "fp32"; NULL: int32. */
    const char *operation;

    /* What the time of the oracle grows with, where that is not `operations`; 0: it is. */
    double oracle_work;
} Cost;

typedef struct Algorithm {
    const char *name;
    const char *summary;       /* one line for `bench list` */
    const char *item;          /* "pixel", "image", "keypoint" */
    WorkloadKind input;        /* what the loader has to provide */
    const Axis *const *answer; /* NULL-terminated list; NULL: no answer axis */

    /* Describes the answer's parts; `layout` starts zeroed. STATUS_SKIP when this workload has no
     * answer at this point (a box larger than the image), with the reason. */
    Status (*output_layout)(const Workload *workload, const Point *answer, OutputLayout *layout);

    /* Judges an answer. NULL: every byte of every part must be equal. */
    void (*compare)(const Output *got, const Output *want, Verdict *verdict);

    Cost (*cost)(const Workload *workload, const Point *answer);

    VariantTable cpu; /* row 0 is the oracle */

    /* Optional: writes a part of a verified answer as CSV with a header line, where a list of
     * counts is not what people open. NULL: the form that the part's kind has. */
    Status (*write_part)(FILE *stream, const Workload *workload, const Point *answer,
                         const Output *output, size_t part);
    /* Optional: writes what `--save-table` asks for, as CSV with a header line. */
    Status (*write_table)(FILE *stream, const Workload *workload, const Point *answer,
                          const Output *output);
} Algorithm;

#ifdef __cplusplus
}
#endif

#endif
