/* The table rows of CPU variants. */
#ifndef CPU_COMMON_CPU_VARIANT_H
#define CPU_COMMON_CPU_VARIANT_H

#include "axis.h"
#include "variant.h"

/* One row: the name, the variant that it improves on (NULL: none), a line for `bench list`, its
 * functions in the order in which they are called, and then fields that not every variant has:
 * .tuning, .stages. */
#define CPU_VARIANT(variant, lower, text, opens, runs, closes, ...)                                \
    {                                                                                              \
        .struct_bytes = sizeof(Variant), .name = (variant), .improves_on = (lower),                \
        .summary = (text), .backend = &cpu_backend, .open = (opens), .run = (runs),                \
        .close = (closes), __VA_ARGS__                                                             \
    }

/* Tuning axes that CPU variants of every algorithm share. */

/* --threads 1,2,4|max|most|all: OpenMP threads. "max" is the number of processors, "most" that and
 * one less, which is the default, "all" 1, 2, 4, … and max. */
extern const Axis threads_axis;

/* The tuning of a variant with that axis alone. */
extern const Axis *const threads_tuning[];

#endif
