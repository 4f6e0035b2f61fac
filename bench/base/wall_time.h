/* Where the wall time of a run goes: each second of the main thread counts as one part. */

#ifndef BENCH_BASE_WALL_TIME_H
#define BENCH_BASE_WALL_TIME_H

#include <stdio.h>

/* In the order of a run. `children` is the time that a process waits for its launches; their own
 * parts replace it (wall_add_child), and what is left of it is starting and ending them. */
typedef enum WallPart {
    WALL_OTHER,
    WALL_START,      /* of processes and devices */
    WALL_INPUT,      /* images are read, generated and scaled */
    WALL_ESTIMATES,  /* how long cells will take */
    WALL_CEILINGS,   /* of the machine */
    WALL_ORACLE,     /* seq's answer that others are compared with */
    WALL_PROOFS,     /* answers are computed on poison and compared */
    WALL_OPENING,    /* memory of variants and answers, also at other addresses */
    WALL_WARMING,    /* uncounted runs */
    WALL_SAMPLES,    /* of kernels */
    WALL_END_TO_END, /* samples, and the passes before them */
    WALL_TRANSFERS,  /* transfers, stages, allocation and energy, each alone */
    WALL_WAITING,    /* until a launch is due, or another share of the plan lets the host go */
    WALL_WRITING,    /* results are derived, written and drawn */
    WALL_PARTS
} WallPart;

/* Seconds by part. */
typedef struct WallTime {
    double seconds[WALL_PARTS];
} WallTime;

/* From now on time counts as `part`. Returns what it counted as, for wall_leave. Main thread. */
WallPart wall_enter(WallPart part);
void wall_leave(WallPart before);

/* So far, from the first call of wall_enter in this process, with what was added. */
WallTime wall_time(void);
/* Of a process that is forked: nothing was spent yet. */
void wall_start_anew(void);

/* Adds the parts of a child that this process has waited for as WALL_START. */
void wall_add_child(const WallTime *child);

/* The key of a part in files, "end_to_end", and its words for people. */
const char *wall_key(WallPart part);
const char *wall_words(WallPart part);

/* Seconds of all parts. */
double wall_sum(const WallTime *time);

#endif
