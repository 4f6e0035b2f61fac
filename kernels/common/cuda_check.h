/*
 * CUDA errors as Status values. Only for code that is compiled when CUDA is there.
 */
#ifndef KERNELS_COMMON_CUDA_CHECK_H
#define KERNELS_COMMON_CUDA_CHECK_H

#include <cuda_runtime_api.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Turns a CUDA error into a Status and clears it: STATUS_SKIP when memory ran out,
 * STATUS_DEVICE_LOST when the context is broken and every later call would fail too, STATUS_FAIL
 * otherwise. The text names the expression and where it stands.
 */
Status cuda_status(cudaError_t error, const char *expression, const char *file, int line);

/* Returns from the calling function when `expression` is not cudaSuccess. */
#define CUDA_TRY(expression)                                                                       \
    do {                                                                                           \
        const cudaError_t cuda_try_error = (expression);                                           \
        if (cuda_try_error != cudaSuccess) {                                                       \
            return cuda_status(cuda_try_error, #expression, __FILE__, __LINE__);                   \
        }                                                                                          \
    } while (0)

/* The status of a kernel launch just made: bad configurations show here, not in the kernel. */
#define CUDA_LAUNCHED() cuda_status(cudaGetLastError(), "kernel launch", __FILE__, __LINE__)

#ifdef __cplusplus
}
#endif

#endif
