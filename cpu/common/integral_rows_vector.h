/*
 * The work of integral_rows.h for entries of one size, in terms of a few vector operations.
 * Included by each kernel once for 32 and once for 64 bits, which has defined
 *
 *   BITS                of an entry; names end in it, so that both sizes can stand in one file
 *   INTEGRAL_TARGET     attributes of functions that use its instruction set
 *   LANES_32, LANES_64  entries in a vector
 *   ROWS                rows that are filled at once
 *   ALIGN_ALWAYS        whether stores that do not bypass the cache are aligned, too
 *   Vector              LANES entries
 *   load, store, store_aligned, stream_aligned     stream_aligned bypasses the cache
 *   store_lanes_BITS    stores the lanes from one to before another
 *   running_pixels_BITS the sums of LANES pixels, each with those before it
 *   spread_BITS, add_BITS, running_sums_BITS (of the lanes, each with those before it),
 *   spread_last_BITS (the last lane in all), first_BITS (the first lane)
 *   Places, places_BITS(shift), turn(vector, places)
 *   join(before, vector, places)     of two turned vectors: the last `shift` lanes of the one, then
 *                       the first lanes of the other
 *
 * A row of the table has an entry more than pixels, so rows may begin at every offset to a line of
 * the cache. Stores that bypass it have to fill lines, so the entries of a row are joined to whole
 * vectors at the row's own offset. Stores through the cache need not: without joining AVX2 takes
 * 0.147 instead of 0.206 ms for 1280×720. A vector of AVX-512 would cross a line each time, so its
 * entries are always joined.
 *
 * Halves of lines go past the cache only where all rows begin at lines, as those of bad do. Else
 * AVX2 took 154 to 205 ms for 7680×4320 on a busy EPYC and 35 to 66 through the cache, with rows of
 * 7681 entries; leaving out lines that two rows share did not help.
 *
 * With four rows at once the entries above are read and written once for four rows, and the sums
 * along four rows do not wait for each other.
 */
#define INTEGRAL_PASTE(name, bits) name##_##bits
#define INTEGRAL_NAME(name, bits) INTEGRAL_PASTE(name, bits)
#define OF(name) INTEGRAL_NAME(name, BITS)
#define LANES INTEGRAL_NAME(LANES, BITS)
#define ENTRY OF(Entry)

#ifndef INTEGRAL_FORCE_INLINE
#define INTEGRAL_FORCE_INLINE static inline __attribute__((always_inline)) INTEGRAL_TARGET
#endif

/* A row on its way: its entries up to the vector's are stored but for the last `shift`. */
typedef struct OF(Walk) {
    const uint8_t *pixels;
    ENTRY *entries; /* entry 1 of the row */
    Vector before;  /* the sum of the row's pixels so far, in all lanes */
    Vector last;    /* the entries that come before, turned */
    Places places;
    int shift; /* of entry 1 to the vector that it lies in */
} OF(Walk);

INTEGRAL_FORCE_INLINE OF(Walk) OF(begin_walk)(const IntegralBand *band, int32_t y) {
    ENTRY *row = (ENTRY *)band->table + ((size_t)y + 1) * band->pitch;
    const int shift = (int)((uintptr_t)(row + 1) / sizeof(ENTRY) % LANES);
    row[0] = 0;
    return (OF(Walk)){
        .pixels = image_row(band->image, y),
        .entries = row + 1,
        .before = OF(spread)(0),
        .last = OF(spread)(0),
        .places = OF(places)(shift),
        .shift = shift,
    };
}

/* Entries x … x + LANES - 1 follow. The first vector of a row has the entries of the row above in
 * front, which stay as they are. */
INTEGRAL_FORCE_INLINE void OF(put)(OF(Walk) * walk, int32_t x, Vector entries, bool stream) {
    if (!stream && !ALIGN_ALWAYS) {
        store(walk->entries + x, entries);
        return;
    }
    ENTRY *to = walk->entries + x - walk->shift;
    const Vector turned = turn(entries, walk->places);
    const Vector line = join(walk->last, turned, walk->places);
    walk->last = turned;
    if (x == 0) {
        OF(store_lanes)(to, walk->shift, LANES, line);
    } else if (stream) {
        stream_aligned(to, line);
    } else {
        store_aligned(to, line);
    }
}

/* What of entries 0 … x - 1 is still to be stored. */
INTEGRAL_FORCE_INLINE void OF(put_rest)(const OF(Walk) * walk, int32_t x, bool stream) {
    if (x > 0 && (stream || ALIGN_ALWAYS)) {
        const Vector line = join(walk->last, walk->last, walk->places);
        OF(store_lanes)(walk->entries + x - walk->shift, 0, walk->shift, line);
    }
}

