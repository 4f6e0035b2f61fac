/* Ceilings of a machine, kept in a file, so that they need not be measured for every run, and
 * whether they can be trusted. */
#ifndef BENCH_CEILINGS_FILE_H
#define BENCH_CEILINGS_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "ceilings.h"

/*
 * Whether ceilings contradict each other by more than noise explains: several threads below one, or
 * above as many times one; a farther level of memory above a nearer one. `why` gets the first pair.
 */
bool ceilings_contradict(const Ceilings *ceilings, char *why, size_t size);

/* `identity` says which machine and build; `measured` is in seconds since 1970. STATUS_FILE when
 * the file cannot be written. */
Status ceilings_file_write(const char *path, const char *identity, int64_t measured,
                           const Ceilings *ceilings);

/* STATUS_FILE when the file cannot be read, is damaged or has no ceilings, is of another identity,
 * has ceilings that contradict each other, or was not measured between `earliest` and `latest`;
 * `ceilings` is empty then. */
Status ceilings_file_read(const char *path, const char *identity, int64_t earliest, int64_t latest,
                          Ceilings *ceilings);

#endif
