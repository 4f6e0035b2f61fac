/* lacunarity, best one-thread version: for each threshold and box, all positions as one band of the
 * best kernel (lacunarity_internal.h). */
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "lacunarity_internal.h"

VARIANT_FUNCTIONS(lacunarity_simd);

typedef struct SimdState {
    const LacunarityKernel *kernel;
    const Image *image;
    LacunarityPlan plan;
    LacunarityRow *rows;
    void *columns, *scratch;
} SimdState;

static Status prepare(const Request *request, SimdState *simd) {
    const Image *image = &request->workload->image;
    *simd = (SimdState){
        .kernel = lacunarity_kernel_best(),
        .image = image,
        .rows = lacunarity_rows(request->output),
    };
    STATUS_TRY(lacunarity_plan_make(image, request->answer, &simd->plan));
    STATUS_TRY(cpu_backend.alloc((size_t)image->width * sizeof(uint16_t), &simd->columns));
    return cpu_backend.alloc(simd->kernel->scratch_bytes(image->width), &simd->scratch);
}

Status lacunarity_simd_open(const Request *request, void **state) {
    SimdState *simd = malloc(sizeof *simd);
    if (simd == NULL) {
        return status_no_memory("for the state of lacunarity/simd");
    }
    const Status status = prepare(request, simd);
    if (!status_is_ok(&status)) {
        lacunarity_simd_close(simd);
        return status;
    }
    *state = simd;
    return status_ok();
}

static void fill_row(const SimdState *simd, int threshold, int32_t box, LacunarityRow *row) {
    const Image *image = simd->image;
    const LacunarityBand band = {
        .image = image,
        .threshold = threshold,
        .box = box,
        .first = 0,
        .last = image->height - box + 1,
        .columns = simd->columns,
        .scratch = simd->scratch,
    };
    LacunarityMoments moments = {.sum_s = 0};
    memset(band.columns, 0, (size_t)image->width * sizeof *band.columns);
    simd->kernel->count_rows(image, threshold, 0, box, band.columns);
    simd->kernel->process(&band, &moments);
    lacunarity_set_row(row, image, threshold, box, moments.sum_s, moments.sum_s2_low,
                       moments.sum_s2_high);
}

Status lacunarity_simd_run(void *state) {
    const SimdState *simd = state;
    LacunarityRow *row = simd->rows;
    for (size_t t = 0; t < simd->plan.threshold_count; t++) {
        for (size_t b = 0; b < simd->plan.box_count; b++) {
            fill_row(simd, simd->plan.thresholds[t], simd->plan.boxes[b], row++);
        }
    }
    return status_ok();
}

void lacunarity_simd_close(void *state) {
    SimdState *simd = state;
    if (simd != NULL) {
        cpu_backend.release(simd->columns);
        cpu_backend.release(simd->scratch);
        lacunarity_plan_release(&simd->plan);
        free(simd);
    }
}
