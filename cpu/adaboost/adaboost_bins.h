/*
 * Bins: a search that does not go through the sorted pictures of every candidate.
 *
 * The sorted pictures of a candidate are cut into 16 bins of about equal number, only where the
 * value changes. All that is stored of a picture is its bin, four bits, and those of two candidates
 * are in one byte. In each round its share is added to the sum of the pair of bins: one addition
 * for two candidates, going through shares and bytes in the order of memory. From the 256 sums
 * of a pair follow the exact errors of the thresholds where bins begin, and bounds for those
 * inside: at best all others of the bin come before all its digits. Only bins whose bound is no
 * worse than the best stump known are gone through, picture by picture. So the answer is exact.
 */
#ifndef CPU_ADABOOST_BINS_H
#define CPU_ADABOOST_BINS_H

#include "adaboost_training.h"

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
    int32_t pictures, others; /* of which so many are not the digit */
    int32_t candidates;
    size_t row_bytes;       /* of a pair of candidates */
    AdaboostBinned *binned; /* candidates */
    uint8_t *pairs;         /* ADABOOST_GROUP candidates at a time: bins of the pictures */
    uint64_t *shares;       /* pictures: their sizes, in the order of `places` */
    uint32_t *places;       /* of each picture in rows and shares: others before digits */
} AdaboostBins;

/* Memory from cpu_backend. On anything but STATUS_OK adaboost_bins_close is still to be called. */
Status adaboost_bins_open(const AdaboostTraining *training, AdaboostBins *bins);
void adaboost_bins_close(AdaboostBins *bins);

/* Where pictures are in rows. Before all that follows. */
void adaboost_bins_place(AdaboostBins *bins, const AdaboostTraining *training);
/* Groups of candidates: the last one may be only partly there. */
int32_t adaboost_bins_groups(const AdaboostBins *bins);
/* The bins of a group's candidates, from the order. */
void adaboost_bins_fill(AdaboostBins *bins, const AdaboostTraining *training, int32_t group);

/* Copies the shares of pictures first … last - 1 of this round. */
void adaboost_bins_set_shares(AdaboostBins *bins, const AdaboostWeights *weights, int32_t first,
                              int32_t last);
/* Sums of a group. Improves `best` by thresholds at which bins start. */
void adaboost_bins_sum(AdaboostBins *bins, const AdaboostTraining *training, int32_t group,
                       AdaboostChoice *best);
/* Improves `best` by thresholds inside the bins of a candidate whose error may be `limit` or less.
 */
void adaboost_bins_refine(const AdaboostBins *bins, const AdaboostTraining *training,
                          int32_t candidate, uint64_t limit, AdaboostChoice *best);

#endif
