/* Training; the command `bench train`; the image sets that train and recognise read. */

#include "apps.h"
#include "options.h"
#include "recognise_internal.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm.h"
#include "axis.h"
#include "clock.h"
#include "harness.h"
#include "image_sets.h"
#include "interrupt.h"
#include "number.h"
#include "output.h"
#include "registry.h"
#include "size_spec.h"
#include "status.h"
#include "table.h"
#include "text.h"
#include "variant.h"
#include "workload.h"

/* === Image set ================================================================================ */

enum { IMAGE_SET_SYNTHETIC = 1000, IMAGE_SET_SIDE = 28 };

static Status load(const ImageSetRequest *request, Workload *workload) {
    if (request->path != NULL) {
        input_name_of_path(request->path, workload->input);
        return image_set_read(request->path, request->labels, request->images, &workload->image,
                              &workload->set);
    }
    snprintf(workload->input, sizeof workload->input, "%s", request->synthetic);
    return image_set_synthetic(
        request->synthetic, request->images > 0 ? request->images : IMAGE_SET_SYNTHETIC,
        IMAGE_SET_SIDE, IMAGE_SET_SIDE, request->seed, &workload->image, &workload->set);
}

Status image_set_load(const ImageSetRequest *request, Workload *workload) {
    *workload = (Workload){
        .struct_bytes = sizeof(Workload), .kind = WORKLOAD_IMAGE_SET, .seed = request->seed};
    STATUS_TRY(load(request, workload));
    snprintf(workload->size_name, sizeof workload->size_name, "%" PRId32, workload->set.count);
    workload->hash = image_set_hash(&workload->image, &workload->set);
    return status_ok();
}

/* === Set options ============================================================================== */

Status set_image_count(const Option *option, const char *value, void *options) {
    return set_images_parse(value, (int32_t *)((unsigned char *)options + option->member));
}

Status set_options_check(const char *command, const ImageSetRequest *set) {
    if ((set->path == NULL) == (set->synthetic == NULL)) {
        return status_make(
            STATUS_USAGE,
            "%s: name %s image set: an IDX file or a folder of images, or --synthetic KIND",
            command, set->path == NULL ? "an" : "one");
    }
    if (set->labels != NULL && set->synthetic != NULL) {
        return status_make(STATUS_USAGE, "--labels: synthetic sets have labels of their own");
    }
    return status_ok();
}

/* === Training plan ============================================================================ */

/* Training plan: a request with every option checked. */

typedef struct TrainingPlan {
    const Algorithm *algorithm;
    const Variant *variant;
    const Workload *workload;
    Point answer; /* of any digit */
    Point tuning;
    TrainingFacts facts;
} TrainingPlan;

enum { PROOF_ROUNDS = 5, PROOF_CANDIDATES = 50 };

/* --- Axes ------------------------------------------------------------------------------------- */

static void set_number(Point *point, const char *name, int64_t number) {
    for (size_t i = 0; i < point->count; i++) {
        if (strcmp(point->axes[i]->name, name) == 0) {
            AxisValue *value = &point->values[i];
            value->number = number;
            snprintf(value->text, sizeof value->text, "%" PRId64, number);
        }
    }
}

/* The answer point of a digit. */
static Point point_of_digit(const TrainingPlan *plan, int32_t digit) {
    Point point = plan->answer;
    set_number(&point, "digit", digit);
    return point;
}

/* A point that is quick to compute, for the proof of the variant: few rounds and candidates. */
static Point point_of_proof(const TrainingPlan *plan) {
    const TrainingFacts *facts = &plan->facts;
    Point point = point_of_digit(plan, facts->digits[0]);
    set_number(&point, "rounds", facts->rounds < PROOF_ROUNDS ? facts->rounds : PROOF_ROUNDS);
    set_number(&point, "candidates",
               facts->candidates < PROOF_CANDIDATES ? facts->candidates : PROOF_CANDIDATES);
    return point;
}

