/*
 * The work of haar_internal.h in terms of a few vector operations. Included once by each kernel,
 * which has defined HAAR_TARGET                 attributes of functions that use its instruction
 * set Vector, Mask, LANES         LANES numbers of 32 bits; a bit for each load_aligned,
 * store_aligned, add_32, subtract_32, spread_32, widen_pixels     as in simd_avx2.h at_least the
 * lanes in which the first number is at least the second, both unsigned append records of the lanes
 * of a mask; see Records
 */
#include <string.h>

enum { HAAR_PIXEL_MAX = 255 };

#define HAAR_FORCE_INLINE static inline __attribute__((always_inline)) HAAR_TARGET

/* What there is to know for a batch. |value| > threshold is asked as value + threshold ≥ 2 ×
 * threshold + 1, unsigned, which takes one comparison: lines are lowered by the threshold where
 * they are taken from others. */
typedef struct Scan {
    const HaarBatch *batch;
    int32_t width, height;
    const int32_t *integral; /* entries × LANES */
    int32_t *line, *twice;   /* numbers of a line, and two times these */
    Vector threshold, floor;
    bool storing;
    HaarSink *sink;
    uint64_t *found;
} Scan;

/* A line: the value of a feature from `a` to `b` on it is number b less number a. */
typedef struct Line {
    int32_t length;         /* its last number */
    int32_t shortest;       /* b - a */
    uint64_t bits;          /* of a record at a = b = 0, with the first of the sizes */
    int at_shift, by_shift; /* where a and b - a go in a record */
    int32_t sizes;          /* rectangles with the same cells */
    uint64_t size_step;     /* from the record of one to that of the next */
} Line;

HAAR_FORCE_INLINE const int32_t *number(const int32_t *line, int32_t index) {
    return line + (ptrdiff_t)index * LANES;
}

/* --- Integral images -------------------------------------------------------------------------- */

/* Row y of all images of the batch, pixel by pixel; zeros where there is no image. */
HAAR_FORCE_INLINE void interleave_row(const HaarBatch *batch, int32_t y, uint8_t *row) {
    const Workload *workload = batch->workload;
    const int32_t width = workload->set.width;
    if (batch->count < LANES) {
        memset(row, 0, (size_t)width * LANES);
    }
    for (int32_t i = 0; i < batch->count; i++) {
        const uint8_t *pixels =
            image_row(&workload->image, (batch->first + i) * workload->set.height + y);
        for (int32_t x = 0; x < width; x++) {
            row[x * LANES + i] = pixels[x];
        }
    }
}

HAAR_FORCE_INLINE void make_integrals(const Scan *scan, int32_t *integral, uint8_t *row) {
    const ptrdiff_t stride = (ptrdiff_t)(scan->width + 1) * LANES;
    memset(integral, 0, (size_t)stride * sizeof *integral);
    for (int32_t y = 0; y < scan->height; y++) {
        const int32_t *above = integral + y * stride;
        int32_t *below = integral + (y + 1) * stride;
        interleave_row(scan->batch, y, row);
        Vector sum = spread_32(0);
        store_aligned(below, sum);
        for (ptrdiff_t x = 0; x < scan->width; x++) {
            sum = add_32(sum, widen_pixels(row + x * LANES));
            store_aligned(below + (x + 1) * LANES,
                          add_32(load_aligned(above + (x + 1) * LANES), sum));
        }
    }
}

/* --- Lines ------------------------------------------------------------------------------------ */

/* Number i of the line of two cells: the first cell's sum less the second's, up to i. `from` is the
 * entry at the first cell's beginning, `cell` entries before the second's; `step` leads along. */
HAAR_FORCE_INLINE void make_line_of_two(const Scan *scan, const int32_t *from, ptrdiff_t cell,
                                        ptrdiff_t step, int32_t length) {
    for (ptrdiff_t i = 0; i <= length; i++) {
        const int32_t *first = from + i * step;
        const Vector middle = load_aligned(first + cell);
        const Vector ends = add_32(load_aligned(first), load_aligned(first + 2 * cell));
        const Vector value = subtract_32(add_32(middle, middle), ends);
        store_aligned(scan->line + i * LANES, value);
        store_aligned(scan->twice + i * LANES, add_32(value, value));
    }
}

/* The same of three cells, of which the middle one counts double. */
HAAR_FORCE_INLINE void make_line_of_three(const Scan *scan, const int32_t *from, ptrdiff_t cell,
                                          ptrdiff_t step, int32_t length) {
    for (ptrdiff_t i = 0; i <= length; i++) {
        const int32_t *first = from + i * step;
        const Vector inner =
            subtract_32(load_aligned(first + cell), load_aligned(first + 2 * cell));
        const Vector outer = subtract_32(load_aligned(first + 3 * cell), load_aligned(first));
        store_aligned(scan->line + i * LANES, add_32(add_32(inner, inner), add_32(inner, outer)));
    }
}

