/* A list of file names. */
#ifndef BENCH_PATH_LIST_H
#define BENCH_PATH_LIST_H

#include <stddef.h>

#include "status.h"

typedef struct PathList {
    size_t count;
    char **paths; /* owned, as are its texts */
} PathList;

/* Appends a copy. STATUS_FAIL without memory. */
Status path_list_add(PathList *list, const char *path);
void path_list_release(PathList *list);

/* Appends the file, or the `…-curve.csv` of a folder in the order of their names. STATUS_FILE when
 * a folder has none. */
Status path_list_add_curves(PathList *list, const char *path);

#endif
