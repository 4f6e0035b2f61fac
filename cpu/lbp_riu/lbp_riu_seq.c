/*
 * lbp_riu, sequential: the definition in lbp_riu.h, pixel by pixel and point by point. Every other
 * variant is held to this one, so nothing here is clever.
 */
#include <stdlib.h>
#include <string.h>

#include "lbp_riu.h"

VARIANT_FUNCTIONS(lbp_riu_seq);

typedef struct SeqState {
    const Image *image;
    LbpRiuPattern pattern;
    uint64_t *histogram; /* points + 2 */
    uint8_t *bins;       /* width × height, or NULL */
} SeqState;

static int pixel_at(const Image *image, int32_t x, int32_t y) {
    if (x < 0 || x >= image->width || y < 0 || y >= image->height) {
        return 0;
    }
    return image_row(image, y)[x];
}

static int sample_at(const Image *image, int32_t x, int32_t y, const LbpRiuTap *tap) {
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        sum += tap->weight[i] * pixel_at(image, x + tap->dx + i % 2, y + tap->dy + i / 2);
    }
    return sum;
}

static int bin_at(const Image *image, int32_t x, int32_t y, const LbpRiuPattern *pattern) {
    const int centre = pixel_at(image, x, y) * LBP_RIU_WEIGHT_SUM;
    int bits[LBP_RIU_POINTS_MAX];
    int ones = 0;
    for (int p = 0; p < pattern->points; p++) {
        bits[p] = sample_at(image, x, y, &pattern->taps[p]) >= centre ? 1 : 0;
        ones += bits[p];
    }
    int transitions = 0;
    for (int p = 0; p < pattern->points; p++) {
        transitions += bits[p] != bits[(p + 1) % pattern->points] ? 1 : 0;
    }
    return transitions <= 2 ? ones : pattern->points + 1;
}

Status lbp_riu_seq_open(const Request *request, void **state) {
    SeqState *seq = malloc(sizeof *seq);
    if (seq == NULL) {
        return status_no_memory("for the state of lbp_riu/seq");
    }
    *seq = (SeqState){
        .image = &request->workload->image,
        .histogram = lbp_riu_histogram(request->output),
        .bins = lbp_riu_bins(request->output),
    };
    const Status status = lbp_riu_pattern(request->answer, &seq->pattern);
    if (!status_is_ok(&status)) {
        free(seq);
        return status;
    }
    *state = seq;
    return status_ok();
}

Status lbp_riu_seq_run(void *state) {
    const SeqState *seq = state;
    const Image *image = seq->image;
    memset(seq->histogram, 0, (size_t)(seq->pattern.points + 2) * sizeof *seq->histogram);
    for (int32_t y = 0; y < image->height; y++) {
        for (int32_t x = 0; x < image->width; x++) {
            const int bin = bin_at(image, x, y, &seq->pattern);
            seq->histogram[bin]++;
            if (seq->bins != NULL) {
                seq->bins[(size_t)y * (size_t)image->width + (size_t)x] = (uint8_t)bin;
            }
        }
    }
    return status_ok();
}

void lbp_riu_seq_close(void *state) {
    free(state);
}
