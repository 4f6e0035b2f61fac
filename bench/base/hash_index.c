/* An index of the items of an array by their hashes. */

#include "hash_index.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { BUCKETS_FIRST = 64 };

/* Buckets are a power of two. */
static size_t bucket_of(const HashIndex *index, uint64_t hash) {
    return (size_t)(hash ^ (hash >> 32)) & (index->buckets - 1);
}

/* Appends an item to its bucket, so that a bucket is in ascending order. */
static void link_item(HashIndex *index, size_t item) {
    const size_t bucket = bucket_of(index, index->hashes[item]);
    index->next[item] = HASH_INDEX_END;
    if (index->first[bucket] == HASH_INDEX_END) {
        index->first[bucket] = item;
    } else {
        index->next[index->last[bucket]] = item;
    }
    index->last[bucket] = item;
}

/* There are as many buckets as there is room for items, so a bucket has about one. */
static Status grow(HashIndex *index) {
    const size_t buckets = index->buckets > 0 ? 2 * index->buckets : BUCKETS_FIRST;
    HashIndex more = {.hashes = malloc(buckets * sizeof *more.hashes),
                      .next = malloc(buckets * sizeof *more.next),
                      .first = malloc(buckets * sizeof *more.first),
                      .last = malloc(buckets * sizeof *more.last),
                      .count = index->count,
                      .buckets = buckets};
    if (more.hashes == NULL || more.next == NULL || more.first == NULL || more.last == NULL) {
        hash_index_release(&more);
        return status_no_memory("for an index of %zu items", buckets);
    }
    for (size_t bucket = 0; bucket < buckets; bucket++) {
        more.first[bucket] = HASH_INDEX_END;
    }
    for (size_t item = 0; item < more.count; item++) {
        more.hashes[item] = index->hashes[item];
        link_item(&more, item);
    }
    hash_index_release(index);
    *index = more;
    return status_ok();
}

Status hash_index_add(HashIndex *index, uint64_t hash) {
    if (index->count == index->buckets) {
        STATUS_TRY(grow(index));
    }
    index->hashes[index->count] = hash;
    link_item(index, index->count++);
    return status_ok();
}

/* The first item of this hash from `item` on in its bucket. */
static size_t seek(const HashIndex *index, size_t item, uint64_t hash) {
    while (item != HASH_INDEX_END && index->hashes[item] != hash) {
        item = index->next[item];
    }
    return item;
}

size_t hash_index_first(const HashIndex *index, uint64_t hash) {
    return index->buckets > 0 ? seek(index, index->first[bucket_of(index, hash)], hash)
                              : HASH_INDEX_END;
}

size_t hash_index_next(const HashIndex *index, size_t item) {
    return seek(index, index->next[item], index->hashes[item]);
}

void hash_index_release(HashIndex *index) {
    free(index->hashes);
    free(index->next);
    free(index->first);
    free(index->last);
    *index = (HashIndex){.count = 0};
}
