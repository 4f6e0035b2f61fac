/* A radix sort from the lowest digit on, in as few passes as the spread of the values needs; being
 * stable, it leaves equal values by image. */
#include "adaboost_internal.h"

#include <string.h>

#include "adaboost.h"

/* A table of 2^11 counts stays in the first-level cache beside the places written to. */
enum { DIGIT_BITS_MAX = 11 };

/* A value less the smallest, with its image. */
typedef struct Entry {
    uint32_t key, image;
} Entry;

size_t adaboost_order_scratch_bytes(int32_t count) {
    return 2 * (size_t)count * sizeof(Entry);
}

static uint32_t make_entries(const uint32_t *row, int32_t count, Entry *entries) {
    int32_t least = (int32_t)row[0];
    int32_t most = least;
    for (int32_t i = 1; i < count; i++) {
        const int32_t value = (int32_t)row[i];
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    for (int32_t i = 0; i < count; i++) {
        entries[i] = (Entry){.key = row[i] - (uint32_t)least, .image = (uint32_t)i};
    }
    return (uint32_t)most - (uint32_t)least;
}

static void sort_by_digit(const Entry *from, Entry *to, int32_t count, int shift, int bits) {
    const uint32_t mask = (1U << bits) - 1;
    uint32_t places[1 << DIGIT_BITS_MAX];
    memset(places, 0, ((size_t)mask + 1) * sizeof *places);
    for (int32_t i = 0; i < count; i++) {
        places[from[i].key >> shift & mask]++;
    }
    uint32_t place = 0;
    for (uint32_t digit = 0; digit <= mask; digit++) {
        const uint32_t here = places[digit];
        places[digit] = place;
        place += here;
    }
    for (int32_t i = 0; i < count; i++) {
        to[places[from[i].key >> shift & mask]++] = from[i];
    }
}

void adaboost_order_sort(uint32_t *row, int32_t count, void *scratch) {
    Entry *from = scratch;
    Entry *to = from + count;
    const uint32_t spread = make_entries(row, count, from);
    const int bits = spread == 0 ? 0 : 32 - __builtin_clz(spread);
    const int passes = (bits + DIGIT_BITS_MAX - 1) / DIGIT_BITS_MAX;
    for (int pass = 0; pass < passes; pass++) {
        const int low = bits * pass / passes;
        sort_by_digit(from, to, count, low, bits * (pass + 1) / passes - low);
        Entry *const sorted = to;
        to = from;
        from = sorted;
    }
    row[0] = from[0].image | ADABOOST_NEW_VALUE;
    for (int32_t k = 1; k < count; k++) {
        row[k] = from[k].image | (from[k].key != from[k - 1].key ? ADABOOST_NEW_VALUE : 0);
    }
}
