/*
 * The kernel "product" of hashsift_fast: values times B on the matrix units, and the signs of what
 * comes out, which never leave the registers. A block has 64 keypoints; each of its eight warps has
 * all of them and an eighth of the bits.
 */
#ifndef KERNELS_HASHSIFT_FAST_PROJECT_CUH
#define KERNELS_HASHSIFT_FAST_PROJECT_CUH

#include <cuda_fp16.h>

#include "hashsift_fragments.h"

enum {
    PROJECT_ROWS = 16, /* keypoints that are multiplied at once */
    PROJECT_TILES = 4, /* of them in a block */
    PROJECT_KEYPOINTS = PROJECT_ROWS * PROJECT_TILES,
    PROJECT_WARPS = 8,
    PROJECT_THREADS = PROJECT_WARPS * FRAGMENT_LANES,
    PROJECT_PITCH = HASHSIFT_VALUES + 8, /* halves per row in shared memory: other banks each */
    PROJECT_BYTES_MAX = 64               /* of a descriptor */
};

/* The 16×16 values of a tile in a step, as the matrix units take them. */
typedef struct ProjectRows {
    uint32_t part[4];
} ProjectRows;

static __device__ __forceinline__ ProjectRows project_load_rows(const __half *tile, int step,
                                                                int lane) {
    const __half *row =
        tile + (lane % PROJECT_ROWS) * PROJECT_PITCH + step * FRAGMENT_VALUES + lane / 16 * 8;
    const uint32_t address = (uint32_t)__cvta_generic_to_shared(row);
    ProjectRows rows;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(rows.part[0]), "=r"(rows.part[1]), "=r"(rows.part[2]), "=r"(rows.part[3])
                 : "r"(address)
                 : "memory");
    return rows;
}

/* sums += 16 keypoints × 16 values × 8 bits. */
static __device__ __forceinline__ void project_multiply(float (&sums)[4], const ProjectRows &rows,
                                                        const uint32_t (&factors)[2]) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(rows.part[0]), "r"(rows.part[1]), "r"(rows.part[2]), "r"(rows.part[3]),
          "r"(factors[0]), "r"(factors[1]));
#else
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
            "{%0, %1, %2, %3};"
            : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
            : "r"(rows.part[2 * half]), "r"(rows.part[2 * half + 1]), "r"(factors[half]));
    }
#endif
}

/* Two responses of neighbouring bits as bits 7 - 2q and 6 - 2q of their byte, to which the four
 * lanes of a row contribute. */
static __device__ __forceinline__ unsigned project_signs(float first, float second, int q) {
    unsigned bits = (unsigned)(first > 0.0F) << (7 - 2 * q) | (unsigned)(second > 0.0F)
                                                                  << (6 - 2 * q);
    bits |= __shfl_xor_sync(0xFFFFFFFFU, bits, 1);
    bits |= __shfl_xor_sync(0xFFFFFFFFU, bits, 2);
    return bits;
}

/* Values of the block's keypoints to shared memory, 0 for those beyond the last. */
static __device__ __forceinline__ void project_load_values(const __half *values, int first,
                                                           int count, __half *room) {
    enum { CHUNK = 8, CHUNKS = HASHSIFT_VALUES / CHUNK };
    for (int i = (int)threadIdx.x; i < PROJECT_KEYPOINTS * CHUNKS; i += PROJECT_THREADS) {
        const int row = i / CHUNKS;
        const int chunk = i % CHUNKS;
        uint4 eight = make_uint4(0, 0, 0, 0);
        if (first + row < count) {
            eight = ((const uint4 *)(values + (size_t)(first + row) * HASHSIFT_VALUES))[chunk];
        }
        *(uint4 *)(room + row * PROJECT_PITCH + chunk * CHUNK) = eight;
    }
}

/* The byte of eight bits for all keypoints of the block. */
static __device__ __forceinline__ void project_tile(const __half *room, const Fragment *fragments,
                                                    const float *bias, int lane,
                                                    unsigned char *bytes, int pitch) {
    const float2 start = *(const float2 *)(bias + 2 * (lane % 4));
    Fragment factors[FRAGMENT_STEPS];
#pragma unroll
    for (int step = 0; step < FRAGMENT_STEPS; ++step) {
        *(uint4 *)&factors[step] = ((const uint4 *)fragments)[step * FRAGMENT_LANES + lane];
    }
#pragma unroll
    for (int tile = 0; tile < PROJECT_TILES; ++tile) {
        float sums[4] = {start.x, start.y, start.x, start.y};
#pragma unroll
        for (int step = 0; step < FRAGMENT_STEPS; ++step) {
            const ProjectRows rows =
                project_load_rows(room + tile * PROJECT_ROWS * PROJECT_PITCH, step, lane);
            project_multiply(sums, rows, factors[step].low);
            project_multiply(sums, rows, factors[step].high);
        }
        const unsigned upper = project_signs(sums[0], sums[1], lane % 4);
        const unsigned lower = project_signs(sums[2], sums[3], lane % 4);
        if (lane % 4 == 0) {
            unsigned char *byte = bytes + (tile * PROJECT_ROWS + lane / 4) * pitch;
            byte[0] = (unsigned char)upper;
            byte[8 * pitch] = (unsigned char)lower;
        }
    }
}

static __global__ void __launch_bounds__(PROJECT_THREADS)
    hashsift_fast_project(const __half *values, const Fragment *fragments, const float *bias,
                          int count, int bits, unsigned char *descriptors) {
    __shared__ __align__(16) __half room[PROJECT_KEYPOINTS * PROJECT_PITCH];
    __shared__ __align__(16) unsigned char bytes[PROJECT_KEYPOINTS * PROJECT_BYTES_MAX];
    const int lane = (int)threadIdx.x % FRAGMENT_LANES;
    const int warp = (int)threadIdx.x / FRAGMENT_LANES;
    const int first = (int)blockIdx.x * PROJECT_KEYPOINTS;
    const int row_bytes = bits / 8;
    project_load_values(values, first, count, room);
    __syncthreads();
    for (int byte = warp; byte < row_bytes; byte += PROJECT_WARPS) {
        project_tile(room, fragments + (size_t)byte * FRAGMENT_STEPS * FRAGMENT_LANES,
                     bias + 8 * byte, lane, bytes + byte, row_bytes);
    }
    __syncthreads();
    const int rows = min(PROJECT_KEYPOINTS, count - first);
    const uint4 *from = (const uint4 *)bytes;
    uint4 *to = (uint4 *)(descriptors + (size_t)first * row_bytes);
    for (int i = (int)threadIdx.x; i < rows * row_bytes / (int)sizeof(uint4);
         i += PROJECT_THREADS) {
        to[i] = from[i];
    }
}

#endif
