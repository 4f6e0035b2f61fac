/* Clock: host time, as every CPU measurement reads it. */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

/* Seconds on a clock that never goes back; only differences mean anything. */
double clock_now(void);

/* CPU seconds that all threads of this process have used. */
double clock_process_cpu(void);

/* Seconds that reading the monotonic clock takes: what a measured interval holds besides the work.
 * Measured anew on each call, which takes less than a millisecond. */
double clock_overhead(void);

#endif
