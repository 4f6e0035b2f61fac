/*
 * What the ceilings of one device, and of several at once, are measured with. Every function adds
 * its ceilings to the list, or leaves the list alone and returns the reason.
 */
#ifndef KERNELS_ROOF_ROOF_MEASURE_H
#define KERNELS_ROOF_ROOF_MEASURE_H

#include "ceilings.h"

/* Work to be timed on the first `devices` of those chosen: `queue` is called with each in use and
 * queues it once on cuda_stream(). */
struct RoofJob {
    int devices;
    Status (*queue)(void *context, int device);
    void *context;
};

/* Whether the stream is held while the work is queued: not if the work waits for the stream, and
 * not if the time of a kernel launch is what is measured. */
enum RoofClock { ROOF_HELD, ROOF_LAUNCHED };

/* Median seconds of one piece of work by the clock of the device, of several that of the slowest,
 * over `samples` (at most 32) after a warm-up. */
Status roof_time(RoofClock clock, const RoofJob *job, int samples, double *seconds);

/* A block of device or page-locked host memory that frees itself. */
struct RoofMemory {
    void *data = nullptr;
    bool host = false;

    RoofMemory() = default;
    RoofMemory(const RoofMemory &) = delete;
    RoofMemory &operator=(const RoofMemory &) = delete;
    ~RoofMemory();

    Status device(size_t bytes);
    Status pinned(size_t bytes);
};

/* copy_l2, copy_dram: copying within each device. */
Status roof_measure_copies(Ceilings *ceilings, int devices);
/* fp32, int32, shared_atomics, empty_kernel, launch. */
Status roof_measure_rates(Ceilings *ceilings, int devices);
/* pcie_…: copying between host and each device; pageable memory of one device only, as a copy from
 * or to it waits. */
Status roof_measure_transfers(Ceilings *ceilings, int devices);
/* peer_…: copying between devices. None where a device stands for several. */
Status roof_measure_peers(Ceilings *ceilings, int devices);
/* allreduce_…, by NCCL. STATUS_SKIP with the reason where NCCL cannot be used. */
Status roof_measure_all_reduce(Ceilings *ceilings, int devices);

#endif
