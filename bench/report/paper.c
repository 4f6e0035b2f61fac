/* One figure of stored runs as a paper wants it: its lines and its caption. */

#include "report_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "algorithm.h"
#include "axis.h"
#include "machine.h"
#include "markup_text.h"
#include "registry.h"
#include "status.h"
#include "text.h"
#include "variant.h"
#include "workload.h"

const char *const paper_kind_names[] = {[PAPER_SPEEDUP] = "speedup",
                                        [PAPER_TIME] = "time",
                                        [PAPER_EFFICIENCY] = "efficiency",
                                        [PAPER_ROOFLINE] = "roofline",
                                        [PAPER_THREADS] = "threads",
                                        [PAPER_TUNING] = "tuning",
                                        [PAPER_STAGES] = "stages",
                                        [PAPER_CROSSOVER] = "crossover",
                                        [PAPER_SWEEP] = "sweep",
                                        [PAPER_SCALING] = "scaling",
                                        [PAPER_KINDS] = NULL};

enum { NAMES_MAX = 64, WORDS_SIZE = 1024, POINT_WORDS_SIZE = POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE };

static const char best_cpu_name[] = "best CPU", best_gpu_name[] = "best GPU";

/* What is drawn upwards. */
typedef enum PaperValue { VALUE_TIME, VALUE_SPEEDUP, VALUE_ROOF_SHARE } PaperValue;

/* A figure that is being built. */
typedef struct Paper {
    const PaperRequest *request;
    const OverviewRun *runs;
    size_t run_count;
    Document *document;
    DocChart *chart;
    const Row *head;                 /* whose algorithm, input and answer the figure is of */
    RunGroup groups[PAPER_RUNS_MAX]; /* of each run the rows that may be shown */
    const char *machines[PAPER_RUNS_MAX];
    SpeedupOver over;
    const char *weak; /* what grows, of PAPER_SCALING; NULL or "": nothing does */
    PaperValue value;
    const Variant *only; /* whose lines are all of them; NULL: several are shown */
    TimeUnit unit;
    RowAxis axis;
    const char *names[NAMES_MAX]; /* that series have, for --rename */
    size_t name_count;
    bool renamed[NAMES_MAX]; /* by place of the rename */
    Status trouble;          /* the first */
} Paper;

/* === Which rows =============================================================================== */

/* Whether a comma list has the word, in any case; NULL has every word. */
static bool list_has(const char *list, const char *word) {
    const size_t length = strlen(word);
    while (list != NULL) {
        const size_t end = strcspn(list, ",");
        if (end == length && strncasecmp(list, word, length) == 0) {
            return true;
        }
        if (list[end] == '\0') {
            return false;
        }
        list += end + 1;
    }
    return true;
}

/* Whether each word of `asked`, "pr:8:1 interp:bilinear", with commas or blanks between, is one of
 * the answer point. */
static bool is_answer(const char *asked, const Point *answer) {
    char text[POINT_WORDS_SIZE];
    point_format(answer, text, sizeof text);
    for (const char *word = asked; *word != '\0'; word += strspn(word, ", ")) {
        char single[POINT_WORDS_SIZE];
        const size_t length = strcspn(word, ", ");
        snprintf(single, sizeof single, "%.*s", (int)length, word);
        if (length > 0 && !list_has(text, single)) {
            return false;
        }
        word += length;
    }
    return true;
}

static bool is_asked(const PaperRequest *request, const Row *row) {
    return (request->algorithm == NULL ? !row_is_roof(row)
                                       : strcmp(request->algorithm, row->algorithm->name) == 0) &&
           (request->input == NULL || strcmp(request->input, row->input) == 0) &&
           (request->answer == NULL || is_answer(request->answer, &row->answer));
}

/* Whether the chosen rows are of one answer point: those of a sweep are not. */
static bool has_one_answer(const PaperRequest *request) {
    return request->kind != PAPER_SWEEP;
}

/* Whether the row has grown with its number of GPUs, so that its size or answer is its own. */
static bool has_grown(const PaperRequest *request, const Row *row) {
    return request->kind == PAPER_SCALING && row->weak;
}

static bool has_same_answer(const Paper *paper, const Row *row) {
    const Point *answer = &paper->head->answer;
    const char *grows = row->algorithm->weak_axis;
    return !has_one_answer(paper->request) || point_equal(&row->answer, answer) ||
           (has_grown(paper->request, row) && grows != NULL &&
            point_equal_but(&row->answer, answer, grows));
}

static bool answers_question(const Paper *paper, const Row *row) {
    return row->status == CELL_OK && row->algorithm == paper->head->algorithm &&
           strcmp(row->input, paper->head->input) == 0 && has_same_answer(paper, row) &&
           (paper->request->answer == NULL || is_answer(paper->request->answer, &row->answer));
}

static bool is_wanted(const PaperRequest *request, const Variant *variant) {
    return list_has(request->variants, variant->name);
}

/* Whether rows of this kind may make the figure: the first group that has some is taken. */
static bool suits(PaperKind kind, const Row *row) {
    switch (kind) {
    case PAPER_STAGES: return row_has_stages(row);
    case PAPER_THREADS: return point_value(&row->tuning, "threads") != NULL;
    case PAPER_SCALING: return row_workers(row) > 1;
    case PAPER_ROOFLINE: return row->cost.operations > 0 && isfinite(row->ceiling_operations);
    case PAPER_EFFICIENCY: return isfinite(row->roof_fraction);
    default: return true;
    }
}

/* "lbp on meadow.jpg, pr:8:1": what a group is. */
static const char *question_words(const Paper *paper, const Row *row) {
    char answer[POINT_WORDS_SIZE];
    point_format(&row->answer, answer, sizeof answer);
    const bool named = answer[0] != '\0' && has_one_answer(paper->request);
    const char *words = document_text(paper->document, "%s on %s%s%s", row->algorithm->name,
                                      row->input, named ? ", " : "", named ? answer : "");
    return words != NULL ? words : "";
}

/* STATUS_USAGE: which algorithms, inputs and answers there are. */
static Status nothing_asked_for(const Paper *paper) {
    const RunGroups groups = run_groups_make(&paper->runs[0].stored->results, paper->document);
    char known[WORDS_SIZE / 2] = "";
    for (size_t i = 0; i < groups.count; i++) {
        text_append(known, sizeof known, "%s%s", i > 0 ? "; " : "", groups.groups[i].title);
    }
    return status_make(STATUS_USAGE, "figure: %.80s has no verified rows of that (it has: %.200s)",
                       paper->runs[0].name, known);
}

/* The first row of the first run that was asked for and suits the kind, else that was asked for. */
static Status find_head(Paper *paper) {
    const Results *results = &paper->runs[0].stored->results;
    for (int pass = 0; pass < 3 && paper->head == NULL; pass++) {
        for (size_t i = 0; i < results->count && paper->head == NULL; i++) {
            const Row *row = &results->rows[i];
            const bool asked =
                is_asked(paper->request, row) ||
                (pass == 2 && paper->request->algorithm == NULL && row_is_roof(row) &&
                 paper->request->input == NULL && paper->request->answer == NULL);
            if (row->status == CELL_OK && asked && (pass > 0 || suits(paper->request->kind, row))) {
                paper->head = row;
            }
        }
    }
    return paper->head != NULL ? status_ok() : nothing_asked_for(paper);
}

/* Whether a size of the same name has other content in the first run. */
static bool has_other_input(const Paper *paper, const Row *row) {
    const RunGroup *first = &paper->groups[0];
    for (size_t i = 0; i < first->count; i++) {
        const Row *other = first->rows[i];
        if (strcmp(other->size_name, row->size_name) == 0 && other->images == row->images &&
            other->input_hash != 0 && row->input_hash != 0) {
            return other->input_hash != row->input_hash;
        }
    }
    return false;
}