/* --- Records ---------------------------------------------------------------------------------- */

/* `raised` is the value and the threshold; `bits` a record without image, whose value is what
 * makes that the packed one. `across` × `down` rectangles. */
HAAR_FORCE_INLINE void keep(const Scan *scan, Mask mask, Vector raised, uint64_t bits,
                            int32_t across, uint64_t across_step, int32_t down,
                            uint64_t down_step) {
    if (!scan->storing) {
        *scan->found += (uint64_t)(__builtin_popcount(mask) * across * down);
        return;
    }
    HaarSink *sink = scan->sink;
    haar_sink_reserve(sink, (size_t)(LANES * across * down));
    for (int32_t j = 0; j < down; j++) {
        for (int32_t i = 0; i < across; i++) {
            sink->at = append(scan->batch, mask, raised,
                              bits + (uint64_t)i * across_step + (uint64_t)j * down_step, sink->at);
        }
    }
}

/* All a and b of a line. */
HAAR_FORCE_INLINE void scan_line(const Scan *scan, const Line *line) {
    for (int32_t a = 0; a + line->shortest <= line->length; a++) {
        const Vector lowered = subtract_32(load_aligned(number(scan->line, a)), scan->threshold);
        for (int32_t b = a + line->shortest; b <= line->length; b++) {
            const Vector raised = subtract_32(load_aligned(number(scan->line, b)), lowered);
            const Mask mask = at_least(raised, scan->floor);
            if (__builtin_expect(mask != 0, 0)) {
                keep(scan, mask, raised,
                     line->bits + ((uint64_t)a << line->at_shift) +
                         ((uint64_t)(b - a) << line->by_shift),
                     line->sizes, line->size_step, 1, 0);
            }
        }
    }
}

/* The checker: cells along the line are as high as `cell`. */
HAAR_FORCE_INLINE void scan_checker(const Scan *scan, const Line *line, int32_t shortest_cell) {
    const int32_t min_side = scan->batch->point.min_side;
    const uint64_t step = UINT64_C(1) << line->by_shift;
    for (int32_t a = 0; a + 2 * shortest_cell <= line->length; a++) {
        const Vector lowered = subtract_32(load_aligned(number(scan->line, a)), scan->threshold);
        for (int32_t cell = shortest_cell; a + 2 * cell <= line->length; cell++) {
            const Vector raised =
                subtract_32(subtract_32(load_aligned(number(scan->twice, a + cell)), lowered),
                            load_aligned(number(scan->line, a + 2 * cell)));
            const Mask mask = at_least(raised, scan->floor);
            if (__builtin_expect(mask != 0, 0)) {
                const int32_t smallest = 2 * cell < min_side ? min_side : 2 * cell;
                const int32_t largest = a + 2 * cell < line->length ? 2 * cell + 1 : 2 * cell;
                keep(scan, mask, raised,
                     line->bits + ((uint64_t)a << line->at_shift) + (uint64_t)smallest * step,
                     line->sizes, line->size_step, largest - smallest + 1, step);
            }
        }
    }
}

/* --- All features ----------------------------------------------------------------------------- */

/* The least length at which a value can be more than the threshold, where a length of 1 reaches
 * `reach`; at least `least`. */
HAAR_FORCE_INLINE int32_t shortest_in_reach(const Scan *scan, int32_t reach, int32_t least) {
    const int32_t shortest = scan->batch->point.threshold / reach + 1;
    return shortest > least ? shortest : least;
}

/* Two or three cells side by side in one direction, which is called across here, at one place. */
typedef struct Direction {
    int32_t extent, length;  /* of the image, across and along */
    ptrdiff_t across, along; /* from one entry of the integral images to the next */
    int place_shift, size_shift, at_shift, by_shift; /* fields of a record: across, along */
} Direction;

/* The line of `parts` cells of size `cell` at `place`; without sizes where no rectangle has them.
 */
HAAR_FORCE_INLINE Line line_of(const Scan *scan, const Direction *d, int32_t type, int32_t parts,
                               int32_t place, int32_t cell) {
    const HaarPacking *packing = &scan->batch->packing;
    const HaarPoint *point = &scan->batch->point;
    const int32_t whole = parts * cell;
    const int32_t smallest = whole < point->min_side ? point->min_side : whole;
    const int32_t room = d->extent - place;
    const int32_t largest = whole + parts - 1 < room ? whole + parts - 1 : room;
    return (Line){
        .length = d->length,
        .shortest = shortest_in_reach(scan, HAAR_PIXEL_MAX * (parts - 1) * cell, point->min_side),
        .bits = (uint64_t)(packing->value_offset - point->threshold) +
                ((uint64_t)type << packing->type_shift) + ((uint64_t)place << d->place_shift) +
                ((uint64_t)smallest << d->size_shift),
        .at_shift = d->at_shift,
        .by_shift = d->by_shift,
        .sizes = largest - smallest + 1,
        .size_step = UINT64_C(1) << d->size_shift,
    };
}

