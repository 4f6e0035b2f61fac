/* Features as the study has them in host memory, and what makes them of packed records there. */
#ifndef KERNELS_HAAR_HAAR_UNPACK_H
#define KERNELS_HAAR_HAAR_UNPACK_H

#include <stddef.h>

#include "haar.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A feature kept, 12 bytes as the study's; its image is known from where it stands. */
typedef struct HaarWide {
    int32_t value;
    HaarFeature feature;
} HaarWide;

/* Unpacks `count` records, whatever is in them, on `threads` threads. */
void haar_unpack_all(const HaarPacking *packing, const uint64_t *records, size_t count, int threads,
                     HaarWide *wide);

#ifdef __cplusplus
}
#endif

#endif
