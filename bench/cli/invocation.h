/* What a command is given, and how it ends. */
#ifndef BENCH_INVOCATION_H
#define BENCH_INVOCATION_H

#include "status.h"

/* The whole command line, and where the command's own arguments begin. */
typedef struct Invocation {
    int argc;
    char **argv;
    int first;
} Invocation;

/* One line on standard error, "bench: " and the reason, with control characters made visible.
 * Returns the exit code that the status stands for. */
int command_error(const Status *status);

#endif
