/* A fake device for tests of the harness: host memory, and a clock that counts steps. */
#ifndef TESTS_BENCH_FAKE_DEVICE_H
#define TESTS_BENCH_FAKE_DEVICE_H

#include <stdlib.h>
#include <string.h>

#include "backend_runner.h"

enum { FAKE_BLOCKS = 16 };

static struct {
    uint8_t *blocks[FAKE_BLOCKS];
    size_t bytes[FAKE_BLOCKS];
    uint64_t in_use, peak;
    int steps, steps_at_start; /* uploads, runs and downloads so far; at clock_start */
    int flushes, poisons, runs, opened, closed, pins, pinned_in_all;
    size_t pinned_bytes_most; /* of one pin */
    bool waits;               /* no hold lasts */
    bool absent;              /* probe says there is none */
    int refusals;             /* how many times pin will still refuse */
} fake_device;

static inline Status fake_probe(char *description, size_t size) {
    if (fake_device.absent) {
        return status_skip("no fake device here");
    }
    if (size > 0) {
        strncpy(description, "Fake Device 1", size - 1);
        description[size - 1] = '\0';
    }
    return status_ok();
}

static inline Status fake_alloc(size_t bytes, void **memory) {
    for (size_t i = 0; i < FAKE_BLOCKS; i++) {
        if (fake_device.blocks[i] == NULL) {
            fake_device.blocks[i] = malloc(bytes);
            fake_device.bytes[i] = bytes;
            fake_device.in_use += bytes;
            if (fake_device.in_use > fake_device.peak) {
                fake_device.peak = fake_device.in_use;
            }
            *memory = fake_device.blocks[i];
            return status_ok();
        }
    }
    return status_skip("the fake device is full");
}

static inline void fake_release(void *memory) {
    for (size_t i = 0; i < FAKE_BLOCKS; i++) {
        if (memory != NULL && fake_device.blocks[i] == memory) {
            free(memory);
            fake_device.in_use -= fake_device.bytes[i];
            fake_device.blocks[i] = NULL;
        }
    }
}

static inline Status fake_poison(uint8_t pattern) {
    for (size_t i = 0; i < FAKE_BLOCKS; i++) {
        if (fake_device.blocks[i] != NULL) {
            memset(fake_device.blocks[i], pattern, fake_device.bytes[i]);
        }
    }
    fake_device.poisons++;
    return status_ok();
}

static inline Status fake_nothing(void) {
    return status_ok();
}

static inline Status fake_clock_start(void) {
    fake_device.steps_at_start = fake_device.steps;
    return status_ok();
}

/* Each step of the device takes a millisecond. */
static inline Status fake_clock_stop(double *seconds) {
    *seconds = 1e-3 * (fake_device.steps - fake_device.steps_at_start);
    return status_ok();
}

static inline bool fake_was_held(void) {
    return !fake_device.waits;
}

static inline Status fake_flush(void) {
    fake_device.flushes++;
    return status_ok();
}

static inline uint64_t fake_available(void) {
    return UINT64_MAX;
}

static inline uint64_t fake_in_use(void) {
    return fake_device.in_use;
}

static inline uint64_t fake_peak(void) {
    return fake_device.peak;
}

static inline void fake_reset_peak(void) {
    fake_device.peak = fake_device.in_use;
}

static inline Status fake_pin(void *memory, size_t bytes) {
    (void)memory;
    if (fake_device.refusals > 0) {
        fake_device.refusals--;
        return status_skip("not lockable");
    }
    fake_device.pins++;
    fake_device.pinned_in_all++;
    if (bytes > fake_device.pinned_bytes_most) {
        fake_device.pinned_bytes_most = bytes;
    }
    return status_ok();
}

static inline void fake_unpin(void *memory) {
    (void)memory;
    fake_device.pins--;
}

static const BackendRunner fake_runner = {
    .poison = fake_poison,
    .check_guards = fake_nothing,
    .clock_start = fake_clock_start,
    .clock_stop = fake_clock_stop,
    .hold = fake_nothing,
    .was_held = fake_was_held,
    .synchronize = fake_nothing,
    .flush_caches = fake_flush,
    .peak = fake_peak,
    .reset_peak = fake_reset_peak,
    .pin = fake_pin,
    .unpin = fake_unpin,
};

static const Backend fake_backend = {
    .name = "fake",
    .probe = fake_probe,
    .alloc = fake_alloc,
    .release = fake_release,
    .available = fake_available,
    .in_use = fake_in_use,
    .runner = &fake_runner,
};

#endif
