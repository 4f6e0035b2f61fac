/* Properties of this machine that make its numbers doubtful. */

#ifndef BENCH_MACHINE_WARNINGS_H
#define BENCH_MACHINE_WARNINGS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Machine Machine; /* machine.h */

enum { WARNINGS_MAX = 16, WARNING_SIZE = 320 };

typedef struct Warnings {
    size_t count;
    char text[WARNINGS_MAX][WARNING_SIZE]; /* one sentence each, without a full stop */
} Warnings;

/* What a run will use. */
typedef struct MachineUse {
    int threads; /* the most CPU threads of a cell */
    bool gpu;    /* some cell runs on the GPU */
} MachineUse;

/* Fills `warnings` from the facts. Missing facts cause no warning. */
void machine_warnings(const Machine *machine, const MachineUse *use, Warnings *warnings);

#endif
