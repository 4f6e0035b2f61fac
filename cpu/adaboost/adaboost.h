/*
 * adaboost: training of a strong classifier that separates one digit from the rest, by discrete
 * AdaBoost over decision stumps on Haar-like features.
 *
 * Definition. Image i is positive when its label is --digit. Candidates c = 0, 1, … are features
 * (see Candidates), with an integer value v(c, i) in each image. A stump is a
 * candidate with a threshold and a polarity; it takes an image for the digit when
 * (v(c, i) ≥ threshold) == (polarity == 1). Thresholds that are tried are the distinct values of
 * the candidate over all images: all there are that differ, for its least value takes all
 * images for one side.
 *
 * Each of --rounds rounds takes the stump of least weighted error; of equal ones that of the lower
 * candidate, then of the lower threshold, then of polarity 1. Then weights are changed
 * (see Weights): exact integers in the search, so that every variant takes the same stumps.
 * Its weight in the strong classifier is alpha = ½ ln((1 − e) / e); the strong classifier takes a
 * image for the digit when Σ ±alpha ≥ 0. Training ends early after a stump without error, and
 * before one that is no better than chance (error of exactly one half).
 *
 * Steps (variant.h): a round is a step. The stumps of the rounds done are read from the output and
 * their weights applied; they are not searched again.
 *
 * Source: Y. Freund, R. Schapire (1997); P. Viola, M. Jones (2001), whose weights this begins with;
 * "Object Recognition Training using CUDA" (2015).
 */
#ifndef CPU_ADABOOST_H
#define CPU_ADABOOST_H

#include <stdbool.h>
#include <string.h>

#include "algorithm.h"
#include "haar_features.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parts of the answer. */
enum { ADABOOST_PART_COUNT, ADABOOST_PART_STUMPS };

/* Part "count": one number, the stumps taken, at most --rounds. Part "stumps": a row for each
 * round, in the order they were taken; those not taken are 0. */
typedef struct AdaboostStump {
    uint64_t candidate;
    uint64_t type, x, y, w, h; /* the feature */
    int64_t threshold;
    uint64_t polarity; /* 1: values from the threshold on are the digit; 0: those below */
    uint64_t error;    /* weighted, in units of 2^-40 */
    /* Training images that the strong classifier up to this round gets wrong. */
    uint64_t misses;       /* of the digit */
    uint64_t false_alarms; /* of the rest */
} AdaboostStump;

enum { ADABOOST_COLUMNS = sizeof(AdaboostStump) / sizeof(uint64_t) };

typedef struct AdaboostPoint {
    int32_t digit, rounds, candidates;
    int32_t min_side, threshold; /* of the features that candidates are drawn from */
} AdaboostPoint;

AdaboostPoint adaboost_point(const Point *answer);

static inline uint64_t *adaboost_count(const Output *output) {
    return (uint64_t *)output_part(output, ADABOOST_PART_COUNT);
}
static inline AdaboostStump *adaboost_stumps(const Output *output) {
    return (AdaboostStump *)output_part(output, ADABOOST_PART_STUMPS);
}

/*
 * The order that a search goes through: for each candidate the images by value, equal values by
 * index. Entry c × images + k is image | ADABOOST_NEW_VALUE where the value is larger than that
 * of the entry before (and where k = 0): a threshold is tried before these.
 */
#define ADABOOST_NEW_VALUE 0x80000000u

/* === Candidates =============================================================================== */

/*
 * Candidates: the features of a training.
 *
 * They are drawn from haar's output without replacement: every feature of the images' size with
 * both sides ≥ min_side has a key, a hash of it and of the workload's seed; in the order of their
 * keys those are taken that haar keeps in at least one of the first ADABOOST_SAMPLE images, until
 * there are as many as asked for. A candidate's index is its place in this order.
 *
 * key = mix(type·2^32 + x·2^24 + y·2^16 + w·2^8 + h, exclusive or mix(seed + 0x9E3779B97F4A7C15)),
 * where mix is the finaliser of SplitMix64, which maps different numbers to different ones: no two
 * features have the same key.
 */

enum { ADABOOST_SAMPLE = 1000 };

typedef struct AdaboostCandidates {
    HaarFeature *features; /* owned */
    int32_t count;
} AdaboostCandidates;

/* On STATUS_OK exactly point->candidates features, released with adaboost_candidates_release.
 * STATUS_SKIP when haar keeps fewer ("… only 412 features; give --candidates up to that, or a lower
 * --threshold"), or when memory runs out. */
Status adaboost_candidates_draw(const Workload *workload, const AdaboostPoint *point,
                                AdaboostCandidates *candidates);
void adaboost_candidates_release(AdaboostCandidates *candidates);

/* === Weights ================================================================================== */

