/*
 * Result rows: what is known about each planned cell after a run. Times are seconds; a number that
 * was not measured is NAN (an empty CSV field, an absent JSON key; never 0). Rates and ratios are
 * derived last, by results_derive.
 */
#ifndef BENCH_RESULT_H
#define BENCH_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "algorithm.h"
#include "ceilings.h"

typedef enum CellStatus { CELL_OK, CELL_SKIP, CELL_FAIL } CellStatus;

/* Raw samples in the order they were taken; one sample is the time of one run. */
typedef struct Samples {
    double *seconds;
    size_t count, capacity;
} Samples;

typedef struct Summary {
    size_t count;
    double min, p25, median, p75, p99, mean, stddev;
    double ci_low, ci_high; /* 95% interval of the median */
} Summary;

enum { RESULT_LABEL_SIZE = 160 };

typedef struct Row {
    const Algorithm *algorithm;
    const Variant *variant;
    char input[WORKLOAD_NAME_SIZE];
    uint64_t input_hash;
    char size_name[WORKLOAD_SIZE_NAME_SIZE];
    int32_t width, height; /* of the picture, or of each picture of a set */
    int32_t images;        /* in the set; 0: the input is one picture */
    Point answer, tuning;
    int threads; /* CPU threads used; 0 on a device */

    CellStatus status;
    char why[STATUS_WHY_SIZE]; /* reason of a skip or a failure */
    bool verified;
    bool cold; /* the mode column: cold or hot */
    bool converged;
    char verified_by[64]; /* the oracle: "seq", or the variant that stood in for it */
    double agreement;     /* share of equal elements */

    size_t batch; /* runs per kernel sample */
    Samples kernel, end_to_end;
    Summary kernel_summary, end_to_end_summary;
    double cpu_seconds;                  /* process CPU time per run */
    double upload, download, with_alloc; /* medians */
    double with_alloc_mean;
    double stage_seconds[STAGES_MAX]; /* medians, in the order of Variant.stages */
    uint64_t device_peak, host_peak;  /* bytes held by the cell */

    Cost cost;
    double items_per_second, bytes_per_second;
    char roof[RESULT_LABEL_SIZE]; /* which measured ceiling applies: "copy/omp/threads:4" */
    double roof_seconds;          /* time the ceiling allows for cost.bytes */
    double roof_fraction;         /* roof_seconds / kernel median */
    char base[RESULT_LABEL_SIZE]; /* "seq (1 thread)" */
    double base_seconds, speedup, speedup_ci_low, speedup_ci_high;
    double speedup_end_to_end, speedup_end_to_end_ci_low, speedup_end_to_end_ci_high;
    char best_cpu[RESULT_LABEL_SIZE]; /* "omp/threads:16" */
    double speedup_vs_best_cpu, speedup_vs_best_cpu_ci_low, speedup_vs_best_cpu_ci_high;
    double speedup_end_to_end_vs_best_cpu, speedup_end_to_end_vs_best_cpu_ci_low,
        speedup_end_to_end_vs_best_cpu_ci_high;
    bool best_tuning; /* least kernel median of its variant, workload and answer point; ok rows only
                       */
    double joule;
    char device[RESULT_LABEL_SIZE];

    /* How the samples behave. Outliers lie beyond Tukey's fences and are never removed. */
    size_t outliers_mild, outliers_severe; /* beyond 1.5 (up to 3) and 3 interquartile ranges */
    double autocorrelation;                /* of neighbouring samples' ranks, -1…1 */
    bool autocorrelated, multimodal;       /* significantly so; see behaviour.h */

    /* The processor's state around the cell. */
    bool throttled; /* clock below 75% of its maximum, or a reason that slows down */
    double clock_mhz_before, clock_mhz_after, clock_mhz_max;
    double temperature_before, temperature_after; /* °C */
    double power_before, power_after;             /* W */
    char throttle[RESULT_LABEL_SIZE];             /* reasons the device gave; empty: none */

    /* The ceilings that the roof is made of. */
    char bound[32];            /* the binding one: "dram", "llc", "l2", "int32" */
    double ceiling_bandwidth;  /* bytes per second */
    double ceiling_operations; /* operations per second */
    bool over_roof; /* faster than the roof allows: an error in the model or the measurement */

    /* Kernel time grows as items to this power over the sizes of the variant; see complexity.h. */
    double exponent, exponent_low, exponent_high;
} Row;

typedef struct Results {
    Row *rows;
    size_t count, capacity;
    Ceilings ceilings; /* of the machine the rows were measured on; count 0: not measured */
} Results;

/* A row with every number NAN and every text empty. */
Row row_empty(void);
/* Releases the samples a row owns. */
void row_release(Row *row);
/* "lbp/cuda_tiled/texture/1080p/tile:8": algorithm, variant, input, size, answer point, tuning. */
void row_name(const Row *row, char *name, size_t size);
/* "omp/threads:16", "simd": a variant and its tuning point. */
void variant_label(const Variant *variant, const Point *tuning, char *label, size_t size);

/* Stages of a variant, at most STAGES_MAX; 0 when its run has no parts. */
size_t variant_stage_count(const Variant *variant);
/* Sets every stage's time to NAN. */
void row_forget_stages(Row *row);

/* Items that one joule is enough for; NAN where the energy was not measured. */
double row_items_per_joule(const Row *row);

/* Takes ownership of the row's samples. STATUS_FAIL when memory runs out. */
Status results_add(Results *results, const Row *row);
void results_release(Results *results);

/* Fills base, speedups, best CPU, roof and rates of every row from the medians of all rows.
 * Resampling is seeded by `seed`. */
void results_derive(Results *results, uint64_t seed);

#endif
