#include "digest.h"

#include <stdatomic.h>
#include <string.h>

#include "chunks.h"

/* One step of a lane; for a given word different lanes stay different. */
static uint64_t digest_step(uint64_t lane, uint64_t word) {
    lane = (lane ^ word) * 0x9e3779b97f4a7c15U;
    return lane ^ lane >> 29;
}

/* Four lanes, so that much is read at the speed of memory. */
static uint64_t digest_chunk(const uint8_t *bytes, size_t size) {
    enum { LANES = 4 };
    uint64_t lanes[LANES] = {1, 2, 3, 4};
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

typedef struct Digest {
    const uint8_t *bytes;
    _Atomic uint64_t sum;
} Digest;

/* Each place has a share of its own in the sum, whichever chunk is added first. */
static void add_chunk(void *context, size_t from, size_t to) {
    Digest *digest = context;
    const uint64_t of_chunk = digest_chunk(digest->bytes + from, to - from);
    atomic_fetch_add(&digest->sum, digest_step(of_chunk, digest_step(from, of_chunk)));
}

uint64_t digest_bytes(const void *data, size_t size) {
    Digest digest = {.bytes = data};
    if (size <= CHUNK_BYTES) {
        return digest_chunk(data, size);
    }
    chunks_each(size, add_chunk, &digest);
    return digest_step(digest.sum, size);
}
