#include "fake_cuda.h"

#include <cuda_runtime_api.h>
#include <signal.h>
#include <stdint.h>
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

enum { BLOCKS_MAX = 64, MULTIPROCESSORS = 10, L2_BYTES = 1 << 16, LARGE = 1 << 20 };

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

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int device,
                                      int peer) {
    (void)attribute;
    *value = device != peer && fake_cuda.links;
    return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache(void) {
    fake_cuda.persisting[current] = 0;
    return of_device(current);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
    *value = limit == cudaLimitPersistingL2CacheSize ? fake_cuda.reserved[current] : 0;
    return of_device(current);
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
    if (limit != cudaLimitPersistingL2CacheSize) {
        return result(cudaErrorUnsupportedLimit);
    }
    fake_cuda.reserved[current] = value;
    fake_cuda.reserves[current]++;
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

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    (void)flags;
    return cudaEventCreate(event);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    free(event);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    free(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    (void)event;
    (void)flags;
    return of_device(stream->device);
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
    static int readings;
    *milliseconds = (float)((stop->at - start->at) * 1e3);
    if (fake_cuda.stops_every > 0 && ++readings % fake_cuda.stops_every == 0) {
        *milliseconds += 6000;
        raise(SIGCONT);
    }
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
    if (error == cudaSuccess && bytes <= LARGE) {
        memset(memory, value, bytes);
    }
    fake_cuda.half_flushed[stream->device] +=
        fake_cuda.reserved[stream->device] > 0 || fake_cuda.persisting[stream->device] > 0;
    return error;
}

static cudaError_t copy(void *to, const void *from, size_t bytes, double rate, int device) {
    const cudaError_t error = of_device(device);
    if (error == cudaSuccess && bytes <= LARGE) {
        memcpy(to, from, bytes);
    }
    fake_cuda.now[device] += rate > 0 ? (double)bytes / rate : 0;
    return error;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    const double *rates = kind == cudaMemcpyHostToDevice   ? fake_cuda.up
                          : kind == cudaMemcpyDeviceToHost ? fake_cuda.down
                                                           : fake_cuda.within;
    return copy(to, from, bytes, rates[stream->device], stream->device);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream) {
    cudaError_t error = cudaSuccess;
    for (size_t row = 0; row < height && error == cudaSuccess; row++) {
        error = cudaMemcpyAsync((char *)to + row * to_pitch, (const char *)from + row * from_pitch,
                                width, kind, stream);
    }
    return error;
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream) {
    (void)to_device;
    (void)from_device;
    return copy(to, from, bytes, fake_cuda.to_peer[stream->device], stream->device);
}

cudaError_t cudaMallocHost(void **memory, size_t bytes) {
    *memory = malloc(bytes);
    return of_device(current);
}

cudaError_t cudaFreeHost(void *memory) {
    free(memory);
    return of_device(current);
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

/* === Kernels ================================================================================== */

/* What the compiler calls for <<<…>>> and for the kernels of a file. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

static _Thread_local cudaStream_t launched_on;

void **__cudaRegisterFatBinary(void *binary) {
    static void *handle;
    (void)binary;
    return &handle;
}

void __cudaRegisterFatBinaryEnd(void) {
}

char __cudaInitModule(void) {
    return 0;
}

void __cudaUnregisterFatBinary(void) {
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int threads, void *thread, void *block, void *block_size,
                            void *grid_size, int *warp) {
    (void)handle;
    (void)host;
    (void)device;
    (void)name;
    (void)threads;
    (void)thread;
    (void)block;
    (void)block_size;
    (void)grid_size;
    (void)warp;
}

unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared,
                                     struct CUstream_st *stream) {
    (void)grid;
    (void)block;
    (void)shared;
    launched_on = stream;
    return 0;
}

cudaError_t __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared,
                                       void *stream) {
    *grid = *block = (struct dim3){1, 1, 1};
    *shared = 0;
    *(cudaStream_t *)stream = launched_on;
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *kernel, struct dim3 grid, struct dim3 block, void **values,
                             size_t shared, cudaStream_t stream) {
    (void)kernel;
    (void)grid;
    (void)block;
    (void)values;
    (void)shared;
    fake_cuda.now[stream->device] += fake_cuda.kernel[stream->device];
    return of_device(stream->device);
}

/* Since CUDA 13. */
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host) {
    *kernel = (cudaKernel_t)(uintptr_t)host;
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, struct dim3 grid, struct dim3 block,
                               void **values, size_t shared, cudaStream_t stream) {
    return cudaLaunchKernel((const void *)kernel, grid, block, values, shared, stream);
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
