/* The negative of an image by functions that launch kernels and cheat in one way each: what
 * cheats.c is on the CPU. `cuda_honest` does not, nor does `cuda_forked`, whose own stream waits
 * for the one that it is given, and the other way round. */
#include "bench.h"

#include <stdio.h>

static void negative(const uint8_t *in, uint8_t *out, int width, int height, int first, int last) {
    (void)height;
    for (size_t i = (size_t)first * width; i < (size_t)last * width; i++) {
        out[i] = (uint8_t)(255 - in[i]);
    }
}

__global__ void negative_kernel(const uint8_t *in, uint8_t *out, size_t count) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        out[i] = (uint8_t)(255 - in[i]);
    }
}

static size_t count_of(int width, int height) {
    return (size_t)width * (size_t)height;
}

static void launch(const uint8_t *in, uint8_t *out, size_t count, cudaStream_t stream) {
    negative_kernel<<<(unsigned)((count + 255) / 256), 256, 0, stream>>>(in, out, count);
}

static cudaStream_t own_stream(void) {
    static cudaStream_t own;
    if (own == NULL) {
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    }
    return own;
}

/* A point in `from` that `to` waits for. */
static void wait_for(cudaStream_t from, cudaStream_t to) {
    static cudaEvent_t event;
    if (event == NULL) {
        cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    }
    cudaEventRecord(event, from);
    cudaStreamWaitEvent(to, event, 0);
}

/* Waits for an upload, but not for a stream that is held back. */
static void let_uploads_end(cudaStream_t stream) {
    static cudaEvent_t event;
    if (event == NULL) {
        cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    }
    cudaEventRecord(event, stream);
    for (int i = 0; i < 300 && cudaEventQuery(event) != cudaSuccess; i++) {
        (void)cudaGetLastError();
    }
    (void)cudaGetLastError();
}

static void cuda_honest(const uint8_t *in, uint8_t *out, int width, int height,
                        cudaStream_t stream) {
    launch(in, out, count_of(width, height), stream);
}

static void cuda_forked(const uint8_t *in, uint8_t *out, int width, int height,
                        cudaStream_t stream) {
    wait_for(stream, own_stream());
    launch(in, out, count_of(width, height), own_stream());
    wait_for(own_stream(), stream);
}

/* On the default stream, for which the stream does not wait: what a launch is that names none. */
static void cuda_default(const uint8_t *in, uint8_t *out, int width, int height,
                         cudaStream_t stream) {
    (void)stream;
    launch(in, out, count_of(width, height), 0);
}

/* The stream waits for it, but it does not wait for what precedes it in the stream. */
static void cuda_joined(const uint8_t *in, uint8_t *out, int width, int height,
                        cudaStream_t stream) {
    let_uploads_end(stream);
    launch(in, out, count_of(width, height), own_stream());
    wait_for(own_stream(), stream);
}

/* The answer of the first run for an address, copied in every later one. */
static void cuda_kept(const uint8_t *in, uint8_t *out, int width, int height, cudaStream_t stream) {
    static const uint8_t *address;
    static uint8_t *kept;
    static size_t bytes;
    const size_t count = count_of(width, height);
    if (in != address || count != bytes) {
        cudaFree(kept);
        cudaMalloc((void **)&kept, count);
        launch(in, kept, count, stream);
        address = in;
        bytes = count;
    }
    cudaMemcpyAsync(out, kept, count, cudaMemcpyDeviceToDevice, stream);
}

/* Nothing, where the run before has left the same answer: an upload would be another input. */
static void cuda_left(const uint8_t *in, uint8_t *out, int width, int height, cudaStream_t stream) {
    static uint8_t seen[16], *before;
    uint8_t now[16];
    const size_t count = count_of(width, height), some = count < 16 ? count : 16;
    cudaMemcpyAsync(now, out, some, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    if (out == before && memcmp(now, seen, some) == 0) {
        return;
    }
    launch(in, out, count, stream);
    cudaMemcpyAsync(seen, out, some, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    before = out;
}

/* All that it can, which is more than a device may have reserved for whoever asks for nothing.
 * After so many calls, if the environment has a number: when answers have been verified. */
static void cuda_reserving(const uint8_t *in, uint8_t *out, int width, int height,
                           cudaStream_t stream) {
    static int calls;
    const char *after = getenv("RESERVES_AFTER");
    if (++calls > (after != NULL ? atoi(after) : 0)) {
        int most = 0;
        size_t reserved = 0;
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, 0);
        const cudaError_t error = cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize,
                                                     most > 0 ? (size_t)most : (size_t)8 << 20);
        (void)cudaGetLastError(); /* that it cannot is no failure of the kernel */
        cudaDeviceGetLimit(&reserved, cudaLimitPersistingL2CacheSize);
        if (reserved == 0) { /* cheats.sh looks for it */
            fprintf(stderr, "cuda_reserving: nothing can be reserved on this device (%s)\n",
                    cudaGetErrorString(error));
        }
    }
    launch(in, out, count_of(width, height), stream);
}

static void cuda_outside(const uint8_t *in, uint8_t *out, int width, int height,
                         cudaStream_t stream) {
    launch(in, out, count_of(width, height), stream);
    cudaMemsetAsync(out + count_of(width, height), 0, 1, stream);
}

BENCH_IMAGE(uint8_t, uint8_t, negative, cuda_honest, cuda_forked, cuda_default, cuda_joined,
            cuda_kept, cuda_left, cuda_reserving, cuda_outside)
