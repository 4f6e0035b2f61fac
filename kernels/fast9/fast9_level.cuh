/* A level as the kernels see it that look for corners one level after the other. */
#ifndef KERNELS_FAST9_FAST9_LEVEL_CUH
#define KERNELS_FAST9_FAST9_LEVEL_CUH

#include "fast9_device.h"
#include "round_up.h"

struct Fast9Level {
    const uint8_t *pixels;
    int width, height, number, threshold;
};

/* Whether a pixel that is not in the border above or left may be a corner. */
static __device__ __forceinline__ bool fast9_is_inside(const Fast9Level &level, int x, int y) {
    return x < level.width - FAST9_BORDER && y < level.height - FAST9_BORDER;
}

/* Calls launch(level, grid) for every level, with blocks of `columns` × `rows` pixels for all that
 * is not border: the first begins at (FAST9_BORDER, FAST9_BORDER). */
template <typename Launch>
Status fast9_each_level(const Fast9Device *device, int columns, int rows, const Launch &launch) {
    const Fast9Levels *levels = &device->levels;
    for (int number = 0; number < levels->count; number++) {
        const Fast9Level level = {device->pyramid + levels->offset[number], levels->width[number],
                                  levels->height[number], number, device->point.corner_threshold};
        const dim3 grid((unsigned int)pieces_of(level.width - 2 * FAST9_BORDER, columns),
                        (unsigned int)pieces_of(level.height - 2 * FAST9_BORDER, rows));
        STATUS_TRY(launch(level, grid));
    }
    return status_ok();
}

#endif
