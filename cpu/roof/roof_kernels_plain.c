/* Ceilings on any processor: vectors of 16 bytes, which the compiler makes of what there is. */
#include "roof_internal.h"

#define ROOF_VECTOR 16
#define ROOF_TARGET
#include "roof_kernels_vector.h"

static bool always_supported(void) {
    return true;
}

const RoofKernels roof_kernels_plain = {
    .name = "plain",
    .supported = always_supported,
    .operations_fp32 = 2.0 * CHAINS * LANES,
    .operations_int32 = 1.0 * CHAINS * LANES,
    .copy = copy_lines,
    .fp32 = multiply_add,
    .int32 = add,
};

const RoofKernels *const roof_kernel_sets[] = {
    &roof_kernels_avx512,
    &roof_kernels_avx2,
    &roof_kernels_plain,
    NULL,
};

const RoofKernels *roof_kernels_best(void) {
    const RoofKernels *const *kernels = roof_kernel_sets;
    while (!(*kernels)->supported()) {
        ++kernels;
    }
    return *kernels;
}
