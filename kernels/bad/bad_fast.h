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

/* A keypoint made ready: its place, and the part of the integral image that its boxes lie in. */
typedef struct BadFastPlace {
    PatchMap map;
    int left, top;   /* first entry of the part; left is a multiple of 4 */
    int quads, rows; /* its width in fours, never 1, and its height; quads 0: there is no such part,
                        and boxes have to be looked for in the whole integral image */
    int near_border;
    uint32_t divider; /* 2^32 / quads, rounded up */
} BadFastPlace;

enum { BAD_FAST_WORDS = 7040 }; /* of a part at most: eight blocks of it fit a multiprocessor */

/* Queues making the descriptors on cuda_stream(). `places`: of all keypoints, in device memory;
 * `whole`: no test's box leaves the patch. */
Status bad_fast_tests(const BadDevice *device, BadFastPlace *places, bool whole);

#endif
