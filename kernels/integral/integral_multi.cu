/*
 * cuda_multi: a band of rows on each device, by cuda_fast's kernel.
 *
 * A band needs the table row above it: the sums of its columns over the bands of all devices
 * before, added up along the row. So each device but the last adds up the columns of its band and
 * sends them to device 0, which sends each but the first its row; the kernel takes it as it takes
 * the last row of the band before in cuda_streamed.
 *
 * Floor: cuda_fast's divided by the devices; one byte a pixel more, for the columns; an entry for
 * each column and device over the link, twice, 61 KB each at 16K; and the wait for these.
 */
#include <cub/block/block_scan.cuh>

#include "integral_device.cuh"
#include "multi_shares.h"

VARIANT_FUNCTIONS(integral_cuda_multi);

namespace {

constexpr int COLUMN_THREADS = 128;
constexpr int COLUMN_PIXELS = 4; /* of a thread: one load */
constexpr int COLUMN_ROWS = 64;  /* of a block; sums of 32 bits hold them */
constexpr int JOIN_THREADS = 256;
constexpr int JOIN_ITEMS = 4;

/* A share's state; the shared part comes first. */
struct MultiBand {
    IntegralDevice device;
    IntegralFast *fast;
    void *columns; /* a sum for each column of the image's stride */
};

struct IntegralMulti {
    MultiShares shares;                  /* first: the shared functions see only this */
    int count;                           /* shares that are not empty: the first ones */
    void *columns;                       /* on device 0: of each share but the last, its columns */
    void *rows;                          /* on device 0: of each share but the first, the row */
    cudaEvent_t sent[CUDA_DEVICES_MAX];  /* the columns of a share have arrived */
    cudaEvent_t taken[CUDA_DEVICES_MAX]; /* a share has its row */
    cudaEvent_t joined;                  /* the columns have been read and the rows are there */
};

MultiBand *band_of(const IntegralMulti *multi, int index) {
    return (MultiBand *)multi->shares.shares[index].state;
}

/* Adds the pixels of a block's rows to the sums of their columns. */
template <typename Sum>
__global__ void __launch_bounds__(COLUMN_THREADS)
    add_columns(const uint8_t *image, size_t stride, int height, Sum *columns) {
    const size_t x = ((size_t)blockIdx.x * COLUMN_THREADS + threadIdx.x) * COLUMN_PIXELS;
    const int first = (int)blockIdx.y * COLUMN_ROWS;
    const int last = min(first + COLUMN_ROWS, height);
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

/* Carries the sum of a row from one round of its scan to the next. */
template <typename Sum> struct RowCarry {
    Sum total;
    __device__ Sum operator()(Sum round) {
        const Sum before = total;
        total += round;
        return before;
    }
};

/* A block a row: that of share blockIdx.x + 1. `columns` and `rows` have `width` sums a share. */
template <typename Sum>
__global__ void __launch_bounds__(JOIN_THREADS)
    join_columns(const Sum *columns, int width, Sum *rows) {
    using Scan = cub::BlockScan<Sum, JOIN_THREADS>;
    __shared__ typename Scan::TempStorage storage;
    Sum *row = rows + (size_t)blockIdx.x * (size_t)width;
    RowCarry<Sum> carry{0};
    for (int begin = 0; begin < width; begin += JOIN_THREADS * JOIN_ITEMS) {
        const int first = begin + (int)threadIdx.x * JOIN_ITEMS;
        Sum items[JOIN_ITEMS];
#pragma unroll
        for (int i = 0; i < JOIN_ITEMS; i++) {
            items[i] = 0;
            for (unsigned int share = 0; share <= blockIdx.x && first + i < width; share++) {
                items[i] += columns[(size_t)share * (size_t)width + (size_t)(first + i)];
            }
        }
        Scan(storage).InclusiveSum(items, items, carry);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < JOIN_ITEMS; i++) {
            if (first + i < width) {
                row[first + i] = items[i];
            }
        }
    }
}

/* === Open and close =========================================================================== */

Status open_band(const Request *request, MultiPart rows, MultiBand *band) {
    STATUS_TRY(cuda_check_grid_rows(pieces_of(rows.end - rows.begin, COLUMN_ROWS)));
    STATUS_TRY(integral_device_open(request, INTEGRAL_FAST_ROW_ALIGNMENT, rows, &band->device));
    STATUS_TRY(integral_fast_open(&band->device, &band->fast));
    return cuda_backend.alloc(
        band->device.image_stride * integral_device_entry_bytes(&band->device), &band->columns);
}

void close_band(void *state) {
    MultiBand *band = (MultiBand *)state;
    if (band != NULL) {
        cuda_backend.release(band->columns);
        integral_fast_close(band->fast);
        integral_device_close(&band->device);
        free(band);
    }
}

Status open_share(MultiShare *share) {
    const MultiPart rows = multi_share_items(share, share->request.workload->image.height);
    if (rows.begin == rows.end) {
        return status_ok();
    }
    return cuda_open_state<MultiBand>(
        &share->state, [&](MultiBand *band) { return open_band(&share->request, rows, band); },
        close_band);
}

Status open_events(void *context, int index) {
    IntegralMulti *multi = (IntegralMulti *)context;
    CUDA_TRY(cudaEventCreateWithFlags(&multi->sent[index], cudaEventDisableTiming));
    CUDA_TRY(cudaEventCreateWithFlags(&multi->taken[index], cudaEventDisableTiming));
    return status_ok();
}

Status open_joint(MultiShares *shares) {
    IntegralMulti *multi = (IntegralMulti *)shares;
    while (multi->count < shares->count && shares->shares[multi->count].state != NULL) {
        multi->count++;
    }
    if (multi->count == 1) {
        return status_ok();
    }
    const IntegralDevice *device = &band_of(multi, 0)->device;
    const size_t bytes =
        (size_t)(multi->count - 1) * (size_t)device->width * integral_device_entry_bytes(device);
    STATUS_TRY(cuda_backend.alloc(bytes, &multi->columns));
    STATUS_TRY(cuda_backend.alloc(bytes, &multi->rows));
    CUDA_TRY(cudaEventCreateWithFlags(&multi->joined, cudaEventDisableTiming));
    STATUS_TRY(multi_open_peers(multi->count));
    return multi_each(multi->count, open_events, multi);
}

/* Copies from and to device 0 have to end before its memory goes. */
Status close_events(void *context, int index) {
    IntegralMulti *multi = (IntegralMulti *)context;
    (void)cudaStreamSynchronize(cuda_stream());
    if (multi->sent[index] != NULL) {
        (void)cudaEventDestroy(multi->sent[index]);
    }
    if (multi->taken[index] != NULL) {
        (void)cudaEventDestroy(multi->taken[index]);
    }
    return status_ok();
}

void close_joint(MultiShares *shares) {
    IntegralMulti *multi = (IntegralMulti *)shares;
    (void)multi_each(multi->count, close_events, multi);
    if (multi->joined != NULL) {
        (void)cudaEventDestroy(multi->joined);
    }
    cuda_backend.release(multi->columns);
    cuda_backend.release(multi->rows);
}

/* === Run ====================================================================================== */

Status upload_band(void *state) {
    const MultiBand *band = (const MultiBand *)state;
    STATUS_TRY(integral_fast_upload(band->fast));
    return integral_device_upload(&band->device);
}

Status download_band(void *state) {
    return integral_device_download(&((const MultiBand *)state)->device);
}

struct ColumnSums {
    void *columns;

