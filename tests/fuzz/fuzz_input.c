#define _GNU_SOURCE /* memfd_create */
#include "fuzz_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void require(int condition) {
    if (!condition) {
        abort();
    }
}

void require_reason(const Status *status) {
    require(status->code != STATUS_OK);
    const size_t length = strlen(status->why);
    require(length > 0 && status->why[length - 1] != '\n');
}

const char *fuzz_input_file(const uint8_t *bytes, size_t size) {
    static char path[32];
    static int file = -1;
    if (file < 0) {
        file = memfd_create("fuzzed", MFD_CLOEXEC);
        require(file >= 0);
        snprintf(path, sizeof path, "/dev/fd/%d", file);
    }
    require(ftruncate(file, 0) == 0 && pwrite(file, bytes, size, 0) == (ssize_t)size);
    return path;
}
