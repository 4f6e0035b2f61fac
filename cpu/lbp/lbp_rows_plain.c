/* lbp rows for any processor: vectors of 16 bytes, which the compiler makes of what there is. */
#include "cpu_features.h"
#include "lbp_internal.h"

#define LBP_LANES 16
#define LBP_TARGET
#include "lbp_rows_vector.h"

const LbpKernel lbp_kernel_plain = {
    .name = "plain",
    .supported = cpu_any,
    .scratch_bytes = scratch_bytes,
    .process = process_band,
};

CPU_KERNELS(LbpKernel, lbp_kernels, lbp_kernel_best, &lbp_kernel_avx512, &lbp_kernel_avx2,
            &lbp_kernel_plain)
