/*
 * adaboost on one thread (simd) and on all processors (omp): the search in bins, with teams of 1
 * and of --threads. Threads share blocks of images for integral images and values, groups of
 * candidates for sorting and searching, and ranges of images for weights.
 */
#include <omp.h>
#include <stdlib.h>

#include "adaboost_internal.h"
#include "backend.h"
#include "cpu_memory.h"
#include "variant.h"

typedef struct AdaboostWork {
    AdaboostTraining training;
    AdaboostBins bins;
    int threads;
    int32_t *integrals;   /* blocks × adaboost_block_entries */
    ThreadMemory scratch; /* of sorting */
    AdaboostPart *parts;  /* threads: of the images */
} AdaboostWork;

static Status allocate(AdaboostWork *work) {
    const ImageSet *set = work->training.set;
    void *memory = NULL;
    STATUS_TRY(adaboost_bins_open(&work->training, &work->bins));
    STATUS_TRY(cpu_backend.alloc((size_t)adaboost_blocks(set) * adaboost_block_entries(set) *
                                     sizeof *work->integrals,
                                 &memory));
    work->integrals = memory;
    STATUS_TRY(thread_memory_open(work->threads, adaboost_order_scratch_bytes(set->count),
                                  &work->scratch));
    work->parts = calloc((size_t)work->threads, sizeof *work->parts);
    return work->parts != NULL ? status_ok() : status_no_memory("for %d threads", work->threads);
}

void adaboost_work_close(void *state) {
    AdaboostWork *work = state;
    if (work != NULL) {
        free(work->parts);
        thread_memory_close(&work->scratch);
        cpu_backend.release(work->integrals);
        adaboost_bins_close(&work->bins);
        adaboost_training_close(&work->training);
        free(work);
    }
}

/* A state for `adaboost_work_stages`. */
static Status adaboost_work_open(const Request *request, int threads, void **state) {
    AdaboostWork *work = calloc(1, sizeof *work);
    if (work == NULL) {
        return status_no_memory("for the state of a training");
    }
    work->threads = threads;
    Status status = adaboost_training_open(request, &work->training);
    if (status_is_ok(&status)) {
        status = allocate(work);
    }
    if (!status_is_ok(&status)) {
        adaboost_work_close(work);
        return status;
    }
    *state = work;
    return status_ok();
}

static int32_t *block_of(const AdaboostWork *work, int32_t block) {
    return work->integrals + (size_t)block * adaboost_block_entries(work->training.set);
}

static Status integral(void *state) {
    const AdaboostWork *work = state;
    const int32_t blocks = adaboost_blocks(work->training.set);
#pragma omp parallel for schedule(static) num_threads(work->threads)
    for (int32_t block = 0; block < blocks; block++) {
        adaboost_block_fill(work->training.request->workload, block, block_of(work, block));
    }
    return status_ok();
}

static void block_values(const AdaboostWork *work, int32_t block, HaarFeature feature,
                         int32_t *values) {
    const ImageSet *set = work->training.set;
    const int32_t first = block * ADABOOST_LANES;
    const int32_t left = set->count - first;
    adaboost_block_values(block_of(work, block), set->width, feature,
                          left < ADABOOST_LANES ? left : ADABOOST_LANES, values + first);
}

static Status values(void *state) {
    const AdaboostWork *work = state;
    const AdaboostTraining *training = &work->training;
    const int32_t blocks = adaboost_blocks(training->set);
#pragma omp parallel for schedule(dynamic, 1) num_threads(work->threads)
    for (int32_t block = 0; block < blocks; block++) {
        for (int32_t c = 0; c < training->candidates.count; c++) {
            block_values(work, block, training->candidates.features[c],
                         (int32_t *)(void *)adaboost_row(training, c));
        }
    }
    return status_ok();
}

static void sort_group(AdaboostWork *work, int32_t group, void *scratch) {
    const AdaboostTraining *training = &work->training;
    for (int i = 0; i < ADABOOST_GROUP; i++) {
        const int32_t c = group * ADABOOST_GROUP + i;
        if (c < training->candidates.count) {
            adaboost_order_sort(adaboost_row(training, c), training->set->count, scratch);
        }
    }
    adaboost_bins_fill(&work->bins, training, group);
}

static Status sort(void *state) {
    AdaboostWork *work = state;
    const int32_t groups = adaboost_bins_groups(&work->bins);
    adaboost_bins_place(&work->bins, &work->training);
#pragma omp parallel for schedule(dynamic, 1) num_threads(work->threads)
    for (int32_t group = 0; group < groups; group++) {
        sort_group(work, group, thread_memory_part(&work->scratch, omp_get_thread_num()));
    }
    return status_ok();
}

