/*
 * Instructions that the kernels write as inline PTX: translate.py turns each into a call of the
 * function of its name, operands in their order. Part of device.h.
 */
#ifndef TESTS_EMULATION_PTX_H
#define TESTS_EMULATION_PTX_H

namespace ptx {

/* === Registers =============================================================================== */

inline uint32_t laneid() {
    return emulated::lane;
}
/* A clock that goes on whenever it is read: what waits in vain ends. */
inline uint64_t globaltimer() {
    static uint64_t now;
    return now += 1000;
}
inline uint32_t lanemask_lt() {
    return (1U << emulated::lane) - 1;
}
inline void mov_u32(uint32_t &d, uint32_t a) {
    d = a;
}
inline void mov_u64(unsigned long long &d, uint64_t a) {
    d = a;
}
inline void mov_s32(int32_t &d, int32_t a) {
    d = a;
}
inline void mov_f32(float &d, float a) {
    d = a;
}

/* By all lanes of the mask; `there` where there is a lane so far below. */
template <typename T>
void shfl_sync_up_b32(T &d, bool &there, T a, int by, int first, unsigned int mask) {
    there = (int)emulated::lane - by >= first;
    d = __shfl_up_sync(mask, a, (unsigned int)by);
}

/* === Integers ================================================================================= */

/* Bit i of the table is the result where a, b and c have the bits of i. */
inline void lop3_b32(uint32_t &d, uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
    uint32_t result = 0;
    for (int i = 0; i < 8; i++) {
        if ((table >> i & 1) != 0) {
            result |= ((i & 4) != 0 ? a : ~a) & ((i & 2) != 0 ? b : ~b) & ((i & 1) != 0 ? c : ~c);
        }
    }
    d = result;
}
inline void and_b32(uint32_t &d, uint32_t a, uint32_t b) {
    d = a & b;
}
inline void mad_lo_u32(uint32_t &d, uint32_t a, uint32_t b, uint32_t c) {
    d = a * b + c;
}
inline void add_s32(int32_t &d, int32_t a, int32_t b) {
    d = (int32_t)((uint32_t)a + (uint32_t)b);
}
inline void max_s32(int32_t &d, int32_t a, int32_t b) {
    d = a < b ? b : a;
}
inline void min_s32(int32_t &d, int32_t a, int32_t b) {
    d = b < a ? b : a;
}
inline void setp_ne_u32(bool &p, uint32_t a, uint32_t b) {
    p = a != b;
}

/* Two signed halves of `a` by two bytes of `b`, added to c. */
inline int dp2a(uint32_t a, uint32_t b, int c) {
    return c + (int16_t)a * (int)(b & 0xFF) + (int16_t)(a >> 16) * (int)(b >> 8 & 0xFF);
}
inline void dp2a_lo_s32_u32(int &d, uint32_t a, uint32_t b, int c) {
    d = dp2a(a, b, c);
}
inline void dp2a_hi_s32_u32(int &d, uint32_t a, uint32_t b, int c) {
    d = dp2a(a, b >> 16, c);
}

inline void ld_acquire_gpu_global_u64(unsigned long long &d, const unsigned long long *at) {
    emulated::let_others_run();
    d = *at;
}
inline void st_release_gpu_global_u64(unsigned long long *at, unsigned long long value) {
    *at = value;
    emulated::let_others_run();
}
inline void ld_acquire_sys_global_u64(unsigned long long &d, const unsigned long long *at) {
    ld_acquire_gpu_global_u64(d, at);
}
inline void st_release_sys_global_u64(unsigned long long *at, unsigned long long value) {
    st_release_gpu_global_u64(at, value);
}

inline void red_shared_add_u32(uint32_t address, uint32_t value) {
    *(uint32_t *)(size_t)address += value;
}

/* === Floating point =========================================================================== */

inline void add_f32(float &d, float a, float b) {
    d = a + b;
}
inline void rcp_approx_ftz_f32(float &d, float a) {
    d = 1.0F / a;
}
inline void rsqrt_approx_ftz_f32(float &d, float a) {
    d = 1.0F / sqrtf(a);
}

/* === Textures ================================================================================= */

/* The four texels whose middles are around (x, y), from the lower left one on, against the clock.
 */
inline void tld4_r_2d_v4_u32_f32(uint32_t &lower_left, uint32_t &lower_right, uint32_t &upper_right,
                                 uint32_t &upper_left, cudaTextureObject_t texture, float x,
                                 float y) {
    const long left = (long)floorf(x - 0.5F);
    const long top = (long)floorf(y - 0.5F);
    upper_left = emulated::texel<uint8_t>(texture, left, top);
    upper_right = emulated::texel<uint8_t>(texture, left + 1, top);
    lower_left = emulated::texel<uint8_t>(texture, left, top + 1);
    lower_right = emulated::texel<uint8_t>(texture, left + 1, top + 1);
}

/* === Matrices ================================================================================= */

/* In the words of the PTX manual: lane l has the group g = l / 4 and the place t = l % 4 in it. */

/* Lane l names row l % 8 of matrix l / 8; it gets the words t of row g of all four. */
inline void ldmatrix_sync_aligned_m8n8_x4_shared_b16(uint32_t &first, uint32_t &second,
                                                     uint32_t &third, uint32_t &fourth,
                                                     uint32_t address) {
    uint32_t *const words[] = {&first, &second, &third, &fourth};
    const int group = (int)emulated::lane / 4;
    const int place = (int)emulated::lane % 4;
    emulated::among_lanes(UINT_MAX, address, [&](emulated::Lanes<uint32_t> rows) {
        for (int matrix = 0; matrix < 4; matrix++) {
            *words[matrix] = ((const uint32_t *)(size_t)rows[matrix * 8 + group])[place];
        }
        return 0;
    });
}

template <typename Word> struct Fragments { Word a[4], b[2]; };

/* Adds the products of rows g and g + 8 of A with columns 2t and 2t + 1 of B to `sums`: product(a,
 * b) is that of two words. Lanes show where theirs are, which stay there while all wait. */
template <typename Sum, typename Word, typename Product>
void multiply(Sum *const (&sums)[4], const Fragments<Word> &own, const Product &product) {
    const int group = (int)emulated::lane / 4;
    const int place = (int)emulated::lane % 4;
    emulated::among_lanes(UINT_MAX, &own, [&](emulated::Lanes<const Fragments<Word> *> all) {
        for (int i = 0; i < 4; i++) {
            const int column = 2 * place + i % 2;
            for (int half = 0; half < 2; half++) { /* of the inner dimension */
                for (int t = 0; t < 4; t++) {
                    const Word &a = all[group * 4 + t]->a[i / 2 + 2 * half];
                    *sums[i] += product(a, all[column * 4 + t]->b[half]);
                }
            }
        }
        return 0;
    });
}

template <int VALUES, typename Value> struct Values { Value of[VALUES]; };

/* Of words of VALUES values; element(word, i) is one of them. Each lane takes its own words apart,
 * once for all lanes that multiply by them. */
template <int VALUES, typename Sum, typename Element>
void multiply_values(Sum *const (&sums)[4], const Fragments<uint32_t> &own,
                     const Element &element) {
    Fragments<Values<VALUES, Sum>> apart;
    for (int i = 0; i < VALUES; i++) {
        for (int word = 0; word < 4; word++) {
            apart.a[word].of[i] = element(own.a[word], i);
        }
        for (int word = 0; word < 2; word++) {
            apart.b[word].of[i] = element(own.b[word], i);
        }
    }
    multiply(sums, apart, [](const Values<VALUES, Sum> &a, const Values<VALUES, Sum> &b) {
        Sum sum = 0;
        for (int i = 0; i < VALUES; i++) {
            sum += a.of[i] * b.of[i];
        }
        return sum;
    });
}

inline void mma_sync_aligned_m16n8k32_row_col_s32_s8_s8_s32(int &d0, int &d1, int &d2, int &d3,
                                                            uint32_t a0, uint32_t a1, uint32_t a2,
                                                            uint32_t a3, uint32_t b0, uint32_t b1,
                                                            int, int, int, int) {
    int *const sums[] = {&d0, &d1, &d2, &d3};
    multiply_values<4>(sums, {{a0, a1, a2, a3}, {b0, b1}},
                       [](uint32_t word, int i) { return (int)(int8_t)(word >> (8 * i)); });
}

inline void mma_sync_aligned_m16n8k16_row_col_s32_s8_s8_s32(int &d0, int &d1, int &d2, int &d3,
                                                            uint32_t a0, uint32_t a1, uint32_t b,
                                                            int, int, int, int) {
    mma_sync_aligned_m16n8k32_row_col_s32_s8_s8_s32(d0, d1, d2, d3, a0, a1, 0, 0, b, 0, 0, 0, 0, 0);
}

inline void mma_sync_aligned_m16n8k256_row_col_s32_b1_b1_s32_and_popc(
    int &d0, int &d1, int &d2, int &d3, uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3,
    uint32_t b0, uint32_t b1, int, int, int, int) {
    int *const sums[] = {&d0, &d1, &d2, &d3};
    multiply(sums, Fragments<uint32_t>{{a0, a1, a2, a3}, {b0, b1}},
             [](uint32_t a, uint32_t b) { return __builtin_popcount(a & b); });
}
inline void mma_sync_aligned_m16n8k256_row_col_s32_b1_b1_s32_xor_popc(
    uint32_t &d0, uint32_t &d1, uint32_t &d2, uint32_t &d3, uint32_t a0, uint32_t a1, uint32_t a2,
    uint32_t a3, uint32_t b0, uint32_t b1, uint32_t, uint32_t, uint32_t, uint32_t) {
    uint32_t *const sums[] = {&d0, &d1, &d2, &d3};
    multiply(sums, Fragments<uint32_t>{{a0, a1, a2, a3}, {b0, b1}},
             [](uint32_t a, uint32_t b) { return (uint32_t)__builtin_popcount(a ^ b); });
}

/* Of the lower 16 bits. The compiler's own is a function of its library, in which the emulation of
 * hashsift spent half of its time. */
inline float float_of_half(uint32_t half) {
    const uint32_t magnitude = (half & 0x7FFF) << 13;
    const float scaled =
        emulated::same_bits<float>(magnitude) * 0x1p112F; /* another exponent's bias */
    const uint32_t special = (half & 0x7C00) == 0x7C00 ? 0x7F800000U : 0U;
    return emulated::same_bits<float>(emulated::same_bits<uint32_t>(scaled) | special |
                                      (half & 0x8000) << 16);
}

inline void mma_sync_aligned_m16n8k16_row_col_f32_f16_f16_f32(float &d0, float &d1, float &d2,
                                                              float &d3, uint32_t a0, uint32_t a1,
                                                              uint32_t a2, uint32_t a3, uint32_t b0,
                                                              uint32_t b1, float, float, float,
                                                              float) {
    float *const sums[] = {&d0, &d1, &d2, &d3};
    multiply_values<2>(sums, {{a0, a1, a2, a3}, {b0, b1}},
                       [](uint32_t word, int i) { return float_of_half(word >> (16 * i)); });
}

} // namespace ptx

#endif
