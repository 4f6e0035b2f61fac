#include "stream_copy.h"

#include <string.h>

#include "cpu_features.h"

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

void stream_copy(uint8_t *to, const uint8_t *from, size_t bytes) {
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

void stream_copy_finish(void) {
    _mm_sfence();
}

#else

void stream_copy(uint8_t *to, const uint8_t *from, size_t bytes) {
    memcpy(to, from, bytes);
}

void stream_copy_finish(void) {
}

#endif
