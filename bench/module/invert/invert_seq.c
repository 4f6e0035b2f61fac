/* invert, sequential: one pixel after the other. The definition that other variants are held to. */
#include <stdlib.h>

#include "invert_answer.h"

VARIANT_FUNCTIONS(invert_seq);

typedef struct SeqState {
    const Image *image;
    uint8_t *answer;
} SeqState;

Status invert_seq_open(const Request *request, void **state) {
    SeqState *seq = malloc(sizeof *seq);
    if (seq == NULL) {
        return status_no_memory("for the state of invert/seq");
    }
    *seq = (SeqState){
        .image = &request->workload->image,
        .answer = invert_image(request->output),
    };
    *state = seq;
    return status_ok();
}

Status invert_seq_run(void *state) {
    const SeqState *seq = state;
    const Image *image = seq->image;
    for (int32_t y = 0; y < image->height; y++) {
        const uint8_t *row = image_row(image, y);
        uint8_t *answer = seq->answer + (size_t)y * (size_t)image->width;
        for (int32_t x = 0; x < image->width; x++) {
            answer[x] = (uint8_t)(255 - row[x]);
        }
    }
    return status_ok();
}

void invert_seq_close(void *state) {
    free(state);
}
