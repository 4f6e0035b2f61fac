#include "digest.h"

#include <string.h>

/* One step of a lane; for a given word different lanes stay different. */
static uint64_t digest_step(uint64_t lane, uint64_t word) {
    lane = (lane ^ word) * 0x9e3779b97f4a7c15U;
    return lane ^ lane >> 29;
}

/* Four lanes, so that much is read at the speed of memory. */
uint64_t digest_bytes(const void *data, size_t size) {
    enum { LANES = 4 };
    uint64_t lanes[LANES] = {1, 2, 3, 4};
    const uint8_t *bytes = data;
    size_t left = size;
    for (; left >= sizeof lanes; left -= sizeof lanes, bytes += sizeof lanes) {
        uint64_t words[LANES];
        memcpy(words, bytes, sizeof words);
        for (size_t i = 0; i < LANES; i++) {
            lanes[i] = digest_step(lanes[i], words[i]);
        }
    }
    uint64_t digest = size;
    for (; left > 0; left--) {
        digest = digest_step(digest, *bytes++);
    }
    for (size_t i = 0; i < LANES; i++) {
        digest = digest_step(digest, lanes[i]);
    }
    return digest;
}