HAAR_FORCE_INLINE void scan_twos(const Scan *scan, const Direction *d, int32_t type, int32_t place,
                                 bool with_checker) {
    const HaarPacking *packing = &scan->batch->packing;
    const int32_t min_side = scan->batch->point.min_side;
    const int32_t first = min_side / 2 > 1 ? min_side / 2 : 1;
    for (int32_t cell = first; place + 2 * cell <= d->extent; cell++) {
        const Line line = line_of(scan, d, type, 2, place, cell);
        const int32_t checker_cell = shortest_in_reach(scan, HAAR_PIXEL_MAX * 2 * cell, first);
        const bool line_reaches = line.shortest <= line.length;
        const bool checker_reaches = with_checker && 2 * checker_cell <= line.length;
        if (line.sizes < 1 || (!line_reaches && !checker_reaches)) {
            continue;
        }
        make_line_of_two(scan, scan->integral + place * d->across, cell * d->across, d->along,
                         d->length);
        scan_line(scan, &line);
        if (checker_reaches) {
            Line checker = line;
            checker.bits += (uint64_t)(HAAR_CHECKER - type) << packing->type_shift;
            scan_checker(scan, &checker, checker_cell);
        }
    }
}

HAAR_FORCE_INLINE void scan_threes(const Scan *scan, const Direction *d, int32_t type,
                                   int32_t place) {
    const int32_t min_side = scan->batch->point.min_side;
    const int32_t first = min_side / 3 > 1 ? min_side / 3 : 1;
    for (int32_t cell = first; place + 3 * cell <= d->extent; cell++) {
        const Line line = line_of(scan, d, type, 3, place, cell);
        if (line.sizes >= 1 && line.shortest <= line.length) {
            make_line_of_three(scan, scan->integral + place * d->across, cell * d->across, d->along,
                               d->length);
            scan_line(scan, &line);
        }
    }
}

HAAR_FORCE_INLINE void scan_batch(const Scan *scan) {
    const HaarPacking *packing = &scan->batch->packing;
    const int b = packing->value_bits;
    const int s = packing->side_bits;
    const Direction columns = {
        .extent = scan->width,
        .length = scan->height,
        .across = LANES,
        .along = (ptrdiff_t)(scan->width + 1) * LANES,
        .place_shift = b + 3 * s,
        .size_shift = b + s,
        .at_shift = b + 2 * s,
        .by_shift = b,
    };
    const Direction rows = {
        .extent = scan->height,
        .length = scan->width,
        .across = columns.along,
        .along = LANES,
        .place_shift = columns.at_shift,
        .size_shift = columns.by_shift,
        .at_shift = columns.place_shift,
        .by_shift = columns.size_shift,
    };
    for (int32_t x = 0; x < scan->width; x++) {
        scan_twos(scan, &columns, HAAR_TWO_COLUMNS, x, true);
        scan_threes(scan, &columns, HAAR_THREE_COLUMNS, x);
    }
    for (int32_t y = 0; y < scan->height; y++) {
        scan_twos(scan, &rows, HAAR_TWO_ROWS, y, false);
        scan_threes(scan, &rows, HAAR_THREE_ROWS, y);
    }
}

HAAR_FORCE_INLINE void begin(const HaarBatch *batch, Scan *scan) {
    const ImageSet *set = &batch->workload->set;
    const ptrdiff_t entries = (ptrdiff_t)(set->width + 1) * (set->height + 1);
    const ptrdiff_t longest = (set->width > set->height ? set->width : set->height) + 1;
    int32_t *integral = batch->scratch;
    scan->batch = batch;
    scan->width = set->width;
    scan->height = set->height;
    scan->integral = integral;
    scan->line = integral + entries * LANES;
    scan->twice = scan->line + longest * LANES;
    scan->threshold = spread_32(batch->point.threshold);
    scan->floor = spread_32(2 * batch->point.threshold + 1);
    make_integrals(scan, integral, (uint8_t *)scan->line);
}

static HAAR_TARGET void collect(const HaarBatch *batch, HaarSink *sink) {
    Scan scan = {.storing = true, .sink = sink};
    begin(batch, &scan);
    scan_batch(&scan);
}

static HAAR_TARGET uint64_t count(const HaarBatch *batch) {
    uint64_t found = 0;
    Scan scan = {.storing = false, .found = &found};
    begin(batch, &scan);
    scan_batch(&scan);
    return found;
}
