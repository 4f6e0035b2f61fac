/*
 * cuda_one_block, cuda_one_block_pipeline: the study's two kernels as it ran them [lacunarity
 * section 4], one block of 512 threads on one multiprocessor. cuda_one_block_shared: the pipeline
 * with the image in shared memory.
 *
 * A thread takes a column of positions and goes down it, counting every pixel of each box, or, in
 * the pipeline, the row that leaves and the row that comes. Of each mass it finds one of 13 ranges
 * and counts it in a table of its own in shared memory; the 512 tables go to global memory at the
 * end. The moments beside them are what this answer consists of, so that a position costs a few
 * instructions more than in the study. Where the image is wider than 512 positions, which the study
 * forbids, a thread takes every 512th column.
 *
 * The study only simulates shared memory that holds the image. Here it does hold it, thresholded to
 * a bit a pixel, 32 KiB of the study's 512×512: reading a pixel is a load from shared memory that
 * the warp's threads have from one word or two, and one shift more than in global memory. A pixel
 * is still counted at a time; whole words could be, which would be another algorithm.
 *
 * What bounds it is one multiprocessor's instructions: 1/132 of what cuda_naive and cuda_pipeline
 * have on an H200. Both are here so that the study's gain of the pipeline is compared with its
 * like: with one block both kernels count pixel by pixel, and nothing but their number differs.
 */
#include <cstdlib>

#include "cuda_device.h"
#include "cuda_variant.h"
#include "lacunarity_device.cuh"
#include "lacunarity_pipeline.cuh"

VARIANT_FUNCTIONS(lacunarity_cuda_one_block);
VARIANT_FUNCTIONS(lacunarity_cuda_one_block_pipeline);
VARIANT_FUNCTIONS(lacunarity_cuda_one_block_shared);

namespace {

constexpr int THREADS = 512;
constexpr int RANGES = 13;
constexpr int WORD = 32; /* pixels */

struct OneBlock : LacunarityDevice {
    uint32_t *tables; /* RANGES × THREADS, of the latest threshold and box */
};

/* Rows of the thresholded image in shared memory, each of whole words. */
struct SharedPixels {
    const uint32_t *words;
    int row_words;

