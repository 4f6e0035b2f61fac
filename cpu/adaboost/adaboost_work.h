/* The best search (adaboost_bins.h) on one thread or several: what simd and omp have in common. */
#ifndef CPU_ADABOOST_WORK_H
#define CPU_ADABOOST_WORK_H

#include "variant.h"

/* A state for `adaboost_work_stages`. */
Status adaboost_work_open(const Request *request, int threads, void **state);
void adaboost_work_close(void *state); /* NULL is ignored */

#endif
