/*
 * Products of 8-bit matrices on tensor cores: of a 16×32 matrix A with a 32×8 matrix B.
 *
 * Lane l of a warp, with group g = l / 4 and place t = l % 4, holds of
 *   A, by rows: rows g and g + 8, of each bytes 4t … 4t + 3 and 16 + 4t … 16 + 4t + 3, as
 *      {g, low}, {g + 8, low}, {g, high}, {g + 8, high};
 *   B, by columns: of column g bytes 4t … 4t + 3 and 16 + 4t … 16 + 4t + 3;
 *   the product: of rows g and g + 8 columns 2t and 2t + 1, as {g, 2t}, {g, 2t + 1}, {g + 8, 2t},
 *      {g + 8, 2t + 1}.
 */
#ifndef KERNELS_MATCHING_MATCHING_MMA_CUH
#define KERNELS_MATCHING_MATCHING_MMA_CUH

#include <cstdint>

enum { MMA_ROWS = 16, MMA_COLUMNS = 8, MMA_BYTES = 32 };

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
/* 8×16 by 16×8: the quarter that devices before 8.0 have, with the same places. */
static __device__ __forceinline__ void mma_quarter(int *sum, uint32_t a, uint32_t b) {
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(sum[0]), "+r"(sum[1])
                 : "r"(a), "r"(b));
}
#endif

/* sum += A·B, signed bytes. */
static __device__ __forceinline__ void mma_add(int (&sum)[4], const uint32_t (&a)[4], uint32_t b0,
                                               uint32_t b1) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    mma_quarter(&sum[0], a[0], b0);
    mma_quarter(&sum[0], a[2], b1);
    mma_quarter(&sum[2], a[1], b0);
    mma_quarter(&sum[2], a[3], b1);
#else
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

/* Four matrices of 8 rows of 16 bytes: lane l names row l % 8 of matrix l / 8, in shared memory and
 * aligned to 16 bytes, and gets bytes 4t … 4t + 3 of row g of each. */
static __device__ __forceinline__ void mma_load(uint32_t (&words)[4], const uint8_t *row) {
    const unsigned int address = (unsigned int)__cvta_generic_to_shared(row);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(address)
                 : "memory");
}

#endif
