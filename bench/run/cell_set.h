/* Cell set: cells that are compared with each other, sampled in turns. */
#ifndef BENCH_CELL_SET_H
#define BENCH_CELL_SET_H

#include "cell.h"
#include "progress.h"

typedef struct SetMember {
    Cell *cell;    /* verified, not open */
    size_t index;  /* the caller's own */
    Status status; /* result: how sampling it went */
} SetMember;

typedef struct SetWatch {
    Progress *progress;
    /* Called between turns, soon after a cell has all its samples and was right afterwards; what it
     * returns, unless STATUS_OK, is returned in the end. NULL: nobody wants to know. */
    Status (*sampled)(void *context, const SetMember *member);
    void (*turn)(void *context); /* called after each turn; NULL likewise */
    void *context;
} SetWatch;

/*
 * Opens as many of the cells as fit into memory beside each other, samples them in turns, and
 * closes them all. Cells whose `sampled` is false afterwards did not fit, or went wrong, and their
 * status says why: what goes wrong beside others may be the fault of another, so only a set of one
 * gives a verdict, except for STATUS_DEVICE_LOST. STATUS_FAIL when there is no memory for the set
 * itself.
 */
Status cell_set_sample(SetMember *members, size_t count, const SetWatch *watch);

#endif
