/* The command `bench figure`. */

#include "builder.h"
#include "cli_internal.h"
#include "document.h"
#include "paths.h"
#include "report.h"
#include "stored_run.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"
#include "text.h"

/* === Options ================================================================================== */

enum { FONT_LEAST = 4, FONT_MOST = 24 };

static const double width_least = 40, width_most = 300;

typedef enum Caption { CAPTION_NONE, CAPTION_TEXT, CAPTION_LATEX } Caption;

typedef struct FigureOptions {
    OptionTexts runs, renames;
    PaperRequest request;
    const char *kind; /* NULL: not given */
    int legend;       /* a FigureLegend + 1; 0: not given */
    Caption caption;
    const char *out; /* NULL: the current folder */
    char font[LIST_WORD_SIZE];
} FigureOptions;

/* In the order of PaperOver, PaperMeasure, PaperScale, FigureLegend, FigureFormat and Caption. */
static const char *const overs[] = {"seq", "best-cpu", NULL};
static const char *const measures[] = {"kernel", "end-to-end", "both", NULL};
static const char *const scales[] = {"log", "linear", NULL};
static const char *const legends[] = {"below", "inside", "direct", "none", NULL};
static const char *const formats[] = {"pdf", "svg", "png", "pgf", "cairolatex", NULL};
static const char *const captions[] = {"text", "latex", NULL};

/* A number with a sign and an exponent, up to `*end`. */
static bool read_number(const char *text, double *number, const char **end) {
    const size_t length = strspn(text, "+-0123456789.e");
    char *stop;
    *number = strtod(text, &stop);
    *end = stop;
    return length > 0 && stop == text + length && isfinite(*number);
}

/* "1:100", "1:", ":100" */
static bool read_range(const char *text, FigureRange *range) {
    const char *colon = strchr(text, ':'), *end = text;
    FigureRange read = {NAN, NAN};
    if (colon == NULL) {
        return false;
    }
    if (colon > text && (!read_number(text, &read.least, &end) || end != colon)) {
        return false;
    }
    if (colon[1] != '\0' && (!read_number(colon + 1, &read.most, &end) || *end != '\0')) {
        return false;
    }
    *range = read;
    return isfinite(read.least) || isfinite(read.most);
}

static Status set_range(const Option *option, const char *value, void *of) {
    FigureOptions *options = of;
    const char *list = value;
    (void)option;
    while (list != NULL) {
        char word[LIST_WORD_SIZE];
        STATUS_TRY(list_next(&list, word));
        const char *of_x = text_after(word, "x="), *of_y = text_after(word, "y=");
        FigureRange *range =
            of_x != NULL ? &options->request.style.x_range : &options->request.style.y_range;
        if (!read_range(of_x != NULL   ? of_x
                        : of_y != NULL ? of_y
                                       : word,
                        range) ||
            !(isnan(range->least) || isnan(range->most) || range->least < range->most)) {
            return status_make(STATUS_USAGE,
                               "'%.40s' is no range; write 1:100 (of y), or x=1e5:1e8,y=1:100, the "
                               "lower end first",
                               word);
        }
    }
    return status_ok();
}

Status width_read(const Option *option, const char *value, void *options) {
    double *width = (void *)((unsigned char *)options + option->member);
    static const struct {
        const char *word;
        double width; /* mm */
    } columns[] = {{"ieee", 88.3}, {"acm", 84.7}, {"nature", 89}, {"beamer", 100}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        if (strcmp(value, columns[i].word) == 0) {
            *width = columns[i].width;
            return status_ok();
        }
    }
    char *end;
    double number = strtod(value, &end);
    const bool digits = strspn(value, "0123456789.") > 0;
    const char *unit = digits && end == value + strspn(value, "0123456789.") ? end : "?";
    number *= strcmp(unit, "cm") == 0 ? 10 : strcmp(unit, "in") == 0 ? 25.4 : 1;
    if ((strcmp(unit, "mm") != 0 && strcmp(unit, "cm") != 0 && strcmp(unit, "in") != 0) ||
        !(number >= width_least && number <= width_most)) {
        return status_make(STATUS_USAGE,
                           "'%.40s' is no width from %g to %g mm; write 85mm, 3.5in, ieee, acm, "
                           "nature or beamer",
                           value, width_least, width_most);
    }
    *width = number;
    return status_ok();
}

