/*
 * cuda_pipeline: one thread per column of positions, row sums updated going down.
 *
 * The study's pipeline [lacunarity section 4]: from one position to the next below it, a box loses
 * its first row and gains one, so that a thread counts 2·r pixels where cuda_naive counts r². Row
 * sums are counted anew each time, not shared between threads; neighbouring threads read
 * neighbouring bytes, most of which the L1 cache holds.
 *
 * The study had one block, so at most 512 columns and one multiprocessor, and frequency tables of
 * 13 ranges in its shared memory. Here columns are cut into bands, each begun by counting a whole
 * box, so that there are threads for all multiprocessors at any width, and moments need no tables.
 *
 * What bounds it is the number of instructions, each of the 2·r pixels a load, a comparison and an
 * addition, and the loads of bytes with them: one warp per cycle and multiprocessor. Small images
 * with large boxes have few threads and most of their work is starting: r² pixels a band.
 */
#include "lacunarity_device.cuh"
#include "lacunarity_pipeline.cuh"

VARIANT_FUNCTIONS(lacunarity_cuda_pipeline);

Status lacunarity_cuda_pipeline_open(const Request *request, void **state) {
    return lacunarity_device_open_state(request, 1, state);
}

Status lacunarity_cuda_pipeline_run(void *state) {
    const LacunarityDevice *device = (const LacunarityDevice *)state;
    return lacunarity_each(device, [&](size_t t, size_t b) {
        const GlobalPixels pixels = {device->image, device->stride, device->plan.thresholds[t]};
        return launch_pipeline(device, pixels, device->plan.boxes[b],
                               lacunarity_device_sums(device, t, b));
    });
}
