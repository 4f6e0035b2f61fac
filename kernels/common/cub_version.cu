#include <cub/version.cuh>

#include <stdio.h>

#include "cub_peer.h"

const char *cub_version(const void *state) {
    static char text[32];
    (void)state;
    snprintf(text, sizeof text, "%d.%d.%d", CUB_MAJOR_VERSION, CUB_MINOR_VERSION,
             CUB_SUBMINOR_VERSION);
    return text;
}
