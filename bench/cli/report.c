/* The command `bench report`. */

#include "report.h"
#include "cli_internal.h"
#include "document.h"
#include "paths.h"
#include "stored_run.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"
#include "text.h"

/* === Options ================================================================================== */

/* Bits, in the order of their names. */
typedef enum ReportFormat {
    REPORT_HTML = 1,
    REPORT_MARKDOWN = 2,
    REPORT_LATEX = 4,
    REPORT_CSV = 8,
    REPORT_AD = 16
} ReportFormat;

static const char *const report_formats[] = {"html", "md", "latex", "csv", "ad", NULL};

typedef struct ReportOptions {
    OptionTexts runs;  /* at least one */
    const char *out;   /* file or folder; NULL: beside the run */
    const char *title; /* NULL: made of the runs' names */
    unsigned formats;  /* bits of ReportFormat; 0: not given */
    double width;      /* mm: of the column that LaTeX tables are for; 0: any */
    Prices prices;     /* of an hour; 0: those of the run */
    bool diff;
} ReportOptions;

static Status check(void *of, const OptionsGiven *given) {
    const ReportOptions *options = of;
    const size_t count = options->runs.count;
    (void)given;
    if (options->diff && count != 2) {
        return status_make(STATUS_USAGE, "--diff: name two runs, A and B; named %s %zu",
                           count == 1 ? "is" : "are", count);
    }
    if (options->diff && (options->formats & REPORT_AD) != 0) {
        return status_make(STATUS_USAGE, "--format ad: an artifact appendix is of runs, not of "
                                         "their difference; leave out --diff");
    }
    if (options->width > 0 && (options->formats & REPORT_LATEX) == 0) {
        return status_make(STATUS_USAGE, "--width: is of LaTeX tables; add --format latex");
    }
    return status_ok();
}

#define MEMBER(name) .member = offsetof(ReportOptions, name)

static const Option option_rows[] = {
    {NULL, "RUN", NULL, .kind = OPTION_RUNS, MEMBER(runs), .most = REPORT_RUNS_MAX,
     .otherwise = LAST_RUN},
    {"out", "FILE|DIR",
     "a file that ends in .html or .md, or a folder, which is made. Default: the folder of the "
     "run; with several runs the current folder",
     .kind = OPTION_OUTPUT, MEMBER(out)},
    {"format", "LIST",
     "html (report.html), md (report.md, charts in figures/), latex and csv (each table a file in "
     "tables/), ad (artifact.md and artifact.tex: the artifact appendix that reviewers ask for). "
     "Default: html",
     .kind = OPTION_WORDS, MEMBER(formats), .words = report_formats, .noun = "format"},
    {"width", "WIDTH",
     "with --format latex only the tables that fit a paper's column in letters of 8 points: 85mm, "
     "3.5in, ieee (88.3 mm), acm (84.7 mm), nature (89 mm). Default: all tables",
     .kind = OPTION_HANDLED, .handle = width_read, MEMBER(width)},
    {"title", "TEXT", "title of the page. Default: what the run found", .kind = OPTION_TEXT,
     MEMBER(title)},
    {"price", "LIST",
     "what an hour of the machine with the GPU costs, and one of the machine without: "
     "gpu=3.2,cpu=0.8. A section says who is cheaper. Default: as the run was given",
     .takes = TAKES_LIST, .kind = OPTION_HANDLED, .handle = option_prices, MEMBER(prices)},
    {"diff", NULL, "compare two runs on shared axes: machines, times, ratios, crossovers",
     .kind = OPTION_SET, MEMBER(diff)},
    OPTIONS_END};

/* === Report paths ============================================================================= */

/* The file, folder and name of a stored run. */

