#include "train_options.h"

#include "flag_table.h"
#include "options_values.h"
#include "set_options.h"

/* --- What is trained on ----------------------------------------------------------------------- */

static Status set_synthetic(const char *value, void *of) {
    TrainOptions *options = of;
    return set_option_synthetic(value, &options->set);
}

static Status set_labels(const char *value, void *of) {
    TrainOptions *options = of;
    options->set.labels = value;
    return status_ok();
}

static Status set_images(const char *value, void *of) {
    TrainOptions *options = of;
    return set_option_images(value, &options->set);
}

static Status set_seed(const char *value, void *of) {
    TrainOptions *options = of;
    return parse_count(value, 0, UINT64_MAX, &options->set.seed);
}

static Status set_input(const char *path, void *of) {
    TrainOptions *options = of;
    if (options->set.path != NULL) {
        return status_make(STATUS_USAGE,
                           "train: unexpected argument '%.60s'; name one set of pictures", path);
    }
    options->set.path = path;
    return status_ok();
}

/* --- How -------------------------------------------------------------------------------------- */

static Status set_digits(const char *value, void *of) {
    TrainOptions *options = of;
    options->request.digits = value;
    return status_ok();
}

static Status set_rounds(const char *value, void *of) {
    TrainOptions *options = of;
    options->request.rounds = value;
    return status_ok();
}

static Status set_candidates(const char *value, void *of) {
    TrainOptions *options = of;
    options->request.candidates = value;
    return status_ok();
}

static Status set_min_side(const char *value, void *of) {
    TrainOptions *options = of;
    options->request.min_side = value;
    return status_ok();
}

static Status set_threshold(const char *value, void *of) {
    TrainOptions *options = of;
    options->request.threshold = value;
    return status_ok();
}

static Status set_variant(const char *value, void *of) {
    TrainOptions *options = of;
    options->request.variant = value;
    return status_ok();
}

static Status set_threads(const char *value, void *of) {
    TrainOptions *options = of;
    options->request.threads = value;
    return status_ok();
}

/* --- What is written -------------------------------------------------------------------------- */

static Status set_model(const char *value, void *of) {
    TrainOptions *options = of;
    options->request.model = value;
    return status_ok();
}

static Status set_pictures(const char *value, void *of) {
    TrainOptions *options = of;
    options->pictures = value;
    return status_ok();
}

static Status set_fresh(const char *value, void *of) {
    (void)value;
    TrainOptions *options = of;
    options->request.fresh = true;
    return status_ok();
}

static Status set_quiet(const char *value, void *of) {
    (void)value;
    TrainOptions *options = of;
    options->request.quiet = true;
    return status_ok();
}

static Status set_help(const char *value, void *of) {
    (void)value;
    TrainOptions *options = of;
    options->help = true;
    return status_ok();
}

static const FlagRow rows[] = {
    {.flag = "synthetic",
     .argument = "KIND",
     .set = set_synthetic,
     .help = "train on a synthetic set instead, as digits; 28×28 pixels"},
    {.flag = "labels",
     .argument = "FILE",
     .set = set_labels,
     .help = "IDX file of labels. Default: the one beside the pictures that is named like theirs, "
             "or the names of the folders that they are in"},
    {.flag = "images",
     .argument = "N",
     .set = set_images,
     .help = "train on the first N pictures. Default: all, or 1000 synthetic ones"},
    {.flag = "digits",
     .argument = "LIST",
     .set = set_digits,
     .help = "labels to train a classifier for, as 0..9 or 3,8. Default: all there are"},
    {.flag = "rounds",
     .argument = "N",
     .set = set_rounds,
     .help = "stumps of each classifier. Default: 100"},
    {.flag = "candidates",
     .argument = "N",
     .set = set_candidates,
     .help = "features that stumps are chosen from; bench list --algo adaboost has the default"},
    {.flag = "min-side",
     .argument = "N",
     .set = set_min_side,
     .help = "least side of a feature, pixels. Default: 4"},
    {.flag = "threshold",
     .argument = "N",
     .set = set_threshold,
     .help = "a feature is a candidate when haar keeps it at this threshold; bench list --algo "
             "adaboost has the default"},
    {.flag = "seed",
     .argument = "N",
     .set = set_seed,
     .help = "seed of the choice of candidates, and of synthetic sets. Default: 1"},
    {.flag = "variant",
     .argument = "NAME",
     .set = set_variant,
     .help = "what trains; bench list --algo adaboost names them. Default: the best one of the "
             "CPU"},
    {.flag = "threads",
     .argument = "N",
     .set = set_threads,
     .help = "CPU threads, where the variant has that axis. Default: all"},
    {.flag = "model", .argument = "FILE", .set = set_model, .help = "JSON file to write; needed"},
    {.flag = "pictures",
     .argument = "DIR",
     .set = set_pictures,
     .help = "draw the ten features of most weight over the mean of each digit: digit-<n>.png, and "
             "all in digits.png, into a folder that is made"},
    {.flag = "fresh",
     .set = set_fresh,
     .help = "begin anew where FILE.checkpoint has an interrupted training"},
    {.flag = "quiet", .set = set_quiet, .help = "no progress on standard error"},
    {.flag = "help", .set = set_help, .help = "this text"},
};
static const FlagTable table = {
    .command = "train", .rows = rows, .count = sizeof rows / sizeof rows[0], .word = set_input};

void train_options_print_help(FILE *stream) {
    flags_print_help(stream, &table);
}

Status train_options_parse(int argc, char **argv, TrainOptions *options) {
    *options = (TrainOptions){.set = {.seed = 1}};
    STATUS_TRY(flags_parse(&table, argc, argv, options));
    if (options->help) {
        return status_ok();
    }
    STATUS_TRY(set_options_check("train", &options->set));
    return options->request.model != NULL
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "train: name the file that the model goes to, as in --model "
                             "digits.json");
}
