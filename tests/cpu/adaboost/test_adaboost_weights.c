/* adaboost's weights: factors, shares that sum to 2^40, and parts that give what the whole gives.
 */
#include "adaboost_runs.h"
#include "test.h"

#include "adaboost_internal.h"

TEST(factors) {
    /* e = 1/4: 1/(2·3/4) = 2/3, 1/(2/4) = 2, ½ ln 3. */
    const AdaboostFactors quarter = adaboost_factors(ADABOOST_TOTAL / 4);
    assert_true(quarter.right == 2.0 / 3.0);
    assert_true(quarter.wrong == 2.0);
    assert_true(fabs(quarter.alpha - 0.549306144334054846) < 1e-15);
    /* No error counts as half a unit: e = 2^-41, ln(2^41) / 2 = 20.5 ln 2. */
    const AdaboostFactors none = adaboost_factors(0);
    assert_true(none.wrong == 0x1p40);
    assert_true(fabs(none.right - 0.5) < 1e-12);
    assert_true(fabs(none.alpha - 20.5 * 0.693147180559945309) < 1e-11);
}

static uint64_t size_of(int64_t share) {
    return (uint64_t)(share < 0 ? -share : share);
}

/* Sums, signs, and each share within one unit of `exact` / Σ `exact`, which were computed apart. */
static void check_shares(const AdaboostWeights *weights, const long double *exact) {
    long double exact_sum = 0;
    for (int32_t i = 0; i < weights->count; i++) {
        exact_sum += exact[i];
    }
    uint64_t sum = 0;
    uint64_t others = 0;
    for (int32_t i = 0; i < weights->count; i++) {
        const bool digit = weights->labels[i] == weights->digit;
        assert_true(digit ? weights->shares[i] <= 0 : weights->shares[i] >= 0);
        const long double want = exact[i] / exact_sum * 0x1p40L;
        const long double difference = (long double)size_of(weights->shares[i]) - want;
        if (difference < -1.01L || difference > 1.01L) {
            fail_msg("share %d of %d is %llu, expected %Lf", i, weights->count,
                     (unsigned long long)size_of(weights->shares[i]), want);
        }
        sum += size_of(weights->shares[i]);
        others += digit ? 0 : size_of(weights->shares[i]);
    }
    assert_true(sum == ADABOOST_TOTAL);
    assert_true(others == weights->others);
}

/* A stump that is wrong about some images, its error from the shares. */
static AdaboostStump random_stump(const AdaboostWeights *weights, int32_t *values,
                                  uint32_t *random) {
    AdaboostStump stump = {.threshold = 50, .polarity = next_random(random) % 2};
    do {
        stump.error = 0;
        for (int32_t i = 0; i < weights->count; i++) {
            const bool digit = weights->labels[i] == weights->digit;
            const bool right = next_random(random) % 4 != 0;
            values[i] = ((digit == right) == (stump.polarity == 1)) ? 50 : 49;
            stump.error += right ? 0 : size_of(weights->shares[i]);
        }
    } while (stump.error >= ADABOOST_TOTAL / 2);
    return stump;
}

static void follow_exact_weights(int32_t count, uint32_t labels, uint32_t seed) {
    enum { ROUNDS = 20 };
    Workload workload = random_set(count, 4, 4, 2, labels, seed);
    AdaboostWeights weights;
    assert_ok(adaboost_weights_open(&workload.set, 1, &weights));
    int32_t *values = malloc((size_t)count * sizeof *values);
    long double *exact = malloc((size_t)count * sizeof *exact);
    int32_t digits = 0;
    for (int32_t i = 0; i < count; i++) {
        digits += workload.set.labels[i] == 1;
    }
    for (int32_t i = 0; i < count; i++) {
        const int32_t of_side = workload.set.labels[i] == 1 ? digits : count - digits;
        exact[i] = digits == 0 || digits == count ? 1.0L : 1.0L / of_side;
    }
    adaboost_weights_start(&weights);
    check_shares(&weights, exact);
    uint32_t random = seed;
    for (int round = 0; round < ROUNDS; round++) {
        AdaboostStump stump = random_stump(&weights, values, &random);
        const long double e = (long double)stump.error / 0x1p40L;
        for (int32_t i = 0; i < count; i++) {
            const bool taken = (values[i] >= 50) == (stump.polarity == 1);
            exact[i] *= taken == (workload.set.labels[i] == 1) ? 1 / (1 - e) : 1 / e;
        }
        if (stump.error == 0) {
            break;
        }
        adaboost_weights_apply(&weights, values, &stump);
        check_shares(&weights, exact);
    }
    free(values);
    free(exact);
    adaboost_weights_close(&weights);
    free_set(&workload);
}