/* The folder that a run's file is in, `run` being that file or that folder. */
static Status report_run_folder(const char *run, char folder[ATOMIC_FILE_PATH_SIZE]) {
    char file[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(stored_run_path(run, file, sizeof file));
    return path_folder(file, folder, ATOMIC_FILE_PATH_SIZE);
}

static bool cut_suffix(char *name, const char *suffix) {
    const bool has = text_ends(name, suffix);
    if (has) {
        name[strlen(name) - strlen(suffix)] = '\0';
    }
    return has;
}

/* The name of a run: that of its folder, or of its file if that is not results.json, plain or gzip.
 * Cut to `size`, without control characters. Taken from the real path, so that "." and a path that
 * ends in a slash have a name too. */
static void report_run_name(const char *run, char *name, size_t size) {
    char whole[PATH_MAX], folder[ATOMIC_FILE_PATH_SIZE];
    if (realpath(run, whole) == NULL) {
        snprintf(whole, sizeof whole, "%s", run);
    }
    const char *last = path_name(whole);
    if (strcmp(last, "results.json") == 0 || strcmp(last, "results.json.gz") == 0) {
        const Status status = path_folder(whole, folder, sizeof folder);
        last = status_is_ok(&status) ? path_name(folder) : last;
    }
    text_visible(last, name, size);
    if (!cut_suffix(name, ".json.gz")) {
        cut_suffix(name, ".json");
    }
}

/* === Report document ========================================================================== */

enum { LOWEST_HEADING = 4, NUMBER_ROOM = 16 };

/* --- Reading ---------------------------------------------------------------------------------- */

/* Whether one of the first `count` runs has the name of run `index`. */
static bool has_namesake(const ReportRuns *runs, size_t index, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i != index && strcmp(runs->names[i], runs->names[index]) == 0) {
            return true;
        }
    }
    return false;
}

/* Runs of one name get their paths instead, and a number where the path is the same. */
static void name_runs(const OptionTexts *given, ReportRuns *runs) {
    bool alike[REPORT_RUNS_MAX];
    for (size_t i = 0; i < runs->count; i++) {
        report_run_name(given->texts[i], runs->names[i], REPORT_NAME_SIZE);
    }
    for (size_t i = 0; i < runs->count; i++) {
        alike[i] = has_namesake(runs, i, runs->count);
    }
    for (size_t i = 0; i < runs->count; i++) {
        if (alike[i]) {
            text_visible(given->texts[i], runs->names[i], REPORT_NAME_SIZE - NUMBER_ROOM);
        }
        if (alike[i] && has_namesake(runs, i, i)) {
            text_append(runs->names[i], REPORT_NAME_SIZE, " (%zu)", i + 1);
        }
    }
}

void report_runs_release(ReportRuns *runs) {
    for (size_t i = 0; i < runs->count; i++) {
        stored_run_release(&runs->stored[i]);
    }
    free(runs->stored);
    free(runs->names);
    *runs = (ReportRuns){.stored = NULL};
}

Status report_runs_read(const OptionTexts *given, ReportRuns *runs) {
    *runs = (ReportRuns){.stored = calloc(given->count, sizeof *runs->stored),
                         .names = calloc(given->count, sizeof *runs->names)};
    Status status = runs->stored != NULL && runs->names != NULL
                        ? status_ok()
                        : status_no_memory("for %zu runs", given->count);
    while (status_is_ok(&status) && runs->count < given->count) {
        status = report_run_read(given->texts[runs->count], &runs->stored[runs->count]);
        runs->count += status_is_ok(&status) ? 1 : 0;
    }
    if (!status_is_ok(&status)) {
        report_runs_release(runs);
        return status;
    }
    name_runs(given, runs);
    return status_ok();
}

/* --- Building --------------------------------------------------------------------------------- */

/* Blocks from `first` on are those of one run among several: their headings go one level down, and
 * the names of their files begin with the run's number, so that no two runs write the same file. */
static void put_below(Document *document, size_t first, size_t number) {
    for (size_t i = first; i < document->count; i++) {
        Block *block = &document->blocks[i];
        if (block->kind == BLOCK_HEADING && block->level < LOWEST_HEADING) {
            block->level++;
        } else if (block->kind == BLOCK_TABLE) {
            block->table->name = document_text(document, "run%zu-%s", number, block->table->name);
        } else if (block->kind == BLOCK_CHART) {
            block->chart->name = document_text(document, "run%zu-%s", number, block->chart->name);
        }
    }
}

