/*
 * Copy bandwidth between the host and a device, or several at once: each way from page-locked
 * memory, both ways at once, and, of one device, each way from ordinary (pageable) memory, which
 * the driver copies through buffers of its own.
 *
 * The host memory lies where the system puts it for the calling thread, as that of a run does.
 */
#include <cstdlib>
#include <memory>

#include "backend.h"
#include "cuda_device.h"
#include "multi.h"
#include "roof_measure.h"

namespace {

constexpr size_t BYTES = (size_t)128 << 20; /* about a 16K image; on each device */
constexpr int SAMPLES = 7;

/* Between the host and one device; frees itself. */
struct Transfer {
    RoofMemory device_up, device_down;
    RoofMemory pinned_up, pinned_down;
    void *host_up = NULL, *host_down = NULL;
    cudaStream_t second = NULL; /* for the other direction */
    cudaEvent_t begun = NULL, ended = NULL;

    ~Transfer() {
        if (begun != NULL) {
            (void)cudaEventDestroy(begun);
        }
        if (ended != NULL) {
            (void)cudaEventDestroy(ended);
        }
        if (second != NULL) {
            (void)cudaStreamDestroy(second);
        }
    }
};

struct Transfers {
    Transfer of[CUDA_DEVICES_MAX];
};

Status run_up(void *context, int device) {
    const Transfer *transfer = &((const Transfers *)context)->of[device];
    CUDA_TRY(cudaMemcpyAsync(transfer->device_up.data, transfer->host_up, BYTES,
                             cudaMemcpyHostToDevice, cuda_stream()));
    return status_ok();
}

Status run_down(void *context, int device) {
    const Transfer *transfer = &((const Transfers *)context)->of[device];
    CUDA_TRY(cudaMemcpyAsync(transfer->host_down, transfer->device_down.data, BYTES,
                             cudaMemcpyDeviceToHost, cuda_stream()));
    return status_ok();
}

/* The second stream starts with the first, and the first waits for it at the end, so that the clock
 * on the first sees both. */
Status run_both(void *context, int device) {
    const Transfer *transfer = &((const Transfers *)context)->of[device];
    CUDA_TRY(cudaEventRecord(transfer->begun, cuda_stream()));
    CUDA_TRY(cudaStreamWaitEvent(transfer->second, transfer->begun, 0));
    CUDA_TRY(cudaMemcpyAsync(transfer->host_down, transfer->device_down.data, BYTES,
                             cudaMemcpyDeviceToHost, transfer->second));
    CUDA_TRY(cudaEventRecord(transfer->ended, transfer->second));
    STATUS_TRY(run_up(context, device));
    CUDA_TRY(cudaStreamWaitEvent(cuda_stream(), transfer->ended, 0));
    return status_ok();
}

/* A copy from or to pageable memory waits for the stream. */
Status add_bandwidth(Ceilings *ceilings, const char *key, RoofClock clock, const RoofJob *job,
                     double directions) {
    const double bytes = directions * (double)BYTES * job->devices;
    double seconds = 0.0;
    STATUS_TRY(roof_time(clock, job, SAMPLES, &seconds));
    ceilings_add_on(ceilings, job->devices, key, CEILING_BANDWIDTH, 0, bytes / seconds, bytes);
    return status_ok();
}

Status open_transfer(void *context, int device) {
    Transfer *transfer = &((Transfers *)context)->of[device];
    STATUS_TRY(transfer->device_up.device(BYTES));
    STATUS_TRY(transfer->device_down.device(BYTES));
    STATUS_TRY(transfer->pinned_up.pinned(BYTES));
    STATUS_TRY(transfer->pinned_down.pinned(BYTES));
    transfer->host_up = transfer->pinned_up.data;
    transfer->host_down = transfer->pinned_down.data;
    CUDA_TRY(cudaStreamCreateWithFlags(&transfer->second, cudaStreamNonBlocking));
    CUDA_TRY(cudaEventCreateWithFlags(&transfer->begun, cudaEventDisableTiming));
    CUDA_TRY(cudaEventCreateWithFlags(&transfer->ended, cudaEventDisableTiming));
    return status_ok();
}

Status measure_pinned(Ceilings *ceilings, int devices, Transfers *transfers) {
    const RoofJob up = {devices, run_up, transfers};
    const RoofJob down = {devices, run_down, transfers};
    const RoofJob both = {devices, run_both, transfers};
    STATUS_TRY(add_bandwidth(ceilings, "pcie_up_pinned", ROOF_HELD, &up, 1.0));
    STATUS_TRY(add_bandwidth(ceilings, "pcie_down_pinned", ROOF_HELD, &down, 1.0));
    return add_bandwidth(ceilings, "pcie_both_pinned", ROOF_HELD, &both, 2.0);
}

Status measure_pageable(Ceilings *ceilings, Transfers *transfers) {
    const std::unique_ptr<void, void (*)(void *)> host(calloc(1, BYTES), free);
    const RoofJob up = {1, run_up, transfers};
    const RoofJob down = {1, run_down, transfers};
    if (host == nullptr) {
        return status_skip("not enough host memory to measure transfers");
    }
    transfers->of[0].host_up = host.get();
    transfers->of[0].host_down = host.get();
    STATUS_TRY(add_bandwidth(ceilings, "pcie_down_pageable", ROOF_LAUNCHED, &down, 1.0));
    return add_bandwidth(ceilings, "pcie_up_pageable", ROOF_LAUNCHED, &up, 1.0);
}

Status wait_for_device(void *context, int device) {
    (void)context;
    (void)device;
    CUDA_TRY(cudaDeviceSynchronize());
    return status_ok();
}

} // namespace

Status roof_measure_transfers(Ceilings *ceilings, int devices) {
    Transfers transfers;
    Status status = multi_each(devices, open_transfer, &transfers);
    if (status_is_ok(&status)) {
        status = measure_pinned(ceilings, devices, &transfers);
    }
    if (status_is_ok(&status) && devices == 1) {
        status = measure_pageable(ceilings, &transfers);
    }
    /* Before the memory is given back. */
    const Status waited = multi_each(devices, wait_for_device, NULL);
    return status_is_ok(&status) ? waited : status;
}
