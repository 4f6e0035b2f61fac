/* copy on all processors: one horizontal band per thread (copy_rows.h). */
#include <stdlib.h>

#include "copy.h"
#include "copy_rows.h"

VARIANT_FUNCTIONS(copy_omp);

typedef struct OmpState {
    const Image *image;
    uint8_t *copy; /* width × height */
    bool stream;
    int threads;
} OmpState;

Status copy_omp_open(const Request *request, void **state) {
    OmpState *omp = malloc(sizeof *omp);
    if (omp == NULL) {
        return status_skip("no memory for the state of copy/omp");
    }
    const Image *image = &request->workload->image;
    *omp = (OmpState){
        .image = image,
        .copy = copy_pixels(request->output),
        .stream = copy_should_stream(image),
        .threads = (int)point_integer(request->tuning, "threads", 1),
    };
    *state = omp;
    return status_ok();
}

/* First row of a band; the row behind the last one for band == threads. */
static int32_t band_start(const OmpState *omp, int band) {
    return (int32_t)((int64_t)omp->image->height * band / omp->threads);
}

Status copy_omp_run(void *state) {
    const OmpState *omp = state;
    const int bands = omp->threads;
#pragma omp parallel for num_threads(bands) schedule(static)
    for (int band = 0; band < bands; ++band) {
        copy_rows(omp->image, band_start(omp, band), band_start(omp, band + 1), omp->copy,
                  omp->stream);
    }
    return status_ok();
}

void copy_omp_close(void *state) {
    free(state);
}
