/*
 * What a device keeps of a training: where the packed order has its entries, how images are sorted,
 * and how much memory that takes. Host code that needs no device; what kernels need of it is
 * inline.
 */
#ifndef KERNELS_ADABOOST_ADABOOST_PLAN_H
#define KERNELS_ADABOOST_ADABOOST_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "haar_features.h"

#ifdef __cplusplus
extern "C" {
#endif

/* === Packed order ============================================================================= */

/*
 * A candidate's order in 16 bits an image and a bit where a value begins.
 *
 * Its entries are dealt out to PARTS × LANES lanes, a run of `groups` × GROUP_ENTRIES entries to
 * each, the last ones filled up with an image that has no share. Chunk t of all lanes of a part
 * lies together, 16 bytes a lane: 8 image indices of 16 bits. Which entries begin a new value is
 * marked by a bit each, 32 bits for the four chunks of a group.
 */
enum {
    ADABOOST_LANES = 32,
    ADABOOST_PARTS = 4, /* of a candidate, a warp each: so that work divides evenly among warps */
    ADABOOST_RUNS = ADABOOST_PARTS * ADABOOST_LANES,
    ADABOOST_CHUNK = 8, /* entries */
    ADABOOST_GROUP = 4, /* chunks whose bits share a word */
    ADABOOST_GROUP_ENTRIES = ADABOOST_GROUP * ADABOOST_CHUNK,
    ADABOOST_PACKED_IMAGES_MAX = 65534, /* so that the image without a share has an index, too */
};

/*
 * Besides, all images by value are cut into BINS bins of about equal number, only where the value
 * changes. An image's bin is four bits; those of 32 images lie in four words, and the words of TILE
 * candidates and STEP images together. The others are before the digits, each filled up to whole
 * steps.
 */
enum {
    ADABOOST_BINS = 16,
    ADABOOST_TILE = 16,  /* candidates */
    ADABOOST_STEP = 256, /* images */
};

/* Parts of a candidate that are searched exactly by themselves. */
enum { ADABOOST_EXACT_SLICES = 16 };

/* Bytes of shared memory that packing needs at least for counts. */
enum { ADABOOST_COUNTS_MIN = 1 << 14 };

/* Steps of so many images of one kind. */
HAAR_INLINE int adaboost_steps(int images) {
    return (images + ADABOOST_STEP - 1) / ADABOOST_STEP;
}

HAAR_INLINE size_t adaboost_tiles(int candidates) {
    return ((size_t)candidates + ADABOOST_TILE - 1) / ADABOOST_TILE;
}

/* Groups of a lane's run. */
HAAR_INLINE int adaboost_groups(int images) {
    const int of_all_runs = ADABOOST_RUNS * ADABOOST_GROUP_ENTRIES;
    return (images + of_all_runs - 1) / of_all_runs;
}

/* Bytes of one candidate's packed order with its bits. */
HAAR_INLINE size_t adaboost_packing_bytes(int images) {
    const size_t entries = (size_t)ADABOOST_RUNS * adaboost_groups(images) * ADABOOST_GROUP_ENTRIES;
    return entries * sizeof(uint16_t) + entries / 8;
}

/* Where a candidate's entry `place` lies. */
typedef struct AdaboostSlot {
    size_t chunk; /* of 16 bytes, among those of all candidates */
    int half;     /* 0 … CHUNK - 1: the index of 16 bits within it */
    size_t word;  /* of bits, among those of all candidates */
    int bit;      /* within it */
} AdaboostSlot;

HAAR_INLINE AdaboostSlot adaboost_slot(int groups, size_t candidate, uint32_t place) {
    const uint32_t run = place / (uint32_t)(groups * ADABOOST_GROUP_ENTRIES);
    const uint32_t within = place % (uint32_t)(groups * ADABOOST_GROUP_ENTRIES);
    const uint32_t lane = run % ADABOOST_LANES;
    const uint32_t bit = within % ADABOOST_GROUP_ENTRIES;
    /* Rows of a word a lane and of GROUP chunks a lane. */
    const size_t row = (candidate * ADABOOST_PARTS + run / ADABOOST_LANES) * (size_t)groups +
                       within / ADABOOST_GROUP_ENTRIES;
    AdaboostSlot slot;
    slot.chunk = (row * ADABOOST_GROUP + bit / ADABOOST_CHUNK) * ADABOOST_LANES + lane;
    slot.half = (int)(bit % ADABOOST_CHUNK);
    slot.word = row * ADABOOST_LANES + lane;
    slot.bit = (int)bit;
    return slot;
}

/* === Memory =================================================================================== */

/*
 * Values and order have one memory, `pitch` entries of 4 bytes a candidate: first the values of all
 * candidates, and over them, as they are sorted, what is searched: the order of adaboost.h, or at
 * the beginning of each candidate's values its packed order, whose bits and bins lie elsewhere.
 */
typedef struct AdaboostPlan {
    int candidates, images; /* of the device */
    bool packed;
    int groups;   /* of the packed order; 0 without one */
    size_t pitch; /* entries of 4 bytes, from candidate to candidate */
    int portion;  /* candidates that are sorted together, at most; 0 where packed */
    size_t bytes; /* of all that grows with images or candidates */
} AdaboostPlan;

/* Whether bounds from the packed order pay. A round by them is ten kernels; where entries are few,
 * the exact search of all is over sooner. The blocks of few candidates would leave most of a device
 * idle in it, so these keep their bounds. */
bool adaboost_packing_pays(int candidates, int images);

/* For images of width × height pixels. `packed`: the search reads the packed order, which images up
 * to ADABOOST_PACKED_IMAGES_MAX have. */
AdaboostPlan adaboost_plan(int candidates, int images, int width, int height, bool packed);

/* === Sorting ================================================================================== */

/* How sorting keys are made: candidate in the portion above value + reach above image. */
typedef struct AdaboostSortPlan {
    int portion; /* candidates sorted together; the last portion may have fewer */
    int reach;   /* no value is below -reach or above reach */
    int value_bits, key_bits;
} AdaboostSortPlan;

enum { ADABOOST_IMAGE_BITS = 32 }; /* the lowest of a key, which are not sorted */

AdaboostSortPlan adaboost_sort_plan(const AdaboostPlan *plan, int reach);

#ifdef __cplusplus
}
#endif

#endif
