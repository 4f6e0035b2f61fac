/* The caches of this processor, level by level, and the memory behind them. */
#ifndef CPU_ROOF_LEVELS_H
#define CPU_ROOF_LEVELS_H

#include <stddef.h>

/* One cache of the processor. */
typedef struct CpuLevel {
    size_t bytes; /* 0: there is no such level */
    int sharing;  /* logical processors that share it, ≥ 1 */
} CpuLevel;

typedef struct CpuLevels {
    CpuLevel l1, l2, llc; /* llc: the last level behind the second */
} CpuLevels;

/* What the system tells of the first processor; usual sizes where it does not. */
CpuLevels cpu_levels_read(void);

/* How many processors a list such as "0-7,16,18-19" names; 0 when it is none. */
int cpu_list_count(const char *list);

/*
 * Bytes, read and written together, that each of `threads` threads copies to measure a level: half
 * of its share, so that what the threads have besides stays in the cache as well. A last level is
 * given more where half of it would fit the level before.
 */
size_t cpu_level_set(const CpuLevels *levels, const CpuLevel *level, int threads);

/* The same for memory: four times the last-level caches that the threads can fill, in all no more
 * than a quarter of `available` bytes. */
size_t cpu_memory_set(const CpuLevels *levels, int threads, double available);

#endif
