#include "training_progress.h"

#include <inttypes.h>

#include "clock.h"

static const double terminal_interval = 0.1, file_interval = 2;

void training_progress_start(TrainingProgress *progress, FILE *stream, const TrainingFacts *facts,
                             size_t done, bool quiet) {
    const size_t rounds = (size_t)facts->rounds;
    const size_t total = facts->digit_count * rounds;
    *progress = (TrainingProgress){.rounds = rounds, .images = facts->images};
    progress_start(&progress->progress, stream, total, total - done, quiet);
    progress->progress.done = done;
    progress->interval = progress->progress.terminal ? terminal_interval : file_interval;
    progress->shown = clock_now();
}

void training_progress_digit(TrainingProgress *progress, int32_t digit) {
    char what[48];
    snprintf(what, sizeof what, "digit %" PRId32 ", sorting its candidates", digit);
    progress_activity(&progress->progress, what);
}

static void show(TrainingProgress *progress, const Classifier *classifier) {
    char what[120];
    const Stump *last = &classifier->stumps[classifier->count - 1];
    const double wrong = (double)(last->misses + last->false_alarms) / progress->images;
    snprintf(what, sizeof what, "digit %" PRId32 ", round %zu of %zu, training error %.2f%%",
             classifier->digit, classifier->count, progress->rounds, 100 * wrong);
    progress_cell(&progress->progress, what);
    progress->shown = clock_now();
}

void training_progress_round(TrainingProgress *progress, const Classifier *classifier) {
    const bool due = clock_now() - progress->shown >= progress->interval;
    if (due && classifier->count < progress->rounds) {
        show(progress, classifier);
    }
    progress_done(&progress->progress, true);
}

/* The line stands for the round that was counted last. */
void training_progress_finish(TrainingProgress *progress, const Classifier *classifier) {
    const size_t left_out = progress->rounds - classifier->count;
    Progress *cells = &progress->progress;
    cells->total -= left_out;
    cells->to_run -= cells->to_run > left_out ? left_out : cells->to_run;
    cells->done -= cells->done > 0;
    show(progress, classifier);
    progress_settle(cells);
    cells->done++;
}

void training_progress_end(TrainingProgress *progress) {
    progress_end(&progress->progress);
}
