/* State of cuda_fast, and its kernel for a run of images, which cuda_streamed launches too. */
#ifndef KERNELS_HAAR_HAAR_FAST_H
#define KERNELS_HAAR_HAAR_FAST_H

#include "haar_device.h"
#include "haar_plan.h"

typedef struct HaarFast {
    HaarDevice device;
    HaarPlan plan;
    HaarItem *items; /* the plan's, in device memory, as the next three */
    HaarColumn *columns;
    HaarUnit *units;
    HaarChunk *chunks;
    int stride;      /* entries from one column to the next: rows, and some to read beyond */
    int record_room; /* in shared memory */
    int blocks;
    size_t shared_bytes;
} HaarFast;

/* Opens the state but for the memory of records and images (device is open). */
Status haar_fast_open(HaarFast *fast);
Status haar_fast_upload(HaarFast *fast);
void haar_fast_close(HaarFast *fast);

/* Appends the records of `images` images from `first` on to the device's buffer. */
Status haar_fast_launch(const HaarFast *fast, int first, int images, cudaStream_t stream);

#endif
