/* lbp on all processors: the image is cut into horizontal bands, as in the study, and each band
 * goes through the best kernel (lbp_internal.h). */
#include <stdlib.h>

#include "band_histogram.h"
#include "lbp.h"
#include "lbp_internal.h"

VARIANT_FUNCTIONS(lbp_omp);

/* Each band costs 2 to 3 µs beyond its pixels, where it adds up its counters: bands are not cut
 * smaller than 10 times that, about this many pixels, for the sake of balance. */
enum { BAND_PIXELS_MIN = 1 << 17 };

typedef struct OmpState {
    const LbpKernel *kernel;
    const Image *image;
    uint8_t *codes;
    BandHistogram bands;
} OmpState;

Status lbp_omp_open(const Request *request, void **state) {
    OmpState *omp = malloc(sizeof *omp);
    if (omp == NULL) {
        return status_no_memory("for the state of lbp/omp");
    }
    const Image *image = &request->workload->image;
    const int threads = (int)point_integer(request->tuning, "threads", 1);
    *omp = (OmpState){
        .kernel = lbp_kernel_best(),
        .image = image,
        .codes = lbp_codes(request->output),
        .bands = {.threads = threads,
                  .bands =
                      band_histogram_bands(image_pixel_count(image) / BAND_PIXELS_MIN, threads),
                  .rows = image->height,
                  .bins = LBP_BINS,
                  .histogram = lbp_histogram(request->output)},
    };
    const Status status =
        band_histogram_open(&omp->bands, omp->kernel->scratch_bytes(image->width));
    if (!status_is_ok(&status)) {
        free(omp);
        return status;
    }
    *state = omp;
    return status_ok();
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

Status lbp_omp_run(void *state) {
    const OmpState *omp = state;
    band_histogram_run(&omp->bands, process_band, omp);
    return status_ok();
}

void lbp_omp_close(void *state) {
    OmpState *omp = state;
    if (omp != NULL) {
        band_histogram_close(&omp->bands);
        free(omp);
    }
}
