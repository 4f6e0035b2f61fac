#include "adaboost.h"

#include <math.h>
#include <stdbool.h>

#include "adaboost_internal.h"
#include "backend.h"

AdaboostFactors adaboost_factors(uint64_t error) {
    const double e = adaboost_error_share(error);
    return (AdaboostFactors){
        .right = adaboost_right(error),
        .wrong = adaboost_wrong(error),
        .alpha = 0.5 * log((1.0 - e) / e),
    };
}

Status adaboost_weights_open(const ImageSet *set, int32_t digit, AdaboostWeights *weights) {
    const size_t count = (size_t)set->count;
    *weights = (AdaboostWeights){.count = set->count, .labels = set->labels, .digit = digit};
    void *memory = NULL;
    STATUS_TRY(cpu_backend.alloc(
        count * (sizeof *weights->weights + sizeof *weights->shares + sizeof *weights->scores),
        &memory));
    weights->weights = memory;
    weights->shares = (int64_t *)(void *)(weights->weights + count);
    weights->scores = (double *)(void *)(weights->shares + count);
    return status_ok();
}

void adaboost_weights_close(AdaboostWeights *weights) {
    cpu_backend.release(weights->weights);
    *weights = (AdaboostWeights){.count = 0};
}

static bool is_digit(const AdaboostWeights *weights, int32_t image) {
    return weights->labels[image] == weights->digit;
}

void adaboost_part_multiply(AdaboostWeights *weights, const int32_t *values,
                            const AdaboostStump *stump, AdaboostPart *part) {
    const AdaboostFactors factors = adaboost_factors(stump->error);
    part->sum = part->misses = part->false_alarms = 0;
    for (int32_t i = part->first; i < part->last; i++) {
        const bool digit = is_digit(weights, i);
        const bool taken = (values[i] >= stump->threshold) == (stump->polarity == 1);
        const double v = weights->weights[i] * (taken == digit ? factors.right : factors.wrong);
        weights->weights[i] = v;
        part->sum += adaboost_sum_unit(v);
        weights->scores[i] += taken ? factors.alpha : -factors.alpha;
        const bool accepted = weights->scores[i] >= 0;
        part->misses += digit && !accepted;
        part->false_alarms += !digit && accepted;
    }
}

void adaboost_part_normalise(AdaboostWeights *weights, uint64_t sum, AdaboostPart *part) {
    part->units = 0;
    for (int32_t i = part->first; i < part->last; i++) {
        weights->weights[i] = adaboost_normalised(weights->weights[i], sum);
        part->units += adaboost_share_unit(weights->weights[i]);
    }
}

void adaboost_part_share(AdaboostWeights *weights, uint64_t before, AdaboostPart *part) {
    part->others = 0;
    for (int32_t i = part->first; i < part->last; i++) {
        const uint64_t upto = before + adaboost_share_unit(weights->weights[i]);
        const uint64_t share = adaboost_share(before, upto, i == weights->count - 1);
        const bool digit = is_digit(weights, i);
        weights->shares[i] = digit ? -(int64_t)share : (int64_t)share;
        part->others += digit ? 0 : share;
        before = upto;
    }
}

static void finish(AdaboostWeights *weights, AdaboostPart *all) {
    adaboost_part_normalise(weights, all->sum, all);
    adaboost_part_share(weights, 0, all);
    weights->others = all->others;
}

void adaboost_weights_start(AdaboostWeights *weights) {
    int64_t digits = 0;
    for (int32_t i = 0; i < weights->count; i++) {
        digits += is_digit(weights, i);
    }
    AdaboostPart all = {.first = 0, .last = weights->count};
    for (int32_t i = 0; i < weights->count; i++) {
        const double v =
            adaboost_first_weight(is_digit(weights, i), digits, weights->count - digits);
        weights->weights[i] = v;
        weights->scores[i] = 0;
        all.sum += adaboost_sum_unit(v);
    }
    finish(weights, &all);
}

void adaboost_weights_apply(AdaboostWeights *weights, const int32_t *values, AdaboostStump *stump) {
    AdaboostPart all = {.first = 0, .last = weights->count};
    adaboost_part_multiply(weights, values, stump, &all);
    stump->misses = all.misses;
    stump->false_alarms = all.false_alarms;
    finish(weights, &all);
}
