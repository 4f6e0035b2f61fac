/*
 * lbp, sequential: the study's Algorithm 1 as plainly as it can be written. This is the definition
 * that every other variant is held to, so nothing here is clever.
 */
#include <stdlib.h>
#include <string.h>

#include "lbp.h"
#include "lbp_internal.h"

VARIANT_FUNCTIONS(lbp_seq);

typedef struct SeqState {
    const Image *image;
    uint8_t *codes;      /* width × height */
    uint64_t *histogram; /* LBP_BINS */
} SeqState;

static int pixel_at(const Image *image, int32_t x, int32_t y) {
    if (x < 0 || x >= image->width || y < 0 || y >= image->height) {
        return 0;
    }
    return image_row(image, y)[x];
}

static uint8_t code_at(const Image *image, int32_t x, int32_t y) {
    const int centre = pixel_at(image, x, y);
    int bits[LBP_NEIGHBOURS] = {0};
    int count = 0;
    for (int32_t dy = -1; dy <= 1; dy++) {
        for (int32_t dx = -1; dx <= 1; dx++) {
            if (dx != 0 || dy != 0) {
                bits[count++] = pixel_at(image, x + dx, y + dy) >= centre ? 1 : 0;
            }
        }
    }
    int sum = 0;
    for (int p = 0; p < LBP_NEIGHBOURS; p++) {
        sum += (1 << p) * bits[p];
    }
    return (uint8_t)sum;
}

Status lbp_seq_open(const Request *request, void **state) {
    SeqState *seq = malloc(sizeof *seq);
    if (seq == NULL) {
        return status_no_memory("for the state of lbp/seq");
    }
    *seq = (SeqState){
        .image = &request->workload->image,
        .codes = lbp_codes(request->output),
        .histogram = lbp_histogram(request->output),
    };
    *state = seq;
    return status_ok();
}

void lbp_seq_rows(const Image *image, int32_t first, int32_t last, uint8_t *codes,
                  uint64_t *histogram) {
    const size_t width = (size_t)image->width;
    for (int32_t y = first; y < last; y++) {
        for (int32_t x = 0; x < image->width; x++) {
            codes[(size_t)y * width + (size_t)x] = code_at(image, x, y);
        }
    }
    for (size_t i = (size_t)first * width; i < (size_t)last * width; i++) {
        histogram[codes[i]]++;
    }
}

Status lbp_seq_run(void *state) {
    const SeqState *seq = state;
    memset(seq->histogram, 0, LBP_BINS * sizeof *seq->histogram);
    lbp_seq_rows(seq->image, 0, seq->image->height, seq->codes, seq->histogram);
    return status_ok();
}

void lbp_seq_close(void *state) {
    free(state);
}
