/*
 * cuda_naive: a thread adds up a row, then a thread adds up a column.
 *
 * The two passes of the definition, one sum each. In the first the threads of a warp read and write
 * bytes and entries that are a row apart, so that every access is a transaction of its own; the
 * second is coalesced. The table is written twice and read once: 13 bytes a pixel instead of 5. A
 * row or a column is a chain of as many dependent steps as it has pixels, and there are no more
 * threads than rows or columns, which leaves most of a large device idle.
 */
#include "integral_device.cuh"

VARIANT_FUNCTIONS(integral_cuda_naive);

namespace {

constexpr int THREADS = 128;

template <typename Sum>
__global__ void __launch_bounds__(THREADS)
    sum_rows(const uint8_t *image, size_t image_stride, int width, int height, Sum *entries,
             size_t stride) {
    const int y = (int)(blockIdx.x * THREADS + threadIdx.x);
    if (y >= height) {
        return;
    }
    const uint8_t *pixels = image + (size_t)y * image_stride;
    Sum *row = entries + ((size_t)y + 1) * stride;
    Sum sum = 0;
    for (int x = 0; x < width; x++) {
        sum += pixels[x];
        row[x] = sum;
    }
}

struct Rows {
    template <typename Sum> Status run(const IntegralDevice *device) const {
        sum_rows<Sum>
            <<<(unsigned int)pieces_of(device->height, THREADS), THREADS, 0, cuda_stream()>>>(
                device->image, device->image_stride, device->width, device->height,
                integral_device_entries<Sum>(device), device->stride);
        return CUDA_LAUNCHED();
    }
};

} // namespace

Status integral_cuda_naive_open(const Request *request, void **state) {
    return integral_device_open_state(request, state);
}

Status integral_cuda_naive_run(void *state) {
    const IntegralDevice *device = (const IntegralDevice *)state;
    STATUS_TRY(integral_device_run(device, Rows{}));
    return integral_device_columns(device);
}
