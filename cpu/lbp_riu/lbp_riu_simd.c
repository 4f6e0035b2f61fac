/* lbp_riu, best one-thread version: the whole image as one band of the best kernel
 * (lbp_riu_internal.h). */
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "lbp_riu_internal.h"

VARIANT_FUNCTIONS(lbp_riu_simd);

typedef struct SimdState {
    const LbpRiuKernel *kernel;
    LbpRiuPattern pattern;
    LbpRiuBand band;
} SimdState;

static Status prepare(const Request *request, SimdState *simd) {
    const Image *image = &request->workload->image;
    *simd = (SimdState){
        .kernel = lbp_riu_kernel_best(),
        .band = {.image = image,
                 .pattern = &simd->pattern,
                 .first = 0,
                 .last = image->height,
                 .bins = lbp_riu_bins(request->output),
                 .histogram = lbp_riu_histogram(request->output)},
    };
    STATUS_TRY(lbp_riu_pattern(request->answer, &simd->pattern));
    return cpu_backend.alloc(simd->kernel->scratch_bytes(image->width, &simd->pattern),
                             &simd->band.scratch);
}

Status lbp_riu_simd_open(const Request *request, void **state) {
    SimdState *simd = malloc(sizeof *simd);
    if (simd == NULL) {
        return status_no_memory("for the state of lbp_riu/simd");
    }
    const Status status = prepare(request, simd);
    if (!status_is_ok(&status)) {
        free(simd);
        return status;
    }
    *state = simd;
    return status_ok();
}

Status lbp_riu_simd_run(void *state) {
    const SimdState *simd = state;
    memset(simd->band.histogram, 0,
           (size_t)(simd->pattern.points + 2) * sizeof *simd->band.histogram);
    simd->kernel->process(&simd->band);
    return status_ok();
}

void lbp_riu_simd_close(void *state) {
    SimdState *simd = state;
    if (simd != NULL) {
        cpu_backend.release(simd->band.scratch);
        free(simd);
    }
}
