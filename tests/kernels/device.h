/* A device to test on. */
#ifndef TESTS_KERNELS_DEVICE_H
#define TESTS_KERNELS_DEVICE_H

#include "backend.h"
#include "needs.h"
#include "test.h"

/* Skips the test where there is none. */
static inline void need_device(void) {
    char description[STATUS_WHY_SIZE];
    const Status status = cuda_backend.probe(description, sizeof description);
    if (!status_is_ok(&status)) {
        skip_needing(NEEDS_DEVICE, status.why);
    }
}

#endif
