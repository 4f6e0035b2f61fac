/* The arguments of `bench run --resume DIR`: those that the stored run was started with. */
#ifndef BENCH_RESUME_ARGUMENTS_H
#define BENCH_RESUME_ARGUMENTS_H

#include <stddef.h>

#include "status.h"

/* A command line of its own: argv[0] is the program; owns all of its text. */
typedef struct ArgumentList {
    int argc;
    char **argv;
} ArgumentList;

/* Takes a stored line apart as a shell would: spaces part arguments, single quotes and backslashes
 * protect. STATUS_FILE when the quotes do not close, STATUS_FAIL when memory is short. */
Status arguments_split(const char *line, ArgumentList *list);

/*
 * Reads the arguments of the run in `folder`, without those that say where it went (--out,
 * --resume), and puts the arguments given now behind them. Release with resume_arguments_release.
 * STATUS_FILE when there is no readable run in the folder.
 */
Status resume_arguments(const char *folder, int argc, char *const *argv, ArgumentList *list);
void resume_arguments_release(ArgumentList *list);

#endif
