/*
 * The tests of orb_internal.h in terms of a few vector operations. Included once by each kernel,
 * which has defined ORB_TARGET   attributes of functions that use its instruction set
 *   Vector, Floats       LANES numbers of 32 bits, whole and floating; words of simd_avx2.h
 *   gather_pixels        the bytes at the places of a vector, with three behind each
 *   below                a bit for each lane: where the first byte of a is below that of b
 */
#include <string.h>

#define ORB_FORCE_INLINE static inline __attribute__((always_inline)) ORB_TARGET

/* A keypoint's place and its image, in all lanes. */
typedef struct Spread {
    const uint8_t *pixels;
    Floats a, b;
    Vector x, y, stride, right, bottom; /* right, bottom: the last column and row */
} Spread;

ORB_FORCE_INLINE Spread spread_place(const OrbBlurred *blurred, const OrbPlace *place) {
    return (Spread){
        .pixels = blurred->pixels,
        .a = spread_float(place->a),
        .b = spread_float(place->b),
        .x = spread_32(place->x),
        .y = spread_32(place->y),
        .stride = spread_32((int32_t)blurred->stride),
        .right = spread_32(blurred->width - 1),
        .bottom = spread_32(blurred->height - 1),
    };
}

ORB_FORCE_INLINE Vector turned(Floats position, bool inside) {
    if (!inside) {
        position = larger_float(position, spread_float((float)-ORB_POSITION_MAX));
        position = smaller_float(position, spread_float((float)ORB_POSITION_MAX));
    }
    return round_even(position);
}

ORB_FORCE_INLINE Vector pixels_at(const Spread *at, bool inside, Floats px, Floats py) {
    Vector x = add_32(
        at->x,
        turned(subtract_floats(multiply_floats(at->a, px), multiply_floats(at->b, py)), inside));
    Vector y = add_32(
        at->y, turned(add_floats(multiply_floats(at->b, px), multiply_floats(at->a, py)), inside));
    if (!inside) {
        x = smaller_32(larger_32(x, zeros()), at->right);
        y = smaller_32(larger_32(y, zeros()), at->bottom);
    }
    return gather_pixels(at->pixels, add_32(multiply_32(y, at->stride), x));
}

ORB_FORCE_INLINE void describe_all(const Spread *at, const OrbTests *tests, bool inside,
                                   uint8_t *descriptor) {
    const OrbColumns *columns = tests->columns;
    for (int32_t i = 0; i < tests->bits; i += LANES) {
        const Vector first =
            pixels_at(at, inside, load_floats(columns->x1 + i), load_floats(columns->y1 + i));
        const Vector second =
            pixels_at(at, inside, load_floats(columns->x2 + i), load_floats(columns->y2 + i));
        const unsigned bits = below(first, second);
        memcpy(descriptor + i / 8, &bits, LANES / 8);
    }
}

static ORB_TARGET void describe(const OrbBlurred *blurred, const OrbTests *tests,
                                const OrbPlace *place, bool inside, uint8_t *descriptor) {
    const Spread at = spread_place(blurred, place);
    if (inside) {
        describe_all(&at, tests, true, descriptor);
    } else {
        describe_all(&at, tests, false, descriptor);
    }
}
