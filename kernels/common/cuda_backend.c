/*
 * The CUDA backend: guarded device memory, event timing on one stream, cache flushing.
 *
 * Every allocation carries a guard band on both sides in device memory, filled with a known byte
 * and read back by check_guards. Allocations are made from the main thread only.
 *
 * Every allocation begins at a place drawn anew. The address decides which slices of the L2 hold a
 * buffer, and counters that many blocks add to run into each other in a slice: on an H200
 * lbp/cuda_tiled takes 20.6 to 21.3 us at 1080p with its histogram at five places out of six and
 * 23.0 to 23.6 us at the sixth. cudaMalloc alone returns the same place again and again.
 *
 * Variants may have streams of their own, which nothing orders with the backend's stream. What
 * fills or reads their memory here has therefore ended when the function returns, and begins when
 * the whole device is idle.
 */
#include "backend.h"

#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cuda_device.h"
#include "random.h"
#include "stream_hold.h"

/* Cache flushing writes this many L2 sizes, so that nothing that mattered stays. */
enum { GUARD_BYTES = 1024, GUARD_PATTERN = 0xC3, ALLOCATIONS_MAX = 1024, FLUSH_L2_MULTIPLE = 2 };

/* Places at which an allocation may begin, and the bytes between two: what textures ask for. */
enum { PLACES = 128, PLACE_BYTES = 512, PLACES_BYTES = PLACES * PLACE_BYTES };

typedef struct Allocation {
    void *owned;   /* by cudaMalloc */
    uint8_t *base; /* start of the lower guard band; NULL: slot is free */
    size_t bytes;  /* between the guard bands */
    size_t padded; /* `bytes` rounded up, where the upper band starts */
} Allocation;

static struct {
    bool probed;
    Status status;
    char name[256];
    cudaStream_t stream;
    cudaEvent_t start, stop;
    Allocation allocations[ALLOCATIONS_MAX];
    Draw places;
    uint64_t in_use, peak;
    void *flush;
    size_t flush_bytes;
} device;

static Status first_probe(void) {
    int driver = 0;
    if (cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0) {
        return status_skip("no CUDA device: no NVIDIA driver is installed");
    }
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0) {
        (void)cudaGetLastError();
        return status_skip("no CUDA device: %s",
                           error != cudaSuccess ? cudaGetErrorString(error) : "none was found");
    }
    struct cudaDeviceProp properties;
    CUDA_TRY(cudaGetDeviceProperties(&properties, 0));
    snprintf(device.name, sizeof device.name, "%s", properties.name);
    CUDA_TRY(cudaSetDevice(0));
    CUDA_TRY(cudaStreamCreateWithFlags(&device.stream, cudaStreamNonBlocking));
    CUDA_TRY(cudaEventCreate(&device.start));
    CUDA_TRY(cudaEventCreate(&device.stop));
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    device.places.seed = (uint64_t)getpid() << 32 ^ (uint64_t)now.tv_nsec;
    return status_ok();
}

static Status cuda_probe(char *description, size_t size) {
    if (!device.probed) {
        device.probed = true;
        device.status = first_probe();
    }
    if (size > 0) {
        snprintf(description, size, "%s", device.name);
    }
    return device.status;
}

cudaStream_t cuda_stream(void) {
    return device.stream;
}

static void *cuda_queue(void) {
    return device.stream;
}

/* A profiler that watches brings the functions behind these; without one they do nothing. */
static void cuda_range(const char *name) {
    if (name != NULL) {
        nvtxRangePushA(name);
    } else {
        nvtxRangePop();
    }
}

static void cuda_memory(BackendMemory *memory) {
    size_t available = 0;
    size_t total = 0;
    if (cudaMemGetInfo(&available, &total) != cudaSuccess) {
        (void)cudaGetLastError();
        available = 0;
    }
    *memory = (BackendMemory){.in_use = device.in_use, .peak = device.peak, .available = available};
}

static void cuda_reset_peak(void) {
    device.peak = device.in_use;
}

static Allocation *find_slot(const void *base) {
    for (size_t i = 0; i < ALLOCATIONS_MAX; i++) {
        if (device.allocations[i].base == base) {
            return &device.allocations[i];
        }
    }
    return NULL;
}

/* Every stream, not only the backend's. */
static Status cuda_synchronize(void) {
    CUDA_TRY(cudaDeviceSynchronize());
    return status_ok();
}

static Status fill_guards(const Allocation *allocation) {
    CUDA_TRY(cudaMemsetAsync(allocation->base, GUARD_PATTERN, GUARD_BYTES, device.stream));
    const size_t slack = allocation->padded - allocation->bytes;
    CUDA_TRY(cudaMemsetAsync(allocation->base + GUARD_BYTES + allocation->bytes, GUARD_PATTERN,
                             slack + GUARD_BYTES, device.stream));
    CUDA_TRY(cudaStreamSynchronize(device.stream));
    return status_ok();
}

static Status cuda_alloc(size_t bytes, void **memory) {
    *memory = NULL;
    Allocation *slot = find_slot(NULL);
    if (slot == NULL) {
        return status_fail("more than %d device allocations are held", ALLOCATIONS_MAX);
    }
    BackendMemory state;
    cuda_memory(&state);
    if (bytes > SIZE_MAX / 2 || bytes + PLACES_BYTES + 3 * GUARD_BYTES > state.available) {
        return status_skip("needs %.2f GiB of device memory, %.2f GiB free",
                           (double)bytes / (1u << 30), (double)state.available / (1u << 30));
    }
    const size_t padded = (bytes + GUARD_BYTES - 1) / GUARD_BYTES * GUARD_BYTES;
    void *owned = NULL;
    CUDA_TRY(cudaMalloc(&owned, PLACES_BYTES + padded + (size_t)2 * GUARD_BYTES));
    uint8_t *base = (uint8_t *)owned + (size_t)draw_below(&device.places, PLACES) * PLACE_BYTES;
    *slot = (Allocation){.owned = owned, .base = base, .bytes = bytes, .padded = padded};
    const Status filled = fill_guards(slot);
    if (!status_is_ok(&filled)) {
        (void)cudaFree(owned);
        *slot = (Allocation){.base = NULL};
        return filled;
    }
    device.in_use += bytes;
    device.peak = device.in_use > device.peak ? device.in_use : device.peak;
    *memory = slot->base + GUARD_BYTES;
    return status_ok();
}

