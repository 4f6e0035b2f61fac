/*
 * Thread team: how many threads can run together. OpenMP's runtime ends the program when it cannot
 * start a thread, so every parallel region says by one of these how many it takes.
 */
#ifndef BENCH_API_THREAD_TEAM_H
#define BENCH_API_THREAD_TEAM_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* At least 1 and at most `wanted`: as many as the system lets this process have now, the calling
 * one included (ulimit -v, ulimit -u). To be called outside parallel regions. */
int thread_team_most(int wanted);

/* The same for as many as OpenMP takes by default. */
int thread_team_default(void);

/* STATUS_SKIP, with how many there can be, where `threads` cannot run together. */
Status thread_team_check(int threads);

#ifdef __cplusplus
}
#endif

#endif
