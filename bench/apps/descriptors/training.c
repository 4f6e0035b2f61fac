/* What trainings of descriptors share: loss curve, checkpoint, progress, and their commands,
 * `bench train-hashsift`, `bench train-bad` and `bench train-orb`. */

#include "apps.h"
#include "descriptors_internal.h"
#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "checkpoint.h"
#include "clock.h"
#include "datasets.h"
#include "descriptor_weights.h"
#include "files.h"
#include "harness.h"
#include "interrupt.h"
#include "paths.h"
#include "status.h"
#include "text.h"
#include "weights_files.h"
#include "workload.h"

/* === Learn curve ============================================================================== */

Status learn_curve_create(size_t room, LearnCurve *curve) {
    *curve = (LearnCurve){.points = malloc((room + 1) * sizeof *curve->points), .room = room};
    return curve->points != NULL ? status_ok()
                                 : status_no_memory("for a curve of %zu points", room);
}

void learn_curve_release(LearnCurve *curve) {
    free(curve->points);
    *curve = (LearnCurve){0};
}

void learn_curve_add(LearnCurve *curve, LearnCurvePoint point) {
    curve->points[curve->count++] = point;
}

static Status write_table(const char *path, const LearnCurve *curve) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    fputs("step,loss,share\n", file.stream);
    for (size_t i = 0; i < curve->count; i++) {
        const LearnCurvePoint *point = &curve->points[i];
        fprintf(file.stream, "%" PRIu64 ",%.9g,%.9g\n", point->step, point->loss, point->share);
    }
    return atomic_file_commit(&file);
}

/* What went to a pipe or a terminal has no folder for charts. */
static bool is_drawable(const char *path, const LearnCurve *curve) {
    struct stat facts;
    return curve->count >= 2 && stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
}

/* "charts/loss.csv" is drawn as loss.svg and loss.png in charts: the loss, and below it the share
 * of places whose triplet is not yet far enough apart. */
static Status draw(const char *path, const char *title, const LearnCurve *curve) {
    char folder[ATOMIC_FILE_PATH_SIZE];
    if (!is_drawable(path, curve)) {
        return status_ok();
    }
    STATUS_TRY(path_folder(path, folder, sizeof folder));
    const char *name = path_name(path);
    const char *dot = strrchr(name, '.');
    char stem[CHART_NAME_SIZE];
    const size_t length = dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name);
    snprintf(stem, sizeof stem, "%.*s", (int)length, name);
    LineChart *chart = line_chart_open(title, "step", false);
    line_chart_panel(chart, "loss", false);
    line_chart_line(chart, "loss", 0);
    for (size_t i = 0; i < curve->count; i++) {
        line_chart_point(chart, (double)curve->points[i].step, curve->points[i].loss);
    }
    line_chart_panel(chart, "too near others (%)", false);
    line_chart_line(chart, "share", 1);
    for (size_t i = 0; i < curve->count; i++) {
        line_chart_point(chart, (double)curve->points[i].step, 100 * curve->points[i].share);
    }
    return line_chart_draw(chart, folder, stem);
}

Status learn_curve_write(const char *path, const char *title, const LearnCurve *curve) {
    STATUS_TRY(write_table(path, curve));
    const Status status = draw(path, title, curve);
    if (status.code != STATUS_SKIP) {
        return status;
    }
    visible_line(stderr, "no chart of the curve: %s", status.why);
    return status_ok();
}

/* === Learn checkpoint ========================================================================= */

/* Before the points of the curve and the data. */
typedef struct Header {
    uint64_t facts, done, points, bytes;
} Header;

Status learn_checkpoint_write(const char *path, const LearnState *state) {
    const size_t points = state->curve->count;
    const Header header = {
        .facts = state->facts, .done = state->done, .points = points, .bytes = state->bytes};
    const CheckpointPart parts[] = {
        {.bytes = &header, .size = sizeof header},
        {.bytes = state->curve->points, .size = points * sizeof(LearnCurvePoint)},
        {.bytes = state->data, .size = state->bytes}};
    return checkpoint_file_write(path, state->training, parts, sizeof parts / sizeof parts[0]);
}

