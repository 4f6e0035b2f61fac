/*
 * cuda_multi: a band of rows on each device, by cuda_fast's kernel.
 *
 * A band needs the table row above it: the sums of its columns over the bands of all devices
 * before, added up along the row. So each device but the last adds up the columns of its band and
 * sends them to all devices after it. There the kernel adds them to the columns above each tile,
 * and those further left to all of the tile. The row itself is never made.
 *
 * Floor: cuda_fast's divided by the devices; one byte a pixel more, for the columns, which no
 * device can compute a row without; an entry for each column over the link, 61 KB at 16K; and the
 * wait for it.
 *
 * Rungs:
 *   - By way of device 0, which made the rows of all in blocks of 256 threads: 92 µs more than the
 *     floor at 16K on two H100.
 *   - From device to device by copies: bands of 8192×8192 on two H100 are 69.5 % efficient, about
 *     61 µs more than one band alone. By estimate: columns 28, clearing and copy 12, the other
 *     device's wait 6, its row 8, kernel launches.
 *   - A kernel writes the sums into the memory of the others and clears them for the next run.
 *     Columns are added up from below, on the last device too, which waits anyway: what was read
 *     last, the top of the band, is in the L2 cache when the table is begun. The table's kernel
 *     begins beside the one that makes the row, and waits for it only before its first entry.
 *     Predicted: 84 to 87 %. On two H200, six launches of each in turn, twice: 67.9 and 67.6 %
 *     before, 73.7 and 74.6 % now, 172 and 157 µs.
 *   - No kernel makes the row. Predicted: 151 to 154 µs.
 */
#include "early_launch.cuh"
#include "integral_device.cuh"
#include "multi_shares.h"

VARIANT_FUNCTIONS(integral_cuda_multi);

