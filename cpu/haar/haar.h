/*
 * haar: every Haar-like feature of every image of a set, those kept whose value is large.
 *
 * Definition. In each image, every rectangle with both sides ≥ --min-side at every position is
 * split in each of the five ways of haar_features.h. A feature is kept when |value| > --threshold:
 * it gives one record. 28×28 pixels with min-side 5 have 90,000 rectangles and 450,000 features, as
 * the study counts; with min-side 4 105,625 and 528,125.
 *
 * Records. 64 bits: image, type, x, y, w, h and value, each as many bits as the set needs
 * (HaarPacking), so that what is copied from a device is as small as it can be. They may be in any
 * order; answers are compared by their number and by digests that do not depend on the order.
 *
 * How many records there are is not known before the answer is. The harness has them counted once
 * when the input is loaded, for the memory it compares answers in (haar_output_layout). A variant
 * must not use that number: it counts, or grows its buffer and goes on, or writes into a buffer for
 * the worst case, or into the answer as far as there is room (haar_internal.h), and never writes
 * more than the layout has room for; what it finds in all goes into the part "count", so that one
 * record too many is a wrong answer and not lost.
 *
 * Source: "Object Recognition Training using CUDA", a course project of 2015 (60,000 images of
 * digits, 28×28: 9.9 s on a GTX 970, 15.3 times OpenMP, 58.6 times one thread).
 */
#ifndef CPU_HAAR_H
#define CPU_HAAR_H

#include "algorithm.h"
#include "haar_features.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parts of the answer. */
enum { HAAR_PART_COUNT, HAAR_PART_RECORDS };

/* Bits of each field of a record, from the lowest: value, h, w, y, x, type, image. */
typedef struct HaarPacking {
    int value_bits; /* of value + value_offset */
    int side_bits;  /* of each of h, w, y, x */
    int type_shift, image_shift;
    int32_t value_offset; /* makes the least value 0 */
} HaarPacking;

enum { HAAR_TYPE_BITS = 3 };

/* One axis value each: --min-side and --threshold. */
typedef struct HaarPoint {
    int32_t min_side, threshold;
} HaarPoint;

HaarPoint haar_point(const Point *answer);

/* STATUS_SKIP when a record of these images has more than 64 bits (images of 28×28: more than
 * 2^23 of them), or when a side is longer than HAAR_SIDE_MAX. */
Status haar_packing(const ImageSet *set, HaarPacking *packing);

HAAR_INLINE uint64_t haar_pack(const HaarPacking *packing, uint32_t image, HaarFeature f,
                               int32_t value) {
    const int b = packing->value_bits, s = packing->side_bits;
    return (uint64_t)(uint32_t)(value + packing->value_offset) | (uint64_t)f.h << b |
           (uint64_t)f.w << (b + s) | (uint64_t)f.y << (b + 2 * s) | (uint64_t)f.x << (b + 3 * s) |
           (uint64_t)f.type << packing->type_shift | (uint64_t)image << packing->image_shift;
}

/* What is in a record. */
typedef struct HaarRecord {
    uint32_t image;
    HaarFeature feature;
    int32_t value;
} HaarRecord;

/* The `bits` bits of a record from `shift` on. */
HAAR_INLINE uint32_t haar_field(uint64_t record, int shift, int bits) {
    return (uint32_t)(record >> shift & ((UINT64_C(1) << bits) - 1));
}

HAAR_INLINE HaarRecord haar_unpack(const HaarPacking *packing, uint64_t record) {
    const int b = packing->value_bits, s = packing->side_bits;
    const HaarFeature f = {
        (uint8_t)haar_field(record, packing->type_shift, HAAR_TYPE_BITS),
        (uint8_t)haar_field(record, b + 3 * s, s), (uint8_t)haar_field(record, b + 2 * s, s),
        (uint8_t)haar_field(record, b + s, s), (uint8_t)haar_field(record, b, s)};
    const HaarRecord unpacked = {(uint32_t)(record >> packing->image_shift), f,
                                 (int32_t)haar_field(record, 0, b) - packing->value_offset};
    return unpacked;
}

/* The answer's parts in memory. */
static inline uint64_t *haar_count(const Output *output) {
    return (uint64_t *)output_part(output, HAAR_PART_COUNT);
}
static inline uint64_t *haar_records(const Output *output) {
    return (uint64_t *)output_part(output, HAAR_PART_RECORDS);
}
static inline size_t haar_capacity(const Output *output) {
    return output->layout.parts[HAAR_PART_RECORDS].width;
}

#ifdef __cplusplus
}
#endif

#endif
