/*
 * cuda_texture: cuda_naive whose pixels come through a texture object.
 *
 * The threads of a warp read a column of pixels, which is what a texture's cache is laid out for
 * and what cuda_naive's plain loads are worst at. The entries are still stored a row apart, and
 * they are four times the bytes. The columns are added up as in cuda_naive.
 *
 * Texture memory is limited in width, height and pitch (131,072 × 65,000 on current devices):
 * larger images are skipped with that reason.
 */
#include <cstdlib>
#include <limits>

#include "cuda_texture.h"
#include "integral_device.cuh"

VARIANT_FUNCTIONS(integral_cuda_texture);

namespace {

constexpr int THREADS = 128;

/* The shared part comes first, so that integral_cuda_upload and _download serve this state. */
struct IntegralTexture {
    IntegralDevice device;
    cudaTextureObject_t texture;
};

template <typename Sum>
__global__ void __launch_bounds__(THREADS)
    sum_rows(cudaTextureObject_t texture, int width, int height, Sum *entries, size_t stride) {
    const int y = (int)(blockIdx.x * THREADS + threadIdx.x);
    if (y >= height) {
        return;
    }
    Sum *row = entries + ((size_t)y + 1) * stride;
    Sum sum = 0;
    for (int x = 0; x < width; x++) {
        sum += tex2D<unsigned char>(texture, (float)x, (float)y);
        row[x] = sum;
    }
}

struct Rows {
    cudaTextureObject_t texture;

    template <typename Sum> Status run(const IntegralDevice *device) const {
        sum_rows<Sum>
            <<<(unsigned int)pieces_of(device->height, THREADS), THREADS, 0, cuda_stream()>>>(
                texture, device->width, device->height, integral_device_entries<Sum>(device),
                device->stride);
        return CUDA_LAUNCHED();
    }
};

Status open_texture(const Request *request, IntegralTexture *state) {
    IntegralDevice *device = &state->device;
    size_t alignment = 0;
    STATUS_TRY(cuda_texture_row_alignment(&alignment));
    STATUS_TRY(integral_device_open(request, alignment, integral_all_rows(request), device));
    const CudaTextureImage image = {device->image, device->width, device->height,
                                    device->image_stride};
    return cuda_texture_create(&image, CUDA_TEXTURE_BYTE, std::numeric_limits<int>::max(),
                               &state->texture);
}

} // namespace

Status integral_cuda_texture_open(const Request *request, void **state) {
    return cuda_open_state<IntegralTexture>(
        state, [&](IntegralTexture *opened) { return open_texture(request, opened); },
        integral_cuda_texture_close);
}

Status integral_cuda_texture_run(void *state) {
    const IntegralTexture *opened = (const IntegralTexture *)state;
    STATUS_TRY(integral_device_run(&opened->device, Rows{opened->texture}));
    return integral_device_columns(&opened->device);
}

void integral_cuda_texture_close(void *state) {
    IntegralTexture *opened = (IntegralTexture *)state;
    if (opened != NULL) {
        cuda_texture_destroy(opened->texture);
        integral_device_close(&opened->device);
        free(opened);
    }
}