static void add_contents(const ReportRuns *runs, Document *document) {
    document_add(document, BLOCK_PARAGRAPH, "%zu runs, one after the other:", runs->count);
    for (size_t i = 0; i < runs->count; i++) {
        const StoredRun *stored = &runs->stored[i];
        const char *processor = machine_cpu(&stored->machine);
        const char *device = stored_run_gpus(stored);
        document_add(document, BLOCK_ITEM, "%s: %zu %s, started %s%s%s%s%s", runs->names[i],
                     stored->results.count, plural(stored->results.count, "cell", "cells"),
                     stored->started, processor[0] != '\0' ? ", on " : "", processor,
                     device[0] != '\0' ? " with " : "", device);
    }
}

static void add_runs(const ReportRuns *runs, const Prices *prices, Document *document) {
    if (runs->count > 1) {
        ReportRun *all = document_allocate(document, runs->count * sizeof *all);
        if (all != NULL) {
            report_runs_list(runs, all);
            runs_together_chart(all, runs->count, document);
        }
        add_contents(runs, document);
    }
    for (size_t i = 0; i < runs->count; i++) {
        const ReportRun run = {
            .stored = &runs->stored[i], .name = runs->names[i], .prices = *prices};
        if (runs->count > 1) {
            document_heading(document, 2, run.name);
        }
        const size_t first = document->count;
        report_build(&run, 1, document);
        if (runs->count > 1) {
            put_below(document, first, i + 1);
        }
    }
    if (runs->count > 1) { /* each run's sections are its own */
        document->folded = 0;
    }
}

static void make_title(const ReportOptions *options, const ReportRuns *runs, char *title,
                       size_t size) {
    if (options->title != NULL) {
        snprintf(title, size, "%s", options->title);
    } else if (options->diff) {
        snprintf(title, size, "%s and %s side by side", runs->names[0], runs->names[1]);
    } else if (runs->count == 1) {
        snprintf(title, size, "Benchmark report: %s", runs->names[0]);
    } else {
        snprintf(title, size, "Benchmark report of %zu runs", runs->count);
    }
}

/* The whole report, opened here; release it. Check document_status. */
static void report_document_build(const ReportOptions *options, const ReportRuns *runs,
                                  Document *document) {
    char title[4 * REPORT_NAME_SIZE];
    make_title(options, runs, title, sizeof title);
    document_open(document, title);
    const ReportRun both[] = {{.stored = &runs->stored[0], .name = runs->names[0]},
                              {.stored = &runs->stored[options->diff ? 1 : 0],
                               .name = runs->names[options->diff ? 1 : 0]}};
    if (options->title == NULL && (options->diff || runs->count == 1)) {
        const char *finding = report_finding(both, options->diff ? 2 : 1, document);
        document->title = finding != NULL && finding[0] != '\0' ? finding : document->title;
    }
    if (options->diff) {
        report_build(both, 2, document);
    } else {
        add_runs(runs, &options->prices, document);
    }
}

/* === Report output ============================================================================ */

typedef struct ReportPlace {
    unsigned formats; /* bits of ReportFormat */
    char folder[ATOMIC_FILE_PATH_SIZE];
    char file[ATOMIC_FILE_PATH_SIZE]; /* of the one format there is; empty: report.html, report.md
                                         in the folder */
} ReportPlace;

/* The format that a file of this name has; 0 when the ending is of none. */
static unsigned format_of_name(const char *path) {
    return text_ends(path, ".html") ? REPORT_HTML : text_ends(path, ".md") ? REPORT_MARKDOWN : 0;
}

/* --out names a file. */
static Status place_file(const char *path, unsigned format, unsigned asked, ReportPlace *place) {
    if (asked != 0 && asked != format) {
        return status_make(STATUS_USAGE,
                           "--out: %.100s is one file, of %s, and --format asks for other ones; "
                           "name a folder",
                           path, format == REPORT_HTML ? "html" : "md");
    }
    place->formats = format;
    STATUS_TRY(path_make(place->file, sizeof place->file, "%s", path));
    return path_folder(path, place->folder, sizeof place->folder);
}

static Status place_by_name(const ReportOptions *options, ReportPlace *place) {
    const bool folder = folder_exists(options->out);
    const unsigned format = format_of_name(options->out);
    if (format != 0 && !folder) {
        return place_file(options->out, format, options->formats, place);
    }
    if (!folder && access(options->out, F_OK) == 0) {
        return status_make(STATUS_FILE,
                           "--out: %.200s is a file; name a folder, or a file that ends in .html "
                           "or .md",
                           options->out);
    }
    STATUS_TRY(path_make(place->folder, sizeof place->folder, "%s", options->out));
    return folder_make(place->folder);
}

