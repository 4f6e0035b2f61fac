#include "transfers.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend.h"
#include "cuda_device.h"
#include "relay.h"
#include "resources.h"

double host_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* === Copies on the host ======================================================================= */

/* Below this much, starting threads (about 5 µs) costs more than they save. */
enum { PARALLEL_BYTES = 1 << 17 };

int host_copy_threads(int wanted) {
    const int most = thread_team_default();
    return most < wanted ? most : wanted;
}

void host_copy_rows(void *to, size_t to_stride, const void *from, size_t from_stride, size_t width,
                    size_t rows) {
    uint8_t *target = to;
    const uint8_t *source = from;
    const int threads = width * rows >= PARALLEL_BYTES ? host_copy_threads(HOST_COPY_THREADS) : 1;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t row = 0; row < rows; row++) {
        memcpy(target + row * to_stride, source + row * from_stride, width);
    }
}

/* === Band stream ============================================================================== */

enum {
    BAND_BYTES_MIN = 512 << 10,     /* less is not worth its calls */
    RELAY_BAND_BYTES_MIN = 3 << 20, /* nor, where bands are relayed, its gate */
    RELAY_BAND_BYTES_FEW = 3 << 19, /* of what would otherwise be a band or two */
    BAND_BYTES_MAX = 8 << 20,       /* more is too much page-locked memory */
    RING_HALOS_MIN = 4 /* rows of a band by those of its halo, which go up twice in a ring */
};

typedef struct Band {
    int row_end; /* rows from the band before's row_end */
    cudaEvent_t uploaded, computed, downloaded;
} Band;

struct BandStream {
    BandJob job;
    int device; /* in use when it was opened */
    cudaStream_t up, down;
    cudaEvent_t ready;
    Band *bands;
    int band_count;
    size_t stage_rows; /* of the largest upload: a band and the rows below it */
    uint8_t *stage_up[BAND_SLOTS];
    uint8_t *stage_down[BAND_SLOTS];
    RelayLane *lane_up, *lane_down; /* NULL: nothing is relayed that way */
    bool loaded;                    /* the kernels that compute */
};

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static int row_begin(const BandStream *stream, int band) {
    return band == 0 ? stream->job.first : stream->bands[band - 1].row_end;
}

/* Rows on the device once band `band` is uploaded: its own and the halo below. */
static int uploaded_end(const BandStream *stream, int band) {
    const int rows = stream->job.rows;
    const int end = band < 0 ? 0 : stream->bands[band].row_end + stream->job.halo;
    return end < rows ? end : rows;
}

/* Rows that are computed. */
static size_t job_height(const BandJob *job) {
    return (size_t)(job->last > 0 ? job->last : job->rows) - (size_t)job->first;
}

/* Rows that are not copied are in any memory. */
static bool is_ordinary(const BandRows *rows) {
    return rows->host == NULL || !cuda_is_pinned(rows->host);
}

/* Whether a job may be relayed (relay.h). */
static bool may_be_relayed(const BandJob *job) {
    return job->restart != NULL && !job->ring && is_ordinary(&job->up) && is_ordinary(&job->down);
}

static size_t least_band(const BandJob *job, size_t all) {
    if (!may_be_relayed(job)) {
        return BAND_BYTES_MIN;
    }
    return all < (size_t)2 * RELAY_BAND_BYTES_MIN ? RELAY_BAND_BYTES_FEW : RELAY_BAND_BYTES_MIN;
}

static size_t rows_of_band(const BandJob *job) {
    const size_t row_bytes = job->up.row_bytes;
    const size_t height = job_height(job);
    const size_t all = row_bytes * height;
    const size_t wanted = (size_t)job->bands_wanted;
    const size_t share = (all + wanted - 1) / wanted;
    const size_t bytes = smaller(larger(share, least_band(job, all)), BAND_BYTES_MAX);
    const size_t least = job->ring ? RING_HALOS_MIN * (size_t)job->halo : 1;
    return smaller(larger(larger(1, least), bytes / row_bytes), height);
}

bool band_job_needs_ring(const BandJob *job) {
    const uint64_t down = job->down.host != NULL ? job->down.row_bytes : 0;
    return (uint64_t)job->rows * (job->up.row_bytes + down) >
           cuda_backend.available() + cuda_backend.in_use();
}

