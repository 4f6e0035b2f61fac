#include "time_left.h"

#include "budget.h"

#include <math.h>

#include "run_options.h"

/* A launch that has the answers of the first spends so much of what the first did besides what only
 * a first launch does: it verifies once instead of twice. */
static const double later_share = 0.73;
/* How far off the estimate may be while only predictions are known, after one launch and later. */
static const double factor_first = 1.5, factor_second = 1.3, factor_later = 1.2;
/* Of a launch's seconds: one that misses the budget by half of it does not fit, one that has as
 * much to spare does. */
static const double fit_share = 0.4;
/* How likely six launches leave a question undecided, and what these usually take of a launch. */
static const double likely_undecided = 0.5, typical_undecided = 0.05;
/* Less likely launches are not counted. */
static const double likely_least = 0.01;
/* A launch is asked what it still takes once so much of the expected time is over. */
static const double own_share = 0.6;
/* A launch that takes longer than expected is taken to go on for so much of what it has taken. */
static const double longer_share = 0.1;

/* Of what the second launch measures for all, by how long the first one took. */
static double seconds_once(const RunSoFar *so_far, double first) {
    return so_far->first > 0 ? so_far->once * first / so_far->first : so_far->once;
}

/* Seconds of a launch like the latest one, without what it has measured for all. */
static double like_latest(const RunSoFar *so_far) {
    const bool measured_once = so_far->done == 1 || so_far->once > 0;
    return fmax(so_far->last - (measured_once ? so_far->last_beside : 0), 0);
}

/* How far it is known what six launches will leave undecided: the first ones are a guess. */
static double guess_weight(const RunSoFar *so_far) {
    return fmin(sqrt(so_far->done / (double)BUDGET_LAUNCHES), 1);
}

/* What the second launch, which is under way, does for all: on a busy machine measuring ceilings,
 * its silent part, takes many times what is expected. */
static double once_of_second(const RunSoFar *so_far) {
    const double silent = isnan(so_far->launch_left) ? so_far->launch : so_far->silent;
    return fmax(seconds_once(so_far, so_far->last), silent);
}

/* Of a launch like the latest one, what launch `next` takes. */
static double share_of(const RunSoFar *so_far, int next) {
    const double weight = guess_weight(so_far);
    const double undecided = weight * so_far->undecided + (1 - weight) * typical_undecided;
    return so_far->budget > 0 ? budget_share(so_far->done, next, undecided) : 1;
}

/* How likely launches follow the sixth as far as answers go: it ends a run that is decided. */
static double chance(const RunSoFar *so_far) {
    const double weight = guess_weight(so_far);
    return (1 - weight) * likely_undecided + (so_far->undecided > 0 ? weight : 0);
}

/* Seconds of the launch after the one under way, and of those that follow, if the one under way is
 * going to take `under_way` and they measure as much. */
static double next_launch(const RunSoFar *so_far, double under_way) {
    if (so_far->done > 1 && so_far->last > 0) {
        return like_latest(so_far);
    }
    if (so_far->done > 0) {
        return so_far->done == 1 ? fmax(under_way - once_of_second(so_far), 0) : under_way;
    }
    const double measuring = under_way - so_far->silent;
    return so_far->first > 0 ? so_far->other * measuring / so_far->first : measuring;
}

/* Expected seconds of the launch under way, by what was before it. */
static double expected_launch(const RunSoFar *so_far) {
    const double once = so_far->done == 1 ? seconds_once(so_far, so_far->last) : 0;
    if (so_far->done == 0) {
        return so_far->first;
    }
    return once + (so_far->last <= 0  ? so_far->other
                   : so_far->done > 1 ? like_latest(so_far) * share_of(so_far, so_far->done + 1)
                                      : later_share * like_latest(so_far));
}

/* The launches before it tell more of a launch than what it says itself, until it nears its end. */
static double rest_of_launch(const RunSoFar *so_far) {
    const double expected = expected_launch(so_far);
    const double own = so_far->launch_left;
    const double by_others = fmax(expected - so_far->launch, longer_share * so_far->launch);
    const double share = expected > 0 ? so_far->launch / expected : 1;
    if (isnan(own)) {
        return by_others;
    }
    const double trust =
        so_far->done == 0 ? 1 : fmin(fmax((share - own_share) / (1 - own_share), 0), 1);
    return (1 - trust) * by_others + trust * own;
}

/* How likely a launch of `each` seconds follows `done` of them, if these took `spent` in all.
 * Whether it fits the budget is not known exactly. */
static double goes_on(const RunSoFar *so_far, int done, double spent, double each) {
    if (so_far->budget <= 0) {
        return done < so_far->launches;
    }
    if (done < BUDGET_LAUNCHES_MIN || done >= BUDGET_LAUNCHES_MAX) {
        return done < BUDGET_LAUNCHES_MIN;
    }
    const double spare = so_far->budget - spent - each;
    return (done == BUDGET_LAUNCHES ? chance(so_far) : 1) *
           fmin(fmax(0.5 + spare / (fit_share * each), 0), 1);
}

TimeLeft time_left(const RunSoFar *so_far) {
    const bool waits = so_far->waiting > 0;
    const double launch = waits ? expected_launch(so_far) : rest_of_launch(so_far);
    const double whole = waits ? launch : so_far->launch + launch;
    const double like_this = next_launch(so_far, whole);
    double rest = so_far->waiting + launch + (so_far->done == 0 ? seconds_once(so_far, whole) : 0);
    double latest = whole;
    int launches = so_far->done + 1;
    double likely = 1;
    for (int done = launches;; done++) {
        const double each = like_this * share_of(so_far, done + 1);
        likely *= goes_on(so_far, done, so_far->elapsed + rest, each);
        if (likely < likely_least) {
            break;
        }
        launches += likely > 0.5;
        rest += likely * (fmax(so_far->distance - latest, 0) + each);
        latest = each;
    }
    return (TimeLeft){.launch = launch,
                      .run = rest,
                      .launches = launches,
                      .factor = so_far->done == 0   ? factor_first
                                : so_far->done == 1 ? factor_second
                                                    : factor_later};
}
