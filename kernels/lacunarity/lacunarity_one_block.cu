/*
 * cuda_one_block, cuda_one_block_pipeline: the study's two kernels as it ran them [lacunarity
 * section 4], one block of 512 threads on one multiprocessor.
 *
 * A thread takes a column of positions and goes down it, counting every pixel of each box, or, in
 * the pipeline, the row that leaves and the row that comes. Of each mass it finds one of 13 ranges
 * and counts it in a table of its own in shared memory; the 512 tables go to global memory at the
 * end. The moments beside them are what this answer consists of, so that a position costs a few
 * instructions more than in the study. Where the image is wider than 512 positions, which the study
 * forbids, a thread takes every 512th column.
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

namespace {

constexpr int THREADS = 512;
constexpr int RANGES = 13;

struct OneBlock {
    LacunarityDevice device; /* first: its functions take this state too */
    uint32_t *tables;        /* RANGES × THREADS, of the latest threshold and box */
};

/* Of RANGES equal ranges from 0 to box² the one of a mass. */
__device__ int range_of(uint32_t mass, float ranges_per_mass) {
    return min((int)((float)mass * ranges_per_mass), RANGES - 1);
}

template <bool PIPELINE>
__global__ void __launch_bounds__(THREADS)
    lacunarity_one_block(const GlobalPixels pixels, int across, int down, int box, uint32_t *result,
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

template <bool PIPELINE> Status run(const OneBlock *state) {
    const LacunarityDevice *device = &state->device;
    return lacunarity_each(device, [&](size_t t, size_t b) {
        const int box = device->plan.boxes[b];
        const GlobalPixels pixels = {device->image, device->stride, device->plan.thresholds[t]};
        lacunarity_one_block<PIPELINE><<<1, THREADS, 0, cuda_stream()>>>(
            pixels, device->width - box + 1, device->height - box + 1, box, state->tables,
            lacunarity_device_sums(device, t, b));
        return CUDA_LAUNCHED();
    });
}

} // namespace

Status lacunarity_cuda_one_block_open(const Request *request, void **state) {
    return cuda_open_state<OneBlock>(
        state,
        [&](OneBlock *opened) {
            STATUS_TRY(lacunarity_device_open(request, 1, &opened->device));
            return cuda_backend.alloc((size_t)RANGES * THREADS * sizeof *opened->tables,
                                      (void **)&opened->tables);
        },
        lacunarity_cuda_one_block_close);
}

Status lacunarity_cuda_one_block_run(void *state) {
    return run<false>((const OneBlock *)state);
}

Status lacunarity_cuda_one_block_pipeline_run(void *state) {
    return run<true>((const OneBlock *)state);
}

void lacunarity_cuda_one_block_close(void *state) {
    if (state == NULL) {
        return;
    }
    OneBlock *opened = (OneBlock *)state;
    cuda_backend.release(opened->tables);
    lacunarity_device_close(&opened->device);
    free(opened);
}
