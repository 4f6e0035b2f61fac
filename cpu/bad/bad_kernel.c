#include "bad_kernel.h"

const BadKernel *const bad_kernels[] = {
    &bad_kernel_avx512,
    &bad_kernel_avx2,
    &bad_kernel_plain,
    NULL,
};

const BadKernel *bad_kernel_best(size_t entries) {
    /* Vectors of places have 32 bits for each. */
    if (entries > INT32_MAX) {
        return &bad_kernel_plain;
    }
    const BadKernel *const *kernel = bad_kernels;
    while (!(*kernel)->supported()) {
        ++kernel;
    }
    return *kernel;
}
