#include "fast9_kernel.h"

const Fast9Kernel *const fast9_kernels[] = {
    &fast9_kernel_avx512,
    &fast9_kernel_avx2,
    &fast9_kernel_plain,
    NULL,
};

const Fast9Kernel *fast9_kernel_best(void) {
    const Fast9Kernel *const *kernel = fast9_kernels;
    while (!(*kernel)->supported()) {
        ++kernel;
    }
    return *kernel;
}
