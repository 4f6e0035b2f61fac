#include "cpu_variant.h"

#include <omp.h>
#include <string.h>

enum { THREADS_MAX = 1024 };

static Status expand_threads(const char *word, const Workload *workload, AxisValues *values) {
    (void)workload;
    const bool all = strcmp(word, "all") == 0;
    const bool one_less = strcmp(word, "most") == 0;
    if (!all && !one_less && strcmp(word, "max") != 0) {
        return status_make(STATUS_NO_MATCH, "'%s' is no word for a number of threads", word);
    }
    /* OMP_NUM_THREADS, or without it the number of processors. */
    const int most = omp_get_max_threads() < THREADS_MAX ? omp_get_max_threads() : THREADS_MAX;
    for (int threads = 1; all && threads < most; threads *= 2) {
        STATUS_TRY(axis_values_add(values, threads));
    }
    if (one_less && most > 1) {
        STATUS_TRY(axis_values_add(values, most - 1));
    }
    return axis_values_add(values, most);
}

const Axis threads_axis = {
    .struct_bytes = sizeof(Axis),
    /* Where something else takes a processor, a thread less is faster: none waits for the one that
     * shares it. */
    .name = "threads",
    .help = "OpenMP threads; max: OMP_NUM_THREADS, or the number of processors; most: that and one "
            "less; all: 1, 2, 4, … and that",
    .defaults = "most",
    .kind = AXIS_INTEGER,
    .minimum = 1,
    .maximum = THREADS_MAX,
    .expand = expand_threads,
};

const Axis *const threads_tuning[] = {&threads_axis, NULL};
