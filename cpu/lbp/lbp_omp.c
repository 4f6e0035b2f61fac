/*
 * lbp on all processors: the image is cut into horizontal bands, as in the study, and each band
 * goes through the best kernel (lbp_internal.h). Threads share nothing that is written: each has
 * its own scratch and its own histogram. At the end each adds up some of the bins: the histograms
 * lie in the caches of other cores, and one thread would wait for all of them in turn.
 *
 * There are several bands per thread, handed out as threads get free: with one band each, a thread
 * that shares its core with another (hyper-threads, other virtual machines) makes all wait.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_memory.h"
#include "lbp.h"
#include "lbp_internal.h"

VARIANT_FUNCTIONS(lbp_omp);

enum { HISTOGRAM_BYTES = LBP_BINS * sizeof(uint64_t) };

/* Each band costs 2 to 3 µs beyond its pixels, where it adds up its counters: bands are not cut
 * smaller than 10 times that, about this many pixels, for the sake of balance. */
enum { BANDS_PER_THREAD = 8, BAND_PIXELS_MIN = 1 << 17 };

typedef struct OmpState {
    const LbpKernel *kernel;
    const Image *image;
    uint8_t *codes;
    uint64_t *histogram;
    int threads, bands;
    ThreadMemory memory; /* of each thread: a histogram, then scratch */
} OmpState;

static int band_count(const Image *image, int threads) {
    const size_t most = (size_t)threads * BANDS_PER_THREAD;
    const size_t worthwhile = image_pixel_count(image) / BAND_PIXELS_MIN;
    const size_t bands = worthwhile < most ? worthwhile : most;
    return bands > (size_t)threads ? (int)bands : threads;
}

Status lbp_omp_open(const Request *request, void **state) {
    OmpState *omp = malloc(sizeof *omp);
    if (omp == NULL) {
        return status_skip("no memory for the state of lbp/omp");
    }
    const Image *image = &request->workload->image;
    const LbpKernel *kernel = lbp_kernel_best();
    const size_t bytes = HISTOGRAM_BYTES + kernel->scratch_bytes(image->width);
    *omp = (OmpState){
        .kernel = kernel,
        .image = image,
        .codes = lbp_codes(request->output),
        .histogram = lbp_histogram(request->output),
        .threads = (int)point_integer(request->tuning, "threads", 1),
    };
    omp->bands = band_count(image, omp->threads);
    const Status status = thread_memory_open(omp->threads, bytes, &omp->memory);
    if (!status_is_ok(&status)) {
        free(omp);
        return status;
    }
    *state = omp;
    return status_ok();
}

static uint64_t *thread_histogram(const OmpState *omp, int thread) {
    return thread_memory_part(&omp->memory, thread);
}

/* First row of a band; the row behind the last one for band == bands. */
static int32_t band_start(const OmpState *omp, int band) {
    return (int32_t)((int64_t)omp->image->height * band / omp->bands);
}

static void process_band(const OmpState *omp, int band, int thread) {
    uint64_t *histogram = thread_histogram(omp, thread);
    const LbpBand rows = {
        .image = omp->image,
        .first = band_start(omp, band),
        .last = band_start(omp, band + 1),
        .codes = omp->codes,
        .histogram = histogram,
        .scratch = (uint8_t *)histogram + HISTOGRAM_BYTES,
    };
    omp->kernel->process(&rows);
}

static uint64_t sum_of_threads(const OmpState *omp, int threads, int bin) {
    uint64_t sum = 0;
    for (int thread = 0; thread < threads; ++thread) {
        sum += thread_histogram(omp, thread)[bin];
    }
    return sum;
}

Status lbp_omp_run(void *state) {
    const OmpState *omp = state;
    const int bands = omp->bands;
#pragma omp parallel num_threads(omp->threads)
    {
        const int thread = omp_get_thread_num();
        memset(thread_histogram(omp, thread), 0, HISTOGRAM_BYTES);
#pragma omp for schedule(dynamic, 1)
        for (int band = 0; band < bands; ++band) {
            process_band(omp, band, thread);
        }
        /* Fewer threads than asked for may have taken part. */
        const int threads = omp_get_num_threads();
#pragma omp for schedule(static)
        for (int bin = 0; bin < LBP_BINS; ++bin) {
            omp->histogram[bin] = sum_of_threads(omp, threads, bin);
        }
    }
    return status_ok();
}

void lbp_omp_close(void *state) {
    OmpState *omp = state;
    if (omp != NULL) {
        thread_memory_close(&omp->memory);
        free(omp);
    }
}
