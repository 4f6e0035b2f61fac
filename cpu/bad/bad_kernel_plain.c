/* bad in plain C, for any processor. */
#include "bad_kernel.h"

static bool supported(void) {
    return true;
}

static void add_row(const uint8_t *pixels, int32_t width, uint32_t *sums) {
    for (int32_t x = 0; x < width; ++x) {
        sums[x] += pixels[x];
    }
}

static void describe(const BadIntegral *integral, const BadTests *tests, const BadPlace *place,
                     bool inside, uint8_t *descriptor) {
    (void)inside;
    bad_describe(integral, place, tests->rows, tests->bits, descriptor);
}

const BadKernel bad_kernel_plain = {
    .name = "plain",
    .supported = supported,
    .add_row = add_row,
    .integral_row = bad_integral_row,
    .describe = describe,
};
