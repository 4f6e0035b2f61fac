/* What the CPU variants of haar share: records, where they are put, and the interface of their
 * kernels. */
#ifndef CPU_HAAR_INTERNAL_H
#define CPU_HAAR_INTERNAL_H

#include "haar.h"

/* === Records ================================================================================== */

/*
 * Packing of records as a number, so that an answer can be read without the set it is of: it stands
 * in OutputPart.format of the part "records".
 */

uint32_t haar_packing_format(const HaarPacking *packing);
HaarPacking haar_packing_of_format(uint32_t format);

/* Records in order, for comparing and writing them. */

/* A copy in the order of image, type, x, y, w, h, value; the caller frees it. NULL when memory
 * runs out. */
uint64_t *haar_sorted_records(const uint64_t *records, size_t count);

/* === Answers ================================================================================== */

/* The answer of haar: comparing and writing. */

/* Algorithm.compare: the number of records, and the records in whatever order. */
void haar_compare(const Output *got, const Output *want, Verdict *verdict);

/* Algorithm.digest: of the number of records and of those that are stored, in whatever order. */
uint64_t haar_digest(const Output *answer);

/* Algorithm.write_part: "bin,count" for the number; "image,type,x,y,w,h,value" for the records,
 * sorted by these, types in the order of HaarType. */
Status haar_write_part(FILE *stream, const Workload *workload, const Point *answer,
                       const Output *output, size_t part);

/* === Count ==================================================================================== */

/* How many records the answer has, for its layout: the scan of the fastest variant on all
 * processors, with nothing stored. */

/* The pixels must be there and haar_packing must take the set. The numbers of the last few
 * workloads and points are cached: the harness calls this several times, from one thread.
 * STATUS_SKIP when memory runs out. */
Status haar_count_records(const Workload *workload, const HaarPoint *point, uint64_t *count);

/* === Sink ===================================================================================== */

/*
 * Where the threads of a variant put records: small buffers that stay in the cache, and behind them
 * the answer, which all of them fill together through one cursor.
 *
 * As with snprintf, what the answer has no room for is counted and not written. Records come out in
 * the order in which buffers fill up.
 */

enum {
    HAAR_SINK_RECORDS = 4096, /* in a buffer */
    HAAR_SINK_SLACK = 16,     /* behind them, for vectors of which only a part is kept */
    HAAR_SINK_BYTES = (HAAR_SINK_RECORDS + HAAR_SINK_SLACK) * sizeof(uint64_t)
};

/* Shared by all threads. */
typedef struct HaarSinkTarget {
    uint64_t *records;
    uint64_t room;
    uint64_t found; /* so far, with those that there was no room for */
    bool stream;    /* copies bypass the cache: the answer is too large to stay in it */
} HaarSinkTarget;

/* Of one thread. */
typedef struct HaarSink {
    HaarSinkTarget *target;
    uint64_t *buffer; /* HAAR_SINK_BYTES, of the caller */
    uint64_t *at;     /* where the next record goes */
} HaarSink;

/* Takes some time: not for every run. */
HaarSinkTarget haar_sink_target(const Output *output);

static inline HaarSink haar_sink(HaarSinkTarget *target, void *buffer) {
    return (HaarSink){.target = target, .buffer = (uint64_t *)buffer, .at = (uint64_t *)buffer};
}

/* Moves what is in the buffer to the answer. */
void haar_sink_empty(HaarSink *sink);

/* Makes room at sink->at for `count` ≤ HAAR_SINK_RECORDS records and the slack. The caller writes
 * there and moves sink->at on by the records that are to stay. */
static inline void haar_sink_reserve(HaarSink *sink, size_t count) {
    if ((size_t)(sink->at - sink->buffer) + count > HAAR_SINK_RECORDS) {
        haar_sink_empty(sink);
    }
}

/* After the last record of a thread: when it returns, other threads see them all. */
void haar_sink_finish(HaarSink *sink);

/* === Batches ================================================================================== */

/*
 * All records of a few images, on one thread; what simd, omp and the count are made
 * of.
 *
 * Lane i of a vector belongs to image i of the batch: whatever the rectangle, no lane is idle.
 * Integral images are interleaved that way. For a place and a cell in one direction, a line of
 * numbers along the other direction is made of them, such that each value is the difference of two
 * numbers of the line (of three for the checker). Rectangles of the same cells have the same value,
 * which is computed once; lengths at which no value can exceed the threshold are skipped.
 *
 * A kernel is this work written for one instruction set. Kernels allocate nothing and keep nothing
 * between calls.
 */

typedef struct HaarBatch {
    const Workload *workload;
    HaarPoint point;
    HaarPacking packing;
    int32_t first, count; /* images; at most HaarKernel.lanes */
    void *scratch;        /* haar_scratch_bytes, aligned to 64 */
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
