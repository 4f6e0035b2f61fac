/* The interface of the kernels of lbp, and what the kernels share. */
#ifndef CPU_LBP_INTERNAL_H
#define CPU_LBP_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lbp.h"
#include "workload.h"

/* === Kernels ================================================================================== */

/*
 * Codes and histogram of a band of rows, on one thread; what simd and omp are made of.
 *
 * A kernel is this work written for one instruction set. Kernels allocate nothing and keep nothing
 * between calls: all they need is in the band's scratch memory, whose contents do not matter
 * before the call.
 */

enum { LBP_SCRATCH_ALIGNMENT = 64 };

typedef struct LbpBand {
    const Image *image;
    int32_t first, last; /* rows first ≤ y < last */
    uint8_t *codes;      /* of the whole image, dense: only the band's rows are written */
    uint64_t *histogram; /* 256 counts, to which the band's are added */
    void *scratch;       /* scratch_bytes(width), aligned to LBP_SCRATCH_ALIGNMENT */
} LbpBand;

typedef struct LbpKernel {
    const char *name;
    bool (*supported)(void); /* whether this processor can run it */
    size_t (*scratch_bytes)(int32_t width);
    void (*process)(const LbpBand *band);
} LbpKernel;

/* Kernels from the most to the least demanding; the last runs on any processor. */
extern const LbpKernel lbp_kernel_avx512;
extern const LbpKernel lbp_kernel_avx2;
extern const LbpKernel lbp_kernel_plain;
extern const LbpKernel *const lbp_kernels[]; /* NULL-terminated */

/* The first kernel of the list that this processor can run. */
const LbpKernel *lbp_kernel_best(void);

/* What seq does, of rows first ≤ y < last: their codes, and their counts added to the histogram. */
void lbp_seq_rows(const Image *image, int32_t first, int32_t last, uint8_t *codes,
                  uint64_t *histogram);

/* === Rows ===================================================================================== */

/* What the kernels of lbp_internal.h share: rows outside the image, border pixels, scalar counting.
 */

/* A row of zeros stands for the rows above and below the image, so that these need no code of their
 * own. The padding lets a vector begin one pixel before the row and end behind it. */
enum { LBP_ROW_PADDING = 64 };

static inline size_t lbp_zero_row_bytes(int32_t width) {
    const size_t bytes = (size_t)width + 2 * LBP_ROW_PADDING;
    return (bytes + LBP_SCRATCH_ALIGNMENT - 1) / LBP_SCRATCH_ALIGNMENT * LBP_SCRATCH_ALIGNMENT;
}

/* Clears `memory` and returns the row inside it. */
static inline const uint8_t *lbp_make_zero_row(uint8_t *memory, int32_t width) {
    memset(memory, 0, lbp_zero_row_bytes(width));
    return memory + LBP_ROW_PADDING;
}

static inline const uint8_t *lbp_row_or_zeros(const Image *image, int32_t y, const uint8_t *zeros) {
    return y < 0 || y >= image->height ? zeros : image_row(image, y);
}

/* The code of one pixel from the rows above, of and below it; columns outside are 0. */
static inline uint8_t lbp_code(const uint8_t *above, const uint8_t *here, const uint8_t *below,
                               int32_t x, int32_t width) {
    const int centre = here[x];
    const bool left = x > 0;
    const bool right = x + 1 < width;
    const int neighbours[LBP_NEIGHBOURS] = {
        left ? above[x - 1] : 0,
        above[x],
        right ? above[x + 1] : 0,
        left ? here[x - 1] : 0,
        right ? here[x + 1] : 0,
        left ? below[x - 1] : 0,
        below[x],
        right ? below[x + 1] : 0,
    };
    unsigned code = 0;
    for (int p = 0; p < LBP_NEIGHBOURS; p++) {
        code |= (unsigned)(neighbours[p] >= centre) << p;
    }
    return (uint8_t)code;
}

/* Counting through one table per position in a 64-bit word: equal codes in a row, the rule in flat
 * areas, then meet in different counters, and no increment waits for the store before it. */
enum { LBP_TABLES = 8, LBP_TABLE_ROWS_MAX = 1024 };

typedef struct LbpTables {
    uint32_t counts[LBP_TABLES][LBP_BINS];
} LbpTables;

static inline void lbp_count_word(LbpTables *tables, const uint8_t *codes) {
    uint64_t word;
    memcpy(&word, codes, sizeof word);
    tables->counts[0][word & 0xFF]++;
    tables->counts[1][word >> 8 & 0xFF]++;
    tables->counts[2][word >> 16 & 0xFF]++;
    tables->counts[3][word >> 24 & 0xFF]++;
    tables->counts[4][word >> 32 & 0xFF]++;
    tables->counts[5][word >> 40 & 0xFF]++;
    tables->counts[6][word >> 48 & 0xFF]++;
    tables->counts[7][word >> 56]++;
}

static inline void lbp_count_codes(LbpTables *tables, const uint8_t *codes, size_t count) {
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        lbp_count_word(tables, codes + i);
    }
    for (; i < count; i++) {
        tables->counts[i % LBP_TABLES][codes[i]]++;
    }
}

/* Adds the tables to the histogram and clears them. To be called at least every
 * LBP_TABLE_ROWS_MAX rows of at most 2^20 pixels: their counts have 32 bits. */
static inline void lbp_tables_flush(LbpTables *tables, uint64_t *histogram) {
    for (int table = 0; table < LBP_TABLES; table++) {
        for (int bin = 0; bin < LBP_BINS; bin++) {
            histogram[bin] += tables->counts[table][bin];
        }
    }
    memset(tables, 0, sizeof *tables);
}

#endif
