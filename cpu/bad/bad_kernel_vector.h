/*
 * The work of bad_internal.h in terms of a few vector operations. Included once by each kernel,
 * which has defined BAD_TARGET          attributes of functions that use its instruction set
 *   Vector, Floats      LANES numbers of 32 bits, whole and floating; words of simd_avx2.h
 *   divide_floats
 *   at_most             a bit for each lane: where the first number is no larger than the second
 *   gather              entries at the places of a vector
 */
#include <string.h>

#define BAD_FORCE_INLINE static inline __attribute__((always_inline)) BAD_TARGET

/* A keypoint's map and its image, in all lanes. */
typedef struct Spread {
    const uint32_t *entries;
    Floats c, n, x0, y0, s, half;
    Vector stride, right, bottom; /* right, bottom: the last column and row */
} Spread;

BAD_FORCE_INLINE Spread spread_place(const BadIntegral *integral, const BadPlace *place) {
    return (Spread){
        .entries = integral->entries,
        .c = spread_float(place->map.c),
        .n = spread_float(place->map.n),
        .x0 = spread_float(place->map.x0),
        .y0 = spread_float(place->map.y0),
        .s = spread_float(place->map.s),
        .half = spread_float(0.5F),
        .stride = spread_32((int32_t)integral->stride),
        .right = spread_32(integral->width - 1),
        .bottom = spread_32(integral->height - 1),
    };
}

BAD_FORCE_INLINE Floats map_x(const Spread *at, Floats x, Floats y) {
    return add_floats(subtract_floats(multiply_floats(at->c, x), multiply_floats(at->n, y)),
                      at->x0);
}

BAD_FORCE_INLINE Floats map_y(const Spread *at, Floats x, Floats y) {
    return add_floats(add_floats(multiply_floats(at->n, x), multiply_floats(at->c, y)), at->y0);
}

/* bad_round of positions that are not beyond ±BAD_POSITION_MAX. */
BAD_FORCE_INLINE Vector round_near(const Spread *at, Floats position) {
    return truncate(add_floats(position, at->half));
}

BAD_FORCE_INLINE Vector round_any(const Spread *at, Floats position) {
    const Floats low = larger_float(position, spread_float((float)-BAD_POSITION_MAX));
    return round_near(at, smaller_float(low, spread_float((float)BAD_POSITION_MAX)));
}

/* Boxes inside the image: where their centres are among the entries, and how far it is from there
 * to the bottom right and bottom left, and back to the top left and top right. */
typedef struct Boxes {
    uint32_t centre1[LANES], centre2[LANES], outer[LANES], inner[LANES];
} Boxes;

BAD_FORCE_INLINE Vector centres(const Spread *at, Floats x, Floats y) {
    const Vector row = round_near(at, map_y(at, x, y));
    return add_32(multiply_32(row, at->stride), round_near(at, map_x(at, x, y)));
}

/* Sums of the first boxes less those of the second. Entries are loaded one by one, which takes half
 * the time that gathering them does. */
BAD_FORCE_INLINE Vector subtract_boxes(const uint32_t *entries, size_t stride, const Boxes *boxes) {
    uint32_t differences[LANES];
#pragma GCC unroll 8
    for (int i = 0; i < LANES; i++) {
        const ptrdiff_t outer = boxes->outer[i];
        const ptrdiff_t inner = boxes->inner[i];
        const uint32_t *top1 = entries + boxes->centre1[i];
        const uint32_t *top2 = entries + boxes->centre2[i];
        const uint32_t *bottom1 = top1 + stride;
        const uint32_t *bottom2 = top2 + stride;
        differences[i] = bottom1[outer + 1] - bottom1[inner] - top1[1 - inner] + top1[-outer] -
                         bottom2[outer + 1] + bottom2[inner] + top2[1 - inner] - top2[-outer];
    }
    return load(differences);
}

/* float(sum 1 - sum 2) ≤ threshold · (2 · radius + 1)² */
BAD_FORCE_INLINE unsigned compare_sums(Vector difference, Vector radius, Floats threshold) {
    const Floats side = to_floats(add_32(add_32(radius, radius), spread_32(1)));
    return at_most(to_floats(difference), multiply_floats(threshold, multiply_floats(side, side)));
}