static Status restore(const char *path, const CheckpointFile *file, LearnState *state) {
    Header header = {.bytes = 0};
    memcpy(&header, file->bytes, file->size < sizeof header ? 0 : sizeof header);
    const size_t curve = (size_t)header.points * sizeof(LearnCurvePoint);
    if (header.facts != state->facts || header.bytes != state->bytes ||
        header.points > state->curve->room || file->size != sizeof header + curve + state->bytes) {
        return status_make(STATUS_USAGE,
                           "%.200s is of a training with other options or images; give it the "
                           "same, or leave --resume out to start from the beginning",
                           path);
    }
    if (curve > 0) {
        memcpy(state->curve->points, file->bytes + sizeof header, curve);
    }
    state->curve->count = (size_t)header.points;
    memcpy(state->data, file->bytes + sizeof header + curve, state->bytes);
    state->done = header.done;
    return status_ok();
}

Status learn_checkpoint_read(const char *path, LearnState *state) {
    CheckpointFile file;
    STATUS_TRY(checkpoint_file_read(path, state->training,
                                    "leave --resume out to start from the beginning", &file));
    const Status status = restore(path, &file, state);
    checkpoint_file_release(&file);
    return status;
}

/* === Learn progress =========================================================================== */

const double learn_checkpoint_interval = 10;

static Status keep(LearnProgress *progress, const LearnState *state) {
    const char *checkpoint = progress->request->checkpoint;
    const double began = clock_now();
    if (checkpoint == NULL) {
        return status_ok();
    }
    STATUS_TRY(learn_checkpoint_write(checkpoint, state));
    write_clock_count(&progress->writes, began, clock_now());
    return status_ok();
}

Status learn_interrupted(const LearnRequest *request, bool kept) {
    if (request->checkpoint == NULL) {
        return status_make(STATUS_INTERRUPTED, "interrupted; without --checkpoint nothing is kept");
    }
    return kept ? status_make(STATUS_INTERRUPTED,
                              "interrupted; the same command with --resume continues from %.200s",
                              request->checkpoint)
                : status_make(STATUS_INTERRUPTED, "interrupted before there was anything to keep");
}

static Status interrupted(LearnProgress *progress) {
    progress_end(&progress->progress);
    return learn_interrupted(progress->request, progress->reached.done > 0);
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
    STATUS_MEMORY(progress->reached.data, "for a checkpoint");
    note_reached(progress);
    return status_ok();
}

Status learn_progress_start(const LearnRequest *request, uint64_t steps, size_t points,
                            LearnState *state, LearnProgress *progress) {
    *progress = (LearnProgress){.request = request,
                                .state = state,
                                .steps = steps,
                                .writes = write_clock_start(clock_now())};
    STATUS_TRY(learn_curve_create(points, &progress->curve));
    state->curve = &progress->curve;
    if (request->resume) {
        STATUS_TRY(learn_checkpoint_read(request->checkpoint, state));
        visible_line(request->notes, "continues from %s: %" PRIu64 " of %" PRIu64 " steps",
                     request->checkpoint, state->done, steps);
    }
    progress_start(&progress->progress, request->notes, (size_t)steps,
                   (size_t)(steps - state->done), request->quiet);
    progress->progress.done = (size_t)state->done;
    STATUS_TRY(make_reached(progress));
    interrupt_on_abandon(keep_reached, progress);
    return status_ok();
}

void learn_progress_end(LearnProgress *progress, LearnCurve *curve) {
    interrupt_on_abandon(NULL, NULL);
    progress_end(&progress->progress);
    if (curve != NULL) {
        *curve = progress->curve;
        progress->curve = (LearnCurve){0};
    }
    learn_curve_release(&progress->curve);
    free(progress->reached.data);
    progress->reached.data = NULL;
}

static void show(LearnProgress *progress, const LearnCurvePoint *point) {
    char what[96];
    snprintf(what, sizeof what, "loss %.4f, %.1f%% of places not far enough from others",
             point->loss, 100 * point->share);
    progress_steps(&progress->progress, (size_t)point->step, what);
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
    const Status status =
        done || write_is_due(&progress->writes, learn_checkpoint_interval, clock_now())
            ? keep(progress, progress->state)
            : status_ok();
    interrupt_release();
    return status;
}

/* === Options ================================================================================== */

enum {
    BATCH_LEAST = 8,
    BATCH_MOST = 8192,
    CANDIDATE_TABLE = 512, /* candidates come in as many */
    CANDIDATES_MOST = 1 << 18,
    STEPS_MOST = 10000000
};

