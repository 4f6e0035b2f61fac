#include "lbp_rows.h"

const LbpKernel *const lbp_kernels[] = {
    &lbp_kernel_avx512,
    &lbp_kernel_avx2,
    &lbp_kernel_plain,
    NULL,
};

const LbpKernel *lbp_kernel_best(void) {
    const LbpKernel *const *kernel = lbp_kernels;
    while (!(*kernel)->supported()) {
        ++kernel;
    }
    return *kernel;
}
