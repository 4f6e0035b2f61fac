/* Rows of the image in global memory, thresholded as they are read. */
#ifndef KERNELS_LACUNARITY_LACUNARITY_PIPELINE_CUH
#define KERNELS_LACUNARITY_LACUNARITY_PIPELINE_CUH

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cuda_device.h"
#include "lacunarity_device.cuh"

/* === Pixels =================================================================================== */

struct GlobalPixels {
    const uint8_t *pixels;
    size_t stride;
    int threshold;

    /* The number of object pixels among `box` of row y from column x on. */
    __device__ uint32_t row_sum(int x, int y, int box) const {
        const uint8_t *row = pixels + (size_t)y * stride + x;
        uint32_t sum = 0;
#pragma unroll 8
        for (int i = 0; i < box; i++) {
            sum += row[i] >= threshold ? 1 : 0;
        }
        return sum;
    }
};

/* === The kernel =============================================================================== */

/*
 * Row sums updated going down a column, for pixels from anywhere: what cuda_pipeline and
 * cuda_texture share. Pixels is a type with a row_sum, as GlobalPixels has.
 */

namespace {

constexpr int PIPELINE_THREADS = 128;

/* Threads that a multiprocessor gets while bands are short: with eight loads of each under way,
 * these keep its load units busy, and more of them would only start more often. */
constexpr int PIPELINE_THREADS_WANTED = 256;

/* Bands need not be taller than this many boxes: starting is an eighth of the work then. */
constexpr int PIPELINE_BAND_BOXES = 4;
constexpr int PIPELINE_BAND_ROWS_MIN = 32;

/* Positions of a box, and how they are dealt out: a thread takes one column of a band. */
struct Bands {
    int across, down; /* positions */
    int box;
    int rows;  /* positions down in a band; the last may have fewer */
    int count; /* bands */
};

/* Threads are numbered along a row of positions first, so that neighbours read neighbouring bytes.
 * A narrow image fills its warps with columns of several bands. */
template <bool SQUARES_FIT, typename Pixels>
__global__ void __launch_bounds__(PIPELINE_THREADS)
    lacunarity_pipeline(const Pixels pixels, Bands bands, LacunaritySums *sums) {
    const int item = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int band = item / bands.across;
    Moments moments = {0, 0, 0};
    if (band < bands.count) {
        const int x = item - band * bands.across;
        const int first = band * bands.rows;
        const int end = min(first + bands.rows, bands.down);
        uint32_t mass = 0;
        for (int y = first; y < first + bands.box; y++) {
            mass += pixels.row_sum(x, y, bands.box);
        }
        add_mass<SQUARES_FIT>(moments, mass);
        for (int y = first + 1; y < end; y++) {
            mass -= pixels.row_sum(x, y - 1, bands.box);
            mass += pixels.row_sum(x, y + bands.box - 1, bands.box);
            add_mass<SQUARES_FIT>(moments, mass);
        }
    }
    block_add_moments(moments, sums);
}

/*
 * A band of n positions down reads r + 2·(n − 1) rows of r pixels, r of them to start: tall bands
 * do less work, short ones give more threads. Bands are as tall as leaves enough threads.
 */
Bands pipeline_bands(const LacunarityDevice *device, int box) {
    Bands bands = {};
    bands.across = device->width - box + 1;
    bands.down = device->height - box + 1;
    bands.box = box;
    const long long threads = (long long)cuda_multiprocessors() * PIPELINE_THREADS_WANTED;
    const long long share = (long long)bands.across * bands.down / threads;
    const long long tall = std::max(PIPELINE_BAND_BOXES * box, PIPELINE_BAND_ROWS_MIN);
    const long long rows = std::max(std::min(share, tall), 1LL);
    bands.rows = (int)std::min<long long>(rows, bands.down);
    bands.count = pieces_of(bands.down, bands.rows);
    return bands;
}

template <typename Pixels>
Status launch_pipeline(const LacunarityDevice *device, const Pixels &pixels, int box,
                       LacunaritySums *sums) {
    const Bands bands = pipeline_bands(device, box);
    const auto kernel = squares_fit(box, (unsigned long long)bands.rows)
                            ? lacunarity_pipeline<true, Pixels>
                            : lacunarity_pipeline<false, Pixels>;
    const int blocks = pieces_of(bands.across * bands.count, PIPELINE_THREADS);
    kernel<<<(unsigned int)blocks, PIPELINE_THREADS, 0, cuda_stream()>>>(pixels, bands, sums);
    return CUDA_LAUNCHED();
}

} // namespace

#endif