static AdaboostPart thread_part(const AdaboostWork *work) {
    const int64_t images = work->training.set->count;
    const int thread = omp_get_thread_num();
    const int threads = omp_get_num_threads();
    return (AdaboostPart){.first = (int32_t)(images * thread / threads),
                          .last = (int32_t)(images * (thread + 1) / threads)};
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
static void search_together(AdaboostWork *work, AdaboostChoice *best) {
    const AdaboostTraining *training = &work->training;
    AdaboostBins *bins = &work->bins;
    const int32_t groups = adaboost_bins_groups(bins);
    const AdaboostPart part = thread_part(work);
    AdaboostChoice mine = ADABOOST_NO_CHOICE;
    adaboost_bins_set_shares(bins, &training->weights, part.first, part.last);
#pragma omp barrier
#pragma omp for schedule(dynamic, 1) nowait
    for (int32_t group = 0; group < groups; group++) {
        adaboost_bins_sum(bins, training, group, &mine);
    }
    take_better(best, &mine);
#pragma omp barrier
#pragma omp single
    adaboost_bins_refine(bins, training, best->candidate, best->error, best);
    mine = *best;
#pragma omp barrier
#pragma omp for schedule(dynamic, 16) nowait
    for (int32_t c = 0; c < bins->candidates; c++) {
        if (bins->binned[c].bound <= mine.error) {
            adaboost_bins_refine(bins, training, c, mine.error, &mine);
        }
    }
    take_better(best, &mine);
}

static AdaboostChoice search(void *state) {
    AdaboostWork *work = state;
    AdaboostChoice best = ADABOOST_NO_CHOICE;
#pragma omp parallel num_threads(work->threads)
    search_together(work, &best);
    return best;
}

static void feature_values(void *state, HaarFeature feature) {
    const AdaboostWork *work = state;
    const int32_t blocks = adaboost_blocks(work->training.set);
#pragma omp parallel for schedule(static) num_threads(work->threads)
    for (int32_t block = 0; block < blocks; block++) {
        block_values(work, block, feature, work->training.values);
    }
}

/* Called by all threads together. */
static void apply_together(AdaboostWork *work, const AdaboostStump *stump) {
    AdaboostWeights *weights = &work->training.weights;
    const int thread = omp_get_thread_num();
    const int threads = omp_get_num_threads();
    AdaboostPart part = thread_part(work);
    adaboost_part_multiply(weights, work->training.values, stump, &part);
    work->parts[thread] = part;
#pragma omp barrier
    uint64_t sum = 0;
    for (int i = 0; i < threads; i++) {
        sum += work->parts[i].sum;
    }
    adaboost_part_normalise(weights, sum, &part);
    work->parts[thread].units = part.units;
#pragma omp barrier
    uint64_t before = 0;
    for (int i = 0; i < thread; i++) {
        before += work->parts[i].units;
    }
    adaboost_part_share(weights, before, &part);
    work->parts[thread].others = part.others;
}

static void apply(void *state, AdaboostStump *stump) {
    AdaboostWork *work = state;
    for (int i = 0; i < work->threads; i++) {
        work->parts[i] = (AdaboostPart){.first = 0};
    }
#pragma omp parallel num_threads(work->threads)
    apply_together(work, stump);
    stump->misses = stump->false_alarms = 0;
    work->training.weights.others = 0;
    for (int i = 0; i < work->threads; i++) {
        stump->misses += work->parts[i].misses;
        stump->false_alarms += work->parts[i].false_alarms;
        work->training.weights.others += work->parts[i].others;
    }
}

static Status boosting(void *state) {
    static const AdaboostEngine engine = {search, feature_values, apply};
    AdaboostWork *work = state;
    return adaboost_training_boost(&work->training, &engine, work);
}

const Stage adaboost_work_stages[] = {
    {"integral", integral}, {"values", values}, {"sort", sort},
    {"boosting", boosting}, {NULL, NULL},
};

Status adaboost_work_run(void *state) {
    return adaboost_stages_run(adaboost_work_stages, state);
}

/* === simd and omp ============================================================================= */

VARIANT_FUNCTIONS(adaboost_simd);
VARIANT_FUNCTIONS(adaboost_omp);

Status adaboost_simd_open(const Request *request, void **state) {
    return adaboost_work_open(request, 1, state);
}

Status adaboost_omp_open(const Request *request, void **state) {
    return adaboost_work_open(request, (int)point_integer(request->tuning, "threads", 1), state);
}
