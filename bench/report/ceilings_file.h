/* Ceilings of a machine, kept in a file, so that they need not be measured for every run. */
#ifndef BENCH_CEILINGS_FILE_H
#define BENCH_CEILINGS_FILE_H

#include <stdint.h>

#include "ceilings.h"

/* `identity` says which machine and build; `measured` is in seconds since 1970. STATUS_FILE when
 * the file cannot be written. */
Status ceilings_file_write(const char *path, const char *identity, int64_t measured,
                           const Ceilings *ceilings);

/* STATUS_FILE when the file cannot be read, is damaged or has no ceilings, is of another identity,
 * or was not measured between `earliest` and `latest`; `ceilings` is empty then. */
Status ceilings_file_read(const char *path, const char *identity, int64_t earliest, int64_t latest,
                          Ceilings *ceilings);

#endif
