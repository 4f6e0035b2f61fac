/*
 * cuda_streamed: upload, kernel and download of bands of rows overlap.
 *
 * The kernel is cuda_fast's; what improves is end_to_end. On an H200 a 16K image takes 2.43 ms up,
 * 2.41 ms down and 2.65 ms both at once, from page-locked memory. Added to that: the first band's
 * way up, during which nothing can come down, and the last one's way down, so bands should be many;
 * and about 4 µs a copy, so they should be few. Measured: 2.97 ms with 64 bands, 2.86 with 32, 2.85
 * with 22, 2.87 with 16, 2.96 with 8.
 *
 * Tried and not better: small bands at both ends (2.86: while bands grow the download waits, while
 * they shrink it lags), two upload streams (3.8: the copies get in each other's way), kernels that
 * read or write host memory themselves (3.7 both ways; 2.8 reading, 3.1 writing alone).
 *
 * Copies are asynchronous only from page-locked memory. When the caller's is (--pinned), bands are
 * copied from and to it directly; otherwise they go through two small page-locked buffers each way,
 * filled and emptied by several threads while the device copies.
 *
 * A band's kernel reads one row above and one below, so an upload always runs one row ahead.
 */
#include <algorithm>
#include <cstdlib>

#include "cuda_check.h"
#include "cuda_device.h"
#include "host_copy.h"
#include "lbp_fast.h"

VARIANT_FUNCTIONS(lbp_cuda_streamed);