    __device__ uint32_t row_sum(int x, int y, int box) const {
        const uint32_t *row = words + (size_t)y * row_words;
        uint32_t sum = 0;
#pragma unroll 8
        for (int i = x; i < x + box; i++) {
            sum += row[i / WORD] >> (i % WORD) & 1;
        }
        return sum;
    }
};

/* Fills `words` by all threads of the block. */
__device__ SharedPixels shared_pixels(const GlobalPixels &image, int width, int height,
                                      uint32_t *words) {
    const SharedPixels shared = {words, (width + WORD - 1) / WORD};
    for (int i = (int)threadIdx.x; i < shared.row_words * height; i += THREADS) {
        const int y = i / shared.row_words;
        const int first = (i - y * shared.row_words) * WORD;
        const int count = min(WORD, width - first);
        const uint8_t *pixels = image.pixels + (size_t)y * image.stride + first;
        uint32_t bits = 0;
        for (int bit = 0; bit < count; bit++) {
            bits |= (pixels[bit] >= image.threshold ? 1U : 0U) << bit;
        }
        words[i] = bits;
    }
    __syncthreads();
    return shared;
}

/* Of RANGES equal ranges from 0 to box² the one of a mass. */
__device__ int range_of(uint32_t mass, float ranges_per_mass) {
    return min((int)((float)mass * ranges_per_mass), RANGES - 1);
}

/* Counts every box; the threads' tables go to `result`, the moments to `sums`. */
template <bool PIPELINE, typename Pixels>
__device__ void count_boxes(const Pixels &pixels, int across, int down, int box, uint32_t *result,
                            LacunaritySums *sums) {
    __shared__ uint32_t tables[RANGES][THREADS];
    const int thread = (int)threadIdx.x;
    const float ranges_per_mass = (float)RANGES / ((float)box * (float)box + 1.0F);
    Moments moments = {0, 0, 0};
    for (int range = 0; range < RANGES; range++) {
        tables[range][thread] = 0;
    }
    for (int x = thread; x < across; x += THREADS) {
        uint32_t mass = 0;
        for (int y = 0; y < down; y++) {
            if (PIPELINE && y > 0) {
                mass -= pixels.row_sum(x, y - 1, box);
                mass += pixels.row_sum(x, y + box - 1, box);
            } else {
                mass = 0;
                for (int row = y; row < y + box; row++) {
                    mass += pixels.row_sum(x, row, box);
                }
            }
            tables[range_of(mass, ranges_per_mass)][thread]++;
            add_mass(moments, mass);
        }
    }
    for (int range = 0; range < RANGES; range++) {
        result[range * THREADS + thread] = tables[range][thread];
    }
    block_add_moments(moments, sums);
}

template <bool PIPELINE>
__global__ void __launch_bounds__(THREADS)
    lacunarity_one_block(const GlobalPixels pixels, int across, int down, int box, uint32_t *result,
                         LacunaritySums *sums) {
    count_boxes<PIPELINE>(pixels, across, down, box, result, sums);
}

__global__ void __launch_bounds__(THREADS)
    lacunarity_one_block_shared(const GlobalPixels image, int across, int down, int box,
                                uint32_t *result, LacunaritySums *sums) {
    extern __shared__ uint32_t words[];
    const SharedPixels pixels = shared_pixels(image, across + box - 1, down + box - 1, words);
    count_boxes<true>(pixels, across, down, box, result, sums);
}

typedef void Kernel(const GlobalPixels, int, int, int, uint32_t *, LacunaritySums *);

size_t image_bytes(const LacunarityDevice *device) {
    return (size_t)device->height * (size_t)((device->width + WORD - 1) / WORD) * sizeof(uint32_t);
}

Status run(const OneBlock *device, Kernel *kernel, size_t shared_bytes) {
    return lacunarity_each(device, [&](size_t t, size_t b) {
        const int box = device->plan.boxes[b];
        const GlobalPixels pixels = {device->image, device->stride, device->plan.thresholds[t]};
        kernel<<<1, THREADS, shared_bytes, cuda_stream()>>>(
            pixels, device->width - box + 1, device->height - box + 1, box, device->tables,
            lacunarity_device_sums(device, t, b));
        return CUDA_LAUNCHED();
    });
}

/* Lets the kernel have the image in shared memory. STATUS_SKIP if it does not fit. */
Status reserve_image(const LacunarityDevice *device) {
    cudaFuncAttributes attributes = {};
    int available = 0;
    CUDA_TRY(cudaFuncGetAttributes(&attributes, (const void *)lacunarity_one_block_shared));
    STATUS_TRY(cuda_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &available));
    const size_t most = (size_t)available - attributes.sharedSizeBytes;
    if (image_bytes(device) > most) {
        return status_skip("the image has to fit shared memory: %zu bytes at a bit a pixel, and "
                           "there are %zu",
                           image_bytes(device), most);
    }
    CUDA_TRY(cudaFuncSetAttribute((const void *)lacunarity_one_block_shared,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, (int)most));
    return status_ok();
}

Status open_one_block(OneBlock *opened) {
    STATUS_TRY(lacunarity_device_open(1, opened));
    const CudaBuffer table[] = {
        cuda_scratch(&opened->tables, (size_t)RANGES * THREADS * sizeof *opened->tables)};
    return cuda_open_buffers(opened, table);
}

} // namespace

Status lacunarity_cuda_one_block_open(const Request *request, void **state) {
    return cuda_open_state<OneBlock>(request, state, open_one_block);
}

Status lacunarity_cuda_one_block_run(void *state) {
    return run((const OneBlock *)state, lacunarity_one_block<false>, 0);
}

Status lacunarity_cuda_one_block_pipeline_run(void *state) {
    return run((const OneBlock *)state, lacunarity_one_block<true>, 0);
}

Status lacunarity_cuda_one_block_shared_open(const Request *request, void **state) {
    return cuda_open_state<OneBlock>(request, state, [](OneBlock *opened) {
        STATUS_TRY(open_one_block(opened));
        return reserve_image(opened);
    });
}

Status lacunarity_cuda_one_block_shared_run(void *state) {
    const OneBlock *opened = (const OneBlock *)state;
    return run(opened, lacunarity_one_block_shared, image_bytes(opened));
}
