/*
 * A store to memory that is not in the cache first reads the line it will overwrite, unless it
 * bypasses the cache. Bypassing saves that third of the traffic, and costs time where the copy
 * would have stayed in the cache. Measured on one thread of a Zen 4 server with 32 MiB of
 * last-level cache, read + write: 8K 39 GB/s through the cache (memcpy), 50 GB/s past it; 4K 80 and
 * 57 GB/s.
 */
#include "copy_rows.h"

#include <string.h>

#include "cpu_cache.h"
#include "cpu_features.h"

bool copy_should_stream(const Image *image) {
    return image_pixel_count(image) > cpu_last_level_cache_bytes() / 2;
}

#if CPU_HAS_X86_64

#include <immintrin.h>

enum { LINE = 64 };

/* Both take whole lines; `to` is aligned to a line. */
static void stream_lines_sse2(uint8_t *to, const uint8_t *from, size_t bytes) {
    for (size_t i = 0; i < bytes; i += LINE) {
        for (size_t part = 0; part < LINE; part += sizeof(__m128i)) {
            const __m128i vector = _mm_loadu_si128((const __m128i *)(from + i + part));
            _mm_stream_si128((__m128i *)(to + i + part), vector);
        }
    }
}

__attribute__((target("avx2"))) static void stream_lines_avx2(uint8_t *to, const uint8_t *from,
                                                              size_t bytes) {
    for (size_t i = 0; i < bytes; i += LINE) {
        const __m256i low = _mm256_loadu_si256((const __m256i *)(from + i));
        const __m256i high = _mm256_loadu_si256((const __m256i *)(from + i + sizeof(__m256i)));
        _mm256_stream_si256((__m256i *)(to + i), low);
        _mm256_stream_si256((__m256i *)(to + i + sizeof(__m256i)), high);
    }
}

static void stream_bytes(uint8_t *to, const uint8_t *from, size_t bytes) {
    const size_t misaligned = (size_t)((uintptr_t)to % LINE);
    size_t head = misaligned == 0 ? 0 : LINE - misaligned;
    head = head < bytes ? head : bytes;
    memcpy(to, from, head);
    const size_t lines = (bytes - head) / LINE * LINE;
    if (cpu_has_avx2()) {
        stream_lines_avx2(to + head, from + head, lines);
    } else {
        stream_lines_sse2(to + head, from + head, lines);
    }
    memcpy(to + head + lines, from + head + lines, bytes - head - lines);
}

/* Bypassing stores are not ordered with others: the copy has to be there when run() returns. */
static void finish_streaming(void) {
    _mm_sfence();
}

#else

static void stream_bytes(uint8_t *to, const uint8_t *from, size_t bytes) {
    memcpy(to, from, bytes);
}

static void finish_streaming(void) {
}

#endif

static void copy_bytes(uint8_t *to, const uint8_t *from, size_t bytes, bool stream) {
    if (stream) {
        stream_bytes(to, from, bytes);
    } else {
        memcpy(to, from, bytes);
    }
}

void copy_rows(const Image *image, int32_t first, int32_t last, uint8_t *copy, bool stream) {
    const size_t width = (size_t)image->width;
    if (first >= last) {
        return;
    }
    uint8_t *to = copy + (size_t)first * width;
    if (image->stride == width) {
        copy_bytes(to, image_row(image, first), (size_t)(last - first) * width, stream);
    } else {
        for (int32_t y = first; y < last; ++y) {
            copy_bytes(to, image_row(image, y), width, stream);
            to += width;
        }
    }
    if (stream) {
        finish_streaming();
    }
}
