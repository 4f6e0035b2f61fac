#include "lacunarity_device.cuh"

#include <algorithm>

#include "multi.h"

static size_t row_count(const LacunarityDevice *device) {
    return device->plan.threshold_count * device->plan.box_count;
}

static size_t sums_bytes(const LacunarityDevice *device) {
    return row_count(device) * sizeof(LacunaritySums);
}

static Status open_buffers(LacunarityDevice *device) {
    const Image *image = &device->request->workload->image;
    const size_t stride = device->stride;
    const size_t height = (size_t)device->height;
    device->fetched = (LacunaritySums *)malloc(sums_bytes(device));
    if (device->fetched == NULL) {
        return status_skip("not enough host memory for %zu sums", row_count(device));
    }
    STATUS_TRY(cuda_state_own(device, device->fetched, free));
    const CudaBuffer table[] = {
        cuda_rows_up_in_zeros(&device->image, height * stride,
                              {image_row(image, device->first_row), image->stride, 0, stride,
                               (size_t)device->width, height}),
        cuda_down(&device->sums, sums_bytes(device), device->fetched),
    };
    return cuda_open_buffers(device, table);
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
    STATUS_TRY(cuda_state_own(device, device->bands, free));
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

static void release_plan(void *plan) {
    lacunarity_plan_release((LacunarityPlan *)plan);
}

Status lacunarity_device_open_share(size_t row_alignment, int index, int count,
                                    LacunarityDevice *device) {
    const Request *request = device->request;
    const Image *image = &request->workload->image;
    STATUS_TRY(cuda_state_own(device, &device->plan, release_plan));
    STATUS_TRY(lacunarity_plan_make(image, request->answer, &device->plan));
    device->width = image->width;
    device->stride = round_up((size_t)image->width, row_alignment);
    STATUS_TRY(make_bands(index, count, device));
    return device->height > 0 ? open_buffers(device) : status_ok();
}

Status lacunarity_device_open(size_t row_alignment, LacunarityDevice *device) {
    return lacunarity_device_open_share(row_alignment, 0, 1, device);
}

Status lacunarity_device_clear(const LacunarityDevice *device) {
    CUDA_TRY(cudaMemsetAsync(device->sums, 0, sums_bytes(device), cuda_stream()));
    return status_ok();
}

Status lacunarity_device_open_state(const Request *request, size_t row_alignment, void **state) {
    return cuda_open_state<LacunarityDevice>(request, state, [&](LacunarityDevice *device) {
        return lacunarity_device_open(row_alignment, device);
    });
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

void lacunarity_device_answer(const LacunarityDevice *device) {
    LacunarityRow *row = lacunarity_rows(device->request->output);
    for (size_t t = 0; t < device->plan.threshold_count; t++) {
        for (size_t b = 0; b < device->plan.box_count; b++) {
            set_row(device, t, b, row);
            row++;
        }
    }
}

Status lacunarity_cuda_download(void *state) {
    STATUS_TRY(cuda_state_download(state));
    lacunarity_device_answer((const LacunarityDevice *)state);
    return status_ok();
}
