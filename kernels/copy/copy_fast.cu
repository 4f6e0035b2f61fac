/*
 * copy / cuda_fast: sixteen bytes a load, four loads in flight per thread, so that a warp moves
 * whole cache lines and the latency of one is hidden by the next three. Buffers come from the
 * backend aligned to 256 bytes; the last bytes that fill no vector are moved one by one.
 */
#include "copy_device.cuh"

VARIANT_FUNCTIONS(copy_cuda_fast);

static const unsigned int THREADS = 256;
static const int VECTORS = 4; /* per thread */

static __global__ void copy_fast(const uint4 *source, uint4 *target, size_t vectors,
                                 const uint8_t *source_bytes, uint8_t *target_bytes, size_t bytes) {
    const size_t first = (size_t)blockIdx.x * blockDim.x * VECTORS + threadIdx.x;
    uint4 values[VECTORS];
#pragma unroll
    for (int i = 0; i < VECTORS; i++) {
        const size_t index = first + (size_t)i * blockDim.x;
        if (index < vectors) {
            values[i] = source[index];
        }
    }
#pragma unroll
    for (int i = 0; i < VECTORS; i++) {
        const size_t index = first + (size_t)i * blockDim.x;
        if (index < vectors) {
            target[index] = values[i];
        }
    }
    const size_t tail = vectors * sizeof(uint4) + threadIdx.x;
    if (blockIdx.x == 0 && tail < bytes) {
        target_bytes[tail] = source_bytes[tail];
    }
}

Status copy_cuda_fast_run(void *state) {
    const CopyDevice *device = (const CopyDevice *)state;
    const size_t vectors = device->bytes / sizeof(uint4);
    const size_t per_block = (size_t)THREADS * VECTORS;
    const size_t blocks = vectors == 0 ? 1 : (vectors + per_block - 1) / per_block;
    copy_fast<<<(unsigned int)blocks, THREADS, 0, cuda_stream()>>>(
        (const uint4 *)device->source, (uint4 *)device->target, vectors, device->source,
        device->target, device->bytes);
    return CUDA_LAUNCHED();
}