/*
 * Weights: what every variant does between two searches, in numbers that come out the same on every
 * processor and in every order of summation.
 *
 * An image has a weight w (double; all of them sum to 1) and an integer share q of 2^40, which
 * searches sum. Beginning: w = 1/(2 P) for each of the P images of the digit and 1/(2 M) for each
 * of the M others; 1/(P + M) where there are only others, or none. Each round then
 *
 *   1. v = w × factor, of the two of adaboost_factors as the stump was right or wrong about it;
 *   2. S = Σ (uint64_t)(v × 2^52 + 0.5), an integer sum;
 *   3. w = v / (S × 2^-52);
 *   4. g = (uint64_t)(w × 2^62 + 0.5), C = running sum of g in the order of the images, no more
 *      than 2^62, and 2^62 at the last image;
 *   5. q = (C >> 22) − (C of the image before >> 22): they sum to exactly 2^40.
 *
 * 2 to 5 are done at the beginning too (with v = w). Each step rounds once, as IEEE 754 says, or
 * multiplies by a power of 2: no order, no fused multiply-add changes anything.
 */

#define ADABOOST_TOTAL ((uint64_t)1 << 40) /* what the shares q sum to */

typedef struct AdaboostFactors {
    double right, wrong; /* what weights are multiplied by: 1/(2 (1 − e)), 1/(2 e) */
    double alpha;        /* ½ ln((1 − e) / e) */
} AdaboostFactors;

/* An error in units of 2^-40 as a share, less than one half; 0 counts as half a unit. */
HAAR_INLINE double adaboost_error_share(uint64_t error) {
    return error == 0 ? 0x1p-41 : (double)error * 0x1p-40;
}
HAAR_INLINE double adaboost_right(uint64_t error) {
    return 1.0 / (2.0 * (1.0 - adaboost_error_share(error)));
}
HAAR_INLINE double adaboost_wrong(uint64_t error) {
    return 1.0 / (2.0 * adaboost_error_share(error));
}

/* Of such an error. On the host only, so that the logarithm is one. */
AdaboostFactors adaboost_factors(uint64_t error);

/* Step 2's number for one image. */
HAAR_INLINE uint64_t adaboost_sum_unit(double v) {
    return (uint64_t)(v * 0x1p52 + 0.5);
}
/* Steps 3 and 4's. */
HAAR_INLINE double adaboost_normalised(double v, uint64_t sum) {
    return v / ((double)sum * 0x1p-52);
}
HAAR_INLINE uint64_t adaboost_share_unit(double w) {
    return (uint64_t)(w * 0x1p62 + 0.5);
}
/* Step 5's: `before` and `upto` are running sums of share units without and with the image. */
HAAR_INLINE uint64_t adaboost_share(uint64_t before, uint64_t upto, int is_last) {
    const uint64_t whole = (uint64_t)1 << 62;
    const uint64_t low = before < whole ? before : whole;
    const uint64_t high = is_last || upto > whole ? whole : upto;
    return (high >> 22) - (low >> 22);
}

/* The weight of an image at the beginning. */
HAAR_INLINE double adaboost_first_weight(int is_digit, int64_t digits, int64_t others) {
    if (digits == 0 || others == 0) {
        return 1.0 / (double)(digits + others);
    }
    return 1.0 / (2.0 * (double)(is_digit ? digits : others));
}

/* The weights of a training on the host. */
typedef struct AdaboostWeights {
    int32_t count;
    const uint8_t *labels; /* borrowed */
    int32_t digit;
    double *weights; /* count; owned, as the rest */
    int64_t *shares; /* q, negative for the digit: what a search sums */
    double *scores;  /* Σ ±alpha */
    uint64_t others; /* Σ q of all images that are not the digit */
} AdaboostWeights;

/* Memory from cpu_backend. STATUS_SKIP when it does not fit. */
Status adaboost_weights_open(const ImageSet *set, int32_t digit, AdaboostWeights *weights);
void adaboost_weights_close(AdaboostWeights *weights);
/* Beginning. */
void adaboost_weights_start(AdaboostWeights *weights);
/* Applies a stump, whose error and values (v(c, i) for every image) are given; counts into its
 * misses and false alarms. */
void adaboost_weights_apply(AdaboostWeights *weights, const int32_t *values, AdaboostStump *stump);

/* === Stumps =================================================================================== */

/* Stumps of a training: made of a candidate, and checked against its candidates. */

/* The stump of a candidate, but for its threshold, polarity and error, which are 0. */
static inline AdaboostStump adaboost_stump_of(const AdaboostCandidates *candidates,
                                              int32_t candidate) {
    const HaarFeature feature = candidates->features[candidate];
    AdaboostStump stump;
    memset(&stump, 0, sizeof stump);
    stump.candidate = (uint64_t)candidate;
    stump.type = feature.type;
    stump.x = feature.x;
    stump.y = feature.y;
    stump.w = feature.w;
    stump.h = feature.h;
    return stump;
}

/* Whether a stump that was read from somewhere can be one of a training with these candidates. */
static inline bool adaboost_stump_fits(const AdaboostCandidates *candidates,
                                       const AdaboostStump *stump) {
    if (stump->candidate >= (uint64_t)candidates->count || stump->error >= ADABOOST_TOTAL / 2) {
        return false;
    }
    const AdaboostStump own = adaboost_stump_of(candidates, (int32_t)stump->candidate);
    return stump->type == own.type && stump->x == own.x && stump->y == own.y && stump->w == own.w &&
           stump->h == own.h;
}

#ifdef __cplusplus
}
#endif

#endif
