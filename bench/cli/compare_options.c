#include "compare_options.h"

#include <string.h>

#include "options_parse.h"
#include "options_values.h"
#include "suggest.h"
#include "text_list.h"
#include "text_wrap.h"

enum { TERM_INDENT = 2, TEXT_COLUMN = 32 };

static Status set_alpha(const char *value, CompareOptions *options) {
    return parse_ratio(value, &options->alpha);
}

static Status set_threshold(const char *value, CompareOptions *options) {
    return parse_ratio(value, &options->threshold);
}

static Status set_format(const char *value, CompareOptions *options) {
    options->format = compare_format_find(value);
    if (options->format != NULL) {
        return status_ok();
    }
    char known[STATUS_WHY_SIZE / 2] = "";
    Suggestion suggestion = suggest_start(value);
    for (size_t i = 0; i < compare_format_count; i++) {
        suggest_offer(&suggestion, compare_formats[i].name);
        text_append(known, sizeof known, "%s%s", i == 0 ? "" : ", ", compare_formats[i].name);
    }
    char nearest[SUGGEST_TEXT_SIZE];
    return status_make(STATUS_USAGE, "'%.40s' is no format%s (known: %s)", value,
                       suggest_text(&suggestion, nearest), known);
}

static Status set_out(const char *value, CompareOptions *options) {
    options->out = value;
    return status_ok();
}

static Status set_strict(const char *value, CompareOptions *options) {
    (void)value;
    options->strict = true;
    return status_ok();
}

static Status set_force(const char *value, CompareOptions *options) {
    (void)value;
    options->force = true;
    return status_ok();
}

static Status set_help(const char *value, CompareOptions *options) {
    (void)value;
    options->help = true;
    return status_ok();
}

typedef struct CompareOption {
    const char *flag, *argument, *help; /* argument NULL: takes no value */
    Status (*set)(const char *value, CompareOptions *options);
} CompareOption;

static const CompareOption rows[] = {
    {.flag = "alpha",
     .argument = "RATIO",
     .set = set_alpha,
     .help = "probability of a false alarm in the whole comparison: each of its n cells is held to "
             "alpha / n. Default: 0.01"},
    {.flag = "threshold",
     .argument = "RATIO",
     .set = set_threshold,
     .help = "change of the median that does not matter yet: 5% or 0.05. Default: 5%"},
    {.flag = "strict",
     .set = set_strict,
     .help = "end with exit code 7 when a cell is ambiguous and none is slower"},
    {.flag = "force",
     .set = set_force,
     .help = "compare runs of different machines, builds or inputs"},
    {.flag = "format",
     .argument = "NAME",
     .set = set_format,
     .help = "table, markdown (a comment on a pull request), github (annotations), junit or json. "
             "Default: table"},
    {.flag = "out",
     .argument = "FILE",
     .set = set_out,
     .help = "write that to FILE, and the table to standard output"},
    {.flag = "help", .set = set_help, .help = "this text"},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

void compare_options_print_help(FILE *stream) {
    fputs("\nOptions\n", stream);
    for (size_t i = 0; i < ROW_COUNT; i++) {
        char term[LIST_WORD_SIZE];
        snprintf(term, sizeof term, "--%s%s%s", rows[i].flag, rows[i].argument != NULL ? " " : "",
                 rows[i].argument != NULL ? rows[i].argument : "");
        text_entry(stream, TERM_INDENT, term, TEXT_COLUMN, rows[i].help);
    }
}

static Status unknown(const char *argument) {
    char nearest[SUGGEST_TEXT_SIZE];
    Suggestion suggestion = suggest_start(argument + strspn(argument, "-"));
    for (size_t i = 0; i < ROW_COUNT; i++) {
        suggest_offer(&suggestion, rows[i].flag);
    }
    return status_make(STATUS_USAGE, "compare: unknown option '%.60s'%s; --help lists the options",
                       argument, suggest_text(&suggestion, nearest));
}

static const CompareOption *find(const char *argument, size_t length) {
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (strlen(rows[i].flag) == length && strncmp(rows[i].flag, argument, length) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

/* `*index` is at an argument that begins with a dash; it is left at the last one that was used. */
static Status parse_flag(int argc, char **argv, int *index, CompareOptions *options) {
    const char *argument = argv[*index];
    const size_t length = strcspn(argument, "=");
    const bool dashed = strncmp(argument, "--", 2) == 0;
    const CompareOption *row = dashed ? find(argument + 2, length - 2) : NULL;
    if (row == NULL) {
        return unknown(argument);
    }
    const char *value = argument[length] == '=' ? argument + length + 1 : NULL;
    if (row->argument == NULL && value != NULL) {
        return status_make(STATUS_USAGE, "--%s takes no value; write --%s", row->flag, row->flag);
    }
    if (row->argument != NULL && value == NULL && *index + 1 < argc &&
        strncmp(argv[*index + 1], "--", 2) != 0) {
        value = argv[++*index];
    }
    if (row->argument != NULL && (value == NULL || value[0] == '\0')) {
        return status_make(STATUS_USAGE, "--%s needs a value; write --%s %s", row->flag, row->flag,
                           row->argument);
    }
    const Status status = row->set(value, options);
    return status_is_ok(&status) ? status
                                 : status_make(status.code, "--%s: %s", row->flag, status.why);
}

static Status add_run(const char *path, CompareOptions *options) {
    if (options->before == NULL) {
        options->before = path;
    } else if (options->now == NULL) {
        options->now = path;
    } else {
        return status_make(STATUS_USAGE,
                           "compare: unexpected argument '%.60s'; name two runs, the old one and "
                           "the new one",
                           path);
    }
    return status_ok();
}

Status compare_options_parse(int argc, char **argv, CompareOptions *options) {
    const RunOptions defaults = options_default();
    *options = (CompareOptions){
        .alpha = defaults.alpha, .threshold = defaults.threshold, .format = &compare_formats[0]};
    for (int i = 0; i < argc; i++) {
        const bool flag = argv[i][0] == '-' && argv[i][1] != '\0';
        STATUS_TRY(flag ? parse_flag(argc, argv, &i, options) : add_run(argv[i], options));
    }
    if (!options->help && options->now == NULL) {
        return status_make(STATUS_USAGE, "compare: name two runs, the old one and the new one: "
                                         "folders, or their results.json");
    }
    return status_ok();
}
