/*
 * A kernel of lbp_internal.h in the compiler's generic vectors, for vectors of any width. The
 * including file defines LBP_LANES   bytes in a vector LBP_TARGET  attribute that selects the
 * instruction set, or nothing and gets the function process_band.
 *
 * Four rows are worked on together, and so share their loads: a column of four vectors reads
 * 6 rows × 3 shifts, not 4 × 9 vectors. Counting the codes takes several times as long as making
 * them, since a processor increments one counter a cycle; so the codes of the column before are
 * counted between making the codes of this one, row by row. Both then fit in the processor's window
 * and overlap.
 */
#include "lbp_internal.h"

enum { ROWS_AT_ONCE = 4 };

typedef uint8_t Vector __attribute__((vector_size(LBP_LANES)));

/* Up to four rows that are worked on together, with their neighbours above and below. */
typedef struct Rows {
    const uint8_t *pixels[ROWS_AT_ONCE + 2]; /* pixels[i + 1] is the row of codes[i] */
    uint8_t *codes[ROWS_AT_ONCE];
} Rows;

typedef struct Shifts {
    Vector left, centre, right; /* the pixels at x - 1, x, x + 1 */
} Shifts;

static inline LBP_TARGET Shifts load_shifts(const uint8_t *row, int32_t x) {
    Shifts shifts;
    memcpy(&shifts.left, row + x - 1, LBP_LANES);
    memcpy(&shifts.centre, row + x, LBP_LANES);
    memcpy(&shifts.right, row + x + 1, LBP_LANES);
    return shifts;
}

/* The codes of the centres of `here`. A comparison gives -1 where it holds. */
static inline LBP_TARGET void make_codes(const Shifts *above, const Shifts *here,
                                         const Shifts *below, uint8_t *codes) {
    const Vector centre = here->centre;
    Vector code = (Vector)(above->left >= centre) & 1;
    code |= (Vector)(above->centre >= centre) & 2;
    code |= (Vector)(above->right >= centre) & 4;
    code |= (Vector)(here->left >= centre) & 8;
    code |= (Vector)(here->right >= centre) & 16;
    code |= (Vector)(below->left >= centre) & 32;
    code |= (Vector)(below->centre >= centre) & 64;
    code |= (Vector)(below->right >= centre) & 128;
    memcpy(codes, &code, LBP_LANES);
}

/* Makes the codes of columns [x, x + LBP_LANES); counts those of the columns before when there are
 * tables. */
static inline LBP_TARGET void process_column(const Rows *rows, int count, int32_t x,
                                             LbpTables *tables) {
    Shifts above = load_shifts(rows->pixels[0], x);
    Shifts here = load_shifts(rows->pixels[1], x);
#pragma GCC unroll 4
    for (int i = 0; i < count; i++) {
        const Shifts below = load_shifts(rows->pixels[i + 2], x);
        make_codes(&above, &here, &below, rows->codes[i] + x);
        above = here;
        here = below;
        if (tables != NULL) {
            lbp_count_codes(tables, rows->codes[i] + x - LBP_LANES, LBP_LANES);
        }
    }
}

/* Codes of columns [1, width - 1), counted except for those from the returned column on. */
static inline LBP_TARGET int32_t process_interior(const Rows *rows, int count, int32_t width,
                                                  LbpTables *tables) {
    if (width < LBP_LANES + 2) {
        for (int i = 0; i < count; i++) {
            const uint8_t *const *pixels = &rows->pixels[i];
            for (int32_t x = 1; x < width - 1; x++) {
                rows->codes[i][x] = lbp_code(pixels[0], pixels[1], pixels[2], x, width);
            }
        }
        return 1;
    }
    int32_t x = 1;
    process_column(rows, count, x, NULL);
    while (x + 2 * LBP_LANES <= width - 1) {
        x += LBP_LANES;
        process_column(rows, count, x, tables);
    }
    /* The last columns, some of them for the second time. */
    process_column(rows, count, width - 1 - LBP_LANES, NULL);
    return x;
}

static inline LBP_TARGET void process_rows(const Rows *rows, int count, int32_t width,
                                           LbpTables *tables) {
    const int32_t counted = process_interior(rows, count, width, tables);
    for (int i = 0; i < count; i++) {
        uint8_t *codes = rows->codes[i];
        const uint8_t *const *pixels = &rows->pixels[i];
        codes[0] = lbp_code(pixels[0], pixels[1], pixels[2], 0, width);
        codes[width - 1] = lbp_code(pixels[0], pixels[1], pixels[2], width - 1, width);
        tables->counts[0][codes[0]]++;
        lbp_count_codes(tables, codes + counted, (size_t)(width - counted));
    }
}

static LBP_TARGET void process_band(const LbpBand *band) {
    const Image *image = band->image;
    LbpTables *tables = band->scratch;
    memset(tables, 0, sizeof *tables);
    const uint8_t *zeros = lbp_make_zero_row((uint8_t *)(tables + 1), image->width);
    for (int32_t y = band->first; y < band->last; y += ROWS_AT_ONCE) {
        const int count = band->last - y < ROWS_AT_ONCE ? band->last - y : ROWS_AT_ONCE;
        Rows rows = {.codes = {NULL}};
        for (int i = 0; i < count + 2; i++) {
            rows.pixels[i] = lbp_row_or_zeros(image, y + i - 1, zeros);
        }
        for (int i = 0; i < count; i++) {
            rows.codes[i] = band->codes + (size_t)(y + i) * (size_t)image->width;
        }
        /* The constant lets the compiler unroll the loops over rows. */
        if (count == ROWS_AT_ONCE) {
            process_rows(&rows, ROWS_AT_ONCE, image->width, tables);
        } else {
            process_rows(&rows, count, image->width, tables);
        }
        if ((y - band->first) % LBP_TABLE_ROWS_MAX == LBP_TABLE_ROWS_MAX - ROWS_AT_ONCE) {
            lbp_tables_flush(tables, band->histogram);
        }
    }
    lbp_tables_flush(tables, band->histogram);
}

static size_t scratch_bytes(int32_t width) {
    return sizeof(LbpTables) + lbp_zero_row_bytes(width);
}
