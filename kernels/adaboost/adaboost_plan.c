#include "adaboost_plan.h"

/* Entries of a portion where a candidate has fewer: what keeps a device busy, and little memory
 * beside that of all candidates. */
enum { PORTION_ENTRIES = 1 << 25 };

/* Of an H200: 2000 candidates, 100 rounds, cuda_tiled and cuda_fast by bounds, ms: 1000 images 3.14
 * and 5.27, 5000 6.15 and 5.14, 20,000 18.3 and 6.79 (three launches). */
enum { FILLING_CANDIDATES = 256, FEW_ENTRIES = 6000000 };

enum { KEY_BITS_MAX = 64 - ADABOOST_IMAGE_BITS };

/* === Memory =================================================================================== */

static int at_most(int value, int limit) {
    return value < limit ? value : limit;
}

static size_t packed_bytes(const AdaboostPlan *plan) {
    return (size_t)plan->groups * ADABOOST_RUNS * ADABOOST_GROUP_ENTRIES * sizeof(uint16_t);
}

/* A candidate's packed order is over its own values, and of 16 bytes. */
static size_t pitch_of(const AdaboostPlan *plan) {
    const size_t values = plan->packed ? ((size_t)plan->images + 3) / 4 * 4 : (size_t)plan->images;
    const size_t packed = packed_bytes(plan) / sizeof(int32_t);
    return values > packed ? values : packed;
}

/* For each image: pixels, label, integral image, and weight, score and share of 8 bytes. */
static size_t bytes_of_image(int width, int height) {
    const size_t pixels = (size_t)width * (size_t)height;
    const size_t entries = (size_t)(width + 1) * (size_t)(height + 1);
    return pixels + 1 + entries * sizeof(int32_t) + 3 * sizeof(double);
}

/* The packed order's bits; bins: their numbers of four bits, where they and their last values
 * start, their sums; those to be walked; a bound; slices and how many of them are there. */
static size_t bytes_of_bounds(const AdaboostPlan *plan) {
    const size_t bits = (size_t)plan->groups * ADABOOST_RUNS * sizeof(uint32_t);
    const size_t steps = (size_t)adaboost_steps(plan->images) + 1; /* the others, the digits */
    const size_t starts = (2 * ADABOOST_BINS + 1) * sizeof(uint32_t);
    const size_t sums = (size_t)2 * (ADABOOST_BINS - 1) * sizeof(uint32_t);
    const size_t walks = (size_t)ADABOOST_BINS * 4 * sizeof(uint32_t);
    const size_t slices = (size_t)ADABOOST_EXACT_SLICES * 4 * sizeof(int64_t) + sizeof(uint32_t);
    return bits + steps * ADABOOST_STEP / 2 + starts + sums + walks + sizeof(int64_t) + slices;
}

/* For each candidate: values and order, and the best stump or what bounds it, the feature. */
static size_t bytes_of_candidate(const AdaboostPlan *plan) {
    const size_t search = plan->packed ? bytes_of_bounds(plan) : 3 * sizeof(int64_t);
    return plan->pitch * sizeof(int32_t) + search + sizeof(HaarFeature);
}

bool adaboost_packing_pays(int candidates, int images) {
    return candidates < FILLING_CANDIDATES || (int64_t)candidates * images >= FEW_ENTRIES;
}

AdaboostPlan adaboost_plan(int candidates, int images, int width, int height, bool packed) {
    AdaboostPlan plan = {.candidates = candidates, .images = images, .packed = packed};
    const int fit = PORTION_ENTRIES / images;
    plan.groups = packed ? adaboost_groups(images) : 0;
    plan.pitch = pitch_of(&plan);
    plan.portion = packed ? 0 : at_most(fit > 0 ? fit : 1, candidates);
    plan.bytes = (size_t)candidates * bytes_of_candidate(&plan) +
                 (size_t)images * bytes_of_image(width, height) +
                 2 * sizeof(uint64_t) * (size_t)plan.portion * (size_t)images;
    return plan;
}

/* === Sorting ================================================================================== */

/* Bits that numbers from 0 to `largest` need, at least 1. */
static int bits_of(uint32_t largest) {
    int bits = 1;
    while (bits < 32 && largest >> bits != 0) {
        bits++;
    }
    return bits;
}

AdaboostSortPlan adaboost_sort_plan(const AdaboostPlan *plan, int reach) {
    AdaboostSortPlan sort = {.reach = reach, .value_bits = bits_of(2 * (uint32_t)reach)};
    const int distinct = 1 << at_most(KEY_BITS_MAX - sort.value_bits, 30);
    sort.portion = at_most(plan->portion, distinct);
    const int candidate_bits = sort.portion > 1 ? bits_of((uint32_t)sort.portion - 1) : 0;
    sort.key_bits = sort.value_bits + candidate_bits;
    return sort;
}
