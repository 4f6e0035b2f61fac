/* invert, one thread per pixel: the plainest kernel there is, to improve on. */
#include <cstdlib>

#include "cuda_device.h"
#include "invert_answer.h"

VARIANT_FUNCTIONS(invert_cuda_naive);

typedef struct NaiveState {
    const Image *image;
    uint8_t *host_answer;
    void *pixels, *answer; /* on the device, dense rows */
    size_t count;          /* pixels */
} NaiveState;

static __global__ void invert_pixels(const uint8_t *pixels, uint8_t *answer, size_t count) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        answer[i] = (uint8_t)(255 - pixels[i]);
    }
}

Status invert_cuda_naive_open(const Request *request, void **state) {
    NaiveState *naive = (NaiveState *)calloc(1, sizeof *naive);
    if (naive == NULL) {
        return status_no_memory("for the state of invert/cuda_naive");
    }
    naive->image = &request->workload->image;
    naive->host_answer = invert_image(request->output);
    naive->count = image_pixel_count(naive->image);
    Status status = cuda_backend.alloc(naive->count, &naive->pixels);
    if (status_is_ok(&status)) {
        status = cuda_backend.alloc(naive->count, &naive->answer);
    }
    if (!status_is_ok(&status)) {
        invert_cuda_naive_close(naive);
        return status;
    }
    *state = naive;
    return status_ok();
}

Status invert_cuda_naive_upload(void *state) {
    const NaiveState *naive = (const NaiveState *)state;
    const Image *image = naive->image;
    CUDA_TRY(cudaMemcpy2DAsync(naive->pixels, image->width, image->pixels, image->stride,
                               image->width, image->height, cudaMemcpyHostToDevice, cuda_stream()));
    return status_ok();
}

Status invert_cuda_naive_run(void *state) {
    const NaiveState *naive = (const NaiveState *)state;
    const unsigned threads = 256;
    const unsigned blocks = (unsigned)((naive->count + threads - 1) / threads);
    invert_pixels<<<blocks, threads, 0, cuda_stream()>>>((const uint8_t *)naive->pixels,
                                                         (uint8_t *)naive->answer, naive->count);
    return CUDA_LAUNCHED();
}

Status invert_cuda_naive_download(void *state) {
    const NaiveState *naive = (const NaiveState *)state;
    CUDA_TRY(cudaMemcpyAsync(naive->host_answer, naive->answer, naive->count,
                             cudaMemcpyDeviceToHost, cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

void invert_cuda_naive_close(void *state) {
    NaiveState *naive = (NaiveState *)state;
    if (naive == NULL) {
        return;
    }
    cuda_backend.release(naive->pixels);
    cuda_backend.release(naive->answer);
    free(naive);
}
