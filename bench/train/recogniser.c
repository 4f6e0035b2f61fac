#include "recogniser.h"

#include <math.h>
#include <stdlib.h>

#include "haar_features.h"

Status classifier_add(Classifier *classifier, const Stump *stump) {
    if (classifier->count == classifier->room) {
        const size_t room = classifier->room > 0 ? 2 * classifier->room : 64;
        Stump *stumps = realloc(classifier->stumps, room * sizeof *stumps);
        if (stumps == NULL) {
            return status_skip("no memory left for %zu stumps", room);
        }
        classifier->stumps = stumps;
        classifier->room = room;
    }
    classifier->stumps[classifier->count++] = *stump;
    return status_ok();
}

void recogniser_release(Recogniser *recogniser) {
    for (size_t i = 0; i < recogniser->count; i++) {
        free(recogniser->classifiers[i].stumps);
    }
    recogniser->count = 0;
}

double stump_alpha(uint64_t error) {
    const double e = error > 0 ? (double)error * 0x1p-40 : 0x1p-41;
    return 0.5 * log((1 - e) / e);
}

static size_t stumps_used(const Classifier *classifier, size_t rounds) {
    return rounds > 0 && rounds < classifier->count ? rounds : classifier->count;
}

static double stump_vote(const Stump *stump, const int32_t *integral, int32_t stride) {
    const HaarFeature feature = {.type = (uint8_t)stump->type,
                                 .x = (uint8_t)stump->x,
                                 .y = (uint8_t)stump->y,
                                 .w = (uint8_t)stump->w,
                                 .h = (uint8_t)stump->h};
    const bool reached = haar_value(integral, stride, feature) >= stump->threshold;
    return reached == (stump->polarity == 1) ? stump->alpha : -stump->alpha;
}

void recogniser_scores(const Recogniser *recogniser, size_t rounds, const int32_t *integral,
                       double *scores) {
    for (size_t i = 0; i < recogniser->count; i++) {
        const Classifier *classifier = &recogniser->classifiers[i];
        const size_t used = stumps_used(classifier, rounds);
        scores[i] = 0;
        for (size_t k = 0; k < used; k++) {
            scores[i] += stump_vote(&classifier->stumps[k], integral, recogniser->facts.width + 1);
        }
    }
}

size_t recogniser_decide(const Recogniser *recogniser, const double *scores) {
    const Classifier *classifiers = recogniser->classifiers;
    size_t best = 0;
    for (size_t i = 1; i < recogniser->count; i++) {
        const bool tie =
            scores[i] == scores[best] && classifiers[i].digit < classifiers[best].digit;
        if (scores[i] > scores[best] || tie) {
            best = i;
        }
    }
    return best;
}
