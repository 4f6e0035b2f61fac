/*
 * lacunarity, the study's differential update on one thread: down each column of positions, the row
 * of pixels that leaves the box is subtracted and the one that enters is added. Both are counted
 * anew, so the work for a position grows with the box side, not with its square.
 */
#include <stdlib.h>

#include "lacunarity.h"
#include "lacunarity_internal.h"

VARIANT_FUNCTIONS(lacunarity_seq_pipeline);

typedef struct PipelineState {
    const Image *image;
    LacunarityPlan plan;
    LacunarityRow *rows;
} PipelineState;

static uint64_t object_pixels_in_row(const Image *image, int threshold, int32_t x, int32_t y,
                                     int32_t box) {
    const uint8_t *row = image_row(image, y) + x;
    uint64_t count = 0;
    for (int32_t i = 0; i < box; i++) {
        count += row[i] >= threshold ? 1 : 0;
    }
    return count;
}

static void add_column(const Image *image, int threshold, int32_t x, int32_t box,
                       LacunarityMoments *moments) {
    uint64_t s = 0;
    for (int32_t y = 0; y < box; y++) {
        s += object_pixels_in_row(image, threshold, x, y, box);
    }
    lacunarity_moments_add_position(moments, s);
    for (int32_t y = box; y < image->height; y++) {
        s -= object_pixels_in_row(image, threshold, x, y - box, box);
        s += object_pixels_in_row(image, threshold, x, y, box);
        lacunarity_moments_add_position(moments, s);
    }
}

static void fill_row(const Image *image, int threshold, int32_t box, LacunarityRow *row) {
    LacunarityMoments moments = {.sum_s = 0};
    for (int32_t x = 0; x + box <= image->width; x++) {
        add_column(image, threshold, x, box, &moments);
    }
    lacunarity_set_row(row, image, threshold, box, moments.sum_s, moments.sum_s2_low,
                       moments.sum_s2_high);
}

Status lacunarity_seq_pipeline_open(const Request *request, void **state) {
    PipelineState *pipeline = malloc(sizeof *pipeline);
    if (pipeline == NULL) {
        return status_no_memory("for the state of lacunarity/seq_pipeline");
    }
    pipeline->image = &request->workload->image;
    pipeline->rows = lacunarity_rows(request->output);
    const Status status = lacunarity_plan_make(pipeline->image, request->answer, &pipeline->plan);
    if (!status_is_ok(&status)) {
        lacunarity_seq_pipeline_close(pipeline);
        return status;
    }
    *state = pipeline;
    return status_ok();
}

Status lacunarity_seq_pipeline_run(void *state) {
    const PipelineState *pipeline = state;
    const LacunarityPlan *plan = &pipeline->plan;
    LacunarityRow *row = pipeline->rows;
    for (size_t t = 0; t < plan->threshold_count; t++) {
        for (size_t b = 0; b < plan->box_count; b++) {
            fill_row(pipeline->image, plan->thresholds[t], plan->boxes[b], row++);
        }
    }
    return status_ok();
}

void lacunarity_seq_pipeline_close(void *state) {
    PipelineState *pipeline = state;
    if (pipeline != NULL) {
        lacunarity_plan_release(&pipeline->plan);
        free(pipeline);
    }
}
