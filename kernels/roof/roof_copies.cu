/*
 * Copy bandwidth within a device, or within several at once: from the second-level cache, and from
 * its memory.
 *
 * The cache's is measured by a kernel that copies the same bytes to and fro many times: one pass
 * takes less time than a kernel launch. Each thread stays with its own bytes, so no pass waits for
 * another. The set is a quarter of the cache, since some devices keep data of one half in the other
 * as well. Loads and stores skip the first-level cache.
 */
#include <algorithm>

#include "backend.h"
#include "cuda_device.h"
#include "multi.h"
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

/* A copy within each device, with its memory. */
struct Copies {
    RoofMemory sources[CUDA_DEVICES_MAX];
    RoofMemory targets[CUDA_DEVICES_MAX];
    Copy of[CUDA_DEVICES_MAX];
};

Status run_in_cache(void *context, int device) {
    const Copy *copy = &((const Copies *)context)->of[device];
    copy_to_and_fro<<<copy->blocks, THREADS, 0, cuda_stream()>>>(copy->source, copy->target,
                                                                 copy->vectors);
    return CUDA_LAUNCHED();
}

Status run_by_kernel(void *context, int device) {
    const Copy *copy = &((const Copies *)context)->of[device];
    copy_once<<<copy->blocks, THREADS, 0, cuda_stream()>>>(copy->source, copy->target,
                                                           copy->vectors);
    return CUDA_LAUNCHED();
}

Status run_by_driver(void *context, int device) {
    const Copy *copy = &((const Copies *)context)->of[device];
    CUDA_TRY(cudaMemcpyAsync(copy->target, copy->source, copy->vectors * sizeof(uint4),
                             cudaMemcpyDeviceToDevice, cuda_stream()));
    return status_ok();
}

/* Memory for copying `bytes` with `kernel` on the device in use. */
Status open_copy(Copies *copies, int device, size_t bytes, const void *kernel) {
    Copy *copy = &copies->of[device];
    copy->vectors = bytes / sizeof(uint4);
    if (copy->vectors == 0) {
        return status_ok();
    }
    STATUS_TRY(copies->sources[device].device(bytes));
    STATUS_TRY(copies->targets[device].device(bytes));
    copy->source = (uint4 *)copies->sources[device].data;
    copy->target = (uint4 *)copies->targets[device].data;
    STATUS_TRY(cuda_resident_blocks(kernel, THREADS, 0, &copy->blocks));
    copy->blocks *= cuda_multiprocessors();
    return status_ok();
}

Status open_in_cache(void *context, int device) {
    int cache_bytes = 0;
    STATUS_TRY(cuda_attribute(cudaDevAttrL2CacheSize, &cache_bytes));
    return open_copy((Copies *)context, device, (size_t)cache_bytes / CACHE_SHARE / 2,
                     (const void *)copy_to_and_fro);
}

Status open_in_memory(void *context, int device) {
    size_t available = 0;
    size_t total = 0;
    CUDA_TRY(cudaMemGetInfo(&available, &total));
    return open_copy((Copies *)context, device, std::min(DRAM_BYTES, available / 4),
                     (const void *)copy_once);
}

/* Read by one pass over all devices, and written by it; 0 where a device has nothing to copy. */
double bytes_of(const Copies *copies, int devices) {
    double bytes = 0.0;
    for (int i = 0; i < devices; i++) {
        if (copies->of[i].vectors == 0) {
            return 0.0;
        }
        bytes += (double)(copies->of[i].vectors * sizeof(uint4));
    }
    return bytes;
}

Status measure_cache(Ceilings *ceilings, int devices) {
    Copies copies = {};
    STATUS_TRY(multi_each(devices, open_in_cache, &copies));
    const double bytes = bytes_of(&copies, devices);
    const RoofJob job = {devices, run_in_cache, &copies};
    double seconds = 0.0;
    if (bytes == 0.0) {
        return status_ok();
    }
    STATUS_TRY(roof_time(ROOF_HELD, &job, SAMPLES, &seconds));
    ceilings_add_on(ceilings, devices, "copy_l2", CEILING_BANDWIDTH, 0,
                    2.0 * bytes * PASSES / seconds, 2.0 * bytes);
    return status_ok();
}

Status measure_memory(Ceilings *ceilings, int devices) {
    Copies copies = {};
    STATUS_TRY(multi_each(devices, open_in_memory, &copies));
    const double bytes = bytes_of(&copies, devices);
    const RoofJob kernel = {devices, run_by_kernel, &copies};
    const RoofJob driver = {devices, run_by_driver, &copies};
    double by_kernel = 0.0;
    double by_driver = 0.0;
    STATUS_TRY(roof_time(ROOF_HELD, &kernel, SAMPLES, &by_kernel));
    STATUS_TRY(roof_time(ROOF_HELD, &driver, SAMPLES, &by_driver));
    ceilings_add_on(ceilings, devices, "copy_dram", CEILING_BANDWIDTH, 0,
                    2.0 * bytes / std::min(by_kernel, by_driver), 2.0 * bytes);
    return status_ok();
}

} // namespace

Status roof_measure_copies(Ceilings *ceilings, int devices) {
    STATUS_TRY(measure_cache(ceilings, devices));
    return measure_memory(ceilings, devices);
}
