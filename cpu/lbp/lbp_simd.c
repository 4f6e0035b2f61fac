/* lbp, best one-thread version: the whole image as one band of the best kernel (lbp_internal.h). */
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "lbp.h"
#include "lbp_internal.h"

VARIANT_FUNCTIONS(lbp_simd);

typedef struct SimdState {
    const LbpKernel *kernel;
    LbpBand band;
} SimdState;

Status lbp_simd_open(const Request *request, void **state) {
    SimdState *simd = malloc(sizeof *simd);
    if (simd == NULL) {
        return status_no_memory("for the state of lbp/simd");
    }
    const Image *image = &request->workload->image;
    *simd = (SimdState){
        .kernel = lbp_kernel_best(),
        .band = {.image = image,
                 .first = 0,
                 .last = image->height,
                 .codes = lbp_codes(request->output),
                 .histogram = lbp_histogram(request->output)},
    };
    const Status status =
        cpu_backend.alloc(simd->kernel->scratch_bytes(image->width), &simd->band.scratch);
    if (!status_is_ok(&status)) {
        free(simd);
        return status;
    }
    *state = simd;
    return status_ok();
}

Status lbp_simd_run(void *state) {
    const SimdState *simd = state;
    memset(simd->band.histogram, 0, LBP_BINS * sizeof *simd->band.histogram);
    simd->kernel->process(&simd->band);
    return status_ok();
}

void lbp_simd_close(void *state) {
    SimdState *simd = state;
    if (simd != NULL) {
        cpu_backend.release(simd->band.scratch);
        free(simd);
    }
}
