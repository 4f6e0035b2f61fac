/* Files that a person asks for by name, looked at before anything is measured. */
#ifndef BENCH_OUTPUT_TARGET_H
#define BENCH_OUTPUT_TARGET_H

#include "options.h"

/* STATUS_FILE naming the first of --csv and --json that cannot be written, as far as that shows
 * without writing: a missing or locked folder, a folder in the file's place. */
Status output_targets_check(const RunOptions *options);

#endif