/* Bits of Option.scope. */
typedef enum LearnKind { LEARN_HASHSIFT = 1, LEARN_BAD = 2, LEARN_ORB = 4 } LearnKind;

enum { LEARN_IN_STEPS = LEARN_HASHSIFT | LEARN_BAD };

static Status check(void *of, const OptionsGiven *given) {
    LearnOptions *options = of;
    LearnRequest *request = &options->request;
    const char *command = given->command->name;
    request->bits = options->bits > 0 ? 256 * options->bits : request->bits;
    if (request->folder == NULL) {
        return status_make(STATUS_USAGE, "%s: name the folder of images to learn from", command);
    }
    if (request->out == NULL) {
        return status_make(STATUS_USAGE,
                           "%s: name the file that the weights go to, as in --out weights.csv",
                           command);
    }
    if (request->candidates % CANDIDATE_TABLE != 0) {
        return status_make(STATUS_USAGE, "--candidates: '%" PRId32 "' is no multiple of %d",
                           request->candidates, CANDIDATE_TABLE);
    }
    if (request->resume && request->checkpoint == NULL) {
        return status_make(STATUS_USAGE, "--resume: name the checkpoint to continue from, as in "
                                         "--checkpoint training.checkpoint");
    }
    if (options->against != NULL && options->verify == NULL) {
        return status_make(STATUS_USAGE,
                           "--against: name the images to verify on, as in --verify DIR");
    }
    return status_ok();
}

#define MEMBER(name) .member = offsetof(LearnOptions, name)

/* In steps of 256, as LearnOptions.bits counts them. */
static const char *const bits_words[] = {"256", "512", NULL};

static const LearnOptions defaults = {
    .request = {.seed = 1, .bits = 512, .steps = 3000, .batch = 512, .candidates = 8192}};

static const LearnOptions defaults_of_orb = {.request = {.seed = 1, .bits = 256}};

static const Option option_rows[] = {
    {NULL, "DIR", NULL, .kind = OPTION_INPUT, MEMBER(request.folder)},
    ORIENT_OPTION(.group = NULL),
    {"bits", "N", "bits of a descriptor, 256 or 512. Default: 512", .kind = OPTION_CHOICE,
     MEMBER(bits), .words = bits_words, .noun = "number of bits of a descriptor",
     .scope = LEARN_IN_STEPS},
    {"bits", "N", "bits of a descriptor, 256 or 512. Default: 256", .kind = OPTION_CHOICE,
     MEMBER(bits), .words = bits_words, .noun = "number of bits of a descriptor",
     .scope = LEARN_ORB},
    {"steps", "N", "batches to learn from. Default: 3000", .kind = OPTION_WHOLE,
     MEMBER(request.steps), .least = 1, .most = STEPS_MOST, .scope = LEARN_HASHSIFT},
    {"batch", "N", "places in a batch, from 16 images. Default: 512", .kind = OPTION_INT,
     MEMBER(request.batch), .least = BATCH_LEAST, .most = BATCH_MOST, .scope = LEARN_HASHSIFT},
    {"without", "LIST",
     "parts of the training to leave out: negatives (another place is drawn at random instead of "
     "the hardest), swap (of anchor and positive), augmentation (views by homographies alone). "
     "Default: none",
     .kind = OPTION_WORDS, MEMBER(request.without), .words = learn_part_words, .noun = "part",
     .scope = LEARN_HASHSIFT},
    {"candidates", "N",
     "tests that the bits of the descriptor are chosen from, a multiple of 512. Default: 8192",
     .kind = OPTION_INT, MEMBER(request.candidates), .least = CANDIDATE_TABLE,
     .most = CANDIDATES_MOST, .scope = LEARN_BAD},
    {"seed", "N", "seed of everything random. Default: 1", .kind = OPTION_WHOLE,
     MEMBER(request.seed), .most = UINT64_MAX},
    {"out", "FILE", "weights to write; needed", .kind = OPTION_OUTPUT, MEMBER(request.out)},
    {"checkpoint", "FILE",
     "file that stores the progress, about every ten seconds and when the training is interrupted",
     .kind = OPTION_OUTPUT, MEMBER(request.checkpoint)},
    {"resume", NULL,
     "continue from the checkpoint; the weights are those of a training that was not interrupted",
     .kind = OPTION_SET, MEMBER(request.resume)},
    {"curve", "FILE", "write the loss of each step as CSV, and draw a chart of it beside it",
     .kind = OPTION_OUTPUT, MEMBER(request.curve), .scope = LEARN_IN_STEPS},
    {"verify", "DIR",
     "folder of other images, on which the weights are compared with random ones: false-positive "
     "rate at 95% recall and matching score",
     .kind = OPTION_INPUT, MEMBER(verify)},
    {"against", "FILE", "other weights to verify as well", .kind = OPTION_INPUT, MEMBER(against)},
    {"quiet", NULL, "no progress on standard error", .kind = OPTION_SET, MEMBER(request.quiet)},
    OPTIONS_END};

