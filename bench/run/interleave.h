/*
 * Interleave: samples several open cells in turns, A B C … C B A, A B C …, until each has had its
 * last. A change of the machine's speed while this goes on, a processor that gets warm or a
 * neighbour that wakes up, falls on all of them alike, and not on whichever was measured then.
 */
#ifndef BENCH_INTERLEAVE_H
#define BENCH_INTERLEAVE_H

#include "measure.h"

/* Turns that the least number of samples is spread over. */
enum { INTERLEAVE_TURNS_MIN = 4 };

typedef struct Lane {
    Measurement *measurement; /* begun; owned by the caller */
    Status status;            /* anything but STATUS_OK: took no more turns, and why */
    bool over;                /* has had its last turn; starts false */
} Lane;

typedef struct LaneWatch {
    /* Called directly after the last sample of a lane, while no other has run; its status becomes
     * the lane's. */
    Status (*sampled)(void *context, size_t lane);
    /* Called after each turn. NULL: nobody wants to know. */
    void (*turn)(void *context);
    void *context;
} LaneWatch;

/*
 * Takes turns until every lane is over or interrupt_requested() is true. A lane that goes wrong is
 * over and the others go on, but for those on a device that was lost with it: they are over with
 * STATUS_SKIP.
 */
void interleave_sample(Lane *lanes, size_t count, Warmth *warmth, const LaneWatch *watch);

/* Ends the lanes of a lost device that are not over, with STATUS_SKIP. */
void interleave_lose_device(Lane *lanes, size_t count, const Backend *backend);

#endif
