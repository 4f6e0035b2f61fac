#include "cpu_memory.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backend.h"
#include "cpu_features.h"

/* === The cache ================================================================================ */

/* The kernel's description of one cache of processor 0: "32768K". 0 when there is none. */
static size_t read_cache_size(int index) {
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return 0;
    }
    unsigned long long size = 0;
    char unit = '\0';
    const int fields = fscanf(file, "%llu%c", &size, &unit);
    fclose(file);
    if (fields < 1) {
        return 0;
    }
    const unsigned long long scale = unit == 'K' ? 1024 : unit == 'M' ? 1024 * 1024 : 1;
    return (size_t)(size * scale);
}

size_t cpu_last_level_cache_bytes(void) {
    size_t largest = 0;
    for (int index = 0; index < 8; index++) {
        const size_t size = read_cache_size(index);
        largest = size > largest ? size : largest;
    }
#ifdef _SC_LEVEL3_CACHE_SIZE
    if (largest == 0) {
        const long size = sysconf(_SC_LEVEL3_CACHE_SIZE);
        largest = size > 0 ? (size_t)size : 0;
    }
#endif
    const size_t usual = (size_t)32 << 20;
    return largest != 0 ? largest : usual;
}

/* === Copies past the cache ==================================================================== */

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

/* === Memory of threads ======================================================================== */

enum { PAGE_BYTES = 4096 };

static size_t round_to_pages(size_t bytes) {
    return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

Status thread_memory_open(int threads, size_t bytes, ThreadMemory *memory) {
    const size_t part_bytes = round_to_pages(bytes);
    void *allocated = NULL;
    *memory = (ThreadMemory){.allocated = NULL};
    STATUS_TRY(cpu_backend.alloc((size_t)threads * part_bytes + PAGE_BYTES, &allocated));
    const size_t to_page = round_to_pages((uintptr_t)allocated) - (uintptr_t)allocated;
    *memory = (ThreadMemory){
        .allocated = allocated,
        .parts = (uint8_t *)allocated + to_page,
        .part_bytes = part_bytes,
    };
    return status_ok();
}

void thread_memory_close(ThreadMemory *memory) {
    cpu_backend.release(memory->allocated);
    *memory = (ThreadMemory){.allocated = NULL};
}
