/* seq: an integral image, then one keypoint after the other, one thread. */
#include <stdlib.h>

#include "bad.h"

VARIANT_FUNCTIONS(bad_seq);
VARIANT_EXTERN Status bad_seq_integral(void *state);
VARIANT_EXTERN Status bad_seq_tests(void *state);

typedef struct SeqState {
    const Workload *workload;
    const Output *output;
    const Weights *weights;
    int32_t keypoints;
    float scale;
    uint32_t *integral; /* (width + 1) × (height + 1), modulo 2^32 */
} SeqState;

static Status open_state(const Request *request, SeqState *seq) {
    const Image *image = &request->workload->image;
    *seq = (SeqState){.workload = request->workload,
                      .output = request->output,
                      .keypoints = point_keypoints(request->answer),
                      .scale = point_scale(request->answer)};
    STATUS_TRY(keypoints_weights(request->workload, request->answer, WEIGHTS_BAD, &seq->weights));
    return cpu_backend.alloc(((size_t)image->width + 1) * ((size_t)image->height + 1) *
                                 sizeof *seq->integral,
                             (void **)&seq->integral);
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

Status bad_seq_integral(void *state) {
    const SeqState *seq = state;
    const Image *image = &seq->workload->image;
    const size_t stride = (size_t)image->width + 1;
    for (size_t x = 0; x < stride; ++x) {
        seq->integral[x] = 0;
    }
    for (int32_t y = 0; y < image->height; ++y) {
        const uint8_t *pixels = image_row(image, y);
        const uint32_t *above = seq->integral + (size_t)y * stride;
        uint32_t *row = seq->integral + ((size_t)y + 1) * stride;
        uint32_t sum = 0;
        row[0] = 0;
        for (size_t x = 1; x < stride; ++x) {
            sum += pixels[x - 1];
            row[x] = above[x] + sum;
        }
    }
    return status_ok();
}

static int32_t box_sum(const SeqState *seq, const BadBox *box) {
    const size_t stride = (size_t)seq->workload->image.width + 1;
    const uint32_t *top = seq->integral + (size_t)box->top * stride;
    const uint32_t *bottom = seq->integral + (size_t)box->bottom * stride;
    return (int32_t)(bottom[box->right] - bottom[box->left] - top[box->right] + top[box->left]);
}

/* What all tests of a keypoint share. */
typedef struct Place {
    PatchMap map;
    int near_border;
} Place;

static int test_bit(const SeqState *seq, const Place *place, const BadTest *test) {
    const Image *image = &seq->workload->image;
    const int32_t radius = bad_radius(&place->map, test->radius);
    const BadBox box1 =
        bad_box(&place->map, test->x1, test->y1, radius, image->width, image->height);
    const BadBox box2 =
        bad_box(&place->map, test->x2, test->y2, radius, image->width, image->height);
    return bad_bit(place->near_border, box_sum(seq, &box1), &box1, box_sum(seq, &box2), &box2,
                   radius, test->threshold);
}

Status bad_seq_tests(void *state) {
    const SeqState *seq = state;
    const Image *image = &seq->workload->image;
    const BadTest *tests = (const BadTest *)seq->weights->values;
    uint8_t *descriptor = bad_descriptors(seq->output);
    for (int32_t k = 0; k < seq->keypoints; ++k) {
        const Keypoint keypoint = seq->workload->keypoints.keypoints[k];
        const Place place = {
            .map = bad_map(keypoint, seq->scale),
            .near_border = bad_near_border(keypoint, seq->scale, image->width, image->height)};
        for (int32_t b = 0; b < seq->weights->bits; b += 8) {
            unsigned byte = 0;
            for (int32_t i = b; i < b + 8; ++i) {
                byte = byte << 1 | (unsigned)test_bit(seq, &place, &tests[i]);
            }
            *descriptor++ = (uint8_t)byte;
        }
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
        cpu_backend.release(seq->integral);
        free(seq);
    }
}
