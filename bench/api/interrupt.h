/*
 * Interrupt: SIGINT and SIGTERM, for the whole process.
 *
 * The first signal sets a flag, which loops look at between pieces of work. Work that has not come
 * to an end soon after is abandoned where it is: a thread that does nothing else ends the process,
 * so that no variant, generator or decoder has to look at the flag. A second signal ends the
 * process at once. Whoever writes down results holds the process meanwhile, and whoever makes
 * temporary files or a child tells of them here, so that neither is left behind.
 */
#ifndef BENCH_API_INTERRUPT_H
#define BENCH_API_INTERRUPT_H

#include <stdbool.h>
#include <sys/types.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { INTERRUPT_EXIT_CODE = 130 };

/* Clears the flag and catches both signals. The second one ends the process with
 * INTERRUPT_EXIT_CODE; those within a fifth of a second of the first count as the same. */
void interrupt_watch(void);

/* Starts the thread that ends the process with INTERRUPT_EXIT_CODE within a second of the first
 * signal, having given `say` the last words: "interrupted", or what interrupt_on_abandon's function
 * returns. Without a thread the work is waited for. Once a process. */
void interrupt_guard(int (*say)(const Status *status));

bool interrupt_requested(void);
/* The signal, for passing it on; 0 where it has reached the children too, as those of a terminal
 * do. */
int interrupt_signal(void);

/* From hold to release the process is not ended by the first signal. Work that was abandoned stops
 * here for good: nothing is written behind the back of what is written at the end. They may be
 * nested, and are for the main thread. */
void interrupt_hold(void);
void interrupt_release(void);

/* What the guard calls where what the abandoned work has finished can still be written down; NULL
 * takes it back. */
void interrupt_on_abandon(Status (*finish)(void *context), void *context);

/* A file that is removed when the process ends early, if it is there by then: one that was renamed
 * or removed meanwhile is forgotten. More than a few at a time are not remembered. */
void interrupt_note_temporary(const char *path);

/* A child that is sent this signal when the process ends early, and waited for if that is SIGKILL;
 * 0: none. */
void interrupt_note_child(pid_t child, int signal_number);

#ifdef __cplusplus
}
#endif

#endif
