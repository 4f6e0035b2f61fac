#include "haar_device.cuh"

#include <algorithm>

/* === The device side ========================================================================== */

namespace {

/* The study kept 1200 features of an image on average. */
constexpr uint64_t RECORDS_OF_IMAGE = 1500;
constexpr uint64_t RECORDS_MIN = 4096;

size_t pixel_count(const HaarDevice *device) {
    return (size_t)device->images * (size_t)device->width * (size_t)device->height;
}

/* Room for the guess, in no more than half of the memory that is free: it is only a guess. */
uint64_t guessed_records(const HaarDevice *device) {
    const uint64_t images = (uint64_t)device->images;
    const uint64_t features =
        images * HAAR_TYPES *
        (uint64_t)haar_rectangles(device->width, device->height, device->point.min_side);
    const uint64_t half = cuda_backend.available() / 2 / sizeof *device->records;
    const uint64_t guess = std::min(std::min(features, images * RECORDS_OF_IMAGE), half);
    return std::max(guess, RECORDS_MIN);
}

Status open_records(HaarDevice *device, uint64_t count) {
    const CudaBuffer table[] = {cuda_scratch(&device->records, count * sizeof *device->records)};
    STATUS_TRY(cuda_open_buffers(device, table));
    device->capacity = count;
    return status_ok();
}

/* The old buffer goes first, so that both need not fit at once. */
Status grow_records(HaarDevice *device, uint64_t count) {
    cuda_buffer_close(device, &device->records);
    device->capacity = 0;
    return open_records(device, count);
}

Status fetch(void *host, const void *memory, size_t bytes) {
    CUDA_TRY(cudaMemcpyAsync(host, memory, bytes, cudaMemcpyDeviceToHost, cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

Status fetch_count(const HaarDevice *device, uint64_t *count) {
    return fetch(count, device->cursor, sizeof *count);
}

} // namespace

Status haar_device_size(HaarDevice *device) {
    const ImageSet *set = &device->request->workload->set;
    device->point = haar_point(device->request->answer);
    device->images = set->count;
    device->width = set->width;
    device->height = set->height;
    return haar_packing(set, &device->packing);
}

Status haar_device_open_pixels(HaarDevice *device) {
    const uint8_t *pixels = device->request->workload->image.pixels;
    const CudaBuffer table[] = {cuda_up(&device->pixels, pixel_count(device), pixels)};
    return cuda_open_buffers(device, table);
}

Status haar_device_open(Status (*search)(void *state), HaarDevice *device) {
    const CudaBuffer table[] = {cuda_scratch(&device->cursor, sizeof *device->cursor)};
    device->search = search;
    STATUS_TRY(haar_device_open_pixels(device));
    STATUS_TRY(cuda_open_buffers(device, table));
    return open_records(device, guessed_records(device));
}

Status haar_device_clear(const HaarDevice *device) {
    CUDA_TRY(cudaMemsetAsync(device->cursor, 0, sizeof *device->cursor, cuda_stream()));
    return status_ok();
}

Status haar_device_count(HaarDevice *device, uint64_t *found) {
    STATUS_TRY(fetch_count(device, found));
    if (*found > device->capacity) {
        STATUS_TRY(grow_records(device, *found));
        STATUS_TRY(device->search(device));
        STATUS_TRY(fetch_count(device, found));
    }
    return status_ok();
}

Status haar_device_fetch(const HaarDevice *device, uint64_t found, uint64_t before) {
    const Output *output = device->request->output;
    const uint64_t capacity = haar_capacity(output);
    const uint64_t room = capacity - std::min(before, capacity);
    const uint64_t there = std::min<uint64_t>(found, device->capacity);
    const size_t copied = (size_t)std::min(there, room);
    return fetch(haar_records(output) + std::min(before, capacity), device->records,
                 copied * sizeof *device->records);
}

Status haar_cuda_download(void *state) {
    HaarDevice *device = (HaarDevice *)state;
    uint64_t found = 0;
    STATUS_TRY(haar_device_count(device, &found));
    *haar_count(device->request->output) = found;
    return haar_device_fetch(device, found, 0);
}

/* === Rectangles =============================================================================== */

namespace {

constexpr int THREADS = 256;

uint32_t span_count(int side, int min_side) {
    const int lengths = std::max(side - min_side + 1, 0);
    return (uint32_t)(lengths * (lengths + 1) / 2);
}

/* A thread a length: block 0 fills the columns, block 1 the rows. Of length min_side + k there are
 * side − min_side + 1 − k spans. */
__global__ void __launch_bounds__(THREADS)
    haar_fill_spans(uchar2 *table, uint32_t across, int width, int height, int min_side) {
    const int side = blockIdx.x == 0 ? width : height;
    const int longer = (int)threadIdx.x; /* than the shortest */
    const int lengths = side - min_side + 1;
    const int before = longer * lengths - longer * (longer - 1) / 2;
    uchar2 *spans = table + (blockIdx.x == 0 ? 0 : across) + before;
    for (int begin = 0; begin < lengths - longer; begin++) {
        spans[begin] = make_uchar2((unsigned char)begin, (unsigned char)(min_side + longer));
    }
}

static_assert(THREADS >= HAAR_SIDE_MAX, "a thread for each length");

} // namespace

Status haar_rectangles_open(HaarDevice *device) {
    HaarRectangles *rectangles = &device->rectangles;
    const uint32_t across = span_count(device->width, device->point.min_side);
    const uint32_t down = span_count(device->height, device->point.min_side);
    if (across == 0 || down == 0) {
        return status_ok();
    }
    const CudaBuffer table[] = {
        cuda_scratch(&rectangles->table, ((size_t)across + down) * sizeof(uchar2))};
    STATUS_TRY(cuda_open_buffers(device, table));
    rectangles->across = across;
    rectangles->down = down;
    rectangles->columns = rectangles->table;
    rectangles->rows = rectangles->table + across;
    return status_ok();
}

static Status fill_rectangles(const HaarDevice *device) {
    const HaarRectangles *rectangles = &device->rectangles;
    haar_fill_spans<<<2, THREADS, 0, cuda_stream()>>>(rectangles->table, rectangles->across,
                                                      device->width, device->height,
                                                      device->point.min_side);
    return CUDA_LAUNCHED();
}

Status haar_cuda_upload(void *state) {
    const HaarDevice *device = (const HaarDevice *)state;
    STATUS_TRY(device->rectangles.table != NULL ? fill_rectangles(device) : status_ok());
    return cuda_state_upload(state);
}
