#include "adaboost_internal.h"

#include <string.h>

#include "adaboost.h"
#include "backend.h"

AdaboostPoint adaboost_point(const Point *answer) {
    return (AdaboostPoint){
        .digit = (int32_t)point_integer(answer, "digit", 0),
        .rounds = (int32_t)point_integer(answer, "rounds", 100),
        .candidates = (int32_t)point_integer(answer, "candidates", 1000),
        .min_side = (int32_t)point_integer(answer, "min-side", 4),
        .threshold = (int32_t)point_integer(answer, "threshold", 4000),
    };
}

Status adaboost_training_open(const Request *request, AdaboostTraining *training) {
    const Workload *workload = request->workload;
    *training = (AdaboostTraining){
        .request = request,
        .set = &workload->set,
        .point = adaboost_point(request->answer),
    };
    const size_t images = (size_t)workload->set.count;
    const size_t candidates = (size_t)training->point.candidates;
    size_t bytes = 0;
    if (__builtin_mul_overflow(images * sizeof *training->order, candidates, &bytes)) {
        return status_skip("%zu candidates of %zu images are too many for memory", candidates,
                           images);
    }
    /* The largest first: a lack of memory is reported before time is spent on candidates. */
    void *memory = NULL;
    STATUS_TRY(cpu_backend.alloc(bytes, &memory));
    training->order = memory;
    STATUS_TRY(cpu_backend.alloc(images * sizeof *training->values, &memory));
    training->values = memory;
    STATUS_TRY(adaboost_weights_open(&workload->set, training->point.digit, &training->weights));
    return adaboost_candidates_draw(workload, &training->point, &training->candidates);
}

void adaboost_training_close(AdaboostTraining *training) {
    adaboost_candidates_release(&training->candidates);
    adaboost_weights_close(&training->weights);
    cpu_backend.release(training->values);
    cpu_backend.release(training->order);
}

/* The stump of a choice whose feature's values are in training->values. */
static AdaboostStump make_stump(const AdaboostTraining *training, const AdaboostChoice *choice) {
    const uint32_t entry = adaboost_row(training, choice->candidate)[choice->entry];
    AdaboostStump stump = adaboost_stump_of(&training->candidates, choice->candidate);
    stump.threshold = training->values[entry & ~ADABOOST_NEW_VALUE];
    stump.polarity = (uint64_t)choice->polarity;
    stump.error = choice->error;
    return stump;
}

/* Applies the stumps that stand in the output from an earlier run. */
static Status go_over(AdaboostTraining *training, const AdaboostEngine *engine, void *state,
                      size_t done) {
    AdaboostStump *stumps = adaboost_stumps(training->request->output);
    for (size_t i = 0; i < done; i++) {
        if (!adaboost_stump_fits(&training->candidates, &stumps[i])) {
            return status_fail("stump %zu of the rounds done is not one of this training", i + 1);
        }
        engine->values(state, training->candidates.features[stumps[i].candidate]);
        engine->apply(state, &stumps[i]);
    }
    return status_ok();
}

static Status report(const Steps *steps, size_t done) {
    return steps != NULL && steps->finished != NULL ? steps->finished(steps->context, done)
                                                    : status_ok();
}

Status adaboost_training_boost(AdaboostTraining *training, const AdaboostEngine *engine,
                               void *state) {
    const Steps *steps = training->request->steps;
    const size_t rounds = (size_t)training->point.rounds;
    const size_t done = steps == NULL ? 0 : steps->done < rounds ? steps->done : rounds;
    AdaboostStump *stumps = adaboost_stumps(training->request->output);
    uint64_t *count = adaboost_count(training->request->output);
    memset(stumps + done, 0, (rounds - done) * sizeof *stumps);
    *count = done;
    adaboost_weights_start(&training->weights);
    STATUS_TRY(go_over(training, engine, state, done));
    bool perfect = done > 0 && stumps[done - 1].error == 0;
    while (*count < rounds && !perfect) {
        const AdaboostChoice choice = engine->search(state);
        if (choice.error >= ADABOOST_TOTAL / 2) {
            break;
        }
        engine->values(state, training->candidates.features[choice.candidate]);
        AdaboostStump *stump = &stumps[*count];
        *stump = make_stump(training, &choice);
        engine->apply(state, stump);
        (*count)++;
        perfect = stump->error == 0;
        STATUS_TRY(report(steps, *count));
    }
    return status_ok();
}
