/*
 * The ceilings of a CUDA device, and of several at once: what the variants' kernels are held
 * against.
 *
 * Several devices have what each has alone only if they share nothing: slots of the host, links
 * between processors, host memory. So every number of devices is measured, 1, 2, 4 … and all that
 * were chosen.
 */
#include "roof_measure.h"

#include <algorithm>

#include "backend_runner.h"
#include "cuda_device.h"
#include "multi.h"
#include "nccl.h"
#include "stops.h"

namespace {

constexpr int SAMPLES_MAX = 32;
constexpr int WARM_UP_RUNS = 3;

} // namespace

RoofMemory::~RoofMemory() {
    if (host) {
        (void)cudaFreeHost(data);
    } else {
        (void)cudaFree(data);
    }
}

Status RoofMemory::device(size_t bytes) {
    CUDA_TRY(cudaMalloc(&data, bytes));
    CUDA_TRY(cudaMemsetAsync(data, 0x5A, bytes, cuda_stream()));
    return status_ok();
}

Status RoofMemory::pinned(size_t bytes) {
    host = true;
    CUDA_TRY(cudaMallocHost(&data, bytes));
    std::fill_n((unsigned char *)data, bytes, (unsigned char)0x5A);
    return status_ok();
}

static Status queue_job(const RoofJob *job) {
    return job->devices == 1 ? job->queue(job->context, 0)
                             : multi_each(job->devices, job->queue, job->context);
}

/* That there is no time is a failure: STATUS_SKIP would say that there is no device. */
static Status time_job(RoofClock clock, const RoofJob *job, double *seconds) {
    const BackendRunner *runner = (job->devices == 1 ? &cuda_backend : &cuda_multi_backend)->runner;
    StopTries tries = {};
    do {
        stop_tries_begin(&tries);
        if (clock == ROOF_HELD) {
            STATUS_TRY(runner->hold());
        }
        STATUS_TRY(runner->clock_start());
        STATUS_TRY(queue_job(job));
        STATUS_TRY(runner->clock_stop(seconds));
    } while (stop_tries_again(&tries));
    const Status status = stop_tries_end(&tries, NULL);
    return status_is_ok(&status) ? status : status_fail("%s", status.why);
}

Status roof_time(RoofClock clock, const RoofJob *job, int samples, double *seconds) {
    double taken[SAMPLES_MAX];
    samples = std::min(samples, SAMPLES_MAX);
    for (int i = -WARM_UP_RUNS; i < samples; i++) {
        double elapsed = 0.0;
        STATUS_TRY(time_job(clock, job, &elapsed));
        if (i >= 0) {
            taken[i] = elapsed;
        }
    }
    std::sort(taken, taken + samples);
    *seconds = taken[samples / 2];
    return status_ok();
}

static Status measure_on(Ceilings *ceilings, int devices) {
    STATUS_TRY(roof_measure_rates(ceilings, devices)); /* first: it wakes the clocks up */
    STATUS_TRY(roof_measure_copies(ceilings, devices));
    STATUS_TRY(roof_measure_transfers(ceilings, devices));
    return devices > 1 ? roof_measure_peers(ceilings, devices) : status_ok();
}

/* That NCCL cannot be used is no failure: the note says why. */
static Status measure_all_reduce(Ceilings *ceilings, int devices) {
    const Status status = roof_measure_all_reduce(ceilings, devices);
    if (status.code == STATUS_SKIP) {
        snprintf(ceilings->note, sizeof ceilings->note, "no ceilings of an all-reduce: %.300s",
                 status.why);
        return status_ok();
    }
    return status;
}

extern "C" Status cuda_ceilings_measure(Ceilings *ceilings) {
    char description[STATUS_WHY_SIZE];
    STATUS_TRY(cuda_backend.probe(description, sizeof description));
    const int count = cuda_devices_count();
    Status status = measure_on(ceilings, 1);
    for (int devices = 2; status_is_ok(&status) && devices / 2 < count; devices *= 2) {
        const int used = std::min(devices, count);
        status = measure_on(ceilings, used);
        if (status_is_ok(&status)) {
            status = measure_all_reduce(ceilings, used);
        }
    }
    nccl_close_all(); /* they hold memory of every device */
    return status;
}
