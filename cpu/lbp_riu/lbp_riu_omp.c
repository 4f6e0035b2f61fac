/* lbp_riu on all processors: the image is cut into horizontal bands, and each band goes through the
 * best kernel (lbp_riu_internal.h). */
#include <stdlib.h>

#include "band_histogram.h"
#include "lbp_riu_internal.h"

VARIANT_FUNCTIONS(lbp_riu_omp);

/* Each band begins with the conversion of the rows above it that it reads, twice the reach: bands
 * are not cut smaller than this many times the reach for the sake of balance, nor smaller than this
 * many pixels, some ten microseconds. */
enum { BAND_REACHES_MIN = 8, BAND_PIXELS_MIN = 1 << 14 };

typedef struct OmpState {
    const LbpRiuKernel *kernel;
    const Image *image;
    LbpRiuPattern pattern;
    uint8_t *bins;
    BandHistogram bands;
} OmpState;

static size_t worthwhile_bands(const Image *image, const LbpRiuPattern *pattern) {
    const size_t by_pixels = image_pixel_count(image) / BAND_PIXELS_MIN;
    const size_t by_rows =
        (size_t)image->height / ((size_t)(pattern->reach + 1) * BAND_REACHES_MIN);
    return by_pixels < by_rows ? by_pixels : by_rows;
}

static Status prepare(const Request *request, OmpState *omp) {
    const Image *image = &request->workload->image;
    const int threads = (int)point_integer(request->tuning, "threads", 1);
    *omp = (OmpState){
        .kernel = lbp_riu_kernel_best(), .image = image, .bins = lbp_riu_bins(request->output)};
    STATUS_TRY(lbp_riu_pattern(request->answer, &omp->pattern));
    omp->bands = (BandHistogram){
        .threads = threads,
        .bands = band_histogram_bands(worthwhile_bands(image, &omp->pattern), threads),
        .rows = image->height,
        .bins = omp->pattern.points + 2,
        .histogram = lbp_riu_histogram(request->output)};
    return band_histogram_open(&omp->bands,
                               omp->kernel->scratch_bytes(image->width, &omp->pattern));
}

Status lbp_riu_omp_open(const Request *request, void **state) {
    OmpState *omp = malloc(sizeof *omp);
    if (omp == NULL) {
        return status_no_memory("for the state of lbp_riu/omp");
    }
    const Status status = prepare(request, omp);
    if (!status_is_ok(&status)) {
        free(omp);
        return status;
    }
    *state = omp;
    return status_ok();
}

static void process_band(const void *context, const HistogramBand *part) {
    const OmpState *omp = context;
    const LbpRiuBand band = {.image = omp->image,
                             .pattern = &omp->pattern,
                             .first = part->first,
                             .last = part->last,
                             .bins = omp->bins,
                             .histogram = part->histogram,
                             .scratch = part->scratch};
    omp->kernel->process(&band);
}

Status lbp_riu_omp_run(void *state) {
    const OmpState *omp = state;
    band_histogram_run(&omp->bands, process_band, omp);
    return status_ok();
}

void lbp_riu_omp_close(void *state) {
    OmpState *omp = state;
    if (omp != NULL) {
        band_histogram_close(&omp->bands);
        free(omp);
    }
}