/* === Learning ================================================================================= */

typedef Status LearnFunction(const LearnRequest *request, const ImageFolder *folder,
                             Weights *weights, LearnCurve *curve);

static const struct {
    const char *kind;
    LearnFunction *learn;
} learners[] = {
    [LEARN_HASHSIFT] = {WEIGHTS_HASHSIFT, learn_hashsift},
    [LEARN_BAD] = {WEIGHTS_BAD, learn_bad},
    [LEARN_ORB] = {WEIGHTS_ORB, learn_orb},
};

static Status read_against(const char *path, const char *kind, Weights *against) {
    STATUS_TRY(weights_read(path, weights_kinds(), against));
    if (strcmp(against->kind, kind) != 0) {
        const Status status =
            status_make(STATUS_USAGE, "--against: %.200s holds weights of %s; name some of %s",
                        path, against->kind, kind);
        weights_free(against);
        return status;
    }
    return status_ok();
}

/* Every option that affects the weights. */
static void describe(LearnKind kind, const LearnRequest *request, const ImageFolder *folder,
                     char *text, size_t size) {
    snprintf(text, size,
             "learnt from %" PRId32 " pictures by bench train-%s --bits %" PRId32
             " --seed %" PRIu64,
             folder->count, learners[kind].kind, request->bits, request->seed);
    if (kind == LEARN_HASHSIFT) {
        text_append(text, size, " --steps %" PRIu64 " --batch %" PRId32, request->steps,
                    request->batch);
    } else if (kind == LEARN_BAD) {
        text_append(text, size, " --candidates %" PRId32, request->candidates);
    }
    if (image_read_is_as_stored()) {
        text_append(text, size, " --no-orient");
    }
    const char *before = " --without ";
    for (int i = 0; i < LEARN_PARTS; i++) {
        if (learn_is_without(request->without, (LearnPart)i)) {
            text_append(text, size, "%s%s", before, learn_part_words[i]);
            before = ",";
        }
    }
}

static Status write_weights(LearnKind kind, const LearnRequest *request, const ImageFolder *folder,
                            const Weights *weights) {
    char comment[256];
    describe(kind, request, folder, comment, sizeof comment);
    STATUS_TRY(weights_write(request->out, weights, comment));
    visible_line(stdout, "weights: %s", request->out);
    return status_ok();
}

/* The weights are first: hours of training are not thrown away for a curve. */
static Status write_files(LearnKind kind, const LearnRequest *request, const ImageFolder *folder,
                          const Weights *weights, const LearnCurve *curve) {
    char title[WORKLOAD_NAME_SIZE];
    STATUS_TRY(write_weights(kind, request, folder, weights));
    if (request->curve == NULL) {
        return status_ok();
    }
    input_name_of_path(request->out, title);
    return learn_curve_write(request->curve, title, curve);
}

static Status learn(LearnKind kind, const LearnRequest *request, Weights *weights) {
    ImageFolder folder;
    LearnCurve curve = {0};
    Status status = image_folder_load(request->folder, request->notes, &folder);
    STATUS_THEN(status, learners[kind].learn(request, &folder, weights, &curve));
    if (status_is_ok(&status)) {
        status = write_files(kind, request, &folder, weights, &curve);
        if (!status_is_ok(&status)) {
            weights_free(weights);
        }
    }
    learn_curve_release(&curve);
    image_folder_release(&folder);
    return status;
}

