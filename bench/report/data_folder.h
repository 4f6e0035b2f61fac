/* Data folder: files that belong to the program, wherever it was installed or built. */
#ifndef BENCH_DATA_FOLDER_H
#define BENCH_DATA_FOLDER_H

#include <stddef.h>

#include "status.h"

enum { DATA_FOLDER_PATH_SIZE = 4096 };

typedef struct DataFolder {
    const char *variable;  /* of the environment: names the folder */
    const char *installed; /* below share/bench */
    const char *source;    /* below the source tree */
    const char *holds;     /* a file that it holds; NULL: any folder of that name will do */
    const char *what;      /* for messages: "the chart scripts" */
} DataFolder;

/* The folder that the environment names, or the one installed with the program, or the one of the
 * source tree it was built from: the first that can be read. STATUS_SKIP when there is none. */
Status data_folder_find(const DataFolder *wanted, char *folder, size_t size);

#endif
