#include "cuda_check.h"

#include <string.h>

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
