/*
 * Threads share blocks of pictures for integral images and values, groups of candidates for
 * sorting and searching, and ranges of pictures for weights.
 */
#include "adaboost_work.h"

#include <omp.h>
#include <stdlib.h>

#include "adaboost_bins.h"
#include "adaboost_blocks.h"
#include "adaboost_order.h"
#include "adaboost_stages.h"
#include "adaboost_training.h"
#include "adaboost_weight_parts.h"
#include "backend.h"
#include "thread_memory.h"

typedef struct FastState {
    AdaboostTraining training;
    AdaboostBins bins;
    int threads;
    int32_t *integrals;   /* blocks × adaboost_block_entries */
    ThreadMemory scratch; /* of sorting */
    AdaboostPart *parts;  /* threads: of the pictures */
} FastState;

static Status allocate(FastState *fast) {
    const ImageSet *set = fast->training.set;
    void *memory = NULL;
    STATUS_TRY(adaboost_bins_open(&fast->training, &fast->bins));
    STATUS_TRY(cpu_backend.alloc((size_t)adaboost_blocks(set) * adaboost_block_entries(set) *
                                     sizeof *fast->integrals,
                                 &memory));
    fast->integrals = memory;
    STATUS_TRY(thread_memory_open(fast->threads, adaboost_order_scratch_bytes(set->count),
                                  &fast->scratch));
    fast->parts = calloc((size_t)fast->threads, sizeof *fast->parts);
    return fast->parts != NULL ? status_ok()
                               : status_skip("no memory for %d threads", fast->threads);
}

Status adaboost_fast_open(const Request *request, int threads, void **state) {
    FastState *fast = calloc(1, sizeof *fast);
    if (fast == NULL) {
        return status_skip("no memory for the state of a training");
    }
    fast->threads = threads;
    Status status = adaboost_training_open(request, &fast->training);
    if (status_is_ok(&status)) {
        status = allocate(fast);
    }
    if (!status_is_ok(&status)) {
        adaboost_fast_close(fast);
        return status;
    }
    *state = fast;
    return status_ok();
}

static int32_t *block_of(const FastState *fast, int32_t block) {
    return fast->integrals + (size_t)block * adaboost_block_entries(fast->training.set);
}

static Status integral(void *state) {
    const FastState *fast = state;
    const int32_t blocks = adaboost_blocks(fast->training.set);
#pragma omp parallel for schedule(static) num_threads(fast->threads)
    for (int32_t block = 0; block < blocks; ++block) {
        adaboost_block_fill(fast->training.request->workload, block, block_of(fast, block));
    }
    return status_ok();
}

static void block_values(const FastState *fast, int32_t block, HaarFeature feature,
                         int32_t *values) {
    const ImageSet *set = fast->training.set;
    const int32_t first = block * ADABOOST_LANES;
    const int32_t left = set->count - first;
    adaboost_block_values(block_of(fast, block), set->width, feature,
                          left < ADABOOST_LANES ? left : ADABOOST_LANES, values + first);
}

static Status values(void *state) {
    const FastState *fast = state;
    const AdaboostTraining *training = &fast->training;
    const int32_t blocks = adaboost_blocks(training->set);
#pragma omp parallel for schedule(dynamic, 1) num_threads(fast->threads)
    for (int32_t block = 0; block < blocks; ++block) {
        for (int32_t c = 0; c < training->candidates.count; ++c) {
            block_values(fast, block, training->candidates.features[c],
                         (int32_t *)(void *)adaboost_row(training, c));
        }
    }
    return status_ok();
}

static void sort_group(FastState *fast, int32_t group, void *scratch) {
    const AdaboostTraining *training = &fast->training;
    for (int i = 0; i < ADABOOST_GROUP; ++i) {
        const int32_t c = group * ADABOOST_GROUP + i;
        if (c < training->candidates.count) {
            adaboost_order_sort(adaboost_row(training, c), training->set->count, scratch);
        }
    }
    adaboost_bins_fill(&fast->bins, training, group);
}

static Status sort(void *state) {
    FastState *fast = state;
    const int32_t groups = adaboost_bins_groups(&fast->bins);
    adaboost_bins_place(&fast->bins, &fast->training);
#pragma omp parallel for schedule(dynamic, 1) num_threads(fast->threads)
    for (int32_t group = 0; group < groups; ++group) {
        sort_group(fast, group, thread_memory_part(&fast->scratch, omp_get_thread_num()));
    }
    return status_ok();
}

