/*
 * lbp on all processors: the image is cut into one horizontal band per thread, as in the study, and
 * each band goes through the best kernel (lbp_rows.h). Threads share nothing that is written: each
 * has its own scratch and its own histogram, merged by the first thread at the end.
 */
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "lbp.h"
#include "lbp_rows.h"

VARIANT_FUNCTIONS(lbp_omp);

/* Threads' memory begins on pages of its own: no false sharing, and first touched by its thread. */
enum { THREAD_ALIGNMENT = 4096, HISTOGRAM_BYTES = LBP_BINS * sizeof(uint64_t) };

typedef struct OmpState {
    const LbpKernel *kernel;
    const Image *image;
    uint8_t *codes;
    uint64_t *histogram;
    int threads;
    uint8_t *memory; /* threads × thread_bytes: a histogram, then scratch */
    size_t thread_bytes;
} OmpState;

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
        .thread_bytes = (bytes + THREAD_ALIGNMENT - 1) / THREAD_ALIGNMENT * THREAD_ALIGNMENT,
    };
    void *memory = NULL;
    const Status status = cpu_backend.alloc((size_t)omp->threads * omp->thread_bytes, &memory);
    if (!status_is_ok(&status)) {
        free(omp);
        return status;
    }
    omp->memory = memory;
    *state = omp;
    return status_ok();
}

static uint64_t *band_histogram(const OmpState *omp, int band) {
    return (uint64_t *)(void *)(omp->memory + (size_t)band * omp->thread_bytes);
}

/* First row of a band; the row behind the last one for band == threads. */
static int32_t band_start(const OmpState *omp, int band) {
    return (int32_t)((int64_t)omp->image->height * band / omp->threads);
}

static void process_band(const OmpState *omp, int band) {
    uint64_t *histogram = band_histogram(omp, band);
    memset(histogram, 0, HISTOGRAM_BYTES);
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

Status lbp_omp_run(void *state) {
    const OmpState *omp = state;
    const int bands = omp->threads;
#pragma omp parallel for num_threads(bands) schedule(static)
    for (int band = 0; band < bands; ++band) {
        process_band(omp, band);
    }
    memset(omp->histogram, 0, HISTOGRAM_BYTES);
    for (int band = 0; band < bands; ++band) {
        const uint64_t *counts = band_histogram(omp, band);
        for (int bin = 0; bin < LBP_BINS; ++bin) {
            omp->histogram[bin] += counts[bin];
        }
    }
    return status_ok();
}

void lbp_omp_close(void *state) {
    OmpState *omp = state;
    if (omp != NULL) {
        cpu_backend.release(omp->memory);
        free(omp);
    }
}