/* The rows of a run that answer the figure's question, at the sizes that were asked for. */
static Status find_rows(Paper *paper, size_t run) {
    const Results *results = &paper->runs[run].stored->results;
    RunGroup *group = &paper->groups[run];
    double side = NAN;
    group->rows = document_allocate(paper->document, (results->count + 1) * sizeof(const Row *));
    for (size_t i = 0; group->rows != NULL && i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (!answers_question(paper, row) ||
            (!has_grown(paper->request, row) && !list_has(paper->request->sizes, row->size_name))) {
            continue;
        }
        const double image = (double)row->width * row->height;
        paper->axis.pixels |= row->images > 0 && isfinite(side) && image != side;
        side = image;
        if (run > 0 && has_other_input(paper, row)) {
            return status_make(STATUS_USAGE,
                               "figure: %.60s and %.60s have different inputs of the name %.60s; "
                               "runs in one figure have to have the same",
                               paper->runs[0].name, paper->runs[run].name, row->input);
        }
        group->rows[group->count++] = row;
    }
    if (group->count == 0 && group->rows != NULL && run > 0) {
        return status_make(STATUS_USAGE,
                           "figure: %.60s has no rows of %.120s, as %.60s has; runs in one figure "
                           "have to answer the same question",
                           paper->runs[run].name, question_words(paper, paper->head),
                           paper->runs[0].name);
    }
    return status_ok();
}

/* STATUS_USAGE for a name of the list that no row of the question has. */
static Status check_names(const Paper *paper, const char *list, bool variants, const char *noun) {
    while (list != NULL) {
        char word[LIST_WORD_SIZE], known[WORDS_SIZE] = "";
        bool found = false;
        STATUS_TRY(list_next(&list, word));
        Suggestion suggestion = suggest_start(word);
        for (size_t run = 0; run < paper->run_count; run++) {
            const Results *results = &paper->runs[run].stored->results;
            for (size_t i = 0; i < results->count; i++) {
                const Row *row = &results->rows[i];
                const char *name = variants ? row->variant->name : row->size_name;
                const size_t before = strlen(known);
                if (answers_question(paper, row)) {
                    found |= strcasecmp(name, word) == 0;
                    name_list_add(known, sizeof known, name);
                }
                if (strlen(known) > before) {
                    suggest_offer(&suggestion, name);
                }
            }
        }
        if (!found) {
            const Status status = suggest_unknown(&suggestion, noun);
            return status_make(STATUS_USAGE, "--%ss: %.400s", noun, status.why);
        }
    }
    return status_ok();
}

/* === Names ==================================================================================== */

/* "H200" for "NVIDIA H200", "Intel Xeon Gold 6326" for "Intel(R) Xeon(R) Gold 6326 CPU @ 2.90GHz".
 */
static const char *machine_short(Document *document, const StoredRun *stored) {
    static const char *const without[] = {"NVIDIA ", "Tesla ", "(R)", "(TM)", " CPU", " Processor"};
    const char *gpu = results_gpus(&stored->results, machine_text(&stored->machine, "gpu_model"));
    char name[NUMBER_WORDS_SIZE];
    snprintf(name, sizeof name, "%s",
             gpu[0] != '\0' ? gpu : machine_text(&stored->machine, "cpu_model"));
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
        char *at = strstr(name, without[i]);
        if (at != NULL) {
            memmove(at, at + strlen(without[i]), strlen(at + strlen(without[i])) + 1);
        }
    }
    char *clock = strstr(name, " @");
    if (clock != NULL) {
        *clock = '\0';
    }
    return document_text(document, "%s", name);
}

/* Machines by their devices; by the names of the runs where two are alike. */
static void name_machines(Paper *paper) {
    bool alike = false;
    for (size_t i = 0; i < paper->run_count; i++) {
        const char *name = machine_short(paper->document, paper->runs[i].stored);
        paper->machines[i] = name != NULL ? name : "";
        alike |= paper->machines[i][0] == '\0';
        for (size_t j = 0; j < i; j++) {
            alike |= strcmp(paper->machines[i], paper->machines[j]) == 0;
        }
    }
    for (size_t i = 0; alike && i < paper->run_count; i++) {
        paper->machines[i] = paper->runs[i].name;
    }
}

/* The name as --rename has it. */
static const char *renamed(Paper *paper, const char *name) {
    const size_t length = strlen(name);
    bool known = false;
    for (size_t i = 0; i < paper->name_count; i++) {
        known |= strcmp(paper->names[i], name) == 0;
    }
    if (!known && paper->name_count < NAMES_MAX) {
        paper->names[paper->name_count++] = name;
    }
    const char *text = name;
    for (size_t i = 0; i < paper->request->rename_count && i < NAMES_MAX; i++) {
        const char *rename = paper->request->renames[i];
        if (strncmp(rename, name, length) == 0 && rename[length] == '=') {
            paper->renamed[i] = true;
            text = rename + length + 1;
        }
    }
    return text;
}

/* STATUS_USAGE for a rename of what the figure does not have. */
static Status check_renames(const Paper *paper) {
    for (size_t i = 0; i < paper->request->rename_count && i < NAMES_MAX; i++) {
        if (!paper->renamed[i]) {
            char given[LIST_WORD_SIZE];
            const char *rename = paper->request->renames[i];
            snprintf(given, sizeof given, "%.*s", (int)strcspn(rename, "="), rename);
            Suggestion suggestion = suggest_start(given);
            for (size_t j = 0; j < paper->name_count; j++) {
                suggest_offer(&suggestion, paper->names[j]);
            }
            const Status status = suggest_unknown(&suggestion, "name in this figure");
            return status_make(STATUS_USAGE, "--rename: %.400s", status.why);
        }
    }
    return status_ok();
}

/* "cuda_fast, 4K, end to end, H200": `detail` may be NULL. */
static const char *series_name(Paper *paper, const char *name, const char *detail, TimeKind kind,
                               size_t run) {
    const bool both = paper->request->measure == PAPER_BOTH;
    const bool several = paper->run_count > 1;
    return document_text(paper->document, "%s%s%s%s%s%s", renamed(paper, name),
                         detail != NULL ? ", " : "", detail != NULL ? detail : "",
                         both && kind == TIME_END_TO_END ? ", end to end" : "", several ? ", " : "",
                         several ? renamed(paper, paper->machines[run]) : "");
}

/* === Lines ==================================================================================== */

static bool has_kind(const Paper *paper, TimeKind kind) {
    return (paper->request->measure & (kind == TIME_KERNEL ? PAPER_KERNEL : PAPER_END_TO_END)) != 0;
}

/* Bars are of six launches or more: what fewer spread says nothing about the next. */
static bool has_bars(const Row *row, TimeKind kind) {
    return row_summary(row, kind)->launches >= MEDIAN_INTERVAL_MIN;
}

static ChartPoint time_point(const Row *row, TimeKind kind, double unit) {
    double low, high;
    summary_range(row_summary(row, kind), &low, &high);
    return (ChartPoint){.y = row_seconds(row, kind) / unit, .low = low / unit, .high = high / unit};
}

static ChartPoint speedup_point(const Row *row, SpeedupOver over, TimeKind kind) {
    const Ratio ratio = row_ratio(row, over, kind);
    return (ChartPoint){.y = ratio.value, .low = ratio.low, .high = ratio.high};
}

