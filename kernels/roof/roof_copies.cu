/*
 * Copy bandwidth within a device: from the second-level cache, and from its memory.
 *
 * The cache's is measured by a kernel that copies the same bytes to and fro many times: one pass
 * takes less time than a launch. Each thread stays with its own bytes, so no pass waits for
 * another. The set is a quarter of the cache, since some devices keep data of one half in the other
 * as well. Loads and stores skip the first-level cache.
 */
#include <algorithm>

#include "cuda_device.h"
#include "roof_measure.h"

namespace {

constexpr int THREADS = 512;
constexpr int SAMPLES = 11;
constexpr int PASSES = 64; /* even, so that the data end where they began */
constexpr int VECTORS = 4; /* in flight per thread */
constexpr int CACHE_SHARE = 4;
constexpr size_t DRAM_BYTES = (size_t)1 << 30; /* read; as many are written */

struct Copy {
    uint4 *source, *target;
    size_t vectors;
    int blocks;
};

__device__ void copy_pass(const uint4 *source, uint4 *target, size_t vectors) {
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (size_t base = first; base < vectors; base += threads * VECTORS) {
        uint4 values[VECTORS];
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            if (base + i * threads < vectors) {
                values[i] = __ldcg(&source[base + i * threads]);
            }
        }
#pragma unroll
        for (int i = 0; i < VECTORS; i++) {
            if (base + i * threads < vectors) {
                __stcg(&target[base + i * threads], values[i]);
            }
        }
    }
}

__global__ void copy_to_and_fro(uint4 *a, uint4 *b, size_t vectors) {
    for (int pass = 0; pass < PASSES; pass += 2) {
        copy_pass(a, b, vectors);
        copy_pass(b, a, vectors);
    }
}

__global__ void copy_once(const uint4 *source, uint4 *target, size_t vectors) {
    copy_pass(source, target, vectors);
}

Status run_in_cache(void *context) {
    const Copy *copy = (const Copy *)context;
    copy_to_and_fro<<<copy->blocks, THREADS, 0, cuda_stream()>>>(copy->source, copy->target,
                                                                 copy->vectors);
    return CUDA_LAUNCHED();
}

Status run_by_kernel(void *context) {
    const Copy *copy = (const Copy *)context;
    copy_once<<<copy->blocks, THREADS, 0, cuda_stream()>>>(copy->source, copy->target,
                                                           copy->vectors);
    return CUDA_LAUNCHED();
}

Status run_by_driver(void *context) {
    const Copy *copy = (const Copy *)context;
    CUDA_TRY(cudaMemcpyAsync(copy->target, copy->source, copy->vectors * sizeof(uint4),
                             cudaMemcpyDeviceToDevice, cuda_stream()));
    return status_ok();
}

Status resident_blocks(const void *kernel, int *blocks) {
    STATUS_TRY(cuda_resident_blocks(kernel, THREADS, 0, blocks));
    *blocks *= cuda_multiprocessors();
    return status_ok();
}

Status measure_cache(Ceilings *ceilings) {
    int cache_bytes = 0;
    STATUS_TRY(cuda_attribute(cudaDevAttrL2CacheSize, &cache_bytes));
    const size_t bytes = (size_t)cache_bytes / CACHE_SHARE / 2 / sizeof(uint4) * sizeof(uint4);
    if (bytes == 0) {
        return status_ok();
    }
    RoofMemory source;
    RoofMemory target;
    STATUS_TRY(source.device(bytes));
    STATUS_TRY(target.device(bytes));
    Copy copy = {(uint4 *)source.data, (uint4 *)target.data, bytes / sizeof(uint4), 0};
    STATUS_TRY(resident_blocks((const void *)copy_to_and_fro, &copy.blocks));
    double seconds = 0.0;
    STATUS_TRY(roof_time(ROOF_HELD, run_in_cache, &copy, SAMPLES, &seconds));
    ceilings_add(ceilings, "copy_l2", CEILING_BANDWIDTH, 0, 2.0 * (double)bytes * PASSES / seconds,
                 2.0 * (double)bytes);
    return status_ok();
}

Status measure_memory(Ceilings *ceilings) {
    size_t available = 0;
    size_t total = 0;
    CUDA_TRY(cudaMemGetInfo(&available, &total));
    const size_t bytes = std::min(DRAM_BYTES, available / 4) / sizeof(uint4) * sizeof(uint4);
    RoofMemory source;
    RoofMemory target;
    STATUS_TRY(source.device(bytes));
    STATUS_TRY(target.device(bytes));
    Copy copy = {(uint4 *)source.data, (uint4 *)target.data, bytes / sizeof(uint4), 0};
    STATUS_TRY(resident_blocks((const void *)copy_once, &copy.blocks));
    double by_kernel = 0.0;
    double by_driver = 0.0;
    STATUS_TRY(roof_time(ROOF_HELD, run_by_kernel, &copy, SAMPLES, &by_kernel));
    STATUS_TRY(roof_time(ROOF_HELD, run_by_driver, &copy, SAMPLES, &by_driver));
    ceilings_add(ceilings, "copy_dram", CEILING_BANDWIDTH, 0,
                 2.0 * (double)bytes / std::min(by_kernel, by_driver), 2.0 * (double)bytes);
    return status_ok();
}

} // namespace

Status roof_measure_copies(Ceilings *ceilings) {
    STATUS_TRY(measure_cache(ceilings));
    return measure_memory(ceilings);
}
