#include "training.h"

#include <inttypes.h>
#include <string.h>

#include "answer_proof.h"
#include "checkpoint.h"
#include "clock.h"
#include "interrupt.h"
#include "one_answer.h"
#include "recogniser_file.h"
#include "stump_table.h"
#include "training_plan.h"
#include "training_progress.h"
#include "verify.h"
#include "visible.h"

typedef struct TrainingRun {
    TrainingPlan plan;
    Checkpoint checkpoint;
    TrainingProgress progress;
    Recogniser *recogniser;
    StumpTable table; /* of the digit under way */
} TrainingRun;

static Classifier *under_way(const TrainingRun *run) {
    return &run->recogniser->classifiers[run->recogniser->count - 1];
}

/* --- One digit -------------------------------------------------------------------------------- */

/* Also of a round that is abandoned: the recogniser has those before it. The process is held until
 * it has ended. */
static Status stop(void *context) {
    TrainingRun *run = context;
    Recogniser *recogniser = run->recogniser;
    if (recogniser->count > 0 && under_way(run)->count == 0) {
        recogniser->count--;
    }
    if (recogniser->count == 0) {
        return status_make(STATUS_INTERRUPTED, "interrupted before there was anything to keep");
    }
    STATUS_TRY(checkpoint_write(&run->checkpoint, recogniser));
    return status_make(STATUS_INTERRUPTED,
                       "interrupted; %.200s keeps what is done, and the same command goes on from "
                       "there",
                       run->checkpoint.path);
}

static Status take_round(void *context, size_t done) {
    TrainingRun *run = context;
    const ImageSet *set = &run->plan.workload->set;
    interrupt_hold();
    STATUS_TRY(stump_table_read(&run->table, done, set->width, set->height, under_way(run)));
    training_progress_round(&run->progress, under_way(run));
    if (interrupt_requested()) {
        return stop(run);
    }
    const Status status = checkpoint_is_due(&run->checkpoint, clock_now())
                              ? checkpoint_write(&run->checkpoint, run->recogniser)
                              : status_ok();
    interrupt_release();
    return status;
}

/* From the rounds on that the classifier has. */
static Status boost(TrainingRun *run, const Point *answer, const Output *output) {
    const ImageSet *set = &run->plan.workload->set;
    Classifier *classifier = under_way(run);
    const Steps steps = {.done = classifier->count, .finished = take_round, .context = run};
    const Request request = {.workload = run->plan.workload,
                             .answer = answer,
                             .tuning = &run->plan.tuning,
                             .output = output,
                             .steps = &steps};
    STATUS_TRY(stump_table_find(output, &run->table));
    answer_poison(output, POISON_CANDIDATE);
    stump_table_fill(&run->table, classifier);
    STATUS_TRY(one_answer_run(run->plan.variant, &request));
    interrupt_hold();
    const Status status = stump_table_read(&run->table, (size_t)*run->table.count, set->width,
                                           set->height, classifier);
    interrupt_release();
    return status;
}

static Status train_on(TrainingRun *run) {
    const TrainingPlan *plan = &run->plan;
    const Point answer = training_plan_point(plan, under_way(run)->digit);
    OutputLayout layout = {.count = 0};
    Output output;
    STATUS_TRY(plan->algorithm->output_layout(plan->workload, &answer, &layout));
    STATUS_TRY(answer_alloc_guarded(&layout, &output));
    const Status status = boost(run, &answer, &output);
    answer_release_guarded(&output);
    return status;
}

static bool is_trained(const TrainingRun *run, const Classifier *classifier) {
    const size_t count = classifier->count;
    return count == (size_t)run->plan.facts.rounds ||
           (count > 0 && classifier->stumps[count - 1].error == 0);
}

static Status train_digit(TrainingRun *run) {
    const Classifier *classifier = under_way(run);
    training_progress_digit(&run->progress, classifier->digit);
    if (!is_trained(run, classifier)) {
        STATUS_TRY(train_on(run));
    }
    if (classifier->count == 0) {
        return status_make(STATUS_NO_MATCH,
                           "no feature tells digit %" PRId32
                           " from the rest better than chance; give more pictures, more "
                           "--candidates or a smaller --min-side",
                           classifier->digit);
    }
    training_progress_finish(&run->progress, classifier);
    interrupt_hold();
    const Status status = checkpoint_write(&run->checkpoint, run->recogniser);
    interrupt_release();
    return status;
}

/* --- All digits ------------------------------------------------------------------------------- */

/* What an earlier training left, and rounds that it has done. */
static Status resume(const TrainRequest *request, TrainingRun *run, size_t *done) {
    Recogniser *recogniser = run->recogniser;
    const TrainingFacts *facts = &recogniser->facts;
    *done = 0;
    if (!request->fresh) {
        STATUS_TRY(checkpoint_resume(&run->checkpoint, recogniser));
    }
    /* A classifier that another one follows may have ended before its last round. */
    for (size_t i = 0; i < recogniser->count; i++) {
        const bool followed = i + 1 < recogniser->count;
        *done += followed ? (size_t)facts->rounds : recogniser->classifiers[i].count;
    }
    if (recogniser->count > 0) {
        visible_line(
            request->notes, "goes on from %s: digit %" PRId32 ", %zu of %" PRId32 " rounds",
            run->checkpoint.path, under_way(run)->digit, under_way(run)->count, facts->rounds);
    }
    return status_ok();
}

static Status train_digits(TrainingRun *run) {
    Recogniser *recogniser = run->recogniser;
    const TrainingFacts *facts = &recogniser->facts;
    if (recogniser->count > 0) {
        STATUS_TRY(train_digit(run));
    }
    while (recogniser->count < facts->digit_count) {
        interrupt_hold();
        recogniser->classifiers[recogniser->count] =
            (Classifier){.digit = facts->digits[recogniser->count]};
        recogniser->count++;
        interrupt_release();
        STATUS_TRY(train_digit(run));
        if (interrupt_requested() && recogniser->count < facts->digit_count) {
            interrupt_hold();
            return stop(run);
        }
    }
    return status_ok();
}

Status train(const TrainRequest *request, const Workload *workload, Recogniser *recogniser) {
    TrainingRun run = {.recogniser = recogniser};
    size_t done;
    recogniser->count = 0;
    STATUS_TRY(checkpoint_name(request->model, &run.checkpoint));
    STATUS_TRY(training_plan_make(request, workload, &run.plan));
    recogniser->facts = run.plan.facts;
    STATUS_TRY(resume(request, &run, &done));
    const Point proof = training_plan_proof(&run.plan);
    STATUS_TRY(one_answer_prove(run.plan.algorithm, run.plan.variant, &proof));
    training_progress_start(&run.progress, request->notes, &recogniser->facts, done,
                            request->quiet);
    interrupt_on_abandon(stop, &run);
    const Status status = train_digits(&run);
    interrupt_on_abandon(NULL, NULL);
    training_progress_end(&run.progress);
    STATUS_TRY(status);
    STATUS_TRY(recogniser_write(request->model, RECOGNISER_FILE, recogniser));
    checkpoint_remove(&run.checkpoint);
    return status_ok();
}