static Status set_points(const TrainRequest *request, TrainingPlan *plan) {
    const Workload *workload = plan->workload;
    STATUS_TRY(default_point(plan->algorithm->answer, workload, &plan->answer));
    STATUS_TRY(default_point(plan->variant->tuning, workload, &plan->tuning));
    const struct {
        const char *name, *text;
    } given[] = {{"rounds", request->rounds},
                 {"candidates", request->candidates},
                 {"min-side", request->min_side},
                 {"threshold", request->threshold}};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        if (given[i].text != NULL) {
            STATUS_TRY(point_set(given[i].name, given[i].text, workload, &plan->answer));
        }
    }
    if (request->threads == NULL) {
        return status_ok();
    }
    return point_value(&plan->tuning, "threads") != NULL
               ? point_set("threads", request->threads, workload, &plan->tuning)
               : status_make(STATUS_USAGE, "--threads: %s has no such axis", plan->variant->name);
}

/* --- Digits ----------------------------------------------------------------------------------- */

static void count_labels(const ImageSet *set, int32_t counts[RECOGNISER_DIGITS_MAX]) {
    memset(counts, 0, RECOGNISER_DIGITS_MAX * sizeof *counts);
    for (int32_t i = 0; i < set->count; i++) {
        counts[set->labels[i]]++;
    }
}

/* The axis allows 0 to 255. */
static Status list_digits(const char *list, TrainingPlan *plan) {
    TrainingFacts *facts = &plan->facts;
    AxisValues *values = calloc(1, sizeof *values);
    STATUS_MEMORY(values, "for the list of digits");
    const Axis *axis = axis_in_list(plan->algorithm->answer, "digit");
    const Status status = axis_parse(axis, list, plan->workload, values);
    for (size_t i = 0; status_is_ok(&status) && i < values->count; i++) {
        facts->digits[facts->digit_count++] = (uint8_t)values->values[i].number;
    }
    free(values);
    return status;
}

/* Each digit needs images of it and images of others. */
static Status check_digits(const Workload *workload, const TrainingFacts *facts,
                           const int32_t counts[RECOGNISER_DIGITS_MAX]) {
    for (size_t i = 0; i < facts->digit_count; i++) {
        const int32_t digit = facts->digits[i];
        if (counts[digit] == 0 || counts[digit] == workload->set.count) {
            return status_make(STATUS_USAGE,
                               "%s of the %" PRId32 " images of %.100s is labelled %" PRId32
                               "; a training needs images of a digit and images of others",
                               counts[digit] == 0 ? "none" : "each", workload->set.count,
                               workload->input, digit);
        }
    }
    return status_ok();
}

static Status choose_digits(const char *list, TrainingPlan *plan) {
    const Workload *workload = plan->workload;
    int32_t counts[RECOGNISER_DIGITS_MAX];
    count_labels(&workload->set, counts);
    for (int32_t i = 0; list == NULL && i < RECOGNISER_DIGITS_MAX; i++) {
        if (counts[i] > 0) {
            plan->facts.digits[plan->facts.digit_count++] = (uint8_t)i;
        }
    }
    if (list != NULL) {
        STATUS_TRY(list_digits(list, plan));
    }
    return check_digits(workload, &plan->facts, counts);
}

/* ---------------------------------------------------------------------------------------------- */

static void note_facts(TrainingPlan *plan) {
    TrainingFacts *facts = &plan->facts;
    const Workload *workload = plan->workload;
    facts->width = workload->set.width;
    facts->height = workload->set.height;
    facts->images = workload->set.count;
    facts->hash = workload->hash;
    facts->seed = workload->seed;
    facts->rounds = (int32_t)point_integer(&plan->answer, "rounds", 0);
    facts->candidates = (int32_t)point_integer(&plan->answer, "candidates", 0);
    facts->min_side = (int32_t)point_integer(&plan->answer, "min-side", 0);
    facts->threshold = (int32_t)point_integer(&plan->answer, "threshold", 0);
    text_visible(workload->input, facts->input, sizeof facts->input);
    snprintf(facts->variant, sizeof facts->variant, "%s", plan->variant->name);
}

/* Errors as train() has them. */
static Status training_plan_make(const TrainRequest *request, const Workload *workload,
                                 TrainingPlan *plan) {
    *plan = (TrainingPlan){.workload = workload, .algorithm = registry_find_algorithm("adaboost")};
    if (workload->set.labels == NULL) {
        return status_make(STATUS_USAGE, "%.200s has no labels; give a file of them with --labels",
                           workload->input);
    }
    STATUS_TRY(one_answer_variant(plan->algorithm, request->variant, &plan->variant));
    STATUS_TRY(set_points(request, plan));
    STATUS_TRY(choose_digits(request->digits, plan));
    note_facts(plan);
    return status_ok();
}

/* === Training print =========================================================================== */

