/* Whether there is a device to test on. */
#ifndef TESTS_KERNELS_DEVICE_H
#define TESTS_KERNELS_DEVICE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend.h"

/* Says why when it returns true. */
static inline bool no_device(void) {
    char description[STATUS_WHY_SIZE];
    const Status status = cuda_backend.probe(description, sizeof description);
    if (!status_is_ok(&status)) {
        print_message("skipped: %s\n", status.why);
    }
    return !status_is_ok(&status);
}

#endif