/* In percent. */
static ChartPoint share_point(const Row *row) {
    const double roof = 100 * row->roof_fraction * row->kernel_summary.median;
    double low, high;
    summary_range(&row->kernel_summary, &low, &high);
    return (ChartPoint){.y = 100 * row->roof_fraction, .low = roof / high, .high = roof / low};
}

/* y is NAN where the row has no such value. */
static ChartPoint point_of(const Paper *paper, const Row *row, TimeKind kind) {
    ChartPoint point = {.y = NAN};
    switch (paper->value) {
    case VALUE_TIME: point = time_point(row, kind, paper->unit.seconds); break;
    case VALUE_SPEEDUP: point = speedup_point(row, paper->over, kind); break;
    case VALUE_ROOF_SHARE: point = share_point(row); break;
    }
    if (!has_bars(row, kind)) {
        point.low = point.high = NAN;
    }
    return point;
}

/* What the place of a row is called: "4K", "60000", "8:1". */
static void place_name(const Paper *paper, const Row *row, char text[OVERVIEW_TEXT_SIZE]) {
    const RowAxis *axis = &paper->axis;
    if (axis->name != NULL) {
        snprintf(text, OVERVIEW_TEXT_SIZE, "%s",
                 point_value(axis->tuning ? &row->tuning : &row->answer, axis->name)->text);
    } else if (axis->pixels) {
        snprintf(text, OVERVIEW_TEXT_SIZE, "%s", row->size_name);
    } else {
        size_short(row, text);
    }
}

/* How a line is called and looks. */
typedef struct PaperLook {
    const char *name;
    SeriesStyle style;
    int colour;
    size_t run;
} PaperLook;

static void add_line(Paper *paper, const RowLine *line, TimeKind kind, PaperLook look) {
    ChartSeries *series = NULL;
    for (size_t i = 0; i < line->count; i++) {
        char label[OVERVIEW_TEXT_SIZE];
        ChartPoint point = point_of(paper, line->rows[i], kind);
        if (!isfinite(point.y)) {
            continue;
        }
        if (series == NULL) {
            series =
                chart_series(paper->document, paper->chart, look.name, look.style, look.colour);
            if (series != NULL) {
                series->run = look.run;
            }
        }
        place_name(paper, line->rows[i], label);
        point.x = row_place(&paper->axis, line->rows[i]);
        point.label = label;
        chart_point(paper->document, series, &point);
    }
}

static SeriesStyle style_of(const Paper *paper, TimeKind kind) {
    return paper->request->measure == PAPER_BOTH && kind == TIME_END_TO_END ? SERIES_SECONDARY
                                                                            : SERIES_MEASURED;
}

/* Whether a line of the variant is drawn: a baseline is the line at 1. */
static bool is_drawn(const Paper *paper, const Variant *variant) {
    if (!is_wanted(paper->request, variant)) {
        return false;
    }
    if (paper->value != VALUE_SPEEDUP || paper->request->variants != NULL) {
        return true;
    }
    return paper->over == OVER_BEST_CPU ? !variant_is_on_cpu(variant)
                                        : registry_variant(paper->head->algorithm, 0) != variant;
}

/* Place in the list of --variants; all the same without one. */
static size_t list_place(const char *list, const char *word) {
    size_t place = 0;
    for (; list != NULL && strchr(list, ',') != NULL; list = strchr(list, ',') + 1, place++) {
        const size_t end = strcspn(list, ",");
        if (end == strlen(word) && strncasecmp(list, word, end) == 0) {
            break;
        }
    }
    return place;
}

/* The variants that are shown, in the order of --variants, else of the run. */
static size_t shown_variants(const Paper *paper, const RunGroup *rows,
                             const Variant *variants[VARIANTS_MAX]) {
    const size_t all = run_variants(rows, variants);
    size_t count = 0;
    for (size_t i = 0; i < all; i++) {
        const Variant *variant = variants[i];
        const char *list = paper->request->variants;
        if (!is_drawn(paper, variant)) {
            continue;
        }
        size_t at = count++;
        while (at > 0 &&
               list_place(list, variants[at - 1]->name) > list_place(list, variant->name)) {
            variants[at] = variants[at - 1];
            at--;
        }
        variants[at] = variant;
    }
    return count;
}

/* A line for each variant, kind of time and run. On a CPU both kinds are one. */
static void add_variants(Paper *paper) {
    for (size_t run = 0; run < paper->run_count; run++) {
        const Variant *variants[VARIANTS_MAX];
        const size_t count = shown_variants(paper, &paper->groups[run], variants);
        for (size_t i = 0; i < count; i++) {
            for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
                const bool repeats = paper->request->measure == PAPER_BOTH &&
                                     kind == TIME_END_TO_END && variant_is_on_cpu(variants[i]);
                if (!has_kind(paper, kind) || repeats) {
                    continue;
                }
                const RowLine line = row_line(paper->document, &paper->groups[run], &paper->axis,
                                              (RowChoice){.variant = variants[i], .kind = kind});
                add_line(paper, &line, kind,
                         (PaperLook){series_name(paper, variants[i]->name, NULL, kind, run),
                                     style_of(paper, kind), variant_look_number(variants[i]->name),
                                     run});
            }
        }
    }
}

/* === Axes ===================================================================================== */

/* Marks of all runs, ascending. */
static void add_tick(Paper *paper, double place, const char *name) {
    ChartAxis *axis = &paper->chart->x;
    for (size_t i = 0; i < axis->count; i++) {
        if (axis->ticks[i].value == place) {
            return;
        }
    }
    chart_tick(paper->document, axis, place, name);
    for (size_t i = axis->count; i > 1 && axis->ticks[i - 1].value < axis->ticks[i - 2].value;
         i--) {
        const ChartTick tick = axis->ticks[i - 1];
        axis->ticks[i - 1] = axis->ticks[i - 2];
        axis->ticks[i - 2] = tick;
    }
}

/* Makes the x axis that of the places of all rows. Returns how many there are. */
static size_t name_places(Paper *paper, const char *title) {
    for (size_t run = 0; run < paper->run_count; run++) {
        const RowLine line = row_line(paper->document, &paper->groups[run], &paper->axis,
                                      (RowChoice){.variant = NULL});
        for (size_t i = 0; i < line.count; i++) {
            char name[OVERVIEW_TEXT_SIZE];
            place_name(paper, line.rows[i], name);
            add_tick(paper, row_place(&paper->axis, line.rows[i]), name);
        }
    }
    paper->chart->x.title = title;
    return paper->chart->x.count;
}

static const char *size_title(const Paper *paper) {
    return paper->head->algorithm->input == WORKLOAD_DESCRIPTORS ? "rows of each set"
           : row_is_image(paper->head)                           ? "image size"
           : paper->axis.pixels                                  ? "pixels of all images"
                                                                 : "number of images";
}

static Status needs_two_sizes(const Paper *paper) {
    return status_make(STATUS_USAGE,
                       "figure: --kind %s needs two sizes, and %.60s has one of %.100s; a run with "
                       "several --sizes (or --images) has them, and --kind sweep draws one size "
                       "against an axis of the answer",
                       paper_kind_names[paper->request->kind], paper->runs[0].name,
                       question_words(paper, paper->head));
}

static void find_unit(Paper *paper) {
    TimeRange range = {.count = 0};
    for (size_t run = 0; run < paper->run_count; run++) {
        for (size_t i = 0; i < paper->groups[run].count; i++) {
            const Row *row = paper->groups[run].rows[i];
            if (is_wanted(paper->request, row->variant)) {
                time_range_add(&range, row_seconds(row, TIME_KERNEL));
            }
        }
    }
    paper->unit = time_unit(&range);
}

