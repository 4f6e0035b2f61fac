/*
 * Checkpoint of a training: what it has done so far, in a file that is there whole or not at all.
 * It is for the machine that wrote it: numbers are as they lie in memory.
 */
#ifndef BENCH_LEARN_CHECKPOINT_H
#define BENCH_LEARN_CHECKPOINT_H

#include "learn_curve.h"

typedef struct LearnState {
    uint64_t facts; /* stands for all that decides what a training gives: options, pictures */
    uint64_t done;  /* steps */
    LearnCurve *curve;
    void *data; /* what else is needed to go on */
    size_t bytes;
} LearnState;

/* STATUS_FILE when it cannot be written. */
Status learn_checkpoint_write(const char *path, const LearnState *state);

/* Fills a state of the training about to begin: `done`, the curve and the data. STATUS_FILE when
 * the file is not there or not whole, STATUS_USAGE when it is of another training. */
Status learn_checkpoint_read(const char *path, LearnState *state);

#endif
