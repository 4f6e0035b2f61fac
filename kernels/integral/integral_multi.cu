/*
 * cuda_multi: a band of rows on each device, by cuda_fast's kernel.
 *
 * A band needs the table row above it: the sums of its columns over the bands of all devices
 * before, added up along the row. So each device but the last sends the sums of its columns to all
 * devices after it. There the kernel adds them to the columns above each tile, and those further
 * left to all of the tile. The row itself is never made.
 *
 * Where devices are linked, one kernel launch on each does all of it (integral_fast.cu). Its first
 * blocks load their tiles, and then add up the columns of all others too. The last of them writes
 * the sums into the memory of the other devices, and then the number of the run. A kernel waits for
 * that number before it fills its first tiles. It has places for two runs. The sums of a run come
 * when the kernel of the run before has begun, which tells its number too.
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
 *   - No kernel makes the row, and one kernel launch a device does all. Of bands of 8192×8192 the
 *     first blocks have a third in shared memory; what they add up besides, 45 MB, takes about
 *     12 µs, and half of it is in the L2 cache when it is filled. The sums come after about 23 µs,
 *     when the other device has loaded its tiles, and 45 MB into its cache. Predicted: 122 to
 *     130 µs of 117 alone. On two H200, six launches of each in turn: 160 µs before, 138 now, 85 %.
 *     One image on both: 4K 34.5 and 17.9, 16K 157 and 142.
 */
#include "integral_device.cuh"
#include "multi_shares.h"

VARIANT_FUNCTIONS(integral_cuda_multi);
VARIANT_FUNCTIONS(integral_cuda_fast);

