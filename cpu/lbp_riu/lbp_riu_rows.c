#include "lbp_riu_rows.h"

const LbpRiuKernel *const lbp_riu_kernels[] = {
    &lbp_riu_kernel_avx512,
    &lbp_riu_kernel_avx2,
    &lbp_riu_kernel_plain,
    NULL,
};

const LbpRiuKernel *lbp_riu_kernel_best(void) {
    const LbpRiuKernel *const *kernel = lbp_riu_kernels;
    while (!(*kernel)->supported()) {
        ++kernel;
    }
    return *kernel;
}