int band_slot_rows(const BandJob *job) {
    return (int)rows_of_band(job) + 2 * job->halo;
}

static Status divide_bands(BandStream *stream) {
    const BandJob *job = &stream->job;
    const size_t first = (size_t)job->first;
    const size_t height = job_height(job);
    const size_t rows = rows_of_band(job);
    const size_t count = (height + rows - 1) / rows;
    stream->bands = calloc(count, sizeof *stream->bands);
    if (stream->bands == NULL) {
        return status_skip("not enough host memory for the bands of an image");
    }
    stream->band_count = (int)count;
    for (size_t i = 0; i < count; i++) {
        stream->bands[i].row_end = (int)(first + smaller((i + 1) * rows, height));
    }
    const size_t most = job->ring ? (size_t)band_slot_rows(job) : first + rows + (size_t)job->halo;
    stream->stage_rows = smaller(most, (size_t)job->rows);
    return status_ok();
}

static Status create_events(BandStream *stream) {
    CUDA_TRY(cudaStreamCreateWithFlags(&stream->up, cudaStreamNonBlocking));
    CUDA_TRY(cudaStreamCreateWithFlags(&stream->down, cudaStreamNonBlocking));
    CUDA_TRY(cudaEventCreateWithFlags(&stream->ready, cudaEventDisableTiming));
    for (int i = 0; i < stream->band_count; i++) {
        Band *band = &stream->bands[i];
        CUDA_TRY(cudaEventCreateWithFlags(&band->uploaded, cudaEventDisableTiming));
        CUDA_TRY(cudaEventCreateWithFlags(&band->computed, cudaEventDisableTiming));
        CUDA_TRY(cudaEventCreateWithFlags(&band->downloaded, cudaEventDisableTiming));
    }
    return status_ok();
}

static Status create_stages(BandStream *stream) {
    const BandRows *up = &stream->job.up;
    const BandRows *down = &stream->job.down;
    const bool stage_up = !cuda_is_pinned(up->host);
    const bool stage_down = down->host != NULL && !cuda_is_pinned(down->host);
    for (int i = 0; i < BAND_SLOTS; i++) {
        if (stage_up) {
            CUDA_TRY(
                cudaMallocHost((void **)&stream->stage_up[i], stream->stage_rows * up->row_bytes));
        }
        if (stage_down) {
            CUDA_TRY(cudaMallocHost((void **)&stream->stage_down[i],
                                    stream->stage_rows * down->row_bytes));
        }
    }
    return status_ok();
}

static void close_lanes(BandStream *stream) {
    relay_lane_close(stream->lane_up); /* what was added and not queued is forgotten */
    relay_lane_close(stream->lane_down);
    stream->lane_up = NULL;
    stream->lane_down = NULL;
}

/* Both ways or neither. */
static void open_lanes(BandStream *stream) {
    const BandJob *job = &stream->job;
    if (!may_be_relayed(job)) {
        return;
    }
    stream->lane_up = relay_lane_open(RELAY_UP, 1);
    if (job->down.host != NULL) {
        stream->lane_down = relay_lane_open(RELAY_DOWN, 1);
    }
    if (stream->lane_up == NULL || (job->down.host != NULL && stream->lane_down == NULL)) {
        close_lanes(stream);
    }
}

static Status open_parts(BandStream *stream) {
    STATUS_TRY(divide_bands(stream));
    STATUS_TRY(create_events(stream));
    open_lanes(stream);
    return stream->lane_up != NULL ? status_ok() : create_stages(stream);
}

Status band_stream_open(const BandJob *job, BandStream **stream) {
    BandStream *opened = calloc(1, sizeof *opened);
    *stream = NULL;
    if (opened == NULL) {
        return status_skip("not enough host memory for the bands of an image");
    }
    opened->job = *job;
    opened->device = cuda_used_device();
    opened->job.last = job->last > 0 ? job->last : job->rows;
    const Status status = open_parts(opened);
    if (!status_is_ok(&status)) {
        band_stream_close(opened);
        return status;
    }
    *stream = opened;
    return status;
}

static void close_stream(void *stream) {
    band_stream_close(stream);
}

