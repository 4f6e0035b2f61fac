#include "lacunarity_rows.h"

const LacunarityKernel *const lacunarity_kernels[] = {
    &lacunarity_kernel_avx512,
    &lacunarity_kernel_avx2,
    &lacunarity_kernel_plain,
    NULL,
};

const LacunarityKernel *lacunarity_kernel_best(void) {
    const LacunarityKernel *const *kernel = lacunarity_kernels;
    while (!(*kernel)->supported()) {
        ++kernel;
    }
    return *kernel;
}
