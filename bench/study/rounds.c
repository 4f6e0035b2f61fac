/* The steps of a study with a budget of time, launch by launch. */

#include "run_options.h"
#include "study_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "interrupt.h"

/* A step whose run gets further launches. */
typedef struct Refined {
    int launches; /* so far */
    double last;  /* seconds of the last one */
    bool ended;   /* it gets no further ones */
} Refined;

typedef struct Rounds {
    const Study *study;
    const StudySettings *settings;
    const bool *chosen;
    StepOutcome *outcomes;
    Refined *steps;
    double earlier; /* seconds of the budget that were spent before this process */
    double started; /* monotonic seconds */
    StepProgress progress;
} Rounds;

static double time_left(const Rounds *rounds) {
    return rounds->settings->budget - rounds->earlier - (clock_now() - rounds->started);
}

/* Steps that may get a further launch. */
static size_t count_open(const Rounds *rounds) {
    size_t count = 0;
    for (size_t i = 0; i < rounds->study->step_count; i++) {
        count += !rounds->steps[i].ended;
    }
    return count;
}

/* Whether a step gets no launch after these, whatever time is left. */
static bool has_ended(int launches, const StepOutcome *outcome) {
    return launches == 0 || launches >= BUDGET_LAUNCHES_MAX || outcome->state != STEP_DONE;
}

/* === The first launches ======================================================================= */

StudySettings study_first_settings(const Study *study, const StudySettings *settings,
                                   const bool *chosen) {
    StudySettings own = *settings;
    size_t count = 0;
    for (size_t i = 0; i < study->step_count; i++) {
        count += chosen[i] && study_step_has_launches(&study->steps[i], settings);
    }
    own.step_budget = settings->budget / (double)(count > 0 ? count : 1);
    own.step_launches = 1;
    return own;
}

/* Steps that an earlier process has measured are recalled. */
static Status run_first(Rounds *rounds, bool *interrupted) {
    const size_t count = rounds->study->step_count;
    const StudySettings own = study_first_settings(rounds->study, rounds->settings, rounds->chosen);
    bool *first = calloc(count, sizeof *first);
    double *prices = calloc(count, sizeof *prices);
    if (first == NULL || prices == NULL) {
        free(first);
        free(prices);
        return status_no_memory("for the steps of a study");
    }
    for (size_t i = 0; i < count; i++) {
        StepOutcome outcome = {.state = STEP_NOT_RUN};
        const Status recalled = step_recall(&rounds->study->steps[i], &own, &outcome);
        first[i] = rounds->chosen[i] &&
                   !(own.resume && status_is_ok(&recalled) && outcome.state == STEP_DONE);
        rounds->earlier += own.resume && rounds->chosen[i] ? outcome.elapsed_s : 0;
    }
    steps_progress_start(rounds->study, &own, first, prices, &rounds->progress.of_study);
    const Status status = steps_run(rounds->study, &own, first, prices, &rounds->progress,
                                    rounds->outcomes, interrupted);
    for (size_t i = 0; i < count; i++) {
        const StudyStep *step = &rounds->study->steps[i];
        const StepOutcome *outcome = &rounds->outcomes[i];
        const int launches = step_launches(step, &own);
        rounds->steps[i] =
            (Refined){.launches = launches,
                      .last = outcome->elapsed_s / (launches > 0 ? launches : 1),
                      .ended = !rounds->chosen[i] || !study_step_has_launches(step, &own) ||
                               has_ended(launches, outcome)};
    }
    free(prices);
    free(first);
    return status;
}

/* === The others =============================================================================== */

/* The open step with the fewest launches that has room for one more; SIZE_MAX: none has. */
static size_t next_step(const Rounds *rounds) {
    const double left = time_left(rounds);
    size_t next = SIZE_MAX;
    for (size_t i = 0; i < rounds->study->step_count; i++) {
        const Refined *step = &rounds->steps[i];
        if (!step->ended && step->last <= left &&
            (next == SIZE_MAX || step->launches < rounds->steps[next].launches)) {
            next = i;
        }
    }
    return next;
}

/* As many launches as there is time for, or without a limit the sixth of each. */
static void replan(Rounds *rounds) {
    Progress *progress = &rounds->progress.of_study;
    double each = 0, rest = 0;
    size_t wanted = 0;
    for (size_t i = 0; i < rounds->study->step_count; i++) {
        const Refined *step = &rounds->steps[i];
        const int missing = step->launches < BUDGET_LAUNCHES ? BUDGET_LAUNCHES - step->launches : 1;
        wanted += step->ended ? 0 : (size_t)missing;
        rest += step->ended ? 0 : missing * step->last;
    }
    each = wanted > 0 ? rest / (double)wanted : 0;
    const double left = fmin(rest, fmax(time_left(rounds), 0));
    progress_replan(progress, progress->done + (size_t)ceil(left / fmax(each, 1e-3)), left);
}

/* One more launch. A run that does not want one has ended. */
static Status refine(Rounds *rounds, size_t index, bool *interrupted) {
    const StudyStep *step = &rounds->study->steps[index];
    StepOutcome *outcome = &rounds->outcomes[index];
    Refined *refined = &rounds->steps[index];
    StudySettings own = *rounds->settings;
    const double before = outcome->elapsed_s;
    const double share = time_left(rounds) / (double)count_open(rounds);
    char name[128];
    own.resume = true;
    own.step_budget = before + fmax(share, refined->last);
    own.step_launches = refined->launches + 1;
    snprintf(name, sizeof name, "%.80s, launch %d", step->name, own.step_launches);
    rounds->progress.price = refined->last;
    replan(rounds);
    progress_show(&rounds->progress.of_study, name, NULL);
    const Status status = step_run(step, &own, &rounds->progress, outcome);
    *interrupted = outcome->code == EXIT_INTERRUPTED;
    if (!status_is_ok(&status) && !*interrupted) {
        return status;
    }
    const int launches = step_launches(step, &own);
    refined->ended = launches == refined->launches || has_ended(launches, outcome);
    refined->launches = launches;
    refined->last = outcome->elapsed_s - before;
    progress_done(&rounds->progress.of_study, refined->last);
    return status_ok();
}

static Status refine_all(Rounds *rounds, bool *interrupted) {
    Status status = status_ok();
    for (size_t next; status_is_ok(&status) && !*interrupted && !interrupt_requested() &&
                      (next = next_step(rounds)) != SIZE_MAX;) {
        status = refine(rounds, next, interrupted);
    }
    *interrupted |= interrupt_requested();
    return status;
}

Status study_rounds_run(const Study *study, const StudySettings *settings, const bool *chosen,
                        Status (*so_far)(void *context, const StepOutcome *outcomes), void *context,
                        StepOutcome *outcomes, bool *interrupted) {
    Rounds rounds = {.study = study,
                     .settings = settings,
                     .chosen = chosen,
                     .outcomes = outcomes,
                     .steps = calloc(study->step_count, sizeof *rounds.steps),
                     .started = clock_now()};
    STATUS_MEMORY(rounds.steps, "for the steps of a study");
    Status status = run_first(&rounds, interrupted);
    if (status_is_ok(&status) && !*interrupted && next_step(&rounds) != SIZE_MAX) {
        progress_pause(&rounds.progress.of_study);
        status = so_far(context, outcomes);
    }
    if (status_is_ok(&status) && !*interrupted) {
        status = refine_all(&rounds, interrupted);
    }
    progress_end(&rounds.progress.of_study);
    free(rounds.steps);
    return status;
}