Status band_stream_open_in(CudaState *state, const BandJob *job, BandStream **stream) {
    STATUS_TRY(band_stream_open(job, stream));
    return cuda_state_own(state, *stream, close_stream);
}

/* --- Places on the device --------------------------------------------------------------------- */

/* The address of row 0 of rows that lie at `at` from row `first` on, which may be negative. */
static uint8_t *row_zero(uint8_t *at, int first, size_t stride) {
    return at - (ptrdiff_t)first * (ptrdiff_t)stride;
}

/* A slot of the ring begins with the halo above its band, whether the image has those rows or not.
 */
static BandPlace place_of(const BandStream *stream, int index) {
    const BandJob *job = &stream->job;
    if (!job->ring) {
        return (BandPlace){.up = job->up.device, .down = job->down.device};
    }
    const size_t slot_rows = (size_t)(index % BAND_SLOTS) * (size_t)band_slot_rows(job);
    const int begin = row_begin(stream, index);
    const size_t up = job->up.device_stride;
    const size_t down = job->down.device_stride;
    return (BandPlace){.up = row_zero(job->up.device + slot_rows * up, begin - job->halo, up),
                       .down = job->down.device == NULL
                                   ? NULL
                                   : row_zero(job->down.device + slot_rows * down, begin, down)};
}

/* Row `row` of the image that goes up, where it lies for a band. */
static uint8_t *device_row(const BandStream *stream, int index, int row) {
    return row_zero(place_of(stream, index).up, -row, stream->job.up.device_stride);
}

/* First row that goes up for band `index`: in a ring the halo above goes up again. */
static int upload_begin(const BandStream *stream, int index) {
    if (!stream->job.ring) {
        return uploaded_end(stream, index - 1);
    }
    const int begin = row_begin(stream, index) - stream->job.halo;
    return begin > 0 ? begin : 0;
}

/* Queues zeros for rows [begin, end) of a band's slot. */
static Status clear_rows(const BandStream *stream, int index, int begin, int end) {
    const BandRows *up = &stream->job.up;
    if (begin < end) {
        CUDA_TRY(cudaMemset2DAsync(device_row(stream, index, begin), up->device_stride, 0,
                                   up->row_bytes, (size_t)(end - begin), stream->up));
    }
    return status_ok();
}

/* Waits, on the device, until the band that had the slot is computed; clears the halo outside the
 * image. */
static Status prepare_slot(const BandStream *stream, int index) {
    const BandJob *job = &stream->job;
    if (!job->ring) {
        return status_ok();
    }
    if (index >= BAND_SLOTS) {
        CUDA_TRY(cudaStreamWaitEvent(stream->up, stream->bands[index - BAND_SLOTS].computed, 0));
    }
    STATUS_TRY(clear_rows(stream, index, row_begin(stream, index) - job->halo, 0));
    return clear_rows(stream, index, job->rows, stream->bands[index].row_end + job->halo);
}

/* --- Steps of a band -------------------------------------------------------------------------- */

/* Rows [begin, end), to where they lie for band `index`. */
static Copy rows_up(const BandStream *stream, int index, int begin, int end) {
    const BandRows *up = &stream->job.up;
    return (Copy){.to = device_row(stream, index, begin),
                  .to_stride = up->device_stride,
                  .from = up->host + (size_t)begin * up->host_stride,
                  .from_stride = up->host_stride,
                  .width = up->row_bytes,
                  .rows = (size_t)(end - begin)};
}

/* The rows that band `index` adds. */
static Copy copy_up(const BandStream *stream, int index) {
    return rows_up(stream, index, upload_begin(stream, index), uploaded_end(stream, index));
}

/* Through a stage when there is one. */
static Status call_up(const BandStream *stream, int index) {
    Copy copy = copy_up(stream, index);
    uint8_t *stage = stream->stage_up[index % BAND_SLOTS];
    STATUS_TRY(prepare_slot(stream, index));
    if (stage != NULL) {
        if (index >= BAND_SLOTS) {
            CUDA_TRY(cudaEventSynchronize(stream->bands[index - BAND_SLOTS].uploaded));
        }
        host_copy_rows(stage, copy.width, copy.from, copy.from_stride, copy.width, copy.rows);
        copy.from = stage;
        copy.from_stride = copy.width;
    }
    if (copy.rows > 0) {
        CUDA_TRY(cudaMemcpy2DAsync(copy.to, copy.to_stride, copy.from, copy.from_stride, copy.width,
                                   copy.rows, cudaMemcpyHostToDevice, stream->up));
    }
    return status_ok();
}

