/* lbp rows for any processor: vectors of 16 bytes, which the compiler makes of what there is. */
#include "lbp_internal.h"

#define LBP_LANES 16
#define LBP_TARGET
#include "lbp_rows_vector.h"

static bool always_supported(void) {
    return true;
}

const LbpKernel lbp_kernel_plain = {
    .name = "plain",
    .supported = always_supported,
    .scratch_bytes = scratch_bytes,
    .process = process_band,
};

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
