/*
 * cuda_multi: a band of rows on each device, by cuda_fast's kernel.
 *
 * A band needs the table row above it: the sums of its columns over the bands of all devices
 * before, added up along the row. So each device but the last adds up the columns of its band and
 * sends them to all devices after it; each of these makes its row of them, and the kernel takes it
 * as it takes the last row of the band before in cuda_streamed.
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
 */
#include "block_scan.cuh"
#include "early_launch.cuh"
#include "integral_device.cuh"
#include "multi_shares.h"

VARIANT_FUNCTIONS(integral_cuda_multi);

namespace {

constexpr int COLUMN_THREADS = 128;
constexpr int COLUMN_PIXELS = 4; /* of a thread: one load */
constexpr int COLUMN_ROWS = 64;  /* of a block; sums of 32 bits hold them */
constexpr int SEND_THREADS = 256;
constexpr int JOIN_THREADS = 1024;

/* A share's state. */
struct MultiBand : IntegralDevice {
    void *columns; /* a sum for each column of the image's stride; 0 before each run */
    void *above;   /* those of each share before this one; NULL: there is none */
};

struct IntegralMulti {
    MultiShares shares;                  /* first: the shared functions see only this */
    int count;                           /* shares that are not empty: the first ones */
    cudaEvent_t sent[CUDA_DEVICES_MAX];  /* the columns of a share have arrived at all others */
    cudaEvent_t taken[CUDA_DEVICES_MAX]; /* a share has read what arrived */
};

/* Where the columns of a share go: to memory of other devices. */
struct Targets {
    void *columns[CUDA_DEVICES_MAX];
    int count;
};

MultiBand *band_of(const IntegralMulti *multi, int index) {
    return (MultiBand *)multi->shares.shares[index].state;
}

/* Adds the pixels of a block's rows to the sums of their columns. The first blocks have the last
 * rows. */
template <typename Sum>
__global__ void __launch_bounds__(COLUMN_THREADS)
    add_columns(const uint8_t *image, size_t stride, int height, Sum *columns) {
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
    atomicAdd(&columns[x], (Sum)(even & 0xFFFFU));
    atomicAdd(&columns[x + 1], (Sum)(odd & 0xFFFFU));
    atomicAdd(&columns[x + 2], (Sum)(even >> 16));
    atomicAdd(&columns[x + 3], (Sum)(odd >> 16));
}

/* Writes `width` sums to all targets, and sets all `stride` to 0. */
template <typename Sum>
__global__ void __launch_bounds__(SEND_THREADS)
    send_sums(Sum *columns, int width, int stride, const Targets targets) {
    const int x = (int)(blockIdx.x * SEND_THREADS + threadIdx.x);
    wait_for_kernel_before();
    if (x >= stride) {
        return;
    }
    const Sum sum = columns[x];
    columns[x] = 0;
    for (int i = 0; i < targets.count && x < width; i++) {
        ((Sum *)targets.columns[i])[x] = sum;
    }
}

/* Where an item of a round stands in shared memory, so that threads that read several neighbouring
 * ones find them in different banks. */
__device__ int place_of(int item) {
    return item + item / 32;
}

/* The row above a band: `columns` has `width` sums of each of `shares` shares. One block. */
template <typename Sum>
__global__ void __launch_bounds__(JOIN_THREADS)
    join_columns(const Sum *columns, int shares, int width, Sum *row) {
    constexpr int ITEMS = 32 / (int)sizeof(Sum); /* of a thread in a round */
    constexpr int ROUND = JOIN_THREADS * ITEMS;
    using Scan = BlockScan<Sum, JOIN_THREADS>;
    __shared__ typename Scan::Room room;
    __shared__ Sum round[ROUND + ROUND / 32];
    const int thread = (int)threadIdx.x;
    let_next_start();
    Sum carry = 0;
    for (int begin = 0; begin < width; begin += ROUND) {
        const int count = min(ROUND, width - begin);
        for (int i = thread; i < ROUND; i += JOIN_THREADS) {
            Sum sum = 0;
            for (int share = 0; share < shares && i < count; share++) {
                sum += columns[(size_t)share * (size_t)width + (size_t)(begin + i)];
            }
            round[place_of(i)] = sum;
        }
        __syncthreads();
        Sum items[ITEMS];
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            items[i] = round[place_of(thread * ITEMS + i)];
        }
        Scan::inclusive(items, carry, room);
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            round[place_of(thread * ITEMS + i)] = items[i];
        }
        __syncthreads();
        for (int i = thread; i < count; i += JOIN_THREADS) {
            row[begin + i] = round[place_of(i)];
        }
        __syncthreads();
    }
}