/* Finds the place from --out, --format and the runs; makes a missing folder. STATUS_USAGE when
 * --out is a file of another format, STATUS_FILE. */
static Status report_place_find(const ReportOptions *options, ReportPlace *place) {
    *place = (ReportPlace){.formats = options->formats != 0 ? options->formats : REPORT_HTML};
    if (options->out != NULL) {
        return place_by_name(options, place);
    }
    if (options->runs.count == 1) {
        STATUS_TRY(report_run_folder(options->runs.texts[0], place->folder));
    }
    if (options->runs.count > 1 || access(place->folder, W_OK | X_OK) != 0) {
        snprintf(place->folder, sizeof place->folder, ".");
    }
    return status_ok();
}

/* --- Files ------------------------------------------------------------------------------------ */

/* The path of the file `name` in the folder, or --out where that is a file. */
static Status path_of(const ReportPlace *place, const char *name,
                      char path[ATOMIC_FILE_PATH_SIZE]) {
    if (place->file[0] != '\0') {
        return path_make(path, ATOMIC_FILE_PATH_SIZE, "%s", place->file);
    }
    return path_in(place->folder, name, path, ATOMIC_FILE_PATH_SIZE);
}

static Status write_html(const ReportPlace *place, const Document *document, FILE *listing) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_of(place, "report.html", path));
    STATUS_TRY(html_write(document, path));
    visible_line(listing, "%s", path);
    return status_ok();
}

/* Figures first: the Markdown links to the files that exist. */
static Status write_markdown(const ReportPlace *place, const Document *document, FILE *listing) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_in(place->folder, "figures", path, sizeof path));
    const Status figures = document_figures_write(document, path);
    if (!document_only_lacks_images(&figures)) {
        return figures;
    }
    STATUS_TRY(path_of(place, "report.md", path));
    STATUS_TRY(markdown_write(document, path, "figures"));
    visible_line(listing, "%s", path);
    return figures;
}

/* `width`: of the column that LaTeX tables are for; 0: any. */
static Status write_tables(const ReportPlace *place, const Document *document, double width,
                           FILE *listing) {
    char path[ATOMIC_FILE_PATH_SIZE];
    const bool latex = (place->formats & REPORT_LATEX) != 0;
    const unsigned formats = (latex && !(width > 0) ? TABLE_LATEX : 0) |
                             ((place->formats & REPORT_CSV) != 0 ? TABLE_CSV : 0);
    STATUS_TRY(path_in(place->folder, "tables", path, sizeof path));
    if (latex && width > 0) {
        size_t left_out;
        STATUS_TRY(document_column_tables_write(document, path, width, &left_out));
        if (left_out > 0) {
            visible_line(stderr,
                         "bench: note: %zu table%s not fit %.4g mm in letters of 8 points and %s "
                         "left out; without --width all are written",
                         left_out, left_out == 1 ? " does" : "s do", width,
                         left_out == 1 ? "is" : "are");
        }
    }
    STATUS_TRY(document_tables_write(document, path, formats));
    visible_line(listing, "%s", path);
    return status_ok();
}

/* The artifact appendix of all runs together. */
static Status write_artifact(const ReportOptions *options, const ReportRuns *runs,
                             const ReportPlace *place) {
    char title[4 * REPORT_NAME_SIZE];
    ReportRun of[REPORT_RUNS_MAX];
    report_runs_list(runs, of);
    if (options->title != NULL) {
        snprintf(title, sizeof title, "%s", options->title);
    } else if (runs->count == 1) {
        snprintf(title, sizeof title, "Artifact appendix: %s", runs->names[0]);
    } else {
        snprintf(title, sizeof title, "Artifact appendix of %zu runs", runs->count);
    }
    Document document;
    document_open(&document, title);
    artifact_build(&(Artifact){.runs = of, .count = runs->count}, &document);
    const Status status = artifact_write(&document, place->folder, stdout);
    document_release(&document);
    return status;
}

/* Writes the document and prints the path of each file and folder on `listing`. STATUS_SKIP with
 * the reason when only charts for Markdown could not be made. */