static Status upload_band(const BandStream *stream, int index) {
    STATUS_TRY(call_up(stream, index));
    CUDA_TRY(cudaEventRecord(stream->bands[index].uploaded, stream->up));
    return status_ok();
}

static Status compute_band(const BandStream *stream, int index) {
    const BandJob *job = &stream->job;
    const Band *band = &stream->bands[index];
    CUDA_TRY(cudaStreamWaitEvent(cuda_stream(), band->uploaded, 0));
    if (job->ring && job->down.host != NULL && index >= BAND_SLOTS) {
        CUDA_TRY(
            cudaStreamWaitEvent(cuda_stream(), stream->bands[index - BAND_SLOTS].downloaded, 0));
    }
    STATUS_TRY(job->compute(job->context, row_begin(stream, index), band->row_end,
                            place_of(stream, index)));
    CUDA_TRY(cudaEventRecord(band->computed, cuda_stream()));
    return status_ok();
}

static Copy rows_down(const BandStream *stream, int index, int begin, int end) {
    const BandRows *down = &stream->job.down;
    return (Copy){.to = down->host + (size_t)begin * down->host_stride,
                  .to_stride = down->host_stride,
                  .from = row_zero(place_of(stream, index).down, -begin, down->device_stride),
                  .from_stride = down->device_stride,
                  .width = down->row_bytes,
                  .rows = (size_t)(end - begin)};
}

static Copy copy_down(const BandStream *stream, int index) {
    return rows_down(stream, index, row_begin(stream, index), stream->bands[index].row_end);
}

/* Empties the stage that band `index` was downloaded to. */
static Status drain_band(const BandStream *stream, int index) {
    const Copy copy = copy_down(stream, index);
    CUDA_TRY(cudaEventSynchronize(stream->bands[index].downloaded));
    host_copy_rows(copy.to, copy.to_stride, stream->stage_down[index % BAND_SLOTS], copy.width,
                   copy.width, copy.rows);
    return status_ok();
}

/* Through a stage when there is one. */
static Status call_down(const BandStream *stream, int index) {
    Copy copy = copy_down(stream, index);
    uint8_t *stage = stream->stage_down[index % BAND_SLOTS];
    if (stage != NULL) {
        copy.to = stage;
        copy.to_stride = copy.width;
    }
    CUDA_TRY(cudaMemcpy2DAsync(copy.to, copy.to_stride, copy.from, copy.from_stride, copy.width,
                               copy.rows, cudaMemcpyDeviceToHost, stream->down));
    return status_ok();
}

static Status download_band(const BandStream *stream, int index) {
    if (stream->stage_down[0] != NULL && index >= BAND_SLOTS) {
        STATUS_TRY(drain_band(stream, index - BAND_SLOTS));
    }
    CUDA_TRY(cudaStreamWaitEvent(stream->down, stream->bands[index].computed, 0));
    STATUS_TRY(call_down(stream, index));
    CUDA_TRY(cudaEventRecord(stream->bands[index].downloaded, stream->down));
    return status_ok();
}

int band_stream_count(const BandStream *stream) {
    return stream->band_count;
}

Status band_stream_compute(const BandStream *stream) {
    for (int i = 0; i < stream->band_count; i++) {
        STATUS_TRY(stream->job.compute(stream->job.context, row_begin(stream, i),
                                       stream->bands[i].row_end, place_of(stream, i)));
    }
    return status_ok();
}

/* What relays runs beside all bands. */
static Status begin_run(const BandStream *stream) {
    CUDA_TRY(cudaEventRecord(stream->ready, cuda_stream()));
    CUDA_TRY(cudaStreamWaitEvent(stream->up, stream->ready, 0));
    CUDA_TRY(cudaStreamWaitEvent(stream->down, stream->ready, 0));
    if (stream->lane_up != NULL) {
        STATUS_TRY(relay_lane_launch(stream->lane_up, 0, stream->up));
    }
    return stream->lane_down != NULL ? relay_lane_launch(stream->lane_down, 0, stream->down)
                                     : status_ok();
}

