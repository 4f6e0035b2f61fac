/*
 * What the ceilings of a device are measured with. Every function adds its ceilings to the list, or
 * leaves the list alone and returns the reason.
 */
#ifndef KERNELS_ROOF_ROOF_MEASURE_H
#define KERNELS_ROOF_ROOF_MEASURE_H

#include "ceilings.h"

/* Work to be timed: queues itself once on cuda_stream(). */
typedef Status (*RoofWork)(void *context);

/* Whether the stream is held while the work is queued: not if the work waits for the stream, and
 * not if the time of a launch is what is measured. */
enum RoofClock { ROOF_HELD, ROOF_LAUNCHED };

/* Median seconds of one piece of work by the device's clock, over `samples` (at most 32) after a
 * warm-up. */
Status roof_time(RoofClock clock, RoofWork work, void *context, int samples, double *seconds);

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

/* copy_l2, copy_dram: copying within the device. */
Status roof_measure_copies(Ceilings *ceilings);
/* fp32, int32, shared_atomics, empty_kernel, launch. */
Status roof_measure_rates(Ceilings *ceilings);
/* pcie_…: copying between host and device. */
Status roof_measure_transfers(Ceilings *ceilings);

#endif
