/* Work on much memory by several threads, and digests of it. */
#include <stdatomic.h>

#include "chunks.h"
#include "digest.h"
#include "test.h"

typedef struct Seen {
    atomic_uchar *times; /* of each 4 KiB */
    atomic_size_t calls, most;
} Seen;

enum { PAGE = 4096 };

static void see(void *context, size_t from, size_t to) {
    Seen *seen = context;
    seen->calls++;
    for (size_t i = from; i < to; i += PAGE) {
        seen->times[i / PAGE]++;
    }
    size_t most = seen->most;
    while (to - from > most && !atomic_compare_exchange_weak(&seen->most, &most, to - from)) {
    }
}

TEST(each_byte_is_in_one_chunk) {
    const size_t sizes[] = {
        0, 1, CHUNK_BYTES, CHUNK_BYTES + 1, 40 * CHUNK_BYTES, 41 * CHUNK_BYTES - 5};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const size_t pages = (sizes[i] + PAGE - 1) / PAGE;
        Seen seen = {.times = calloc(pages + 1, 1)};
        chunks_each(sizes[i], see, &seen);
        assert_int_equal(seen.calls, (sizes[i] + CHUNK_BYTES - 1) / CHUNK_BYTES);
        assert_true(seen.most <= CHUNK_BYTES);
        for (size_t page = 0; page < pages; page++) {
            assert_int_equal(seen.times[page], 1);
        }
        assert_int_equal(seen.times[pages], 0);
        free(seen.times);
    }
}

/* One byte, two chunks that are exchanged, and what is behind the end: each is another digest. */
TEST(a_digest_tells_every_byte_and_place) {
    const size_t size = 24 * CHUNK_BYTES + 3;
    uint8_t *bytes = malloc(size + 1);
    for (size_t i = 0; i <= size; i++) {
        bytes[i] = (uint8_t)(i >> 20 ^ i);
    }
    const uint64_t digest = digest_bytes(bytes, size);
    for (int again = 0; again < 20; again++) {
        assert_true(digest_bytes(bytes, size) == digest);
    }
    const size_t places[] = {0, 5 * CHUNK_BYTES - 1, 5 * CHUNK_BYTES, size - 1};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        bytes[places[i]] ^= 1;
        assert_true(digest_bytes(bytes, size) != digest);
        bytes[places[i]] ^= 1;
    }
    uint8_t *kept = malloc(CHUNK_BYTES);
    memcpy(kept, bytes, CHUNK_BYTES);
    memcpy(bytes, bytes + CHUNK_BYTES, CHUNK_BYTES);
    memcpy(bytes + CHUNK_BYTES, kept, CHUNK_BYTES);
    assert_true(digest_bytes(bytes, size) != digest);
    memcpy(bytes + CHUNK_BYTES, bytes, CHUNK_BYTES);
    memcpy(bytes, kept, CHUNK_BYTES);
    assert_true(digest_bytes(bytes, size) == digest);
    assert_true(digest_bytes(bytes, size + 1) != digest && digest_bytes(bytes, size - 1) != digest);
    free(kept);
    free(bytes);
}