/* Rows before `until` are there; those before `from` may leave. */
static Status gate(const BandStream *stream, int until, int from) {
    return relay_lanes_gate(stream->lane_up, (size_t)until, stream->lane_down,
                            (size_t)(from - stream->job.first), cuda_stream());
}

static Status relay_band(const BandStream *stream, int index) {
    const BandJob *job = &stream->job;
    const int begin = row_begin(stream, index);
    const int end = stream->bands[index].row_end;
    STATUS_TRY(gate(stream, uploaded_end(stream, index), begin));
    STATUS_TRY(job->compute(job->context, begin, end, place_of(stream, index)));
    return index == stream->band_count - 1 && stream->lane_down != NULL
               ? gate(stream, job->rows, end)
               : status_ok();
}

static Status queue_band(const BandStream *stream, int index) {
    if (stream->lane_up != NULL) {
        return relay_band(stream, index);
    }
    STATUS_TRY(upload_band(stream, index));
    STATUS_TRY(compute_band(stream, index));
    return stream->job.down.host != NULL ? download_band(stream, index) : status_ok();
}

static Status end_run(const BandStream *stream) {
    const int count = stream->band_count;
    for (int i = count > BAND_SLOTS ? count - BAND_SLOTS : 0;
         i < count && stream->stage_down[0] != NULL; i++) {
        STATUS_TRY(drain_band(stream, i));
    }
    CUDA_TRY(cudaStreamSynchronize(stream->down));
    return status_ok();
}

typedef struct Streams {
    BandStream *const *of;
    int count;
} Streams;

static Status queue_all(void *context) {
    const Streams *streams = context;
    int bands = 0;
    for (int i = 0; i < streams->count; i++) {
        STATUS_TRY(cuda_use_device(streams->of[i]->device));
        STATUS_TRY(begin_run(streams->of[i]));
        bands = streams->of[i]->band_count > bands ? streams->of[i]->band_count : bands;
    }
    for (int band = 0; band < bands; band++) {
        for (int i = 0; i < streams->count; i++) {
            if (band < streams->of[i]->band_count) {
                STATUS_TRY(cuda_use_device(streams->of[i]->device));
                STATUS_TRY(queue_band(streams->of[i], band));
            }
        }
    }
    return status_ok();
}

/* Adds all rows to the lanes; false: there are none, or they cannot be relayed. */
static bool fill_lanes(const BandStream *stream) {
    RelayLane *up = stream->lane_up, *down = stream->lane_down;
    const BandJob *job = &stream->job;
    relay_lane_clear(up);
    relay_lane_clear(down);
    if (up == NULL) {
        return false;
    }
    const Copy all_up = rows_up(stream, 0, 0, job->rows);
    const Copy all_down =
        down != NULL ? rows_down(stream, 0, job->first, job->last) : (Copy){.width = 0};
    return relay_lane_add(up, &all_up, true) &&
           (down == NULL || relay_lane_add(down, &all_down, true));
}

/* Code is loaded when it is first launched, for which the driver may wait for all kernels: one that
 * waits for what is to be loaded would end too late. So all rows are computed once before, whatever
 * they are. */
static Status load_kernels(BandStream *stream) {
    if (stream->loaded) {
        return status_ok();
    }
    STATUS_TRY(band_stream_compute(stream));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    stream->loaded = true;
    return stream->job.restart(stream->job.context);
}

static Status relay_all(Streams *streams, bool *done) {
    RelayLane *lanes[2 * CUDA_DEVICES_MAX];
    int count = 0;
    *done = true;
    for (int i = 0; i < streams->count && *done; i++) {
        BandStream *stream = streams->of[i];
        STATUS_TRY(cuda_use_device(stream->device));
        *done = fill_lanes(stream);
        STATUS_TRY(*done ? load_kernels(stream) : status_ok());
        lanes[count++] = stream->lane_up;
        if (stream->lane_down != NULL) {
            lanes[count++] = stream->lane_down;
        }
    }
    return *done ? relay_run(lanes, count, queue_all, streams, done) : status_ok();
}