/* The rows that are filled after these, or these if fewer are left in the image. */
INTEGRAL_FORCE_INLINE const uint8_t *OF(next_rows)(const IntegralBand *band, int32_t y, int rows) {
    return image_row(band->image, y + 2 * rows <= band->image->height ? y + rows : y);
}

/* Rows y … y + rows - 1; `rows` and `stream` are constants. Where stores bypass the cache the
 * pixels are not in it either, so a line of the next rows is fetched at each vector: with AVX-512
 * 7680×4320 takes 5.3 instead of 6.2 ms on one thread of a busy Zen 4 server, stores alone 5.1.
 * Through the cache it would cost: 480×360 takes 3% more. */
INTEGRAL_FORCE_INLINE void OF(fill_rows)(const IntegralBand *band, int32_t y, int rows,
                                         bool stream) {
    const int32_t width = band->image->width;
    ENTRY *above = band->above;
    OF(Walk) walks[ROWS];
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++) {
        walks[r] = OF(begin_walk)(band, y + r);
    }
    const uint8_t *next = OF(next_rows)(band, y, rows);
    int32_t x = 0;
    for (; x + LANES <= width; x += LANES) {
        Vector entries = load(above + x);
        if (stream) {
            __builtin_prefetch(next + (size_t)(x / LANES % rows) * band->image->stride + x);
        }
#pragma GCC unroll 4
        for (int r = 0; r < rows; r++) {
            const Vector pixels = OF(running_pixels)(walks[r].pixels + x);
            const Vector sums = OF(add)(pixels, walks[r].before);
            entries = OF(add)(entries, sums);
            walks[r].before = OF(spread_last)(sums);
            OF(put)(&walks[r], x, entries, stream);
        }
        store(above + x, entries);
    }
    ENTRY sums[ROWS];
#pragma GCC unroll 4
    for (int r = 0; r < rows; r++) {
        OF(put_rest)(&walks[r], x, stream);
        sums[r] = OF(first)(walks[r].before);
    }
    for (; x < width; x++) {
        for (int r = 0; r < rows; r++) {
            sums[r] += walks[r].pixels[x];
            above[x] += sums[r];
            walks[r].entries[x] = above[x];
        }
    }
}

INTEGRAL_FORCE_INLINE void OF(fill_band)(const IntegralBand *band, bool stream) {
    int32_t y = band->first;
    for (; y + ROWS <= band->last; y += ROWS) {
        OF(fill_rows)(band, y, ROWS, stream);
    }
    for (; y < band->last; y++) {
        OF(fill_rows)(band, y, 1, stream);
    }
}

/* Whether vectors fill lines one after the other: they are lines, or no row begins within one. */
static bool OF(fills_lines)(const IntegralBand *band) {
    const size_t line = 64;
    return sizeof(Vector) == line || (band->pitch * sizeof(ENTRY) % line == 0 &&
                                      (uintptr_t)band->table % line == line - sizeof(ENTRY));
}

static INTEGRAL_TARGET void OF(fill)(const IntegralBand *band) {
    if (band->stream && OF(fills_lines)(band)) {
        OF(fill_band)(band, true);
        stream_copy_finish();
    } else {
        OF(fill_band)(band, false);
    }
}

/* The compiler makes vectors of these. */
static INTEGRAL_TARGET void OF(add_columns)(const IntegralBand *band) {
    const int32_t width = band->image->width;
    ENTRY *restrict sums = band->above;
    int32_t y = band->first;
    for (; y + 4 <= band->last; y += 4) {
        const uint8_t *restrict a = image_row(band->image, y);
        const uint8_t *restrict b = image_row(band->image, y + 1);
        const uint8_t *restrict c = image_row(band->image, y + 2);
        const uint8_t *restrict d = image_row(band->image, y + 3);
        for (int32_t x = 0; x < width; x++) {
            sums[x] += (uint16_t)(a[x] + b[x] + c[x] + d[x]);
        }
    }
    for (; y < band->last; y++) {
        const uint8_t *restrict pixels = image_row(band->image, y);
        for (int32_t x = 0; x < width; x++) {
            sums[x] += pixels[x];
        }
    }
}

static INTEGRAL_TARGET void OF(add_along)(void *row, int32_t width) {
    ENTRY *entries = row;
    Vector before = OF(spread)(0);
    int32_t x = 0;
    for (; x + LANES <= width; x += LANES) {
        const Vector sums = OF(running_sums)(load(entries + x));
        store(entries + x, OF(add)(sums, before));
        before = OF(add)(before, OF(spread_last)(sums));
    }
    ENTRY sum = OF(first)(before);
    for (; x < width; x++) {
        sum += entries[x];
        entries[x] = sum;
    }
}

#undef INTEGRAL_PASTE
#undef INTEGRAL_NAME
#undef OF
#undef LANES
#undef ENTRY
