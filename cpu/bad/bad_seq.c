/* seq: an integral image, then one keypoint after the other, one thread. */
#include <stdlib.h>
#include <string.h>

#include "bad_internal.h"
#include "descriptor_weights.h"

VARIANT_FUNCTIONS(bad_seq);
VARIANT_EXTERN Status bad_seq_integral(void *state);
VARIANT_EXTERN Status bad_seq_tests(void *state);

typedef struct SeqState {
    const Workload *workload;
    const Output *output;
    const Weights *weights;
    int32_t keypoints;
    float scale;
    BadIntegral integral;
} SeqState;

static Status open_state(const Request *request, SeqState *seq) {
    const Image *image = &request->workload->image;
    *seq = (SeqState){.workload = request->workload,
                      .output = request->output,
                      .keypoints = point_keypoints(request->answer),
                      .scale = point_scale(request->answer),
                      .integral = {.stride = (size_t)image->width + 1,
                                   .width = image->width,
                                   .height = image->height}};
    STATUS_TRY(keypoints_weights(request->workload, request->answer, WEIGHTS_BAD, &seq->weights));
    return cpu_backend.alloc(seq->integral.stride * ((size_t)image->height + 1) *
                                 sizeof *seq->integral.entries,
                             (void **)&seq->integral.entries);
}

Status bad_seq_open(const Request *request, void **state) {
    SeqState *seq = malloc(sizeof *seq);
    if (seq == NULL) {
        return status_skip("not enough memory for the variant's state");
    }
    const Status status = open_state(request, seq);
    if (!status_is_ok(&status)) {
        bad_seq_close(seq);
        return status;
    }
    *state = seq;
    return status;
}

/* Row `row` from the one above it, which may be anywhere. */
static void integral_row(const uint8_t *pixels, int32_t width, const uint32_t *above,
                         uint32_t *row) {
    uint32_t sum = 0;
    row[0] = 0;
    for (int32_t x = 0; x < width; x++) {
        sum += pixels[x];
        row[x + 1] = above[x + 1] + sum;
    }
}

Status bad_seq_integral(void *state) {
    const SeqState *seq = state;
    const Image *image = &seq->workload->image;
    const size_t stride = seq->integral.stride;
    memset(seq->integral.entries, 0, stride * sizeof *seq->integral.entries);
    for (int32_t y = 0; y < image->height; y++) {
        uint32_t *above = seq->integral.entries + (size_t)y * stride;
        integral_row(image_row(image, y), image->width, above, above + stride);
    }
    return status_ok();
}

Status bad_seq_tests(void *state) {
    const SeqState *seq = state;
    const Image *image = &seq->workload->image;
    const size_t bytes = (size_t)seq->weights->bits / 8;
    for (int32_t k = 0; k < seq->keypoints; k++) {
        const Keypoint keypoint = seq->workload->keypoints.keypoints[k];
        const BadPlace place = {
            .map = bad_map(keypoint, seq->scale),
            .near_border = bad_near_border(keypoint, seq->scale, image->width, image->height)};
        bad_describe(&seq->integral, &place, (const BadTest *)seq->weights->values,
                     seq->weights->bits, bad_descriptors(seq->output) + (size_t)k * bytes);
    }
    return status_ok();
}

Status bad_seq_run(void *state) {
    STATUS_TRY(bad_seq_integral(state));
    return bad_seq_tests(state);
}

void bad_seq_close(void *state) {
    SeqState *seq = state;
    if (seq != NULL) {
        cpu_backend.release(seq->integral.entries);
        free(seq);
    }
}
