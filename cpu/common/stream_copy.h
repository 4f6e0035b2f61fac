/* Copies whose stores bypass the cache: for targets that do not fit it. */
#ifndef CPU_COMMON_STREAM_COPY_H
#define CPU_COMMON_STREAM_COPY_H

#include <stddef.h>
#include <stdint.h>

/* Copies `bytes` bytes that do not overlap, at any alignment. */
void stream_copy(uint8_t *to, const uint8_t *from, size_t bytes);

/* Bypassing stores are not ordered with others: what was copied is there for other threads, and
 * for a clock, when this returns. */
void stream_copy_finish(void);

#endif
