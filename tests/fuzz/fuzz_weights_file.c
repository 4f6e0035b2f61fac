/*
 * Fuzzes the reader of weights files: what it takes keeps what weights.h promises, and comes back
 * the same after it was written.
 *
 * No table fits a small input, so lines that begin with '*' stand for many: "*256," and a line is
 * that line so often, "*4096!" and bytes are those bytes over and over, so many in all.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fuzz_input.h"
#include "weights_files.h"
#include "weights_kinds.h"

enum { EXPANDED_ROOM = 1 << 19, TIMES_DIGITS = 6, WRITTEN_OF = 8 /* writing takes long */ };

typedef struct Expanded {
    size_t size;
    uint8_t bytes[EXPANDED_ROOM];
} Expanded;

static void append(Expanded *expanded, const uint8_t *bytes, size_t size) {
    const size_t room = EXPANDED_ROOM - expanded->size;
    const size_t count = size < room ? size : room;
    memcpy(expanded->bytes + expanded->size, bytes, count);
    expanded->size += count;
}

/* The number behind '*' and its end; 0 where there is none. */
static size_t read_times(const uint8_t *line, size_t size, size_t *end) {
    size_t times = 0;
    for (*end = 1; *end < size && *end <= TIMES_DIGITS; ++*end) {
        if (line[*end] < '0' || line[*end] > '9') {
            break;
        }
        times = 10 * times + (size_t)(line[*end] - '0');
    }
    return times;
}

static void append_many(Expanded *expanded, const uint8_t *line, size_t size) {
    size_t end = 0;
    const size_t times = read_times(line, size, &end);
    if (end + 1 >= size) {
        return;
    }
    const uint8_t *pattern = line + end + 1;
    const size_t length = size - end - 1;
    if (line[end] != '!') {
        for (size_t i = 0; i < times && expanded->size < EXPANDED_ROOM; i++) {
            append(expanded, pattern, length);
        }
        return;
    }
    for (size_t done = 0; done < times; done += length) {
        append(expanded, pattern, length < times - done ? length : times - done);
    }
}

static void expand(const uint8_t *bytes, size_t size, Expanded *expanded) {
    expanded->size = 0;
    while (size > 0) {
        const uint8_t *end = memchr(bytes, '\n', size);
        const size_t length = end != NULL ? (size_t)(end - bytes) + 1 : size;
        if (bytes[0] == '*') {
            append_many(expanded, bytes, length);
        } else {
            append(expanded, bytes, length);
        }
        bytes += length;
        size -= length;
    }
}

static void check_boxes(const float *row) {
    for (int32_t i = 0; i < 4; i++) {
        require(row[i] == floorf(row[i]) && row[i] - row[4] >= 0 && row[4] >= 0);
        require(row[i] + row[4] <= WEIGHTS_BAD_SIDE - 1);
    }
}

static void check_table(const Weights *weights) {
    const int boxes = strcmp(weights->kind, WEIGHTS_BAD) == 0;
    const int pairs = strcmp(weights->kind, WEIGHTS_ORB) == 0;
    require(boxes || pairs || strcmp(weights->kind, WEIGHTS_HASHSIFT) == 0);
    require(weights->columns == (boxes   ? WEIGHTS_BAD_COLUMNS
                                 : pairs ? WEIGHTS_ORB_COLUMNS
                                         : WEIGHTS_HASHSIFT_COLUMNS));
    require(weights->bits == 256 || weights->bits == 512);
    for (int32_t i = 0; i < weights->bits * weights->columns; i++) {
        require(isfinite(weights->values[i]));
        require(!pairs || (weights->values[i] == floorf(weights->values[i]) &&
                           fabsf(weights->values[i]) <= WEIGHTS_ORB_REACH));
        if (boxes && i % WEIGHTS_BAD_COLUMNS == 0) {
            check_boxes(weights->values + i);
        }
    }
}

static void check_written(const Weights *weights) {
    char path[64];
    Weights again;
    snprintf(path, sizeof path, "/tmp/fuzz-weights-%ld", (long)getpid());
    const Status written = weights_write(path, weights, "fuzzed");
    require(status_is_ok(&written));
    const Status read = weights_read(path, test_kinds, &again);
    require(unlink(path) == 0);
    require(status_is_ok(&read) && strcmp(again.kind, weights->kind) == 0);
    require(again.bits == weights->bits && again.hash == weights->hash);
    weights_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static Expanded expanded;
    Weights weights;
    expand(bytes, size, &expanded);
    const Status status =
        weights_decode("fuzzed", test_kinds, expanded.bytes, expanded.size, &weights);
    if (!status_is_ok(&status)) {
        require(status.code == STATUS_FILE && weights.values == NULL && weights.bits == 0);
        require_reason(&status);
        return 0;
    }
    check_table(&weights);
    if (weights.hash % WRITTEN_OF == 0) {
        check_written(&weights);
    }
    weights_free(&weights);
    return 0;
}
