/* Claims: whether the times of another run say what one said. */

#include "claim.h"
#include "contenders.h"
#include "crossover.h"
#include "judge_internal.h"

#include <math.h>
#include <stdio.h>

static ClaimTest claim_test(ClaimVerdict verdict, ClaimReason reason) {
    return (ClaimTest){.verdict = verdict, .reason = reason, .change = NAN, .detectable = NAN};
}

SpeedSide ratio_side_beyond(const Ratio *ratio, double threshold) {
    const double limit = 1 + threshold;
    return ratio->low > limit                                ? SIDE_FASTER
           : ratio->high < 1 / limit                         ? SIDE_SLOWER
           : ratio->low >= 1 / limit && ratio->high <= limit ? SIDE_SAME
                                                             : SIDE_UNDECIDED;
}

SpeedSide ratio_side_bare(double value) {
    const double limit = 1 + JUDGE_BARE;
    return value >= limit ? SIDE_FASTER : value <= 1 / limit ? SIDE_SLOWER : SIDE_UNDECIDED;
}

/* As a claim of being faster has it. */
static Ratio as_faster(const TimesRatio *ratio, SpeedSide claimed) {
    const Ratio *of = &ratio->ratio;
    return claimed == SIDE_FASTER
               ? *of
               : (Ratio){.value = 1 / of->value, .low = 1 / of->high, .high = 1 / of->low};
}

ClaimTest claim_of_side(const TimesRatio *claimed, const TimesRatio *here) {
    const double limit = 1 + judge_criteria.threshold;
    const bool many = here->count > 1 || here->itself;
    if (!side_is_decided(claimed->side)) {
        return claim_test(CLAIM_UNTESTED, CLAIM_WITHOUT_SIDE);
    }
    if (here->ratio.disturber != DISTURBER_NONE) {
        ClaimTest test = claim_test(CLAIM_UNTESTED, CLAIM_DISTURBED);
        test.disturber = here->ratio.disturber;
        return test;
    }
    if (here->side == claimed->side) {
        return claim_test(CLAIM_HOLDS, CLAIM_NO_REASON);
    }
    /* What was claimed to be beyond the threshold fails where it cannot be. */
    const double most = as_faster(claimed, claimed->side).low > limit ? limit : 1 / limit;
    if (!(as_faster(here, claimed->side).high < most)) {
        return claim_test(CLAIM_UNTESTED, CLAIM_UNDECIDED);
    }
    const bool reversed = here->side == side_inverse(claimed->side);
    return many ? claim_test(CLAIM_FAILS, reversed ? CLAIM_REVERSED : CLAIM_EQUAL)
                : claim_test(CLAIM_UNTESTED, reversed ? CLAIM_REVERSED_ONCE : CLAIM_EQUAL_ONCE);
}

bool claim_is_undecided(const ClaimTest *test) {
    return test->verdict == CLAIM_UNTESTED && test->reason != CLAIM_WITHOUT_SIDE;
}

/* How many times as great the ratio is here. */
static Status ratio_change(const TimesRatio *claimed, const TimesRatio *here, double alpha,
                           Ratio *change) {
    double level;
    return launches_ratio_at(here->launches, LAUNCHES_MAX, claimed->launches, LAUNCHES_MAX, alpha,
                             change, &level);
}

Status claim_of_number(const TimesRatio *claimed, const TimesRatio *here, size_t claims,
                       ClaimTest *test) {
    const double threshold = judge_criteria.threshold;
    Ratio change, sure;
    const double alpha = judge_criteria.alpha / (double)claims;
    double detectable;
    if (disturber_of_either(claimed->ratio.disturber, here->ratio.disturber) != DISTURBER_NONE) {
        *test = claim_of_side(claimed, here);
        return status_ok();
    }
    STATUS_TRY(ratio_change(claimed, here, 0.05, &change));
    STATUS_TRY(ratio_change(claimed, here, alpha, &sure));
    STATUS_TRY(launches_detectable(claimed->launches, LAUNCHES_MAX, here->launches, LAUNCHES_MAX,
                                   alpha, threshold, &detectable));
    const bool known = !change.extremes && !isnan(change.low);
    if (known && side_is_decided(ratio_side_beyond(&sure, threshold))) {
        *test = claim_test(CLAIM_FAILS, CLAIM_CHANGED);
        test->change = change.value;
    } else if (known && ratio_side_beyond(&change, threshold) == SIDE_SAME) {
        *test = claim_test(CLAIM_HOLDS, CLAIM_NO_REASON);
    } else {
        *test = claim_of_side(claimed, here);
        if (test->verdict == CLAIM_HOLDS || test->reason == CLAIM_WITHOUT_SIDE) {
            test->reason = known ? CLAIM_NOT_EXCLUDED : CLAIM_SIDE_ALONE;
            test->change = fmax(change.high, 1 / change.low);
        }
    }
    test->detectable = detectable;
    return status_ok();
}

size_t claim_of_crossover(const Crossover *claimed, const SpeedSide *sides,
                          const ClaimVerdict *here) {
    size_t open = SIZE_MAX;
    for (size_t i = 0; i < claimed->places; i++) {
        if (!side_is_decided(sides[i])) {
            continue;
        }
        if (here[i] == CLAIM_FAILS) {
            return i;
        }
        const bool needed = claimed->changes == 0 || i == claimed->before || i == claimed->after;
        open = needed && here[i] != CLAIM_HOLDS && open == SIZE_MAX ? i : open;
    }
    return open;
}

ClaimTest claim_of_crossover_elsewhere(const Crossover *claimed, const Crossover *here) {
    return here->sides < 2 ? claim_test(CLAIM_UNTESTED, CLAIM_UNDECIDED)
           : crossover_kind(here) == crossover_kind(claimed)
               ? claim_test(CLAIM_HOLDS, CLAIM_NO_REASON)
               : claim_test(CLAIM_FAILS, CLAIM_OTHER_CROSSOVER);
}

void claim_reason_words(const ClaimTest *test, char text[CLAIM_REASON_SIZE]) {
    static const char *const words[] = {
        [CLAIM_NO_REASON] = "",
        [CLAIM_REVERSED] = "it is the other way round here",
        [CLAIM_REVERSED_ONCE] = "it is the other way round here, which one launch does not show",
        [CLAIM_EQUAL] = "no such difference here",
        [CLAIM_EQUAL_ONCE] = "no such difference here, which one launch does not show",
        [CLAIM_UNDECIDED] = "undecided here",
        [CLAIM_WITHOUT_SIDE] = "no side was claimed ahead",
        [CLAIM_SIDE_ALONE] = "too few launches to compare the factors",
        [CLAIM_OTHER_CROSSOVER] = "another crossover",
    };
    char times[SIGNIFICANT_SIZE];
    times_text(fmax(test->change, 1 / test->change), times);
    if (test->reason == CLAIM_CHANGED) {
        /* Not that a factor is greater: of what is slower the one that is shown is then smaller. */
        snprintf(text, CLAIM_REASON_SIZE, "against the best CPU %s %s here than claimed", times,
                 test->change > 1 ? "faster" : "slower");
    } else if (test->reason == CLAIM_NOT_EXCLUDED) {
        snprintf(text, CLAIM_REASON_SIZE, "a change of the factor by %s is not excluded", times);
    } else if (test->reason == CLAIM_DISTURBED) {
        snprintf(text, CLAIM_REASON_SIZE, "undecided here: %s", disturber_clause(test->disturber));
    } else {
        snprintf(text, CLAIM_REASON_SIZE, "%s", words[test->reason]);
    }
}
