/*
 * The CUDA device that variants run on, its stream, and its errors as Status values. Only for code
 * that is compiled when CUDA is there; valid after cuda_backend.probe said STATUS_OK.
 */
#ifndef KERNELS_COMMON_CUDA_DEVICE_H
#define KERNELS_COMMON_CUDA_DEVICE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* === Errors =================================================================================== */

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

/* === The device =============================================================================== */

/* The stream that cuda_backend's clock watches: every kernel and copy of upload, run and download
 * is queued here. It is of the device that the calling thread uses. */
cudaStream_t cuda_stream(void);

/* From now on the calling thread uses this one of the chosen devices, 0 … cuda_devices_count() - 1,
 * for its stream, its allocations and CUDA's calls. At first every thread uses device 0. */
Status cuda_use_device(int index);
int cuda_used_device(void);
/* CUDA's number of a chosen device. */
int cuda_device_number(int index);

int cuda_multiprocessors(void);

/* The value of a device attribute of the current device. */
Status cuda_attribute(enum cudaDeviceAttr attribute, int *value);

/* STATUS_SKIP when a grid cannot have this many rows of blocks. */
Status cuda_check_grid_rows(int rows);

/* True when host memory is page-locked, so that copies from and to it run asynchronously. */
bool cuda_is_pinned(const void *host);

/* Blocks of `kernel` that one multiprocessor can hold at once, at least 1. */
Status cuda_resident_blocks(const void *kernel, int threads, size_t shared_bytes, int *blocks);

/* === Sizes in whole rows, blocks and tiles ==================================================== */

/* The least multiple of `multiple` that is not below `value`. */
static inline size_t round_up(size_t value, size_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

/* How many pieces of `size` cover `value`; value + size must fit int. */
static inline int pieces_of(int value, int size) {
    return (value + size - 1) / size;
}

#ifdef __cplusplus
}

/* === Host memory ============================================================================== */

/* The address by which the device sees page-locked memory of the host. */
template <typename Item> Status cuda_seen_by_device(Item *host, Item **device) {
    CUDA_TRY(cudaHostGetDevicePointer((void **)device, (void *)host, 0));
    return status_ok();
}

#endif

#endif
