/* State of cuda_fast, and its kernel for a run of images, which cuda_streamed launches too. */
#ifndef KERNELS_HAAR_HAAR_FAST_CUH
#define KERNELS_HAAR_HAAR_FAST_CUH

#include "haar_device.cuh"
#include "haar_plan.h"

struct HaarFast : HaarDevice {
    HaarLine *plan;  /* the lines of an image; owned */
    HaarLine *lines; /* the same in device memory */
    int line_count;
    int record_room; /* in shared memory */
    int blocks;
    size_t shared_bytes;
};

/* Opens the state. `search` is the variant's run. */
Status haar_fast_open(Status (*search)(void *state), HaarFast *fast);

/* Appends the records of `images` images from `first` on to the device's buffer; queued on
 * cuda_stream(). */
Status haar_fast_launch(const HaarFast *fast, int first, int images);

#endif
