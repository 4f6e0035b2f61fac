/* study.txt to a Study. */
#ifndef BENCH_STUDY_FILE_H
#define BENCH_STUDY_FILE_H

#include <stdio.h>

#include "status.h"
#include "study.h"

/*
 * Reads <folder>/study.txt and checks it whole: that steps, tables, columns and rows that are named
 * exist, and that there is no name twice. STATUS_FILE "<path>:<line>: '<word>' …" saying what would
 * be right, and nothing to release.
 */
Status study_file_read(const char *folder, Study *study);

/* Finds the folder of a study: `name` itself if it holds a study.txt, else that name in the folder
 * of the program's studies (BENCH_STUDY_DIR, installed, or of the source tree). STATUS_USAGE naming
 * the nearest of the studies there are. */
Status study_find(const char *name, char *folder, size_t size);

/* `bench study --list`: name and title of each. */
Status study_list(FILE *stream);

#endif
