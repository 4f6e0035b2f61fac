/* How far a training of descriptors is, and its checkpoint: what both kinds do between steps. */
#ifndef BENCH_LEARN_PROGRESS_H
#define BENCH_LEARN_PROGRESS_H

#include "learn_checkpoint.h"
#include "learn_request.h"

typedef struct LearnProgress {
    const LearnRequest *request;
    LearnState *state;
    LearnCurve curve;
    uint64_t steps; /* of the whole training */
    /* As the training was at the last point, for an interrupt before the next one; owns its data.
     * Not filled without a checkpoint. */
    LearnState reached;
    bool anything; /* the checkpoint has something to keep */
    double shown;  /* monotonic seconds of the last line, and of the last checkpoint */
    double kept;
} LearnProgress;

/* Room for a curve of `points`; goes on from the checkpoint where that was asked for. `state` has
 * its facts and data, and gets the curve. Release with learn_progress_release, whatever was
 * returned. */
Status learn_progress_start(const LearnRequest *request, uint64_t steps, size_t points,
                            LearnState *state, LearnProgress *progress);
void learn_progress_release(LearnProgress *progress);

/* Adds a point, tells of it, and keeps a checkpoint when one is due. STATUS_INTERRUPTED
 * when the person asked for it, and the training is not done. */
Status learn_progress_point(LearnProgress *progress, LearnCurvePoint point);

/* Writes the curve where one was asked for. */
Status learn_progress_finish(const LearnProgress *progress);

#endif
