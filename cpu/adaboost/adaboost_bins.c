#include "adaboost_internal.h"

#include <string.h>

#include "backend.h"

enum { PAIRS = ADABOOST_GROUP / 2, PAIR_SUMS = ADABOOST_BINS * ADABOOST_BINS, ROW_ALIGNMENT = 64 };

int32_t adaboost_bins_groups(const AdaboostBins *bins) {
    return (bins->candidates - 1) / ADABOOST_GROUP + 1;
}

Status adaboost_bins_open(const AdaboostTraining *training, AdaboostBins *bins) {
    const size_t images = (size_t)training->set->count;
    *bins = (AdaboostBins){
        .images = training->set->count,
        .candidates = training->point.candidates,
        .row_bytes = (images + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT,
    };
    const size_t groups = (size_t)adaboost_bins_groups(bins);
    void *memory = NULL;
    STATUS_TRY(cpu_backend.alloc(groups * PAIRS * bins->row_bytes, &memory));
    bins->pairs = memory;
    STATUS_TRY(cpu_backend.alloc((size_t)bins->candidates * sizeof *bins->binned, &memory));
    bins->binned = memory;
    STATUS_TRY(cpu_backend.alloc(images * sizeof *bins->shares, &memory));
    bins->shares = memory;
    STATUS_TRY(cpu_backend.alloc(images * sizeof *bins->places, &memory));
    bins->places = memory;
    return status_ok();
}

void adaboost_bins_close(AdaboostBins *bins) {
    cpu_backend.release(bins->places);
    cpu_backend.release(bins->shares);
    cpu_backend.release(bins->binned);
    cpu_backend.release(bins->pairs);
}

void adaboost_bins_place(AdaboostBins *bins, const AdaboostTraining *training) {
    const AdaboostWeights *weights = &training->weights;
    bins->others = 0;
    for (int32_t i = 0; i < bins->images; i++) {
        bins->others += weights->labels[i] != weights->digit;
    }
    uint32_t other = 0;
    uint32_t digit = (uint32_t)bins->others;
    for (int32_t i = 0; i < bins->images; i++) {
        bins->places[i] = weights->labels[i] != weights->digit ? other++ : digit++;
    }
}

static uint8_t *pair_row(const AdaboostBins *bins, int32_t group, int pair) {
    return bins->pairs + ((size_t)group * PAIRS + (size_t)pair) * bins->row_bytes;
}

static bool is_new_value(uint32_t entry) {
    return (entry & ADABOOST_NEW_VALUE) != 0;
}

/* A bin begins at the first new value from its share of the entries on, or is empty. */
static void find_bins(const uint32_t *order, int32_t count, AdaboostBinned *binned) {
    int64_t start = 0;
    for (int bin = 0; bin <= ADABOOST_BINS; bin++) {
        const int64_t limit = ((int64_t)count * bin + ADABOOST_BINS - 1) / ADABOOST_BINS;
        start = limit > start ? limit : start;
        while (start < count && !is_new_value(order[start])) {
            start++;
        }
        binned->starts[bin] = (uint32_t)start;
    }
    binned->inner = 0;
    for (int bin = 0; bin < ADABOOST_BINS; bin++) {
        uint32_t k = binned->starts[bin] + 1;
        while (k < binned->starts[bin + 1] && !is_new_value(order[k])) {
            k++;
        }
        binned->inner |= (uint32_t)(k < binned->starts[bin + 1]) << bin;
    }
}

/* Adds each image's bin, times `unit`, to its place in the row. */
static void fill_row(const AdaboostBins *bins, const uint32_t *order, const AdaboostBinned *binned,
                     int unit, uint8_t *row) {
    for (int bin = 1; bin < ADABOOST_BINS; bin++) {
        for (uint32_t k = binned->starts[bin]; k < binned->starts[bin + 1]; k++) {
            uint8_t *const place = &row[bins->places[order[k] & ~ADABOOST_NEW_VALUE]];
            *place = (uint8_t)(*place + bin * unit);
        }
    }
}

void adaboost_bins_fill(AdaboostBins *bins, const AdaboostTraining *training, int32_t group) {
    memset(pair_row(bins, group, 0), 0, PAIRS * bins->row_bytes);
    for (int i = 0; i < ADABOOST_GROUP; i++) {
        const int32_t c = group * ADABOOST_GROUP + i;
        if (c < bins->candidates) {
            const uint32_t *order = adaboost_row(training, c);
            find_bins(order, bins->images, &bins->binned[c]);
            fill_row(bins, order, &bins->binned[c], i % 2 == 0 ? 1 : ADABOOST_BINS,
                     pair_row(bins, group, i / 2));
        }
    }
}

void adaboost_bins_set_shares(AdaboostBins *bins, const AdaboostWeights *weights, int32_t first,
                              int32_t last) {
    for (int32_t i = first; i < last; i++) {
        const int64_t share = weights->shares[i];
        bins->shares[bins->places[i]] = (uint64_t)(share < 0 ? -share : share);
    }
}

/* Four rows at a time: sums of one row would wait for each other where neighbours are in one bin.
 */
static void sum_pairs(const AdaboostBins *bins, int32_t group, int32_t first, int32_t last,
                      uint64_t sums[PAIRS][PAIR_SUMS]) {
    const uint8_t *a = pair_row(bins, group, 0);
    const uint8_t *b = pair_row(bins, group, 1);
    const uint8_t *c = pair_row(bins, group, 2);
    const uint8_t *d = pair_row(bins, group, 3);
    memset(sums, 0, PAIRS * PAIR_SUMS * sizeof sums[0][0]);
    for (int32_t i = first; i < last; i++) {
        const uint64_t share = bins->shares[i];
        sums[0][a[i]] += share;
        sums[1][b[i]] += share;
        sums[2][c[i]] += share;
        sums[3][d[i]] += share;
    }
}

/* The sums of the two candidates of a pair. Two loops, each simple enough to become vectors. */
static void split_pair(const uint64_t sums[PAIR_SUMS], uint64_t low[ADABOOST_BINS],
                       uint64_t high[ADABOOST_BINS]) {
    enum { COLUMNS = 4 };
    for (int first = 0; first < ADABOOST_BINS; first += COLUMNS) {
        uint64_t columns[COLUMNS] = {0};
        for (int row = 0; row < ADABOOST_BINS; row++) {
            for (int i = 0; i < COLUMNS; i++) {
                columns[i] += sums[row * ADABOOST_BINS + first + i];
            }
        }
        memcpy(low + first, columns, sizeof columns);
    }
    for (int row = 0; row < ADABOOST_BINS; row++) {
        uint64_t sum = 0;
        for (int i = 0; i < ADABOOST_BINS; i++) {
            sum += sums[row * ADABOOST_BINS + i];
        }
        high[row] = sum;
    }
}

/* Few images: sums of pairs would take longer to split than to make. */
static void sum_singly(const AdaboostBins *bins, int32_t group, int32_t first, int32_t last,
                       uint64_t sums[ADABOOST_GROUP][ADABOOST_BINS]) {
    const uint8_t *rows[PAIRS];
    for (int pair = 0; pair < PAIRS; pair++) {
        rows[pair] = pair_row(bins, group, pair);
    }
    memset(sums, 0, ADABOOST_GROUP * sizeof sums[0]);
    for (int32_t i = first; i < last; i++) {
        const uint64_t share = bins->shares[i];
        for (int pair = 0; pair < PAIRS; pair++) {
            sums[2 * pair][rows[pair][i] % ADABOOST_BINS] += share;
            sums[2 * pair + 1][rows[pair][i] / ADABOOST_BINS] += share;
        }
    }
}

/* Sums of the shares of some images in the bins of a group's candidates. */
static void sum_range(const AdaboostBins *bins, int32_t group, int32_t first, int32_t last,
                      uint64_t sums[ADABOOST_GROUP][ADABOOST_BINS]) {
    if (last - first < PAIR_SUMS) {
        sum_singly(bins, group, first, last, sums);
        return;
    }
    uint64_t pairs[PAIRS][PAIR_SUMS];
    sum_pairs(bins, group, first, last, pairs);
    for (int pair = 0; pair < PAIRS; pair++) {
        split_pair(pairs[pair], sums[2 * pair], sums[2 * pair + 1]);
    }
}

static void try_threshold(int64_t others, int64_t below, int32_t candidate, int32_t entry,
                          AdaboostChoice *best) {
    const uint64_t error = (uint64_t)(others - below);
    const AdaboostChoice upper = {error, candidate, entry, 1};
    const AdaboostChoice lower = {ADABOOST_TOTAL - error, candidate, entry, 0};
    if (adaboost_better(&upper, best)) {
        *best = upper;
    }
    if (adaboost_better(&lower, best)) {
        *best = lower;
    }
}

/* No threshold inside a bin has a smaller error; `below` is others less digits before it. */
static uint64_t bin_bound(const AdaboostBinned *binned, int bin, int64_t others, int64_t below) {
    const int64_t upper = others - below - (int64_t)binned->others[bin];
    const int64_t lower = (int64_t)ADABOOST_TOTAL - others + below - (int64_t)binned->digits[bin];
    return (uint64_t)(upper < lower ? upper : lower);
}

/* Thresholds at the starts of bins. */
static void try_starts(const AdaboostBinned *binned, int64_t others, int32_t candidate,
                       AdaboostChoice *best) {
    int64_t below = 0;
    for (int bin = 0; bin < ADABOOST_BINS; bin++) {
        if (binned->starts[bin] != binned->starts[bin + 1]) {
            try_threshold(others, below, candidate, (int32_t)binned->starts[bin], best);
        }
        below += (int64_t)binned->others[bin] - (int64_t)binned->digits[bin];
    }
}

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* Bounds without a branch, for most candidates are far from the best. Bins without thresholds
 * inside count with the one they start at, and empty ones with where they are: that may call for a
 * closer look that finds nothing, but leaves nothing out. */
static void judge_candidate(AdaboostBinned *binned, int64_t others, int32_t candidate,
                            AdaboostChoice *best) {
    int64_t below = 0;
    int64_t most = 0, least = 0;             /* of `below` where bins start */
    int64_t inner_most = 0, inner_least = 0; /* what it can be inside them */
    for (int bin = 0; bin < ADABOOST_BINS; bin++) {
        const int64_t mask = -(int64_t)(binned->inner >> bin & 1);
        const int64_t bin_others = (int64_t)binned->others[bin];
        const int64_t bin_digits = (int64_t)binned->digits[bin];
        most = larger(most, below);
        least = smaller(least, below);
        inner_most = larger(inner_most, below + (bin_others & mask));
        inner_least = smaller(inner_least, below - (bin_digits & mask));
        below += bin_others - bin_digits;
    }
    const int64_t rest = (int64_t)ADABOOST_TOTAL - others;
    binned->bound = (uint64_t)smaller(others - inner_most, rest + inner_least);
    if ((uint64_t)smaller(others - most, rest + least) <= best->error) {
        try_starts(binned, others, candidate, best);
    }
}

void adaboost_bins_sum(AdaboostBins *bins, const AdaboostTraining *training, int32_t group,
                       AdaboostChoice *best) {
    uint64_t others[ADABOOST_GROUP][ADABOOST_BINS];
    uint64_t digits[ADABOOST_GROUP][ADABOOST_BINS];
    sum_range(bins, group, 0, bins->others, others);
    sum_range(bins, group, bins->others, bins->images, digits);
    for (int i = 0; i < ADABOOST_GROUP; i++) {
        const int32_t candidate = group * ADABOOST_GROUP + i;
        if (candidate < bins->candidates) {
            AdaboostBinned *binned = &bins->binned[candidate];
            memcpy(binned->others, others[i], sizeof others[i]);
            memcpy(binned->digits, digits[i], sizeof digits[i]);
            judge_candidate(binned, (int64_t)training->weights.others, candidate, best);
        }
    }
}

/* Goes through the images of a bin for thresholds with an error of at most `limit`. */
static void scan_bin(const AdaboostTraining *training, const AdaboostBinned *binned, int bin,
                     int64_t below, int32_t candidate, uint64_t limit, AdaboostChoice *best) {
    const uint32_t *order = adaboost_row(training, candidate);
    const int64_t *shares = training->weights.shares;
    const int64_t others = (int64_t)training->weights.others;
    /* Of others less digits before a threshold: outside these it is good enough. */
    const int64_t most = others - (int64_t)limit;
    const int64_t least = others - (int64_t)ADABOOST_TOTAL + (int64_t)limit;
    const uint32_t start = binned->starts[bin];
    for (uint32_t k = start; k < binned->starts[bin + 1]; k++) {
        if ((below >= most || below <= least) && is_new_value(order[k])) {
            try_threshold(others, below, candidate, (int32_t)k, best);
        }
        below += shares[order[k] & ~ADABOOST_NEW_VALUE];
    }
}

void adaboost_bins_refine(const AdaboostBins *bins, const AdaboostTraining *training,
                          int32_t candidate, uint64_t limit, AdaboostChoice *best) {
    const AdaboostBinned *binned = &bins->binned[candidate];
    const int64_t others = (int64_t)training->weights.others;
    int64_t below = 0;
    for (int bin = 0; bin < ADABOOST_BINS; bin++) {
        if ((binned->inner >> bin & 1) != 0 && bin_bound(binned, bin, others, below) <= limit) {
            scan_bin(training, binned, bin, below, candidate, limit, best);
            limit = best->error < limit ? best->error : limit;
        }
        below += (int64_t)binned->others[bin] - (int64_t)binned->digits[bin];
    }
}
