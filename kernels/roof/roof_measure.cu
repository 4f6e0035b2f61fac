/*
 * The ceilings of a CUDA device: what the variants' kernels are held against.
 */
#include "roof_measure.h"

#include <algorithm>

#include "backend.h"
#include "cuda_device.h"

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

Status roof_time(RoofClock clock, RoofWork work, void *context, int samples, double *seconds) {
    double taken[SAMPLES_MAX];
    samples = std::min(samples, SAMPLES_MAX);
    for (int i = -WARM_UP_RUNS; i < samples; i++) {
        double elapsed = 0.0;
        if (clock == ROOF_HELD) {
            STATUS_TRY(cuda_backend.hold());
        }
        STATUS_TRY(cuda_backend.clock_start());
        STATUS_TRY(work(context));
        STATUS_TRY(cuda_backend.clock_stop(&elapsed));
        if (i >= 0) {
            taken[i] = elapsed;
        }
    }
    std::sort(taken, taken + samples);
    *seconds = taken[samples / 2];
    return status_ok();
}

extern "C" Status cuda_ceilings_measure(Ceilings *ceilings) {
    char description[STATUS_WHY_SIZE];
    STATUS_TRY(cuda_backend.probe(description, sizeof description));
    STATUS_TRY(roof_measure_rates(ceilings)); /* first: it wakes the clocks up */
    STATUS_TRY(roof_measure_copies(ceilings));
    return roof_measure_transfers(ceilings);
}