static Status verify(const LearnOptions *options, const Weights *trained, const Weights *against) {
    ImageFolder folder;
    Verification verification = {0};
    Status status = image_folder_load(options->verify, options->request.notes, &folder);
    STATUS_THEN(status, verification_make(&folder, &verification));
    STATUS_THEN(status, verification_print(stdout, &verification, trained, against));
    verification_release(&verification);
    image_folder_release(&folder);
    return status;
}

static Status run(const Command *command, LearnOptions *options) {
    const LearnKind kind = (LearnKind)command->scope;
    Weights weights, against = {0};
    options->request.notes = stderr;
    STATUS_TRY(command_files_check(command, options));
    if (options->against != NULL) {
        STATUS_TRY(read_against(options->against, learners[kind].kind, &against));
    }
    Status status = learn(kind, &options->request, &weights);
    if (status_is_ok(&status)) {
        if (interrupt_requested()) {
            /* While the curve was drawn: the weights are kept. */
            status = status_make(STATUS_INTERRUPTED, "interrupted; the weights are written");
        } else if (options->verify != NULL) {
            status = verify(options, &weights, options->against != NULL ? &against : NULL);
        }
        weights_free(&weights);
    }
    weights_free(&against);
    return status;
}

static Status run_hashsift(Invocation *given, void *options) {
    (void)given;
    return run(&command_train_hashsift, options);
}

static Status run_bad(Invocation *given, void *options) {
    (void)given;
    return run(&command_train_bad, options);
}

static Status run_orb(Invocation *given, void *options) {
    (void)given;
    return run(&command_train_orb, options);
}

const Command command_train_hashsift = {
    .name = "train-hashsift",
    .family = APP_FAMILY,
    .summary = "learn the projection of hashsift's descriptors from images",
    .usage = "bench app train-hashsift DIR --out FILE [options]",
    .about = "Learns the projection of hashsift's descriptors from the images of a folder. Views "
             "of each are made by random homographies, blur, light and noise, so it is known "
             "which places are the same. The projection learns to give the same place the same "
             "bits and different places different ones: triplets with the hardest negative of a "
             "batch, a margin, and tanh in place of the sign.",
    .examples =
        "bench app train-hashsift images --bits 256 --out hashsift-256.csv --curve loss.csv\n"
        "bench app train-hashsift images --out w.csv --checkpoint w.checkpoint --verify others\n"
        "bench app train-hashsift images --out w.csv --checkpoint w.checkpoint --resume\n",
    .words = "one folder of images",
    .rows = option_rows,
    .scope = LEARN_HASHSIFT,
    .size = sizeof(LearnOptions),
    .defaults = &defaults,
    .check = check,
    .run = run_hashsift,
};

const Command command_train_bad = {
    .name = "train-bad",
    .family = APP_FAMILY,
    .summary = "learn the box pairs of bad's descriptors from images",
    .usage = "bench app train-bad DIR --out FILE [options]",
    .about = "Chooses the box pairs and thresholds of bad's descriptors on the images of a folder. "
             "Views of each are made by random homographies, blur, light and noise, so it is "
             "known which places are the same. Of many random tests those are chosen, one after "
             "the other, that best separate the places that are still confused.",
    .examples = "bench app train-bad images --bits 256 --out bad-256.csv --curve loss.csv\n"
                "bench app train-bad images --out bad-512.csv --candidates 16384 --verify others\n",
    .words = "one folder of images",
    .rows = option_rows,
    .scope = LEARN_BAD,
    .size = sizeof(LearnOptions),
    .defaults = &defaults,
    .check = check,
    .run = run_bad,
};

const Command command_train_orb = {
    .name = "train-orb",
    .family = APP_FAMILY,
    .summary = "learn the pairs of orb's descriptors from images",
    .usage = "bench app train-orb DIR --out FILE [options]",
    .about =
        "Chooses the pairs of positions of orb's descriptors on the images of a folder, as the "
        "ORB paper does. Of all pairs of 5×5 windows of a patch that do not overlap, 205,590, "
        "those are chosen that are most often 1 at half of the patches and correlate least "
        "with those chosen before: the largest correlation is raised until there are enough.",
    .examples = "bench app train-orb images --out orb-256.csv\n"
                "bench app train-orb images --out orb-256.csv --verify others\n",
    .words = "one folder of images",
    .rows = option_rows,
    .scope = LEARN_ORB,
    .size = sizeof(LearnOptions),
    .defaults = &defaults_of_orb,
    .check = check,
    .run = run_orb,
};
