/*
 * Candidates: which features a training looks at.
 *
 * They are drawn from haar's output without replacement: every feature of the pictures' size with
 * both sides ≥ min_side has a key, a hash of it and of the workload's seed; in the order of their
 * keys those are taken that haar keeps in at least one of the first ADABOOST_SAMPLE pictures, until
 * there are as many as asked for. A candidate's index is its place in this order.
 *
 * key = mix(type·2^32 + x·2^24 + y·2^16 + w·2^8 + h, exclusive or mix(seed + 0x9E3779B97F4A7C15)),
 * where mix is the finaliser of SplitMix64, which maps different numbers to different ones: no two
 * features have the same key.
 */
#ifndef CPU_ADABOOST_CANDIDATES_H
#define CPU_ADABOOST_CANDIDATES_H

#include "adaboost.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ADABOOST_SAMPLE = 1000 };

typedef struct AdaboostCandidates {
    HaarFeature *features; /* owned */
    int32_t count;
} AdaboostCandidates;

/* On STATUS_OK exactly point->candidates features, released with adaboost_candidates_release.
 * STATUS_SKIP when haar keeps fewer ("… only 412 features; give --candidates up to that, or a lower
 * --threshold"), or when memory runs out. */
Status adaboost_candidates_draw(const Workload *workload, const AdaboostPoint *point,
                                AdaboostCandidates *candidates);
void adaboost_candidates_release(AdaboostCandidates *candidates);

#ifdef __cplusplus
}
#endif

#endif
