/* Single values on the command line: whole numbers, durations, ratios. */
#ifndef BENCH_OPTIONS_VALUES_H
#define BENCH_OPTIONS_VALUES_H

#include <stdint.h>

#include "status.h"

/* Decimal digits only: no sign, no space, nothing after. STATUS_USAGE with what would be right. */
Status parse_count(const char *text, uint64_t minimum, uint64_t maximum, uint64_t *number);

/* "10", "10s", "500ms", "2min": seconds, above 0 and at most 10^6. */
Status parse_duration(const char *text, double *seconds);

/* "1%" or "0.01": above 0 and below 1. */
Status parse_ratio(const char *text, double *ratio);

/* The same, and 1 as well. */
Status parse_share(const char *text, double *share);

#endif
