#include "fast9_kernel.h"

const FastKernel *const fast_kernels[] = {
    &fast_kernel_avx512,
    &fast_kernel_avx2,
    &fast_kernel_plain,
    NULL,
};

const FastKernel *fast_kernel_best(void) {
    const FastKernel *const *kernel = fast_kernels;
    while (!(*kernel)->supported()) {
        ++kernel;
    }
    return *kernel;
}
