/* Device side of a copy cell: two dense buffers of the image's bytes. */
#ifndef KERNELS_COPY_COPY_DEVICE_CUH
#define KERNELS_COPY_COPY_DEVICE_CUH

#include "cuda_state.h"

struct CopyDevice : CudaState {
    size_t bytes; /* width × height */
    uint8_t *source;
    uint8_t *target;
};

#endif
