/* What the parts of cuda_fast share. */
#ifndef KERNELS_BAD_FAST_H
#define KERNELS_BAD_FAST_H

#include "bad_device.h"

enum { BAD_FAST_BAND = 8 }; /* rows of the picture */

static inline int bad_fast_bands(int height) {
    return (height + BAD_FAST_BAND - 1) / BAD_FAST_BAND;
}

/* In device memory; a row of `stride` elements for each band. */
typedef struct BadFastBands {
    uint16_t *sums;  /* of the band's pixels in each column */
    uint32_t *above; /* of the pixels above the band in each column */
} BadFastBands;

/* Queues making the integral image, rows filled to their stride, on cuda_stream(). */
Status bad_fast_integral(const BadDevice *device, const BadFastBands *bands);

/* A keypoint made ready. */
typedef struct BadFastPlace {
    PatchMap map;
    int near_border;
    int inside; /* none of its boxes leaves the picture, and sums are compared */
    int unused; /* so that two vectors of 16 bytes hold it */
} BadFastPlace;

/* Queues making the descriptors on cuda_stream(). `places`: of all keypoints, in device memory;
 * `whole`: no test's box leaves the patch. */
Status bad_fast_tests(const BadDevice *device, BadFastPlace *places, bool whole);

#endif
