/* Tuning axes that CPU variants of every algorithm share. */
#ifndef CPU_COMMON_TUNING_AXES_H
#define CPU_COMMON_TUNING_AXES_H

#include "axis.h"

/* --threads 1,2,4|all: OpenMP threads. "all" is 1, 2, 4, … and the number of processors. */
extern const Axis threads_axis;

/* The tuning of a variant with that axis alone. */
extern const Axis *const threads_tuning[];

#endif
