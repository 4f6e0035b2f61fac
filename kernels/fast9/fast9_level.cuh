/* A level as the kernels see it that look for corners one level after the other. */
#ifndef KERNELS_FAST_FAST_LEVEL_CUH
#define KERNELS_FAST_FAST_LEVEL_CUH

#include "fast9_device.h"
#include "round_up.h"

struct FastLevel {
    const uint8_t *pixels;
    int width, height, number, threshold;
};

/* Whether a pixel that is not in the border above or left may be a corner. */
static __device__ __forceinline__ bool fast_is_inside(const FastLevel &level, int x, int y) {
    return x < level.width - FAST_BORDER && y < level.height - FAST_BORDER;
}

/* Calls launch(level, grid) for every level, with blocks of `columns` × `rows` pixels for all that
 * is not border: the first begins at (FAST_BORDER, FAST_BORDER). */
template <typename Launch>
Status fast_each_level(const FastDevice *device, int columns, int rows, const Launch &launch) {
    const FastLevels *levels = &device->levels;
    for (int number = 0; number < levels->count; number++) {
        const FastLevel level = {device->pyramid + levels->offset[number], levels->width[number],
                                 levels->height[number], number, device->point.corner_threshold};
        const dim3 grid((unsigned int)pieces_of(level.width - 2 * FAST_BORDER, columns),
                        (unsigned int)pieces_of(level.height - 2 * FAST_BORDER, rows));
        STATUS_TRY(launch(level, grid));
    }
    return status_ok();
}

#endif
