/*
 * Child processes: the one way in which a program is started and waited for, without a shell.
 *
 * No child outlives this process, however that ends, and an interrupt is not waited for: it is
 * passed on, or ends the child.
 */
#ifndef BENCH_CHILD_PROCESS_H
#define BENCH_CHILD_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

typedef struct ChildProcess {
    const char *program;          /* a path, or a name that is looked for in PATH */
    const char *const *arguments; /* with the program's name first, NULL last */
    char **environment;           /* NULL: ours */
    int output;                   /* descriptor of its standard output; -1: as its errors */
    double limit;                 /* seconds after which it is killed; 0: none */
    /* It saves what it has on SIGTERM and ends by itself: signals are passed on. Without this an
     * interrupt kills it. */
    bool saves;
    /* Gets what it writes to standard error, as it comes. */
    void (*take)(void *context, const char *bytes, size_t count);
    void *context;
} ChildProcess;

typedef struct ChildEnd {
    int error;  /* errno of a program that could not be started; 0: it was */
    int code;   /* exit code; 128 + signal */
    int signal; /* that ended it; 0: none */
    bool late;  /* it was killed at the limit */
} ChildEnd;

/* Standard input is empty. STATUS_FAIL when there can be no child; what became of the program is in
 * `end`. STATUS_INTERRUPTED when an interrupt came before or meanwhile: the caller ends soon, and
 * the process stays held (interrupt.h) until it has. */
Status child_process_run(const ChildProcess *process, ChildEnd *end);

#endif
