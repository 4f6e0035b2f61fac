/*
 * Rows of descriptors as signed bytes whose scalar products give distances.
 *
 * Bits become a byte each, 1 as −v and 0 as v, v being 16 in set A and 8 in B: a product of rows of
 * K bits is 128·(K − 2·distance). Bytes are moved by −128, which leaves differences as they are;
 * the distance is |a|² + |b|² − 2·a·b, for which the squared lengths are kept, times 256.
 *
 * Rows are filled up to whole tiles with copies of the last one. A copy is as near as what it was
 * made of but has a higher index, so that it is nobody's nearest, and no kernel has to ask where
 * the rows end.
 */
#ifndef KERNELS_MATCHING_MATCHING_EXPAND_CUH
#define KERNELS_MATCHING_MATCHING_EXPAND_CUH

#include "matching_kind.cuh"

/* A set expanded. Buffers are in device memory. */
typedef struct MatchingExpanded {
    int32_t rows;      /* a whole number of tiles */
    int8_t *bytes;     /* rows × K, without gaps */
    uint32_t *lengths; /* rows, 256 times the squared lengths; NULL for Hamming distances */
} MatchingExpanded;

enum { MATCHING_A_BYTE = 16, MATCHING_B_BYTE = 8 };

/* Bytes of an expanded row. */
template <typename Kind> constexpr int matching_expanded_bytes() {
    return Kind::DISTANCE == MATCHING_L2 ? Kind::WORDS * 4 : Kind::WORDS * 32;
}

/* Allocates for `count` rows, filled up to a multiple of `tile`. Both are released by
 * matching_expanded_close, also after anything but STATUS_OK. */
Status matching_expanded_open(const MatchingSets *sets, int32_t count, int32_t tile,
                              MatchingExpanded *expanded);
void matching_expanded_close(MatchingExpanded *expanded);

/* Queues expanding rows[0 … count − 1]; count is at least 1. `byte` is what a bit of 0 becomes. */
Status matching_expand(const MatchingSets *sets, const uint8_t *rows, int32_t count, int byte,
                       const MatchingExpanded *expanded);

#endif
