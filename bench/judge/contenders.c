/* Numbers of a table, which may have launches or an interval or neither: their sides, and which of
 * several leads. */

#include "contenders.h"
#include "judge_internal.h"
#include "two_runs.h"

#include <math.h>
#include <stdlib.h>

/* === Two of them ============================================================================== */

static size_t launches_of(const Contender *one) {
    return one->times != NULL ? one->times->count : 0;
}

static Disturber disturber_of(const Contender *one) {
    return one->times != NULL ? one->times->disturber : DISTURBER_NONE;
}

/* Whether the launches of two runs stand against each other. */
static bool are_of_two_runs(const Contender *one, const Contender *other) {
    return launches_of(one) > 0 && launches_of(other) > 0 && one->run != other->run;
}

/* In one run or in two; NAN where their launches give none. */
static Ratio ratio_of_launches(const Contender *slow, const Contender *fast) {
    double level;
    Ratio ratio = {.value = NAN, .low = NAN, .high = NAN};
    if (are_of_two_runs(slow, fast)) {
        const Status status =
            launches_ratio_between(slow->times->launches, LAUNCHES_MAX, fast->times->launches,
                                   LAUNCHES_MAX, &ratio, &level);
        if (!status_is_ok(&status) || ratio.extremes) {
            ratio.low = ratio.high = NAN;
        }
    } else if (launches_of(slow) > 0 && launches_of(fast) > 0) {
        ratio = times_ratio(slow->times, fast->times).ratio;
    }
    ratio.disturber = disturber_of_either(disturber_of(slow), disturber_of(fast));
    return ratio;
}

/* Whether nothing but launches may decide: what one run says of itself does not hold for another,
 * and a disturbed time may be too long by more than its interval. */
static bool needs_launches(const Contender *one, const Contender *other) {
    return are_of_two_runs(one, other) || disturber_of(one) != DISTURBER_NONE ||
           disturber_of(other) != DISTURBER_NONE;
}

SpeedSide contender_judge(const Contender *one, const Contender *other, Ratio *ratio) {
    if (one->plain) {
        *ratio = estimate_ratio(&other->number, &one->number);
        return estimate_side(&one->number, &other->number);
    }
    *ratio = ratio_of_launches(other, one);
    if (isnan(ratio->low) && needs_launches(one, other)) {
        return SIDE_UNDECIDED;
    }
    if (isnan(ratio->low)) {
        *ratio = estimate_ratio(&other->number, &one->number);
        ratio->in_run = launches_of(one) == 1 || launches_of(other) == 1;
    }
    return isnan(ratio->low) ? ratio_side_bare(ratio->value) : ratio_side(ratio);
}

SpeedSide contender_side(const Contender *one, const Contender *other) {
    Ratio ratio;
    return contender_judge(one, other, &ratio);
}

bool contenders_are_known(const Contender *one, const Contender *other) {
    return (estimate_has_interval(&one->number) && estimate_has_interval(&other->number)) ||
           (launches_of(one) > 1 && launches_of(other) > 1) ||
           (!one->plain && needs_launches(one, other));
}

/* === Several ================================================================================== */

/* How many times as great the number is as the median of its launches: another unit, or a mean. */
static double scale_of(const Contender *one) {
    return one->number.value / launches_summarize(one->times->launches, LAUNCHES_MAX).median;
}

/* The least number but that of `but`, or the greatest (sign -1). */
static size_t find_extreme(const Contender *all, size_t count, double sign, size_t but) {
    size_t found = WINNER_NONE;
    for (size_t i = 0; i < count; i++) {
        const double number = sign * all[i].number.value;
        if (i != but && !isnan(number) &&
            (found == WINNER_NONE || number < sign * all[found].number.value)) {
            found = i;
        }
    }
    return found;
}

/* In each launch the leader is the one that the other launches choose, of those that have several.
 * Without memory its times are its own. */
