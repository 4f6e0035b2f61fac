#include "integral_device.cuh"

#include <cstdlib>

namespace {

/* Vectors of 16 bytes that begin in a row end before the entry 0 of the next. */
constexpr size_t VECTOR_PIXELS = 4;

Status allocate(IntegralDevice *device) {
    const size_t entry = integral_device_entry_bytes(device);
    const size_t rows = (size_t)device->height + 1;
    STATUS_TRY(
        cuda_backend.alloc(device->image_stride * (size_t)device->height, (void **)&device->image));
    return cuda_backend.alloc(INTEGRAL_ROW_BYTES + device->stride * rows * entry, &device->memory);
}

/* A thread a column of the table; column 0 first. */
template <typename Sum>
__global__ void __launch_bounds__(INTEGRAL_COLUMN_THREADS)
    sum_columns(Sum *entries, size_t stride, int width, int height) {
    const int column = (int)(blockIdx.x * INTEGRAL_COLUMN_THREADS + threadIdx.x);
    if (column > width) {
        return;
    }
    Sum *entry = entries + column - 1;
    Sum sum = 0;
    *entry = 0;
    for (int y = 0; y < height; y++) {
        entry += stride;
        sum += column > 0 ? *entry : 0;
        *entry = sum;
    }
}

struct Columns {
    template <typename Sum> Status run(const IntegralDevice *device) const {
        sum_columns<Sum><<<(unsigned int)pieces_of(device->width + 1, INTEGRAL_COLUMN_THREADS),
                           INTEGRAL_COLUMN_THREADS, 0, cuda_stream()>>>(
            integral_device_entries<Sum>(device), device->stride, device->width, device->height);
        return CUDA_LAUNCHED();
    }
};

} // namespace

MultiPart integral_all_rows(const Request *request) {
    return MultiPart{0, request->workload->image.height};
}

Status integral_device_open(const Request *request, size_t row_alignment, MultiPart rows,
                            IntegralDevice *device) {
    *device = IntegralDevice{};
    device->request = request;
    device->width = request->workload->image.width;
    device->height = rows.end - rows.begin;
    device->first_row = rows.begin;
    device->bits = integral_bits(request->answer);
    device->image_stride = round_up((size_t)device->width, row_alignment);
    const size_t line = INTEGRAL_ROW_BYTES / integral_device_entry_bytes(device);
    device->stride = round_up(round_up((size_t)device->width, VECTOR_PIXELS) + 1, line);
    const Status status = allocate(device);
    if (!status_is_ok(&status)) {
        integral_device_close(device);
    }
    return status;
}

void integral_device_close(IntegralDevice *device) {
    cuda_backend.release(device->image);
    cuda_backend.release(device->memory);
    *device = IntegralDevice{};
}

Status integral_device_upload(const IntegralDevice *device) {
    const Image *image = &device->request->workload->image;
    CUDA_TRY(cudaMemcpy2DAsync(
        device->image, device->image_stride, image_row(image, device->first_row), image->stride,
        (size_t)device->width, (size_t)device->height, cudaMemcpyHostToDevice, cuda_stream()));
    return status_ok();
}

static size_t row_bytes(const IntegralDevice *device) {
    return ((size_t)device->width + 1) * integral_device_entry_bytes(device);
}

uint8_t *integral_device_target(const IntegralDevice *device) {
    return (uint8_t *)integral_table(device->request->output) +
           (size_t)device->first_row * row_bytes(device);
}

Status integral_device_download_row(const IntegralDevice *device, int row) {
    CUDA_TRY(cudaMemcpyAsync(integral_device_target(device) + (size_t)row * row_bytes(device),
                             integral_device_row(device, row), row_bytes(device),
                             cudaMemcpyDeviceToHost, cuda_stream()));
    return status_ok();
}

Status integral_device_download(const IntegralDevice *device) {
    const int first = device->first_row == 0 ? 0 : 1;
    CUDA_TRY(cudaMemcpy2DAsync(integral_device_target(device) + (size_t)first * row_bytes(device),
                               row_bytes(device), integral_device_row(device, first),
                               device->stride * integral_device_entry_bytes(device),
                               row_bytes(device), (size_t)device->height + 1 - (size_t)first,
                               cudaMemcpyDeviceToHost, cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

Status integral_device_columns(const IntegralDevice *device) {
    return integral_device_run(device, Columns{});
}

Status integral_device_open_state(const Request *request, void **state) {
    return cuda_open_state<IntegralDevice>(
        state,
        [&](IntegralDevice *device) {
            return integral_device_open(request, 1, integral_all_rows(request), device);
        },
        integral_cuda_close);
}

Status integral_cuda_upload(void *state) {
    return integral_device_upload((const IntegralDevice *)state);
}

Status integral_cuda_download(void *state) {
    return integral_device_download((const IntegralDevice *)state);
}

void integral_cuda_close(void *state) {
    if (state != NULL) {
        integral_device_close((IntegralDevice *)state);
        free(state);
    }
}
