/* lbp on all processors: the image is cut into horizontal bands, as in the study. omp sends each
 * band through the best kernel (lbp_internal.h); omp_seq through the code of seq, which is what the
 * study measures. */
#include <stdlib.h>

#include "band_histogram.h"
#include "lbp.h"
#include "lbp_internal.h"

VARIANT_FUNCTIONS(lbp_omp);
VARIANT_FUNCTIONS(lbp_omp_seq);

/* Each band costs 2 to 3 µs beyond its pixels, where it adds up its counters: bands are not cut
 * smaller than 10 times that, about this many pixels, for the sake of balance. */
enum { BAND_PIXELS_MIN = 1 << 17 };

typedef struct OmpState {
    const LbpKernel *kernel; /* NULL: the code of seq */
    const Image *image;
    uint8_t *codes;
    BandHistogram bands;
} OmpState;

static Status open_bands(const Request *request, const LbpKernel *kernel, void **state) {
    OmpState *omp = malloc(sizeof *omp);
    if (omp == NULL) {
        return status_no_memory("for the bands of lbp");
    }
    const Image *image = &request->workload->image;
    const int threads = (int)point_integer(request->tuning, "threads", 1);
    *omp = (OmpState){
        .kernel = kernel,
        .image = image,
        .codes = lbp_codes(request->output),
        .bands = {.threads = threads,
                  .bands =
                      band_histogram_bands(image_pixel_count(image) / BAND_PIXELS_MIN, threads),
                  .rows = image->height,
                  .bins = LBP_BINS,
                  .histogram = lbp_histogram(request->output)},
    };
    const size_t scratch = kernel != NULL ? kernel->scratch_bytes(image->width) : 0;
    const Status status = band_histogram_open(&omp->bands, scratch);
    if (!status_is_ok(&status)) {
        free(omp);
        return status;
    }
    *state = omp;
    return status_ok();
}

Status lbp_omp_open(const Request *request, void **state) {
    return open_bands(request, lbp_kernel_best(), state);
}

Status lbp_omp_seq_open(const Request *request, void **state) {
    return open_bands(request, NULL, state);
}

static void process_band(const void *context, const HistogramBand *part) {
    const OmpState *omp = context;
    const LbpBand band = {.image = omp->image,
                          .first = part->first,
                          .last = part->last,
                          .codes = omp->codes,
                          .histogram = part->histogram,
                          .scratch = part->scratch};
    omp->kernel->process(&band);
}

static void process_plainly(const void *context, const HistogramBand *part) {
    const OmpState *omp = context;
    lbp_seq_rows(omp->image, part->first, part->last, omp->codes, part->histogram);
}

Status lbp_omp_run(void *state) {
    const OmpState *omp = state;
    band_histogram_run(&omp->bands, omp->kernel != NULL ? process_band : process_plainly, omp);
    return status_ok();
}

void lbp_omp_close(void *state) {
    OmpState *omp = state;
    if (omp != NULL) {
        band_histogram_close(&omp->bands);
        free(omp);
    }
}
