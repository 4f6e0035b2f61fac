/* copy, sequential: the C library's memcpy, row by row unless the rows are dense already. */
#include <stdlib.h>
#include <string.h>

#include "copy.h"

VARIANT_FUNCTIONS(copy_seq);

typedef struct SeqState {
    const Image *image;
    uint8_t *copy; /* width × height */
} SeqState;

Status copy_seq_open(const Request *request, void **state) {
    SeqState *seq = malloc(sizeof *seq);
    if (seq == NULL) {
        return status_no_memory("for the state of copy/seq");
    }
    *seq = (SeqState){.image = &request->workload->image, .copy = copy_pixels(request->output)};
    *state = seq;
    return status_ok();
}

Status copy_seq_run(void *state) {
    const SeqState *seq = state;
    const Image *image = seq->image;
    const size_t width = (size_t)image->width;
    if (image->stride == width) {
        memcpy(seq->copy, image->pixels, image_pixel_count(image));
        return status_ok();
    }
    for (int32_t y = 0; y < image->height; y++) {
        memcpy(seq->copy + (size_t)y * width, image_row(image, y), width);
    }
    return status_ok();
}

void copy_seq_close(void *state) {
    free(state);
}
