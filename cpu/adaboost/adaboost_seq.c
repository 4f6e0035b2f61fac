/* adaboost as plainly as it can be written, one thread: in each round the sorted images of each
 * candidate are gone through once, with the sum of the shares so far. */
#include <stdlib.h>

#include "adaboost_internal.h"
#include "backend.h"

VARIANT_FUNCTIONS(adaboost_seq);

typedef struct SeqState {
    AdaboostTraining training;
    size_t integral_entries; /* of one image */
    int32_t *integrals;      /* images × integral_entries */
    void *scratch;           /* of sorting */
} SeqState;

static Status allocate(SeqState *seq) {
    const ImageSet *set = seq->training.set;
    seq->integral_entries = (size_t)(set->width + 1) * (size_t)(set->height + 1);
    void *memory = NULL;
    STATUS_TRY(cpu_backend.alloc(
        (size_t)set->count * seq->integral_entries * sizeof *seq->integrals, &memory));
    seq->integrals = memory;
    return cpu_backend.alloc(adaboost_order_scratch_bytes(set->count), &seq->scratch);
}

Status adaboost_seq_open(const Request *request, void **state) {
    SeqState *seq = calloc(1, sizeof *seq);
    if (seq == NULL) {
        return status_no_memory("for the state of adaboost/seq");
    }
    Status status = adaboost_training_open(request, &seq->training);
    if (status_is_ok(&status)) {
        status = allocate(seq);
    }
    if (!status_is_ok(&status)) {
        adaboost_seq_close(seq);
        return status;
    }
    *state = seq;
    return status_ok();
}

static const int32_t *integral_of(const SeqState *seq, int32_t image) {
    return seq->integrals + (size_t)image * seq->integral_entries;
}

static Status integral(void *state) {
    const SeqState *seq = state;
    const ImageSet *set = seq->training.set;
    for (int32_t i = 0; i < set->count; i++) {
        haar_integral(workload_image(seq->training.request->workload, i), set->width, set->height,
                      seq->integrals + (size_t)i * seq->integral_entries);
    }
    return status_ok();
}

static Status values(void *state) {
    const SeqState *seq = state;
    const AdaboostTraining *training = &seq->training;
    const int32_t stride = training->set->width + 1;
    for (int32_t i = 0; i < training->set->count; i++) {
        for (int32_t c = 0; c < training->candidates.count; c++) {
            adaboost_row(training, c)[i] =
                (uint32_t)haar_value(integral_of(seq, i), stride, training->candidates.features[c]);
        }
    }
    return status_ok();
}

static Status sort(void *state) {
    const SeqState *seq = state;
    for (int32_t c = 0; c < seq->training.candidates.count; c++) {
        adaboost_order_sort(adaboost_row(&seq->training, c), seq->training.set->count,
                            seq->scratch);
    }
    return status_ok();
}

/* Takes the best stump of one candidate where it is better than the best so far. */
static void search_candidate(const AdaboostTraining *training, int32_t candidate,
                             AdaboostChoice *best) {
    const uint32_t *row = adaboost_row(training, candidate);
    const int64_t others = (int64_t)training->weights.others;
    int64_t below = 0; /* others less digits among the entries before */
    for (int32_t k = 0; k < training->set->count; k++) {
        if ((row[k] & ADABOOST_NEW_VALUE) != 0) {
            /* Others from here on are wrong, and digits before. */
            const uint64_t error = (uint64_t)(others - below);
            if (error < best->error) {
                *best = (AdaboostChoice){error, candidate, k, 1};
            }
            if (ADABOOST_TOTAL - error < best->error) {
                *best = (AdaboostChoice){ADABOOST_TOTAL - error, candidate, k, 0};
            }
        }
        below += training->weights.shares[row[k] & ~ADABOOST_NEW_VALUE];
    }
}

static AdaboostChoice search(void *state) {
    const SeqState *seq = state;
    AdaboostChoice best = ADABOOST_NO_CHOICE;
    for (int32_t c = 0; c < seq->training.candidates.count; c++) {
        search_candidate(&seq->training, c, &best);
    }
    return best;
}

static void feature_values(void *state, HaarFeature feature) {
    const SeqState *seq = state;
    for (int32_t i = 0; i < seq->training.set->count; i++) {
        seq->training.values[i] =
            haar_value(integral_of(seq, i), seq->training.set->width + 1, feature);
    }
}

static void apply(void *state, AdaboostStump *stump) {
    SeqState *seq = state;
    adaboost_weights_apply(&seq->training.weights, seq->training.values, stump);
}

static Status boosting(void *state) {
    static const AdaboostEngine engine = {search, feature_values, apply};
    SeqState *seq = state;
    return adaboost_training_boost(&seq->training, &engine, seq);
}

const Stage adaboost_seq_stages[] = {
    {"integral", integral}, {"values", values}, {"sort", sort},
    {"boosting", boosting}, {NULL, NULL},
};

Status adaboost_seq_run(void *state) {
    return adaboost_stages_run(adaboost_seq_stages, state);
}

void adaboost_seq_close(void *state) {
    SeqState *seq = state;
    if (seq != NULL) {
        cpu_backend.release(seq->scratch);
        cpu_backend.release(seq->integrals);
        adaboost_training_close(&seq->training);
        free(seq);
    }
}