/* "Times", "Times,9" or "9" */
static Status set_font(const Option *option, const char *value, void *of) {
    FigureOptions *options = of;
    const char *comma = strrchr(value, ',');
    const char *size = comma != NULL                                   ? comma + 1
                       : strspn(value, "0123456789.") == strlen(value) ? value
                                                                       : NULL;
    const size_t length = size == value   ? 0
                          : comma != NULL ? (size_t)(comma - value)
                                          : strlen(value);
    (void)option;
    if (size != NULL) {
        char *end;
        const double number = strtod(size, &end);
        if (size[0] < '0' || size[0] > '9' || *end != '\0' || number < FONT_LEAST ||
            number > FONT_MOST) {
            return status_make(STATUS_USAGE,
                               "'%.40s' is no size from %d to %d points; write Times,9 or 9", size,
                               FONT_LEAST, FONT_MOST);
        }
        options->request.style.font_size = number;
    }
    if (length >= sizeof options->font || memchr(value, ',', length) != NULL) {
        return status_make(STATUS_USAGE, "'%.40s' is no font; write Times or Times,9", value);
    }
    if (length > 0) {
        snprintf(options->font, sizeof options->font, "%.*s", (int)length, value);
    }
    return status_ok();
}

static Status check_renames(const OptionTexts *renames) {
    for (size_t i = 0; i < renames->count; i++) {
        const char *equals = strchr(renames->texts[i], '=');
        if (equals == NULL || equals == renames->texts[i]) {
            return status_make(STATUS_USAGE,
                               "--rename: '%.60s' is no NAME=TEXT; write "
                               "cuda_fast=\"Ours\"",
                               renames->texts[i]);
        }
    }
    return status_ok();
}

static Status check(void *of, const OptionsGiven *given) {
    FigureOptions *options = of;
    PaperRequest *request = &options->request;
    (void)given;
    STATUS_TRY(check_renames(&options->renames));
    const bool usual = options->kind == NULL && request->over == PAPER_OVER_USUAL;
    const ChartType *speedup = &chart_types[SUBJECT_SPEEDUP];
    request->type = options->kind != NULL ? figure_type(options->kind) : usual ? NULL : speedup;
    request->style.legend =
        options->legend > 0 ? (FigureLegend)(options->legend - 1) : FIGURE_LEGEND_BELOW;
    request->style.font = options->font[0] != '\0' ? options->font : NULL;
    request->renames = options->renames.texts;
    request->rename_count = options->renames.count;
    return status_ok();
}

#define MEMBER(name) .member = offsetof(FigureOptions, name)

