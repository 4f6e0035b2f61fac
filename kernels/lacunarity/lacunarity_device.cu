#include "lacunarity_device.cuh"

#include <algorithm>
#include <cstdlib>

#include "cuda_device.h"
#include "multi.h"

static size_t row_count(const LacunarityDevice *device) {
    return device->plan.threshold_count * device->plan.box_count;
}

static size_t sums_bytes(const LacunarityDevice *device) {
    return row_count(device) * sizeof(LacunaritySums);
}

static Status allocate(LacunarityDevice *device) {
    const size_t image_bytes = (size_t)device->height * device->stride;
    STATUS_TRY(cuda_backend.alloc(image_bytes, (void **)&device->image));
    STATUS_TRY(cuda_backend.alloc(sums_bytes(device), (void **)&device->sums));
    device->fetched = (LacunaritySums *)malloc(sums_bytes(device));
    if (device->fetched == NULL) {
        return status_skip("not enough host memory for %zu sums", row_count(device));
    }
    return status_ok();
}

/* Rows of positions in whole steps: a multiple of them stays one in the rows of any share. */
static LacunarityBand band_of(int height, int32_t box, int index, int count) {
    const int rows = height - box + 1;
    const MultiPart steps = multi_part(pieces_of(rows, LACUNARITY_STEP), count, index);
    LacunarityBand band = {};
    band.box = box;
    band.begin = steps.begin * LACUNARITY_STEP;
    band.end = std::min(steps.end * LACUNARITY_STEP, rows);
    return band;
}

/* Bands in rows of the image, and then in the device's, which are those that the bands need. */
static Status make_bands(int index, int count, LacunarityDevice *device) {
    const Image *image = &device->request->workload->image;
    const size_t boxes = device->plan.box_count;
    int first = image->height;
    int last = 0;
    device->bands = (LacunarityBand *)calloc(boxes, sizeof *device->bands);
    if (device->bands == NULL) {
        return status_skip("not enough host memory for %zu boxes", boxes);
    }
    for (size_t b = 0; b < boxes; b++) {
        LacunarityBand *band = &device->bands[b];
        *band = band_of(image->height, device->plan.boxes[b], index, count);
        if (band->begin < band->end) {
            first = std::min(first, (int)band->begin);
            last = std::max(last, (int)(band->end - 1 + band->box));
        }
    }
    for (size_t b = 0; b < boxes; b++) {
        LacunarityBand *band = &device->bands[b];
        const bool some = band->begin < band->end;
        band->begin = some ? band->begin - first : 0;
        band->end = some ? band->end - first : 0;
    }
    device->first_row = first;
    device->height = std::max(last - first, 0);
    return status_ok();
}

static Status open_device(const Request *request, size_t row_alignment, int index, int count,
                          LacunarityDevice *device) {
    const Image *image = &request->workload->image;
    STATUS_TRY(lacunarity_plan_make(image, request->answer, &device->plan));
    device->request = request;
    device->width = image->width;
    device->stride = round_up((size_t)image->width, row_alignment);
    STATUS_TRY(make_bands(index, count, device));
    return device->height > 0 ? allocate(device) : status_ok();
}

Status lacunarity_device_open(const Request *request, size_t row_alignment,
                              LacunarityDevice *device) {
    return lacunarity_device_open_share(request, row_alignment, 0, 1, device);
}

Status lacunarity_device_open_share(const Request *request, size_t row_alignment, int index,
                                    int count, LacunarityDevice *device) {
    *device = LacunarityDevice{};
    const Status status = open_device(request, row_alignment, index, count, device);
    if (!status_is_ok(&status)) {
        lacunarity_device_close(device);
    }
    return status;
}

void lacunarity_device_close(LacunarityDevice *device) {
    cuda_backend.release(device->image);
    cuda_backend.release(device->sums);
    free(device->fetched);
    free(device->bands);
    lacunarity_plan_release(&device->plan);
    *device = LacunarityDevice{};
}

Status lacunarity_device_clear(const LacunarityDevice *device) {
    CUDA_TRY(cudaMemsetAsync(device->sums, 0, sums_bytes(device), cuda_stream()));
    return status_ok();
}

Status lacunarity_device_open_state(const Request *request, size_t row_alignment, void **state) {
    return cuda_open_state<LacunarityDevice>(
        state,
        [&](LacunarityDevice *device) {
            return lacunarity_device_open(request, row_alignment, device);
        },
        lacunarity_cuda_close);
}

static Status upload(const LacunarityDevice *device) {
    const Image *image = &device->request->workload->image;
    const size_t width = (size_t)device->width;
    const size_t height = (size_t)device->height;
    const size_t stride = device->stride;
    CUDA_TRY(cudaMemcpy2DAsync(device->image, stride, image_row(image, device->first_row),
                               image->stride, width, height, cudaMemcpyHostToDevice,
                               cuda_stream()));
    if (stride > width) {
        CUDA_TRY(cudaMemset2DAsync(device->image + width, stride, 0, stride - width, height,
                                   cuda_stream()));
    }
    return status_ok();
}

/* The 128 bits of Σs² from their parts on the device. */
static void set_row(const LacunarityDevice *device, size_t t, size_t b, LacunarityRow *row) {
    const LacunaritySums *sums = device->fetched + t * device->plan.box_count + b;
    const uint64_t shifted = (uint64_t)sums->high << 32;
    const uint64_t low = (uint64_t)sums->low + shifted;
    const uint64_t carry = low < shifted ? 1 : 0;
    lacunarity_set_row(row, &device->request->workload->image, device->plan.thresholds[t],
                       device->plan.boxes[b], sums->sum_s, low, (sums->high >> 32) + carry);
}

Status lacunarity_device_fetch(const LacunarityDevice *device) {
    CUDA_TRY(cudaMemcpyAsync(device->fetched, device->sums, sums_bytes(device),
                             cudaMemcpyDeviceToHost, cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    return status_ok();
}

void lacunarity_device_answer(const LacunarityDevice *device) {
    LacunarityRow *row = lacunarity_rows(device->request->output);
    for (size_t t = 0; t < device->plan.threshold_count; t++) {
        for (size_t b = 0; b < device->plan.box_count; b++) {
            set_row(device, t, b, row);
            row++;
        }
    }
}

Status lacunarity_cuda_upload(void *state) {
    return upload((const LacunarityDevice *)state);
}

Status lacunarity_cuda_download(void *state) {
    const LacunarityDevice *device = (const LacunarityDevice *)state;
    STATUS_TRY(lacunarity_device_fetch(device));
    lacunarity_device_answer(device);
    return status_ok();
}

void lacunarity_cuda_close(void *state) {
    if (state != NULL) {
        lacunarity_device_close((LacunarityDevice *)state);
        free(state);
    }
}
