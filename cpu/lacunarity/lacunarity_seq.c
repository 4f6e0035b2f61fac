/*
 * lacunarity, sequential: the study's conventional way, every pixel of every box. Every other
 * variant is held to this one, so nothing here is clever.
 */
#include <stdlib.h>

#include "lacunarity.h"
#include "lacunarity_internal.h"

VARIANT_FUNCTIONS(lacunarity_seq);

typedef struct SeqState {
    const Image *image;
    LacunarityPlan plan;
    LacunarityRow *rows;
} SeqState;

static uint64_t object_pixels(const Image *image, int threshold, int32_t x, int32_t y,
                              int32_t box) {
    uint64_t count = 0;
    for (int32_t j = 0; j < box; j++) {
        const uint8_t *row = image_row(image, y + j) + x;
        for (int32_t i = 0; i < box; i++) {
            count += row[i] >= threshold ? 1 : 0;
        }
    }
    return count;
}

static void fill_row(const Image *image, int threshold, int32_t box, LacunarityRow *row) {
    LacunarityMoments moments = {.sum_s = 0};
    for (int32_t y = 0; y + box <= image->height; y++) {
        for (int32_t x = 0; x + box <= image->width; x++) {
            lacunarity_moments_add_position(&moments, object_pixels(image, threshold, x, y, box));
        }
    }
    lacunarity_set_row(row, image, threshold, box, moments.sum_s, moments.sum_s2_low,
                       moments.sum_s2_high);
}

Status lacunarity_seq_open(const Request *request, void **state) {
    SeqState *seq = malloc(sizeof *seq);
    if (seq == NULL) {
        return status_no_memory("for the state of lacunarity/seq");
    }
    seq->image = &request->workload->image;
    seq->rows = lacunarity_rows(request->output);
    const Status status = lacunarity_plan_make(seq->image, request->answer, &seq->plan);
    if (!status_is_ok(&status)) {
        lacunarity_seq_close(seq);
        return status;
    }
    *state = seq;
    return status_ok();
}

Status lacunarity_seq_run(void *state) {
    const SeqState *seq = state;
    LacunarityRow *row = seq->rows;
    for (size_t t = 0; t < seq->plan.threshold_count; t++) {
        for (size_t b = 0; b < seq->plan.box_count; b++) {
            fill_row(seq->image, seq->plan.thresholds[t], seq->plan.boxes[b], row++);
        }
    }
    return status_ok();
}

void lacunarity_seq_close(void *state) {
    SeqState *seq = state;
    if (seq != NULL) {
        lacunarity_plan_release(&seq->plan);
        free(seq);
    }
}
