/* Work on much memory, divided over the processors. */

#ifndef BENCH_BASE_CHUNKS_H
#define BENCH_BASE_CHUNKS_H

#include <stddef.h>

#define CHUNK_BYTES ((size_t)1 << 20)

/* Calls `work` for the bytes `from` … `to` of each chunk of CHUNK_BYTES of `size` bytes; the last
 * chunk may be shorter. Chunks are worked on in any order and at the same time, by threads that end
 * before this returns. Little memory, or a process that can start no thread, is the calling
 * thread's alone. */
void chunks_each(size_t size, void (*work)(void *context, size_t from, size_t to), void *context);

#endif
