/*
 * cuda_sat: a summed-area table, once for each threshold; then four reads for each box position.
 *
 * Element (x, y) of the table is the number of object pixels left of x and above y, so the mass of
 * a box is a sum of four elements, whatever its side: O(1), where cuda_tiled is O(r). Elements are
 * kept modulo 2^32, which the difference does not notice: the largest box has fewer pixels.
 *
 * Rows are summed up by scans of a block, a block a row; columns by a thread each, 32 rows in
 * flight. The table is 4 bytes a pixel, written twice and read once, and 16 bytes are read for each
 * position, half of them from the cache: memory bounds it where the table is larger than the L2
 * cache, and what cuda_fast improves is that there is no table.
 */
#include "lacunarity_device.cuh"

#include <algorithm>

#include "row_scan.cuh"

VARIANT_FUNCTIONS(lacunarity_cuda_sat);

namespace {

constexpr int ROW_THREADS = 256;
constexpr int ROW_ITEMS = 8; /* pixels of a thread in each round of a row's scan */
constexpr int COLUMN_THREADS = 128;
constexpr int COLUMN_ROWS = 32; /* in flight: few threads, so latency is what there is to hide */
constexpr int SUM_THREADS = 256;
constexpr int SUM_ROWS_MIN = 8; /* a thread's, so that adding up the block is little beside them */

struct LacunaritySatState : LacunarityDevice {
    LacunaritySat sat;
};

/* A block a row: row y of the image becomes row y + 1 of the table, summed from left to right. */
__global__ void __launch_bounds__(ROW_THREADS)
    lacunarity_sat_rows(const uint8_t *image, size_t image_stride, int width, int threshold,
                        LacunaritySat sat) {
    const uint8_t *pixels = image + (size_t)blockIdx.x * image_stride;
    uint32_t *row = sat.table + (size_t)(blockIdx.x + 1) * sat.stride;
    if (threadIdx.x == 0) {
        row[0] = 0;
    }
    scan_row<uint32_t, ROW_THREADS, ROW_ITEMS>(
        width, [&](int x) -> uint32_t { return pixels[x] >= threshold ? 1 : 0; }, row + 1);
}

/* A thread a column: sums from top to bottom, in place; row 0 becomes 0. */
__global__ void __launch_bounds__(COLUMN_THREADS)
    lacunarity_sat_columns(LacunaritySat sat, int width, int height) {
    const int x = (int)(blockIdx.x * COLUMN_THREADS + threadIdx.x);
    if (x > width) {
        return;
    }
    uint32_t *element = sat.table + x;
    uint32_t sum = 0;
    *element = 0;
    int y = 1;
    for (; y + COLUMN_ROWS <= height + 1; y += COLUMN_ROWS) {
        uint32_t rows[COLUMN_ROWS];
#pragma unroll
        for (int i = 0; i < COLUMN_ROWS; i++) {
            rows[i] = element[(size_t)(y + i) * sat.stride];
        }
#pragma unroll
        for (int i = 0; i < COLUMN_ROWS; i++) {
            sum += rows[i];
            element[(size_t)(y + i) * sat.stride] = sum;
        }
    }
    for (; y <= height; y++) {
        sum += element[(size_t)y * sat.stride];
        element[(size_t)y * sat.stride] = sum;
    }
}

/* A thread a column of positions, and a run of `rows` rows of it. */
__global__ void __launch_bounds__(SUM_THREADS)
    lacunarity_sat_sum(LacunaritySat sat, int columns, LacunarityBand band, int rows,
                       LacunaritySums *sums) {
    const int x = (int)(blockIdx.x * SUM_THREADS + threadIdx.x);
    const int box = band.box;
    const int first = band.begin + (int)blockIdx.y * rows;
    const int last = min(band.end, first + rows);
    Moments moments = {};
    if (x < columns) {
        const uint32_t *top = sat.table + (size_t)first * sat.stride + x;
        const uint32_t *bottom = top + (size_t)box * sat.stride;
        for (int y = first; y < last; y++) {
            add_mass(moments, bottom[box] - bottom[0] - top[box] + top[0]);
            top += sat.stride;
            bottom += sat.stride;
        }
    }
    block_add_moments(moments, sums);
}

Status build_table(const LacunarityDevice *device, const LacunaritySat *sat, int threshold) {
    lacunarity_sat_rows<<<(unsigned int)device->height, ROW_THREADS, 0, cuda_stream()>>>(
        device->image, device->stride, device->width, threshold, *sat);
    STATUS_TRY(CUDA_LAUNCHED());
    lacunarity_sat_columns<<<(unsigned int)pieces_of(device->width + 1, COLUMN_THREADS),
                             COLUMN_THREADS, 0, cuda_stream()>>>(*sat, device->width,
                                                                 device->height);
    return CUDA_LAUNCHED();
}

Status sum_boxes(const LacunarityDevice *device, const LacunaritySat *sat,
                 const LacunarityBand &band, LacunaritySums *sums) {
    const int columns = device->width - band.box + 1;
    const int down = band.end - band.begin;
    if (down == 0) {
        return status_ok();
    }
    const int across = pieces_of(columns, SUM_THREADS);
    int blocks = 0;
    STATUS_TRY(cuda_resident_blocks((const void *)lacunarity_sat_sum, SUM_THREADS, 0, &blocks));
    const int bands = std::max(1, blocks * cuda_multiprocessors() / across);
    const int rows = std::max(SUM_ROWS_MIN, pieces_of(down, bands));
    const dim3 grid((unsigned int)across, (unsigned int)pieces_of(down, rows));
    lacunarity_sat_sum<<<grid, SUM_THREADS, 0, cuda_stream()>>>(*sat, columns, band, rows, sums);
    return CUDA_LAUNCHED();
}

} // namespace

Status lacunarity_sat_open(LacunarityDevice *device, LacunaritySat *sat) {
    sat->stride = round_up((size_t)device->width + 1, 32);
    const size_t entries = sat->stride * ((size_t)device->height + 1);
    const CudaBuffer table[] = {cuda_scratch(&sat->table, entries * sizeof *sat->table)};
    return cuda_open_buffers(device, table);
}

Status lacunarity_sat_compute(const LacunarityDevice *device, const LacunaritySat *sat) {
    for (size_t t = 0; t < device->plan.threshold_count; t++) {
        STATUS_TRY(build_table(device, sat, device->plan.thresholds[t]));
        for (size_t b = 0; b < device->plan.box_count; b++) {
            STATUS_TRY(
                sum_boxes(device, sat, device->bands[b], lacunarity_device_sums(device, t, b)));
        }
    }
    return status_ok();
}

Status lacunarity_cuda_sat_open(const Request *request, void **state) {
    return cuda_open_state<LacunaritySatState>(request, state, [](LacunaritySatState *opened) {
        STATUS_TRY(lacunarity_device_open(1, opened));
        return lacunarity_sat_open(opened, &opened->sat);
    });
}

Status lacunarity_cuda_sat_run(void *state) {
    const LacunaritySatState *opened = (const LacunaritySatState *)state;
    STATUS_TRY(lacunarity_device_clear(opened));
    return lacunarity_sat_compute(opened, &opened->sat);
}
