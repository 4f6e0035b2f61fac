#include "integral_device.cuh"

namespace {

/* Vectors of 16 bytes that begin in a row end before the entry 0 of the next. */
constexpr size_t VECTOR_PIXELS = 4;

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

void integral_device_size(size_t row_alignment, MultiPart rows, IntegralDevice *device) {
    device->width = device->request->workload->image.width;
    device->height = rows.end - rows.begin;
    device->first_row = rows.begin;
    device->bits = integral_bits(device->request->answer);
    device->image_stride = round_up((size_t)device->width, row_alignment);
    const size_t line = INTEGRAL_ROW_BYTES / integral_device_entry_bytes(device);
    device->stride = round_up(round_up((size_t)device->width, VECTOR_PIXELS) + 1, line);
}

static size_t row_bytes(const IntegralDevice *device) {
    return ((size_t)device->width + 1) * integral_device_entry_bytes(device);
}

uint8_t *integral_device_target(const IntegralDevice *device) {
    return (uint8_t *)integral_table(device->request->output) +
           (size_t)device->first_row * row_bytes(device);
}

Status integral_device_open(IntegralDevice *device) {
    const Image *image = &device->request->workload->image;
    const size_t width = (size_t)device->width;
    const size_t height = (size_t)device->height;
    const size_t entry = integral_device_entry_bytes(device);
    const size_t stride = device->stride * entry;
    const size_t row = row_bytes(device);
    const size_t first = device->first_row == 0 ? 0 : 1;
    const CudaBuffer table[] = {
        cuda_rows_up(&device->image, device->image_stride * height,
                     {image_row(image, device->first_row), image->stride, 0, device->image_stride,
                      width, height}),
        cuda_rows_down(&device->memory, INTEGRAL_ROW_BYTES + stride * (height + 1),
                       {integral_device_target(device) + first * row, row,
                        INTEGRAL_ROW_BYTES - entry + first * stride, stride, row,
                        height + 1 - first}),
    };
    return cuda_open_buffers(device, table);
}

Status integral_device_columns(const IntegralDevice *device) {
    return integral_device_run(device, Columns{});
}

Status integral_device_open_state(const Request *request, void **state) {
    return cuda_open_state<IntegralDevice>(request, state, [request](IntegralDevice *device) {
        integral_device_size(1, integral_all_rows(request), device);
        return integral_device_open(device);
    });
}
