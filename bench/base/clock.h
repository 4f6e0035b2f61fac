/* The monotonic clock. */

#ifndef BENCH_BASE_CLOCK_H
#define BENCH_BASE_CLOCK_H

/* Seconds of the monotonic host clock, with which all CPU times are measured, without the time in
 * which the process was stopped (stops.h). Only differences have a meaning. */
double clock_now(void);

/* CPU seconds used by all threads of this process. */
double clock_process_cpu(void);

#endif
