/* What makes the numbers of a stored run less certain than they look. */
#ifndef BENCH_RUN_WARNINGS_H
#define BENCH_RUN_WARNINGS_H

#include "reporters.h"
#include "warnings.h"

/* The warnings of its machine, for the threads and devices of the cells that were measured, and
 * what was noted of its inputs. */
void run_warnings(const StoredRun *stored, Warnings *warnings);

#endif
