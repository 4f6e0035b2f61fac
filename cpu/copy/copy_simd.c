/* copy, best one-thread version: the whole image as one band (copy_rows.h). */
#include <stdlib.h>

#include "copy.h"
#include "copy_rows.h"

VARIANT_FUNCTIONS(copy_simd);

typedef struct SimdState {
    const Image *image;
    uint8_t *copy; /* width × height */
    bool stream;
} SimdState;

Status copy_simd_open(const Request *request, void **state) {
    SimdState *simd = malloc(sizeof *simd);
    if (simd == NULL) {
        return status_skip("no memory for the state of copy/simd");
    }
    const Image *image = &request->workload->image;
    *simd = (SimdState){
        .image = image,
        .copy = copy_pixels(request->output),
        .stream = copy_should_stream(image),
    };
    *state = simd;
    return status_ok();
}

Status copy_simd_run(void *state) {
    const SimdState *simd = state;
    copy_rows(simd->image, 0, simd->image->height, simd->copy, simd->stream);
    return status_ok();
}

void copy_simd_close(void *state) {
    free(state);
}
