/*
 * cuda_naive: a block for each image, and a buffer for the worst case of each. It is what the
 * study began with.
 *
 * It beats one processor thread because the rectangles of an image are searched by the threads of
 * a block at once, and many images beside each other. A thread adds up a row of the integral
 * image, then a column, which lie in global memory; each feature is computed by itself from the
 * eight to sixteen entries that its cells have at their corners.
 *
 * Every image has room for all its features and a counter of its own, so nothing can overflow,
 * and few images fit: they go in batches whose buffer is about 3 GB, as the study's was. How much
 * of it was used is spread over all of it, so that after each batch the whole buffer is copied to
 * host memory, and the host gathers the records from there. The next batch needs the buffer again:
 * the copies are part of the run, not a download after it, and the kernel time of this variant
 * includes transfers.
 *
 * What bounds it are these copies: 40 bytes for each rectangle, kept or not, into pageable memory.
 */
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "cuda_device.h"
#include "haar_device.h"

VARIANT_FUNCTIONS(haar_cuda_naive);

namespace {

constexpr int THREADS = 256;
constexpr size_t BUFFER_BYTES = 3000000000;

struct HaarNaive {
    HaarDevice device;
    HaarRectangles rectangles;
    size_t room;               /* records of an image in the worst case; 0: no rectangle */
    int batch;                 /* images */
    int32_t *integrals;        /* of a batch */
    uint64_t *buffer, *copy;   /* room × batch records on the device, and in host memory */
    unsigned long long *found; /* records of each image of a batch */
    unsigned long long *found_copy;
};

struct NaiveJob {
    const uint8_t *pixels; /* of the batch's first image */
    uint32_t first;        /* its number */
    int width, height;
    HaarRectangles rectangles;
    HaarPacking packing;
    int32_t threshold;
    int32_t *integrals;
    uint64_t *buffer;
    size_t room;
    unsigned long long *found;
};

__host__ __device__ constexpr size_t integral_entries(int width, int height) {
    return (size_t)(width + 1) * (size_t)(height + 1);
}

__device__ void make_integral(const uint8_t *pixels, int width, int height, int32_t *integral) {
    const int stride = width + 1;
    for (int y = (int)threadIdx.x; y <= height; y += THREADS) {
        int32_t sum = 0;
        integral[y * stride] = 0;
        for (int x = 0; x < width; x++) {
            sum += y > 0 ? pixels[(y - 1) * width + x] : 0;
            integral[y * stride + x + 1] = sum;
        }
    }
    __syncthreads();
    for (int x = (int)threadIdx.x; x <= width; x += THREADS) {
        int32_t sum = 0;
        for (int y = 1; y <= height; y++) {
            sum += integral[y * stride + x];
            integral[y * stride + x] = sum;
        }
    }
    __syncthreads();
}

__global__ void __launch_bounds__(THREADS) haar_naive(const NaiveJob job) {
    const size_t entries = integral_entries(job.width, job.height);
    const size_t image_bytes = (size_t)job.width * (size_t)job.height;
    int32_t *integral = job.integrals + blockIdx.x * entries;
    uint64_t *records = job.buffer + blockIdx.x * job.room;
    make_integral(job.pixels + blockIdx.x * image_bytes, job.width, job.height, integral);

    const uint32_t across = job.rectangles.across;
    const uint32_t count = across * job.rectangles.down;
    for (uint32_t i = threadIdx.x; i < count; i += THREADS) {
        const uchar2 columns = job.rectangles.columns[i % across];
        const uchar2 rows = job.rectangles.rows[i / across];
        for (uint8_t type = 0; type < HAAR_TYPES; type++) {
            const HaarFeature feature = {type, columns.x, rows.x, columns.y, rows.y};
            const int32_t value = haar_value(integral, job.width + 1, feature);
            if (abs(value) > job.threshold) {
                const unsigned long long at = atomicAdd(&job.found[blockIdx.x], 1ULL);
                records[at] = haar_pack(&job.packing, job.first + blockIdx.x, feature, value);
            }
        }
    }
}

/* Images whose buffers are BUFFER_BYTES, or what memory allows, and at least one. */
int batch_images(const HaarNaive *naive) {
    const HaarDevice *device = &naive->device;
    BackendMemory on_device;
    BackendMemory on_host;
    cuda_backend.memory(&on_device);
    cpu_backend.memory(&on_host);
    const uint64_t free_bytes = std::min(on_device.available / 4 * 3, on_host.available / 2);
    const uint64_t bytes = std::min<uint64_t>(BUFFER_BYTES, free_bytes);
    const uint64_t images = bytes / (naive->room * sizeof *naive->buffer);
    return (int)std::max<uint64_t>(std::min(images, (uint64_t)device->images), 1);
}

Status allocate(HaarNaive *naive) {
    const HaarDevice *device = &naive->device;
    const size_t batch = (size_t)naive->batch;
    const size_t integrals =
        batch * integral_entries(device->width, device->height) * sizeof *naive->integrals;
    const size_t buffer = batch * naive->room * sizeof *naive->buffer;
    const size_t found = batch * sizeof *naive->found;
    STATUS_TRY(cuda_backend.alloc(integrals, (void **)&naive->integrals));
    STATUS_TRY(cuda_backend.alloc(buffer, (void **)&naive->buffer));
    STATUS_TRY(cuda_backend.alloc(found, (void **)&naive->found));
    STATUS_TRY(cpu_backend.alloc(buffer, (void **)&naive->copy));
    return cpu_backend.alloc(found, (void **)&naive->found_copy);
}

Status open_naive(const Request *request, HaarNaive *naive) {
    STATUS_TRY(haar_device_open_pixels(request, &naive->device));
    STATUS_TRY(haar_rectangles_open(&naive->device, &naive->rectangles));
    naive->room = (size_t)naive->rectangles.across * naive->rectangles.down * HAAR_TYPES;
    if (naive->room == 0) {
        return status_ok();
    }
    naive->batch = batch_images(naive);
    return allocate(naive);
}

/* Searches `images` images from number `first` on, and copies what there is of them. */
Status run_batch(const HaarNaive *naive, int first, int images) {
    const HaarDevice *device = &naive->device;
    const size_t found_bytes = (size_t)images * sizeof *naive->found;
    const size_t image_bytes = (size_t)device->width * (size_t)device->height;
    NaiveJob job = {};
    job.pixels = device->pixels + (size_t)first * image_bytes;
    job.first = (uint32_t)first;
    job.width = device->width;
    job.height = device->height;
    job.rectangles = naive->rectangles;
    job.packing = device->packing;
    job.threshold = device->point.threshold;
    job.integrals = naive->integrals;
    job.buffer = naive->buffer;
    job.room = naive->room;
    job.found = naive->found;
    CUDA_TRY(cudaMemsetAsync(naive->found, 0, found_bytes, cuda_stream()));
    haar_naive<<<(unsigned int)images, THREADS, 0, cuda_stream()>>>(job);
    STATUS_TRY(CUDA_LAUNCHED());
    CUDA_TRY(cudaMemcpyAsync(naive->found_copy, naive->found, found_bytes, cudaMemcpyDeviceToHost,
                             cuda_stream()));
    CUDA_TRY(cudaMemcpyAsync(naive->copy, naive->buffer,
                             (size_t)images * naive->room * sizeof *naive->copy,
                             cudaMemcpyDeviceToHost, cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

/* Appends the records of a batch to the answer, those for which it has room. */
void gather_batch(const HaarNaive *naive, int images) {
    const Output *output = naive->device.request->output;
    const size_t capacity = haar_capacity(output);
    for (int i = 0; i < images; i++) {
        const size_t found = (size_t)naive->found_copy[i];
        const size_t before = (size_t)std::min<uint64_t>(*haar_count(output), capacity);
        const size_t copied = std::min(found, capacity - before);
        memcpy(haar_records(output) + before, naive->copy + (size_t)i * naive->room,
               copied * sizeof *naive->copy);
        *haar_count(output) += found;
    }
}

} // namespace

Status haar_cuda_naive_open(const Request *request, void **state) {
    return cuda_open_state<HaarNaive>(
        state, [&](HaarNaive *opened) { return open_naive(request, opened); },
        haar_cuda_naive_close);
}

Status haar_cuda_naive_upload(void *state) {
    HaarNaive *naive = (HaarNaive *)state;
    STATUS_TRY(haar_rectangles_upload(&naive->device, &naive->rectangles));
    return haar_device_upload(&naive->device);
}

Status haar_cuda_naive_run(void *state) {
    const HaarNaive *naive = (const HaarNaive *)state;
    const int images = naive->device.images;
    *haar_count(naive->device.request->output) = 0;
    if (naive->room == 0) {
        return status_ok();
    }
    for (int first = 0; first < images;) {
        const int count = std::min(naive->batch, images - first);
        STATUS_TRY(run_batch(naive, first, count));
        gather_batch(naive, count);
        first += count;
    }
    return status_ok();
}

void haar_cuda_naive_close(void *state) {
    HaarNaive *naive = (HaarNaive *)state;
    if (naive != NULL) {
        cuda_backend.release(naive->integrals);
        cuda_backend.release(naive->buffer);
        cuda_backend.release(naive->found);
        cpu_backend.release(naive->copy);
        cpu_backend.release(naive->found_copy);
        haar_rectangles_close(&naive->rectangles);
        haar_device_close(&naive->device);
        free(naive);
    }
}