namespace {

constexpr size_t BANDS_WANTED = 22;
constexpr size_t BAND_BYTES_MIN = 512U << 10; /* less is not worth its calls */
constexpr size_t BAND_BYTES_MAX = 8U << 20;   /* more is too much page-locked memory */
constexpr int SLOTS = 2;

struct Band {
    int row_end; /* rows from the band before's row_end */
    cudaEvent_t uploaded, computed, downloaded;
};

/* The shared part comes first, so that lbp_cuda_upload and lbp_cuda_download serve this state. */
struct LbpStreamed {
    LbpDevice device;
    cudaStream_t up, down;
    cudaEvent_t ready;
    Band *bands;
    int band_count;
    size_t stage_rows; /* of the largest upload: a band and the row below it */
    uint8_t *stage_up[SLOTS];
    uint8_t *stage_down[SLOTS];
};

int row_begin(const LbpStreamed *state, int band) {
    return band == 0 ? 0 : state->bands[band - 1].row_end;
}

/* Rows on the device once band `band` is uploaded: its own and the one below. */
int uploaded_end(const LbpStreamed *state, int band) {
    return band < 0 ? 0 : std::min(state->bands[band].row_end + 1, state->device.height);
}

Status divide_bands(LbpStreamed *state) {
    const size_t width = (size_t)state->device.width;
    const size_t height = (size_t)state->device.height;
    const size_t share = (width * height + BANDS_WANTED - 1) / BANDS_WANTED;
    const size_t bytes = std::min(std::max(share, BAND_BYTES_MIN), BAND_BYTES_MAX);
    const size_t rows = std::min(std::max<size_t>(1, bytes / width), height);
    state->band_count = (int)((height + rows - 1) / rows);
    state->bands = (Band *)calloc((size_t)state->band_count, sizeof *state->bands);
    if (state->bands == NULL) {
        state->band_count = 0;
        return status_skip("not enough host memory for a variant's state");
    }
    for (int i = 0; i < state->band_count; i++) {
        state->bands[i].row_end = (int)std::min((size_t)(i + 1) * rows, height);
    }
    state->stage_rows = rows + 1;
    return status_ok();
}

Status create_events(LbpStreamed *state) {
    CUDA_TRY(cudaStreamCreateWithFlags(&state->up, cudaStreamNonBlocking));
    CUDA_TRY(cudaStreamCreateWithFlags(&state->down, cudaStreamNonBlocking));
    CUDA_TRY(cudaEventCreateWithFlags(&state->ready, cudaEventDisableTiming));
    for (int i = 0; i < state->band_count; i++) {
        Band *band = &state->bands[i];
        CUDA_TRY(cudaEventCreateWithFlags(&band->uploaded, cudaEventDisableTiming));
        CUDA_TRY(cudaEventCreateWithFlags(&band->computed, cudaEventDisableTiming));
        CUDA_TRY(cudaEventCreateWithFlags(&band->downloaded, cudaEventDisableTiming));
    }
    return status_ok();
}

Status create_stages(LbpStreamed *state) {
    const Request *request = state->device.request;
    const bool pinned = cuda_is_pinned(request->workload->image.pixels) &&
                        cuda_is_pinned(lbp_codes(request->output));
    const size_t bytes = state->stage_rows * (size_t)state->device.width;
    for (int i = 0; i < SLOTS && !pinned; i++) {
        CUDA_TRY(cudaMallocHost((void **)&state->stage_up[i], bytes));
        CUDA_TRY(cudaMallocHost((void **)&state->stage_down[i], bytes));
    }
    return status_ok();
}

Status open_streamed(const Request *request, LbpStreamed *state) {
    STATUS_TRY(lbp_device_open(request, LBP_FAST_ROW_ALIGNMENT, &state->device));
    STATUS_TRY(divide_bands(state));
    STATUS_TRY(create_events(state));
    return create_stages(state);
}

/* Queues the upload of the rows that band `index` adds, through a stage when there is one. */
Status upload_band(LbpStreamed *state, int index) {
    const LbpDevice *device = &state->device;
    const Image *image = &device->request->workload->image;
    const int begin = uploaded_end(state, index - 1);
    const size_t rows = (size_t)(uploaded_end(state, index) - begin);
    const size_t width = (size_t)device->width;
    const uint8_t *source = image_row(image, begin);
    size_t source_stride = image->stride;
    uint8_t *stage = state->stage_up[index % SLOTS];
    if (stage != NULL) {
        if (index >= SLOTS) {
            CUDA_TRY(cudaEventSynchronize(state->bands[index - SLOTS].uploaded));
        }
        host_copy_rows(stage, width, source, source_stride, width, rows);
        source = stage;
        source_stride = width;
    }
    if (rows > 0) {
        CUDA_TRY(cudaMemcpy2DAsync(device->image + (size_t)begin * device->image_stride,
                                   device->image_stride, source, source_stride, width, rows,
                                   cudaMemcpyHostToDevice, state->up));
    }
    CUDA_TRY(cudaEventRecord(state->bands[index].uploaded, state->up));
    return status_ok();
}

Status compute_band(LbpStreamed *state, int index) {
    LbpDevice *device = &state->device;
    const Band *band = &state->bands[index];
    CUDA_TRY(cudaStreamWaitEvent(cuda_stream(), band->uploaded, 0));
    STATUS_TRY(lbp_fast_launch(device, row_begin(state, index), band->row_end,
                               lbp_device_histogram(device, device->answer_set), NULL,
                               cuda_stream()));
    CUDA_TRY(cudaEventRecord(band->computed, cuda_stream()));
    return status_ok();
}

uint8_t *answer_rows(const LbpStreamed *state, int index) {
    return lbp_codes(state->device.request->output) +
           (size_t)row_begin(state, index) * (size_t)state->device.width;
}

size_t band_height(const LbpStreamed *state, int index) {
    return (size_t)(state->bands[index].row_end - row_begin(state, index));
}

/* Empties the stage that band `index` was downloaded to. */
Status drain_band(LbpStreamed *state, int index) {
    const size_t width = (size_t)state->device.width;
    CUDA_TRY(cudaEventSynchronize(state->bands[index].downloaded));
    host_copy_rows(answer_rows(state, index), width, state->stage_down[index % SLOTS], width, width,
                   band_height(state, index));
    return status_ok();
}

Status download_band(LbpStreamed *state, int index) {
    const LbpDevice *device = &state->device;
    const size_t width = (size_t)device->width;
    uint8_t *target = answer_rows(state, index);
    uint8_t *stage = state->stage_down[index % SLOTS];
    if (stage != NULL) {
        if (index >= SLOTS) {
            STATUS_TRY(drain_band(state, index - SLOTS));
        }
        target = stage;
    }
    CUDA_TRY(cudaStreamWaitEvent(state->down, state->bands[index].computed, 0));
    CUDA_TRY(cudaMemcpy2DAsync(
        target, width, device->codes + (size_t)row_begin(state, index) * device->codes_stride,
        device->codes_stride, width, band_height(state, index), cudaMemcpyDeviceToHost,
        state->down));
    CUDA_TRY(cudaEventRecord(state->bands[index].downloaded, state->down));
    return status_ok();
}

/* Clears what the bands add to and the padding they read; later work on all streams waits for it.
 */
Status prepare(LbpStreamed *state) {
    LbpDevice *device = &state->device;
    const size_t width = (size_t)device->width;
    LbpCount *histogram = lbp_device_histogram(device, device->answer_set);
    CUDA_TRY(cudaMemsetAsync(histogram, 0, LBP_BINS * sizeof *histogram, cuda_stream()));
    if (device->image_stride > width) {
        CUDA_TRY(cudaMemset2DAsync(device->image + width, device->image_stride, 0,
                                   device->image_stride - width, (size_t)device->height,
                                   cuda_stream()));
    }
    CUDA_TRY(cudaEventRecord(state->ready, cuda_stream()));
    CUDA_TRY(cudaStreamWaitEvent(state->up, state->ready, 0));
    CUDA_TRY(cudaStreamWaitEvent(state->down, state->ready, 0));
    return status_ok();
}

void destroy_event(cudaEvent_t event) {
    if (event != NULL) {
        (void)cudaEventDestroy(event);
    }
}

} // namespace

