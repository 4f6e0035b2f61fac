/*
 * lacunarity rows in vectors of 16-bit lanes. The including file defines LACUNARITY_TARGET, the
 * attribute that selects the instruction set, and the type Vector with LANES lanes of 16 bits, its
 * operations, and prefix_changes; it gets the functions of a kernel.
 *
 * From one row of positions to the next, a pixel row enters all boxes and another leaves. With q[x]
 * the entering minus the leaving object pixels left of column x, the mass at x changes by the
 * difference of q[x + box] and q[x], at most the box side: q is kept modulo 2^16. So a position
 * takes one difference, one addition to its mass and one square, whatever the box side.
 *
 * Masses are kept less half of the largest, m = box²/2: for boxes up to BOX_16_MAX they fit 16
 * bits, for others 32. What that does to the sums is put right at the end:
 *
 *     Σs = Σ(s - m) + m·positions,  Σs² = Σ(s - m)² + 2m·Σ(s - m) + m²·positions.
 *
 * Σ(s - m) needs only the changes: each row's is the one before plus their sum. Squares go to lanes
 * of 64 bits, which are added to a number of 128 bits before they could overflow.
 */
#include <string.h>

#include "lacunarity_count.h"

enum {
    BOX_16_MAX = 255,
    BOX_VECTOR_MAX = INT16_MAX,
    LEAD = 32,           /* elements before q[1] and left[1]: those are stored to aligned */
    PIXELS_AT_ONCE = 64, /* at most, of prefix_changes */
    STEPS_MAX = 1 << 14, /* vectors in a row whose changes fit 32 bits together */
    SQUARE_LANES = 2
};

__extension__ typedef unsigned __int128 Wide;

typedef struct Walk {
    const LacunarityBand *band;
    int32_t positions;   /* in a row */
    int32_t steps;       /* vectors of 16-bit lanes in a row of positions */
    uint64_t middle;     /* m */
    int32_t steps_in_32; /* vectors of masses of 16 bits whose squares fit 32 bits together */
    uint64_t budget;     /* vectors of which the lanes of squares have room for the squares */
    int16_t *q;
    void *masses;   /* less m: int16_t or int32_t, zeros behind the last position */
    uint32_t *left; /* object pixels of the first boxes' rows left of each column */
    Vector last;    /* ones in the lanes of the last vector that are positions */
    /* The sums. */
    uint64_t room; /* what is left of the budget */
    Vector squares[SQUARE_LANES];
    Wide folded;     /* Σ(s - m)², but for the lanes of `squares` */
    int64_t row_sum; /* Σ(s - m) of the row */
    Wide sum;        /* Σ(s - m) of all rows, in two's complement */
} Walk;

static size_t whole_lines(size_t bytes) {
    const size_t line = LACUNARITY_SCRATCH_ALIGNMENT;
    return (bytes + line - 1) / line * line;
}

static size_t q_bytes(int32_t width) {
    return whole_lines(((size_t)width + LEAD + 2 * PIXELS_AT_ONCE) * sizeof(int16_t));
}

static size_t masses_bytes(int32_t width) {
    return whole_lines(((size_t)width + 2 * LANES) * sizeof(int32_t));
}

static size_t scratch_bytes(int32_t width) {
    return q_bytes(width) + masses_bytes(width) + ((size_t)width + LEAD) * sizeof(uint32_t);
}

static LACUNARITY_TARGET void fold_squares(Walk *walk) {
    for (int i = 0; i < SQUARE_LANES; i++) {
        uint64_t lanes[sizeof(Vector) / sizeof(uint64_t)];
        memcpy(lanes, &walk->squares[i], sizeof lanes);
        for (size_t lane = 0; lane < sizeof lanes / sizeof lanes[0]; lane++) {
            walk->folded += lanes[lane];
        }
        walk->squares[i] = zeros();
    }
    walk->room = walk->budget;
}

static inline LACUNARITY_TARGET int64_t sum_of_32(Vector vector) {
    int32_t lanes[sizeof(Vector) / sizeof(int32_t)];
    memcpy(lanes, &vector, sizeof lanes);
    int64_t sum = 0;
    for (size_t lane = 0; lane < sizeof lanes / sizeof lanes[0]; lane++) {
        sum += lanes[lane];
    }
    return sum;
}

/* How the masses of one vector of positions change. */
static inline LACUNARITY_TARGET Vector mass_changes(const Walk *walk, int32_t step) {
    const int16_t *at = walk->q + (size_t)step * LANES;
    return subtract_16(load(at + walk->band->box), load(at));
}

