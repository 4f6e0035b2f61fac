/* Child processes and the processors that they may use. */

#ifndef BENCH_BASE_CHILD_PROCESS_H
#define BENCH_BASE_CHILD_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "status.h"

/* --- Child process ---------------------------------------------------------------------------- */

/*
 * All programs are started with this, without a shell, and waited for. A child never outlives this
 * process. An interrupt of this process is sent to the child or kills it.
 */

typedef struct ChildProcess {
    const char *program;          /* a path, or a name to search for in PATH */
    const char *const *arguments; /* with the program's name first, NULL last */
    char **environment;           /* NULL: ours */
    int output;                   /* descriptor of its standard output; -1: same as its errors */
    double limit;                 /* seconds after which it is killed; 0: none */
    /* On SIGTERM the child saves its results and exits: it is sent our signals. Otherwise an
     * interrupt kills it. */
    bool saves;
    /* It starts programs of its own, as a compiler driver does: it is killed together with them.
     * Not with `saves`. */
    bool group;
    /* Receives its standard error, piece by piece. NULL: its streams are ours, and `output` does
     * not count. */
    void (*take)(void *context, const char *bytes, size_t count);
    /* Asked now and then, with the seconds since it was asked last: whether the child hangs, so
     * that it is killed. NULL: never. */
    bool (*hangs)(void *context, double passed);
    void *context;
    int kept; /* a descriptor above 2 that the child has too; 0: none */
} ChildProcess;

typedef struct ChildEnd {
    int error;  /* errno when the program could not be started; 0: it was started */
    int code;   /* exit code; 128 + signal */
    int signal; /* the signal that ended it; 0: none */
    bool late;  /* it was killed at `limit`, or because it hung */
} ChildEnd;

/* Our environment without the variables of these names, NULL behind the last, and with another, a
 * text "NAME=VALUE"; NULL: none. The caller frees the array, not the texts. NULL without memory. */
char **environment_without(const char *const *names, char *added);

/* Runs the program with an empty standard input, on every processor that this process may use, and
 * waits for its end. STATUS_FAIL when no process can be created; `end` says how the program ended.
 * STATUS_INTERRUPTED when this process was interrupted before or meanwhile: it stays held
 * (interrupt.h), and the caller has to end soon. */
Status child_process_run(const ChildProcess *process, ChildEnd *end);

/* Forks with both signals blocked, so that the child gets none while it still has our handlers. It
 * starts a program at once. Returns as fork does. */
pid_t process_fork(void);

/* --- Processors ------------------------------------------------------------------------------- */

/* An OpenMP runtime that pins threads pins the first thread of a process, to one place.
 * processors_store keeps the processors that this process may use in its environment, for the same
 * program started anew with pinned threads, and for its children. False without memory. */
bool processors_store(void);
bool processors_stored(void);
void processors_forget(void);

/* Calls `work` while the calling thread may run on every processor of the process, as it could
 * before threads were pinned: a runtime that is started meanwhile sees all of them. */
void processors_free_during(void (*work)(void *context), void *context);

/* Whether this process may use the processor, and how many it may, whichever its threads are pinned
 * to. 0: not known. */
bool processor_is_allowed(int processor);
int processors_allowed(void);

#endif
