/* bad in plain C, for any processor. */
#include "bad_internal.h"
#include "cpu_features.h"

static void describe(const BadIntegral *integral, const BadTests *tests, const BadPlace *place,
                     bool inside, uint8_t *descriptor) {
    (void)inside;
    bad_describe(integral, place, tests->rows, tests->bits, descriptor);
}

const BadKernel bad_kernel_plain = {
    .name = "plain",
    .supported = cpu_any,
    .describe = describe,
};

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
        kernel++;
    }
    return *kernel;
}