static inline LACUNARITY_TARGET Vector add_to_mass_16(Walk *walk, int32_t step, Vector change) {
    int16_t *at = (int16_t *)walk->masses + (size_t)step * LANES;
    const Vector mass = add_16(load_aligned(at), change);
    store_aligned(at, mass);
    return add_products_16(mass, mass);
}

/* Vectors first ≤ step < last of a row; `cut`: the last of them is the row's last. */
static LACUNARITY_TARGET void add_steps_16(Walk *walk, int32_t first, int32_t last, bool cut) {
    const Vector one = ones_16();
    Vector changes = zeros();
    Vector squares = walk->squares[0];
    int32_t step = first;
    while (step < last) {
        const int32_t end = last - step < walk->steps_in_32 ? last : step + walk->steps_in_32;
        const int32_t whole = end - (cut && end == last ? 1 : 0);
        Vector squares_32 = zeros();
        for (; step < whole; step++) {
            const Vector change = mass_changes(walk, step);
            changes = add_32(changes, add_products_16(change, one));
            squares_32 = add_32(squares_32, add_to_mass_16(walk, step, change));
        }
        for (; step < end; step++) {
            const Vector change = both(mass_changes(walk, step), walk->last);
            changes = add_32(changes, add_products_16(change, one));
            squares_32 = add_32(squares_32, add_to_mass_16(walk, step, change));
        }
        squares = add_64(squares, add_64(low_halves(squares_32), high_halves(squares_32)));
    }
    walk->squares[0] = squares;
    walk->row_sum += sum_of_32(changes);
}

/* Adds the squares of 32-bit masses, those of even and of odd lanes. */
static inline LACUNARITY_TARGET void add_squares_32(Vector mass, Vector squares[SQUARE_LANES]) {
    const Vector odd = high_halves(mass);
    squares[0] = add_64(squares[0], multiply_even_32(mass, mass));
    squares[1] = add_64(squares[1], multiply_even_32(odd, odd));
}

static inline LACUNARITY_TARGET void add_to_masses_32(Walk *walk, int32_t step, Vector change,
                                                      Vector squares[SQUARE_LANES]) {
    int32_t *at = (int32_t *)walk->masses + (size_t)step * LANES;
    const Vector lower = add_32(load_aligned(at), widen_lower(change));
    const Vector upper = add_32(load_aligned(at + LANES / 2), widen_upper(change));
    store_aligned(at, lower);
    store_aligned(at + LANES / 2, upper);
    add_squares_32(lower, squares);
    add_squares_32(upper, squares);
}

static LACUNARITY_TARGET void add_steps_32(Walk *walk, int32_t first, int32_t last, bool cut) {
    const Vector one = ones_16();
    const int32_t whole = last - (cut ? 1 : 0);
    Vector changes = zeros();
    Vector squares[SQUARE_LANES] = {walk->squares[0], walk->squares[1]};
    for (int32_t step = first; step < whole; step++) {
        const Vector change = mass_changes(walk, step);
        changes = add_32(changes, add_products_16(change, one));
        add_to_masses_32(walk, step, change, squares);
    }
    if (cut) {
        const Vector change = both(mass_changes(walk, whole), walk->last);
        changes = add_32(changes, add_products_16(change, one));
        add_to_masses_32(walk, whole, change, squares);
    }
    walk->squares[0] = squares[0];
    walk->squares[1] = squares[1];
    walk->row_sum += sum_of_32(changes);
}

/* One row of positions, with the changes that are in q. */
static LACUNARITY_TARGET void add_row(Walk *walk) {
    for (int32_t step = 0; step < walk->steps;) {
        if (walk->room == 0) {
            fold_squares(walk);
        }
        const int32_t fit = walk->room < STEPS_MAX ? (int32_t)walk->room : STEPS_MAX;
        const int32_t end = walk->steps - step < fit ? walk->steps : step + fit;
        if (walk->band->box <= BOX_16_MAX) {
            add_steps_16(walk, step, end, end == walk->steps);
        } else {
            add_steps_32(walk, step, end, end == walk->steps);
        }
        walk->room -= (uint64_t)(end - step);
        step = end;
    }
    walk->sum += (Wide)walk->row_sum;
}

/* left[x] for all columns from those of the band. */
static LACUNARITY_TARGET void add_columns_up(const Walk *walk) {
    const uint16_t *columns = walk->band->columns;
    const int32_t width = walk->band->image->width;
    uint32_t *left = walk->left;
    left[0] = 0;
    Vector before = zeros();
    int32_t x = 0;
    for (; x + LANES / 2 <= width; x += LANES / 2) {
        const Vector sums = add_32(prefix_32(widen_columns(columns + x)), before);
        store_aligned(left + 1 + x, sums);
        before = spread_last_32(sums);
    }
    for (; x < width; x++) {
        left[x + 1] = left[x] + columns[x];
    }
}

