/* Memory that code which is not trusted must not look at. */

#ifndef BENCH_BASE_SEALED_H
#define BENCH_BASE_SEALED_H

#include <stddef.h>

/* Closes whole pages that are the caller's: from now on reading or writing there ends the process,
 * where a supervisor is with the words `why`. Without room for one more block nothing is closed. */
void seal(void *memory, size_t bytes, const char *why);

/* For the harness itself: opens such a block for a while, and closes it again. Both do nothing to
 * other memory. */
void seal_lift(const void *memory);
void seal_lower(const void *memory);

/* Opens it for good, before it is released. Does nothing to other memory. */
void seal_break(const void *memory);

/* Has the process say what was read where a seal is broken by force. Once, before signals are
 * watched. */
void seal_watch(void);

#endif
