#include "cuda_device.h"

#include <string.h>

/* === Errors =================================================================================== */

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

Status cuda_status(cudaError_t error, const char *expression, const char *file, int line) {
    if (error == cudaSuccess) {
        return status_ok();
    }
    (void)cudaGetLastError();
    if (error == cudaErrorMemoryAllocation) {
        return status_skip("not enough device memory (%s, %s:%d)", expression, file_name(file),
                           line);
    }
    /* A sticky error comes back from a call that cannot fail by itself. */
    const cudaError_t again = cudaDeviceSynchronize();
    const StatusCode code = again == cudaSuccess ? STATUS_FAIL : STATUS_DEVICE_LOST;
    (void)cudaGetLastError();
    return status_make(code, "CUDA: %s (%s, %s:%d)%s", cudaGetErrorString(error), expression,
                       file_name(file), line,
                       code == STATUS_DEVICE_LOST ? "; the device cannot be used any more" : "");
}

/* === The device =============================================================================== */

int cuda_multiprocessors(void) {
    int count = 1;
    const Status status = cuda_attribute(cudaDevAttrMultiProcessorCount, &count);
    return status_is_ok(&status) && count > 0 ? count : 1;
}

Status cuda_attribute(enum cudaDeviceAttr attribute, int *value) {
    int device = 0;
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(value, attribute, device));
    return status_ok();
}

Status cuda_check_grid_rows(int rows) {
    int rows_max = 0;
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxGridDimY, &rows_max));
    if (rows > rows_max) {
        return status_skip("the image needs %d rows of blocks and a grid has %d", rows, rows_max);
    }
    return status_ok();
}

bool cuda_is_pinned(const void *host) {
    struct cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, host) != cudaSuccess) {
        (void)cudaGetLastError();
        return false;
    }
    return attributes.type == cudaMemoryTypeHost;
}

Status cuda_resident_blocks(const void *kernel, int threads, size_t shared_bytes, int *blocks) {
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, shared_bytes));
    if (*blocks < 1) {
        return status_skip("a block of %d threads does not fit this device", threads);
    }
    return status_ok();
}
