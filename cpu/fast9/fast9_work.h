/*
 * fast9_work: what simd and omp have in common: their memory and their stages, on bands of rows
 * (fast9_bands.h).
 */
#ifndef CPU_FAST9_WORK_H
#define CPU_FAST9_WORK_H

#include "variant.h"

/* Opens a variant that works with `threads` threads; the state is a Fast9Work. */
Status fast9_work_open(const Request *request, int threads, void **state);

/* Stages, and run, which is all of them; declared as the table does. */
VARIANT_EXTERN Status fast9_work_pyramid(void *state);
VARIANT_EXTERN Status fast9_work_corners(void *state);
VARIANT_EXTERN Status fast9_work_suppress(void *state);
VARIANT_EXTERN Status fast9_work_select(void *state);
VARIANT_EXTERN Status fast9_work_run(void *state);
VARIANT_EXTERN void fast9_work_close(void *state);

#endif
