#include "study_options.h"

#include <string.h>

#include "flag_table.h"
#include "options_values.h"

enum { DEVICE_MAX = 255 };

static Status set_quick(const char *value, void *of) {
    (void)value;
    StudyOptions *options = of;
    options->quick = true;
    return status_ok();
}

static Status set_device(const char *value, void *of) {
    StudyOptions *options = of;
    uint64_t number = 0;
    if (strcmp(value, "all") != 0 && strcmp(value, "cpu") != 0) {
        const Status status = parse_count(value, 0, DEVICE_MAX, &number);
        if (!status_is_ok(&status)) {
            return status_make(STATUS_USAGE,
                               "'%.40s' is no device; write all, cpu, or the number of a CUDA "
                               "device",
                               value);
        }
    }
    options->device = value;
    return status_ok();
}

static Status set_data(const char *value, void *of) {
    StudyOptions *options = of;
    options->data = value;
    return status_ok();
}

static Status set_out(const char *value, void *of) {
    StudyOptions *options = of;
    options->out = value;
    return status_ok();
}

static Status set_steps(const char *value, void *of) {
    StudyOptions *options = of;
    options->steps = value;
    return status_ok();
}

static Status set_render(const char *value, void *of) {
    (void)value;
    StudyOptions *options = of;
    options->render = true;
    return status_ok();
}

static Status set_dry_run(const char *value, void *of) {
    (void)value;
    StudyOptions *options = of;
    options->dry_run = true;
    return status_ok();
}

static Status set_quiet(const char *value, void *of) {
    (void)value;
    StudyOptions *options = of;
    options->quiet = true;
    return status_ok();
}

static Status set_list(const char *value, void *of) {
    (void)value;
    StudyOptions *options = of;
    options->list = true;
    return status_ok();
}

static Status set_help(const char *value, void *of) {
    (void)value;
    StudyOptions *options = of;
    options->help = true;
    return status_ok();
}

static Status set_name(const char *word, void *of) {
    StudyOptions *options = of;
    if (options->name != NULL) {
        return status_make(STATUS_USAGE, "study: unexpected argument '%.60s'; name one study",
                           word);
    }
    options->name = word;
    return status_ok();
}

static const FlagRow rows[] = {
    {.flag = "list", .set = set_list, .help = "the studies there are, and what each is of"},
    {.flag = "quick",
     .set = set_quick,
     .help = "fewer repetitions and smaller inputs, as the study says: minutes in place of hours"},
    {.flag = "device",
     .argument = "all|cpu|N",
     .set = set_device,
     .help = "cpu hides all CUDA devices from the steps, a number all others. Default: all"},
    {.flag = "data",
     .argument = "DIR",
     .set = set_data,
     .help = "folder of the data that steps measure on. Default: datasets/cache, which "
             "datasets/fetch fills"},
    {.flag = "out",
     .argument = "DIR",
     .set = set_out,
     .help = "where the report, its tables and figures, and the files of the steps go. Default: "
             "reports/runs/<time>-NAME"},
    {.flag = "steps",
     .argument = "LIST",
     .set = set_steps,
     .help = "run only these steps; of the others, take what an earlier run left in the folder of "
             "--out: a long study in parts"},
    {.flag = "render",
     .set = set_render,
     .help = "measure nothing: make the report again from the folder of --out"},
    {.flag = "dry-run", .set = set_dry_run, .help = "print the command line of each step and stop"},
    {.flag = "quiet", .set = set_quiet, .help = "nothing on standard error but errors"},
    {.flag = "help", .set = set_help, .help = "this text"},
};
static const FlagTable table = {
    .command = "study", .rows = rows, .count = sizeof rows / sizeof rows[0], .word = set_name};

void study_options_print_help(FILE *stream) {
    flags_print_help(stream, &table);
}

static Status check(const StudyOptions *options) {
    if (options->name == NULL) {
        return status_make(STATUS_USAGE,
                           "study: name a study; bench study --list names those there are");
    }
    if (options->render && options->out == NULL) {
        return status_make(STATUS_USAGE,
                           "--render: name the folder of the study that was run with --out DIR");
    }
    if (options->render && (options->steps != NULL || options->dry_run || options->quick)) {
        return status_make(STATUS_USAGE, "--render: nothing is measured; leave out %s",
                           options->steps != NULL ? "--steps"
                           : options->dry_run     ? "--dry-run"
                                                  : "--quick");
    }
    return status_ok();
}

Status study_options_parse(int argc, char **argv, StudyOptions *options) {
    *options = (StudyOptions){.device = "all"};
    STATUS_TRY(flags_parse(&table, argc, argv, options));
    return options->help || options->list ? status_ok() : check(options);
}
