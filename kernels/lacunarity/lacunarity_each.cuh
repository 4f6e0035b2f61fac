/* A run that launches for every threshold and box by itself. */
#ifndef KERNELS_LACUNARITY_LACUNARITY_EACH_CUH
#define KERNELS_LACUNARITY_LACUNARITY_EACH_CUH

#include "lacunarity_device.h"

/* Clears the sums, then calls launch(t, b), which returns a Status and queues on cuda_stream(), for
 * every threshold t and box b of the plan. Waits for nothing. */
template <typename Launch>
static inline Status lacunarity_each(const LacunarityDevice *device, const Launch &launch) {
    STATUS_TRY(lacunarity_device_clear(device));
    for (size_t t = 0; t < device->plan.threshold_count; t++) {
        for (size_t b = 0; b < device->plan.box_count; b++) {
            STATUS_TRY(launch(t, b));
        }
    }
    return status_ok();
}

#endif
