/* Stumps of a training: made of a candidate, and told from those of another training. */
#ifndef CPU_ADABOOST_STUMPS_H
#define CPU_ADABOOST_STUMPS_H

#include <stdbool.h>
#include <string.h>

#include "adaboost_candidates.h"
#include "adaboost_weights.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The stump of a candidate, but for its threshold, polarity and error, which are 0. */
static inline AdaboostStump adaboost_stump_of(const AdaboostCandidates *candidates,
                                              int32_t candidate) {
    const HaarFeature feature = candidates->features[candidate];
    AdaboostStump stump;
    memset(&stump, 0, sizeof stump);
    stump.candidate = (uint64_t)candidate;
    stump.type = feature.type;
    stump.x = feature.x;
    stump.y = feature.y;
    stump.w = feature.w;
    stump.h = feature.h;
    return stump;
}

/* Whether a stump that was read from somewhere can be one of a training with these candidates. */
static inline bool adaboost_stump_fits(const AdaboostCandidates *candidates,
                                       const AdaboostStump *stump) {
    if (stump->candidate >= (uint64_t)candidates->count || stump->error >= ADABOOST_TOTAL / 2) {
        return false;
    }
    const AdaboostStump own = adaboost_stump_of(candidates, (int32_t)stump->candidate);
    return stump->type == own.type && stump->x == own.x && stump->y == own.y && stump->w == own.w &&
           stump->h == own.h;
}

#ifdef __cplusplus
}
#endif

#endif
