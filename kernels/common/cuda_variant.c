#include "cuda_variant.h"

/* Tile widths are template parameters of the kernels, so only these exist. */
static const char *const tile_widths[] = {"4", "8", "16", "32", NULL};
static const char *const block_widths[] = {"8", "16", "32", NULL};

const Axis tile_axis = {
    .name = "tile",
    .help = "tile width in pixels, staged in shared memory by one thread block",
    .defaults = "4,8,16,32",
    .kind = AXIS_CHOICE,
    .choices = tile_widths,
};

const Axis block_axis = {
    .name = "block",
    .help = "thread block width and height in threads",
    .defaults = "16",
    .kind = AXIS_CHOICE,
    .choices = block_widths,
};

const Axis *const tile_tuning[] = {&tile_axis, NULL};
const Axis *const block_tuning[] = {&block_axis, NULL};
