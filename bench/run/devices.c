#include "devices.h"

#include <math.h>

#include "measure.h"

static void meet(Device *device, const Backend *backend) {
    *device = (Device){.backend = backend, .timer_overhead = NAN};
    device->usable = backend->probe(device->description, sizeof device->description);
    if (status_is_ok(&device->usable)) {
        device->usable = measure_timer_overhead(backend, &device->timer_overhead);
    }
}

Device *devices_get(Devices *devices, const Backend *backend) {
    for (size_t i = 0; i < devices->count; i++) {
        if (devices->rows[i].backend == backend) {
            return &devices->rows[i];
        }
    }
    /* There are two backends; a table of eight does not fill up. */
    Device *device = &devices->rows[devices->count < DEVICES_MAX ? devices->count++ : 0];
    meet(device, backend);
    return device;
}

void device_lost(Device *device, const char *name, const char *why) {
    device->usable = status_skip("the device was lost in %.120s: %.220s", name, why);
}

void devices_pin(Devices *devices, void *memory, size_t bytes, Pinned *pinned) {
    *pinned = (Pinned){.memory = memory};
    for (size_t i = 0; i < devices->count; i++) {
        Device *device = &devices->rows[i];
        if (device->backend->pin == NULL || !status_is_ok(&device->usable)) {
            continue;
        }
        const Status status = device->backend->pin(memory, bytes);
        if (status_is_ok(&status)) {
            pinned->backends[pinned->count++] = device->backend;
        } else {
            device->pinning =
                status_skip("host memory could not be page-locked: %.300s", status.why);
        }
    }
}

void devices_unpin(Pinned *pinned) {
    for (size_t i = 0; i < pinned->count; i++) {
        pinned->backends[i]->unpin(pinned->memory);
    }
    *pinned = (Pinned){.memory = NULL};
}

void devices_pin_reset(Devices *devices) {
    for (size_t i = 0; i < devices->count; i++) {
        devices->rows[i].pinning = status_ok();
    }
}
