/* Files that a person asks for by name, to read or to write, looked at before anything is measured.
 */
#ifndef BENCH_OUTPUT_TARGET_H
#define BENCH_OUTPUT_TARGET_H

#include "options.h"

/*
 * Notes files that a command reads, so that it does not write to them; before its targets are
 * tried. NULL is no file. STATUS_FAIL without memory.
 */
/* A file; of a folder every picture in it and in its folders. */
Status guard_input(const char *path);
/* Files with commas between. */
Status guard_input_list(const char *files);
/* A stored run: a file, or the results in a folder. */
Status guard_run(const char *run);

/* Notes what `bench run` reads. Then STATUS_USAGE when one of the results in the run's folder,
 * --csv and --json is among it, or STATUS_FILE naming the first of --csv and --json that cannot be
 * written, as far as that shows without writing: a missing or locked folder, a folder in the file's
 * place. */
Status output_targets_check(const RunOptions *options);

#endif
