#include "cuda_variant.h"

#include <string.h>

/* Tile widths are template parameters of the kernels, so only these exist. */
static const char *const tile_widths[] = {"4", "8", "16", "32", NULL};
static const char *const block_widths[] = {"8", "16", "32", NULL};

const Axis tile_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "tile",
    .help = "tile width in pixels, staged in shared memory by one thread block",
    .defaults = "4,8,16,32",
    .kind = AXIS_CHOICE,
    .choices = tile_widths,
    .title = "tile width (pixels)",
};

const Axis block_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "block",
    .help = "thread block width and height in threads",
    .defaults = "16",
    .kind = AXIS_CHOICE,
    .choices = block_widths,
};

/* Without CUDA there is one, so that `bench list` and the plan have a row to say why. */
static Status expand_gpus(const char *word, const Workload *workload, AxisValues *values) {
    (void)workload;
    if (strcmp(word, "all") != 0) {
        return status_make(STATUS_NO_MATCH, "'%.40s' is no number of GPUs", word);
    }
    const int count = cuda_devices_count();
    for (int gpus = 1; gpus < count; gpus *= 2) {
        STATUS_TRY(axis_values_add(values, gpus));
    }
    return axis_values_add(values, count > 0 ? count : 1);
}

const Axis gpus_axis = {
    .struct_bytes = sizeof(Axis),
    .name = "gpus",
    .help = "GPUs that share the work; all is 1, 2, 4, … and the number of devices",
    .defaults = "all",
    .kind = AXIS_INTEGER,
    .minimum = 1,
    .maximum = CUDA_DEVICES_MAX,
    .expand = expand_gpus,
};

const Axis *const gpus_tuning[] = {&gpus_axis, NULL};
const Axis *const tile_tuning[] = {&tile_axis, NULL};
const Axis *const block_tuning[] = {&block_axis, NULL};
