/* What the CPU variants of adaboost share. */
#ifndef CPU_ADABOOST_INTERNAL_H
#define CPU_ADABOOST_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adaboost.h"
#include "haar_features.h"
#include "variant.h"
#include "workload.h"

/* === Training ================================================================================= */

/*
 * A training on the host: what all CPU variants have in common. They differ in how they search
 * (AdaboostEngine) and in what they share among threads.
 */

typedef struct AdaboostTraining {
    const Request *request;
    const ImageSet *set;
    AdaboostPoint point;
    AdaboostCandidates candidates;
    AdaboostWeights weights;
    int32_t *values; /* images: of the feature of one stump */
    /* candidates × images: between the stages "values" and "sort" values (int32_t), then the
     * order that adaboost.h defines. */
    uint32_t *order;
} AdaboostTraining;

/* A stump that may be taken. */
typedef struct AdaboostChoice {
    uint64_t error;           /* units of 2^-40 */
    int32_t candidate, entry; /* the entry of the order that the threshold is the value of */
    int32_t polarity;
} AdaboostChoice;

/* Worse than every choice. */
#define ADABOOST_NO_CHOICE ((AdaboostChoice){.error = UINT64_MAX})

/* The order of adaboost.h: error, candidate, threshold, polarity 1. */
static inline bool adaboost_better(const AdaboostChoice *a, const AdaboostChoice *b) {
    if (a->error != b->error) {
        return a->error < b->error;
    }
    if (a->candidate != b->candidate) {
        return a->candidate < b->candidate;
    }
    return a->entry != b->entry ? a->entry < b->entry : a->polarity > b->polarity;
}

/* What a variant does in a round; `state` is its own. */
typedef struct AdaboostEngine {
    /* The best choice, from order and weights. */
    AdaboostChoice (*search)(void *state);
    /* Fills training.values with this feature's value in each image. */
    void (*values)(void *state, HaarFeature feature);
    /* As adaboost_weights_apply, of training.values. */
    void (*apply)(void *state, AdaboostStump *stump);
} AdaboostEngine;

/* Draws candidates and allocates. On anything but STATUS_OK adaboost_training_close is still to be
 * called; `training` need not be initialised. */
Status adaboost_training_open(const Request *request, AdaboostTraining *training);
void adaboost_training_close(AdaboostTraining *training);

/* The row of a candidate in `order`. */
static inline uint32_t *adaboost_row(const AdaboostTraining *training, int32_t candidate) {
    return training->order + (size_t)candidate * (size_t)training->set->count;
}

/* All rounds, with the steps of the request, into its output. */
Status adaboost_training_boost(AdaboostTraining *training, const AdaboostEngine *engine,
                               void *state);

/* === Weights of a range of images =========================================================== */

/*
 * The weights of a range of images, so that threads can share what adaboost_weights_apply does:
 * each step is done for every part before the next one begins for any.
 */

/* Images first … last - 1, and what the steps compute of them. */
typedef struct AdaboostPart {
    int32_t first, last;
    uint64_t sum;                  /* S of the part */
    uint64_t units;                /* Σ g of the part */
    uint64_t others;               /* Σ q of those that are not the digit */
    uint64_t misses, false_alarms; /* of the strong classifier with the stump */
} AdaboostPart;

/* Step 1 and 2: the stump's factors, scores, counts; fills sum, misses and false_alarms. */
void adaboost_part_multiply(AdaboostWeights *weights, const int32_t *values,
                            const AdaboostStump *stump, AdaboostPart *part);
/* Step 3 and 4's first half: `sum` is S of all parts; fills units. */
void adaboost_part_normalise(AdaboostWeights *weights, uint64_t sum, AdaboostPart *part);
/* Steps 4 and 5: `before` is Σ units of the parts before this one; fills others. */
void adaboost_part_share(AdaboostWeights *weights, uint64_t before, AdaboostPart *part);

/* === Order ==================================================================================== */

/* Sorting the images of a candidate by its value in them. */

/* Bytes that sorting `count` images needs besides. */
size_t adaboost_order_scratch_bytes(int32_t count);

/* Replaces the values of `count` images (int32_t, differing by less than 2^31) by the order that
 * adaboost.h defines. `scratch` is aligned to 8 bytes. */
void adaboost_order_sort(uint32_t *row, int32_t count, void *scratch);

/* === Integral images ========================================================================== */

/*
 * Integral images side by side: entry (x, y) of 64 images is 64 numbers in a row, so that a
 * feature's value in all of them is a few vector additions.
 */

enum { ADABOOST_LANES = 64 }; /* images in a block */

