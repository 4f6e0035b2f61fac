/* The paths of a stored run: its file, its folder, and what it is called. */
#ifndef BENCH_REPORT_PATHS_H
#define BENCH_REPORT_PATHS_H

#include <stddef.h>

#include "atomic_file.h"

/* A copy. STATUS_FILE when it is too long, as for all of these. */
Status report_path_keep(const char *given, char path[ATOMIC_FILE_PATH_SIZE]);
/* <folder>/<name> */
Status report_path_in(const char *folder, const char *name, char path[ATOMIC_FILE_PATH_SIZE]);
/* The folder that a file is in: "." where the path names none. */
Status report_parent_folder(const char *path, char folder[ATOMIC_FILE_PATH_SIZE]);

/* `run` is the folder of a run or the JSON file in it: that file, and that folder. */
Status report_run_file(const char *run, char path[ATOMIC_FILE_PATH_SIZE]);
Status report_run_folder(const char *run, char folder[ATOMIC_FILE_PATH_SIZE]);
/* What a run is called: the name of its folder, or of its file where that is not results.json. Cut
 * to `size`, without control characters. */
void report_run_name(const char *run, char *name, size_t size);

#endif
