/* FNV-1a, 64 bits: identifies inputs, machines and rows. Not safe against forged inputs. */
#ifndef BENCH_API_FNV_H
#define BENCH_API_FNV_H

#include <stddef.h>
#include <stdint.h>

#define FNV_START UINT64_C(0xCBF29CE484222325)

/* Continues `hash`, which is FNV_START at first, over `size` bytes. */
static inline uint64_t fnv_bytes(uint64_t hash, const void *bytes, size_t size) {
    const uint8_t *byte = (const uint8_t *)bytes;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001B3);
    }
    return hash;
}

#endif
