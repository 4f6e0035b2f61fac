/* One figure of stored runs as a paper wants it: its lines and its caption. */

#include "algorithm.h"
#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "scaling.h"
#include "stored_run.h"
#include "variant.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "axis.h"
#include "builder.h"
#include "look.h"
#include "machine.h"
#include "markup_text.h"
#include "status.h"
#include "text.h"

enum { WORDS_SIZE = 1024, POINT_WORDS_SIZE = POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE };

/* A figure that is being built. */
typedef struct Paper {
    PaperRequest own;            /* with what is usual decided */
    const PaperRequest *request; /* that one */
    const ReportRun *runs;
    Document *document;
    Builder builder;
    Renames renames;
} Paper;

/* The row of the table of charts that the figure has without --over and a GPU. */
static const ChartType *first_type(const PaperRequest *request) {
    return request->type != NULL ? request->type : &chart_types[SUBJECT_TIME];
}

/* === Which rows =============================================================================== */

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
    return first_type(request)->rows != ROWS_OF_SIZE;
}

/* Whether the row has grown with its number of GPUs, so that its size or answer is its own. */
static bool has_grown(const PaperRequest *request, const Row *row) {
    const ChartType *type = first_type(request);
    return row->weak && type->scaling != 0 && type->scale_of == NULL;
}

static bool has_same_answer(const Paper *paper, const Row *row) {
    const Point *answer = &paper->builder.head->answer;
    const char *grows = row->algorithm->weak_axis;
    return !has_one_answer(paper->request) || point_equal(&row->answer, answer) ||
           (has_grown(paper->request, row) && grows != NULL &&
            point_equal_but(&row->answer, answer, grows));
}

static bool answers_question(const Paper *paper, const Row *row) {
    return row->status == CELL_OK && row->algorithm == paper->builder.head->algorithm &&
           strcmp(row->input, paper->builder.head->input) == 0 && has_same_answer(paper, row) &&
           (paper->request->answer == NULL || is_answer(paper->request->answer, &row->answer));
}