/* ", end to end" where that is the only kind. */
static const char *kind_words(const Paper *paper) {
    return paper->request->measure == PAPER_END_TO_END ? ", end to end" : "";
}

static void name_value(Paper *paper) {
    Document *document = paper->document;
    ChartAxis *y = &paper->chart->y;
    const char *of = paper->only != NULL ? " of " : "";
    const char *only = paper->only != NULL ? renamed(paper, paper->only->name) : "";
    y->log = paper->value != VALUE_ROOF_SHARE;
    switch (paper->value) {
    case VALUE_TIME:
        y->title = document_text(document, "%s%s%s (%s)",
                                 paper->request->measure == PAPER_KERNEL       ? "kernel time"
                                 : paper->request->measure == PAPER_END_TO_END ? "time, end to end"
                                                                               : "time",
                                 of, only, paper->unit.name);
        break;
    case VALUE_SPEEDUP:
        y->title = document_text(document, "speedup over %s%s",
                                 paper->over == OVER_SEQ ? "seq" : "best CPU", kind_words(paper));
        paper->chart->reference = 1;
        break;
    case VALUE_ROOF_SHARE: y->title = "share of the roof (%)"; break;
    }
}

/* === Kinds ==================================================================================== */

/* --- Against size ----------------------------------------------------------------------------- */

static Status build_sizes(Paper *paper) {
    if (name_places(paper, size_title(paper)) < 2) {
        return needs_two_sizes(paper);
    }
    paper->chart->x.log = true;
    find_unit(paper);
    name_value(paper);
    add_variants(paper);
    if (paper->chart->count > 0) {
        return status_ok();
    }
    return status_make(
        STATUS_USAGE, "figure: %.60s has nothing for --kind %s of %.100s: %s", paper->runs[0].name,
        paper_kind_names[paper->request->kind], question_words(paper, paper->head),
        paper->value == VALUE_ROOF_SHARE ? "its ceilings were not measured (--no-roof)"
        : paper->value == VALUE_SPEEDUP && paper->over == OVER_SEQ
            ? "it needs rows of seq and of another variant"
            : "over the best CPU it needs rows of a GPU and of a CPU; --over seq does without");
}

static Status build_speedup(Paper *paper) {
    paper->value = VALUE_SPEEDUP;
    return build_sizes(paper);
}

static Status build_time(Paper *paper) {
    paper->value = VALUE_TIME;
    return build_sizes(paper);
}

static Status build_efficiency(Paper *paper) {
    paper->value = VALUE_ROOF_SHARE;
    return build_sizes(paper);
}

/* --- Crossover -------------------------------------------------------------------------------- */

static void pixels_text(double size, char text[OVERVIEW_TEXT_SIZE]) {
    amount_text(size, "pixel", text, OVERVIEW_TEXT_SIZE);
}

/* A place between two on a line, on logarithmic axes; NAN outside. */
static double line_at(const ChartSeries *series, double x) {
    for (size_t i = 1; i < series->count; i++) {
        const ChartPoint *a = &series->points[i - 1], *b = &series->points[i];
        if (a->x <= x && x <= b->x) {
            const double share = (log(x) - log(a->x)) / (log(b->x) - log(a->x));
            return exp(log(a->y) + share * (log(b->y) - log(a->y)));
        }
    }
    return NAN;
}

/* Where the GPU's line meets that of the CPU, which is series `cpu`. */
static void mark_crossover(Paper *paper, size_t run, size_t cpu, TimeKind kind) {
    const Crossover crossover =
        group_crossover(paper->document, &paper->groups[run], &paper->axis, NULL, kind);
    if (!isfinite(crossover.x) || cpu >= paper->chart->count) {
        return;
    }
    char place[OVERVIEW_TEXT_SIZE];
    if (row_is_image(paper->head)) {
        pixels_text(crossover.x, place);
    } else {
        snprintf(place, sizeof place, "%.0f", crossover.x);
    }
    const double y = line_at(&paper->chart->series[cpu], crossover.x);
    ChartSeries *mark =
        chart_series(paper->document, paper->chart,
                     series_name(paper, "crossover", NULL, kind, run), SERIES_WORDS, 0);
    chart_point(paper->document, mark,
                &(ChartPoint){.x = crossover.x, .y = y, .low = NAN, .high = NAN, .label = place});
}

/* The fastest of each side at each size, as lines; `--variants` chooses whose they may be. */
static Status build_crossover(Paper *paper) {
    enum { CPU_COLOUR = 0 };
    paper->value = VALUE_TIME;
    if (name_places(paper, size_title(paper)) < 2) {
        return needs_two_sizes(paper);
    }
    paper->chart->x.log = true;
    find_unit(paper);
    name_value(paper);
    bool both = true;
    for (size_t run = 0; run < paper->run_count; run++) {
        const RunGroup *group = &paper->groups[run];
        const size_t cpu = paper->chart->count;
        const Variant *last =
            NULL; /* the fastest at the largest size: both lines have its colour */
        const RowLine slow =
            row_line(paper->document, group, &paper->axis, (RowChoice){.side = SIDE_CPU});
        add_line(paper, &slow, TIME_KERNEL,
                 (PaperLook){document_text(
                                 paper->document, "%s%s%s", renamed(paper, best_cpu_name),
                                 paper->run_count > 1 ? ", " : "",
                                 paper->run_count > 1 ? renamed(paper, paper->machines[run]) : ""),
                             SERIES_MEASURED, CPU_COLOUR, run});
        for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
            const RowLine fast = row_line(paper->document, group, &paper->axis,
                                          (RowChoice){.side = SIDE_DEVICE, .kind = kind});
            both &= slow.count > 0 && fast.count > 0;
            if (kind == TIME_KERNEL && fast.count > 0) {
                last = fast.rows[fast.count - 1]->variant;
            }
            if (has_kind(paper, kind) && fast.count > 0 && last != NULL) {
                add_line(paper, &fast, kind,
                         (PaperLook){series_name(paper, best_gpu_name, NULL, kind, run),
                                     style_of(paper, kind), variant_look_number(last->name), run});
                mark_crossover(paper, run, cpu, kind);
            }
        }
    }
    return both ? status_ok()
                : status_make(STATUS_USAGE,
                              "figure: --kind crossover needs rows of a CPU and of a GPU, and not "
                              "every run has both; --kind time shows one side");
}

/* --- At one size ------------------------------------------------------------------------------ */

/* The rows of the wanted variants alone. */
static RunGroup wanted_rows(const Paper *paper, const RunGroup *group) {
    RunGroup rows = {
        .rows = document_allocate(paper->document, (group->count + 1) * sizeof(const Row *))};
    for (size_t i = 0; rows.rows != NULL && i < group->count; i++) {
        if (is_wanted(paper->request, group->rows[i]->variant)) {
            rows.rows[rows.count++] = group->rows[i];
        }
    }
    return rows;
}

static const Row *largest_of(const Paper *paper, const RunGroup *rows) {
    const RowLine sizes =
        row_line(paper->document, rows, &along_size, (RowChoice){.variant = NULL});
    return sizes.count > 0 ? sizes.rows[sizes.count - 1] : NULL;
}

/* Whether two ceilings cannot be told apart on a logarithmic axis. */
static bool same_ceiling(const ChartSeries *a, const ChartSeries *b) {
    static const double apart = 1.03;
    bool same = a->style == SERIES_CEILING && b->style == SERIES_CEILING && a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) {
        const ChartPoint *p = &a->points[i], *q = &b->points[i];
        same = fmax(p->x / q->x, q->x / p->x) < apart && fmax(p->y / q->y, q->y / p->y) < apart;
    }
    return same;
}

