#include "matching_expand.cuh"

#include "cuda_check.h"
#include "cuda_device.h"
#include "round_up.h"

namespace {

constexpr int THREADS = 256;

/* What all bytes of a word are moved by. */
constexpr uint32_t MOVED = 0x80808080;

/* Four bytes, of four bits: `byte` for 0 and −byte for 1, the lowest bit first. */
__device__ __forceinline__ uint32_t four_bytes(uint32_t bits, uint32_t byte) {
    const uint32_t ones = bits * 0x00204081U & 0x01010101U;
    const uint32_t minus_twice = 256 - 2 * byte; /* byte + that is below 256: nothing is carried */
    return byte * 0x01010101U + ones * minus_twice;
}

__device__ __forceinline__ void expand_bits(uint32_t word, uint32_t byte, uint4 *target) {
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const uint32_t half = word >> 16 * i;
        target[i] = make_uint4(four_bytes(half & 15, byte), four_bytes(half >> 4 & 15, byte),
                               four_bytes(half >> 8 & 15, byte), four_bytes(half >> 12 & 15, byte));
    }
}

/* A thread a word; the WORDS threads of a row are lanes of one warp, and warps are whole, as tiles
 * of rows are. */
template <typename Kind>
__global__ void expand(const uint32_t *words, int count, uint32_t byte, int rows, int8_t *bytes,
                       uint32_t *lengths) {
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const int row = (int)(i / Kind::WORDS);
    if (row >= rows) {
        return;
    }
    const int place = (int)(i % Kind::WORDS);
    const uint32_t word = words[(size_t)min(row, count - 1) * Kind::WORDS + (size_t)place];
    if (Kind::DISTANCE == MATCHING_HAMMING) {
        expand_bits(word, byte, (uint4 *)bytes + 2 * i);
        return;
    }
    const int moved = (int)(word ^ MOVED);
    ((int *)bytes)[i] = moved;
    int length = __dp4a(moved, moved, 0);
#pragma unroll
    for (int apart = Kind::WORDS / 2; apart > 0; apart /= 2) {
        length += __shfl_down_sync(~0U, length, (unsigned int)apart, Kind::WORDS);
    }
    if (place == 0) {
        lengths[row] = (uint32_t)length << 8;
    }
}

} // namespace

Status matching_expanded_open(const MatchingSets *sets, int32_t count, int32_t tile,
                              MatchingExpanded *expanded) {
    const bool l2 = sets->distance == MATCHING_L2;
    const size_t rows = round_up((size_t)count, (size_t)tile);
    const size_t bytes = (size_t)sets->bytes * (l2 ? 1 : 8);
    expanded->rows = (int32_t)rows;
    STATUS_TRY(cuda_backend.alloc(rows * bytes, (void **)&expanded->bytes));
    return l2 ? cuda_backend.alloc(rows * sizeof *expanded->lengths, (void **)&expanded->lengths)
              : status_ok();
}

void matching_expanded_close(MatchingExpanded *expanded) {
    cuda_backend.release(expanded->bytes);
    cuda_backend.release(expanded->lengths);
}

Status matching_expand(const MatchingSets *sets, const uint8_t *rows, int32_t count, int byte,
                       const MatchingExpanded *expanded) {
    return matching_for_kind(sets, [&](auto kind) {
        using Kind = decltype(kind);
        const size_t words = (size_t)expanded->rows * Kind::WORDS;
        const unsigned int blocks = (unsigned int)((words + THREADS - 1) / THREADS);
        expand<Kind><<<blocks, THREADS, 0, cuda_stream()>>>((const uint32_t *)rows, count,
                                                            (uint32_t)byte, expanded->rows,
                                                            expanded->bytes, expanded->lengths);
        return CUDA_LAUNCHED();
    });
}