static void add_classifier(TextTable *table, const Classifier *classifier, int32_t images) {
    const Stump *last = &classifier->stumps[classifier->count - 1];
    char wrong[SIGNIFICANT_SIZE];
    percent_text((double)(last->misses + last->false_alarms) / images, 2, wrong);
    text_table_put(table, "%" PRId32, classifier->digit);
    text_table_put(table, "%zu", classifier->count);
    text_table_put(table, "%s", wrong);
    text_table_put(table, "%" PRId64, last->misses);
    text_table_put(table, "%" PRId64, last->false_alarms);
}

Status training_print(FILE *stream, const Recogniser *recogniser) {
    const TrainingFacts *facts = &recogniser->facts;
    TextTable table = TEXT_TABLE(NUMBERS("digit"), NUMBERS("stumps"), NUMBERS("training error"),
                                 NUMBERS("misses"), NUMBERS("false alarms"));
    visible_line(stream,
                 "adaboost, %s: %" PRId32 " images of %" PRId32 "×%" PRId32 " pixels, %s; %" PRId32
                 " candidates",
                 facts->variant, facts->images, facts->width, facts->height, facts->input,
                 facts->candidates);
    fputc('\n', stream);
    for (size_t i = 0; i < recogniser->count; i++) {
        add_classifier(&table, &recogniser->classifiers[i], facts->images);
    }
    return text_table_end(&table, stream, table_print);
}

/* === Training ================================================================================= */

typedef struct TrainingRun {
    TrainingPlan plan;
    Checkpoint checkpoint;
    Progress progress;
    Recogniser *recogniser;
    StumpTable table; /* of the digit under way */
} TrainingRun;

static Classifier *under_way(const TrainingRun *run) {
    return &run->recogniser->classifiers[run->recogniser->count - 1];
}

/* A line about the last round of the digit under way. */
static void show_round(TrainingRun *run, size_t done) {
    char what[120];
    const TrainingFacts *facts = &run->plan.facts;
    const Classifier *classifier = under_way(run);
    const Stump *last = &classifier->stumps[classifier->count - 1];
    const double wrong = (double)(last->misses + last->false_alarms) / facts->images;
    snprintf(what, sizeof what,
             "digit %" PRId32 ", round %zu of %" PRId32 ", training error %.2f%%",
             classifier->digit, classifier->count, facts->rounds, 100 * wrong);
    progress_steps(&run->progress, done, what);
}

/* --- One digit -------------------------------------------------------------------------------- */

/* Also called for a round that is abandoned: the recogniser has the rounds before it. The process
 * stays held until it has ended. */
static Status stop(void *context) {
    TrainingRun *run = context;
    Recogniser *recogniser = run->recogniser;
    progress_end(&run->progress);
    if (recogniser->count > 0 && under_way(run)->count == 0) {
        recogniser->count--;
    }
    if (recogniser->count == 0) {
        return status_make(STATUS_INTERRUPTED, "interrupted before there was anything to keep");
    }
    STATUS_TRY(checkpoint_write(&run->checkpoint, recogniser));
    return status_make(
        STATUS_INTERRUPTED,
        "interrupted; the progress is in %.200s, and the same command continues from "
        "there",
        run->checkpoint.path);
}

static const double checkpoint_interval = 1; /* seconds, at least */

static Status keep_round(void *context, size_t done) {
    TrainingRun *run = context;
    const ImageSet *set = &run->plan.workload->set;
    interrupt_hold();
    STATUS_TRY(stump_table_read(&run->table, done, set->width, set->height, under_way(run)));
    show_round(run, run->progress.done + 1);
    if (interrupt_requested()) {
        return stop(run);
    }
    const Status status = write_is_due(&run->checkpoint.writes, checkpoint_interval, clock_now())
                              ? checkpoint_write(&run->checkpoint, run->recogniser)
                              : status_ok();
    interrupt_release();
    return status;
}