static AdaboostPart thread_part(const FastState *fast) {
    const int64_t pictures = fast->training.set->count;
    const int thread = omp_get_thread_num();
    const int threads = omp_get_num_threads();
    return (AdaboostPart){.first = (int32_t)(pictures * thread / threads),
                          .last = (int32_t)(pictures * (thread + 1) / threads)};
}

static void take_better(AdaboostChoice *best, const AdaboostChoice *mine) {
#pragma omp critical(adaboost_best)
    if (adaboost_better(mine, best)) {
        *best = *mine;
    }
}

/* Called by all threads together. The better the best stump known, the fewer bins are gone through:
 * sums come first for all candidates, and the best of these has its bins gone through before any
 * other. */
static void search_together(FastState *fast, AdaboostChoice *best) {
    const AdaboostTraining *training = &fast->training;
    AdaboostBins *bins = &fast->bins;
    const int32_t groups = adaboost_bins_groups(bins);
    const AdaboostPart part = thread_part(fast);
    AdaboostChoice mine = ADABOOST_NO_CHOICE;
    adaboost_bins_set_shares(bins, &training->weights, part.first, part.last);
#pragma omp barrier
#pragma omp for schedule(dynamic, 1) nowait
    for (int32_t group = 0; group < groups; ++group) {
        adaboost_bins_sum(bins, training, group, &mine);
    }
    take_better(best, &mine);
#pragma omp barrier
#pragma omp single
    adaboost_bins_refine(bins, training, best->candidate, best->error, best);
    mine = *best;
#pragma omp barrier
#pragma omp for schedule(dynamic, 16) nowait
    for (int32_t c = 0; c < bins->candidates; ++c) {
        if (bins->binned[c].bound <= mine.error) {
            adaboost_bins_refine(bins, training, c, mine.error, &mine);
        }
    }
    take_better(best, &mine);
}

static AdaboostChoice search(void *state) {
    FastState *fast = state;
    AdaboostChoice best = ADABOOST_NO_CHOICE;
#pragma omp parallel num_threads(fast->threads)
    search_together(fast, &best);
    return best;
}

static void feature_values(void *state, HaarFeature feature) {
    const FastState *fast = state;
    const int32_t blocks = adaboost_blocks(fast->training.set);
#pragma omp parallel for schedule(static) num_threads(fast->threads)
    for (int32_t block = 0; block < blocks; ++block) {
        block_values(fast, block, feature, fast->training.values);
    }
}

/* Called by all threads together. */
static void apply_together(FastState *fast, const AdaboostStump *stump) {
    AdaboostWeights *weights = &fast->training.weights;
    const int thread = omp_get_thread_num();
    const int threads = omp_get_num_threads();
    AdaboostPart part = thread_part(fast);
    adaboost_part_multiply(weights, fast->training.values, stump, &part);
    fast->parts[thread] = part;
#pragma omp barrier
    uint64_t sum = 0;
    for (int i = 0; i < threads; ++i) {
        sum += fast->parts[i].sum;
    }
    adaboost_part_normalise(weights, sum, &part);
    fast->parts[thread].units = part.units;
#pragma omp barrier
    uint64_t before = 0;
    for (int i = 0; i < thread; ++i) {
        before += fast->parts[i].units;
    }
    adaboost_part_share(weights, before, &part);
    fast->parts[thread].others = part.others;
}

static void apply(void *state, AdaboostStump *stump) {
    FastState *fast = state;
    for (int i = 0; i < fast->threads; ++i) {
        fast->parts[i] = (AdaboostPart){.first = 0};
    }
#pragma omp parallel num_threads(fast->threads)
    apply_together(fast, stump);
    stump->misses = stump->false_alarms = 0;
    fast->training.weights.others = 0;
    for (int i = 0; i < fast->threads; ++i) {
        stump->misses += fast->parts[i].misses;
        stump->false_alarms += fast->parts[i].false_alarms;
        fast->training.weights.others += fast->parts[i].others;
    }
}

static Status boosting(void *state) {
    static const AdaboostEngine engine = {search, feature_values, apply};
    FastState *fast = state;
    return adaboost_training_boost(&fast->training, &engine, fast);
}

const Stage adaboost_fast_stages[] = {
    {"integral", integral}, {"values", values}, {"sort", sort},
    {"boosting", boosting}, {NULL, NULL},
};

void adaboost_fast_close(void *state) {
    FastState *fast = state;
    if (fast != NULL) {
        free(fast->parts);
        thread_memory_close(&fast->scratch);
        cpu_backend.release(fast->integrals);
        adaboost_bins_close(&fast->bins);
        adaboost_training_close(&fast->training);
        free(fast);
    }
}
