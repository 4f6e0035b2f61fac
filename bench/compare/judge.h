/* Whether a cell became slower or faster, and whether that is proved. */
#ifndef BENCH_JUDGE_H
#define BENCH_JUDGE_H

#include "stats.h"

typedef struct CompareCriteria {
    double alpha;     /* probability of a false alarm in the whole comparison, 0…1 */
    double threshold; /* relative change that does not matter yet, 0…1 */
    uint64_t seed;    /* of the bootstrap */
} CompareCriteria;

typedef enum CellChange {
    CHANGE_SAME,
    CHANGE_FASTER,
    CHANGE_SLOWER,
    CHANGE_AMBIGUOUS,
    CHANGE_COUNT
} CellChange;

enum { JUDGE_WHY_SIZE = 160 };

typedef struct CellJudgement {
    CellChange change;
    char why[JUDGE_WHY_SIZE]; /* of CHANGE_AMBIGUOUS: which proof is missing */
    Ratio ratio;              /* median of the new samples / median of the old ones */
    double p;                 /* Mann–Whitney, two-sided */
    bool exact;               /* p is exact, not a normal approximation */
} CellJudgement;

/*
 * Judges one cell of `cells` that are compared; each is held to alpha / cells (Bonferroni).
 * `noise_floor` is the relative change that the machine shows by itself, 0 when it is not known.
 *
 * Slower: p is below alpha / cells, the whole interval of the ratio is above 1 + threshold, and the
 * ratio is above 1 + noise_floor. Faster: the same with old and new exchanged, which puts the
 * limits at 1 / (1 + threshold) and 1 / (1 + noise_floor). Ambiguous: the ratio is beyond the
 * threshold and one of these is missing; or a side has fewer than MEDIAN_INTERVAL_MIN samples.
 * Same: the ratio is within the threshold. STATUS_FAIL when memory runs out.
 */
Status judge_cell(const Samples *old_samples, const Samples *new_samples,
                  const CompareCriteria *criteria, size_t cells, double noise_floor,
                  CellJudgement *judgement);

/* "same", "faster", "slower", "ambiguous". */
const char *change_name(CellChange change);

#endif
