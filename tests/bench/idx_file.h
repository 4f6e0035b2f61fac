/* Writes small IDX files: pictures whose pixel p of picture i is 16·i + p, and labels. */
#ifndef TESTS_BENCH_IDX_FILE_H
#define TESTS_BENCH_IDX_FILE_H

#include <stdint.h>
#include <stdio.h>

#include "bench/scratch_folder.h"

static inline void idx_number(FILE *file, uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) {
        fputc((int)(number >> shift & 0xFF), file);
    }
}

static inline void idx_write_pictures(const char *name, uint32_t count, uint32_t width,
                                      uint32_t height) {
    FILE *file = fopen(test_path(name), "wb");
    idx_number(file, 0x00000803);
    idx_number(file, count);
    idx_number(file, height);
    idx_number(file, width);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t p = 0; p < width * height; p++) {
            fputc((int)((16 * i + p) & 0xFF), file);
        }
    }
    fclose(file);
}

/* Label i is 9 − i. */
static inline void idx_write_labels(const char *name, uint32_t count) {
    FILE *file = fopen(test_path(name), "wb");
    idx_number(file, 0x00000801);
    idx_number(file, count);
    for (uint32_t i = 0; i < count; i++) {
        fputc((int)(9 - i), file);
    }
    fclose(file);
}

#endif
