/* Checkpoint: what a training has done so far, in a file beside its model. */
#ifndef BENCH_CHECKPOINT_H
#define BENCH_CHECKPOINT_H

#include "atomic_file.h"
#include "recogniser.h"

typedef struct Checkpoint {
    char path[ATOMIC_FILE_PATH_SIZE];
    double written; /* monotonic seconds when it was last written; negative: not yet */
    double took;    /* seconds that this took */
} Checkpoint;

/* "<model>.checkpoint". STATUS_FILE when the path is too long. */
Status checkpoint_name(const char *model, Checkpoint *checkpoint);

/*
 * Takes over the classifiers of a checkpoint that is there, into a recogniser whose facts are those
 * of the training about to begin and which has no classifiers. STATUS_USAGE when the checkpoint is
 * of a training with other pictures or options, STATUS_FILE when it cannot be read.
 */
Status checkpoint_resume(const Checkpoint *checkpoint, Recogniser *recogniser);

/* Whether the last one is old enough: a second, and long enough for writing to take little of the
 * time. */
bool checkpoint_is_due(const Checkpoint *checkpoint, double now);
Status checkpoint_write(Checkpoint *checkpoint, const Recogniser *recogniser);
void checkpoint_remove(const Checkpoint *checkpoint);

#endif
