/* The program started once more as a child, and waited for. */
#ifndef BENCH_STEP_PROCESS_H
#define BENCH_STEP_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

typedef struct StepProcess {
    char **arguments;    /* NULL last */
    const char *devices; /* value of CUDA_VISIBLE_DEVICES for it; NULL: as it is */
    const char *log;     /* file for its standard output and standard error */
    bool quiet;          /* its standard error does not go to ours as well */
} StepProcess;

enum { STEP_LINE_SIZE = 256 };

typedef struct StepEnd {
    int code;                   /* exit code, or 128 + signal */
    int signal;                 /* that ended it; 0: none */
    bool interrupted;           /* a SIGINT or SIGTERM came for us meanwhile */
    char error[STEP_LINE_SIZE]; /* the last line of an error, without "bench: "; "": none */
} StepEnd;

/*
 * SIGINT and SIGTERM do not end this process while it waits: those of a terminal go to the child
 * anyway, those that a process sent are passed on to it. The child ends with this process, and pins
 * its threads for itself. STATUS_FILE when the log cannot be written, STATUS_FAIL when there can be
 * no child.
 */
Status step_process_run(const StepProcess *process, StepEnd *end);

#endif