static const Option option_rows[] = {
    {NULL, "RUN", NULL, .kind = OPTION_RUNS, MEMBER(runs), .most = PAPER_RUNS_MAX,
     .otherwise = LAST_RUN},
    {"kind", "KIND",
     "speedup, time, efficiency (share of the roof), roofline, threads (how they scale), tuning "
     "(time against a tuning axis), stages (where the time goes), crossover (the fastest of each "
     "side, and where they cross), sweep (against an axis of the answer), scaling (speedup over "
     "one "
     "GPU or thread, and efficiency). Default: crossover, or with --over speedup",
     .kind = OPTION_WORD, MEMBER(kind), .words = figure_words, .noun = "kind of figure",
     .group = "What is shown"},
    {"over", "WHAT",
     "what speedups are over: seq, or best-cpu, the fastest CPU variant of each size. Default: "
     "best-cpu where the run has a GPU; a sweep shows times without it",
     .kind = OPTION_CHOICE, MEMBER(request.over), .words = overs, .noun = "baseline",
     .group = "What is shown"},
    {"measure", "WHAT",
     "kernel, end-to-end (with copies) or both, the latter dashed: of speedup, time, crossover, "
     "sweep and scaling. Default: both of a crossover, else kernel",
     .kind = OPTION_CHOICE, MEMBER(request.measure), .words = measures, .noun = "measure",
     .group = "What is shown"},
    {"variants", "LIST", "only these", .takes = TAKES_LIST, .kind = OPTION_TEXT,
     MEMBER(request.variants), .group = "What is shown"},
    {"sizes", "LIST", "only these", .takes = TAKES_LIST, .kind = OPTION_TEXT, MEMBER(request.sizes),
     .group = "What is shown"},
    {"algo", "NAME", "which algorithm, where a run has several. Default: the first",
     .kind = OPTION_TEXT, MEMBER(request.algorithm), .group = "What is shown"},
    {"input", "NAME", "which input, likewise", .kind = OPTION_TEXT, MEMBER(request.input),
     .group = "What is shown"},
    {"answer", "LIST", "which answer point, likewise: pr:8:1, or several of its words",
     .takes = TAKES_LIST, .kind = OPTION_TEXT, MEMBER(request.answer), .group = "What is shown"},
    {"axis", "NAME",
     "the axis of tuning or sweep, by default that of most values; of scaling gpus or threads, by "
     "default gpus where the run has several",
     .kind = OPTION_TEXT, MEMBER(request.axis), .group = "What is shown"},
    {"rename", "NAME=TEXT",
     "calls a variant, a machine, 'best CPU' or 'best GPU' so; may be repeated",
     .kind = OPTION_TEXTS, MEMBER(renames), .most = RENAMES_MAX, .group = "How it looks"},
    {"x", "SCALE", "log or linear", .kind = OPTION_CHOICE, MEMBER(request.x_scale), .words = scales,
     .noun = "scale", .group = "How it looks"},
    {"y", "SCALE", "log or linear", .kind = OPTION_CHOICE, MEMBER(request.y_scale), .words = scales,
     .noun = "scale", .group = "How it looks"},
    {"range", "LIST", "what the axes show: 1:100 is of y, x=1e5:1e8,y=1: of both",
     .takes = TAKES_LIST, .kind = OPTION_HANDLED, .handle = set_range, .group = "How it looks"},
    {"width", "WIDTH",
     "85mm, 3.5in, or that of a column: ieee (88.3 mm), acm (84.7 mm), nature (89 mm), beamer (100 "
     "mm). Default: ieee",
     .kind = OPTION_HANDLED, .handle = width_read, MEMBER(request.style.width),
     .group = "How it looks"},
    {"font", "FONT", "family, size in points, or both: Times,9. Default: Arial,8",
     .kind = OPTION_HANDLED, .handle = set_font, .group = "How it looks"},
    {"legend", "PLACE",
     "below, inside, direct (names at the ends of lines) or none. Default: below",
     .kind = OPTION_CHOICE, MEMBER(legend), .words = legends, .noun = "place",
     .group = "How it looks"},
    {"title", "TEXT", "a line above. Default: none, as a caption says it", .kind = OPTION_TEXT,
     MEMBER(request.title), .group = "How it looks"},
    {"format", "LIST",
     "pdf, svg, png (300 dpi), pgf (\\input, with gnuplot-lua-tikz) and cairolatex (\\input; text "
     "is "
     "LaTeX's). Default: pdf, or as --out ends",
     .kind = OPTION_WORDS, MEMBER(request.style.formats), .words = formats, .noun = "format",
     .group = "Files"},
    {"out", "FILE|DIR",
     "a file that ends in .pdf, .svg, .png, .pgf or .tex, or a folder, which is made. Default: "
     "figure-... in the current folder",
     .kind = OPTION_OUTPUT, MEMBER(out), .group = "Files"},
    {"caption", "FORM",
     "print what a caption has to say, as text or latex, and the paths on standard error. Default: "
     "text",
     .kind = OPTION_CHOICE, MEMBER(caption), .words = captions, .noun = "form of a caption",
     .otherwise = "text", .group = "Files"},
    OPTIONS_END};

/* === Where it goes ============================================================================ */

typedef struct FigurePlace {
    char folder[ATOMIC_FILE_PATH_SIZE];
    char name[ATOMIC_FILE_PATH_SIZE]; /* without suffix */
} FigurePlace;

static const struct {
    const char *ending;
    FigureFormat format;
} endings[] = {{".pdf", FIGURE_PDF},
               {".svg", FIGURE_SVG},
               {".png", FIGURE_PNG},
               {".pgf", FIGURE_PGF},
               {".tex", FIGURE_CAIROLATEX}};

/* --out names a file: of its format, and of those that --format adds. */
static Status place_file(const char *out, const char *ending, FigurePlace *place) {
    STATUS_TRY(path_folder(out, place->folder, sizeof place->folder));
    STATUS_TRY(path_make(place->name, sizeof place->name, "%.*s",
                         (int)(strlen(path_name(out)) - strlen(ending)), path_name(out)));
    return folder_make(place->folder);
}

