/* The commands `bench train-hashsift` and `bench train-bad`. */

#include "descriptors_internal.h"

#include <inttypes.h>
#include <string.h>

#include "base.h"
#include "interrupt.h"
#include "run.h"
#include "status.h"
#include "weights_files.h"
#include "workload.h"

/* === Learn options ============================================================================ */

enum {
    BATCH_LEAST = 8,
    BATCH_MOST = 8192,
    CANDIDATE_TABLE = 512, /* candidates come in as many */
    CANDIDATES_MOST = 1 << 18
};

static const uint64_t steps_most = 10000000;

/* --- What is learnt --------------------------------------------------------------------------- */

static Status set_folder(const char *path, void *of) {
    LearnOptions *options = of;
    if (options->request.folder != NULL) {
        return status_make(STATUS_USAGE, "unexpected argument '%.60s'; name one folder of pictures",
                           path);
    }
    options->request.folder = path;
    return status_ok();
}

static Status set_bits(const char *value, void *of) {
    LearnOptions *options = of;
    if (strcmp(value, "256") != 0 && strcmp(value, "512") != 0) {
        return status_make(STATUS_USAGE,
                           "'%.40s' is no number of bits of a descriptor; write 256 "
                           "or 512",
                           value);
    }
    options->request.bits = strcmp(value, "256") == 0 ? 256 : 512;
    return status_ok();
}

static Status set_seed(const char *value, void *of) {
    LearnOptions *options = of;
    return parse_count(value, 0, UINT64_MAX, &options->request.seed);
}

static Status set_steps(const char *value, void *of) {
    LearnOptions *options = of;
    return parse_count(value, 1, steps_most, &options->request.steps);
}

static Status set_batch(const char *value, void *of) {
    LearnOptions *options = of;
    uint64_t number = 0;
    STATUS_TRY(parse_count(value, BATCH_LEAST, BATCH_MOST, &number));
    options->request.batch = (int32_t)number;
    return status_ok();
}

static Status set_candidates(const char *value, void *of) {
    LearnOptions *options = of;
    uint64_t number = 0;
    STATUS_TRY(parse_count(value, CANDIDATE_TABLE, CANDIDATES_MOST, &number));
    if (number % CANDIDATE_TABLE != 0) {
        return status_make(STATUS_USAGE, "'%.40s' is no multiple of %d", value, CANDIDATE_TABLE);
    }
    options->request.candidates = (int32_t)number;
    return status_ok();
}

/* --- What is written -------------------------------------------------------------------------- */

static Status set_out(const char *value, void *of) {
    LearnOptions *options = of;
    options->request.out = value;
    return status_ok();
}

static Status set_checkpoint(const char *value, void *of) {
    LearnOptions *options = of;
    options->request.checkpoint = value;
    return status_ok();
}

static Status set_resume(const char *value, void *of) {
    (void)value;
    LearnOptions *options = of;
    options->request.resume = true;
    return status_ok();
}

static Status set_curve(const char *value, void *of) {
    LearnOptions *options = of;
    options->request.curve = value;
    return status_ok();
}

static Status set_verify(const char *value, void *of) {
    LearnOptions *options = of;
    options->verify = value;
    return status_ok();
}

static Status set_against(const char *value, void *of) {
    LearnOptions *options = of;
    options->against = value;
    return status_ok();
}

static Status set_quiet(const char *value, void *of) {
    (void)value;
    LearnOptions *options = of;
    options->request.quiet = true;
    return status_ok();
}

static Status set_help(const char *value, void *of) {
    (void)value;
    LearnOptions *options = of;
    options->help = true;
    return status_ok();
}

#define ROW_BITS                                                                                   \
    {                                                                                              \
        .flag = "bits", .argument = "N", .set = set_bits,                                          \
        .help = "bits of a descriptor, 256 or 512. Default: 512"                                   \
    }
#define ROW_SEED                                                                                   \
    {                                                                                              \
        .flag = "seed", .argument = "N", .set = set_seed,                                          \
        .help = "seed of all that is drawn at random. Default: 1"                                  \
    }
#define ROWS_WRITTEN                                                                               \
    {.flag = "out", .argument = "FILE", .set = set_out, .help = "weights to write; needed"},       \
        {.flag = "checkpoint",                                                                     \
         .argument = "FILE",                                                                       \
         .set = set_checkpoint,                                                                    \
         .help = "file that what is done so far is kept in, some times a minute and when the "     \
                 "training is interrupted"},                                                       \
        {.flag = "resume",                                                                         \
         .set = set_resume,                                                                        \
         .help = "go on from the checkpoint; the weights are those of a training that was not "    \
                 "interrupted"},                                                                   \
        {.flag = "curve",                                                                          \
         .argument = "FILE",                                                                       \
         .set = set_curve,                                                                         \
         .help = "CSV file of the loss by step, and a chart of it beside it"},                     \
        {.flag = "verify",                                                                         \
         .argument = "DIR",                                                                        \
         .set = set_verify,                                                                        \
         .help = "folder of other pictures, on which the weights are held against random ones: "   \
                 "false-positive rate at 95% recall and matching score"},                          \
        {.flag = "against",                                                                        \
         .argument = "FILE",                                                                       \
         .set = set_against,                                                                       \
         .help = "other weights to verify as well"},                                               \
        {.flag = "quiet", .set = set_quiet, .help = "no progress on standard error"}, {            \
        .flag = "help", .set = set_help, .help = "this text"                                       \
    }

