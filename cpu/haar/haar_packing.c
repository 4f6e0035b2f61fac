#include "haar_internal.h"

enum { RECORD_BITS = 64, FORMAT_SHIFT = 8, MIN_SIDE = 4, THRESHOLD = 25000 };

HaarPoint haar_point(const Point *answer) {
    return (HaarPoint){
        .min_side = (int32_t)point_integer(answer, "min-side", MIN_SIDE),
        .threshold = (int32_t)point_integer(answer, "threshold", THRESHOLD),
    };
}

/* Bits that numbers 0 … most need. */
static int bits_for(uint32_t most) {
    int bits = 0;
    while (most >> bits != 0) {
        bits++;
    }
    return bits;
}

/* The offset is the middle of the range, so the two bit counts define the packing. */
static HaarPacking packing_of_bits(int value_bits, int side_bits) {
    const int type_shift = value_bits + 4 * side_bits;
    return (HaarPacking){
        .value_bits = value_bits,
        .side_bits = side_bits,
        .type_shift = type_shift,
        .image_shift = type_shift + HAAR_TYPE_BITS,
        .value_offset = (int32_t)(UINT32_C(1) << (value_bits - 1)),
    };
}

Status haar_packing(const ImageSet *set, HaarPacking *packing) {
    const int32_t w = set->width;
    const int32_t h = set->height;
    if (w > HAAR_SIDE_MAX || h > HAAR_SIDE_MAX) {
        return status_skip("images of %d×%d are too large: haar takes sides up to %d", w, h,
                           HAAR_SIDE_MAX);
    }
    int32_t reach = 0;
    for (int32_t type = 0; type < HAAR_TYPES; type++) {
        const int32_t of_type = haar_reach(type, w, h);
        reach = of_type > reach ? of_type : reach;
    }
    /* One bit more for the sign. */
    *packing = packing_of_bits(bits_for((uint32_t)reach) + 1, bits_for((uint32_t)(w > h ? w : h)));
    const int image_bits = bits_for((uint32_t)(set->count - 1));
    if (packing->image_shift + image_bits > RECORD_BITS) {
        return status_skip("records of %d images of %d×%d do not fit %d bits: haar takes up to "
                           "%llu images of this size",
                           set->count, w, h, RECORD_BITS,
                           1ULL << (RECORD_BITS - packing->image_shift));
    }
    return status_ok();
}

uint32_t haar_packing_format(const HaarPacking *packing) {
    return (uint32_t)packing->side_bits << FORMAT_SHIFT | (uint32_t)packing->value_bits;
}

HaarPacking haar_packing_of_format(uint32_t format) {
    return packing_of_bits((int)(format & ((1U << FORMAT_SHIFT) - 1)),
                           (int)(format >> FORMAT_SHIFT));
}
