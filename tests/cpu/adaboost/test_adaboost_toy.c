/*
 * adaboost on eight images, solved by hand.
 *
 * Images of 4×4 with min-side 4 have one rectangle and five features. A pixel is
 * 100 + a·[x < 3] + b·[y < 3]: then the value of two_columns is 4·(a + a − a − 0) = 4a, that of
 * two_rows 4b, and those of the three other types are 0. So with threshold 0 there are exactly two
 * candidates, A = two_columns and B = two_rows. In order of a and of b the images (D: digit,
 * O: other) are
 *
 *   a   −4  −3  −2  −1   0   1   2   3        b   −4  −3  −2  −1   0   1   2   3
 *       O4  O1  O2  D1  D2  D4  O3  D3            D1  O1  D2  D3  O2  O3  D4  O4
 *
 * Round 1: every weight is 1/8. A from D1 on (4a ≥ −4) is wrong about O3 only: error 1/8. B at its
 * best is wrong about two. Factors: right 1/(2·7/8) = 4/7, wrong 1/(2/8) = 4, alpha ½ ln 7. Then
 * O3 has 1/2 and each other image 1/14. The strong classifier has a false alarm, O3.
 *
 * Round 2: A's best is from D3 on, wrong about D1, D2, D4: 3/14. B below O2 (4b < 0, polarity 0)
 * is wrong about O1 and D4: 2/14 = 1/7, the least. Factors 7/12 and 7/2, alpha ½ ln 6. Then
 * O3 has 7/24, O1 and D4 have 6/24, the others 1/24 each. Scores are signs of ½ ln 7 = 0.973 and
 * ½ ln 6 = 0.896: O3 has their difference and stays a false alarm, D4 is still right.
 *
 * Round 3, in 24ths: A's best is from D1 on again, with O3: 7. B from D4 on (4b ≥ 8) is wrong about
 * O4, D1, D2, D3: 4/24 = 1/6, the least. Alpha ½ ln 5 = 0.805; the score of O3 becomes
 * 0.973 − 0.896 − 0.805 < 0, and nothing is wrong any more.
 */
#include "adaboost_runs.h"
#include "test.h"

#include "adaboost.h"

enum { IMAGES = 8, DIGIT = 3 };

/* D1 … D4, O1 … O4. */
static const int a_of[IMAGES] = {-1, 0, 3, 1, -3, -2, 2, -4};
static const int b_of[IMAGES] = {-4, -2, -1, 2, -3, 0, 1, 3};

/* Where D1 … O4 are in the set: mixed, as sums must not depend on it. */
static const int place_of[IMAGES] = {6, 1, 4, 3, 2, 5, 0, 7};

static Workload toy_set(void) {
    Workload workload = empty_set(IMAGES, 4, 4);
    for (int i = 0; i < IMAGES; i++) {
        uint8_t *pixels = workload.image.pixels + (ptrdiff_t)place_of[i] * 16;
        for (int p = 0; p < 16; p++) {
            pixels[p] = (uint8_t)(100 + (p % 4 < 3 ? a_of[i] : 0) + (p / 4 < 3 ? b_of[i] : 0));
        }
        workload.set.labels[place_of[i]] = i < 4 ? DIGIT : 7;
    }
    return workload;
}

static AdaboostPoint toy_point(int32_t rounds) {
    return (AdaboostPoint){
        .digit = DIGIT, .rounds = rounds, .candidates = 2, .min_side = 4, .threshold = 0};
}

static void check_stump(const AdaboostStump *stump, HaarType type, int64_t threshold,
                        uint64_t polarity, double error, uint64_t false_alarms) {
    assert_int_equal(stump->type, type);
    assert_int_equal(stump->x, 0);
    assert_int_equal(stump->y, 0);
    assert_int_equal(stump->w, 4);
    assert_int_equal(stump->h, 4);
    assert_int_equal(stump->threshold, threshold);
    assert_int_equal(stump->polarity, polarity);
    assert_float_equal((double)stump->error, error * 0x1p40, 2);
    assert_int_equal(stump->misses, 0);
    assert_int_equal(stump->false_alarms, false_alarms);
}