/* Series from `first` on are those of a run's roofline. Ceilings have the machine's name, but those
 * that several machines have are drawn once, without. */
static void name_roofline(Paper *paper, size_t first, size_t run) {
    DocChart *chart = paper->chart;
    size_t kept = first;
    for (size_t i = first; i < chart->count; i++) {
        ChartSeries series = chart->series[i];
        bool shared = false;
        for (size_t j = 0; j < first; j++) {
            if (same_ceiling(&chart->series[j], &series)) {
                chart->series[j].name = series.name;
                shared = true;
            }
        }
        series.run = run;
        if (series.style == SERIES_CEILING && paper->run_count > 1) {
            series.name = document_text(paper->document, "%s: %s",
                                        renamed(paper, paper->machines[run]), series.name);
        } else if (series.style != SERIES_CEILING) {
            series.name = series_name(paper, series.name, NULL, TIME_KERNEL, run);
            for (size_t j = 0; j < series.count; j++) {
                series.points[j].low = series.points[j].high = NAN;
            }
        }
        if (!shared) {
            chart->series[kept++] = series;
        }
    }
    chart->count = kept;
}

static Status build_roofline(Paper *paper) {
    for (size_t run = 0; run < paper->run_count; run++) {
        const RunGroup rows = wanted_rows(paper, &paper->groups[run]);
        const size_t first = paper->chart->count;
        const Row *largest = largest_of(paper, &rows);
        if (largest != NULL) {
            roofline_fill(paper->document, paper->chart, &rows, largest);
        }
        name_roofline(paper, first, run);
        if (paper->chart->count == first) {
            return status_make(STATUS_USAGE,
                               "figure: %.60s has no roofline of %.100s: its ceilings were not "
                               "measured, or the algorithm counts no operations; --kind efficiency "
                               "needs no operations",
                               paper->runs[run].name, question_words(paper, paper->head));
        }
    }
    return status_ok();
}

static Status build_stages(Paper *paper) {
    const RunGroup rows = wanted_rows(paper, &paper->groups[0]);
    const Row *largest = largest_of(paper, &rows);
    if (paper->run_count > 1) {
        return status_make(STATUS_USAGE, "figure: --kind stages is of one run; name one");
    }
    if (largest != NULL) {
        stages_fill(paper->document, paper->chart, &rows, largest);
    }
    for (size_t i = 0; i < paper->chart->x.count; i++) {
        ChartTick *tick = &paper->chart->x.ticks[i];
        char name[LIST_WORD_SIZE];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(tick->label, "\n"), tick->label);
        const char *kept = document_text(paper->document, "%s", name);
        if (kept != NULL) {
            tick->label = renamed(paper, kept);
        }
    }
    return paper->chart->count > 0
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "figure: no variant of %.100s in %.60s has stages that were timed; "
                             "--kind time has its times",
                             question_words(paper, paper->head), paper->runs[0].name);
}

/* --- Against an axis -------------------------------------------------------------------------- */

/* The rows that have the axis in their tuning, of wanted variants. */
static RunGroup rows_with_axis(const Paper *paper, const RunGroup *group, const char *name) {
    RunGroup rows = wanted_rows(paper, group);
    size_t count = 0;
    for (size_t i = 0; i < rows.count; i++) {
        if (point_value(&rows.rows[i]->tuning, name) != NULL) {
            rows.rows[count++] = rows.rows[i];
        }
    }
    rows.count = count;
    return rows;
}

/* The axis of most values, of the tuning or the answer; the number of values. */
static size_t find_axis(Paper *paper, bool tuning) {
    const char *asked = paper->request->axis;
    RowAxis best = {.count = 0};
    const RunGroup *group = &paper->groups[0];
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        const Point *point = tuning ? &row->tuning : &row->answer;
        for (size_t j = 0; is_wanted(paper->request, row->variant) && j < point->count; j++) {
            const char *name = point->axes[j]->name;
            const bool fits =
                asked != NULL ? strcmp(asked, name) == 0 : !tuning || strcmp(name, "threads") != 0;
            if (fits && (best.name == NULL || strcmp(best.name, name) != 0)) {
                const RunGroup rows = tuning ? rows_with_axis(paper, group, name) : *group;
                const RowAxis axis = row_axis(paper->document, &rows, tuning, name);
                best = axis.count > best.count ? axis : best;
            }
        }
    }
    paper->axis = best;
    return best.count;
}

/* Logarithmic over a wide range of numbers. */
static bool is_wide(const Paper *paper) {
    static const double log_from = 8;
    const RowAxis *axis = &paper->axis;
    return axis->numbers && axis->values[0].place > 0 &&
           axis->values[axis->count - 1].place >= log_from * axis->values[0].place;
}

static Status needs_axis(const Paper *paper, const char *what, const char *right) {
    return status_make(STATUS_USAGE,
                       "figure: --kind %s needs %s, and %.60s has none for %.100s; %s",
                       paper_kind_names[paper->request->kind], what, paper->runs[0].name,
                       question_words(paper, paper->head), right);
}

/* The size alone where the axis's title says whose it is. */
static const char *tuning_name(Paper *paper, const Variant *variant, const RowLine *sizes,
                               size_t index, size_t run) {
    char size[OVERVIEW_TEXT_SIZE];
    size_short(sizes->rows[index], size);
    if (paper->only != NULL && sizes->count > 1) {
        renamed(paper, variant->name);
        return document_text(paper->document, "%s", size);
    }
    const bool sized = paper->request->sizes != NULL && sizes->count > 1;
    return series_name(paper, variant->name, sized ? size : NULL, TIME_KERNEL, run);
}

/* A line for each variant with the axis at one size, or for each size of the only one. */
static void add_tunings(Paper *paper) {
    size_t variants_shown = 0;
    const Variant *only = NULL;
    for (size_t run = 0; run < paper->run_count; run++) {
        const RunGroup rows = rows_with_axis(paper, &paper->groups[run], paper->axis.name);
        const Variant *variants[VARIANTS_MAX];
        const size_t count = shown_variants(paper, &rows, variants);
        variants_shown = count > variants_shown ? count : variants_shown;
        only = count > 0 ? variants[0] : only;
    }
    const bool by_size = paper->request->sizes != NULL || variants_shown == 1;
    paper->chart->ordered = variants_shown == 1 && paper->run_count == 1;
    paper->only = paper->chart->ordered ? only : NULL;
    for (size_t run = 0; run < paper->run_count; run++) {
        const RunGroup rows = rows_with_axis(paper, &paper->groups[run], paper->axis.name);
        const RowLine sizes =
            row_line(paper->document, &rows, &along_size, (RowChoice){.variant = NULL});
        const Variant *variants[VARIANTS_MAX];
        const size_t count = shown_variants(paper, &rows, variants);
        for (size_t i = 0; i < count; i++) {
            for (size_t j = by_size || sizes.count == 0 ? 0 : sizes.count - 1; j < sizes.count;
                 j++) {
                const RowLine line =
                    row_line(paper->document, &rows, &paper->axis,
                             (RowChoice){.variant = variants[i], .size = sizes.rows[j]});
                if (line.count < 2) {
                    continue;
                }
                const int colour =
                    paper->chart->ordered ? (int)j : variant_look_number(variants[i]->name);
                add_line(paper, &line, TIME_KERNEL,
                         (PaperLook){tuning_name(paper, variants[i], &sizes, j, run),
                                     SERIES_MEASURED, colour, run});
            }
        }
    }
}