/* A sum, and the pixels that it is of. */
typedef struct BoxSum {
    Vector sum, area;
} BoxSum;

BAD_FORCE_INLINE Vector move_inside(Vector position, Vector low, Vector high) {
    return smaller_32(larger_32(position, low), high);
}

/* Boxes moved into the image. */
BAD_FORCE_INLINE BoxSum sum_moved(const Spread *at, Floats x, Floats y, Vector radius) {
    const Vector zero = spread_32(0);
    const Vector one = spread_32(1);
    const Vector column = round_any(at, map_x(at, x, y));
    const Vector row = round_any(at, map_y(at, x, y));
    const Vector left = move_inside(subtract_32(column, radius), zero, at->right);
    const Vector top = move_inside(subtract_32(row, radius), zero, at->bottom);
    const Vector right = add_32(move_inside(add_32(column, radius), zero, at->right), one);
    const Vector bottom = add_32(move_inside(add_32(row, radius), zero, at->bottom), one);
    const Vector above = multiply_32(top, at->stride);
    const Vector below = multiply_32(bottom, at->stride);
    const Vector upper = subtract_32(gather(at->entries, add_32(above, right)),
                                     gather(at->entries, add_32(above, left)));
    const Vector lower = subtract_32(gather(at->entries, add_32(below, right)),
                                     gather(at->entries, add_32(below, left)));
    return (BoxSum){.sum = subtract_32(lower, upper),
                    .area = multiply_32(subtract_32(right, left), subtract_32(bottom, top))};
}

BAD_FORCE_INLINE unsigned test_inside(const Spread *at, const BadIntegral *integral,
                                      const BadColumns *columns, int32_t i) {
    const Vector radius = round_near(at, multiply_floats(at->s, load_floats(columns->radius + i)));
    const Vector rows = multiply_32(radius, at->stride);
    Boxes boxes;
    store(boxes.outer, add_32(rows, radius));
    store(boxes.inner, subtract_32(rows, radius));
    store(boxes.centre1, centres(at, load_floats(columns->x1 + i), load_floats(columns->y1 + i)));
    store(boxes.centre2, centres(at, load_floats(columns->x2 + i), load_floats(columns->y2 + i)));
    return compare_sums(subtract_boxes(integral->entries, integral->stride, &boxes), radius,
                        load_floats(columns->threshold + i));
}

BAD_FORCE_INLINE unsigned test_moved(const Spread *at, bool near_border, const BadColumns *columns,
                                     int32_t i) {
    const Floats threshold = load_floats(columns->threshold + i);
    const Vector radius =
        move_inside(round_any(at, multiply_floats(at->s, load_floats(columns->radius + i))),
                    spread_32(0), spread_32(BAD_RADIUS_MAX));
    const BoxSum box1 =
        sum_moved(at, load_floats(columns->x1 + i), load_floats(columns->y1 + i), radius);
    const BoxSum box2 =
        sum_moved(at, load_floats(columns->x2 + i), load_floats(columns->y2 + i), radius);
    if (!near_border) {
        return compare_sums(subtract_32(box1.sum, box2.sum), radius, threshold);
    }
    const Floats average1 = divide_floats(to_floats(box1.sum), to_floats(box1.area));
    const Floats average2 = divide_floats(to_floats(box2.sum), to_floats(box2.area));
    return at_most(subtract_floats(average1, average2), threshold);
}

static BAD_TARGET void describe(const BadIntegral *integral, const BadTests *tests,
                                const BadPlace *place, bool inside, uint8_t *descriptor) {
    const Spread at = spread_place(integral, place);
    const bool sums_inside = inside && !place->near_border;
    for (int32_t i = 0; i < tests->bits; i += LANES) {
        const unsigned bits = sums_inside ? test_inside(&at, integral, tests->columns, i)
                                          : test_moved(&at, place->near_border, tests->columns, i);
        memcpy(descriptor + i / 8, &bits, LANES / 8);
    }
}
