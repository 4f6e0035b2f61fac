#include "roof_kernels.h"

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
