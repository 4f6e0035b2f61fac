/* Warnings: what about this machine makes its numbers less certain than they look. */
#ifndef BENCH_WARNINGS_H
#define BENCH_WARNINGS_H

#include <stdbool.h>

#include "machine.h"

enum { WARNINGS_MAX = 12, WARNING_SIZE = 320 };

typedef struct Warnings {
    size_t count;
    char text[WARNINGS_MAX][WARNING_SIZE]; /* one sentence each, without a full stop */
} Warnings;

/* What is going to be measured. */
typedef struct MachineUse {
    int threads; /* most CPU threads of a cell */
    bool gpu;    /* some cell runs on the GPU */
} MachineUse;

/* Fills `warnings` from the facts; facts that are not known warn of nothing. */
void machine_warnings(const Machine *machine, const MachineUse *use, Warnings *warnings);

#endif
