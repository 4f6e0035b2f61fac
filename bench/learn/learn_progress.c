#include "learn_progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "interrupt.h"
#include "visible.h"
#include "workload_source.h"

static const double line_interval = 2, checkpoint_interval = 10; /* seconds */

static Status keep(LearnProgress *progress, const LearnState *state) {
    progress->kept = clock_now();
    return progress->request->checkpoint != NULL
               ? learn_checkpoint_write(progress->request->checkpoint, state)
               : status_ok();
}

static Status interrupted(const LearnProgress *progress) {
    const char *checkpoint = progress->request->checkpoint;
    if (checkpoint == NULL) {
        return status_make(STATUS_INTERRUPTED, "interrupted; without --checkpoint nothing is kept");
    }
    return progress->anything
               ? status_make(STATUS_INTERRUPTED,
                             "interrupted; the same command with --resume goes on from %.200s",
                             checkpoint)
               : status_make(STATUS_INTERRUPTED, "interrupted before there was anything to keep");
}

static Status keep_reached(void *context) {
    LearnProgress *progress = context;
    if (progress->reached.done > 0) {
        STATUS_TRY(keep(progress, &progress->reached));
    }
    return interrupted(progress);
}

/* Under a hold: an interrupt finds all of it or nothing. */
static void note_reached(LearnProgress *progress) {
    const LearnState *state = progress->state;
    progress->anything = progress->anything || state->done > 0;
    if (progress->reached.data != NULL) {
        memcpy(progress->reached.data, state->data, state->bytes);
        progress->reached.done = state->done;
    }
}

static Status make_reached(LearnProgress *progress) {
    if (progress->request->checkpoint == NULL) {
        return status_ok();
    }
    progress->reached = *progress->state;
    progress->reached.data = malloc(progress->state->bytes);
    if (progress->reached.data == NULL) {
        return status_skip("no memory left for a checkpoint");
    }
    note_reached(progress);
    return status_ok();
}

Status learn_progress_start(const LearnRequest *request, uint64_t steps, size_t points,
                            LearnState *state, LearnProgress *progress) {
    *progress =
        (LearnProgress){.request = request, .state = state, .steps = steps, .kept = clock_now()};
    STATUS_TRY(learn_curve_create(points, &progress->curve));
    state->curve = &progress->curve;
    if (request->resume) {
        STATUS_TRY(learn_checkpoint_read(request->checkpoint, state));
        visible_line(request->notes, "goes on from %s: %" PRIu64 " of %" PRIu64 " steps",
                     request->checkpoint, state->done, steps);
    }
    STATUS_TRY(make_reached(progress));
    interrupt_on_abandon(keep_reached, progress);
    return status_ok();
}

void learn_progress_release(LearnProgress *progress) {
    interrupt_on_abandon(NULL, NULL);
    learn_curve_release(&progress->curve);
    free(progress->reached.data);
    progress->reached.data = NULL;
}

static void show(LearnProgress *progress, const LearnCurvePoint *point) {
    const double now = clock_now();
    const bool last = point->step == progress->steps;
    if (!progress->request->quiet && (last || now - progress->shown >= line_interval)) {
        fprintf(progress->request->notes,
                "step %" PRIu64 " of %" PRIu64 ": loss %.4f, %.1f%% of places not far enough "
                "from others\n",
                point->step, progress->steps, point->loss, 100 * point->share);
        progress->shown = now;
    }
}

Status learn_progress_point(LearnProgress *progress, LearnCurvePoint point) {
    const bool done = point.step == progress->steps;
    interrupt_hold();
    learn_curve_add(&progress->curve, point);
    progress->state->done = point.step;
    note_reached(progress);
    if (interrupt_requested() && !done) { /* held until the process has ended */
        STATUS_TRY(keep(progress, progress->state));
        return interrupted(progress);
    }
    show(progress, &point);
    const Status status = done || clock_now() - progress->kept >= checkpoint_interval
                              ? keep(progress, progress->state)
                              : status_ok();
    interrupt_release();
    return status;
}

Status learn_progress_finish(const LearnProgress *progress) {
    const LearnRequest *request = progress->request;
    char title[WORKLOAD_NAME_SIZE];
    if (request->curve == NULL) {
        return status_ok();
    }
    input_name_of_path(request->out, title);
    return learn_curve_write(request->curve, title, &progress->curve);
}
