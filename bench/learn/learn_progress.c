#include "learn_progress.h"

#include <inttypes.h>

#include "clock.h"
#include "interrupt.h"
#include "workload_source.h"

static const double line_interval = 2, checkpoint_interval = 10; /* seconds */

Status learn_progress_start(const LearnRequest *request, uint64_t steps, size_t points,
                            LearnState *state, LearnProgress *progress) {
    *progress =
        (LearnProgress){.request = request, .state = state, .steps = steps, .kept = clock_now()};
    STATUS_TRY(learn_curve_create(points, &progress->curve));
    state->curve = &progress->curve;
    if (!request->resume) {
        return status_ok();
    }
    STATUS_TRY(learn_checkpoint_read(request->checkpoint, state));
    fprintf(request->notes, "goes on from %s: %" PRIu64 " of %" PRIu64 " steps\n",
            request->checkpoint, state->done, steps);
    return status_ok();
}

void learn_progress_release(LearnProgress *progress) {
    learn_curve_release(&progress->curve);
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

static Status keep(LearnProgress *progress) {
    progress->kept = clock_now();
    return progress->request->checkpoint != NULL
               ? learn_checkpoint_write(progress->request->checkpoint, progress->state)
               : status_ok();
}

Status learn_progress_point(LearnProgress *progress, LearnCurvePoint point) {
    const bool done = point.step == progress->steps;
    learn_curve_add(&progress->curve, point);
    progress->state->done = point.step;
    show(progress, &point);
    if (interrupt_requested() && !done) {
        interrupt_hold(); /* until the end of the process: its last words are to be these */
        STATUS_TRY(keep(progress));
        const char *checkpoint = progress->request->checkpoint;
        return checkpoint != NULL
                   ? status_make(STATUS_INTERRUPTED,
                                 "interrupted; the same command with --resume goes on from %.200s",
                                 checkpoint)
                   : status_make(STATUS_INTERRUPTED,
                                 "interrupted; without --checkpoint nothing is kept");
    }
    return done || clock_now() - progress->kept >= checkpoint_interval ? keep(progress)
                                                                       : status_ok();
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
