/* Cell set: cells that are compared with each other, sampled in turns. */
#ifndef BENCH_CELL_SET_H
#define BENCH_CELL_SET_H

#include "cell.h"
#include "progress.h"

typedef struct SetMember {
    Cell *cell;    /* verified, not open */
    Status status; /* result: how sampling it went */
} SetMember;

/*
 * Opens as many of the cells as fit into memory beside each other, samples them in turns, and
 * closes them all. Cells whose `sampled` is false afterwards did not fit, or went wrong, and their
 * status says why: what goes wrong beside others may be the fault of another, so only a set of one
 * gives a verdict, except for STATUS_DEVICE_LOST. STATUS_FAIL when there is no memory for the set
 * itself.
 */
Status cell_set_sample(SetMember *members, size_t count, Progress *progress);

#endif
