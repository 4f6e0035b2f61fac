/* Caches, copies that bypass them, and memory of threads. */
#ifndef CPU_COMMON_CPU_MEMORY_H
#define CPU_COMMON_CPU_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

/* === The cache ================================================================================ */

/* Size of the cache that decides whether stores should bypass it. */

/* Bytes of the last-level cache that one processor can fill; a usual size where the system does not
 * report it. */
size_t cpu_last_level_cache_bytes(void);

/* === Copies past the cache ==================================================================== */

/* Copies whose stores bypass the cache: for targets that do not fit it. */

/* Copies `bytes` bytes that do not overlap, at any alignment. */
void stream_copy(uint8_t *to, const uint8_t *from, size_t bytes);

/* Bypassing stores are not ordered with others: what was copied is there for other threads, and
 * for a clock, when this returns. */
void stream_copy_finish(void);

/* === Memory of threads ======================================================================== */

/*
 * Working memory of a fixed size for each thread of a team. A thread's part begins
 * on a page of its own: nothing that another thread writes shares a line with it, and the system
 * can place it near the thread that touches it first.
 */

typedef struct ThreadMemory {
    void *allocated;
    uint8_t *parts;
    size_t part_bytes; /* a multiple of the page size */
} ThreadMemory;

/* `bytes` for each of `threads`, from cpu_backend.alloc. STATUS_SKIP when there is not enough;
 * `*memory` is empty then. */
Status thread_memory_open(int threads, size_t bytes, ThreadMemory *memory);

/* The part of thread 0 ≤ `thread` < threads, aligned to a page. */
static inline void *thread_memory_part(const ThreadMemory *memory, int thread) {
    return memory->parts + (size_t)thread * memory->part_bytes;
}

void thread_memory_close(ThreadMemory *memory); /* empty memory is ignored */

#endif