TEST(shares_follow_exact_weights) {
    static const int32_t counts[] = {1, 2, 3, 7, 10, 97, 1000};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        follow_exact_weights(counts[i], 2, 5);
        follow_exact_weights(counts[i], 10, 6);
        follow_exact_weights(counts[i], 1, 7); /* no image of label 1 */
    }
}

/* The strong classifier's errors: two images, scores of ±½ ln 3 and then sums of two. */
TEST(counts_misses_and_false_alarms) {
    RELEASED_BY(free_set) Workload workload = empty_set(2, 4, 4);
    workload.set.labels[0] = 1;
    RELEASED_BY(adaboost_weights_close) AdaboostWeights weights;
    assert_ok(adaboost_weights_open(&workload.set, 1, &weights));
    adaboost_weights_start(&weights);
    const int32_t values[] = {10, 20};
    AdaboostStump stump = {.threshold = 20, .polarity = 1, .error = ADABOOST_TOTAL / 4};
    adaboost_weights_apply(&weights, values, &stump);
    assert_int_equal(stump.misses, 1);
    assert_int_equal(stump.false_alarms, 1);
    /* The opposite: scores of exactly 0 take both for the digit. */
    stump.polarity = 0;
    adaboost_weights_apply(&weights, values, &stump);
    assert_true(weights.scores[0] == 0.0 && weights.scores[1] == 0.0);
    assert_int_equal(stump.misses, 0);
    assert_int_equal(stump.false_alarms, 1);
    adaboost_weights_apply(&weights, values, &stump);
    assert_int_equal(stump.misses, 0);
    assert_int_equal(stump.false_alarms, 0);
}

enum { CUT_IMAGES = 61, CUTS = 4 };

/* The steps of adaboost_weights_apply for each of some parts, empty ones among them. */
static uint64_t apply_in_parts(AdaboostWeights *weights, const int32_t *values,
                               AdaboostStump *stump) {
    static const int32_t cuts[CUTS + 1] = {0, 7, 7, 60, CUT_IMAGES};
    AdaboostPart parts[CUTS];
    uint64_t sum = 0;
    uint64_t before = 0;
    uint64_t others = 0;
    stump->misses = stump->false_alarms = 0;
    for (int i = 0; i < CUTS; i++) {
        parts[i] = (AdaboostPart){.first = cuts[i], .last = cuts[i + 1]};
        adaboost_part_multiply(weights, values, stump, &parts[i]);
        sum += parts[i].sum;
        stump->misses += parts[i].misses;
        stump->false_alarms += parts[i].false_alarms;
    }
    for (int i = 0; i < CUTS; i++) {
        adaboost_part_normalise(weights, sum, &parts[i]);
    }
    for (int i = 0; i < CUTS; i++) {
        adaboost_part_share(weights, before, &parts[i]);
        before += parts[i].units;
        others += parts[i].others;
    }
    return others;
}

TEST(parts_give_the_whole) {
    RELEASED_BY(free_set) Workload workload = random_set(CUT_IMAGES, 4, 4, 2, 3, 11);
    AdaboostWeights whole, cut;
    assert_ok(adaboost_weights_open(&workload.set, 1, &whole));
    assert_ok(adaboost_weights_open(&workload.set, 1, &cut));
    adaboost_weights_start(&whole);
    adaboost_weights_start(&cut);
    uint32_t random = 3;
    int32_t values[CUT_IMAGES];
    for (int round = 0; round < 10; round++) {
        AdaboostStump stump = random_stump(&whole, values, &random);
        AdaboostStump same = stump;
        adaboost_weights_apply(&whole, values, &stump);
        const uint64_t others = apply_in_parts(&cut, values, &same);
        assert_memory_equal(&stump, &same, sizeof stump);
        assert_true(others == whole.others);
        assert_memory_equal(cut.weights, whole.weights, CUT_IMAGES * sizeof *whole.weights);
        assert_memory_equal(cut.shares, whole.shares, CUT_IMAGES * sizeof *whole.shares);
        assert_memory_equal(cut.scores, whole.scores, CUT_IMAGES * sizeof *whole.scores);
    }
    adaboost_weights_close(&whole);
    adaboost_weights_close(&cut);
}
