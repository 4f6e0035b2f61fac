/* Resources: how much memory and how many threads this process can still get. */
#ifndef BENCH_API_RESOURCES_H
#define BENCH_API_RESOURCES_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Control groups --------------------------------------------------------------------------- */

/* The folders in which the system says what the groups of this process may use. */

enum { CONTROL_GROUPS_MAX = 32 };

typedef struct ControlGroups {
    char *folders[CONTROL_GROUPS_MAX]; /* owned */
    size_t count;
} ControlGroups;

/*
 * Finds the folder of the group that this process is in, and behind it those of the groups around
 * it, as far as they can be seen: in the one hierarchy of version 2, and in that of the controller
 * ("cpu", "memory") in version 1. Limits of all of them hold. A folder need not exist: a container
 * may see its own group at the root. `root` is in front of /proc and /sys. Without memory some are
 * missing.
 */
void control_groups_find(const char *root, const char *controller, ControlGroups *groups);

void control_groups_release(ControlGroups *groups);

/* --- Available memory ------------------------------------------------------------------------- */

/* Bytes that this process can still allocate before the machine swaps or kills it: the least of the
 * system's free memory, the rest of its control groups' limits, of its address space (ulimit -v)
 * and of its data (ulimit -d). UINT64_MAX when unknown. */
uint64_t available_memory(void);

/* The same when `promised` bytes are allocated but not yet written to: they use address space but
 * no memory yet. */
uint64_t available_memory_beside(uint64_t promised);

/* The rest of a limit of address space, or of data, which does not count mapped files; `usage` is
 * the file with the sizes in use (/proc/self/statm). UINT64_MAX when `limit` is. */
uint64_t available_addresses(const char *usage, uint64_t limit);
uint64_t available_data(const char *usage, uint64_t limit);

/* The rest of one control group's limit; `folder` holds its files (version 2: memory.max,
 * memory.current; version 1: memory.limit_in_bytes, memory.usage_in_bytes). Page cache that can be
 * dropped counts as free. UINT64_MAX when the group has no limit. */
uint64_t available_in_group(const char *folder);

enum { BYTES_TEXT_SIZE = 32 };

/* "12.3 GiB", "512 B". BYTES_TEXT_SIZE holds every number. */
void bytes_text(uint64_t bytes, char *text, size_t size);

/* --- Memory in use ---------------------------------------------------------------------------- */

/* The most memory that this process has had at once since the last reset, or since its start where
 * the system cannot reset it: bytes in pages of its own and in those of mapped files that it has
 * touched, which the system takes back when others need them. 0 when unknown. */
uint64_t peak_memory(void);
void peak_memory_reset(void);

/* --- Memory before an allocation -------------------------------------------------------------- */

/* Checked before a large allocation, so that a forged header is refused with a message instead of
 * driving the machine out of memory. */

/* STATUS_SKIP "needs X, Y free". */
Status memory_short(uint64_t needed, uint64_t available);

/* STATUS_SKIP "<what> needs X of memory, Y free" when `bytes` do not fit the memory that is free
 * now.
 */
Status free_memory_check(const char *what, uint64_t bytes);

/* The same message, for an allocation that failed. */
Status free_memory_short(const char *what, uint64_t bytes);

/* --- Stacks: thread_team.c -------------------------------------------------------------------- */

/* Bytes of stack that the program's main thread and each other thread need. */
enum { STACK_LEAST = 128 << 10 };

/* Raises the limit of the main thread's stack to STACK_LEAST where it is lower. STATUS_SKIP, which
 * says what to change, where that is not allowed. */
Status stack_check(void);

/* --- Thread team: thread_team.c --------------------------------------------------------------- */

/*
 * How many threads can run together. OpenMP's runtime ends the program when it cannot start a
 * thread, so every parallel region gets its number of threads from one of these. Threads are
 * started to find out, with stacks of the size that OpenMP gives them, and a region is run to see
 * how many of them OpenMP uses. Call them outside parallel regions.
 */

/* STATUS_SKIP, which says what to change, when OpenMP's settings of stacks (OMP_STACKSIZE) allow no
 * second thread, or one with less than STACK_LEAST. Switches OMP_DYNAMIC off: a region gets the
 * threads that it asks for. */
Status thread_team_prepare(void);

/* The number of threads that this process can run now, the calling one included, from 1 to `wanted`
 * (ulimit -v, ulimit -u, OMP_THREAD_LIMIT). What has run together once is taken for granted. */
int thread_team_most(int wanted);

/* The same with OpenMP's default as `wanted`. */
int thread_team_default(void);

/* STATUS_SKIP when `threads` do not run together now; the message says how many do, and why. */
Status thread_team_check(int threads);

/* Ends the threads that OpenMP keeps for its next region, which would start them again. */
void thread_team_release(void);

#ifdef __cplusplus
}
#endif

#endif
