#include "band_histogram.h"

#include <omp.h>
#include <string.h>

enum { BANDS_PER_THREAD = 8, LINE = 64 };

int band_histogram_bands(size_t worthwhile, int threads) {
    const size_t most = (size_t)threads * BANDS_PER_THREAD;
    const size_t bands = worthwhile < most ? worthwhile : most;
    return bands > (size_t)threads ? (int)bands : threads;
}

/* Of a thread's histogram: scratch behind it begins a line of the cache. */
static size_t histogram_bytes(const BandHistogram *bands) {
    return ((size_t)bands->bins * sizeof(uint64_t) + LINE - 1) / LINE * LINE;
}

Status band_histogram_open(BandHistogram *bands, size_t scratch_bytes) {
    return thread_memory_open(bands->threads, histogram_bytes(bands) + scratch_bytes,
                              &bands->memory);
}

void band_histogram_close(BandHistogram *bands) {
    thread_memory_close(&bands->memory);
}

/* First row of a band; the row behind the last one for band == bands. */
static int32_t band_start(const BandHistogram *bands, int band) {
    return (int32_t)((int64_t)bands->rows * band / bands->bands);
}

static uint64_t sum_of_threads(const BandHistogram *bands, int threads, int bin) {
    uint64_t sum = 0;
    for (int thread = 0; thread < threads; thread++) {
        const uint64_t *histogram = thread_memory_part(&bands->memory, thread);
        sum += histogram[bin];
    }
    return sum;
}

/* At the end each thread adds up some of the bins: the histograms lie in the caches of other cores,
 * and one thread would wait for all of them in turn. */
void band_histogram_run(const BandHistogram *bands, BandProcess *process, const void *context) {
    const int count = bands->bands;
    const int bins = bands->bins;
    const size_t bytes = histogram_bytes(bands);
#pragma omp parallel num_threads(bands->threads)
    {
        uint64_t *own = thread_memory_part(&bands->memory, omp_get_thread_num());
        memset(own, 0, bytes);
#pragma omp for schedule(dynamic, 1)
        for (int band = 0; band < count; band++) {
            const HistogramBand part = {.first = band_start(bands, band),
                                        .last = band_start(bands, band + 1),
                                        .histogram = own,
                                        .scratch = (uint8_t *)own + bytes};
            process(context, &part);
        }
        /* Fewer threads than asked for may have taken part. */
        const int threads = omp_get_num_threads();
#pragma omp for schedule(static)
        for (int bin = 0; bin < bins; bin++) {
            bands->histogram[bin] = sum_of_threads(bands, threads, bin);
        }
    }
}
