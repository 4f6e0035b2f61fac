/* Size of the cache that decides whether stores should bypass it. */
#ifndef CPU_COMMON_CPU_CACHE_H
#define CPU_COMMON_CPU_CACHE_H

#include <stddef.h>

/* Bytes of the last-level cache that one processor can fill; a usual size where the system does not
 * tell. */
size_t cpu_last_level_cache_bytes(void);

#endif
