/* Available memory: how much a process may still allocate before the machine swaps or kills it. */
#ifndef BENCH_API_AVAILABLE_MEMORY_H
#define BENCH_API_AVAILABLE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* "12.3 GiB": for messages. */
void format_bytes(uint64_t bytes, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
