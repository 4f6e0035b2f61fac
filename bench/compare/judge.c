/* The verdict about one cell. */

#include "compare_internal.h"

#include <stdio.h>

#include "base.h"
#include "status.h"

const char *change_name(CellChange change) {
    static const char *const names[CHANGE_COUNT] = {[CHANGE_SAME] = "same",
                                                    [CHANGE_FASTER] = "faster",
                                                    [CHANGE_SLOWER] = "slower",
                                                    [CHANGE_AMBIGUOUS] = "ambiguous"};
    return names[change];
}

/* The change as a slowdown: of a cell that became faster, with old and new exchanged. */
typedef struct Slowdown {
    double value, least; /* the ratio and the near end of its interval, both above 1 when proved */
    CellChange proved;
} Slowdown;

static Slowdown slowdown_of(const Ratio *ratio) {
    return ratio->value >= 1 ? (Slowdown){ratio->value, ratio->low, CHANGE_SLOWER}
                             : (Slowdown){1 / ratio->value, 1 / ratio->high, CHANGE_FASTER};
}

static void judge_few(size_t old_count, size_t new_count, CellJudgement *judgement) {
    judgement->change = CHANGE_AMBIGUOUS;
    snprintf(judgement->why, sizeof judgement->why,
             "%zu old and %zu new samples; %d on each side are needed", old_count, new_count,
             MEDIAN_INTERVAL_MIN);
}

/* Says why p is not small enough. */
static void explain_p(size_t old_count, size_t new_count, double limit, CellJudgement *judgement) {
    const double least = mann_whitney_least_p(old_count, new_count);
    if (judgement->exact && least >= limit) {
        snprintf(judgement->why, sizeof judgement->why,
                 "%zu old and %zu new samples cannot give a p below %.2g, %.2g is needed; take "
                 "more samples",
                 old_count, new_count, least, limit);
    } else {
        snprintf(judgement->why, sizeof judgement->why, "p is %.2g, below %.2g is needed",
                 judgement->p, limit);
    }
}

Status judge_cell(const Samples *old_samples, const Samples *new_samples,
                  const CompareCriteria *criteria, size_t cells, double noise_floor,
                  CellJudgement *judgement) {
    *judgement = (CellJudgement){.change = CHANGE_SAME};
    const size_t old_count = old_samples->count;
    const size_t new_count = new_samples->count;
    MannWhitney test;
    STATUS_TRY(ratio_of_medians(new_samples, old_samples, criteria->seed, &judgement->ratio));
    STATUS_TRY(
        mann_whitney(new_samples->seconds, new_count, old_samples->seconds, old_count, &test));
    judgement->p = test.p;
    judgement->exact = test.exact;
    if (old_count < MEDIAN_INTERVAL_MIN || new_count < MEDIAN_INTERVAL_MIN) {
        judge_few(old_count, new_count, judgement);
        return status_ok();
    }
    const Slowdown slowdown = slowdown_of(&judgement->ratio);
    const double p_limit = criteria->alpha / (double)cells;
    if (!(slowdown.value > 1 + criteria->threshold)) {
        return status_ok();
    }
    judgement->change = CHANGE_AMBIGUOUS;
    if (!(test.p < p_limit)) {
        explain_p(old_count, new_count, p_limit, judgement);
    } else if (!(slowdown.least > 1 + criteria->threshold)) {
        snprintf(judgement->why, sizeof judgement->why,
                 "the interval of the ratio reaches below the threshold of %g%%",
                 100 * criteria->threshold);
    } else if (!(slowdown.value > 1 + noise_floor)) {
        snprintf(judgement->why, sizeof judgement->why,
                 "within the noise floor of this machine, %.3g%%", 100 * noise_floor);
    } else {
        judgement->change = slowdown.proved;
    }
    return status_ok();
}
