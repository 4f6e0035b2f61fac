/* Training progress: how far a training is, on the stream that says so. */
#ifndef BENCH_TRAINING_PROGRESS_H
#define BENCH_TRAINING_PROGRESS_H

#include "progress.h"
#include "recogniser.h"

typedef struct TrainingProgress {
    Progress progress; /* a round of a digit is a cell */
    double shown;      /* monotonic seconds of the last line */
    double interval;   /* seconds between lines */
    size_t rounds;     /* of each digit, at most */
    int32_t images;
} TrainingProgress;

/* `done`: rounds that an earlier training left. */
void training_progress_start(TrainingProgress *progress, FILE *stream, const TrainingFacts *facts,
                             size_t done, bool quiet);
/* Says that a digit has begun, on a terminal. */
void training_progress_digit(TrainingProgress *progress, int32_t digit);
/* Counts the classifier's last round. Not every one gets a line. */
void training_progress_round(TrainingProgress *progress, const Classifier *classifier);
/* A digit is done, perhaps before its last round; always has a line. */
void training_progress_finish(TrainingProgress *progress, const Classifier *classifier);
void training_progress_end(TrainingProgress *progress);

#endif
