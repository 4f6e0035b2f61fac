#include "report_options.h"

#include <string.h>

#include "flag_table.h"
#include "suggest.h"
#include "text_list.h"

static const struct {
    const char *name;
    ReportFormat format;
} formats[] = {
    {"html", REPORT_HTML}, {"md", REPORT_MARKDOWN}, {"latex", REPORT_LATEX}, {"csv", REPORT_CSV}};

static Status add_format(const char *word, ReportOptions *options) {
    Suggestion suggestion = suggest_start(word);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(formats[i].name, word) == 0) {
            options->formats |= formats[i].format;
            return status_ok();
        }
        suggest_offer(&suggestion, formats[i].name);
    }
    char nearest[SUGGEST_TEXT_SIZE];
    return status_make(STATUS_USAGE, "'%.40s' is no format%s (known: html, md, latex, csv)", word,
                       suggest_text(&suggestion, nearest));
}

static Status set_formats(const char *value, void *of) {
    ReportOptions *options = of;
    options->formats = 0;
    while (value != NULL) {
        char word[LIST_WORD_SIZE];
        STATUS_TRY(list_next(&value, word));
        STATUS_TRY(add_format(word, options));
    }
    return status_ok();
}

static Status set_out(const char *value, void *of) {
    ReportOptions *options = of;
    options->out = value;
    return status_ok();
}

static Status set_title(const char *value, void *of) {
    ReportOptions *options = of;
    options->title = value;
    return status_ok();
}

static Status set_diff(const char *value, void *of) {
    (void)value;
    ReportOptions *options = of;
    options->diff = true;
    return status_ok();
}

static Status set_help(const char *value, void *of) {
    (void)value;
    ReportOptions *options = of;
    options->help = true;
    return status_ok();
}

static Status add_run(const char *path, void *of) {
    ReportOptions *options = of;
    if (options->run_count == REPORT_RUNS_MAX) {
        return status_make(STATUS_USAGE, "report: there are more than %d runs; name fewer",
                           REPORT_RUNS_MAX);
    }
    options->runs[options->run_count++] = path;
    return status_ok();
}

static const FlagRow rows[] = {
    {.flag = "out",
     .argument = "FILE|DIR",
     .set = set_out,
     .help = "where to: a file that ends in .html or .md, or a folder, which is made. Default: the "
             "folder of the run; of several, this one"},
    {.flag = "format",
     .argument = "LIST",
     .set = set_formats,
     .help = "html (report.html), md (report.md, charts in figures/), latex and csv (each table a "
             "file in tables/). Default: html"},
    {.flag = "title",
     .argument = "TEXT",
     .set = set_title,
     .help = "of the page. Default: made of the names of the runs"},
    {.flag = "diff",
     .set = set_diff,
     .help =
         "hold two runs against each other on shared axes: machines, times, ratios, crossovers"},
    {.flag = "help", .set = set_help, .help = "this text"},
};
static const FlagTable table = {
    .command = "report", .rows = rows, .count = sizeof rows / sizeof rows[0], .word = add_run};

void report_options_print_help(FILE *stream) {
    flags_print_help(stream, &table);
}

static Status check(const ReportOptions *options) {
    if (options->diff && options->run_count != 2) {
        return status_make(STATUS_USAGE, "--diff: name two runs, A and B; named %s %zu",
                           options->run_count == 1 ? "is" : "are", options->run_count);
    }
    if (options->run_count == 0) {
        return status_make(STATUS_USAGE, "report: name the folders of stored runs, or their "
                                         "results.json");
    }
    return status_ok();
}

Status report_options_parse(int argc, char **argv, ReportOptions *options) {
    *options = (ReportOptions){.run_count = 0};
    STATUS_TRY(flags_parse(&table, argc, argv, options));
    return options->help ? status_ok() : check(options);
}
