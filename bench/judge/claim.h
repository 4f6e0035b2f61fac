/* Claims: whether the times of another run say the same. */

#ifndef BENCH_JUDGE_CLAIM_H
#define BENCH_JUDGE_CLAIM_H

#include <stdbool.h>
#include <stddef.h>

#include "disturber.h"
#include "ratio.h"
#include "status.h"

typedef struct Crossover Crossover;   /* crossover.h */
typedef struct TimesRatio TimesRatio; /* times.h */

/*
 * A claim is what a run said, a ratio, a side or a crossover, and is tested by the times of another
 * run. It fails only by an interval over launches that lies wholly beyond the threshold of
 * judge_criteria: one launch shows nothing of the next.
 */

typedef enum ClaimVerdict {
    CLAIM_HOLDS,
    CLAIM_FAILS,
    CLAIM_UNTESTED, /* it cannot be tested here */
    CLAIM_OPEN,     /* it can be, but nothing was measured yet */
    CLAIM_VERDICTS
} ClaimVerdict;

typedef enum ClaimReason {
    CLAIM_NO_REASON,
    CLAIM_CHANGED,       /* the number is another */
    CLAIM_NOT_EXCLUDED,  /* a change of the number is not shown, nor excluded */
    CLAIM_SIDE_ALONE,    /* too few launches for that */
    CLAIM_REVERSED,      /* the other side */
    CLAIM_REVERSED_ONCE, /* in one launch */
    CLAIM_EQUAL,         /* as fast */
    CLAIM_EQUAL_ONCE,    /* in one launch */
    CLAIM_UNDECIDED,
    CLAIM_DISTURBED,    /* the times here were */
    CLAIM_WITHOUT_SIDE, /* nothing was claimed */
    CLAIM_OTHER_CROSSOVER
} ClaimReason;

typedef struct ClaimTest {
    ClaimVerdict verdict;
    ClaimReason reason;  /* of CLAIM_HOLDS too: what was not shown */
    double change;       /* of the number, or by how much it may have changed; else NAN */
    double detectable;   /* of claim_of_number: as RunDifference.detectable; else NAN */
    Disturber disturber; /* of CLAIM_DISTURBED */
} ClaimTest;

/* Of another machine: whether it has the same crossover, at whatever place. */
ClaimTest claim_of_crossover_elsewhere(const Crossover *claimed, const Crossover *here);

/* Whether the same side is ahead. */
ClaimTest claim_of_side(const TimesRatio *claimed, const TimesRatio *here);

/*
 * Whether two runs of one machine have the same ratio. It fails where the interval of
 * launches_ratio_between, at alpha / claims as for so many cells of a comparison, lies wholly
 * beyond the threshold; it holds where the one at 95% lies within. Launches that are too few for
 * that alpha have the widest interval. Where the number is undecided the side decides. STATUS_SKIP
 * without memory.
 */
Status claim_of_number(const TimesRatio *claimed, const TimesRatio *here, size_t claims,
                       ClaimTest *test);

/*
 * Whether a crossover holds at its own places: `sides` are those claimed, `here` says for each
 * whether it holds. A place that fails contradicts it. Needed are the places around the change, or
 * without one all that have a side. Returns the place that decides; SIZE_MAX: it holds.
 */
size_t claim_of_crossover(const Crossover *claimed, const SpeedSide *sides,
                          const ClaimVerdict *here);

/* Whether it is CLAIM_UNTESTED for a reason that more launches may remove. */
bool claim_is_undecided(const ClaimTest *test);

enum { CLAIM_REASON_SIZE = 96 };

/* "against the best CPU 1.08× slower here than claimed"; "" without a reason. */
void claim_reason_words(const ClaimTest *test, char text[CLAIM_REASON_SIZE]);

#endif
