#include "recognise_options.h"

#include "flag_table.h"
#include "options_values.h"
#include "recogniser.h"
#include "set_options.h"

static Status set_synthetic(const char *value, void *of) {
    RecogniseOptions *options = of;
    return set_option_synthetic(value, &options->set);
}

static Status set_labels(const char *value, void *of) {
    RecogniseOptions *options = of;
    options->set.labels = value;
    return status_ok();
}

static Status set_images(const char *value, void *of) {
    RecogniseOptions *options = of;
    return set_option_images(value, &options->set);
}

static Status set_seed(const char *value, void *of) {
    RecogniseOptions *options = of;
    return parse_count(value, 0, UINT64_MAX, &options->set.seed);
}

static Status set_rounds(const char *value, void *of) {
    RecogniseOptions *options = of;
    uint64_t rounds = 0;
    STATUS_TRY(parse_count(value, 1, RECOGNISER_ROUNDS_MAX, &rounds));
    options->rounds = (size_t)rounds;
    return status_ok();
}

static Status set_csv(const char *value, void *of) {
    RecogniseOptions *options = of;
    options->csv = value;
    return status_ok();
}

static Status set_matrix(const char *value, void *of) {
    RecogniseOptions *options = of;
    options->matrix = value;
    return status_ok();
}

static Status set_plot(const char *value, void *of) {
    RecogniseOptions *options = of;
    options->plot = value;
    return status_ok();
}

static Status set_help(const char *value, void *of) {
    (void)value;
    RecogniseOptions *options = of;
    options->help = true;
    return status_ok();
}

static Status add_file(const char *path, void *of) {
    RecogniseOptions *options = of;
    if (options->model == NULL) {
        options->model = path;
    } else if (options->set.path == NULL) {
        options->set.path = path;
    } else {
        return status_make(STATUS_USAGE,
                           "recognise: unexpected argument '%.60s'; name a model and one set of "
                           "pictures",
                           path);
    }
    return status_ok();
}

static const FlagRow rows[] = {
    {.flag = "synthetic",
     .argument = "KIND",
     .set = set_synthetic,
     .help = "recognise a synthetic set instead, as digits; 28×28 pixels"},
    {.flag = "labels",
     .argument = "FILE",
     .set = set_labels,
     .help = "IDX file of labels. Default: the one beside the pictures that is named like theirs, "
             "or the names of the folders that they are in; without any, nothing is judged"},
    {.flag = "images",
     .argument = "N",
     .set = set_images,
     .help = "recognise the first N pictures. Default: all, or 1000 synthetic ones"},
    {.flag = "seed",
     .argument = "N",
     .set = set_seed,
     .help = "seed of a synthetic set; take another one than in the training. Default: 1"},
    {.flag = "rounds",
     .argument = "N",
     .set = set_rounds,
     .help = "use the first N stumps of each classifier. Default: all"},
    {.flag = "csv",
     .argument = "FILE",
     .set = set_csv,
     .help = "write what each picture was taken for: image,predicted,label and the score of each "
             "digit"},
    {.flag = "matrix",
     .argument = "FILE",
     .set = set_matrix,
     .help = "write the confusion matrix: actual,predicted,count"},
    {.flag = "plot",
     .argument = "DIR",
     .set = set_plot,
     .help = "draw it as a heat map, SVG and PNG, into a folder that is made"},
    {.flag = "help", .set = set_help, .help = "this text"},
};
static const FlagTable table = {
    .command = "recognise", .rows = rows, .count = sizeof rows / sizeof rows[0], .word = add_file};

void recognise_options_print_help(FILE *stream) {
    flags_print_help(stream, &table);
}

Status recognise_options_parse(int argc, char **argv, RecogniseOptions *options) {
    *options = (RecogniseOptions){.set = {.seed = 1}};
    STATUS_TRY(flags_parse(&table, argc, argv, options));
    if (options->help) {
        return status_ok();
    }
    return options->model != NULL
               ? set_options_check("recognise", &options->set)
               : status_make(STATUS_USAGE,
                             "recognise: name a model, as bench train wrote it, and a set of "
                             "pictures");
}
