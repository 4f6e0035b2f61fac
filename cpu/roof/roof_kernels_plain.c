/* Ceilings on any processor: vectors of 16 bytes, which the compiler makes of what there is. */
#include "cpu_features.h"
#include "roof_internal.h"

#define ROOF_VECTOR 16
#define ROOF_TARGET
#include "roof_kernels_vector.h"

const RoofKernels roof_kernels_plain = {
    .name = "plain",
    .supported = cpu_any,
    .operations_fp32 = 2.0 * CHAINS * LANES,
    .operations_int32 = 1.0 * CHAINS * LANES,
    .copy = copy_lines,
    .fp32 = multiply_add,
    .int32 = add,
};

CPU_KERNELS(RoofKernels, roof_kernel_sets, roof_kernels_best, &roof_kernels_avx512,
            &roof_kernels_avx2, &roof_kernels_plain)
