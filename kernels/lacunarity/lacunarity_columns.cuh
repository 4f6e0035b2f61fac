/*
 * Columns of the thresholded image: its bits, and for every LACUNARITY_STEP-th row the number of
 * object pixels above it in each column, so that the sum of any run of rows is a difference and at
 * most LACUNARITY_STEP − 1 rows of bits.
 *
 * Columns come in groups of 16, one to a thread of the kernels that use them.
 */
#ifndef KERNELS_LACUNARITY_LACUNARITY_COLUMNS_CUH
#define KERNELS_LACUNARITY_LACUNARITY_COLUMNS_CUH

#include "lacunarity_device.cuh"

enum { LACUNARITY_GROUP = 16 };

/* Eight words for a group: columns i and i + 8 in the halves of word i. */
typedef struct LacunarityGroupSums {
    uint32_t pairs[LACUNARITY_GROUP / 2];
} LacunarityGroupSums;

typedef struct LacunarityColumns {
    int groups;      /* of 16 columns */
    int steps;       /* of LACUNARITY_STEP rows, the last may be short */
    int thresholds;  /* that there is room for */
    uint16_t *bits;  /* thresholds × height × groups; bit i is column i of the group */
    uint8_t *counts; /* thresholds × steps × groups × 16: object pixels of each step and column */
    LacunarityGroupSums *above; /* thresholds × (steps + 1) × groups: object pixels above a step */
} LacunarityColumns;

/* Row alignment that lacunarity_columns_build needs of the image, in bytes. */
enum { LACUNARITY_COLUMNS_ALIGNMENT = 16 };

/* Allocates for as many of the plan's thresholds at once as `memory` bytes allow, at least one. */
Status lacunarity_columns_open(const LacunarityDevice *device, size_t memory,
                               LacunarityColumns *columns);
void lacunarity_columns_close(LacunarityColumns *columns);

/* Queues the columns of the plan's thresholds [first, first + count), count ≤ columns->thresholds.
 */
Status lacunarity_columns_build(const LacunarityDevice *device, const LacunarityColumns *columns,
                                int first, int count, cudaStream_t stream);

#endif
