/* The clock of all times. */

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