    template <typename Sum> Status run(const IntegralDevice *device) const {
        const int threads = pieces_of((int)device->image_stride, COLUMN_PIXELS);
        const dim3 grid((unsigned int)pieces_of(threads, COLUMN_THREADS),
                        (unsigned int)pieces_of(device->height, COLUMN_ROWS));
        CUDA_TRY(cudaMemsetAsync(columns, 0, device->image_stride * sizeof(Sum), cuda_stream()));
        add_columns<Sum><<<grid, COLUMN_THREADS, 0, cuda_stream()>>>(
            device->image, device->image_stride, device->height, (Sum *)columns);
        return CUDA_LAUNCHED();
    }
};

struct Joining {
    const IntegralMulti *multi;

    template <typename Sum> Status run(const IntegralDevice *device) const {
        join_columns<Sum><<<(unsigned int)(multi->count - 1), JOIN_THREADS, 0, cuda_stream()>>>(
            (const Sum *)multi->columns, device->width, (Sum *)multi->rows);
        return CUDA_LAUNCHED();
    }
};

/* The sums of a share in device 0's memory. */
uint8_t *sums_of(void *memory, const IntegralDevice *device, int place) {
    return (uint8_t *)memory +
           (size_t)place * (size_t)device->width * integral_device_entry_bytes(device);
}

/* The columns of a share to device 0, after it has read those of the run before. */
Status send_columns(void *context, int index) {
    IntegralMulti *multi = (IntegralMulti *)context;
    const MultiBand *band = band_of(multi, index);
    const IntegralDevice *device = &band->device;
    if (index == multi->count - 1) {
        return status_ok();
    }
    STATUS_TRY(integral_device_run(device, ColumnSums{band->columns}));
    CUDA_TRY(cudaStreamWaitEvent(cuda_stream(), multi->joined, 0));
    CUDA_TRY(cudaMemcpyAsync(sums_of(multi->columns, device, index), band->columns,
                             (size_t)device->width * integral_device_entry_bytes(device),
                             cudaMemcpyDefault, cuda_stream()));
    CUDA_TRY(cudaEventRecord(multi->sent[index], cuda_stream()));
    return status_ok();
}

/* By device 0, which is in use; after the rows of the run before have been taken. */
Status join(IntegralMulti *multi) {
    for (int i = 0; i < multi->count; i++) {
        CUDA_TRY(cudaStreamWaitEvent(cuda_stream(), multi->sent[i], 0));
        CUDA_TRY(cudaStreamWaitEvent(cuda_stream(), multi->taken[i], 0));
    }
    STATUS_TRY(integral_device_run(&band_of(multi, 0)->device, Joining{multi}));
    CUDA_TRY(cudaEventRecord(multi->joined, cuda_stream()));
    return status_ok();
}

Status fill_band(void *context, int index) {
    IntegralMulti *multi = (IntegralMulti *)context;
    MultiBand *band = band_of(multi, index);
    const IntegralDevice *device = &band->device;
    if (index > 0) {
        const size_t entry = integral_device_entry_bytes(device);
        CUDA_TRY(cudaStreamWaitEvent(cuda_stream(), multi->joined, 0));
        CUDA_TRY(cudaMemcpyAsync(integral_device_row(device, 0) + entry,
                                 sums_of(multi->rows, device, index - 1),
                                 (size_t)device->width * entry, cudaMemcpyDefault, cuda_stream()));
        CUDA_TRY(cudaEventRecord(multi->taken[index], cuda_stream()));
    }
    return integral_fast_launch(device, band->fast, 0, device->height, index > 0);
}

const MultiMethod method = {sizeof(IntegralMulti), open_share, upload_band, NULL,
                            download_band,         close_band, open_joint,  close_joint};

} // namespace

Status integral_cuda_multi_open(const Request *request, void **state) {
    return multi_shares_divide(request, &method, state);
}

Status integral_cuda_multi_run(void *state) {
    IntegralMulti *multi = (IntegralMulti *)state;
    if (multi->count > 1) {
        STATUS_TRY(multi_each(multi->count, send_columns, multi));
        STATUS_TRY(join(multi));
    }
    return multi_each(multi->count, fill_band, multi);
}
