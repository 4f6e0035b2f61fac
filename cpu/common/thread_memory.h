/*
 * Thread memory: working memory of a fixed size for each thread of a team. A thread's part begins
 * on a page of its own: nothing that another thread writes shares a line with it, and the system
 * can place it near the thread that touches it first.
 */
#ifndef CPU_COMMON_THREAD_MEMORY_H
#define CPU_COMMON_THREAD_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

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