/* Finds folder and name, and the formats where none was given. */
static Status find_place(const FigureOptions *options, PaperRequest *request, const char *name,
                         FigurePlace *place) {
    const char *out = options->out;
    for (size_t i = 0; out != NULL && !folder_exists(out) && i < sizeof endings / sizeof endings[0];
         i++) {
        if (text_ends(path_name(out), endings[i].ending)) {
            request->style.formats |= (unsigned)endings[i].format;
            return place_file(out, endings[i].ending, place);
        }
    }
    if (out != NULL && !folder_exists(out) && access(out, F_OK) == 0) {
        return status_make(STATUS_FILE,
                           "--out: %.200s is a file; name a folder, or a file that ends in .pdf, "
                           ".svg, .png, .pgf or .tex",
                           out);
    }
    request->style.formats = request->style.formats != 0 ? request->style.formats : FIGURE_PDF;
    STATUS_TRY(path_make(place->folder, sizeof place->folder, "%s", out != NULL ? out : "."));
    STATUS_TRY(path_make(place->name, sizeof place->name, "%s", name));
    return folder_make(place->folder);
}

/* === Command figure =========================================================================== */

static Status build_and_write(const FigureOptions *options, const ReportRuns *runs,
                              Document *document) {
    ReportRun views[PAPER_RUNS_MAX];
    PaperFigure figure;
    FigurePlace place;
    PaperRequest request = options->request;
    for (size_t i = 0; i < runs->count; i++) {
        STATUS_TRY(guard_run(options->runs.texts[i]));
    }
    report_runs_list(runs, views);
    STATUS_TRY(paper_build(&request, views, runs->count, document, &figure));
    STATUS_TRY(find_place(options, &request, figure.name, &place));
    if (figure.left_out != NULL) {
        visible_line(stderr, "bench: note: %s", figure.left_out);
    }
    if (figure.absent != NULL) {
        visible_line(stderr, "bench: note: %s", figure.absent);
    }
    Status status = chart_publish(&request.style, figure.chart, place.folder, place.name,
                                  options->caption != CAPTION_NONE ? stderr : stdout);
    if (status.code == STATUS_SKIP) {
        visible_line(stderr,
                     "bench: note: no picture is drawn (%s); gnuplot draws it from the .gp file",
                     status.why);
        status = status_ok();
    }
    if (status_is_ok(&status) && options->caption != CAPTION_NONE) {
        paper_caption_print(stdout, figure.caption, options->caption == CAPTION_LATEX);
    }
    return status;
}

static Status figure(Invocation *given, void *of) {
    const FigureOptions *options = of;
    ReportRuns runs;
    Document document;
    (void)given;
    STATUS_TRY(report_runs_read(&options->runs, &runs));
    report_runs_note_ignored(&runs);
    document_open(&document, "");
    const Status status = build_and_write(options, &runs, &document);
    document_release(&document);
    report_runs_release(&runs);
    return status;
}

static const FigureOptions defaults = {
    .request = {
        .style = {.width = 88.3, .font_size = 8, .x_range = {NAN, NAN}, .y_range = {NAN, NAN}}}};

const Command command_figure = {
    .name = "figure",
    .summary = "one figure of stored runs for a paper, with the script that draws it",
    .usage = "bench figure [RUN...] [options]",
    .about =
        "Draws one figure as a paper wants it: as wide as its column, letters of 8 points, no "
        "title. Without RUN it is of the last run. Several runs are in one figure, series named by "
        "machine. Beside it are the .csv with its points, and .gp, .py and .tex that draw it again "
        "without this program, to edit. Intervals are drawn where a cell has six launches or more. "
        "Prints the paths of what it writes.",
    .examples = "bench figure runs/lbp --measure both --width ieee --out lbp-speedup.pdf\n"
                "bench figure runs/h200 runs/a100 --variants cuda_fast --rename cuda_fast=Ours\n"
                "bench figure runs/lbp --kind roofline --format pdf,cairolatex --out figures\n"
                "bench figure runs/lbp --kind scaling --measure both --out scaling.pdf\n"
                "bench figure runs/lbp --kind crossover --caption=latex > caption.tex\n",
    .words = "the runs",
    .rows = option_rows,
    .size = sizeof(FigureOptions),
    .defaults = &defaults,
    .check = check,
    .run = figure,
};
