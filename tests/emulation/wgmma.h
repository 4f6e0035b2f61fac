/*
 * What kernels/common/wgmma.cuh does, by each warp for its own rows.
 * Part of device.h.
 */
#ifndef TESTS_EMULATION_WGMMA_H
#define TESTS_EMULATION_WGMMA_H

#include "device.h"

enum { WGMMA_COLUMNS = 128, WGMMA_SUMS = 64 };

#define WGMMA_IS_HERE 1

inline uint64_t wgmma_operand(const uint4 (&columns)[2][WGMMA_COLUMNS]) {
    return (uint64_t)(size_t)columns;
}

inline void wgmma_wrote_operands() {
}

template <int STEPS> inline void wgmma_begin(uint32_t (&)[STEPS][4]) {
}

template <bool first, typename Product>
inline void wgmma_multiply(uint32_t (&sums)[WGMMA_SUMS], const uint32_t (&a)[4], uint64_t b,
                           const Product &product) {
    const auto &columns = *(const uint4(*)[2][WGMMA_COLUMNS])(size_t)b;
    const int group = (int)emulated::lane / 4;
    const int place = (int)emulated::lane % 4;
    for (int i = 0; i < WGMMA_SUMS; i += 4) {
        int products[4] = {0, 0, 0, 0};
        int *const four[] = {&products[0], &products[1], &products[2], &products[3]};
        uint32_t words[2];
        for (int half = 0; half < 2; half++) {
            words[half] = ((const uint32_t *)&columns[half][2 * i + group])[place];
        }
        ptx::multiply(four,
                      ptx::Fragments<uint32_t>{{a[0], a[1], a[2], a[3]}, {words[0], words[1]}},
                      product);
        for (int j = 0; j < 4; j++) {
            sums[i + j] = (first ? 0 : sums[i + j]) + (uint32_t)products[j];
        }
    }
}

template <bool first>
inline void wgmma_bits(uint32_t (&sums)[WGMMA_SUMS], const uint32_t (&a)[4], uint64_t b) {
    wgmma_multiply<first>(sums, a, b,
                          [](uint32_t x, uint32_t y) { return __builtin_popcount(x & y); });
}

template <bool first>
inline void wgmma_bytes(uint32_t (&sums)[WGMMA_SUMS], const uint32_t (&a)[4], uint64_t b) {
    wgmma_multiply<first>(sums, a, b,
                          [](uint32_t x, uint32_t y) { return __dp4a((int)x, (int)y, 0); });
}

inline void wgmma_end(uint32_t (&)[WGMMA_SUMS]) {
}

#endif
