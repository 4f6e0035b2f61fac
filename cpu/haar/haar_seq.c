/* haar as the study describes it for one thread: integral images of all images, then every
 * feature of every rectangle by its definition. Nothing is left out and nothing is shared. */
#include <stdlib.h>

#include "backend.h"
#include "haar_internal.h"

VARIANT_FUNCTIONS(haar_seq);

VARIANT_EXTERN Status haar_seq_integral(void *state);
VARIANT_EXTERN Status haar_seq_features(void *state);

typedef struct SeqState {
    const Request *request;
    HaarPoint point;
    HaarPacking packing;
    int32_t *integrals; /* image after image */
    size_t entries;     /* of one */
    HaarSinkTarget target;
    void *buffer; /* of the sink */
} SeqState;

static Status prepare(const Request *request, SeqState *seq) {
    const ImageSet *set = &request->workload->set;
    seq->request = request;
    seq->point = haar_point(request->answer);
    seq->entries = (size_t)(set->width + 1) * (size_t)(set->height + 1);
    seq->target = haar_sink_target(request->output);
    STATUS_TRY(haar_packing(set, &seq->packing));
    void *memory = NULL;
    STATUS_TRY(cpu_backend.alloc(HAAR_SINK_BYTES, &seq->buffer));
    STATUS_TRY(
        cpu_backend.alloc((size_t)set->count * seq->entries * sizeof *seq->integrals, &memory));
    seq->integrals = memory;
    return status_ok();
}

Status haar_seq_open(const Request *request, void **state) {
    SeqState *seq = calloc(1, sizeof *seq);
    if (seq == NULL) {
        return status_no_memory("for the state of haar/seq");
    }
    const Status status = prepare(request, seq);
    if (!status_is_ok(&status)) {
        haar_seq_close(seq);
        return status;
    }
    *state = seq;
    return status_ok();
}

Status haar_seq_integral(void *state) {
    const SeqState *seq = state;
    const Workload *workload = seq->request->workload;
    for (int32_t i = 0; i < workload->set.count; i++) {
        haar_integral(workload_image(workload, i), workload->set.width, workload->set.height,
                      seq->integrals + (size_t)i * seq->entries);
    }
    return status_ok();
}

/* The features of one rectangle. */
static void judge_rectangle(const SeqState *seq, HaarSink *sink, int32_t image,
                            const int32_t *integral, HaarFeature feature) {
    const int32_t stride = seq->request->workload->set.width + 1;
    for (int type = 0; type < HAAR_TYPES; type++) {
        feature.type = (uint8_t)type;
        const int32_t value = haar_value(integral, stride, feature);
        if (abs(value) > seq->point.threshold) {
            haar_sink_reserve(sink, 1);
            *sink->at++ = haar_pack(&seq->packing, (uint32_t)image, feature, value);
        }
    }
}

/* The rectangles of one size. */
static void judge_size(const SeqState *seq, HaarSink *sink, int32_t image, const int32_t *integral,
                       int32_t w, int32_t h) {
    const ImageSet *set = &seq->request->workload->set;
    for (int32_t y = 0; y + h <= set->height; y++) {
        for (int32_t x = 0; x + w <= set->width; x++) {
            const HaarFeature feature = {
                .x = (uint8_t)x, .y = (uint8_t)y, .w = (uint8_t)w, .h = (uint8_t)h};
            judge_rectangle(seq, sink, image, integral, feature);
        }
    }
}

Status haar_seq_features(void *state) {
    SeqState *seq = state;
    const ImageSet *set = &seq->request->workload->set;
    HaarSink sink = haar_sink(&seq->target, seq->buffer);
    seq->target.found = 0;
    for (int32_t i = 0; i < set->count; i++) {
        const int32_t *integral = seq->integrals + (size_t)i * seq->entries;
        for (int32_t h = seq->point.min_side; h <= set->height; h++) {
            for (int32_t w = seq->point.min_side; w <= set->width; w++) {
                judge_size(seq, &sink, i, integral, w, h);
            }
        }
    }
    haar_sink_finish(&sink);
    *haar_count(seq->request->output) = seq->target.found;
    return status_ok();
}

Status haar_seq_run(void *state) {
    STATUS_TRY(haar_seq_integral(state));
    return haar_seq_features(state);
}

void haar_seq_close(void *state) {
    SeqState *seq = state;
    if (seq != NULL) {
        cpu_backend.release(seq->buffer);
        cpu_backend.release(seq->integrals);
        free(seq);
    }
}
