/* The folder where the program keeps what it knows of a machine between runs. */
#ifndef BENCH_CACHE_FOLDER_H
#define BENCH_CACHE_FOLDER_H

#include <stddef.h>

#include "status.h"

/* "$XDG_CACHE_HOME/bench", or else "$HOME/.cache/bench". STATUS_FILE when neither variable holds an
 * absolute path. */
Status cache_folder(char *path, size_t size);

#endif
