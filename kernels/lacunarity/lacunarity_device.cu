#include "lacunarity_device.cuh"

#include <cstdlib>

#include "cuda_device.h"

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

static Status open_device(const Request *request, size_t row_alignment, LacunarityDevice *device) {
    const Image *image = &request->workload->image;
    STATUS_TRY(lacunarity_plan_make(image, request->answer, &device->plan));
    device->request = request;
    device->width = image->width;
    device->height = image->height;
    device->stride = round_up((size_t)image->width, row_alignment);
    return allocate(device);
}

Status lacunarity_device_open(const Request *request, size_t row_alignment,
                              LacunarityDevice *device) {
    *device = LacunarityDevice{};
    const Status status = open_device(request, row_alignment, device);
    if (!status_is_ok(&status)) {
        lacunarity_device_close(device);
    }
    return status;
}

void lacunarity_device_close(LacunarityDevice *device) {
    cuda_backend.release(device->image);
    cuda_backend.release(device->sums);
    free(device->fetched);
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
    CUDA_TRY(cudaMemcpy2DAsync(device->image, stride, image->pixels, image->stride, width, height,
                               cudaMemcpyHostToDevice, cuda_stream()));
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

static Status download(const LacunarityDevice *device) {
    CUDA_TRY(cudaMemcpyAsync(device->fetched, device->sums, sums_bytes(device),
                             cudaMemcpyDeviceToHost, cuda_stream()));
    CUDA_TRY(cudaStreamSynchronize(cuda_stream()));
    LacunarityRow *row = lacunarity_rows(device->request->output);
    for (size_t t = 0; t < device->plan.threshold_count; t++) {
        for (size_t b = 0; b < device->plan.box_count; b++) {
            set_row(device, t, b, row);
            row++;
        }
    }
    return status_ok();
}

Status lacunarity_cuda_upload(void *state) {
    return upload((const LacunarityDevice *)state);
}

Status lacunarity_cuda_download(void *state) {
    return download((const LacunarityDevice *)state);
}

void lacunarity_cuda_close(void *state) {
    if (state != NULL) {
        lacunarity_device_close((LacunarityDevice *)state);
        free(state);
    }
}
