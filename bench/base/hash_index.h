/* Finds items of an array by a hash. */

#ifndef BENCH_BASE_HASH_INDEX_H
#define BENCH_BASE_HASH_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

/* Finds items of an array by a hash: the items are numbered from 0 on, in the order in which their
 * hashes are added. Starts zeroed. */
typedef struct HashIndex {
    uint64_t *hashes;     /* of each item */
    size_t *next;         /* the next item of the same bucket; HASH_INDEX_END: none */
    size_t *first, *last; /* of each bucket */
    size_t count, buckets;
} HashIndex;

#define HASH_INDEX_END SIZE_MAX

/* The next item has this hash. STATUS_SKIP without memory. */
Status hash_index_add(HashIndex *index, uint64_t hash);

/* The items of a hash in ascending order: hash_index_first, then hash_index_next of each, up to
 * HASH_INDEX_END. Items that are not equal may have the same hash. */
size_t hash_index_first(const HashIndex *index, uint64_t hash);
size_t hash_index_next(const HashIndex *index, size_t item);
void hash_index_release(HashIndex *index);

#endif
