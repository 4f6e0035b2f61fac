/* The clock of all times, and its overhead. */

#include "base_internal.h"

#include <time.h>

#include "clock.h"
#include "stops.h"

static double read_clock(clockid_t clock) {
    struct timespec time;
    if (clock_gettime(clock, &time) != 0) {
        return 0.0;
    }
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double clock_now(void) {
    return (double)stops_clock() * 1e-9;
}

double clock_process_cpu(void) {
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

double clock_overhead(void) {
    /* One read is shorter than the clock's resolution, so batches are timed; the minimum is of a
     * batch that nothing interrupted. */
    enum { BATCHES = 25, READS = 200 };
    double least = 1.0;
    for (int batch = 0; batch < BATCHES; batch++) {
        const double start = clock_now();
        double end = start;
        for (int read = 0; read < READS; read++) {
            end = clock_now();
        }
        const double each = (end - start) / READS;
        if (each < least) {
            least = each;
        }
    }
    return least;
}