static void time_by_launches(const Contender *all, size_t count, Lead *lead) {
    double(*medians)[LAUNCHES_MAX] = malloc(count * sizeof *medians);
    for (size_t i = 0; medians != NULL && i < count; i++) {
        const bool takes_part = launches_of(&all[i]) > 1 && !isnan(all[i].number.value);
        const double scale = takes_part ? scale_of(&all[i]) : NAN;
        for (size_t launch = 0; launch < LAUNCHES_MAX; launch++) {
            medians[i][launch] = takes_part ? scale * all[i].times->launches[launch] : (double)NAN;
        }
    }
    const LaunchWinners winners = launches_choose_of(medians, medians != NULL ? count : 0);
    free(medians);
    if (winners.all != lead->first) {
        return; /* the leader has no launches */
    }
    const double scale = scale_of(&all[lead->first]);
    bool several = false;
    for (size_t launch = 0; launch < winners.launches; launch++) {
        const size_t chosen = winners.of[launch];
        const bool elsewhere = chosen != WINNER_NONE && all[chosen].run != lead->run;
        lead->times.launches[launch] = winners.seconds[launch] / scale;
        several |= elsewhere;
    }
    lead->run = several ? NULL : lead->run;
    lead->number.value = launches_summarize(winners.seconds, winners.launches).median;
}

/* The medians of the turns of each kind in the unit of the number; NAN where there is none. False
 * where it has not one launch with turns enough. */
static bool find_halves(const Contender *one, double *odd, double *even) {
    *odd = *even = NAN;
    if (isnan(one->number.value)) {
        return true;
    }
    if (launches_of(one) != 1 || one->times->samples == NULL) {
        return false;
    }
    samples_halves(one->times->samples, odd, even);
    *odd *= scale_of(one);
    *even *= scale_of(one);
    return !isnan(*odd);
}

static bool is_tied(const Contender *all, size_t count, size_t first) {
    bool tied = false;
    for (size_t i = 0; i < count; i++) {
        tied |= i != first && !isnan(all[i].number.value) &&
                contender_side(&all[first], &all[i]) != SIDE_FASTER;
    }
    return tied;
}

/* The first by the odd turns of one launch, and its time by the even ones; WINNER_NONE: not all
 * have both. */
static size_t first_by_odd_turns(const Contender *all, size_t count, double *timed) {
    double odd, even, least = INFINITY;
    size_t first = WINNER_NONE;
    for (size_t i = 0; i < count; i++) {
        if (!find_halves(&all[i], &odd, &even)) {
            return WINNER_NONE;
        }
        if (odd < least) {
            first = i;
            least = odd;
            *timed = even;
        }
    }
    return first;
}

/* Without memory its times are as good as unknown. */
static void time_by_even_turns(const Contender *first, double timed, Lead *lead) {
    const Status status = samples_of_half(first->times->samples, EVEN_TURNS, &lead->even);
    lead->number.value = timed;
    lead->times.launches[0] = timed / scale_of(first);
    lead->times.samples = status_is_ok(&status) ? &lead->even : NULL;
}

void contenders_lead(const Contender *all, size_t count, Lead *lead) {
    double timed = NAN;
    const size_t halved = first_by_odd_turns(all, count, &timed);
    *lead = (Lead){.times = times_none(), .second = WINNER_NONE, .slowest = WINNER_NONE};
    lead->first = halved != WINNER_NONE ? halved : find_extreme(all, count, 1, WINNER_NONE);
    if (lead->first == WINNER_NONE) {
        return;
    }
    const Contender *first = &all[lead->first];
    lead->number = first->number;
    lead->times = first->times != NULL ? *first->times : lead->times;
    lead->run = first->run;
    lead->second = find_extreme(all, count, 1, lead->first);
    lead->slowest = find_extreme(all, count, -1, lead->first);
    lead->tie = lead->second != WINNER_NONE &&
                !(first->number.value < all[lead->second].number.value) &&
                !(first->number.value > all[lead->second].number.value);
    if (halved == WINNER_NONE) {
        time_by_launches(all, count, lead);
    } else if (is_tied(all, count, halved)) {
        time_by_even_turns(first, timed, lead);
    }
}

Contender lead_contender(const Lead *lead) {
    return (Contender){.number = lead->number, .times = &lead->times, .run = lead->run};
}

bool lead_is_over(const Lead *lead, const Contender *other) {
    const Contender first = lead_contender(lead);
    return contender_side(&first, other) == SIDE_FASTER;
}

double lead_factor(const Lead *lead, const Contender *other) {
    return fmax(other->number.value / lead->number.value, 1);
}

void lead_release(Lead *lead) {
    samples_release(&lead->even);
}
