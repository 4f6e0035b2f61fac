/* What several devices are called together. */
#ifndef KERNELS_COMMON_DEVICE_NAMES_H
#define KERNELS_COMMON_DEVICE_NAMES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct DeviceName {
    int number; /* CUDA's; one may stand in a list several times */
    char model[256];
} DeviceName;

/* "NVIDIA H200", "2 × NVIDIA H200", "2 × NVIDIA H200, NVIDIA L4", "NVIDIA H200 as 3 devices".
 * Cut to `size`; empty for no device. */
void device_names_text(const DeviceName *names, size_t count, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
