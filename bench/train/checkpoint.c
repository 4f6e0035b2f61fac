#include "checkpoint.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "recogniser_file.h"
#include "visible.h"

static const double least_interval = 1;    /* seconds */
static const double interval_by_cost = 20; /* at most a twentieth of the time goes into writing */

Status checkpoint_name(const char *model, Checkpoint *checkpoint) {
    *checkpoint = (Checkpoint){.written = -1};
    const int length = snprintf(checkpoint->path, sizeof checkpoint->path, "%s.checkpoint", model);
    return length >= 0 && length < (int)sizeof checkpoint->path
               ? status_ok()
               : status_make(STATUS_FILE, "the path %.100s… is too long", model);
}

/* --- Whether it is of the same training ------------------------------------------------------- */

/* "--rounds 50 instead of 100" for the first of those that differ; empty when none does. */
static void tell_difference(const TrainingFacts *there, const TrainingFacts *here, char *text,
                            size_t size) {
    const struct {
        const char *option;
        int32_t there, here;
    } numbers[] = {{"rounds", there->rounds, here->rounds},
                   {"candidates", there->candidates, here->candidates},
                   {"min-side", there->min_side, here->min_side},
                   {"threshold", there->threshold, here->threshold}};
    text[0] = '\0';
    if (there->hash != here->hash || there->images != here->images || there->width != here->width ||
        there->height != here->height) {
        snprintf(text, size,
                 "on other pictures or labels (%.60s, %" PRId32 " of %" PRId32 "×%" PRId32 ")",
                 there->input, there->images, there->width, there->height);
        return;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].there != numbers[i].here) {
            snprintf(text, size, "with --%s %" PRId32 ", not %" PRId32, numbers[i].option,
                     numbers[i].there, numbers[i].here);
            return;
        }
    }
    if (there->seed != here->seed) {
        snprintf(text, size, "with --seed %" PRIu64 ", not %" PRIu64, there->seed, here->seed);
    } else if (strcmp(there->variant, here->variant) != 0) {
        snprintf(text, size, "with --variant %s, not %s", there->variant, here->variant);
    } else if (there->digit_count != here->digit_count ||
               memcmp(there->digits, here->digits, there->digit_count) != 0) {
        snprintf(text, size, "of other --digits");
    }
}

Status checkpoint_resume(const Checkpoint *checkpoint, Recogniser *recogniser) {
    Recogniser stored;
    char difference[160];
    if (access(checkpoint->path, F_OK) != 0) {
        return status_ok();
    }
    const Status status = recogniser_read(checkpoint->path, CHECKPOINT_FILE, &stored);
    if (!status_is_ok(&status)) {
        return status_make(status.code, "%.320s (--fresh begins anew)", status.why);
    }
    tell_difference(&stored.facts, &recogniser->facts, difference, sizeof difference);
    if (difference[0] != '\0') {
        recogniser_release(&stored);
        return status_make(STATUS_USAGE,
                           "%.120s is of a training %s; give it the same, or --fresh to begin anew",
                           checkpoint->path, difference);
    }
    recogniser->count = stored.count;
    memcpy(recogniser->classifiers, stored.classifiers,
           stored.count * sizeof *recogniser->classifiers);
    return status_ok();
}

/* --- Writing ---------------------------------------------------------------------------------- */

bool checkpoint_is_due(const Checkpoint *checkpoint, double now) {
    const double by_cost = interval_by_cost * checkpoint->took;
    const double interval = by_cost > least_interval ? by_cost : least_interval;
    return checkpoint->written < 0 || now - checkpoint->written >= interval;
}

Status checkpoint_write(Checkpoint *checkpoint, const Recogniser *recogniser) {
    const double start = clock_now();
    STATUS_TRY(recogniser_write(checkpoint->path, CHECKPOINT_FILE, recogniser));
    checkpoint->written = clock_now();
    checkpoint->took = checkpoint->written - start;
    return status_ok();
}

void checkpoint_remove(const Checkpoint *checkpoint) {
    unlink(checkpoint->path);
}