namespace {

constexpr int COLUMN_THREADS = 128;
constexpr int COLUMN_PIXELS = 4; /* of a thread: one load */
constexpr int COLUMN_ROWS = 64;  /* of a block; sums of 32 bits hold them */
constexpr int SEND_THREADS = 256;

/* A share's state. */
struct MultiBand : IntegralDevice {
    unsigned int *columns; /* a sum for each column of the image's stride; 0 before each run */
    unsigned int *above;   /* those of each share before this one; NULL: there is none */
};

struct IntegralMulti {
    MultiShares shares;                  /* first: the shared functions see only this */
    int count;                           /* shares that are not empty: the first ones */
    cudaEvent_t sent[CUDA_DEVICES_MAX];  /* the columns of a share have arrived at all others */
    cudaEvent_t taken[CUDA_DEVICES_MAX]; /* a share has read what arrived */
};

/* Where the columns of a share go: to memory of other devices. */
struct Targets {
    unsigned int *columns[CUDA_DEVICES_MAX];
    int count;
};

MultiBand *band_of(const IntegralMulti *multi, int index) {
    return (MultiBand *)multi->shares.shares[index].state;
}

/* Adds the pixels of a block's rows to the sums of their columns. The first blocks have the last
 * rows. */
__global__ void __launch_bounds__(COLUMN_THREADS)
    add_columns(const uint8_t *image, size_t stride, int height, unsigned int *columns) {
    const size_t x = ((size_t)blockIdx.x * COLUMN_THREADS + threadIdx.x) * COLUMN_PIXELS;
    const int first = (int)(gridDim.y - 1 - blockIdx.y) * COLUMN_ROWS;
    const int last = min(first + COLUMN_ROWS, height);
    let_next_start();
    if (x >= stride) {
        return;
    }
    unsigned int even = 0; /* two sums of 16 bits */
    unsigned int odd = 0;
#pragma unroll 8
    for (int y = first; y < last; y++) {
        const unsigned int four = __ldg((const unsigned int *)(image + (size_t)y * stride + x));
        even += four & 0x00FF00FFU;
        odd += four >> 8 & 0x00FF00FFU;
    }
    atomicAdd(&columns[x], even & 0xFFFFU);
    atomicAdd(&columns[x + 1], odd & 0xFFFFU);
    atomicAdd(&columns[x + 2], even >> 16);
    atomicAdd(&columns[x + 3], odd >> 16);
}

/* Writes `count` sums to all targets, and sets them to 0. */
__global__ void __launch_bounds__(SEND_THREADS)
    send_sums(unsigned int *columns, unsigned int count, const __grid_constant__ Targets targets) {
    const unsigned int x = blockIdx.x * SEND_THREADS + threadIdx.x;
    wait_for_kernel_before();
    if (x >= count) {
        return;
    }
    const unsigned int sum = columns[x];
    columns[x] = 0;
    for (int i = 0; i < targets.count; i++) {
        targets.columns[i][x] = sum;
    }
}

/* === Open and close =========================================================================== */

Status open_band(MultiPart rows, int before, MultiBand *band) {
    STATUS_TRY(cuda_check_grid_rows(pieces_of(rows.end - rows.begin, COLUMN_ROWS)));
    STATUS_TRY(integral_fast_open(rows, band));
    const size_t bytes = band->image_stride * sizeof *band->columns;
    const CudaBuffer table[] = {
        cuda_cleared(&band->columns, bytes),
        cuda_where(before > 0, cuda_scratch(&band->above, (size_t)before * bytes)),
    };
    return cuda_open_buffers(band, table);
}

Status open_share(MultiShare *share) {
    const MultiPart rows = multi_share_items(share, share->request.workload->image.height);
    return rows.begin == rows.end
               ? status_ok()
               : cuda_open_state<MultiBand>(&share->request, &share->state, [&](MultiBand *band) {
                     return open_band(rows, share->index, band);
                 });
}

Status open_joint(MultiShares *shares) {
    IntegralMulti *multi = (IntegralMulti *)shares;
    while (multi->count < shares->count && shares->shares[multi->count].state != NULL) {
        multi->count++;
    }
    if (multi->count == 1) {
        return status_ok();
    }
    STATUS_TRY(multi_open_events(multi->count, multi->sent));
    return multi_open_events(multi->count, multi->taken);
}

void close_joint(MultiShares *shares) {
    IntegralMulti *multi = (IntegralMulti *)shares;
    multi_close_events(multi->count, multi->sent);
    multi_close_events(multi->count, multi->taken);
}

/* === Run ====================================================================================== */

Status add_up(const MultiBand *band) {
    const int threads = pieces_of((int)band->image_stride, COLUMN_PIXELS);
    const dim3 grid((unsigned int)pieces_of(threads, COLUMN_THREADS),
                    (unsigned int)pieces_of(band->height, COLUMN_ROWS));
    add_columns<<<grid, COLUMN_THREADS, 0, cuda_stream()>>>(band->image, band->image_stride,
                                                            band->height, band->columns);
    return CUDA_LAUNCHED();
}

Status send(const MultiBand *band, const Targets &targets) {
    const unsigned int blocks = (unsigned int)pieces_of((int)band->image_stride, SEND_THREADS);
    return launch_early(send_sums, blocks, SEND_THREADS, band->columns,
                        (unsigned int)band->image_stride, targets);
}

/* The columns of a share to those after it, when they have read those of the run before. Nobody
 * reads those of the last one, for which adding up only fills the cache. */
Status send_columns(void *context, int index) {
    const IntegralMulti *multi = (const IntegralMulti *)context;
    const MultiBand *band = band_of(multi, index);
    const size_t count = band->image_stride;
    Targets targets = {};
    if (index == multi->count - 1) {
        return add_up(band);
    }
    for (int to = index + 1; to < multi->count; to++) {
        CUDA_TRY(cudaStreamWaitEvent(cuda_stream(), multi->taken[to], 0));
    }
    STATUS_TRY(add_up(band));
    for (int to = index + 1; to < multi->count; to++) {
        unsigned int *columns = band_of(multi, to)->above + (size_t)index * count;
        if (multi->shares.reach[index][to]) {
            targets.columns[targets.count++] = columns;
        } else {
            CUDA_TRY(cudaMemcpyAsync(columns, band->columns, count * sizeof *columns,
                                     cudaMemcpyDefault, cuda_stream()));
        }
    }
    STATUS_TRY(send(band, targets));
    CUDA_TRY(cudaEventRecord(multi->sent[index], cuda_stream()));
    return status_ok();
}

Status fill_band(void *context, int index) {
    const IntegralMulti *multi = (const IntegralMulti *)context;
    const MultiBand *band = band_of(multi, index);
    if (index == 0) {
        return integral_fast_launch(band, 0, band->height, INTEGRAL_FROM_ZERO);
    }
    for (int from = 0; from < index; from++) {
        CUDA_TRY(cudaStreamWaitEvent(cuda_stream(), multi->sent[from], 0));
    }
    STATUS_TRY(
        integral_fast_launch_share(band, {band->above, index, (unsigned int)band->image_stride}));
    CUDA_TRY(cudaEventRecord(multi->taken[index], cuda_stream()));
    return status_ok();
}

const MultiMethod method = {sizeof(IntegralMulti),
                            open_share,
                            integral_cuda_fast_upload,
                            NULL,
                            cuda_state_download,
                            open_joint,
                            close_joint};

} // namespace

Status integral_cuda_multi_open(const Request *request, void **state) {
    return multi_shares_divide(request, &method, NULL, state);
}

Status integral_cuda_multi_run(void *state) {
    IntegralMulti *multi = (IntegralMulti *)state;
    if (multi->count > 1) {
        STATUS_TRY(multi_each(multi->count, send_columns, multi));
    }
    return multi_each(multi->count, fill_band, multi);
}
