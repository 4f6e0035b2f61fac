/*
 * integral, sequential: a running sum of the row is added to the entry above, entry by entry. This
 * is the definition that every other variant is held to, so nothing here is clever.
 */
#include <stdlib.h>

#include "integral.h"

VARIANT_FUNCTIONS(integral_seq);

typedef struct SeqState {
    const Image *image;
    void *table; /* (width + 1) × (height + 1) */
    int bits;    /* of an entry */
} SeqState;

Status integral_seq_open(const Request *request, void **state) {
    SeqState *seq = malloc(sizeof *seq);
    if (seq == NULL) {
        return status_no_memory("for the state of integral/seq");
    }
    *seq = (SeqState){
        .image = &request->workload->image,
        .table = integral_table(request->output),
        .bits = integral_bits(request->answer),
    };
    *state = seq;
    return status_ok();
}

static void fill_32(const Image *image, uint32_t *table) {
    const size_t pitch = (size_t)image->width + 1;
    for (size_t x = 0; x < pitch; x++) {
        table[x] = 0;
    }
    for (int32_t y = 0; y < image->height; y++) {
        const uint8_t *pixels = image_row(image, y);
        const uint32_t *above = table + (size_t)y * pitch;
        uint32_t *row = table + ((size_t)y + 1) * pitch;
        uint32_t sum = 0;
        row[0] = 0;
        for (int32_t x = 0; x < image->width; x++) {
            sum += pixels[x];
            row[x + 1] = above[x + 1] + sum;
        }
    }
}

static void fill_64(const Image *image, uint64_t *table) {
    const size_t pitch = (size_t)image->width + 1;
    for (size_t x = 0; x < pitch; x++) {
        table[x] = 0;
    }
    for (int32_t y = 0; y < image->height; y++) {
        const uint8_t *pixels = image_row(image, y);
        const uint64_t *above = table + (size_t)y * pitch;
        uint64_t *row = table + ((size_t)y + 1) * pitch;
        uint64_t sum = 0;
        row[0] = 0;
        for (int32_t x = 0; x < image->width; x++) {
            sum += pixels[x];
            row[x + 1] = above[x + 1] + sum;
        }
    }
}

Status integral_seq_run(void *state) {
    const SeqState *seq = state;
    if (seq->bits == 64) {
        fill_64(seq->image, seq->table);
    } else {
        fill_32(seq->image, seq->table);
    }
    return status_ok();
}

void integral_seq_close(void *state) {
    free(state);
}
