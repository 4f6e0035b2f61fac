#include "cuda_device.h"

#include "cuda_check.h"

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
