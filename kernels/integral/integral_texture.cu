/*
 * cuda_texture: cuda_naive whose pixels come through a texture object.
 *
 * The threads of a warp read a column of pixels, which is what a texture's cache is laid out for
 * and what cuda_naive's plain loads are worst at. The entries are still stored a row apart, and
 * they are four times the bytes. The columns are added up as in cuda_naive.
 */
#include "cuda_texture.h"
#include "integral_device.cuh"

VARIANT_FUNCTIONS(integral_cuda_texture);

namespace {

constexpr int THREADS = 128;

struct IntegralTexture : IntegralDevice {
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

Status open_texture(IntegralTexture *opened) {
    size_t alignment = 0;
    STATUS_TRY(cuda_texture_row_alignment(&alignment));
    integral_device_size(alignment, integral_all_rows(opened->request), opened);
    STATUS_TRY(integral_device_open(opened));
    const CudaTextureImage image = {opened->image, opened->width, opened->height,
                                    opened->image_stride};
    return cuda_texture_open(opened, &image, CUDA_TEXTURE_BYTE, CUDA_TEXTURE_ANY_SIDE,
                             &opened->texture);
}

} // namespace

Status integral_cuda_texture_open(const Request *request, void **state) {
    return cuda_open_state<IntegralTexture>(request, state, open_texture);
}

Status integral_cuda_texture_run(void *state) {
    const IntegralTexture *opened = (const IntegralTexture *)state;
    STATUS_TRY(integral_device_run(opened, Rows{opened->texture}));
    return integral_device_columns(opened);
}
