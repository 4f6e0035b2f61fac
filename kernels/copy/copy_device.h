/* Device side of a copy cell: two dense buffers of the image's bytes. */
#ifndef KERNELS_COPY_COPY_DEVICE_H
#define KERNELS_COPY_COPY_DEVICE_H

#include <stdint.h>

#include "variant.h"

typedef struct CopyDevice {
    const Request *request;
    size_t bytes; /* width × height */
    uint8_t *source;
    uint8_t *target;
} CopyDevice;

#endif
