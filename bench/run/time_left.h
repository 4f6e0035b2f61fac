/* How long a run of several launches still takes, by what has happened until now. */

#ifndef BENCH_RUN_TIME_LEFT_H
#define BENCH_RUN_TIME_LEFT_H

#include <stdbool.h>

/* What is known of a run at one moment; seconds. It says nothing of clocks or files. */
typedef struct RunSoFar {
    double budget;      /* of all launches; 0: there are exactly `launches` */
    int launches;       /* without a budget */
    double distance;    /* from the beginning of a launch to that of the next, at least */
    double first;       /* expected of the first launch, before anything has run */
    double other;       /* expected of each later one, on the same assumptions */
    double once;        /* and of what the second one measures for all; 0: the first one does */
    double elapsed;     /* since the run began */
    int done;           /* launches that have ended */
    double last;        /* that the latest of these took; 0: not known, they were resumed */
    double last_beside; /* of these, those that only a first launch or a second one spends */
    double undecided; /* with a budget: budget_undecided, by a guess; 0: ends after six launches */
    double waiting;   /* until the next launch begins; 0: one is under way */
    double launch;    /* since the launch under way began */
    double launch_left; /* that it says it still takes; NAN: it has not said yet */
    double silent;      /* of `launch`, until it said that for the first time: starting, ceilings */
} RunSoFar;

typedef struct TimeLeft {
    double launch; /* of the launch under way */
    double run;    /* of the whole run */
    int launches;  /* that the run is expected to have in all */
    double factor; /* the truth is expected from run / factor to run · factor */
} TimeLeft;

TimeLeft time_left(const RunSoFar *so_far);

#endif
