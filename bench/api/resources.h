/* Resources: the memory and the threads that this process can still have. */
#ifndef BENCH_API_RESOURCES_H
#define BENCH_API_RESOURCES_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Available memory ------------------------------------------------------------------------- */

/* Available memory: how much a process may still allocate before the machine swaps or kills it. */

/* Bytes: the least of what the system has free, what this process's control groups still allow and
 * what its limit of address space (ulimit -v) leaves. UINT64_MAX where the system does not tell. */
uint64_t available_memory(void);

/* The same when `promised` bytes have been allocated that nothing has been written to: they take
 * memory only when they are first written, but have their addresses already. */
uint64_t available_memory_beside(uint64_t promised);

/* What a limit of address space leaves, given the file that says how much is in use
 * (/proc/self/statm). UINT64_MAX when `limit` is. */
uint64_t available_addresses(const char *usage, uint64_t limit);

/* What one control group still allows, given the folder that holds its files (version 2:
 * memory.max, memory.current; version 1: memory.limit_in_bytes, memory.usage_in_bytes). Page cache
 * that can be dropped counts as free. UINT64_MAX when the folder sets no limit. */
uint64_t available_in_group(const char *folder);

enum { BYTES_TEXT_SIZE = 32 };

/* "12.3 GiB", "512 B". BYTES_TEXT_SIZE holds every number. */
void bytes_text(uint64_t bytes, char *text, size_t size);

/* --- Memory before an allocation -------------------------------------------------------------- */

/* Checked before a large allocation, so that a forged header is refused with a message instead of
 * driving the machine out of memory. */

/* STATUS_SKIP "<what> needs X of memory, Y free", or "needs X, Y free" where `what` is NULL. */
Status memory_short(const char *what, uint64_t bytes, uint64_t available);

/* memory_short when `bytes` do not fit the memory that is free now. */
Status free_memory_check(const char *what, uint64_t bytes);

/* memory_short with the memory that is free now, for an allocation that failed. */
Status free_memory_short(const char *what, uint64_t bytes);

/* --- Thread team ------------------------------------------------------------------------------ */

/*
 * Thread team: how many threads can run together. OpenMP's runtime ends the program when it cannot
 * start a thread, so every parallel region says by one of these how many it takes.
 */

/* At least 1 and at most `wanted`: as many as the system lets this process have now, the calling
 * one included (ulimit -v, ulimit -u). To be called outside parallel regions. */
int thread_team_most(int wanted);

/* The same for as many as OpenMP takes by default. */
int thread_team_default(void);

/* STATUS_SKIP, with how many there can be, where `threads` cannot run together. */
Status thread_team_check(int threads);

#ifdef __cplusplus
}
#endif

#endif
