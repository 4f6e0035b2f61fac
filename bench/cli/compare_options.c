#include "compare_options.h"

#include "flag_table.h"
#include "options_parse.h"
#include "options_values.h"
#include "suggest.h"
#include "text_list.h"

static Status set_alpha(const char *value, void *of) {
    CompareOptions *options = of;
    return parse_ratio(value, &options->alpha);
}

static Status set_threshold(const char *value, void *of) {
    CompareOptions *options = of;
    return parse_ratio(value, &options->threshold);
}

static Status set_format(const char *value, void *of) {
    CompareOptions *options = of;
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

static Status set_out(const char *value, void *of) {
    CompareOptions *options = of;
    options->out = value;
    return status_ok();
}

static Status set_strict(const char *value, void *of) {
    (void)value;
    CompareOptions *options = of;
    options->strict = true;
    return status_ok();
}

static Status set_force(const char *value, void *of) {
    (void)value;
    CompareOptions *options = of;
    options->force = true;
    return status_ok();
}

static Status set_help(const char *value, void *of) {
    (void)value;
    CompareOptions *options = of;
    options->help = true;
    return status_ok();
}

static Status add_run(const char *path, void *of) {
    CompareOptions *options = of;
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

static const FlagRow rows[] = {
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
static const FlagTable table = {
    .command = "compare", .rows = rows, .count = sizeof rows / sizeof rows[0], .word = add_run};

void compare_options_print_help(FILE *stream) {
    flags_print_help(stream, &table);
}

Status compare_options_parse(int argc, char **argv, CompareOptions *options) {
    const RunOptions defaults = options_default();
    *options = (CompareOptions){
        .alpha = defaults.alpha, .threshold = defaults.threshold, .format = &compare_formats[0]};
    STATUS_TRY(flags_parse(&table, argc, argv, options));
    if (!options->help && options->now == NULL) {
        return status_make(STATUS_USAGE, "compare: name two runs, the old one and the new one: "
                                         "folders, or their results.json");
    }
    return status_ok();
}
