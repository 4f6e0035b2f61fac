/*
 * Columns of the thresholded image: its bits, and for every step of LACUNARITY_STEP rows the number
 * of object pixels in each column. The sum of a run of rows that begins with a step is the counts
 * of its steps and at most LACUNARITY_STEP − 1 rows of bits. For long runs there is also the number
 * of object pixels above each step, so that the steps of a run are a difference.
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
    LacunarityGroupSums *above; /* thresholds × (steps + 1) × groups: object pixels above a step;
                                   NULL: not asked for */
} LacunarityColumns;

/* Row alignment that lacunarity_columns_build needs of the image, in bytes. */
enum { LACUNARITY_COLUMNS_ALIGNMENT = 16 };

/* Opens them for as many of the plan's thresholds at once as `memory` bytes allow, at least one.
 * `with_above`: also what lies above each step. */
Status lacunarity_columns_open(LacunarityDevice *device, size_t memory, bool with_above,
                               LacunarityColumns *columns);

/* Queues the columns of the plan's thresholds [first, first + count), count ≤ columns->thresholds.
 */
Status lacunarity_columns_build(const LacunarityDevice *device, const LacunarityColumns *columns,
                                int first, int count, cudaStream_t stream);

/* Adds counts of eight columns to four words of pairs: bytes of columns 0 to 3 to the lower halves,
 * of columns 8 to 11 to the upper ones. */
static __device__ __forceinline__ void lacunarity_add_counts(uint32_t *pairs, uint32_t left,
                                                             uint32_t right) {
    pairs[0] += __byte_perm(left, right, 0x4440) & 0x00FF00FFU;
    pairs[1] += __byte_perm(left, right, 0x5551) & 0x00FF00FFU;
    pairs[2] += __byte_perm(left, right, 0x6662) & 0x00FF00FFU;
    pairs[3] += __byte_perm(left, right, 0x7773) & 0x00FF00FFU;
}

#endif
