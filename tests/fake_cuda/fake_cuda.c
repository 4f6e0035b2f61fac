#include "fake_cuda.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream_hold.h"

FakeCuda fake_cuda;

/* What CUDA's handles point to. */
struct CUstream_st {
    int device;
};
struct CUevent_st {
    int device;
    double at;
};

enum { BLOCKS_MAX = 64, MULTIPROCESSORS = 10, L2_BYTES = 1 << 16 };

static struct {
    void *memory;
    int device;
} blocks[BLOCKS_MAX];

static _Thread_local int current;
static _Thread_local cudaError_t last;

static cudaError_t result(cudaError_t error) {
    if (error != cudaSuccess) {
        last = error;
    }
    return error;
}

/* What is asked of a device. */
static cudaError_t of_device(int device) {
    return result(fake_cuda.broken[device] ? cudaErrorIllegalAddress : cudaSuccess);
}

cudaError_t cudaGetLastError(void) {
    const cudaError_t error = last;
    last = cudaSuccess;
    return error;
}

const char *cudaGetErrorString(cudaError_t error) {
    return error == cudaErrorIllegalAddress ? "an illegal memory access was encountered" : "other";
}

/* === Devices ================================================================================== */

cudaError_t cudaDriverGetVersion(int *version) {
    *version = 13000;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version) {
    return cudaDriverGetVersion(version);
}

cudaError_t cudaGetDeviceCount(int *count) {
    *count = fake_cuda.devices;
    return result(fake_cuda.devices > 0 ? cudaSuccess : cudaErrorNoDevice);
}

cudaError_t cudaSetDevice(int device) {
    current = device;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device) {
    *device = current;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
    *properties = (struct cudaDeviceProp){.major = 9, .multiProcessorCount = 100 + device};
    snprintf(properties->name, sizeof properties->name, "%s", fake_cuda.models[device]);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    *value = attribute == cudaDevAttrClockRate     ? 1000000 * (1 + device)
             : attribute == cudaDevAttrL2CacheSize ? L2_BYTES
                                                   : MULTIPROCESSORS;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int size, int device) {
    snprintf(id, (size_t)size, "0000:%02X:00.0", 0x18 + device);
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void) {
    return of_device(current);
}

cudaError_t cudaDeviceCanAccessPeer(int *possible, int device, int peer) {
    *possible = device != peer;
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    (void)peer;
    (void)flags;
    return of_device(current);
}

cudaError_t cudaCtxResetPersistingL2Cache(void) {
    return of_device(current);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *count, const void *function,
                                                          int threads, size_t shared) {
    (void)function;
    (void)threads;
    (void)shared;
    *count = 1;
    return cudaSuccess;
}

/* === Streams and events ======================================================================= */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    (void)flags;
    *stream = calloc(1, sizeof **stream);
    (*stream)->device = current;
    fake_cuda.opened[current]++;
    return of_device(current);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return of_device(stream->device);
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
    *event = calloc(1, sizeof **event);
    (*event)->device = current;
    return of_device(current);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    if (event->device != stream->device) {
        return result(cudaErrorInvalidResourceHandle);
    }
    event->at = fake_cuda.now[event->device];
    return of_device(event->device);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    fake_cuda.broken[event->device] |= fake_cuda.breaks[event->device];
    return of_device(event->device);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop) {
    *milliseconds = (float)((stop->at - start->at) * 1e3);
    return of_device(start->device);
}

/* === Memory =================================================================================== */

cudaError_t cudaMemGetInfo(size_t *available, size_t *total) {
    *available = *total = (size_t)1 << 30;
    return of_device(current);
}

cudaError_t cudaMalloc(void **memory, size_t bytes) {
    for (int i = 0; i < BLOCKS_MAX; i++) {
        if (blocks[i].memory == NULL) {
            *memory = blocks[i].memory = malloc(bytes);
            blocks[i].device = current;
            return of_device(current);
        }
    }
    return result(cudaErrorMemoryAllocation);
}

cudaError_t cudaFree(void *memory) {
    for (int i = 0; memory != NULL && i < BLOCKS_MAX; i++) {
        if (blocks[i].memory == memory) {
            free(memory);
            blocks[i].memory = NULL;
            return of_device(blocks[i].device);
        }
    }
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream) {
    const cudaError_t error = of_device(stream->device);
    if (error == cudaSuccess) {
        memset(memory, value, bytes);
    }
    return error;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    const cudaError_t error = of_device(stream->device);
    (void)kind;
    if (error == cudaSuccess) {
        memcpy(to, from, bytes);
    }
    return error;
}

cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned flags) {
    (void)memory;
    (void)bytes;
    (void)flags;
    return of_device(current);
}

cudaError_t cudaHostUnregister(void *memory) {
    (void)memory;
    return of_device(current);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *memory) {
    (void)memory;
    *attributes = (struct cudaPointerAttributes){.type = cudaMemoryTypeUnregistered};
    return cudaSuccess;
}

/* === Holding a stream, which is a kernel ====================================================== */

Status stream_hold(cudaStream_t stream) {
    (void)stream;
    return status_ok();
}

Status stream_hold_too(cudaStream_t stream) {
    return stream_hold(stream);
}

void stream_release(void) {
}

bool stream_was_held(void) {
    return true;
}