/* GPUs where the first run has several numbers of them, else threads. */
static const char *scaling_axis(const Paper *paper) {
    const RunGroup rows = wanted_rows(paper, &paper->groups[0]);
    Scaling *list;
    const char *asked = paper->request->kind == PAPER_THREADS ? "threads" : paper->request->axis;
    return asked != NULL                                              ? asked
           : scalings_find(paper->document, &rows, "gpus", &list) > 0 ? "gpus"
                                                                      : "threads";
}

/* With --weak sizes are those of one worker. */
static bool is_of_sizes(const Paper *paper, const Scaling *scaling) {
    return scaling->one != NULL && list_has(paper->request->sizes, scaling->one->size_name);
}

/* "4K" where the axis's title says whose it is, else "cuda_multi, 4K"; `size` NULL: there is one.
 */
static const char *scaling_line_name(Paper *paper, const Variant *variant, const char *size,
                                     TimeKind kind, size_t run) {
    const bool whole = paper->request->measure == PAPER_BOTH && kind == TIME_END_TO_END;
    return paper->only != NULL && size != NULL
               ? document_text(paper->document, "%s%s", size, whole ? ", end to end" : "")
               : series_name(paper, variant->name, size, kind, run);
}

/* Those of the variant at the sizes that are shown: all, or the largest. */
static size_t variant_scalings(Paper *paper, const RunGroup *rows, const Variant *variant,
                               bool by_size, Scaling **list) {
    const size_t all = scalings_find(paper->document, rows, scaling_axis(paper), list);
    size_t count = 0;
    for (size_t i = 0; i < all; i++) {
        if ((*list)[i].rows[0]->variant == variant && is_of_sizes(paper, &(*list)[i])) {
            (*list)[count++] = (*list)[i];
        }
    }
    if (!by_size && count > 1) {
        (*list)[0] = (*list)[count - 1];
        count = 1;
    }
    return count;
}

/* The lines of a run: one for each size of the only variant, or of all where sizes were asked for;
 * else of each variant at its largest. On a CPU both kinds of time are one. */
static size_t scaling_lines(Paper *paper, size_t run, bool by_size, ScalingLine *lines,
                            size_t room) {
    const RunGroup rows = wanted_rows(paper, &paper->groups[run]);
    const Variant *variants[VARIANTS_MAX];
    const size_t variant_count = shown_variants(paper, &rows, variants);
    size_t count = 0;
    for (size_t i = 0; i < variant_count; i++) {
        Scaling *list;
        const Variant *variant = variants[i];
        const size_t sizes = variant_scalings(paper, &rows, variant, by_size, &list);
        const bool once = paper->request->measure == PAPER_BOTH && variant_is_on_cpu(variant);
        for (size_t j = 0; j < sizes; j++) {
            const char *size = sizes > 1 ? scaling_name(paper->document, &list[j]) : NULL;
            for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END && count < room; kind++) {
                if (!has_kind(paper, kind) || (once && kind == TIME_END_TO_END)) {
                    continue;
                }
                lines[count++] = (ScalingLine){
                    .scaling = &list[j],
                    .name = scaling_line_name(paper, variant, size, kind, run),
                    .kind = kind,
                    .dashed = style_of(paper, kind) == SERIES_SECONDARY,
                    .colour = paper->only != NULL ? (int)j : variant_look_number(variant->name),
                    .run = run,
                    .six = true};
            }
        }
    }
    return count;
}

/* The only variant that scales over the axis in all runs; NULL: there are several. */
static const Variant *only_scaling(const Paper *paper) {
    const Variant *only = NULL;
    for (size_t run = 0; run < paper->run_count; run++) {
        const RunGroup rows = wanted_rows(paper, &paper->groups[run]);
        Scaling *list;
        const size_t count = scalings_find(paper->document, &rows, scaling_axis(paper), &list);
        for (size_t i = 0; i < count; i++) {
            const Variant *variant = list[i].rows[0]->variant;
            if (list[i].one != NULL && only != NULL && only != variant) {
                return NULL;
            }
            only = list[i].one != NULL ? variant : only;
        }
    }
    return only;
}

/* Why the first run has no efficiency though it has several numbers of workers; NULL: it has not.
 */
static const char *scaling_lack_of(const Paper *paper) {
    const RunGroup rows = wanted_rows(paper, &paper->groups[0]);
    Scaling *list;
    const size_t count = scalings_find(paper->document, &rows, scaling_axis(paper), &list);
    for (size_t i = 0; i < count; i++) {
        if (list[i].one == NULL) {
            return scaling_lack(paper->document, &list[i]);
        }
    }
    return NULL;
}

static Status build_scaling(Paper *paper) {
    enum { LINES_MAX = PAPER_RUNS_MAX * VARIANTS_MAX };
    const bool threads = paper->request->kind == PAPER_THREADS;
    ScalingLine *lines = document_allocate(paper->document, LINES_MAX * sizeof *lines);
    const Variant *only = only_scaling(paper);
    const bool by_size = paper->request->sizes != NULL || only != NULL;
    size_t count = 0;
    paper->chart->ordered = only != NULL && paper->run_count == 1;
    paper->only = paper->chart->ordered ? only : NULL;
    for (size_t run = 0; lines != NULL && run < paper->run_count; run++) {
        count += scaling_lines(paper, run, by_size, lines + count, LINES_MAX - count);
    }
    const char *whose = paper->only != NULL ? renamed(paper, paper->only->name) : NULL;
    paper->axis = (RowAxis){.name = scaling_axis(paper), .tuning = true};
    paper->weak = count > 0 ? scaling_words(paper->document, lines[0].scaling) : NULL;
    scaling_chart(paper->document, paper->chart, lines, count, whose,
                  threads ? SCALING_SPEEDUP : SCALING_BOTH);
    if (paper->chart->count > 0) {
        return status_ok();
    }
    const char *lack = scaling_lack_of(paper);
    return needs_axis(paper,
                      threads ? "a variant with 1 thread and with more"
                              : "a variant on 1 GPU or thread and on more",
                      lack != NULL ? lack
                      : threads    ? "a run with --threads 1,2,4 has them"
                                   : "a run with --gpus 1,2 or --threads 1,2,4 has them");
}

static Status build_tuning(Paper *paper) {
    paper->value = VALUE_TIME;
    if (find_axis(paper, true) > 1) {
        find_unit(paper);
        add_tunings(paper);
    }
    if (paper->chart->count == 0) {
        return needs_axis(paper, "a tuning axis with two values",
                          "a run with --tile 8,16 or its like has them");
    }
    const char *axis = paper->axis.name;
    name_places(paper, strcmp(axis, "tile") == 0 ? "tile width (pixels)" : axis);
    paper->chart->x.log = is_wide(paper);
    name_value(paper);
    return status_ok();
}

/* Of the largest size, and of the answers that differ in nothing but the axis. */
static void keep_sweep(Paper *paper, RunGroup *group) {
    const Row *largest = largest_of(paper, group);
    size_t count = 0;
    for (size_t i = 0; largest != NULL && i < group->count; i++) {
        const Row *row = group->rows[i];
        bool same = row_size(row) == row_size(largest);
        for (size_t j = 0; j < row->answer.count; j++) {
            const char *name = row->answer.axes[j]->name;
            same &= strcmp(name, paper->axis.name) == 0 ||
                    strcmp(row->answer.values[j].text, point_text(&paper->head->answer, name)) == 0;
        }
        if (same) {
            group->rows[count++] = row;
        }
    }
    group->count = count;
}

