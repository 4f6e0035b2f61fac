#include "history.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double cost_work(const Cost *cost) {
    if (cost->oracle_work > 0) {
        return cost->oracle_work;
    }
    return cost->operations > 0 ? cost->operations : cost->bytes;
}

static Verified *find_verified(History *history, const Variant *variant, const Point *tuning) {
    for (size_t i = 0; i < history->verified_count; i++) {
        Verified *entry = &history->verified[i];
        if (entry->variant == variant && point_equal(&entry->tuning, tuning)) {
            return entry;
        }
    }
    if (history->verified_count == HISTORY_VARIANTS_MAX) {
        return NULL; /* more candidates than will ever be needed */
    }
    Verified *entry = &history->verified[history->verified_count++];
    *entry = (Verified){.variant = variant, .tuning = *tuning};
    return entry;
}

void history_note_verified(History *history, const Algorithm *algorithm, const Variant *variant,
                           const Point *tuning, double work, double seconds) {
    Verified *entry = find_verified(history, variant, tuning);
    if (entry != NULL && work >= entry->work) {
        entry->algorithm = algorithm;
        entry->work = work;
        entry->seconds = seconds;
    }
}

void history_note_seq(History *history, const Algorithm *algorithm, double work, double seconds,
                      const char *where) {
    /* Nothing is learned about a rate where there was nothing to do. */
    if (!(work > 0)) {
        return;
    }
    SeqRate *rate = NULL;
    for (size_t i = 0; i < history->rate_count; i++) {
        if (history->rates[i].algorithm == algorithm) {
            rate = &history->rates[i];
        }
    }
    if (rate == NULL) {
        if (history->rate_count == HISTORY_ALGORITHMS_MAX) {
            return;
        }
        rate = &history->rates[history->rate_count++];
        *rate = (SeqRate){.algorithm = algorithm};
    }
    if (work >= rate->work) {
        rate->work = work;
        rate->seconds = seconds;
        snprintf(rate->where, sizeof rate->where, "%s", where);
    }
}

const SeqRate *history_rate(const History *history, const Algorithm *algorithm) {
    for (size_t i = 0; i < history->rate_count; i++) {
        if (history->rates[i].algorithm == algorithm) {
            return &history->rates[i];
        }
    }
    return NULL;
}

double history_estimate(const History *history, const Algorithm *algorithm, double work) {
    const SeqRate *rate = history_rate(history, algorithm);
    return rate != NULL && rate->work > 0 ? rate->seconds / rate->work * work : NAN;
}

const Verified *history_fastest(const History *history, const Algorithm *algorithm) {
    const Verified *best = NULL;
    for (size_t i = 0; i < history->verified_count; i++) {
        const Verified *entry = &history->verified[i];
        if (entry->algorithm == algorithm &&
            (best == NULL || entry->seconds / entry->work < best->seconds / best->work)) {
            best = entry;
        }
    }
    return best;
}
