/*
 * cuda_naive: one thread per position of the box, every pixel of the box counted.
 *
 * The study's conventional kernel [lacunarity section 4]: a thread compares each of the box's r²
 * pixels with the threshold and counts. It beats one processor thread because thousands of boxes
 * are counted at once, and because the threads of a warp read neighbouring bytes of the same row,
 * which later rows and neighbouring warps find in the L1 cache again. The study had one block of
 * 512 threads and a frequency table for each of them; here a thread per position, and moments
 * summed by the block in place of the tables.
 *
 * What bounds it is the number of instructions: r² loads, comparisons and additions a position. A
 * list of thresholds and boxes is a kernel launch for each, with no wait in between.
 */
#include <cstdlib>

#include "cuda_device.h"
#include "cuda_variant.h"
#include "lacunarity_device.cuh"
#include "lacunarity_pipeline.cuh"

VARIANT_FUNCTIONS(lacunarity_cuda_naive);

namespace {

__global__ void lacunarity_naive(const GlobalPixels pixels, int across, int down, int box,
                                 LacunaritySums *sums) {
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    Moments moments = {0, 0, 0};
    if (x < across && y < down) {
        uint32_t mass = 0;
        for (int row = y; row < y + box; row++) {
            mass += pixels.row_sum(x, row, box);
        }
        add_mass(moments, mass);
    }
    block_add_moments(moments, sums);
}

int block_width(const Request *request) {
    return atoi(point_text(request->tuning, block_axis.name));
}

Status launch(const LacunarityDevice *device, size_t t, size_t b) {
    const int side = block_width(device->request);
    const int box = device->plan.boxes[b];
    const int across = device->width - box + 1;
    const int down = device->height - box + 1;
    const dim3 grid((unsigned int)pieces_of(across, side), (unsigned int)pieces_of(down, side));
    const dim3 block((unsigned int)side, (unsigned int)side);
    const GlobalPixels pixels = {device->image, device->stride, device->plan.thresholds[t]};
    lacunarity_naive<<<grid, block, 0, cuda_stream()>>>(pixels, across, down, box,
                                                        lacunarity_device_sums(device, t, b));
    return CUDA_LAUNCHED();
}

} // namespace

Status lacunarity_cuda_naive_open(const Request *request, void **state) {
    STATUS_TRY(
        cuda_check_grid_rows(pieces_of(request->workload->image.height, block_width(request))));
    return lacunarity_device_open_state(request, 1, state);
}

Status lacunarity_cuda_naive_run(void *state) {
    const LacunarityDevice *device = (const LacunarityDevice *)state;
    return lacunarity_each(device, [&](size_t t, size_t b) { return launch(device, t, b); });
}
