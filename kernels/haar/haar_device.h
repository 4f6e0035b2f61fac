/*
 * Device side of a haar cell: the images, and one buffer of records that all blocks share, with a
 * cursor that counts every record found, whether or not there was room for it.
 *
 * The buffer begins with room for a guess. A run that finds more loses nothing: its cursor counts
 * how many there are, download makes the buffer as large as that and runs again.
 */
#ifndef KERNELS_HAAR_HAAR_DEVICE_H
#define KERNELS_HAAR_HAAR_DEVICE_H

#include <cuda_runtime_api.h>

#include "haar.h"
#include "variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* === The device side ========================================================================== */

typedef struct HaarDevice {
    const Request *request;
    HaarPoint point;
    HaarPacking packing;
    int images, width, height;
    int first_image;            /* of the set, where the workload is a share of one */
    uint8_t *pixels;            /* image after image, without padding */
    uint64_t *records;          /* room for `capacity` */
    unsigned long long *cursor; /* records found */
    size_t capacity;
} HaarDevice;

/* Allocates pixels, cursor and a buffer for the guess. On anything but STATUS_OK the caller closes.
 */
Status haar_device_open(const Request *request, HaarDevice *device);
/* As haar_device_open, but pixels alone, for variants that keep their records in another way. */
Status haar_device_open_pixels(const Request *request, HaarDevice *device);
/* Pixels; queued on cuda_stream(), as all of it is. */
Status haar_device_upload(HaarDevice *device);
/* Sets the cursor to 0. Every run begins with it. */
Status haar_device_clear(const HaarDevice *device);
/* Copies the number and exactly as many records into request->output; where the buffer was too
 * small, makes it larger and calls run(state) again first. STATUS_SKIP "needs X, Y free" when that
 * does not fit. */
Status haar_device_download(HaarDevice *device, Status (*run)(void *state), void *state);
/* Its two steps. The number of records, once the buffer has room for them: */
Status haar_device_count(HaarDevice *device, Status (*run)(void *state), void *state,
                         uint64_t *found);
/* and `found` of them to the answer's, after `before` others, as far as there is room. */
Status haar_device_fetch(const HaarDevice *device, uint64_t found, uint64_t before);
void haar_device_close(HaarDevice *device);

/* === Rectangles =============================================================================== */

/*
 * The rectangles of an image as pairs of spans: the columns that one covers and its rows. Spans of
 * a direction stand in a table, shortest first and from left to right (top to bottom) within a
 * length, so that threads beside each other take rectangles of the same size beside each other.
 * Rectangle d × across + a has the columns columns[a] and the rows rows[d]: no thread has to find
 * out what rectangle its number stands for.
 */

typedef struct HaarRectangles {
    uint32_t across, down;        /* spans of each direction; 0: no rectangle */
    const uchar2 *columns, *rows; /* in device memory: x is a span's beginning, y its length */
    uchar2 *table;                /* what both point into */
} HaarRectangles;

/* Allocates the tables for the images and the least side of an opened device. */
Status haar_rectangles_open(const HaarDevice *device, HaarRectangles *rectangles);
/* Fills them; queued on cuda_stream(). Part of every upload. */
Status haar_rectangles_upload(const HaarDevice *device, const HaarRectangles *rectangles);
void haar_rectangles_close(HaarRectangles *rectangles);

#ifdef __cplusplus
}
#endif

#endif
