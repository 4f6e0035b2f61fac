/* Ceilings with AVX2 and FMA: vectors of 32 bytes. */
#include "cpu_features.h"

#define ROOF_VECTOR 32
#if CPU_HAS_X86_64
#define ROOF_TARGET __attribute__((target("avx2,fma")))
#else
#define ROOF_TARGET
#endif
#include "roof_kernels_vector.h"

const RoofKernels roof_kernels_avx2 = {
    .name = "avx2",
    .supported = cpu_has_avx2_and_fma,
    .operations_fp32 = 2.0 * CHAINS * LANES,
    .operations_int32 = 1.0 * CHAINS * LANES,
    .copy = copy_lines,
    .fp32 = multiply_add,
    .int32 = add,
};
