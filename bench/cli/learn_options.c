#include "learn_options.h"

#include <string.h>

#include "flag_table.h"
#include "options_values.h"

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

void learn_options_print_help(LearnKind kind, FILE *stream) {
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
