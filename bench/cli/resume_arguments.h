/* The arguments of `bench run --resume DIR`: those that the stored run was started with. */
#ifndef BENCH_RESUME_ARGUMENTS_H
#define BENCH_RESUME_ARGUMENTS_H

#include "command_line.h"
#include "status.h"

/*
 * Reads the arguments of the run in `folder`, without those that say where files go (--out,
 * --resume, --csv, --json, --save, --save-table), and puts the arguments given now behind them.
 * Release with argument_list_release. STATUS_FILE when there is no readable run in the folder.
 */
Status resume_arguments(const char *folder, int argc, char *const *argv, ArgumentList *list);

#endif
