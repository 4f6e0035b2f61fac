/*
 * cuda_naive: one thread per keypoint, from the patch to the values, then one per response.
 *
 * This is the loop of seq given to as many threads as there are keypoints, the assignment that the
 * study considers first and leaves: no two threads share a bin, so nothing has to be atomic. The
 * patch (1 KiB) and the votes (512 bytes, in the place of the values) are too much for registers
 * and stand in global memory, where the lanes of a warp write to 32 different lines; a value is
 * read and written some 45 times before it is done. What bounds it is the latency of a
 * chain of 900 pixels with eight reads and writes each, and with 10,000 keypoints there are not
 * threads enough to hide it: a large device holds 250,000.
 *
 * The product reads a row of 128 factors and one of 128 values for each response, all from the
 * caches.
 */
#include "cuda_device.h"
#include "hashsift_device.cuh"
#include "hashsift_patch.cuh"

VARIANT_FUNCTIONS(hashsift_cuda_naive);

namespace {

constexpr int THREADS = 128;

struct HashsiftNaive : HashsiftDevice {
    uint8_t *patches; /* keypoints × HASHSIFT_PATCH_PIXELS, device memory */
};

__device__ void take_patch(const HashsiftMemoryTexels &texels, const PatchMap &map,
                           uint8_t *patch) {
    for (int j = 0; j < PATCH_SIDE; j++) {
        for (int i = 0; i < PATCH_SIDE; i++) {
            patch[j * PATCH_SIDE + i] = hashsift_patch_pixel(texels, map, i, j);
        }
    }
}

/* Votes outside the cells are dropped. */
struct AddToValues {
    float *values;

    __device__ void operator()(int row, int column, int orientation, float share) const {
        if (row >= 0 && row < HASHSIFT_CELLS && column >= 0 && column < HASHSIFT_CELLS) {
            values[(row * HASHSIFT_CELLS + column) * HASHSIFT_ORIENTATIONS +
                   orientation % HASHSIFT_ORIENTATIONS] += share;
        }
    }
};

__device__ void count_votes(const uint8_t *patch, float *values) {
    for (int v = 0; v < HASHSIFT_VALUES; v++) {
        values[v] = 0;
    }
    const AddToValues add = {values};
    for (int j = 1; j < PATCH_SIDE - 1; j++) {
        for (int i = 1; i < PATCH_SIDE - 1; i++) {
            hashsift_share(hashsift_vote(patch, i, j), add);
        }
    }
}

__device__ float unit_factor(const float *values) {
    float square = 0;
    for (int v = 0; v < HASHSIFT_VALUES; v++) {
        square += values[v] * values[v];
    }
    return hashsift_unit_factor(square);
}

__device__ void normalise(float *values) {
    const float first = unit_factor(values);
    for (int v = 0; v < HASHSIFT_VALUES; v++) {
        values[v] = fminf(first * values[v], HASHSIFT_CUT);
    }
    const float second = unit_factor(values);
    for (int v = 0; v < HASHSIFT_VALUES; v++) {
        values[v] = hashsift_whole(second * values[v]);
    }
}

__global__ void __launch_bounds__(THREADS)
    hashsift_naive_sift(const HashsiftMemoryTexels texels, const Keypoint *keypoints, int count,
                        float scale, uint8_t *patches, float *all_values) {
    const int k = (int)(blockIdx.x * THREADS + threadIdx.x);
    if (k >= count) {
        return;
    }
    uint8_t *patch = patches + (size_t)k * HASHSIFT_PATCH_PIXELS;
    float *values = all_values + (size_t)k * HASHSIFT_VALUES;
    take_patch(texels, hashsift_map(keypoints[k], scale), patch);
    count_votes(patch, values);
    normalise(values);
}

/* A block for each keypoint, a thread for each bit. */
__global__ void hashsift_naive_product(const float *factors, const float *all_values,
                                       float *responses) {
    const float *row = factors + (size_t)threadIdx.x * HASHSIFT_VALUES;
    const float *values = all_values + (size_t)blockIdx.x * HASHSIFT_VALUES;
    float sum = 0;
    for (int v = 0; v < HASHSIFT_VALUES; v++) {
        sum += row[v] * values[v];
    }
    responses[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

Status sift(HashsiftDevice *device) {
    const HashsiftNaive *naive = (const HashsiftNaive *)device;
    const HashsiftMemoryTexels texels = {device->image, device->image_stride, device->width,
                                         device->height};
    const unsigned int blocks = (unsigned int)pieces_of(device->keypoints_count, THREADS);
    hashsift_naive_sift<<<blocks, THREADS, 0, cuda_stream()>>>(
        texels, device->keypoints, device->keypoints_count, device->scale, naive->patches,
        device->values);
    return CUDA_LAUNCHED();
}

Status product(HashsiftDevice *device) {
    hashsift_naive_product<<<(unsigned int)device->keypoints_count, (unsigned int)device->bits, 0,
                             cuda_stream()>>>(device->factors, device->values, device->responses);
    return CUDA_LAUNCHED();
}

Status open(HashsiftNaive *naive) {
    static const HashsiftMethods methods = {sift, product};
    STATUS_TRY(
        hashsift_device_open(&methods, 1, HASHSIFT_WITH_VALUES | HASHSIFT_WITH_PRODUCT, naive));
    const CudaBuffer table[] = {
        cuda_scratch(&naive->patches, (size_t)naive->keypoints_count * HASHSIFT_PATCH_PIXELS)};
    return cuda_open_buffers(naive, table);
}

} // namespace

Status hashsift_cuda_naive_open(const Request *request, void **state) {
    return cuda_open_state<HashsiftNaive>(request, state, open);
}