/* "lbp on meadow.jpg, pr:8:1": what a group is. */
static const char *question_words(const Paper *paper, const Row *row) {
    char answer[POINT_WORDS_SIZE];
    point_format(&row->answer, answer, sizeof answer);
    const bool named = answer[0] != '\0' && has_one_answer(paper->request);
    return document_text(paper->document, "%s on %s%s%s", row->algorithm->name, row->input,
                         named ? ", " : "", named ? answer : "");
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

/* The first row of the first run that was asked for and has what the figure needs, else that was
 * asked for. */
static Status find_head(Paper *paper) {
    const Results *results = &paper->runs[0].stored->results;
    const ChartType *type = first_type(paper->request);
    for (int pass = 0; pass < 3 && paper->builder.head == NULL; pass++) {
        for (size_t i = 0; i < results->count && paper->builder.head == NULL; i++) {
            const Row *row = &results->rows[i];
            const bool asked =
                is_asked(paper->request, row) ||
                (pass == 2 && paper->request->algorithm == NULL && row_is_roof(row) &&
                 paper->request->input == NULL && paper->request->answer == NULL);
            const bool suits = pass > 0 || type->needs == NULL || type->needs(row);
            if (row->status == CELL_OK && asked && suits) {
                paper->builder.head = row;
            }
        }
    }
    return paper->builder.head != NULL ? status_ok() : nothing_asked_for(paper);
}

/* Whether a size of the same name has other content in the first run. */
static bool has_other_input(const Paper *paper, const Row *row) {
    const RunGroup *first = &paper->builder.runs[0];
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
    RunGroup *group = &paper->builder.runs[run];
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        if (!answers_question(paper, row) ||
            (!has_grown(paper->request, row) && !list_has(paper->request->sizes, row->size_name))) {
            continue;
        }
        if (run > 0 && has_other_input(paper, row)) {
            return status_make(STATUS_USAGE,
                               "figure: %.60s and %.60s have different inputs of the name %.60s; "
                               "runs in one figure have to have the same",
                               paper->runs[0].name, paper->runs[run].name, row->input);
        }
        group_add(paper->document, group, row);
    }
    paper->builder.axis.pixels |= group_has_other_images(group);
    if (group->count == 0 && !paper->document->failed && run > 0) {
        return status_make(STATUS_USAGE,
                           "figure: %.60s has no rows of %.120s, as %.60s has; runs in one figure "
                           "have to answer the same question",
                           paper->runs[run].name, question_words(paper, paper->builder.head),
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
        for (size_t run = 0; run < paper->builder.run_count; run++) {
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

/* STATUS_USAGE for a rename of what the figure does not have. */
static Status check_renames(const Paper *paper) {
    const Renames *renames = &paper->renames;
    for (size_t i = 0; i < renames->count && i < RENAMES_MAX; i++) {
        if (!renames->used[i]) {
            char given[LIST_WORD_SIZE];
            snprintf(given, sizeof given, "%.*s", (int)strcspn(renames->texts[i], "="),
                     renames->texts[i]);
            Suggestion suggestion = suggest_start(given);
            for (size_t j = 0; j < renames->name_count; j++) {
                suggest_offer(&suggestion, renames->names[j]);
            }
            const Status status = suggest_unknown(&suggestion, "name in this figure");
            return status_make(STATUS_USAGE, "--rename: %.400s", status.why);
        }
    }
    return status_ok();
}

/* === What a run lacks ========================================================================= */

/* Why the first run has no efficiency though it has several numbers of workers; NULL: it has not.
 */
static const char *scaling_lack_of(const Paper *paper) {
    const RunGroup rows = builder_rows(&paper->builder, 0, NULL);
    Scaling *list;
    const size_t count = scalings_find(paper->document, &rows, paper->builder.axis.name, &list);
    for (size_t i = 0; i < count; i++) {
        if (list[i].one == NULL) {
            return scaling_lack(paper->document, &list[i]);
        }
    }
    return NULL;
}

/* Of a figure against an axis that has no two values. */
static Status lacks_axis(const Paper *paper, const char *question) {
    const ChartType *type = paper->request->type;
    const char *lack = type->scaling != 0 ? scaling_lack_of(paper) : NULL;
    return status_make(STATUS_USAGE,
                       "figure: --kind %s needs %s, and %.60s has none for %.100s; %s",
                       type->figure_word, type->needed, paper->runs[0].name, question,
                       lack != NULL ? lack : type->remedy);
}

/* The sentence of the table, with what its blanks stand for. */
static Status lacks_all(const Paper *paper, const char *question) {
    const Builder *builder = &paper->builder;
    const size_t run = builder->lacking < builder->run_count ? builder->lacking : 0;
    const struct {
        const char *name, *text;
        int most;
    } blanks[] = {{"{run}", paper->runs[run].name, 60},
                  {"{of}", question, 100},
                  {"{axis}", builder->axis.name, 40}};
    enum { BLANKS = sizeof blanks / sizeof blanks[0] };
    char text[STATUS_WHY_SIZE] = "";
    for (const char *at = builder->type->lack; *at != '\0';) {
        size_t i = 0;
        while (i < BLANKS && strncmp(at, blanks[i].name, strlen(blanks[i].name)) != 0) {
            i++;
        }
        text_append(text, sizeof text, "%.*s", i < BLANKS ? blanks[i].most : 1,
                    i < BLANKS ? blanks[i].text : at);
        at += i < BLANKS ? strlen(blanks[i].name) : 1;
    }
    return status_make(STATUS_USAGE, "figure: %s", text);
}

/* STATUS_USAGE: what the runs lack for the figure, which has nothing of some run. */
static Status lacks_data(const Paper *paper) {
    const Builder *builder = &paper->builder;
    const ChartType *type = paper->request->type;
    const char *question = question_words(paper, builder->head);
    if (type->needed != NULL && (builder->type->lack == NULL || builder->axis.count < 2)) {
        return lacks_axis(paper, question);
    }
    if (type->needed == NULL && !type->one_size && builder->chart->x.count < 2) {
        return status_make(
            STATUS_USAGE,
            "figure: %s is drawn against size and needs two sizes; %.60s has one of %.100s: a run "
            "with several --sizes (or --images) has them, and --kind sweep draws "
            "one size against an axis of the answer",
            type->figure_word, paper->runs[0].name, question);
    }
    return lacks_all(paper, question);
}

/* === What lies along x ======================================================================== */

/* The axis of most values, of the tuning or the answer, or the one that was asked for. */
static void find_axis(Paper *paper, bool tuning) {
    const char *asked = paper->request->axis;
    RowAxis best = {.count = 0};
    const RunGroup *group = &paper->builder.runs[0];
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        const Point *point = tuning ? &row->tuning : &row->answer;
        for (size_t j = 0; builder_wants(&paper->builder, row->variant) && j < point->count; j++) {
            const char *name = point->axes[j]->name;
            const bool fits = asked != NULL ? strcmp(asked, name) == 0
                                            : !tuning || strcmp(name, scaling_threads) != 0;
            if (fits && (best.name == NULL || strcmp(best.name, name) != 0)) {
                const RunGroup rows = tuning ? builder_rows(&paper->builder, 0, name) : *group;
                const RowAxis axis = row_axis(paper->document, &rows, tuning, name);
                best = axis.count > best.count ? axis : best;
            }
        }
    }
    paper->builder.axis = best;
}

/* Of the largest size, and of the answers that differ in nothing but the axis. */
static void keep_sweep(const Paper *paper, RunGroup *group) {
    const RowLine sizes = row_line(paper->document, group, &along_size, every_row);
    const Row *largest = sizes.count > 0 ? sizes.rows[sizes.count - 1] : NULL;
    size_t count = 0;
    for (size_t i = 0; largest != NULL && i < group->count; i++) {
        const Row *row = group->rows[i];
        bool same = row_size(row) == row_size(largest);
        for (size_t j = 0; j < row->answer.count; j++) {
            const char *name = row->answer.axes[j]->name;
            same &= strcmp(name, paper->builder.axis.name) == 0 ||
                    strcmp(row->answer.values[j].text,
                           point_text(&paper->builder.head->answer, name)) == 0;
        }
        if (same) {
            group->rows[count++] = row;
        }
    }
    group->count = count;
}

static void find_sweep(Paper *paper) {
    Builder *builder = &paper->builder;
    find_axis(paper, false);
    if (builder->axis.count > 1) {
        const char *name = builder->axis.name;
        for (size_t run = 0; run < builder->run_count; run++) {
            keep_sweep(paper, &builder->runs[run]);
        }
        builder->axis = row_axis(paper->document, &builder->runs[0], false, name);
    }
}

static void find_x(Paper *paper) {
    const ChartType *type = paper->request->type;
    if (type->rows == ROWS_OF_VARIANT) {
        find_axis(paper, true);
    } else if (type->rows == ROWS_OF_SIZE) {
        find_sweep(paper);
    } else if (type->scaling != 0) {
        paper->builder.axis.name = type->scale_of != NULL ? type->scale_of : paper->request->axis;
    }
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

static void append_counts(char *text, size_t size, const Counts *counts, const char *one,
                          const char *several) {
    if (counts->least < counts->most) {
        text_append(text, size, "%zu to ", counts->least);
    }
    text_append(text, size, "%zu %s", counts->most, counts->most == 1 ? one : several);
}

/* "15 to 60 samples in each of 8 launches; bars are 95% intervals of 8 launches" */
static void append_samples(const Paper *paper, char *text, size_t size) {
    Counts samples = {.most = 0}, launches = {.most = 0};
    LaunchRange range = {.most = 0};
    for (size_t run = 0; run < paper->builder.run_count; run++) {
        for (size_t i = 0; i < paper->builder.runs[run].count; i++) {
            const Row *row = paper->builder.runs[run].rows[i];
            if (builder_wants(&paper->builder, row->variant)) {
                const Summary *summary = &row->kernel_summary;
                count_in(&samples, summary->count);
                count_in(&launches, summary->launches > 0 ? summary->launches : 1);
                launch_range_add_summary(&range, summary);
            }
        }
    }
    char words[NUMBER_WORDS_SIZE];
    interval_words(&range, words, sizeof words);
    text_append(text, size, " Medians of ");
    append_counts(text, size, &samples, "sample", "samples");
    text_append(text, size, " from ");
    append_counts(text, size, &launches, "launch", "launches");
    if (paper->request->type->one_size) {
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
    const char *gpu = stored_run_gpus(stored);
    const char *cpu = machine_cpu(machine);
    const Fact *cores = machine_fact(machine, fact_cpu_cores);
    if (paper->builder.run_count > 1) {
        text_append(text, size, " %s:", paper->builder.run_names[run]);
    }
    if (gpu[0] != '\0') {
        const char *driver = machine_text(machine, fact_gpu_driver);
        const char *cuda = machine_text(machine, fact_cuda_runtime);
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
        text_append(text, size, " (%s cores, %s)", words, machine_text(machine, fact_c_compiler));
    }
    text_append(text, size, ", measured %.10s.", stored->started);
}

static void append_subject(const Paper *paper, char *text, size_t size) {
    const Builder *builder = &paper->builder;
    char names[RESULT_LABEL_SIZE];
    if (builder->type->measure == CHART_OVER_SEQ) {
        const char *base;
        builder_base(builder, &base);
        text_append(text, size, "speedup over %s", base != NULL ? base : "seq");
    } else if (builder->type->measure == CHART_OVER_BEST_CPU) {
        builder_best_cpus(builder, names, sizeof names);
        text_append(text, size, "speedup over the best CPU variant (%s)", names);
    } else if (builder->weak != NULL && builder->weak[0] != '\0') {
        text_append(text, size, "efficiency of %s,", builder->weak);
    } else {
        text_append(text, size, "%s", builder->type->caption);
    }
    if (builder->axis.name != NULL) {
        text_append(text, size, " against %s", builder->axis.name);
    } else if (builder->chart->x.count > 1 && builder->chart->kind != CHART_BARS) {
        text_append(text, size, " against %s", builder_size_title(builder));
    }
}

static void append_measure(const Paper *paper, char *text, size_t size) {
    if (paper->request->type->both) {
        text_append(text, size, ", %s",
                    paper->request->measure == PAPER_KERNEL ? "kernel time alone"
                    : paper->request->measure == PAPER_END_TO_END
                        ? "with copies: end to end with upload and download"
                    : paper->request->type->sides && paper->builder.chart->panel_count > 1
                        ? "kernel only (above) and with copies, that is end to end with upload and "
                          "download (below)"
                        : "kernel only (solid) and with copies, that is end to end with upload and "
                          "download (dashed)");
    }
}

/* The sizes that are shown: "360p to 16K". */
static void append_sizes(const Paper *paper, char *text, size_t size) {
    char first[REPORT_TEXT_SIZE], last[REPORT_TEXT_SIZE];
    const RunGroup rows = builder_rows(&paper->builder, 0, NULL);
    const RowLine sizes =
        row_line(paper->document, &rows, &along_size, (RowChoice){.variant = NULL});
    if (sizes.count == 0) {
        return;
    }
    const bool one_size = paper->request->type->one_size || sizes.count == 1;
    size_words(sizes.rows[sizes.count - 1], last);
    size_words(sizes.rows[0], first);
    text_append(text, size, one_size ? ", %s%s" : ", %s to %s", one_size ? "" : first, last);
}

/* The variants of a line of the fastest: "cuda_streamed, cuda_fast". */
static void append_best_of(const Paper *paper, size_t run, char *text, size_t size) {
    char names[RESULT_LABEL_SIZE * 4] = "";
    for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
        const RowLine line =
            row_line(paper->document, &paper->builder.runs[run], &paper->builder.axis,
                     (RowChoice){.side = SIDE_DEVICE, .kind = kind});
        for (size_t i = 0; builder_has_kind(&paper->builder, kind) && i < line.count; i++) {
            name_list_add(names, sizeof names, line.rows[i]->variant->name);
        }
    }
    if (names[0] != '\0') {
        text_append(text, size, " The best GPU variant%s%s is %s.",
                    paper->builder.run_count > 1 ? " of " : "",
                    paper->builder.run_count > 1 ? paper->builder.run_names[run] : "", names);
    }
}

/* From where on the GPU is ahead, in the words of a crossover. */
static void append_crossover(const Paper *paper, size_t run, char *text, size_t size) {
    static const char *const kinds[] = {"kernel only", "with copies"};
    const Builder *builder = &paper->builder;
    text_append(text, size, " %s%sGPU ahead", builder->run_count > 1 ? builder->run_names[run] : "",
                builder->run_count > 1 ? ": " : "");
    for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
        if (builder_has_kind(builder, kind)) {
            char words[WORDS_SIZE];
            const RowCrossover rows =
                group_crossover(paper->document, &builder->runs[run], &builder->axis, NULL, kind);
            const Series series = row_crossover_series(&rows);
            crossover_words(&series, words, sizeof words);
            text_append(text, size, "%s %s %s",
                        kind == TIME_END_TO_END && builder_has_kind(builder, TIME_KERNEL) ? ";"
                                                                                          : "",
                        kinds[kind], words);
        }
    }
    text_append(text, size, ".");
}

/* What a line of the fastest does not say by itself. */
static void append_best(const Paper *paper, char *text, size_t size) {
    const Builder *builder = &paper->builder;
    const bool sides = builder->type->sides;
    const bool best = sides || (builder->run_count > 1 && builder->variants == NULL &&
                                builder->type->build == chart_types[SUBJECT_TIME].build);
    for (size_t run = 0; best && run < builder->run_count; run++) {
        append_best_of(paper, run, text, size);
        if (sides) {
            append_crossover(paper, run, text, size);
        }
    }
}

static const char *caption_of(const Paper *paper) {
    char text[4 * WORDS_SIZE] = "", answer[POINT_WORDS_SIZE] = "";
    if (has_one_answer(paper->request)) {
        point_words(&paper->builder.head->answer, ALL_AXES, answer, sizeof answer);
    }
    text_append(text, sizeof text, "%s: ", paper->builder.head->algorithm->name);
    append_subject(paper, text, sizeof text);
    append_measure(paper, text, sizeof text);
    text_append(text, sizeof text, ". Input: %s", paper->builder.head->input);
    append_sizes(paper, text, sizeof text);
    text_append(text, sizeof text, "%s%s. Each variant at its fastest tuning.",
                answer[0] != '\0' ? ", " : "", answer);
    append_best(paper, text, sizeof text);
    append_samples(paper, text, sizeof text);
    for (size_t run = 0; run < paper->builder.run_count; run++) {
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
    char name[CHART_NAME_SIZE] = "", answer[POINT_WORDS_SIZE] = "";
    if (has_one_answer(paper->request)) {
        point_format(&paper->builder.head->answer, answer, sizeof answer);
    }
    chart_name_append(name, "figure");
    chart_name_append(name, paper->builder.head->algorithm->name);
    chart_name_append(name, paper->builder.head->input);
    chart_name_append(name, answer);
    chart_name_append(name, paper->request->type->figure_word);
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
            (row->algorithm != paper->builder.head->algorithm ||
             strcmp(row->input, paper->builder.head->input) != 0 ||
             has_one_answer(paper->request))) {
            others++;
            other = groups.groups[i].title;
        }
    }
    return others == 0 ? NULL
                       : document_text(paper->document,
                                       "the figure is of %s; the run has %zu more (%s); --algo, "
                                       "--input and --answer choose",
                                       question_words(paper, paper->builder.head), others, other);
}

static bool is_drawn(const Builder *builder, size_t run) {
    for (size_t i = 0; i < builder->chart->count; i++) {
        if (builder->chart->series[i].run == run) {
            return true;
        }
    }
    return false;
}

/* The runs of several that have no line: NULL where each has one. */
static const char *absent_words(const Paper *paper) {
    const Builder *builder = &paper->builder;
    char names[WORDS_SIZE] = "";
    for (size_t run = 0; builder->run_count > 1 && run < builder->run_count; run++) {
        if (!is_drawn(builder, run)) {
            text_add_item(names, sizeof names, ", ", paper->runs[run].name);
        }
    }
    return names[0] == '\0' ? NULL
                            : document_text(paper->document,
                                            "nothing of %s is in the figure: no variant there has "
                                            "such a time; --variants names others",
                                            names);
}

static void set_scale(const Paper *paper) {
    DocChart *chart = paper->builder.chart;
    if (paper->request->x_scale != PAPER_SCALE_USUAL) {
        chart->x.log = paper->request->x_scale == PAPER_LOG;
    }
    if (paper->request->y_scale != PAPER_SCALE_USUAL) {
        (chart->panel_count > 0 ? &chart->panels[0].y : &chart->y)->log =
            paper->request->y_scale == PAPER_LOG;
    }
    /* Names of sizes would lie on each other at the left of a linear axis. */
    if (!chart->x.log && paper->builder.axis.name == NULL && chart->kind == CHART_LINES) {
        chart->x.count = 0;
        if (chart->x.title != NULL && row_is_image(paper->builder.head)) {
            chart->x.title = "image size (pixels)";
        }
    }
}

/* A speedup without --over is over seq where the runs have no GPU. */
static const ChartType *type_of(const PaperRequest *request, bool devices) {
    const ChartType *first = request->type;
    const ChartMeasure measure = request->over == PAPER_OVER_SEQ               ? CHART_OVER_SEQ
                                 : request->over == PAPER_OVER_BEST_CPU        ? CHART_OVER_BEST_CPU
                                 : first->measure == CHART_OVER_SEQ && devices ? CHART_OVER_BEST_CPU
                                                                               : first->measure;
    return figure_type_with(first, measure);
}

static Status check_measure(const PaperRequest *request) {
    return request->measure == PAPER_KERNEL || request->type->both
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "--measure: --kind %s is of kernel times; speedup, time, crossover, "
                             "sweep and scaling have both",
                             request->type->figure_word);
}

/* Whether a run has times of both sides, at two sizes. */
static bool has_both_sides(const Paper *paper, size_t run) {
    const RunGroup *group = &paper->builder.runs[run];
    for (RowSide side = SIDE_CPU; side <= SIDE_DEVICE; side++) {
        const RowChoice choice = {.side = side};
        if (row_line(paper->document, group, &along_size, choice).count < 2) {
            return false;
        }
    }
    return true;
}

static void decide_what_is_usual(Paper *paper) {
    PaperRequest *request = &paper->own;
    if (request->type == NULL) {
        bool both = request->variants == NULL && request->over == PAPER_OVER_USUAL;
        for (size_t run = 0; run < paper->builder.run_count; run++) {
            both = both && has_both_sides(paper, run);
        }
        request->type = &chart_types[both ? SUBJECT_CROSSOVER : SUBJECT_SPEEDUP];
    }
    if (request->measure == PAPER_MEASURE_USUAL) {
        request->measure = request->type->sides ? PAPER_BOTH : PAPER_KERNEL;
    }
    paper->builder.kinds = request->measure;
    paper->builder.scaling = request->type->scaling;
}

static Status choose_rows(Paper *paper) {
    STATUS_TRY(find_head(paper));
    STATUS_TRY(check_names(paper, paper->request->variants, true, "variant"));
    STATUS_TRY(check_names(paper, paper->request->sizes, false, "size"));
    for (size_t run = 0; run < paper->builder.run_count; run++) {
        STATUS_TRY(find_rows(paper, run));
    }
    decide_what_is_usual(paper);
    STATUS_TRY(check_measure(paper->request));
    paper->builder.type = type_of(paper->request, builder_has_devices(&paper->builder));
    return status_ok();
}

/* Variants that are named keep their marks in the colour of the machine; lines of one variant have
 * the machine's mark too. */
static void colour_by_machine(const Paper *paper) {
    const Builder *builder = &paper->builder;
    for (size_t i = 0; builder->run_count > 1 && i < builder->chart->count; i++) {
        ChartSeries *series = &builder->chart->series[i];
        const bool drawn = series->style != SERIES_CEILING && series->style != SERIES_WORDS;
        if (drawn && series->colour < machine_look_number(0, false)) {
            series->mark = builder->common == NULL ? series->colour + 1 : 0;
            series->colour = machine_look_number(series->run, false);
        }
    }
}

static Status build(Paper *paper, PaperFigure *figure) {
    Builder *builder = &paper->builder;
    STATUS_TRY(choose_rows(paper));
    run_names_short(paper->runs, builder->run_count, paper->document, builder->run_names);
    find_x(paper);
    if (builder->type->one_run && builder->run_count > 1) {
        return status_make(STATUS_USAGE, "figure: --kind %s is of one run; name one",
                           builder->type->figure_word);
    }
    chart_build(builder, "figure", paper->request->title, NULL);
    STATUS_TRY(document_status(paper->document));
    if (builder->chart->count == 0 || builder->lacking < builder->run_count) {
        return lacks_data(paper);
    }
    STATUS_TRY(check_renames(paper));
    colour_by_machine(paper);
    set_scale(paper);
    *figure = (PaperFigure){.chart = builder->chart,
                            .name = figure_name(paper),
                            .caption = caption_of(paper),
                            .left_out = left_out_words(paper),
                            .absent = absent_words(paper)};
    builder->chart->description = figure->caption;
    return document_status(paper->document);
}

Status paper_build(const PaperRequest *request, const ReportRun *runs, size_t count,
                   Document *document, PaperFigure *figure) {
    Paper *paper = document_allocate(document, sizeof *paper);
    if (paper == NULL) {
        return document_status(document);
    }
    const size_t shown = count < PAPER_RUNS_MAX ? count : PAPER_RUNS_MAX;
    *paper = (Paper){.own = *request,
                     .request = &paper->own,
                     .runs = runs,
                     .document = document,
                     .renames = {.texts = request->renames, .count = request->rename_count},
                     .builder = {.document = document,
                                 .place = PLACE_PAPER,
                                 .run_count = shown,
                                 .variants = request->variants,
                                 .sizes = request->sizes,
                                 .renames = &paper->renames}};
    return build(paper, figure);
}
