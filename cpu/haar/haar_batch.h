/*
 * haar_batch: all records of a few pictures, on one thread; what simd, omp and the count are made
 * of.
 *
 * Lane i of a vector belongs to picture i of the batch: whatever the rectangle, no lane is idle.
 * Integral images are interleaved that way. For a place and a cell in one direction, a line of
 * numbers along the other direction is made of them, such that each value is the difference of two
 * numbers of the line (of three for the checker). Rectangles of the same cells have the same value,
 * which is computed once; lengths at which no value can exceed the threshold are not looked at.
 *
 * A kernel is this work written for one instruction set. Kernels allocate nothing and keep nothing
 * between calls.
 */
#ifndef CPU_HAAR_BATCH_H
#define CPU_HAAR_BATCH_H

#include "haar_sink.h"

enum { HAAR_SCRATCH_ALIGNMENT = 64 };

typedef struct HaarBatch {
    const Workload *workload;
    HaarPoint point;
    HaarPacking packing;
    int32_t first, count; /* pictures; at most HaarKernel.lanes */
    void *scratch;        /* haar_scratch_bytes, aligned to HAAR_SCRATCH_ALIGNMENT */
} HaarBatch;

typedef struct HaarKernel {
    const char *name;
    bool (*supported)(void); /* whether this processor can run it */
    int32_t lanes;
    void (*collect)(const HaarBatch *batch, HaarSink *sink); /* the records */
    uint64_t (*count)(const HaarBatch *batch);               /* how many that would be */
} HaarKernel;

/* Kernels from the most to the least demanding; the last runs on any processor. */
extern const HaarKernel haar_kernel_avx512;
extern const HaarKernel haar_kernel_avx2;
extern const HaarKernel haar_kernel_plain;
extern const HaarKernel *const haar_kernels[]; /* NULL-terminated */

/* The first kernel of the list that this processor can run. */
const HaarKernel *haar_kernel_best(void);

size_t haar_scratch_bytes(const HaarKernel *kernel, const ImageSet *set);

/* Batches that a set is cut into, and batch `index` ≥ 0 of them. */
int32_t haar_batch_count(const HaarKernel *kernel, const ImageSet *set);
HaarBatch haar_batch_at(const HaarKernel *kernel, const HaarBatch *all, int32_t index);

#endif
