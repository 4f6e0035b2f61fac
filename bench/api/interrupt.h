/*
 * Interrupt: SIGINT, SIGTERM, and SIGHUP of a terminal that closes, for the whole process.
 *
 * The first signal sets a flag, which loops check between pieces of work. If the work has not
 * stopped within a second, the guard thread ends the process, so variants, generators and decoders
 * need not check the flag. A second signal ends the process at once. Code that writes results holds
 * the process meanwhile; code that creates temporary files or a child registers them here, so that
 * neither is left behind. A file that is lost while it is used ends the process in the same way.
 */
#ifndef BENCH_API_INTERRUPT_H
#define BENCH_API_INTERRUPT_H

#include <stdbool.h>
#include <sys/types.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { INTERRUPT_EXIT_CODE = 130, INTERRUPT_FILE_EXIT_CODE = 5, INTERRUPT_SIGNALS = 3 };

extern const int interrupt_signals[INTERRUPT_SIGNALS];

/* Clears the flag and installs the handlers, but for signals that are ignored. The second signal
 * ends the process with INTERRUPT_EXIT_CODE; signals within 0.2 s of the first count as the first.
 */
void interrupt_watch(void);
bool interrupt_is_ignored(int number);

/* Starts the guard: a thread that ends the process with INTERRUPT_EXIT_CODE within a second of the
 * first signal. Before, it calls `report` with "interrupted" or with the status of
 * interrupt_on_abandon's function. If no thread can be started the work runs to its end. Call it
 * once in a process. */
void interrupt_guard(int (*report)(const Status *status));

bool interrupt_requested(void);
/* The signal, to be sent to a child; 0: children have received it too, as a terminal's signals. */
int interrupt_signal(void);

/* Between hold and release the guard does not end the process. If it has already begun to, hold
 * does not return, so that nothing is written concurrently with the guard's last results. Calls may
 * be nested. For the main thread. */
void interrupt_hold(void);
void interrupt_release(void);

/* `finish` writes the results of abandoned work; the guard calls it before it ends the process.
 * NULL removes it. */
void interrupt_on_abandon(Status (*finish)(void *context), void *context);

/* For a thread that cannot go on, because a file that it uses is lost or a library ends the
 * program; does not return, and may be called by a signal handler. The guard writes the results so
 * far, reports `why`, and ends the process with this exit code; where it cannot, the process ends
 * at once with that line. `why` must last. */
__attribute__((noreturn)) void interrupt_lose(const char *why, int code);

/* For a process whose child says itself what happens: this one ends without a word of its own. */
void interrupt_be_silent(void);

/* Registers a function that learns the exit code when the process ends early; NULL: none. It may do
 * only what a signal handler may. From then on a signal that the process has sent itself is no
 * request of a person's: it ends the process. */
void interrupt_tell(void (*ends)(int code));

/* Registers a file that is removed if it exists when the process ends early. At most 16 existing
 * files at a time are registered; further ones are ignored. */
void interrupt_note_temporary(const char *path);

/* Registers the child that gets this signal when the process ends early; SIGKILL is followed by a
 * wait. 0: no child. -ID: the process group of child ID. */
void interrupt_note_child(pid_t child, int signal_number);

#ifdef __cplusplus
}
#endif

#endif