TEST(three_rounds) {
    RELEASED_BY(free_set) Workload workload = toy_set();
    RELEASED_BY(free_output) Output output = train_seq(&workload, toy_point(3));
    const AdaboostStump *stumps = adaboost_stumps(&output);
    assert_int_equal(*adaboost_count(&output), 3);
    check_stump(&stumps[0], HAAR_TWO_COLUMNS, -4, 1, 1.0 / 8, 1);
    assert_true(stumps[0].error == ADABOOST_TOTAL / 8);
    check_stump(&stumps[1], HAAR_TWO_ROWS, 0, 0, 1.0 / 7, 1);
    check_stump(&stumps[2], HAAR_TWO_ROWS, 8, 1, 1.0 / 6, 0);
    assert_int_equal(stumps[1].candidate, stumps[2].candidate);
    assert_int_equal(stumps[0].candidate + stumps[1].candidate, 1);
}

static void check_shares(const AdaboostWeights *weights, const double want[IMAGES]) {
    int64_t sum = 0;
    for (int i = 0; i < IMAGES; i++) {
        const int64_t share = weights->shares[place_of[i]];
        assert_true(i < 4 ? share <= 0 : share >= 0);
        const double difference = (double)(i < 4 ? -share : share) - want[i] * 0x1p40;
        assert_true(difference > -1.01 && difference < 1.01);
        sum += i < 4 ? -share : share;
    }
    assert_true(sum == (int64_t)ADABOOST_TOTAL);
}

TEST(weights_of_two_rounds) {
    static const double first[IMAGES] = {1 / 8.0, 1 / 8.0, 1 / 8.0, 1 / 8.0,
                                         1 / 8.0, 1 / 8.0, 1 / 8.0, 1 / 8.0};
    static const double second[IMAGES] = {1 / 14.0, 1 / 14.0, 1 / 14.0, 1 / 14.0,
                                          1 / 14.0, 1 / 14.0, 1 / 2.0,  1 / 14.0};
    static const double third[IMAGES] = {1 / 24.0, 1 / 24.0, 1 / 24.0, 6 / 24.0,
                                         6 / 24.0, 1 / 24.0, 7 / 24.0, 1 / 24.0};
    RELEASED_BY(free_set) Workload workload = toy_set();
    RELEASED_BY(adaboost_weights_close) AdaboostWeights weights;
    assert_ok(adaboost_weights_open(&workload.set, DIGIT, &weights));
    int32_t a[IMAGES], b[IMAGES];
    for (int i = 0; i < IMAGES; i++) {
        a[place_of[i]] = 4 * a_of[i];
        b[place_of[i]] = 4 * b_of[i];
    }
    adaboost_weights_start(&weights);
    check_shares(&weights, first);
    assert_true(weights.others == ADABOOST_TOTAL / 2);
    AdaboostStump stump = {.threshold = -4, .polarity = 1, .error = ADABOOST_TOTAL / 8};
    adaboost_weights_apply(&weights, a, &stump);
    check_shares(&weights, second);
    assert_float_equal((double)weights.others, 10 / 14.0 * 0x1p40, 2);
    assert_int_equal(stump.false_alarms, 1);
    assert_int_equal(stump.misses, 0);
    stump = (AdaboostStump){.threshold = 0, .polarity = 0, .error = (ADABOOST_TOTAL + 3) / 7};
    adaboost_weights_apply(&weights, b, &stump);
    check_shares(&weights, third);
    assert_float_equal((double)weights.others, 15 / 24.0 * 0x1p40, 2);
}

TEST(a_third_candidate_is_refused) {
    RELEASED_BY(free_set) Workload workload = toy_set();
    AdaboostPoint wanted = toy_point(3);
    wanted.candidates = 3;
    const Point point = training_point(wanted);
    RELEASED_BY(free_output) Output output = new_output(&workload, &point);
    const Request request = {.workload = &workload, .answer = &point, .output = &output};
    void *opened = NULL;
    const Status status = adaboost_algorithm.cpu.rows[0].open(&request, &opened);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_says(status.why, "keeps only 2 features");
    assert_null(opened);
}