Status lbp_cuda_streamed_open(const Request *request, void **state) {
    LbpStreamed *opened = (LbpStreamed *)calloc(1, sizeof *opened);
    if (opened == NULL) {
        return status_skip("not enough host memory for a variant's state");
    }
    const Status status = open_streamed(request, opened);
    if (!status_is_ok(&status)) {
        lbp_cuda_streamed_close(opened);
        return status;
    }
    *state = opened;
    return status;
}

Status lbp_cuda_streamed_run(void *state) {
    LbpStreamed *opened = (LbpStreamed *)state;
    LbpDevice *device = &opened->device;
    LbpCount *histogram = lbp_device_histogram(device, device->answer_set);
    CUDA_TRY(cudaMemsetAsync(histogram, 0, LBP_BINS * sizeof *histogram, cuda_stream()));
    for (int i = 0; i < opened->band_count; i++) {
        STATUS_TRY(lbp_fast_launch(device, row_begin(opened, i), opened->bands[i].row_end,
                                   histogram, NULL, cuda_stream()));
    }
    return status_ok();
}

Status lbp_cuda_streamed_stream(void *state) {
    LbpStreamed *opened = (LbpStreamed *)state;
    STATUS_TRY(prepare(opened));
    for (int i = 0; i < opened->band_count; i++) {
        STATUS_TRY(upload_band(opened, i));
        STATUS_TRY(compute_band(opened, i));
        STATUS_TRY(download_band(opened, i));
    }
    STATUS_TRY(lbp_device_download_histogram(&opened->device, cuda_stream()));
    for (int i = std::max(0, opened->band_count - SLOTS);
         i < opened->band_count && opened->stage_down[0] != NULL; i++) {
        STATUS_TRY(drain_band(opened, i));
    }
    CUDA_TRY(cudaStreamSynchronize(opened->down));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

void lbp_cuda_streamed_close(void *state) {
    if (state == NULL) {
        return;
    }
    LbpStreamed *opened = (LbpStreamed *)state;
    for (int i = 0; i < opened->band_count; i++) {
        destroy_event(opened->bands[i].uploaded);
        destroy_event(opened->bands[i].computed);
        destroy_event(opened->bands[i].downloaded);
    }
    destroy_event(opened->ready);
    for (int i = 0; i < SLOTS; i++) {
        (void)cudaFreeHost(opened->stage_up[i]);
        (void)cudaFreeHost(opened->stage_down[i]);
    }
    if (opened->up != NULL) {
        (void)cudaStreamDestroy(opened->up);
    }
    if (opened->down != NULL) {
        (void)cudaStreamDestroy(opened->down);
    }
    lbp_device_close(&opened->device);
    free(opened->bands);
    free(opened);
}
