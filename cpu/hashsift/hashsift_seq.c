/* seq: one keypoint after the other, the product as a loop of a loop, one thread. */
#include <stdlib.h>

#include "descriptor_weights.h"
#include "hashsift_internal.h"

VARIANT_FUNCTIONS(hashsift_seq);
VARIANT_EXTERN Status hashsift_seq_sift(void *state);
VARIANT_EXTERN Status hashsift_seq_product(void *state);
VARIANT_EXTERN Status hashsift_seq_sign(void *state);

typedef struct SeqState {
    const Workload *workload;
    const Output *output;
    const Weights *weights; /* NULL: the values are the descriptor */
    int32_t keypoints, bits;
    float scale;
    float *values;    /* keypoints × HASHSIFT_VALUES */
    float *responses; /* keypoints × bits */
} SeqState;

static Status open_state(const Request *request, SeqState *seq) {
    *seq = (SeqState){.workload = request->workload,
                      .output = request->output,
                      .keypoints = point_keypoints(request->answer),
                      .bits = point_bits(request->answer),
                      .scale = point_scale(request->answer)};
    const size_t rows = (size_t)seq->keypoints;
    STATUS_TRY(cpu_backend.alloc(rows * HASHSIFT_VALUES * sizeof(float), (void **)&seq->values));
    if (seq->bits == HASHSIFT_VALUE_BITS) {
        return status_ok();
    }
    STATUS_TRY(
        keypoints_weights(request->workload, request->answer, WEIGHTS_HASHSIFT, &seq->weights));
    return cpu_backend.alloc(rows * (size_t)seq->bits * sizeof(float), (void **)&seq->responses);
}

Status hashsift_seq_open(const Request *request, void **state) {
    SeqState *seq = malloc(sizeof *seq);
    if (seq == NULL) {
        return status_skip("not enough memory for the variant's state");
    }
    const Status status = open_state(request, seq);
    if (!status_is_ok(&status)) {
        hashsift_seq_close(seq);
        return status;
    }
    *state = seq;
    return status;
}

Status hashsift_seq_sift(void *state) {
    const SeqState *seq = state;
    uint8_t patch[PATCH_SIDE * PATCH_SIDE];
    for (int32_t k = 0; k < seq->keypoints; k++) {
        float *values = seq->values + (size_t)k * HASHSIFT_VALUES;
        hashsift_patch(&seq->workload->image, seq->workload->keypoints.keypoints[k], seq->scale,
                       patch);
        hashsift_votes(patch, values);
        hashsift_normalise(values);
    }
    return status_ok();
}

Status hashsift_seq_product(void *state) {
    const SeqState *seq = state;
    for (int32_t k = 0; seq->weights != NULL && k < seq->keypoints; k++) {
        const float *values = seq->values + (size_t)k * HASHSIFT_VALUES;
        for (int32_t b = 0; b < seq->bits; b++) {
            const float *row = seq->weights->values + (size_t)b * HASHSIFT_COLUMNS;
            float sum = row[0];
            for (int32_t v = 0; v < HASHSIFT_VALUES; v++) {
                sum += row[1 + v] * values[v];
            }
            seq->responses[(size_t)k * (size_t)seq->bits + (size_t)b] = sum;
        }
    }
    return status_ok();
}

Status hashsift_seq_sign(void *state) {
    const SeqState *seq = state;
    uint8_t *descriptors = hashsift_descriptors(seq->output);
    const size_t bits = (size_t)seq->bits;
    for (size_t k = 0; seq->weights != NULL && k < (size_t)seq->keypoints; k++) {
        hashsift_signs(seq->responses + k * bits, seq->bits, descriptors + k * bits / 8);
    }
    for (size_t v = 0; seq->weights == NULL && v < (size_t)seq->keypoints * HASHSIFT_VALUES; v++) {
        descriptors[v] = (uint8_t)seq->values[v];
    }
    return status_ok();
}

Status hashsift_seq_run(void *state) {
    STATUS_TRY(hashsift_seq_sift(state));
    STATUS_TRY(hashsift_seq_product(state));
    return hashsift_seq_sign(state);
}

void hashsift_seq_close(void *state) {
    SeqState *seq = state;
    if (seq != NULL) {
        cpu_backend.release(seq->values);
        cpu_backend.release(seq->responses);
        free(seq);
    }
}
