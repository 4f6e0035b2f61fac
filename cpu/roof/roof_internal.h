/* What ceilings of the processor are measured with: sizes of caches, and loops. */
#ifndef CPU_ROOF_INTERNAL_H
#define CPU_ROOF_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* === Levels of the cache ====================================================================== */

/* The caches of this processor, level by level, and the memory behind them. */

/* One cache of the processor. */
typedef struct CpuLevel {
    size_t bytes; /* 0: there is no such level */
    int sharing;  /* logical processors that share it, ≥ 1 */
} CpuLevel;

typedef struct CpuLevels {
    CpuLevel l1, l2, llc; /* llc: the last level behind the second */
} CpuLevels;

/* What the system reports of the first processor; usual sizes where it does not. */
CpuLevels cpu_levels_read(void);

/* How many processors a list such as "0-7,16,18-19" names; 0 when it is none. */
int cpu_list_count(const char *list);

enum { CPU_LEVEL_SETS = 2 };

/*
 * Bytes, read and written together, that each of `threads` threads copies to measure a level: half
 * of its share, so that what the threads have besides stays in the cache as well. A last level is
 * given more where half of it would fit the level before. Other programs and guests of a host share
 * it too, and half of it may not be left: a second set just does not fit the level before. Returns
 * their number; the largest is the first.
 */
size_t cpu_level_sets(const CpuLevels *levels, const CpuLevel *level, int threads,
                      size_t sets[CPU_LEVEL_SETS]);

/* The same for memory: four times the last-level caches that the threads can fill, in all no more
 * than a quarter of `available` bytes. */
size_t cpu_memory_set(const CpuLevels *levels, int threads, double available);

/* === Loops ==================================================================================== */

/*
 * The loops that ceilings are measured with, once for each instruction set.
 *
 * Operations are counted on 32-bit elements: a multiply-add is two, an addition is one. Loops over
 * registers alone, with so many independent results that none has to wait for another.
 */

enum { ROOF_LINE = 64 };

typedef struct RoofKernels {
    const char *name;
    bool (*supported)(void);
    double operations_fp32, operations_int32; /* of one round */

    /* Copies whole lines; both addresses are aligned to a line. */
    void (*copy)(uint8_t *to, const uint8_t *from, size_t bytes);
    /* The results are returned so that no compiler leaves the work out. */
    float (*fp32)(size_t rounds);
    uint32_t (*int32)(size_t rounds);
} RoofKernels;

extern const RoofKernels roof_kernels_avx512, roof_kernels_avx2, roof_kernels_plain;

/* NULL-terminated, the best first; the last is always supported. */
extern const RoofKernels *const roof_kernel_sets[];

/* The best that this processor has. */
const RoofKernels *roof_kernels_best(void);

#endif