static LACUNARITY_TARGET int64_t first_masses_16(const Walk *walk) {
    const uint32_t *left = walk->left;
    const uint32_t *right = left + walk->band->box;
    const uint32_t middle = (uint32_t)walk->middle;
    int16_t *masses = walk->masses;
    int64_t sum = 0;
    for (int32_t x = 0; x < walk->positions; x++) {
        masses[x] = (int16_t)(right[x] - left[x] - middle);
    }
    for (int32_t x = 0; x < walk->positions; x++) {
        sum += masses[x];
    }
    return sum;
}

static LACUNARITY_TARGET int64_t first_masses_32(const Walk *walk) {
    const uint32_t *left = walk->left;
    const uint32_t *right = left + walk->band->box;
    const uint32_t middle = (uint32_t)walk->middle;
    int32_t *masses = walk->masses;
    int64_t sum = 0;
    for (int32_t x = 0; x < walk->positions; x++) {
        masses[x] = (int32_t)(right[x] - left[x] - middle);
    }
    for (int32_t x = 0; x < walk->positions; x++) {
        sum += masses[x];
    }
    return sum;
}

/* The masses of the first row of positions. */
static LACUNARITY_TARGET void first_masses(Walk *walk) {
    add_columns_up(walk);
    walk->row_sum = walk->band->box <= BOX_16_MAX ? first_masses_16(walk) : first_masses_32(walk);
    /* What is behind the last position stays 0. */
    const size_t element = walk->band->box <= BOX_16_MAX ? sizeof(int16_t) : sizeof(int32_t);
    const size_t used = (size_t)walk->positions * element;
    memset((uint8_t *)walk->masses + used, 0, (size_t)walk->steps * LANES * element - used);
}

static LACUNARITY_TARGET void begin_walk(const LacunarityBand *band, Walk *walk) {
    const int32_t width = band->image->width;
    uint8_t *memory = band->scratch;
    memset(walk, 0, sizeof *walk);
    walk->band = band;
    walk->positions = width - band->box + 1;
    walk->steps = (walk->positions - 1) / LANES + 1;
    walk->q = (int16_t *)(void *)memory + LEAD - 1;
    walk->masses = memory + q_bytes(width);
    walk->left = (uint32_t *)(void *)(memory + q_bytes(width) + masses_bytes(width)) + LEAD - 1;
    int16_t mask[LANES];
    for (int32_t lane = 0; lane < LANES; lane++) {
        mask[lane] = (int16_t)((walk->steps - 1) * LANES + lane < walk->positions ? -1 : 0);
    }
    memcpy(&walk->last, mask, sizeof mask);

    const uint64_t area = (uint64_t)band->box * (uint64_t)band->box;
    walk->middle = area / 2;
    const uint64_t largest = area - walk->middle;
    const uint64_t square = largest * largest;
    /* A lane of 32 bits takes two squares from each vector. */
    const uint64_t in_32 = UINT32_MAX / (2 * square);
    walk->steps_in_32 = in_32 < STEPS_MAX ? (int32_t)in_32 : STEPS_MAX;
    /* A lane of 64 bits takes two squares from a vector of 32-bit masses, four from one of 16. */
    walk->budget = UINT64_MAX / (4 * square);
    walk->room = walk->budget;
}

static void end_walk(Walk *walk, LacunarityMoments *moments) {
    const LacunarityBand *band = walk->band;
    fold_squares(walk);
    const Wide middle = walk->middle;
    const Wide positions = (Wide)(uint64_t)walk->positions * (uint64_t)(band->last - band->first);
    const Wide sum_s = walk->sum + middle * positions;
    const Wide sum_s2 = walk->folded + 2 * middle * walk->sum + middle * middle * positions;
    lacunarity_moments_add(moments, (uint64_t)sum_s, (uint64_t)sum_s2, (uint64_t)(sum_s2 >> 64));
}

static LACUNARITY_TARGET void process(const LacunarityBand *band, LacunarityMoments *moments) {
    if (band->box > BOX_VECTOR_MAX) {
        lacunarity_kernel_plain.process(band, moments);
        return;
    }
    Walk walk;
    begin_walk(band, &walk);
    first_masses(&walk);
    /* Nothing changes in the first row. */
    memset(band->scratch, 0, q_bytes(band->image->width));
    add_row(&walk);
    for (int32_t y = band->first + 1; y < band->last; y++) {
        prefix_changes(image_row(band->image, y - 1 + band->box), image_row(band->image, y - 1),
                       band->image->width, (uint8_t)band->threshold, walk.q + 1);
        add_row(&walk);
    }
    end_walk(&walk, moments);
}