static Status report_write(const ReportPlace *place, const Document *document, double width,
                           FILE *listing) {
    if ((place->formats & REPORT_HTML) != 0) {
        STATUS_TRY(write_html(place, document, listing));
    }
    if ((place->formats & (REPORT_LATEX | REPORT_CSV)) != 0) {
        STATUS_TRY(write_tables(place, document, width, listing));
    }
    return (place->formats & REPORT_MARKDOWN) != 0 ? write_markdown(place, document, listing)
                                                   : status_ok();
}

/* === Command report =========================================================================== */

void report_runs_list(const ReportRuns *runs, ReportRun list[]) {
    for (size_t i = 0; i < runs->count; i++) {
        list[i] = (ReportRun){.stored = &runs->stored[i], .name = runs->names[i]};
    }
}

void report_runs_note_ignored(const ReportRuns *runs) {
    for (size_t i = 0; i < runs->count; i++) {
        if (runs->stored[i].ignored > 0) {
            char what[ROWS_IGNORED_SIZE];
            rows_ignored_text(runs->stored[i].ignored, what);
            visible_line(stderr, "bench: note: %s: %s; they are left out", runs->names[i], what);
        }
    }
}

/* A page says that there is nothing to hold side by side; tables alone would be empty. */
static Status check_pairs(const ReportOptions *options, const ReportRuns *runs) {
    const unsigned pages = REPORT_HTML | REPORT_MARKDOWN;
    const ReportRun both[] = {{.stored = &runs->stored[0]}, {.stored = &runs->stored[1]}};
    return report_has_pairs(&both[0], &both[1]) || options->formats == 0 ||
                   (options->formats & pages) != 0
               ? status_ok()
               : status_make(STATUS_NO_MATCH,
                             "--diff: %.100s and %.100s have no time of the same algorithm, input "
                             "and size: there is nothing to hold side by side",
                             runs->names[0], runs->names[1]);
}

static Status build_and_write(const ReportOptions *options, const ReportRuns *runs) {
    ReportPlace place;
    STATUS_TRY(options->diff ? check_pairs(options, runs) : status_ok());
    for (size_t i = 0; i < options->runs.count; i++) {
        STATUS_TRY(guard_run(options->runs.texts[i]));
    }
    STATUS_TRY(report_place_find(options, &place));
    if ((place.formats & REPORT_AD) != 0) {
        STATUS_TRY(write_artifact(options, runs, &place));
    }
    if ((place.formats & ~(unsigned)REPORT_AD) == 0) {
        return status_ok();
    }
    Document document;
    report_document_build(options, runs, &document);
    Status status = report_write(&place, &document, options->width, stdout);
    document_release(&document);
    if (status.code == STATUS_SKIP) {
        visible_line(stderr, "bench: note: charts are tables in the Markdown: %s", status.why);
        status = status_ok();
    }
    return status;
}

static Status report(Invocation *given, void *of) {
    const ReportOptions *options = of;
    ReportRuns runs;
    (void)given;
    STATUS_TRY(report_runs_read(&options->runs, &runs));
    report_runs_note_ignored(&runs);
    const Status status = build_and_write(options, &runs);
    report_runs_release(&runs);
    return status;
}

const Command command_report = {
    .name = "report",
    .summary = "write stored runs as one HTML page, or two of them side by side",
    .usage = "bench report [RUN...] [options]",
    .about =
        "Writes stored runs as one self-contained HTML page: the fastest variant of each "
        "size and its speedups, from which size on the GPU is ahead, charts, rooflines, every "
        "cell, what was skipped and why, the machine and the method. RUN is the folder of a "
        "run or its results.json, without it the last run; several runs are sections of one page. "
        "With --diff two runs, of "
        "different machines or versions, are shown on shared axes; 'bench compare' judges whether "
        "one is a regression. Prints the paths of what it writes.",
    .examples = "bench report\n"
                "bench report runs/lbp runs/haar --out report --format html,md,csv\n"
                "bench report latest --format ad\n"
                "bench report --diff runs/laptop runs/server --out laptop-server.html\n",
    .words = "the runs",
    .rows = option_rows,
    .size = sizeof(ReportOptions),
    .check = check,
    .run = report,
};