static const FlagRow hashsift_rows[] = {
    ROW_BITS,
    {.flag = "steps",
     .argument = "N",
     .set = set_steps,
     .help = "batches that are learnt from. Default: 3000"},
    {.flag = "batch",
     .argument = "N",
     .set = set_batch,
     .help = "places in a batch, from 16 pictures. Default: 512"},
    ROW_SEED,
    ROWS_WRITTEN,
};

static const FlagRow bad_rows[] = {
    ROW_BITS,
    {.flag = "candidates",
     .argument = "N",
     .set = set_candidates,
     .help = "tests that those of the descriptor are chosen from, a multiple of 512. Default: "
             "8192"},
    ROW_SEED,
    ROWS_WRITTEN,
};

static const FlagTable tables[] = {
    [LEARN_HASHSIFT] = {.command = "train-hashsift",
                        .rows = hashsift_rows,
                        .count = sizeof hashsift_rows / sizeof hashsift_rows[0],
                        .word = set_folder},
    [LEARN_BAD] = {.command = "train-bad",
                   .rows = bad_rows,
                   .count = sizeof bad_rows / sizeof bad_rows[0],
                   .word = set_folder},
};

static void learn_options_print_help(LearnKind kind, FILE *stream) {
    flags_print_help(stream, &tables[kind]);
}

static Status check(const char *command, const LearnOptions *options) {
    const LearnRequest *request = &options->request;
    if (request->folder == NULL) {
        return status_make(STATUS_USAGE, "%s: name the folder of pictures to learn from", command);
    }
    if (request->out == NULL) {
        return status_make(STATUS_USAGE,
                           "%s: name the file that the weights go to, as in --out weights.csv",
                           command);
    }
    if (request->resume && request->checkpoint == NULL) {
        return status_make(STATUS_USAGE, "--resume: name the checkpoint to go on from, as in "
                                         "--checkpoint training.checkpoint");
    }
    if (options->against != NULL && options->verify == NULL) {
        return status_make(STATUS_USAGE,
                           "--against: name the pictures to verify on, as in --verify DIR");
    }
    return status_ok();
}

Status learn_options_parse(LearnKind kind, int argc, char **argv, LearnOptions *options) {
    *options = (LearnOptions){
        .request = {.bits = 512, .seed = 1, .steps = 3000, .batch = 512, .candidates = 8192}};
    STATUS_TRY(flags_parse(&tables[kind], argc, argv, options));
    return options->help ? status_ok() : check(tables[kind].command, options);
}

/* === Command learn ============================================================================ */

typedef Status LearnFunction(const LearnRequest *request, const PictureFolder *folder,
                             Weights *weights);

static const struct {
    const char *kind;
    LearnFunction *learn;
} learners[] = {
    [LEARN_HASHSIFT] = {WEIGHTS_HASHSIFT, learn_hashsift},
    [LEARN_BAD] = {WEIGHTS_BAD, learn_bad},
};

/* Found out before anything is learnt. */
static Status check_targets(const LearnOptions *options) {
    const LearnRequest *request = &options->request;
    STATUS_TRY(guard_input(request->folder));
    STATUS_TRY(guard_input(options->verify));
    STATUS_TRY(guard_input(options->against));
    STATUS_TRY(run_folder_try_file(request->out));
    if (request->checkpoint != NULL) {
        STATUS_TRY(run_folder_try_file(request->checkpoint));
    }
    return request->curve != NULL ? run_folder_try_file(request->curve) : status_ok();
}

static Status read_against(const char *path, const char *kind, Weights *against) {
    STATUS_TRY(weights_read(path, against));
    if (strcmp(against->kind, kind) != 0) {
        const Status status =
            status_make(STATUS_USAGE, "--against: %.200s holds weights of %s; name some of %s",
                        path, against->kind, kind);
        weights_free(against);
        return status;
    }
    return status_ok();
}

/* The options that decide what is learnt. */
static void describe(LearnKind kind, const LearnRequest *request, const PictureFolder *folder,
                     char *text, size_t size) {
    const int length = snprintf(text, size,
                                "learnt from %" PRId32 " pictures by bench train-%s --bits %" PRId32
                                " --seed %" PRIu64,
                                folder->count, learners[kind].kind, request->bits, request->seed);
    if (kind == LEARN_HASHSIFT) {
        snprintf(text + length, size - (size_t)length, " --steps %" PRIu64 " --batch %" PRId32,
                 request->steps, request->batch);
    } else {
        snprintf(text + length, size - (size_t)length, " --candidates %" PRId32,
                 request->candidates);
    }
}