static Status build_sweep(Paper *paper) {
    paper->value = paper->request->over != PAPER_OVER_USUAL ? VALUE_SPEEDUP : VALUE_TIME;
    if (find_axis(paper, false) > 1) {
        const char *name = paper->axis.name;
        for (size_t run = 0; run < paper->run_count; run++) {
            keep_sweep(paper, &paper->groups[run]);
        }
        paper->axis = row_axis(paper->document, &paper->groups[0], false, name);
    }
    if (paper->axis.count < 2) {
        return needs_axis(paper, "an axis of the answer with two values",
                          "a run with --box 4,8,16 or its like has them");
    }
    find_unit(paper);
    name_places(paper,
                strcmp(paper->axis.name, "box") == 0 ? "box side (pixels)" : paper->axis.name);
    paper->chart->x.log = is_wide(paper);
    name_value(paper);
    add_variants(paper);
    return paper->chart->count > 0
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "figure: there is no such speedup along %.40s; without "
                             "--over the times are drawn",
                             paper->axis.name);
}

/* === Caption ================================================================================== */

/* The least and the most of something that rows have. */
typedef struct Counts {
    size_t least, most;
} Counts;

static void count_in(Counts *counts, size_t count) {
    counts->least = counts->most == 0 || count < counts->least ? count : counts->least;
    counts->most = count > counts->most ? count : counts->most;
}

static void append_counts(char *text, size_t size, const Counts *counts, const char *noun) {
    const char *more = counts->most == 1 ? "" : noun[strlen(noun) - 1] == 'h' ? "es" : "s";
    if (counts->least == counts->most) {
        text_append(text, size, "%zu %s%s", counts->most, noun, more);
    } else {
        text_append(text, size, "%zu to %zu %s%s", counts->least, counts->most, noun, more);
    }
}

/* "15 to 60 samples in each of 8 launches; bars are 95% intervals of 8 launches" */
static void append_samples(const Paper *paper, char *text, size_t size) {
    Counts samples = {.most = 0}, launches = {.most = 0};
    LaunchRange range = {.most = 0};
    for (size_t run = 0; run < paper->run_count; run++) {
        for (size_t i = 0; i < paper->groups[run].count; i++) {
            const Row *row = paper->groups[run].rows[i];
            if (is_wanted(paper->request, row->variant)) {
                const Summary *summary = &row->kernel_summary;
                count_in(&samples, summary->count);
                count_in(&launches, summary->launches > 0 ? summary->launches : 1);
                launch_range_add(&range, summary->launches);
            }
        }
    }
    char words[NUMBER_WORDS_SIZE];
    interval_words(&range, words, sizeof words);
    text_append(text, size, " Medians of ");
    append_counts(text, size, &samples, "sample");
    text_append(text, size, " from ");
    append_counts(text, size, &launches, "launch");
    if (paper->request->kind == PAPER_ROOFLINE || paper->request->kind == PAPER_STAGES) {
        text_append(text, size, "; no intervals are drawn.");
    } else if (launches.least >= MEDIAN_INTERVAL_MIN) {
        text_append(text, size, "; bars: %s.", words);
    } else {
        text_append(text, size, "; too few launches for an interval%s.",
                    launches.most >= MEDIAN_INTERVAL_MIN ? " in some, bars in the others" : "");
    }
}

static void append_machine(const Paper *paper, size_t run, char *text, size_t size) {
    const StoredRun *stored = paper->runs[run].stored;
    const Machine *machine = &stored->machine;
    const char *gpu = results_gpus(&stored->results, machine_text(machine, "gpu_model"));
    const char *cpu = machine_text(machine, "cpu_model");
    const Fact *cores = machine_fact(machine, "cpu_cores");
    if (paper->run_count > 1) {
        text_append(text, size, " %s:", paper->machines[run]);
    }
    if (gpu[0] != '\0') {
        const char *driver = machine_text(machine, "gpu_driver");
        const char *cuda = machine_text(machine, "cuda_runtime");
        text_append(text, size, " GPU %s", gpu);
        if (driver[0] != '\0' || cuda[0] != '\0') {
            text_append(text, size, " (%s%s%s%s%s)", driver[0] != '\0' ? "driver " : "", driver,
                        driver[0] != '\0' && cuda[0] != '\0' ? ", " : "",
                        cuda[0] != '\0' ? "CUDA " : "", cuda);
        }
        text_append(text, size, ",");
    }
    text_append(text, size, " CPU %s", cpu[0] != '\0' ? cpu : "unknown");
    if (cores != NULL) {
        char words[NUMBER_WORDS_SIZE];
        fact_value_words(cores, words, sizeof words);
        text_append(text, size, " (%s cores, %s)", words, machine_text(machine, "c_compiler"));
    }
    text_append(text, size, ", measured %.10s.", stored->started);
}

/* "omp, simd": the variants that are the best CPU variant somewhere. */
static void best_cpu_names(const Paper *paper, char *text, size_t size) {
    text[0] = '\0';
    for (size_t run = 0; run < paper->run_count; run++) {
        for (size_t i = 0; i < paper->groups[run].count; i++) {
            const char *label = paper->groups[run].rows[i]->best_cpu;
            char name[RESULT_LABEL_SIZE];
            snprintf(name, sizeof name, "%.*s", (int)strcspn(label, "/"), label);
            if (name[0] != '\0') {
                name_list_add(text, size, name);
            }
        }
    }
}

static const char *base_words(const Paper *paper) {
    const RunGroup *group = &paper->groups[0];
    for (size_t i = 0; i < group->count; i++) {
        if (group->rows[i]->base[0] != '\0') {
            return group->rows[i]->base;
        }
    }
    return "seq";
}

static void append_subject(const Paper *paper, char *text, size_t size) {
    static const char *const subjects[] = {
        [PAPER_TIME] = "time",
        [PAPER_EFFICIENCY] = "share of the roof, by kernel time,",
        [PAPER_ROOFLINE] = "operations a second against operations per byte, with ceilings",
        [PAPER_THREADS] = "speedup of kernel time over 1 thread",
        [PAPER_SCALING] = "speedup over one, and efficiency,",
        [PAPER_TUNING] = "kernel time",
        [PAPER_STAGES] = "where the time goes: transfers and the stages of the kernel",
        [PAPER_CROSSOVER] = "time of the fastest CPU and the fastest GPU variant",
        [PAPER_SWEEP] = "time"};
    char names[RESULT_LABEL_SIZE];
    if (paper->value == VALUE_SPEEDUP) {
        best_cpu_names(paper, names, sizeof names);
        text_append(text, size, "speedup over %s%s%s%s",
                    paper->over == OVER_SEQ ? base_words(paper) : "the best CPU variant",
                    paper->over == OVER_SEQ ? "" : " (", paper->over == OVER_SEQ ? "" : names,
                    paper->over == OVER_SEQ ? "" : ")");
    } else if (paper->weak != NULL && paper->weak[0] != '\0') {
        text_append(text, size, "efficiency of %s,", paper->weak);
    } else {
        text_append(text, size, "%s", subjects[paper->request->kind]);
    }
    if (paper->axis.name != NULL) {
        text_append(text, size, " against %s", paper->axis.name);
    } else if (paper->chart->x.count > 1 && paper->chart->kind != CHART_BARS) {
        text_append(text, size, " against %s", size_title(paper));
    }
}

static void append_measure(const Paper *paper, char *text, size_t size) {
    const bool timed = paper->value == VALUE_SPEEDUP || paper->request->kind == PAPER_TIME ||
                       paper->request->kind == PAPER_CROSSOVER ||
                       paper->request->kind == PAPER_SWEEP || paper->request->kind == PAPER_SCALING;
    if (timed) {
        text_append(text, size, ", %s",
                    paper->request->measure == PAPER_KERNEL ? "kernel time alone"
                    : paper->request->measure == PAPER_END_TO_END
                        ? "end to end with upload and download"
                        : "kernel alone (solid) and end to end with upload and download (dashed)");
    }
}

