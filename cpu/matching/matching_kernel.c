#include "matching_kernel.h"

const MatchingKernel *const matching_kernels[] = {
    &matching_kernel_avx512,
    &matching_kernel_avx2,
    &matching_kernel_plain,
    NULL,
};

const MatchingKernel *matching_kernel_best(void) {
    const MatchingKernel *const *kernel = matching_kernels;
    while (!(*kernel)->supported()) {
        ++kernel;
    }
    return *kernel;
}