static Status write_weights(LearnKind kind, const LearnRequest *request,
                            const PictureFolder *folder, const Weights *weights) {
    char comment[256];
    describe(kind, request, folder, comment, sizeof comment);
    STATUS_TRY(weights_write(request->out, weights, comment));
    visible_line(stdout, "weights: %s", request->out);
    return status_ok();
}

static Status learn(LearnKind kind, const LearnRequest *request, Weights *weights) {
    PictureFolder folder;
    Status status = picture_folder_load(request->folder, request->notes, &folder);
    if (status_is_ok(&status)) {
        status = learners[kind].learn(request, &folder, weights);
    }
    if (status_is_ok(&status)) {
        status = write_weights(kind, request, &folder, weights);
        if (!status_is_ok(&status)) {
            weights_free(weights);
        }
    }
    picture_folder_release(&folder);
    return status;
}

static Status verify(const LearnOptions *options, const Weights *trained, const Weights *against) {
    PictureFolder folder;
    Verification verification = {0};
    Status status = picture_folder_load(options->verify, options->request.notes, &folder);
    if (status_is_ok(&status)) {
        status = verification_make(&folder, &verification);
    }
    if (status_is_ok(&status)) {
        status = verification_print(stdout, &verification, trained, against);
    }
    verification_release(&verification);
    picture_folder_release(&folder);
    return status;
}

static Status run(LearnKind kind, const LearnOptions *options) {
    const char *path = options->against;
    Weights weights, against = {0};
    STATUS_TRY(check_targets(options));
    if (path != NULL) {
        STATUS_TRY(read_against(path, learners[kind].kind, &against));
    }
    Status status = learn(kind, &options->request, &weights);
    if (status_is_ok(&status)) {
        if (interrupt_requested()) { /* while the curve was drawn, which is no reason to lose them
                                      */
            status = status_make(STATUS_INTERRUPTED, "interrupted; the weights are written");
        } else if (options->verify != NULL) {
            status = verify(options, &weights, path != NULL ? &against : NULL);
        }
        weights_free(&weights);
    }
    if (path != NULL) {
        weights_free(&against);
    }
    return status;
}

static int command(LearnKind kind, const Invocation *given) {
    LearnOptions options;
    Status status =
        learn_options_parse(kind, given->argc - given->first, given->argv + given->first, &options);
    if (status_is_ok(&status) && options.help) {
        (kind == LEARN_HASHSIFT ? command_train_hashsift_help : command_train_bad_help)(stdout);
        return EXIT_OK;
    }
    options.request.notes = stderr;
    if (status_is_ok(&status)) {
        status = run(kind, &options);
    }
    return status_is_ok(&status) ? EXIT_OK : command_error(&status);
}

int command_train_hashsift(const Invocation *given) {
    return command(LEARN_HASHSIFT, given);
}

int command_train_bad(const Invocation *given) {
    return command(LEARN_BAD, given);
}

void command_train_hashsift_help(FILE *stream) {
    fputs("bench train-hashsift DIR --out FILE [options]\n\n"
          "Learns the projection of hashsift's descriptors from the pictures of a folder. Views of "
          "each are\n"
          "made by random homographies, blur, light and noise, so that it is known which places "
          "are the same;\n"
          "the projection learns to give them the same bits, and others different ones: triplets "
          "with the\n"
          "hardest negative of a batch, a margin, and tanh in place of the sign.\n\n"
          "Examples\n"
          "  bench train-hashsift pictures --bits 256 --out hashsift-256.csv --curve loss.csv\n"
          "  bench train-hashsift pictures --out w.csv --checkpoint w.checkpoint --verify others\n"
          "  bench train-hashsift pictures --out w.csv --checkpoint w.checkpoint --resume\n",
          stream);
    learn_options_print_help(LEARN_HASHSIFT, stream);
}

void command_train_bad_help(FILE *stream) {
    fputs("bench train-bad DIR --out FILE [options]\n\n"
          "Chooses the box pairs and thresholds of bad's descriptors on the pictures of a folder. "
          "Views of\n"
          "each are made by random homographies, blur, light and noise, so that it is known which "
          "places are\n"
          "the same; of many random tests those are chosen, one after the other, that help most "
          "with the places\n"
          "that are still taken for others.\n\n"
          "Examples\n"
          "  bench train-bad pictures --bits 256 --out bad-256.csv --curve loss.csv\n"
          "  bench train-bad pictures --out bad-512.csv --candidates 16384 --verify others\n",
          stream);
    learn_options_print_help(LEARN_BAD, stream);
}