/* Numbers in a block. */
static inline size_t adaboost_block_entries(const ImageSet *set) {
    return (size_t)(set->width + 1) * (size_t)(set->height + 1) * ADABOOST_LANES;
}

/* Blocks of a set; the last one may be partly used. */
static inline int32_t adaboost_blocks(const ImageSet *set) {
    return (set->count - 1) / ADABOOST_LANES + 1;
}

/* Integral images of the images block × ADABOOST_LANES …; 0 where there are none. */
void adaboost_block_fill(const Workload *workload, int32_t block, int32_t *entries);

/* The values of a feature in `count` ≤ ADABOOST_LANES images of a block of images `width` wide.
 */
void adaboost_block_values(const int32_t *entries, int32_t width, HaarFeature feature,
                           int32_t count, int32_t *values);

/* === Bins ===================================================================================== */

/*
 * Bins: a search that does not go through the sorted images of every candidate.
 *
 * The sorted images of a candidate are cut into 16 bins of about equal number, only where the
 * value changes. All that is stored of an image is its bin, four bits, and those of two candidates
 * are in one byte. In each round its share is added to the sum of the pair of bins: one addition
 * for two candidates, going through shares and bytes in the order of memory. From the 256 sums
 * of a pair follow the exact errors of the thresholds where bins begin, and bounds for those
 * inside: at best all others of the bin come before all its digits. Only bins whose bound is no
 * worse than the best stump known are gone through, image by image. So the answer is exact.
 */

enum {
    ADABOOST_BINS = 16,
    ADABOOST_GROUP = 8 /* candidates whose sums are made together */
};

/* Where a candidate's bins are, and what is in them. */
typedef struct AdaboostBinned {
    uint32_t starts[ADABOOST_BINS + 1]; /* entries of the order; empty bins start where they end */
    uint32_t inner; /* bit b: bin b has thresholds besides the one it starts at */
    uint64_t others[ADABOOST_BINS], digits[ADABOOST_BINS]; /* shares in a bin, this round */
    uint64_t bound; /* no threshold inside a bin has a smaller error, this round */
} AdaboostBinned;

typedef struct AdaboostBins {
    int32_t images, others; /* of which so many are not the digit */
    int32_t candidates;
    size_t row_bytes;       /* of a pair of candidates */
    AdaboostBinned *binned; /* candidates */
    uint8_t *pairs;         /* ADABOOST_GROUP candidates at a time: bins of the images */
    uint64_t *shares;       /* images: their sizes, in the order of `places` */
    uint32_t *places;       /* of each image in rows and shares: others before digits */
} AdaboostBins;

/* Memory from cpu_backend. On anything but STATUS_OK adaboost_bins_close is still to be called. */
Status adaboost_bins_open(const AdaboostTraining *training, AdaboostBins *bins);
void adaboost_bins_close(AdaboostBins *bins);

/* Where images are in rows. Before all that follows. */
void adaboost_bins_place(AdaboostBins *bins, const AdaboostTraining *training);
/* Groups of candidates: the last one may be only partly there. */
int32_t adaboost_bins_groups(const AdaboostBins *bins);
/* The bins of a group's candidates, from the order. */
void adaboost_bins_fill(AdaboostBins *bins, const AdaboostTraining *training, int32_t group);

/* Copies the shares of images first … last - 1 of this round. */
void adaboost_bins_set_shares(AdaboostBins *bins, const AdaboostWeights *weights, int32_t first,
                              int32_t last);
/* Sums of a group. Improves `best` by thresholds at which bins start. */
void adaboost_bins_sum(AdaboostBins *bins, const AdaboostTraining *training, int32_t group,
                       AdaboostChoice *best);
/* Improves `best` by thresholds inside the bins of a candidate whose error may be `limit` or less.
 */
void adaboost_bins_refine(const AdaboostBins *bins, const AdaboostTraining *training,
                          int32_t candidate, uint64_t limit, AdaboostChoice *best);

/* === Stages =================================================================================== */

/* The stages of the CPU variants: integral, values, sort, boosting. */

extern const Stage adaboost_seq_stages[];
/* Of simd and omp, with run and close. */
extern const Stage adaboost_work_stages[];
VARIANT_EXTERN Status adaboost_work_run(void *state);
VARIANT_EXTERN void adaboost_work_close(void *state); /* NULL is ignored */

/* One after the other. */
static inline Status adaboost_stages_run(const Stage *stages, void *state) {
    for (; stages->name != NULL; stages++) {
        STATUS_TRY(stages->run(state));
    }
    return status_ok();
}

#endif