/* The sizes that are shown: "360p to 16K". */
static void append_sizes(const Paper *paper, char *text, size_t size) {
    char first[OVERVIEW_TEXT_SIZE], last[OVERVIEW_TEXT_SIZE];
    const RunGroup rows = wanted_rows(paper, &paper->groups[0]);
    const RowLine sizes =
        row_line(paper->document, &rows, &along_size, (RowChoice){.variant = NULL});
    if (sizes.count == 0) {
        return;
    }
    const bool one_size = paper->request->kind == PAPER_ROOFLINE ||
                          paper->request->kind == PAPER_STAGES || sizes.count == 1;
    size_words(sizes.rows[sizes.count - 1], last);
    size_words(sizes.rows[0], first);
    text_append(text, size, one_size ? ", %s%s" : ", %s to %s", one_size ? "" : first, last);
}

static const char *caption_of(const Paper *paper) {
    char text[4 * WORDS_SIZE] = "";
    char answer[POINT_WORDS_SIZE] = "";
    if (has_one_answer(paper->request)) {
        point_words(&paper->head->answer, ALL_AXES, answer, sizeof answer);
    }
    text_append(text, sizeof text, "%s: ", paper->head->algorithm->name);
    append_subject(paper, text, sizeof text);
    append_measure(paper, text, sizeof text);
    text_append(text, sizeof text, ". Input: %s", paper->head->input);
    append_sizes(paper, text, sizeof text);
    text_append(text, sizeof text, "%s%s. Each variant at its fastest tuning.",
                answer[0] != '\0' ? ", " : "", answer);
    append_samples(paper, text, sizeof text);
    for (size_t run = 0; run < paper->run_count; run++) {
        append_machine(paper, run, text, sizeof text);
    }
    return document_text(paper->document, "%s", text);
}

void paper_caption_print(FILE *stream, const char *caption, bool latex) {
    if (latex) {
        latex_text(stream, caption);
    } else {
        text_visible_print(stream, caption);
    }
    fputc('\n', stream);
}

/* === The figure =============================================================================== */

static const char *figure_name(const Paper *paper) {
    char name[CHART_NAME_SIZE] = "";
    char answer[POINT_WORDS_SIZE] = "";
    if (has_one_answer(paper->request)) {
        point_format(&paper->head->answer, answer, sizeof answer);
    }
    chart_name_append(name, "figure");
    chart_name_append(name, paper->head->algorithm->name);
    chart_name_append(name, paper->head->input);
    chart_name_append(name, answer);
    chart_name_append(name, paper_kind_names[paper->request->kind]);
    return document_text(paper->document, "%s", name);
}

/* What a reader may have wanted instead: NULL where the first run has one question alone. */
static const char *left_out_words(const Paper *paper) {
    const RunGroups groups = run_groups_make(&paper->runs[0].stored->results, paper->document);
    size_t others = 0;
    const char *other = NULL;
    for (size_t i = 0; i < groups.count; i++) {
        const Row *row = groups.groups[i].rows[0];
        if (is_asked(paper->request, row) && !answers_question(paper, row) &&
            (row->algorithm != paper->head->algorithm ||
             strcmp(row->input, paper->head->input) != 0 || has_one_answer(paper->request))) {
            others++;
            other = groups.groups[i].title;
        }
    }
    return others == 0 ? NULL
                       : document_text(paper->document,
                                       "the figure is of %s; the run has %zu more (%s); --algo, "
                                       "--input and --answer choose",
                                       question_words(paper, paper->head), others, other);
}

static void set_scale(const Paper *paper) {
    DocChart *chart = paper->chart;
    if (paper->request->x_scale != PAPER_SCALE_USUAL) {
        chart->x.log = paper->request->x_scale == PAPER_LOG;
    }
    if (paper->request->y_scale != PAPER_SCALE_USUAL) {
        (chart->panel_count > 0 ? &chart->panels[0].y : &chart->y)->log =
            paper->request->y_scale == PAPER_LOG;
    }
    /* Names of sizes would lie on each other at the left of a linear axis. */
    if (!chart->x.log && paper->axis.name == NULL && chart->kind == CHART_LINES) {
        chart->x.count = 0;
        if (chart->x.title != NULL && row_is_image(paper->head)) {
            chart->x.title = "image size (pixels)";
        }
    }
}

static Status choose_rows(Paper *paper) {
    STATUS_TRY(find_head(paper));
    STATUS_TRY(check_names(paper, paper->request->variants, true, "variant"));
    STATUS_TRY(check_names(paper, paper->request->sizes, false, "size"));
    bool devices = false;
    for (size_t run = 0; run < paper->run_count; run++) {
        STATUS_TRY(find_rows(paper, run));
        for (size_t i = 0; i < paper->groups[run].count; i++) {
            devices |= !row_is_on_cpu(paper->groups[run].rows[i]);
        }
    }
    paper->over = paper->request->over == PAPER_OVER_SEQ        ? OVER_SEQ
                  : paper->request->over == PAPER_OVER_BEST_CPU ? OVER_BEST_CPU
                  : devices                                     ? OVER_BEST_CPU
                                                                : OVER_SEQ;
    return status_ok();
}

static Status check_measure(const PaperRequest *request) {
    const bool both_kinds = request->kind == PAPER_SPEEDUP || request->kind == PAPER_TIME ||
                            request->kind == PAPER_CROSSOVER || request->kind == PAPER_SWEEP ||
                            request->kind == PAPER_SCALING;
    return both_kinds || request->measure == PAPER_KERNEL
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "--measure: --kind %s is of kernel times; speedup, time, crossover, "
                             "sweep and scaling have both",
                             paper_kind_names[request->kind]);
}

static Status build(Paper *paper, PaperFigure *figure) {
    static Status (*const builders[])(Paper * paper) = {
        [PAPER_SPEEDUP] = build_speedup,       [PAPER_TIME] = build_time,
        [PAPER_EFFICIENCY] = build_efficiency, [PAPER_ROOFLINE] = build_roofline,
        [PAPER_THREADS] = build_scaling,       [PAPER_TUNING] = build_tuning,
        [PAPER_STAGES] = build_stages,         [PAPER_CROSSOVER] = build_crossover,
        [PAPER_SWEEP] = build_sweep,           [PAPER_SCALING] = build_scaling};
    STATUS_TRY(check_measure(paper->request));
    STATUS_TRY(choose_rows(paper));
    name_machines(paper);
    paper->chart = document_chart(paper->document, "figure", paper->request->title);
    STATUS_TRY(document_status(paper->document));
    const Status built = builders[paper->request->kind](paper);
    STATUS_TRY(document_status(paper->document));
    STATUS_TRY(built);
    STATUS_TRY(check_renames(paper));
    set_scale(paper);
    *figure = (PaperFigure){.chart = paper->chart,
                            .name = figure_name(paper),
                            .caption = caption_of(paper),
                            .left_out = left_out_words(paper)};
    paper->chart->description = figure->caption;
    return document_status(paper->document);
}

Status paper_build(const PaperRequest *request, const OverviewRun *runs, size_t count,
                   Document *document, PaperFigure *figure) {
    Paper *paper = document_allocate(document, sizeof *paper);
    if (paper == NULL) {
        return document_status(document);
    }
    *paper = (Paper){.request = request,
                     .runs = runs,
                     .run_count = count < PAPER_RUNS_MAX ? count : PAPER_RUNS_MAX,
                     .document = document};
    return build(paper, figure);
}