/* What was queued ends; from now on bands go by calls. */
static Status stop_relaying(BandStream *stream) {
    if (stream->lane_up == NULL) {
        return status_ok();
    }
    STATUS_TRY(cuda_use_device(stream->device));
    CUDA_TRY(cudaDeviceSynchronize());
    close_lanes(stream);
    STATUS_TRY(create_stages(stream));
    return stream->job.restart(stream->job.context);
}

static Status run_all(Streams *streams) {
    bool done = false;
    STATUS_TRY(relay_all(streams, &done));
    for (int i = 0; i < streams->count && !done; i++) {
        STATUS_TRY(stop_relaying(streams->of[i]));
    }
    STATUS_TRY(done ? status_ok() : queue_all(streams));
    for (int i = 0; i < streams->count; i++) {
        STATUS_TRY(cuda_use_device(streams->of[i]->device));
        STATUS_TRY(end_run(streams->of[i]));
    }
    return status_ok();
}

Status band_stream_run_all(BandStream *const *streams, int count) {
    Streams all = {streams, count};
    const Status status = run_all(&all);
    const Status back = cuda_use_device(0);
    return status_is_ok(&status) ? back : status;
}

Status band_stream_run(BandStream *stream) {
    return band_stream_run_all(&stream, 1);
}

static void destroy_event(cudaEvent_t event) {
    if (event != NULL) {
        (void)cudaEventDestroy(event);
    }
}

static void destroy_stream(cudaStream_t stream) {
    if (stream != NULL) {
        (void)cudaStreamDestroy(stream);
    }
}

void band_stream_close(BandStream *stream) {
    if (stream == NULL) {
        return;
    }
    for (int i = 0; i < stream->band_count; i++) {
        destroy_event(stream->bands[i].uploaded);
        destroy_event(stream->bands[i].computed);
        destroy_event(stream->bands[i].downloaded);
    }
    destroy_event(stream->ready);
    close_lanes(stream);
    for (int i = 0; i < BAND_SLOTS; i++) {
        (void)cudaFreeHost(stream->stage_up[i]);
        (void)cudaFreeHost(stream->stage_down[i]);
    }
    destroy_stream(stream->up);
    destroy_stream(stream->down);
    free(stream->bands);
    free(stream);
}

/* === Staged download ========================================================================== */

/* A piece is long enough to be copied at full speed, and short enough that little is left to copy
 * on the host when the last one has come down. Bytes without rows are taken as rows of SHARE_BYTES,
 * which are work for several threads. */
enum { STAGES = 4, STAGE_BYTES = 4 << 20, SHARE_BYTES = 64 << 10 };

/* What is on its way to a buffer and has to go on from there. */
typedef struct Slot {
    uint8_t *buffer; /* STAGE_BYTES, page-locked; rows without gaps */
    uint8_t *to;
    size_t to_stride, width, rows; /* no rows: empty */
    cudaEvent_t filled;
} Slot;

struct StagedDownload {
    cudaStream_t stream;
    cudaEvent_t ready;
    bool staged;
    Slot slots[STAGES];
    size_t next; /* slot to use next, the one used longest ago */
};

static Status open_slots(StagedDownload *download) {
    for (int i = 0; i < STAGES && download->staged; i++) {
        Slot *slot = &download->slots[i];
        CUDA_TRY(cudaMallocHost((void **)&slot->buffer, STAGE_BYTES));
        CUDA_TRY(cudaEventCreateWithFlags(&slot->filled, cudaEventDisableTiming));
    }
    return status_ok();
}

Status staged_download_open(const void *host, StagedDownload **download) {
    *download = NULL;
    StagedDownload *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return status_skip("not enough host memory for a download");
    }
    opened->staged = !cuda_is_pinned(host);
    const cudaError_t error = cudaStreamCreateWithFlags(&opened->stream, cudaStreamNonBlocking);
    Status status = cuda_status(error, "cudaStreamCreateWithFlags", __FILE__, __LINE__);
    if (status_is_ok(&status)) {
        const cudaError_t made = cudaEventCreateWithFlags(&opened->ready, cudaEventDisableTiming);
        status = cuda_status(made, "cudaEventCreateWithFlags", __FILE__, __LINE__);
    }
    if (status_is_ok(&status)) {
        status = open_slots(opened);
    }
    if (!status_is_ok(&status)) {
        staged_download_close(opened);
        return status;
    }
    *download = opened;
    return status;
}