static void cuda_release(void *memory) {
    if (memory == NULL) {
        return;
    }
    Allocation *slot = find_slot((uint8_t *)memory - GUARD_BYTES);
    if (slot != NULL) {
        (void)cudaFree(slot->owned);
        device.in_use -= slot->bytes;
        *slot = (Allocation){.base = NULL};
    }
}

static Status cuda_poison(uint8_t pattern) {
    STATUS_TRY(cuda_synchronize());
    for (size_t i = 0; i < ALLOCATIONS_MAX; i++) {
        const Allocation *allocation = &device.allocations[i];
        if (allocation->base != NULL) {
            CUDA_TRY(cudaMemsetAsync(allocation->base + GUARD_BYTES, pattern, allocation->bytes,
                                     device.stream));
        }
    }
    CUDA_TRY(cudaStreamSynchronize(device.stream));
    return status_ok();
}

/* `place` names the band: "before its start", "after its end". */
static Status check_band(const uint8_t *band, size_t bytes, size_t allocation_bytes,
                         const char *place) {
    uint8_t copy[2 * GUARD_BYTES];
    CUDA_TRY(cudaMemcpyAsync(copy, band, bytes, cudaMemcpyDeviceToHost, device.stream));
    CUDA_TRY(cudaStreamSynchronize(device.stream));
    for (size_t i = 0; i < bytes; i++) {
        if (copy[i] != GUARD_PATTERN) {
            return status_fail("wrote outside a device buffer of %zu bytes, %s", allocation_bytes,
                               place);
        }
    }
    return status_ok();
}

static Status cuda_check_guards(void) {
    STATUS_TRY(cuda_synchronize());
    for (size_t i = 0; i < ALLOCATIONS_MAX; i++) {
        const Allocation *allocation = &device.allocations[i];
        if (allocation->base != NULL) {
            const uint8_t *end = allocation->base + GUARD_BYTES + allocation->bytes;
            const size_t slack = allocation->padded - allocation->bytes;
            STATUS_TRY(
                check_band(allocation->base, GUARD_BYTES, allocation->bytes, "before its start"));
            STATUS_TRY(check_band(end, slack + GUARD_BYTES, allocation->bytes, "after its end"));
        }
    }
    return status_ok();
}

static Status cuda_clock_start(void) {
    CUDA_TRY(cudaEventRecord(device.start, device.stream));
    return status_ok();
}

static Status cuda_clock_stop(double *seconds) {
    float milliseconds = 0.0F;
    const cudaError_t recorded = cudaEventRecord(device.stop, device.stream);
    stream_release();
    CUDA_TRY(recorded);
    CUDA_TRY(cudaEventSynchronize(device.stop));
    CUDA_TRY(cudaEventElapsedTime(&milliseconds, device.start, device.stop));
    *seconds = (double)milliseconds * 1e-3;
    return status_ok();
}

static Status cuda_hold(void) {
    return stream_hold(device.stream);
}

/* Ordinary accesses do not evict lines that persist. */
static Status reset_persisting_lines(void) {
    int persisting_bytes = 0;
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxPersistingL2CacheSize, &persisting_bytes));
    if (persisting_bytes > 0) {
        CUDA_TRY(cudaCtxResetPersistingL2Cache());
    }
    return status_ok();
}

static Status cuda_flush_caches(void) {
    if (device.flush == NULL) {
        int l2_bytes = 0;
        STATUS_TRY(cuda_attribute(cudaDevAttrL2CacheSize, &l2_bytes));
        device.flush_bytes = (size_t)l2_bytes * FLUSH_L2_MULTIPLE;
        CUDA_TRY(cudaMalloc(&device.flush, device.flush_bytes));
    }
    STATUS_TRY(cuda_synchronize());
    STATUS_TRY(reset_persisting_lines());
    CUDA_TRY(cudaMemsetAsync(device.flush, 0, device.flush_bytes, device.stream));
    return cuda_synchronize();
}

static Status cuda_pin(void *memory, size_t bytes) {
    CUDA_TRY(cudaHostRegister(memory, bytes, cudaHostRegisterDefault));
    return status_ok();
}

static void cuda_unpin(void *memory) {
    (void)cudaHostUnregister(memory);
    (void)cudaGetLastError();
}

const Backend cuda_backend = {
    .name = "cuda",
    .probe = cuda_probe,
    .alloc = cuda_alloc,
    .release = cuda_release,
    .poison = cuda_poison,
    .check_guards = cuda_check_guards,
    .clock_start = cuda_clock_start,
    .clock_stop = cuda_clock_stop,
    .hold = cuda_hold,
    .was_held = stream_was_held,
    .synchronize = cuda_synchronize,
    .flush_caches = cuda_flush_caches,
    .memory = cuda_memory,
    .reset_peak = cuda_reset_peak,
    .queue = cuda_queue,
    .range = cuda_range,
    .pin = cuda_pin,
    .unpin = cuda_unpin,
};
