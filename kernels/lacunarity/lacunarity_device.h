/*
 * Device side of a lacunarity cell: the grey image and the sums of every threshold and box.
 */
#ifndef KERNELS_LACUNARITY_LACUNARITY_DEVICE_H
#define KERNELS_LACUNARITY_LACUNARITY_DEVICE_H

#include <cuda_runtime_api.h>

#include "lacunarity.h"
#include "variant.h"

/* Sums over positions, added to atomically: Σs, and Σs² in parts that are added up on the host:
 * Σs² = low + high·2^32. A block adds to `low` what its threads have below 2^32 each, less than
 * 2^42, and to `high` the rest: that is room for four million blocks, and for Σs² below 2^96, more
 * than the largest box, full at 2^32 positions, comes to. */
typedef struct LacunaritySums {
    unsigned long long sum_s, low, high;
} LacunaritySums;

typedef struct LacunarityDevice {
    const Request *request;
    LacunarityPlan plan;
    int width, height; /* pixels */
    size_t stride;     /* bytes; pixels between width and stride are 0 */
    uint8_t *image;
    LacunaritySums *sums;    /* one for each row of the answer, in its order */
    LacunaritySums *fetched; /* the same in host memory */
} LacunarityDevice;

/* Allocates; rows start at multiples of `row_alignment` bytes. On anything but STATUS_OK nothing is
 * left behind. */
Status lacunarity_device_open(const Request *request, size_t row_alignment,
                              LacunarityDevice *device);
void lacunarity_device_close(LacunarityDevice *device);

/* Sets all sums to 0; queued on cuda_stream(). Every run begins with it. */
Status lacunarity_device_clear(const LacunarityDevice *device);

/* The sums of threshold `t` and box `b` of the plan. */
static inline LacunaritySums *lacunarity_device_sums(const LacunarityDevice *device, size_t t,
                                                     size_t b) {
    return device->sums + t * device->plan.box_count + b;
}

/* Opens a state that is a LacunarityDevice and nothing more. */
Status lacunarity_device_open_state(const Request *request, size_t row_alignment, void **state);

/* Upload, download and close of every variant whose state begins with a LacunarityDevice. */
VARIANT_FUNCTIONS(lacunarity_cuda);

#endif
