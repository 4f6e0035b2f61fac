/* seq: a smoothed image, then one keypoint after the other, one thread. */
#include <stdlib.h>

#include "descriptor_weights.h"
#include "orb_internal.h"

VARIANT_FUNCTIONS(orb_seq);
VARIANT_EXTERN Status orb_seq_blur(void *state);
VARIANT_EXTERN Status orb_seq_tests(void *state);

typedef struct SeqState {
    const Workload *workload;
    const Output *output;
    const Weights *weights;
    int32_t keypoints;
    float scale;
    uint16_t *rows; /* of the image, smoothed along rows alone; without padding */
    OrbBlurred blurred;
} SeqState;

static Status open_state(const Request *request, SeqState *seq) {
    const Image *image = &request->workload->image;
    void *rows = NULL;
    void *pixels = NULL;
    *seq = (SeqState){.workload = request->workload,
                      .output = request->output,
                      .keypoints = point_keypoints(request->answer),
                      .scale = point_scale(request->answer),
                      .blurred = {.stride = (size_t)image->width,
                                  .width = image->width,
                                  .height = image->height}};
    STATUS_TRY(keypoints_weights(request->workload, request->answer, WEIGHTS_ORB, &seq->weights));
    STATUS_TRY(cpu_backend.alloc(image_pixel_count(image) * sizeof *seq->rows, &rows));
    seq->rows = rows;
    STATUS_TRY(cpu_backend.alloc(image_pixel_count(image), &pixels));
    seq->blurred.pixels = pixels;
    return status_ok();
}

Status orb_seq_open(const Request *request, void **state) {
    SeqState *seq = malloc(sizeof *seq);
    if (seq == NULL) {
        return status_no_memory("for the state of orb");
    }
    const Status status = open_state(request, seq);
    if (!status_is_ok(&status)) {
        orb_seq_close(seq);
        return status;
    }
    *state = seq;
    return status;
}

static void smooth_rows(const SeqState *seq) {
    const Image *image = &seq->workload->image;
    for (int32_t y = 0; y < image->height; y++) {
        const uint8_t *pixels = image_row(image, y);
        uint16_t *row = seq->rows + (size_t)y * (size_t)image->width;
        for (int32_t x = 0; x < image->width; x++) {
            uint32_t sums[ORB_REACH + 1] = {pixels[x]};
            for (int32_t i = 1; i <= ORB_REACH; i++) {
                sums[i] = (uint32_t)pixels[orb_mirrored(x - i, image->width)] +
                          pixels[orb_mirrored(x + i, image->width)];
            }
            row[x] = (uint16_t)orb_row_value(orb_sum(sums[0], sums[1], sums[2], sums[3]));
        }
    }
}

static void smooth_columns(const SeqState *seq) {
    const size_t width = (size_t)seq->blurred.width;
    const int32_t height = seq->blurred.height;
    for (int32_t y = 0; y < height; y++) {
        const uint16_t *row = seq->rows + (size_t)y * width;
        const uint16_t *above[ORB_REACH + 1];
        const uint16_t *below[ORB_REACH + 1];
        for (int32_t j = 1; j <= ORB_REACH; j++) {
            above[j] = seq->rows + (size_t)orb_mirrored(y - j, height) * width;
            below[j] = seq->rows + (size_t)orb_mirrored(y + j, height) * width;
        }
        for (size_t x = 0; x < width; x++) {
            const uint32_t sum =
                orb_sum(row[x], (uint32_t)above[1][x] + below[1][x],
                        (uint32_t)above[2][x] + below[2][x], (uint32_t)above[3][x] + below[3][x]);
            seq->blurred.pixels[(size_t)y * width + x] = (uint8_t)orb_column_value(sum);
        }
    }
}

Status orb_seq_blur(void *state) {
    const SeqState *seq = state;
    smooth_rows(seq);
    smooth_columns(seq);
    return status_ok();
}

Status orb_seq_tests(void *state) {
    const SeqState *seq = state;
    const size_t bytes = (size_t)seq->weights->bits / 8;
    for (int32_t k = 0; k < seq->keypoints; k++) {
        const OrbPlace place = orb_place(seq->workload->keypoints.keypoints[k], seq->scale);
        orb_describe(&seq->blurred, &place, (const OrbTest *)seq->weights->values,
                     seq->weights->bits, orb_descriptors(seq->output) + (size_t)k * bytes);
    }
    return status_ok();
}

Status orb_seq_run(void *state) {
    STATUS_TRY(orb_seq_blur(state));
    return orb_seq_tests(state);
}

void orb_seq_close(void *state) {
    SeqState *seq = state;
    if (seq != NULL) {
        cpu_backend.release(seq->blurred.pixels);
        cpu_backend.release(seq->rows);
        free(seq);
    }
}
