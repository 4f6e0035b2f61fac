/* lbp rows with AVX2: vectors of 32 bytes. */
#include "cpu_features.h"

#if CPU_HAS_X86_64
#define LBP_LANES 32
#define LBP_TARGET __attribute__((target("avx2,bmi,bmi2")))
#else
#define LBP_LANES 16
#define LBP_TARGET
#endif
#include "lbp_rows_vector.h"

const LbpKernel lbp_kernel_avx2 = {
    .name = "avx2",
    .supported = cpu_has_avx2,
    .scratch_bytes = scratch_bytes,
    .process = process_band,
};