/* === Open and close =========================================================================== */

Status open_band(MultiPart rows, int before, MultiBand *band) {
    STATUS_TRY(cuda_check_grid_rows(pieces_of(rows.end - rows.begin, COLUMN_ROWS)));
    STATUS_TRY(integral_fast_open(rows, band));
    const size_t entry = integral_device_entry_bytes(band);
    const CudaBuffer table[] = {
        cuda_cleared(&band->columns, band->image_stride * entry),
        cuda_where(before > 0,
                   cuda_scratch(&band->above, (size_t)before * (size_t)band->width * entry)),
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

struct ColumnSums {
    void *columns;

    template <typename Sum> Status run(const IntegralDevice *device) const {
        const int threads = pieces_of((int)device->image_stride, COLUMN_PIXELS);
        const dim3 grid((unsigned int)pieces_of(threads, COLUMN_THREADS),
                        (unsigned int)pieces_of(device->height, COLUMN_ROWS));
        add_columns<Sum><<<grid, COLUMN_THREADS, 0, cuda_stream()>>>(
            device->image, device->image_stride, device->height, (Sum *)columns);
        return CUDA_LAUNCHED();
    }
};

struct Sending {
    void *columns;
    const Targets *targets;

    template <typename Sum> Status run(const IntegralDevice *device) const {
        const int stride = (int)device->image_stride;
        return launch_early(send_sums<Sum>, (unsigned int)pieces_of(stride, SEND_THREADS),
                            SEND_THREADS, (Sum *)columns, device->width, stride, *targets);
    }
};

struct Joining {
    const MultiBand *band;
    int shares;

    template <typename Sum> Status run(const IntegralDevice *device) const {
        join_columns<Sum><<<1, JOIN_THREADS, 0, cuda_stream()>>>(
            (const Sum *)band->above, shares, device->width,
            (Sum *)(integral_device_row(device, 0) + sizeof(Sum)));
        return CUDA_LAUNCHED();
    }
};

/* The columns of a share to those after it, when they have read those of the run before. Nobody
 * reads those of the last one, for which adding up only fills the cache. */
Status send_columns(void *context, int index) {
    const IntegralMulti *multi = (const IntegralMulti *)context;
    const MultiBand *band = band_of(multi, index);
    const size_t bytes = (size_t)band->width * integral_device_entry_bytes(band);
    Targets targets = {};
    if (index == multi->count - 1) {
        return integral_device_run(band, ColumnSums{band->columns});
    }
    for (int to = index + 1; to < multi->count; to++) {
        CUDA_TRY(cudaStreamWaitEvent(cuda_stream(), multi->taken[to], 0));
    }
    STATUS_TRY(integral_device_run(band, ColumnSums{band->columns}));
    for (int to = index + 1; to < multi->count; to++) {
        void *columns = (uint8_t *)band_of(multi, to)->above + (size_t)index * bytes;
        if (multi->shares.reach[index][to]) {
            targets.columns[targets.count++] = columns;
        } else {
            CUDA_TRY(
                cudaMemcpyAsync(columns, band->columns, bytes, cudaMemcpyDefault, cuda_stream()));
        }
    }
    STATUS_TRY(integral_device_run(band, Sending{band->columns, &targets}));
    CUDA_TRY(cudaEventRecord(multi->sent[index], cuda_stream()));
    return status_ok();
}

/* The row above a band from the columns of all shares before it. */
Status join(const IntegralMulti *multi, int index) {
    const MultiBand *band = band_of(multi, index);
    for (int from = 0; from < index; from++) {
        CUDA_TRY(cudaStreamWaitEvent(cuda_stream(), multi->sent[from], 0));
    }
    return integral_device_run(band, Joining{band, index});
}

/* Nothing may be queued between the kernel that joins and the one that begins beside it. */
Status fill_band(void *context, int index) {
    const IntegralMulti *multi = (const IntegralMulti *)context;
    const MultiBand *band = band_of(multi, index);
    if (index == 0) {
        return integral_fast_launch(band, 0, band->height, INTEGRAL_FROM_ZERO);
    }
    STATUS_TRY(join(multi, index));
    STATUS_TRY(integral_fast_launch(band, 0, band->height, INTEGRAL_FROM_KERNEL_BEFORE));
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
