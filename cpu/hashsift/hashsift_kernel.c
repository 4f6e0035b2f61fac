#include "hashsift_kernel.h"

const HashsiftKernel *const hashsift_kernels[] = {
    &hashsift_kernel_avx512,
    &hashsift_kernel_avx2,
    &hashsift_kernel_plain,
    NULL,
};

const HashsiftKernel *hashsift_kernel_best(void) {
    const HashsiftKernel *const *kernel = hashsift_kernels;
    while (!(*kernel)->supported()) {
        ++kernel;
    }
    return *kernel;
}
