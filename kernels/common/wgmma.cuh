/*
 * Products of bits or of bytes by a warpgroup, four warps together (wgmma): Hopper's instruction,
 * which is there where code is compiled for sm_90a and nowhere else. Without it these functions
 * compile to nothing.
 *
 * A, 64 rows of 32 bytes, lies in registers: lane l of warp w, with group g = l / 4 and place
 * t = l % 4, has words t of rows 16w + g and 16w + g + 8, then words t + 4 of both. B, 128 columns
 * of 32 bytes, lies in shared memory: wgmma_operand. The sums, 64 × 128: of eight columns from 8j
 * on, sums[4j … 4j + 3] are row 16w + g, columns 2t and 2t + 1, then row 16w + g + 8, the same
 * columns. All of it as with mma.sync.m16n8k256 and m16n8k32.
 */
#ifndef KERNELS_COMMON_WGMMA_CUH
#define KERNELS_COMMON_WGMMA_CUH

#include <cstdint>

enum { WGMMA_COLUMNS = 128, WGMMA_SUMS = 64 };

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define WGMMA_IS_HERE 1
#else
#define WGMMA_IS_HERE 0
#endif

/* Names B: [half of a column's 32 bytes][column] of 16 bytes, aligned to 128. */
static __device__ __forceinline__ uint64_t wgmma_operand(const uint4 (&columns)[2][WGMMA_COLUMNS]) {
    const uint32_t address = (uint32_t)__cvta_generic_to_shared(columns);
    constexpr uint64_t HALF = sizeof columns[0] >> 4;  /* from one half to the other */
    constexpr uint64_t EIGHT = 8 * sizeof(uint4) >> 4; /* from eight columns to the next */
    return (uint64_t)((address & 0x3FFFF) >> 4) | HALF << 16 | EIGHT << 32;
}

/* After shared memory was written, before the barrier that comes before the products. */
static __device__ __forceinline__ void wgmma_wrote_operands() {
#if WGMMA_IS_HERE
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/* Before products whose A, of that many steps of 32 bytes, was written since the last ones ended.
 */
template <int STEPS> static __device__ __forceinline__ void wgmma_begin(uint32_t (&a)[STEPS][4]) {
#if WGMMA_IS_HERE
#pragma unroll
    for (int i = 0; i < STEPS; i++) { /* not written later */
        asm volatile("" : "+r"(a[i][0]), "+r"(a[i][1]), "+r"(a[i][2]), "+r"(a[i][3]));
    }
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#else
    (void)a;
#endif
}

#define WGMMA_SUM(i) "+r"(sums[i]), "+r"(sums[i + 1]), "+r"(sums[i + 2]), "+r"(sums[i + 3])
#define WGMMA_SUMS_OF_16(i) WGMMA_SUM(i), WGMMA_SUM(i + 4), WGMMA_SUM(i + 8), WGMMA_SUM(i + 12)
#define WGMMA_ALL_SUMS                                                                             \
    WGMMA_SUMS_OF_16(0), WGMMA_SUMS_OF_16(16), WGMMA_SUMS_OF_16(32), WGMMA_SUMS_OF_16(48)

/* Adds to the sums where `adds` is not 0. */
#define WGMMA_MULTIPLY(shape_and_types, adds)                                                      \
    asm volatile("{\n\t.reg .pred adds;\n\tsetp.ne.u32 adds, %69, 0;\n\t"                          \
                 "wgmma.mma_async.sync.aligned." shape_and_types " "                               \
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "         \
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, "     \
                 "%31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, "     \
                 "%46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, "     \
                 "%61, %62, %63}, {%64, %65, %66, %67}, %68, adds;\n\t}"                           \
                 : WGMMA_ALL_SUMS                                                                  \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(adds)                   \
                 : "memory")

/* Begins sums = A·B (`first`), or sums += A·B: how many bits both have. */
template <bool first>
static __device__ __forceinline__ void wgmma_bits(uint32_t (&sums)[WGMMA_SUMS],
                                                  const uint32_t (&a)[4], uint64_t b) {
#if WGMMA_IS_HERE
    WGMMA_MULTIPLY("m64n128k256.s32.b1.b1.and.popc", first ? 0 : 1);
#endif
}

/* The same of signed bytes: the sums are signed too. */
template <bool first>
static __device__ __forceinline__ void wgmma_bytes(uint32_t (&sums)[WGMMA_SUMS],
                                                   const uint32_t (&a)[4], uint64_t b) {
#if WGMMA_IS_HERE
    WGMMA_MULTIPLY("m64n128k32.s32.s8.s8", first ? 0 : 1);
#endif
}

/* Waits for the products that were begun. */
static __device__ __forceinline__ void wgmma_end(uint32_t (&sums)[WGMMA_SUMS]) {
#if WGMMA_IS_HERE
    asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::
                     : "memory");
    asm volatile("" : WGMMA_ALL_SUMS); /* not read before */
#endif
}

#undef WGMMA_MULTIPLY
#undef WGMMA_ALL_SUMS
#undef WGMMA_SUMS_OF_16
#undef WGMMA_SUM

#endif
