/* Ceilings with AVX-512: vectors of 64 bytes. */
#include "cpu_features.h"

#define ROOF_VECTOR 64
#if CPU_HAS_X86_64
#define ROOF_TARGET __attribute__((target("avx512f")))
#else
#define ROOF_TARGET
#endif
#include "roof_kernels_vector.h"

const RoofKernels roof_kernels_avx512 = {
    .name = "avx512",
    .supported = cpu_has_avx512,
    .operations_fp32 = 2.0 * CHAINS * LANES,
    .operations_int32 = 1.0 * CHAINS * LANES,
    .copy = copy_lines,
    .fp32 = multiply_add,
    .int32 = add,
};
