/*
 * Device side of a haar cell: the images, and one buffer of records that all blocks share, with a
 * cursor that counts every record found, whether or not there was room for it.
 *
 * The buffer begins with room for a guess. A run that finds more loses nothing: its cursor counts
 * how many there are, download makes the buffer as large as that and runs again.
 */
#ifndef KERNELS_HAAR_HAAR_DEVICE_CUH
#define KERNELS_HAAR_HAAR_DEVICE_CUH

#include "cuda_state.h"
#include "haar.h"

/*
 * The rectangles of an image as pairs of spans: the columns that one covers and its rows. Spans of
 * a direction stand in a table, shortest first and from left to right (top to bottom) within a
 * length, so that threads beside each other take rectangles of the same size beside each other.
 * Rectangle d × across + a has the columns columns[a] and the rows rows[d]: no thread has to find
 * out what rectangle its number stands for.
 */
struct HaarRectangles {
    uint32_t across, down;        /* spans of each direction; 0: no rectangle */
    const uchar2 *columns, *rows; /* in device memory: x is a span's beginning, y its length */
    uchar2 *table;                /* what both point into */
};

struct HaarDevice : CudaState {
    HaarPoint point;
    HaarPacking packing;
    int images, width, height;
    int first_image;            /* of the set, where the workload is a share of one */
    uint8_t *pixels;            /* image after image, without padding */
    uint64_t *records;          /* room for `capacity` */
    unsigned long long *cursor; /* records found */
    size_t capacity;
    HaarRectangles rectangles; /* of variants that have opened them */
    Status (*search)(
        void *state); /* the variant's run, for a download whose buffer was too small */
};

/* Sets what is known of the images. */
Status haar_device_size(HaarDevice *device);
/* Opens the pixels alone, for variants that keep their records in another way. */
Status haar_device_open_pixels(HaarDevice *device);
/* Opens pixels, cursor and a buffer for the guess. `search` is the variant's run. */
Status haar_device_open(Status (*search)(void *state), HaarDevice *device);
/* Opens the rectangles of the images and the least side. */
Status haar_rectangles_open(HaarDevice *device);

/* Upload and download of all variants, but that some have another download. The number of records
 * and exactly as many of them come down; where the buffer was too small, it is made larger and the
 * variant searches again first. STATUS_SKIP "needs X, Y free" when that does not fit. */
VARIANT_FUNCTIONS(haar_cuda);
/* The two steps of a download. The number of records, once the buffer has room for them: */
Status haar_device_count(HaarDevice *device, uint64_t *found);
/* and `found` of them to the answer's, after `before` others, as far as there is room. */
Status haar_device_fetch(const HaarDevice *device, uint64_t found, uint64_t before);

/* Sets the cursor to 0; queued on cuda_stream(). Every run begins with it. */
Status haar_device_clear(const HaarDevice *device);

#endif