/* From the rounds on that the classifier has. */
static Status boost(TrainingRun *run, const Point *answer, const Output *output) {
    const ImageSet *set = &run->plan.workload->set;
    Classifier *classifier = under_way(run);
    const Steps steps = {.struct_bytes = sizeof(Steps),
                         .done = classifier->count,
                         .finished = keep_round,
                         .context = run};
    const Request request = {.struct_bytes = sizeof(Request),
                             .workload = run->plan.workload,
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
    const Point answer = point_of_digit(plan, under_way(run)->digit);
    OutputLayout layout = STRUCT_OF(OutputLayout, .count = 0);
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
    Progress *progress = &run->progress;
    char what[48];
    snprintf(what, sizeof what, "digit %" PRId32 ", sorting its candidates", classifier->digit);
    progress_show(progress, what, NULL);
    if (!is_trained(run, classifier)) {
        STATUS_TRY(train_on(run));
    }
    if (classifier->count == 0) {
        return status_make(STATUS_NO_MATCH,
                           "no feature separates digit %" PRId32
                           " from the rest better than chance; give more images, more "
                           "--candidates or a smaller --min-side",
                           classifier->digit);
    }
    const size_t left_out = (size_t)run->plan.facts.rounds - classifier->count;
    progress->total -= left_out;
    progress_leave_out(progress, (double)left_out);
    show_round(run, progress->done);
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
    /* A classifier before the last one may have ended before its last round. */
    for (size_t i = 0; i < recogniser->count; i++) {
        const bool followed = i + 1 < recogniser->count;
        *done += followed ? (size_t)facts->rounds : recogniser->classifiers[i].count;
    }
    if (recogniser->count > 0) {
        visible_line(
            request->notes, "continues from %s: digit %" PRId32 ", %zu of %" PRId32 " rounds",
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

/* What a training takes is asked of several GPUs, whose own start takes as long. */
static void note_time(const TrainRequest *request, size_t rounds, double seconds) {
    char text[NUMBER_WORDS_SIZE];
    if (!request->quiet && rounds > 0) {
        seconds_text(seconds, text);
        visible_line(request->notes, "%zu rounds in %s, with sorting the candidates", rounds, text);
    }
}

Status train(const TrainRequest *request, const Workload *workload, Recogniser *recogniser) {
    TrainingRun run = {.recogniser = recogniser};
    size_t done;
    recogniser->count = 0;
    STATUS_TRY(checkpoint_name(request->model, &run.checkpoint));
    STATUS_TRY(training_plan_make(request, workload, &run.plan));
    recogniser->facts = run.plan.facts;
    STATUS_TRY(resume(request, &run, &done));
    const Point proof = point_of_proof(&run.plan);
    STATUS_TRY(one_answer_prove(run.plan.algorithm, run.plan.variant, &proof));
    const size_t total = recogniser->facts.digit_count * (size_t)recogniser->facts.rounds;
    progress_start(&run.progress, request->notes, total, total - done, request->quiet);
    run.progress.done = done;
    interrupt_on_abandon(stop, &run);
    const double started = clock_now();
    const Status status = train_digits(&run);
    interrupt_on_abandon(NULL, NULL);
    progress_end(&run.progress);
    STATUS_TRY(status);
    note_time(request, run.progress.done - done, clock_now() - started);
    STATUS_TRY(recogniser_write(request->model, RECOGNISER_FILE, recogniser));
    checkpoint_remove(&run.checkpoint);
    return status_ok();
}

/* === Options ================================================================================== */

typedef struct TrainOptions {
    ImageSetRequest set;
    TrainRequest request;
    const char *images; /* folder; NULL: none */
} TrainOptions;

static Status check(void *of, const OptionsGiven *given) {
    const TrainOptions *options = of;
    STATUS_TRY(set_options_check(given->command->name, &options->set));
    return options->request.model != NULL
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "train: name the file that the model goes to, as in --model "
                             "digits.json");
}

#define MEMBER(name) .member = offsetof(TrainOptions, name)

static const TrainOptions defaults = {.set = {.seed = 1}};

static const Option option_rows[] = {
    {NULL, "IMAGES", NULL, .kind = OPTION_INPUT, MEMBER(set.path)},
    {"synthetic", "KIND", "train on a synthetic set instead, such as digits; 28×28 pixels",
     .kind = OPTION_WORD, MEMBER(set.synthetic), .words = synthetic_set_kinds,
     .noun = "kind of synthetic set"},
    {"labels", "FILE",
     "IDX file of labels. Default: the one beside the images that is named like theirs, or the "
     "names of the folders that they are in",
     .kind = OPTION_INPUT, MEMBER(set.labels)},
    {"images", "N", "train on the first N images. Default: all, or 1000 synthetic ones",
     .kind = OPTION_HANDLED, .handle = set_image_count, MEMBER(set.images)},
    ORIENT_OPTION(.group = NULL),
    {"digits", "LIST", "labels to train a classifier for, as 0..9 or 3,8. Default: all that occur",
     .takes = TAKES_LIST, .kind = OPTION_TEXT, MEMBER(request.digits)},
    {"rounds", "N", "stumps of each classifier. Default: 100", .kind = OPTION_TEXT,
     MEMBER(request.rounds)},
    {"candidates", "N",
     "features that stumps are chosen from; bench list --algo adaboost has the default",
     .kind = OPTION_TEXT, MEMBER(request.candidates)},
    {"min-side", "N", "least side of a feature, pixels. Default: 4", .kind = OPTION_TEXT,
     MEMBER(request.min_side)},
    {"threshold", "N",
     "a feature is a candidate when haar keeps it at this threshold; bench list --algo adaboost "
     "has the default",
     .kind = OPTION_TEXT, MEMBER(request.threshold)},
    {"seed", "N", "seed of the choice of candidates, and of synthetic sets. Default: 1",
     .kind = OPTION_WHOLE, MEMBER(set.seed), .most = UINT64_MAX},
    {"variant", "NAME",
     "variant of adaboost that trains; bench list --algo adaboost names them. Default: the best "
     "CPU variant",
     .kind = OPTION_TEXT, MEMBER(request.variant)},
    {"threads", "N", "CPU threads, where the variant has that axis. Default: all",
     .kind = OPTION_TEXT, MEMBER(request.threads)},
    {"model", "FILE", "JSON file to write; needed", .kind = OPTION_OUTPUT, MEMBER(request.model)},
    {"pictures", "DIR",
     "draw the ten features of largest weight over the mean image of each digit: digit-<n>.png, "
     "and all in digits.png, into a folder that is made",
     .kind = OPTION_FOLDER, MEMBER(images)},
    {"fresh", NULL, "start from the beginning where FILE.checkpoint has an interrupted training",
     .kind = OPTION_SET, MEMBER(request.fresh)},
    {"quiet", NULL, "no progress on standard error", .kind = OPTION_SET, MEMBER(request.quiet)},
    OPTIONS_END};

/* === Command train ============================================================================ */

/* The table is printed first, so that images that cannot be written do not lose it. */
static Status report(const TrainOptions *options, const Workload *set,
                     const Recogniser *recogniser) {
    STATUS_TRY(training_print(stdout, recogniser));
    putchar('\n');
    visible_line(stdout, "model: %s", options->request.model);
    return options->images != NULL ? feature_images_write(options->images, recogniser, set)
                                   : status_ok();
}

static Status run_on(const TrainOptions *options, const Workload *set) {
    Recogniser recogniser;
    STATUS_TRY(command_files_check(&command_train, options));
    Status status = train(&options->request, set, &recogniser);
    STATUS_THEN(status, report(options, set, &recogniser));
    recogniser_release(&recogniser);
    return status;
}

static Status run(Invocation *given, void *of) {
    TrainOptions *options = of;
    Workload set;
    (void)given;
    options->request.notes = stderr;
    STATUS_TRY(image_set_load(&options->set, &set));
    const Status status = run_on(options, &set);
    workload_release(&set);
    return status;
}

const Command command_train = {
    .name = "train",
    .family = APP_FAMILY,
    .summary = "train a recogniser of digits on labelled images",
    .usage = "bench app train IMAGES --model FILE [options]\n"
             "bench app train --synthetic digits --model FILE [options]\n",
    .about = "Trains a recogniser: for each digit a classifier of that digit against the rest, by "
             "AdaBoost over decision stumps on Haar-like features (the algorithm adaboost). "
             "IMAGES is an IDX file, plain or gzip, or a folder of images of one size. The "
             "progress is stored in FILE.checkpoint; the same command after an interruption "
             "continues from there and gives the same model. A variant is first compared with "
             "the sequential one on a small set.",
    .examples =
        "bench app train train-images-idx3-ubyte.gz --model digits.json --rounds 200\n"
        "bench app train train-images-idx3-ubyte.gz --model digits.json --variant cuda_fast "
        "--pictures features\n"
        "bench app train --synthetic digits --images 2000 --digits 3,8 --model two.json\n",
    .words = "one image set",
    .rows = option_rows,
    .size = sizeof(TrainOptions),
    .defaults = &defaults,
    .check = check,
    .run = run,
    .measures = true,
};
