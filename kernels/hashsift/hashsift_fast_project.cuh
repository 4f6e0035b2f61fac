/* The kernel "product" of cuda_fast, and the weights as it reads them. */
#ifndef KERNELS_HASHSIFT_HASHSIFT_FAST_PROJECT_CUH
#define KERNELS_HASHSIFT_HASHSIFT_FAST_PROJECT_CUH

#include <cstdint>
#include <cuda_fp16.h>

#include "early_launch.cuh"
#include "hashsift.h"

/*
 * Fragments: B in the order in which the matrix units of a warp read it, in two numbers of 16 bits.
 *
 * Values are whole numbers up to 255, which halves hold exactly. A factor of B does not fit a half:
 * it is the sum of two, `high` and `low`, to 22 bits. Each row of B is multiplied by a power of two
 * that puts its largest factor (or bias) near 2^10, where halves are precise; the sign of the
 * response, which is all that counts, stays the same.
 */

enum {
    FRAGMENT_BITS = 8,    /* rows of B in a tile */
    FRAGMENT_VALUES = 16, /* factors of each that are multiplied at once */
    FRAGMENT_STEPS = HASHSIFT_VALUES / FRAGMENT_VALUES,
    FRAGMENT_LANES = 32
};

/* What a lane reads of a tile: four factors of row lane / 4, in pairs: those with numbers
 * 2·(lane mod 4) and one more, and those 8 further. Halves, the first in the low bits. */
typedef struct Fragment {
    uint32_t high[2], low[2];
} Fragment;

typedef struct Fragments {
    Fragment *fragments; /* [bits / 8][FRAGMENT_STEPS][FRAGMENT_LANES] */
    float *bias;         /* [bits], times the row's power of two */
} Fragments;

/* === Projection =============================================================================== */

/*
 * The kernel "product" of hashsift_fast: values times B on the matrix units, and the signs of what
 * comes out, which never leave the registers. A block has 64 keypoints and all bits; each of its
 * eight warps has all of them and an eighth of the bits. Few keypoints are shared out among more
 * blocks, 16 to each, and 128 bits: 10.9 to 5.4 µs for 1000 on an H200, and cuda_graph's pass at
 * 360p 43.6 to 36.7, in six launches.
 */

enum {
    PROJECT_ROWS = 16, /* keypoints that are multiplied at once */
    PROJECT_TILES = 4, /* of them in a block, where there are many */
    PROJECT_PART = 16, /* bytes of a descriptor in a block, where there are few */
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
    for (int half = 0; half < 2; half++) {
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
template <int TILES>
static __device__ __forceinline__ void project_load_values(const __half *values, int first,
                                                           int count, __half *room) {
    enum { CHUNK = 8, CHUNKS = HASHSIFT_VALUES / CHUNK };
    for (int i = (int)threadIdx.x; i < TILES * PROJECT_ROWS * CHUNKS; i += PROJECT_THREADS) {
        const int row = i / CHUNKS;
        const int chunk = i % CHUNKS;
        uint4 eight = make_uint4(0, 0, 0, 0);
        if (first + row < count) {
            eight = ((const uint4 *)(values + (size_t)(first + row) * HASHSIFT_VALUES))[chunk];
        }
        *(uint4 *)(room + row * PROJECT_PITCH + chunk * CHUNK) = eight;
    }
}

/* What a warp needs of B for eight bits. */
typedef struct ProjectFactors {
    Fragment steps[FRAGMENT_STEPS];
    float2 bias; /* of the lane's two bits */
} ProjectFactors;

static __device__ __forceinline__ ProjectFactors project_load_factors(const Fragment *fragments,
                                                                      const float *bias, int byte,
                                                                      int lane) {
    const uint4 *of_byte =
        (const uint4 *)fragments + (size_t)byte * FRAGMENT_STEPS * FRAGMENT_LANES;
    ProjectFactors factors;
    factors.bias = *(const float2 *)(bias + 8 * byte + 2 * (lane % 4));
#pragma unroll
    for (int step = 0; step < FRAGMENT_STEPS; step++) {
        *(uint4 *)&factors.steps[step] = of_byte[step * FRAGMENT_LANES + lane];
    }
    return factors;
}

/* The byte of eight bits for all keypoints of the block. */
template <int TILES>
static __device__ __forceinline__ void project_tile(const __half *room,
                                                    const ProjectFactors &factors, int lane,
                                                    unsigned char *bytes, int pitch) {
#pragma unroll
    for (int tile = 0; tile < TILES; tile++) {
        float sums[4] = {factors.bias.x, factors.bias.y, factors.bias.x, factors.bias.y};
#pragma unroll
        for (int step = 0; step < FRAGMENT_STEPS; step++) {
            const ProjectRows rows =
                project_load_rows(room + tile * PROJECT_ROWS * PROJECT_PITCH, step, lane);
            project_multiply(sums, rows, factors.steps[step].low);
            project_multiply(sums, rows, factors.steps[step].high);
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

/* A block has TILES × 16 keypoints and `part` bytes of their descriptors, a multiple of 16. Where
 * there are few, the first factors, which do not come from the kernel before, are under way while
 * it ends. */
template <int TILES>
static __global__ void __launch_bounds__(PROJECT_THREADS)
    hashsift_fast_project(const __half *values, const Fragment *fragments, const float *bias,
                          int count, int row_bytes, int part, unsigned char *descriptors) {
    constexpr int KEYPOINTS = TILES * PROJECT_ROWS;
    constexpr bool FEW = TILES < PROJECT_TILES;
    __shared__ __align__(16) __half room[KEYPOINTS * PROJECT_PITCH];
    __shared__ __align__(16) unsigned char bytes[KEYPOINTS * PROJECT_BYTES_MAX];
    const int lane = (int)threadIdx.x % FRAGMENT_LANES;
    const int warp = (int)threadIdx.x / FRAGMENT_LANES;
    const int first = (int)blockIdx.x * KEYPOINTS;
    const int first_byte = (int)blockIdx.y * part;
    ProjectFactors factors;
    if (FEW) {
        factors = project_load_factors(fragments, bias, first_byte + warp, lane);
    }
    wait_for_kernel_before();
    project_load_values<TILES>(values, first, count, room);
    __syncthreads();
    for (int byte = warp; byte < part; byte += PROJECT_WARPS) {
        if (!FEW || byte != warp) {
            factors = project_load_factors(fragments, bias, first_byte + byte, lane);
        }
        project_tile<TILES>(room, factors, lane, bytes + byte, part);
    }
    __syncthreads();
    const int rows = min(KEYPOINTS, count - first);
    const int quads = part / (int)sizeof(uint4);
    const uint4 *from = (const uint4 *)bytes;
    for (int i = (int)threadIdx.x; i < rows * quads; i += PROJECT_THREADS) {
        const size_t row = (size_t)(first + i / quads) * row_bytes + first_byte;
        ((uint4 *)(descriptors + row))[i % quads] = from[i];
    }
}

#endif
