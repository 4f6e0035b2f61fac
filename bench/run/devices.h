/* Devices: what the sweep knows of each backend while it runs. */
#ifndef BENCH_DEVICES_H
#define BENCH_DEVICES_H

#include "backend.h"
#include "result.h"

enum { DEVICES_MAX = 8 };

typedef struct Device {
    const Backend *backend;
    char description[RESULT_LABEL_SIZE];
    double timer_overhead; /* seconds; NAN when it could not be measured */
    Status usable;         /* STATUS_SKIP with the reason: not here, or lost since */
    Status pinning;        /* STATUS_SKIP with the reason when memory could not be page-locked */
} Device;

/* Starts zeroed. */
typedef struct Devices {
    Device rows[DEVICES_MAX];
    size_t count;
} Devices;

/* The device of a backend; probes it and measures its clock the first time. Never NULL. */
Device *devices_get(Devices *devices, const Backend *backend);

/* No later cell of this backend can run: `name` is the cell that lost it. */
void device_lost(Device *device, const char *name, const char *why);

/* Host memory that is page-locked through every backend that can. */
typedef struct Pinned {
    void *memory; /* NULL: none */
    const Backend *backends[DEVICES_MAX];
    size_t count;
} Pinned;

/* Pins through every usable device met so far. One that refuses has the reason in Device.pinning,
 * until devices_pin_reset. */
void devices_pin(Devices *devices, void *memory, size_t bytes, Pinned *pinned);
void devices_unpin(Pinned *pinned);
void devices_pin_reset(Devices *devices);

#endif
