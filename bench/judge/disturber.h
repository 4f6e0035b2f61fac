/* What disturbed a measurement. */

#ifndef BENCH_JUDGE_DISTURBER_H
#define BENCH_JUDGE_DISTURBER_H

/* What disturbs times so much that they may be too long by a fifth or more. */
typedef enum Disturber {
    DISTURBER_NONE,
    DISTURBER_GUESTS,     /* of the host */
    DISTURBER_PROGRAMS,   /* had the processors, or samples lie far apart */
    DISTURBER_THROTTLING, /* clock, temperature, CPU quota */
    DISTURBER_SLOW_PHASE, /* shown by the sentinel */
    DISTURBERS
} Disturber;

/* The first one, or the second where there is no first. */
Disturber disturber_of_either(Disturber first, Disturber second);

/* "other guests of the host", as files have it, and "other guests had the processors"; "" of none.
 */
const char *disturber_name(Disturber disturber);
const char *disturber_clause(Disturber disturber);
/* The one of that name. Of a name that this version does not have it is other programs. */
Disturber disturber_named(const char *name);

#endif
