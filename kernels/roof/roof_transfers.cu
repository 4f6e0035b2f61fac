/*
 * Copy bandwidth between host and device: each way from page-locked memory, both ways at once, and
 * each way from ordinary (pageable) memory, which the driver copies through buffers of its own.
 */
#include <cstdlib>
#include <memory>

#include "cuda_device.h"
#include "roof_measure.h"

namespace {

constexpr size_t BYTES = (size_t)128 << 20; /* about a 16K image */
constexpr int SAMPLES = 7;

struct Transfer {
    void *device_up, *device_down;
    void *host_up, *host_down;
    cudaStream_t second; /* for the other direction */
    cudaEvent_t begun, ended;
};

Status run_up(void *context) {
    const Transfer *transfer = (const Transfer *)context;
    CUDA_TRY(cudaMemcpyAsync(transfer->device_up, transfer->host_up, BYTES, cudaMemcpyHostToDevice,
                             cuda_stream()));
    return status_ok();
}

Status run_down(void *context) {
    const Transfer *transfer = (const Transfer *)context;
    CUDA_TRY(cudaMemcpyAsync(transfer->host_down, transfer->device_down, BYTES,
                             cudaMemcpyDeviceToHost, cuda_stream()));
    return status_ok();
}

/* The second stream starts with the first, and the first waits for it at the end, so that the clock
 * on the first sees both. */
Status run_both(void *context) {
    const Transfer *transfer = (const Transfer *)context;
    CUDA_TRY(cudaEventRecord(transfer->begun, cuda_stream()));
    CUDA_TRY(cudaStreamWaitEvent(transfer->second, transfer->begun, 0));
    CUDA_TRY(cudaMemcpyAsync(transfer->host_down, transfer->device_down, BYTES,
                             cudaMemcpyDeviceToHost, transfer->second));
    CUDA_TRY(cudaEventRecord(transfer->ended, transfer->second));
    STATUS_TRY(run_up(context));
    CUDA_TRY(cudaStreamWaitEvent(cuda_stream(), transfer->ended, 0));
    return status_ok();
}

Status add_bandwidth(Ceilings *ceilings, const char *key, RoofWork work, Transfer *transfer,
                     double directions) {
    /* A copy from or to pageable memory waits for the stream. */
    const RoofClock clock = cuda_is_pinned(transfer->host_up) ? ROOF_HELD : ROOF_LAUNCHED;
    double seconds = 0.0;
    STATUS_TRY(roof_time(clock, work, transfer, SAMPLES, &seconds));
    ceilings_add(ceilings, key, CEILING_BANDWIDTH, 0, directions * (double)BYTES / seconds,
                 directions * (double)BYTES);
    return status_ok();
}

Status measure_pinned(Ceilings *ceilings, Transfer *transfer) {
    RoofMemory up;
    RoofMemory down;
    STATUS_TRY(up.pinned(BYTES));
    STATUS_TRY(down.pinned(BYTES));
    transfer->host_up = up.data;
    transfer->host_down = down.data;
    STATUS_TRY(add_bandwidth(ceilings, "pcie_up_pinned", run_up, transfer, 1.0));
    STATUS_TRY(add_bandwidth(ceilings, "pcie_down_pinned", run_down, transfer, 1.0));
    return add_bandwidth(ceilings, "pcie_both_pinned", run_both, transfer, 2.0);
}

Status measure_pageable(Ceilings *ceilings, Transfer *transfer) {
    const std::unique_ptr<void, void (*)(void *)> host(calloc(1, BYTES), free);
    if (host == nullptr) {
        return status_skip("not enough host memory to measure transfers");
    }
    transfer->host_up = host.get();
    transfer->host_down = host.get();
    STATUS_TRY(add_bandwidth(ceilings, "pcie_down_pageable", run_down, transfer, 1.0));
    return add_bandwidth(ceilings, "pcie_up_pageable", run_up, transfer, 1.0);
}

Status measure_all(Ceilings *ceilings, Transfer *transfer) {
    CUDA_TRY(cudaStreamCreateWithFlags(&transfer->second, cudaStreamNonBlocking));
    CUDA_TRY(cudaEventCreateWithFlags(&transfer->begun, cudaEventDisableTiming));
    CUDA_TRY(cudaEventCreateWithFlags(&transfer->ended, cudaEventDisableTiming));
    STATUS_TRY(measure_pinned(ceilings, transfer));
    return measure_pageable(ceilings, transfer);
}

} // namespace

Status roof_measure_transfers(Ceilings *ceilings) {
    RoofMemory up;
    RoofMemory down;
    STATUS_TRY(up.device(BYTES));
    STATUS_TRY(down.device(BYTES));
    Transfer transfer = {};
    transfer.device_up = up.data;
    transfer.device_down = down.data;
    const Status status = measure_all(ceilings, &transfer);
    (void)cudaStreamSynchronize(cuda_stream());
    if (transfer.begun != NULL) {
        (void)cudaEventDestroy(transfer.begun);
    }
    if (transfer.ended != NULL) {
        (void)cudaEventDestroy(transfer.ended);
    }
    if (transfer.second != NULL) {
        (void)cudaStreamDestroy(transfer.second);
    }
    return status;
}