Status staged_download_wait(StagedDownload *download) {
    CUDA_TRY(cudaEventRecord(download->ready, cuda_stream()));
    CUDA_TRY(cudaStreamWaitEvent(download->stream, download->ready, 0));
    return status_ok();
}

static Status empty_slot(Slot *slot) {
    if (slot->rows > 0) {
        CUDA_TRY(cudaEventSynchronize(slot->filled));
        host_copy_rows(slot->to, slot->to_stride, slot->buffer, slot->width, slot->width,
                       slot->rows);
        slot->rows = 0;
    }
    return status_ok();
}

static Status queue_rows(const StagedDownload *download, const Copy *rows) {
    CUDA_TRY(cudaMemcpy2DAsync(rows->to, rows->to_stride, rows->from, rows->from_stride,
                               rows->width, rows->rows, cudaMemcpyDeviceToHost, download->stream));
    return status_ok();
}

static Status copy_piece(StagedDownload *download, const Copy *piece) {
    Slot *slot = &download->slots[download->next];
    Copy staged = *piece;
    STATUS_TRY(empty_slot(slot));
    staged.to = slot->buffer;
    staged.to_stride = piece->width;
    STATUS_TRY(queue_rows(download, &staged));
    CUDA_TRY(cudaEventRecord(slot->filled, download->stream));
    slot->to = piece->to;
    slot->to_stride = piece->to_stride;
    slot->width = piece->width;
    slot->rows = piece->rows;
    download->next = (download->next + 1) % STAGES;
    return status_ok();
}

/* No longer than a buffer. */
static Status copy_rows(StagedDownload *download, const Copy *rows) {
    const size_t most = STAGE_BYTES / rows->width;
    for (size_t row = 0; row < rows->rows; row += most) {
        Copy piece = *rows;
        piece.to = (uint8_t *)rows->to + row * rows->to_stride;
        piece.from = (const uint8_t *)rows->from + row * rows->from_stride;
        piece.rows = smaller(most, rows->rows - row);
        STATUS_TRY(copy_piece(download, &piece));
    }
    return status_ok();
}

Status staged_download_copy(StagedDownload *download, void *to, const void *from, size_t bytes) {
    const size_t rest = bytes % SHARE_BYTES, whole = bytes - rest;
    if (!download->staged) {
        CUDA_TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, download->stream));
        return status_ok();
    }
    const Copy shares = {to, SHARE_BYTES, from, SHARE_BYTES, SHARE_BYTES, whole / SHARE_BYTES, 0};
    STATUS_TRY(copy_rows(download, &shares));
    if (rest == 0) {
        return status_ok();
    }
    const Copy last = copy_bytes((uint8_t *)to + whole, (const uint8_t *)from + whole, rest);
    return copy_piece(download, &last);
}

Status staged_download_rows(StagedDownload *download, const Copy *rows) {
    if (rows->rows == 1 || (rows->to_stride == rows->width && rows->from_stride == rows->width)) {
        return staged_download_copy(download, rows->to, rows->from, rows->width * rows->rows);
    }
    if (!download->staged) {
        return queue_rows(download, rows);
    }
    if (rows->width <= STAGE_BYTES) {
        return copy_rows(download, rows);
    }
    for (size_t row = 0; row < rows->rows; row++) {
        STATUS_TRY(staged_download_copy(download, (uint8_t *)rows->to + row * rows->to_stride,
                                        (const uint8_t *)rows->from + row * rows->from_stride,
                                        rows->width));
    }
    return status_ok();
}

Status staged_download_finish(StagedDownload *download) {
    for (int i = 0; i < STAGES; i++) {
        STATUS_TRY(empty_slot(&download->slots[(download->next + (size_t)i) % STAGES]));
    }
    CUDA_TRY(cudaStreamSynchronize(download->stream));
    return status_ok();
}

void staged_download_close(StagedDownload *download) {
    if (download == NULL) {
        return;
    }
    for (int i = 0; i < STAGES; i++) {
        (void)cudaFreeHost(download->slots[i].buffer);
        destroy_event(download->slots[i].filled);
    }
    destroy_event(download->ready);
    destroy_stream(download->stream);
    free(download);
}
