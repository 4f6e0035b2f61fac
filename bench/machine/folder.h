/* Folders, made where they are not there yet. */
#ifndef BENCH_FOLDER_H
#define BENCH_FOLDER_H

#include "status.h"

/* Makes the folder and those above it, like `mkdir -p`. STATUS_FILE names the one that cannot be
 * made. */
Status folder_make(const char *path);

/* The same for the folder that is to hold the file `path`. */
Status folder_make_for(const char *path);

#endif
