/*
 * A histogram by bands of rows on all processors. Threads share nothing that is written: each has
 * scratch memory and a histogram of its own.
 *
 * There are several bands per thread, handed out as threads get free: with one band each, a thread
 * that shares its core with another (hyper-threads, other virtual machines) makes all wait.
 */
#ifndef CPU_COMMON_BAND_HISTOGRAM_H
#define CPU_COMMON_BAND_HISTOGRAM_H

#include "cpu_memory.h"

typedef struct BandHistogram {
    int threads, bands;
    int32_t rows; /* of the image */
    int bins;
    uint64_t *histogram; /* the sum over all threads */
    ThreadMemory memory; /* of each thread: a histogram, then scratch */
} BandHistogram;

/* Bands for a team: several for each thread, but no more than are `worthwhile`, and at least one
 * for each thread. */
int band_histogram_bands(size_t worthwhile, int threads);

/* Allocates the memory of threads, with `scratch_bytes` of scratch each, aligned to 64 bytes; all
 * other members are set. */
Status band_histogram_open(BandHistogram *bands, size_t scratch_bytes);
void band_histogram_close(BandHistogram *bands);

/* One band, and the memory of the thread that has it. */
typedef struct HistogramBand {
    int32_t first, last; /* rows first ≤ y < last */
    uint64_t *histogram; /* to which the band's values are added */
    void *scratch;
} HistogramBand;

typedef void BandProcess(const void *context, const HistogramBand *band);

/* Calls `process` for every band, and writes the histogram. */
void band_histogram_run(const BandHistogram *bands, BandProcess *process, const void *context);

#endif
