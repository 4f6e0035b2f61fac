/* invert on all processors: each thread takes a band of rows. */
#include <stdlib.h>

#include "invert_answer.h"

VARIANT_FUNCTIONS(invert_omp);

typedef struct OmpState {
    const Image *image;
    uint8_t *answer;
    int threads;
} OmpState;

Status invert_omp_open(const Request *request, void **state) {
    OmpState *omp = malloc(sizeof *omp);
    if (omp == NULL) {
        return status_no_memory("for the state of invert/omp");
    }
    *omp = (OmpState){
        .image = &request->workload->image,
        .answer = invert_image(request->output),
        .threads = (int)point_integer(request->tuning, "threads", 1),
    };
    *state = omp;
    return status_ok();
}

Status invert_omp_run(void *state) {
    const OmpState *omp = state;
    const Image *image = omp->image;
    const int threads = omp->threads;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int32_t y = 0; y < image->height; y++) {
        const uint8_t *row = image_row(image, y);
        uint8_t *answer = omp->answer + (size_t)y * (size_t)image->width;
        for (int32_t x = 0; x < image->width; x++) {
            answer[x] = (uint8_t)(255 - row[x]);
        }
    }
    return status_ok();
}

void invert_omp_close(void *state) {
    free(state);
}
