/*
 * Processor features, queried at run time so that one binary uses what each machine has.
 *
 * Code for a feature is compiled with a target attribute, whatever the compiler's flags, and called
 * only where the function here returns true. On processors other than x86-64 all return false.
 */
#ifndef CPU_COMMON_CPU_FEATURES_H
#define CPU_COMMON_CPU_FEATURES_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define CPU_HAS_X86_64 1
#else
#define CPU_HAS_X86_64 0
#endif

/* 256-bit integer vectors, and the bit instructions that came with them. */
static inline bool cpu_has_avx2(void) {
#if CPU_HAS_X86_64
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

/* 256-bit vectors of numbers with multiply-add. */
static inline bool cpu_has_avx2_and_fma(void) {
#if CPU_HAS_X86_64
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

/* 512-bit vectors of numbers. */
static inline bool cpu_has_avx512(void) {
#if CPU_HAS_X86_64
    return __builtin_cpu_supports("avx512f");
#else
    return false;
#endif
}

/* 512-bit vectors of bytes with masks, and instructions on their bits: permutation and compression
 * of bytes, population count, 8×8 bit matrices. */
static inline bool cpu_has_avx512_bytes_and_bits(void) {
#if CPU_HAS_X86_64
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
           __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("gfni") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}

/* The same, with dot products of bytes, and population counts of bytes and 16-bit numbers. */
static inline bool cpu_has_avx512_dot_products(void) {
#if CPU_HAS_X86_64
    return cpu_has_avx512_bytes_and_bits() && __builtin_cpu_supports("avx512vnni") &&
           __builtin_cpu_supports("avx512bitalg");
#else
    return false;
#endif
}

/* Of kernels that run on any processor. */
static inline bool cpu_any(void) {
    return true;
}

/* Defines `list`, kernels from the most to the least demanding, and `best`, which returns the first
 * that this processor can run. The last must run on any. */
#define CPU_KERNELS(Kernel, list, best, ...)                                                       \
    const Kernel *const list[] = {__VA_ARGS__, NULL};                                              \
    const Kernel *best(void) {                                                                     \
        const Kernel *const *kernel = list;                                                        \
        while (!(*kernel)->supported()) {                                                          \
            kernel++;                                                                              \
        }                                                                                          \
        return *kernel;                                                                            \
    }

#endif
