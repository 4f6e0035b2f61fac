#include "synthetic.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "datasets.h"
#include "random.h"

const char *const synthetic_descriptor_kinds[] = {"pairs", NULL};

enum { WORD_BYTES = 8, WORDS = SYNTHETIC_DESCRIPTOR_BYTES / WORD_BYTES, MATCHING_PERCENT = 60 };

/* Sequences of numbers that have nothing to do with each other. */
typedef enum Stream { STREAM_FIRST, STREAM_SECOND, STREAM_NOISE, STREAM_KIND, STREAM_ORDER } Stream;

static uint64_t drawn(uint64_t seed, Stream stream, uint64_t position) {
    return random_at(random_at(seed, stream), position);
}

/* The lowest byte first, on every machine. */
static void store_word(uint8_t *bytes, uint64_t word) {
    for (int i = 0; i < WORD_BYTES; i++) {
        bytes[i] = (uint8_t)(word >> (8 * i));
    }
}

/* A bit is one where three random ones are. */
static uint64_t noise_word(uint64_t seed, uint64_t position) {
    return drawn(seed, STREAM_NOISE, 3 * position) & drawn(seed, STREAM_NOISE, 3 * position + 1) &
           drawn(seed, STREAM_NOISE, 3 * position + 2);
}

static void write_first(uint64_t seed, int32_t index, uint8_t *row) {
    for (uint64_t w = 0; w < WORDS; w++) {
        store_word(row + w * WORD_BYTES, drawn(seed, STREAM_FIRST, (uint64_t)index * WORDS + w));
    }
}

/* The row that belongs to row `index` of the first set, or has that place for nothing. */
static void write_second(uint64_t seed, int32_t index, uint8_t *row) {
    const bool matches = drawn(seed, STREAM_KIND, (uint64_t)index) % 100 < MATCHING_PERCENT;
    for (uint64_t w = 0; w < WORDS; w++) {
        const uint64_t position = (uint64_t)index * WORDS + w;
        store_word(row + w * WORD_BYTES,
                   matches ? drawn(seed, STREAM_FIRST, position) ^ noise_word(seed, position)
                           : drawn(seed, STREAM_SECOND, position));
    }
}

/* Fisher and Yates. */
static void shuffle(uint64_t seed, int32_t count, int32_t *order) {
    for (int32_t i = 0; i < count; i++) {
        const int32_t other = (int32_t)(drawn(seed, STREAM_ORDER, (uint64_t)i) % ((uint64_t)i + 1));
        order[i] = i;
        order[i] = order[other];
        order[other] = i;
    }
}

Status synthetic_descriptors(const char *kind, int32_t count, uint64_t seed, Image *rows) {
    *rows = (Image){0};
    if (strcmp(kind, synthetic_descriptor_kinds[0]) != 0) {
        return status_make(STATUS_USAGE, "'%.40s' is no synthetic kind of descriptors (known: %s)",
                           kind, synthetic_descriptor_kinds[0]);
    }
    if (count < 1 || count > SYNTHETIC_DESCRIPTORS_MAX) {
        return status_make(STATUS_USAGE,
                           "%" PRId32 " descriptors in a set are too few or too many; 1 to %d can "
                           "be made",
                           count, SYNTHETIC_DESCRIPTORS_MAX);
    }
    int32_t *order = malloc((size_t)count * sizeof *order);
    if (order == NULL) {
        return status_no_memory("left for the order of %" PRId32 " descriptors", count);
    }
    const Status status = image_create(SYNTHETIC_DESCRIPTOR_BYTES, 2 * count, 1, rows);
    if (status_is_ok(&status)) {
        uint8_t *second = rows->pixels + (size_t)count * rows->stride;
        shuffle(seed, count, order);
        for (int32_t i = 0; i < count; i++) {
            write_first(seed, i, rows->pixels + (size_t)i * rows->stride);
            write_second(seed, i, second + (size_t)order[i] * rows->stride);
        }
    }
    free(order);
    return status;
}
