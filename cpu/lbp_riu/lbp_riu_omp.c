/*
 * lbp_riu on all processors: the image is cut into horizontal bands, and each band goes through the
 * best kernel (lbp_riu_internal.h). Threads share nothing that is written: each has its own scratch
 * and its own histogram, and these are added up at the end.
 *
 * There are several bands per thread, handed out as threads get free: with one band each, a thread
 * that shares its core with another (hyper-threads, other virtual machines) makes all wait.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_memory.h"
#include "lbp_riu_internal.h"

VARIANT_FUNCTIONS(lbp_riu_omp);

/* Scratch behind it keeps its alignment. */
enum { HISTOGRAM_BYTES = (LBP_RIU_BINS_MAX + 7) / 8 * 64 };

/* Each band begins with the conversion of the rows above it that it reads, twice the reach: bands
 * are not cut smaller than this many times the reach for the sake of balance, nor smaller than this
 * many pixels, some ten microseconds. */
enum { BANDS_PER_THREAD = 8, BAND_REACHES_MIN = 8, BAND_PIXELS_MIN = 1 << 14 };

typedef struct OmpState {
    const LbpRiuKernel *kernel;
    const Image *image;
    LbpRiuPattern pattern;
    uint8_t *bins;
    uint64_t *histogram;
    int threads, bands;
    ThreadMemory memory; /* of each thread: a histogram, then scratch */
} OmpState;

static int band_count(const Image *image, const LbpRiuPattern *pattern, int threads) {
    const size_t most = (size_t)threads * BANDS_PER_THREAD;
    const size_t by_pixels = image_pixel_count(image) / BAND_PIXELS_MIN;
    const size_t by_rows =
        (size_t)image->height / ((size_t)(pattern->reach + 1) * BAND_REACHES_MIN);
    const size_t worthwhile = by_pixels < by_rows ? by_pixels : by_rows;
    const size_t bands = worthwhile < most ? worthwhile : most;
    return bands > (size_t)threads ? (int)bands : threads;
}

static Status prepare(const Request *request, OmpState *omp) {
    const Image *image = &request->workload->image;
    *omp = (OmpState){
        .kernel = lbp_riu_kernel_best(),
        .image = image,
        .bins = lbp_riu_bins(request->output),
        .histogram = lbp_riu_histogram(request->output),
        .threads = (int)point_integer(request->tuning, "threads", 1),
    };
    STATUS_TRY(lbp_riu_pattern(request->answer, &omp->pattern));
    const size_t bytes = HISTOGRAM_BYTES + omp->kernel->scratch_bytes(image->width, &omp->pattern);
    omp->bands = band_count(image, &omp->pattern, omp->threads);
    return thread_memory_open(omp->threads, bytes, &omp->memory);
}

Status lbp_riu_omp_open(const Request *request, void **state) {
    OmpState *omp = malloc(sizeof *omp);
    if (omp == NULL) {
        return status_skip("no memory for the state of lbp_riu/omp");
    }
    const Status status = prepare(request, omp);
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
    const LbpRiuBand rows = {
        .image = omp->image,
        .pattern = &omp->pattern,
        .first = band_start(omp, band),
        .last = band_start(omp, band + 1),
        .bins = omp->bins,
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

Status lbp_riu_omp_run(void *state) {
    const OmpState *omp = state;
    const int bands = omp->bands;
    const int bins = omp->pattern.points + 2;
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
        for (int bin = 0; bin < bins; ++bin) {
            omp->histogram[bin] = sum_of_threads(omp, threads, bin);
        }
    }
    return status_ok();
}

void lbp_riu_omp_close(void *state) {
    OmpState *omp = state;
    if (omp != NULL) {
        thread_memory_close(&omp->memory);
        free(omp);
    }
}
