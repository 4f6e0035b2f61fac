/* The best search (adaboost_bins.h) on one thread or several: what simd and omp have in common. */
#ifndef CPU_ADABOOST_FAST_H
#define CPU_ADABOOST_FAST_H

#include "variant.h"

/* A state for `adaboost_fast_stages`. */
Status adaboost_fast_open(const Request *request, int threads, void **state);
void adaboost_fast_close(void *state); /* NULL is ignored */

#endif