namespace {

constexpr int SLOTS = 2; /* for what comes: the next run's while this one's is read */

constexpr int COLUMN_THREADS = 128;
constexpr int COLUMN_PIXELS = 4; /* of a thread: one load */
constexpr int COLUMN_ROWS = 64;  /* of a block; sums of 32 bits hold them */

/* A share's state. */
struct MultiBand : IntegralDevice {
    unsigned int *sums;       /* of each column of the image's stride; 0 before each run */
    unsigned int *added;      /* blocks that have added theirs, likewise */
    unsigned int *above;      /* SLOTS × sums of each share before this one; NULL: there is none */
    unsigned long long *sent; /* likewise: the run whose sums have come */
    unsigned long long *begun; /* of each share after this one: the latest run that it has begun */
    bool uploaded;             /* and not run since */
};

struct IntegralMulti {
    MultiShares shares;                  /* first: the shared functions see only this */
    int count;                           /* shares that are not empty: the first ones */
    bool linked;                         /* kernels send and wait; otherwise copies and events do */
    unsigned long long run;              /* number of the latest */
    cudaEvent_t sent[CUDA_DEVICES_MAX];  /* the columns of a share have arrived at all others */
    cudaEvent_t taken[CUDA_DEVICES_MAX]; /* a share has read what arrived */
};

MultiBand *band_of(const IntegralMulti *multi, int index) {
    return (MultiBand *)multi->shares.shares[index].state;
}

/* Adds the pixels of a block's rows to the sums of their columns. */
__global__ void __launch_bounds__(COLUMN_THREADS)
    add_columns(const uint8_t *image, size_t stride, int height, unsigned int *sums) {
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
    atomicAdd(&sums[x], even & 0xFFFFU);
    atomicAdd(&sums[x + 1], odd & 0xFFFFU);
    atomicAdd(&sums[x + 2], even >> 16);
    atomicAdd(&sums[x + 3], odd >> 16);
}

/* === Open and close =========================================================================== */

Status open_band(MultiPart rows, const MultiShare *share, MultiBand *band) {
    const size_t before = (size_t)share->index;
    const size_t after = (size_t)(share->count - 1 - share->index);
    STATUS_TRY(cuda_check_grid_rows(pieces_of(rows.end - rows.begin, COLUMN_ROWS)));
    STATUS_TRY(integral_fast_open(rows, band));
    const size_t bytes = band->image_stride * sizeof *band->sums;
    const CudaBuffer table[] = {
        cuda_cleared(&band->sums, bytes),
        cuda_cleared(&band->added, sizeof *band->added),
        cuda_where(before > 0, cuda_scratch(&band->above, SLOTS * before * bytes)),
        cuda_where(before > 0, cuda_cleared(&band->sent, SLOTS * before * sizeof *band->sent)),
        cuda_where(after > 0, cuda_cleared(&band->begun, after * sizeof *band->begun)),
    };
    return cuda_open_buffers(band, table);
}

Status open_share(MultiShare *share) {
    const MultiPart rows = multi_share_items(share, share->request.workload->image.height);
    return rows.begin == rows.end
               ? status_ok()
               : cuda_open_state<MultiBand>(&share->request, &share->state, [&](MultiBand *band) {
                     return open_band(rows, share, band);
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
    STATUS_TRY(multi_find_links(multi->count, shares->reach, &multi->linked));
    if (multi->linked) {
        return status_ok();
    }
    STATUS_TRY(multi_open_events(multi->count, multi->sent));
    return multi_open_events(multi->count, multi->taken);
}

/* Waits for all devices, too: each may write to the memory of the others. */
void close_joint(MultiShares *shares) {
    IntegralMulti *multi = (IntegralMulti *)shares;
    multi_close_events(multi->count, multi->sent);
    multi_close_events(multi->count, multi->taken);
}

/* === Upload and run =========================================================================== */

/* Returns when all devices have come so far: nothing that others wrote comes later. */
Status upload_band(void *state) {
    ((MultiBand *)state)->uploaded = true;
    return integral_cuda_fast_upload(state);
}

/* --- Linked: kernels send and wait ------------------------------------------------------------ */

/* In `to`, which comes after share `from`. */
IntegralTarget target_in(const IntegralMulti *multi, int from, int to) {
    const MultiBand *sender = band_of(multi, from);
    const MultiBand *band = band_of(multi, to);
    const size_t place = multi->run % SLOTS * (size_t)to + (size_t)from;
    return {band->above + place * band->image_stride, band->sent + place,
            sender->begun + (to - from - 1)};
}

IntegralShare share_of(const IntegralMulti *multi, int index) {
    const MultiBand *band = band_of(multi, index);
    const size_t place = multi->run % SLOTS * (size_t)index;
    IntegralShare share = {};
    share.above = band->above + place * band->image_stride;
    share.before = index;
    share.columns = (unsigned int)band->image_stride;
    share.run = multi->run;
    share.waits = !band->uploaded;
    share.sent = band->sent + place;
    share.sums = band->sums;
    share.added = band->added;
    for (int from = 0; from < index; from++) {
        share.begun[from] = band_of(multi, from)->begun + (index - from - 1);
    }
    for (int to = index + 1; to < multi->count; to++) {
        share.targets[share.target_count++] = target_in(multi, index, to);
    }
    return share;
}

/* Shares in order: those that a kernel waits for have been launched before it. */
Status run_linked(void *context, int index) {
    const IntegralMulti *multi = (const IntegralMulti *)context;
    MultiBand *band = band_of(multi, index);
    const IntegralShare share = share_of(multi, index);
    band->uploaded = false;
    return integral_fast_launch_share(band, share);
}

/* --- Not linked: copies and events ------------------------------------------------------------ */

Status add_up(const MultiBand *band) {
    const int threads = pieces_of((int)band->image_stride, COLUMN_PIXELS);
    const dim3 grid((unsigned int)pieces_of(threads, COLUMN_THREADS),
                    (unsigned int)pieces_of(band->height, COLUMN_ROWS));
    add_columns<<<grid, COLUMN_THREADS, 0, cuda_stream()>>>(band->image, band->image_stride,
                                                            band->height, band->sums);
    return CUDA_LAUNCHED();
}

/* The columns of a share to those after it, when they have read those of the run before. */
Status copy_columns(void *context, int index) {
    const IntegralMulti *multi = (const IntegralMulti *)context;
    const MultiBand *band = band_of(multi, index);
    const size_t bytes = band->image_stride * sizeof *band->sums;
    if (index == multi->count - 1) {
        return status_ok();
    }
    STATUS_TRY(add_up(band));
    for (int to = index + 1; to < multi->count; to++) {
        unsigned int *above = band_of(multi, to)->above + (size_t)index * band->image_stride;
        CUDA_TRY(cudaStreamWaitEvent(cuda_stream(), multi->taken[to], 0));
        CUDA_TRY(cudaMemcpyAsync(above, band->sums, bytes, cudaMemcpyDefault, cuda_stream()));
    }
    CUDA_TRY(cudaMemsetAsync(band->sums, 0, bytes, cuda_stream()));
    CUDA_TRY(cudaEventRecord(multi->sent[index], cuda_stream()));
    return status_ok();
}

Status fill_band(void *context, int index) {
    const IntegralMulti *multi = (const IntegralMulti *)context;
    const MultiBand *band = band_of(multi, index);
    IntegralShare share = {};
    share.above = band->above;
    share.before = index;
    share.columns = (unsigned int)band->image_stride;
    for (int from = 0; from < index; from++) {
        CUDA_TRY(cudaStreamWaitEvent(cuda_stream(), multi->sent[from], 0));
    }
    STATUS_TRY(integral_fast_launch_share(band, share));
    if (index > 0) {
        CUDA_TRY(cudaEventRecord(multi->taken[index], cuda_stream()));
    }
    return status_ok();
}

const MultiMethod method = {sizeof(IntegralMulti), open_share, upload_band, NULL,
                            cuda_state_download,   open_joint, close_joint};

} // namespace

Status integral_cuda_multi_open(const Request *request, void **state) {
    return multi_shares_divide(request, &method, NULL, state);
}

Status integral_cuda_multi_run(void *state) {
    IntegralMulti *multi = (IntegralMulti *)state;
    if (multi->count == 1) {
        return integral_cuda_fast_run(band_of(multi, 0));
    }
    multi->run++;
    if (multi->linked) {
        return multi_each(multi->count, run_linked, multi);
    }
    STATUS_TRY(multi_each(multi->count, copy_columns, multi));
    return multi_each(multi->count, fill_band, multi);
}
