/* The charts of a report's page: which there are. */

#include "algorithm.h"
#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "stored_run.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "axis.h"
#include "builder.h"
#include "number.h"
#include "text.h"
#include "variant.h"

/* The end of a chart's name. */
static const char *page_word(const ChartType *type) {
    return type->page_word != NULL ? type->page_word : type->word;
}

/* === One run ================================================================================== */

/* --- Budget ----------------------------------------------------------------------------------- */

enum { CHARTS_MAX = 24 };

/* How many charts a reader gets of a family: too many are as bad as none. */
typedef struct ChartBudget {
    bool introduced; /* the document says how to read the charts */
    size_t drawn, left_out;
} ChartBudget;

/* Before the first chart of the report. */
static void introduce(Document *document) {
    document_add(
        document, BLOCK_PARAGRAPH,
        "Each variant at its fastest tuning. Bars that are not seen are smaller than the "
        "mark; below each chart stands what they are. Solid lines count the kernel alone, dashed "
        "ones the whole way with upload and download. A variant has the same colour in "
        "every chart.");
}

/* Whether there is room for one more chart, which is counted either way and added next. */
static bool budget_allows(Document *document, ChartBudget *budget) {
    const bool room = budget->drawn < CHARTS_MAX;
    if (room && !budget->introduced) {
        introduce(document);
        budget->introduced = true;
    }
    budget->drawn += room;
    budget->left_out += !room;
    return room;
}

/* --- Drawing ---------------------------------------------------------------------------------- */

/* The variants at sizes, or along an axis. `slug` and `title` are those of the rows, without the
 * axis. */
static void draw_variants(Document *document, const RunGroup *rows, const RowAxis *axis,
                          ChartSubject subject, const char *slug, const char *title) {
    const ChartType *type = &chart_types[subject];
    const char *against = "size";
    if (axis->name != NULL) {
        char size[REPORT_TEXT_SIZE];
        size_words(rows->rows[0], size);
        against = axis->name;
        slug = document_text(document, "%s-%s", slug, axis->name);
        title = document_text(document, "%s at %s", title, size);
    }
    Builder builder = page_builder(document, subject, rows, axis);
    chart_build(&builder, document_text(document, "%s-%s", slug, page_word(type)),
                document_text(document, "%s: %s against %s", title, measure_words(type), against),
                group_interval_words(document, rows));
}

/* "Kernel only, the GPU is ahead at every size; with copies at no size": what the chart shows. */
static const char *ahead_title(Document *document, const RunGroup *group) {
    enum { WORDS_SIZE = 320 };
    char words[TIME_KINDS][WORDS_SIZE];
    for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
        const RowCrossover rows = group_crossover(document, group, &along_size, NULL, kind);
        Series series = row_crossover_series(&rows);
        series.range = false;
        crossover_words(&series, words[kind], sizeof words[kind]);
    }
    return document_text(document, "Kernel only, the GPU is ahead %s; with copies %s",
                         words[TIME_KERNEL], words[TIME_END_TO_END]);
}

/* Of the first screen: the fastest of each side, both kinds of time. */
static void draw_first(Builder *builder, const char *title, const char *intervals) {
    builder->kinds = BOTH_KINDS;
    builder->best = true;
    chart_build(builder, document_text(builder->document, "first-%s", builder->type->word), title,
                intervals);
}

/* The fastest of each side at every size. `subject` is a crossover or a speedup. */
static void draw_best(Document *document, const RunGroup *group, const RowAxis *axis,
                      ChartSubject subject, const char *title) {
    Builder builder = page_builder(document, subject, group, axis);
    const char *intervals = group_interval_words(document, group);
    if (axis == &along_size) { /* else the fastest are those of each value of the axis */
        const LaunchRange range = best_launches(document, group);
        intervals = range_words(document, &range);
    }
    draw_first(&builder, title, intervals);
}

/* Whether some row has a value of it; of CPU variants over the best of them only a run without a
 * GPU would have a chart, which its speedup over seq shows as well. */
static bool has_measure(const RunGroup *group, ChartSubject subject) {
    const ChartType *type = &chart_types[subject];
    const Builder builder = {.type = type, .place = PLACE_PAGE, .unit = time_units[TIME_MS]};
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        if (row_is_timed(row) && isfinite(builder_point(&builder, row, TIME_KERNEL).y) &&
            (type->measure != CHART_OVER_BEST_CPU || !row_is_on_cpu(row))) {
            return true;
        }
    }
    return false;
}

/* Against size: kernel time, speedup over the best CPU variant and over seq; where there are two
 * sizes. */
static void size_charts(const RunPage *page, const Family *family, const RunGroup *group,
                        ChartBudget *budget) {
    static const ChartSubject subjects[] = {SUBJECT_TIME, SUBJECT_SPEEDUP_BEST_CPU,
                                            SUBJECT_SPEEDUP};
    Document *document = page->document;
    const size_t sizes = row_line(document, group, &along_size, every_row).count;
    for (size_t i = 0; sizes > 1 && i < sizeof subjects / sizeof subjects[0]; i++) {
        if (has_measure(group, subjects[i]) && budget_allows(document, budget)) {
            draw_variants(document, group, &along_size, subjects[i], group->slug,
                          group_title(page, family, group));
        }
    }
}

/* The rows of the group that have the size, a time and the axis. */
static RunGroup rows_with(Document *document, const RunGroup *group, const char *axis,
                          const Row *size) {
    RunGroup rows = {.rows = NULL};
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        if (row_size(row) == row_size(size) && row_is_timed(row) &&
            point_value(&row->tuning, axis) != NULL) {
            group_add(document, &rows, row);
        }
    }
    return rows;
}

/* Of one size: along the axis of the answer with the most values, where the other axes have their
 * last ones, as in the summary. */
static void first_sweep(const RunPage *page, const Family *family) {
    AnswerSweep *sweeps;
    const size_t count = answer_sweeps(page, family, &sweeps);
    const AnswerSweep *most = NULL;
    for (size_t i = 0; i < count; i++) {
        const bool longer = most == NULL || sweeps[i].axis.count > most->axis.count;
        const bool later =
            !longer && sweeps[i].axis.count == most->axis.count && sweeps[i].place == most->place;
        most = longer || later ? &sweeps[i] : most;
    }
    if (most != NULL && has_measure(&most->rows, SUBJECT_SWEEP)) {
        char size[REPORT_TEXT_SIZE];
        size_words(most->rows.rows[0], size);
        const char *words =
            answer_words_without(page->document, family, &most->rows.rows[0]->answer, most->place);
        draw_best(page->document, &most->rows, &most->axis, SUBJECT_SWEEP,
                  document_text(page->document, "Time against %s at %s%s%s", most->axis.name, size,
                                words[0] != '\0' ? ", " : "", words));
    }
    if (most != NULL && has_measure(&most->rows, SUBJECT_SWEEP_SPEEDUP)) {
        draw_best(page->document, &most->rows, &most->axis, SUBJECT_SWEEP_SPEEDUP,
                  "Speedup over the best CPU variant of each value");
    }
}

void page_first_charts(const RunPage *page, const Family *family, const RunGroup *group) {
    Document *document = page->document;
    const size_t sizes = row_line(document, group, &along_size, every_row).count;
    const size_t devices =
        row_line(document, group, &along_size, (RowChoice){.side = SIDE_DEVICE}).count;
    const size_t processors =
        row_line(document, group, &along_size, (RowChoice){.side = SIDE_CPU}).count;
    if (sizes > 1 && devices > 0 && processors > 0) {
        draw_best(document, group, &along_size, SUBJECT_CROSSOVER, ahead_title(document, group));
        draw_best(document, group, &along_size, SUBJECT_SPEEDUP_BEST_CPU,
                  "Speedup over the best CPU variant of each size");
    } else if (sizes > 1) {
        const char *title = group_title(page, family, group);
        const char *slug = document_text(document, "first-%s", group->slug);
        draw_variants(document, group, &along_size, SUBJECT_TIME, slug, title);
        if (has_measure(group, SUBJECT_SPEEDUP)) {
            draw_variants(document, group, &along_size, SUBJECT_SPEEDUP, slug, title);
        }
    } else {
        first_sweep(page, family);
    }
}

/* Against each tuning axis of two values or more: kernel time at the largest size. */
static void tuning_charts(const RunPage *page, const Family *family, const RunGroup *group,
                          ChartBudget *budget) {
    enum { VALUES_MIN = 2 };
    Document *document = page->document;
    char seen[RESULT_LABEL_SIZE * 4] = "";
    const Row *largest = group_largest(group);
    for (size_t i = 0; largest != NULL && i < group->count; i++) {
        const Point *tuning = &group->rows[i]->tuning;
        for (size_t j = 0; j < tuning->count; j++) {
            const char *name = tuning->axes[j]->name;
            if (text_has_item(seen, ", ", name)) {
                continue;
            }
            name_list_add(seen, sizeof seen, name);
            const RunGroup rows = rows_with(document, group, name, largest);
            const RowAxis axis = row_axis(document, &rows, true, name);
            if (axis.count >= VALUES_MIN && budget_allows(document, budget)) {
                draw_variants(document, &rows, &axis, SUBJECT_TUNING, group->slug,
                              group_title(page, family, group));
            }
        }
    }
}

/* Against each axis of the answer that has enough values: kernel time and speedup over the best
 * CPU variant at the largest size. */
static void answer_charts(const RunPage *page, const Family *family, ChartBudget *budget) {
    Document *document = page->document;
    AnswerSweep *sweeps;
    const size_t count = answer_sweeps(page, family, &sweeps);
    for (size_t i = 0; i < count; i++) {
        const AnswerSweep *sweep = &sweeps[i];
        const char *words =
            answer_words_without(document, family, &sweep->rows.rows[0]->answer, sweep->place);
        const char *title = document_text(document, "%s, %s%s%s", family->head->algorithm->name,
                                          family->head->input, words[0] != '\0' ? ", " : "", words);
        for (ChartSubject of = SUBJECT_SWEEP; of <= SUBJECT_SWEEP_SPEEDUP; of++) {
            if (budget_allows(document, budget)) {
                draw_variants(document, &sweep->rows, &sweep->axis, of, sweep->first->slug, title);
            }
        }
    }
}

/* Returns whether the charts are introduced now. */
static bool family_charts(const RunPage *page, const Family *family, bool introduced) {
    Document *document = page->document;
    ChartBudget budget = {.introduced = introduced};
    if (page->count > 1) {
        document_heading(document, 3,
                         document_text(document, "Charts of %s", family_name(document, family)));
    }
    answer_charts(page, family, &budget);
    for (size_t i = 0; i < family->count; i++) {
        if (family_shows(family, i)) {
            size_charts(page, family, family->groups[i], &budget);
            tuning_charts(page, family, family->groups[i], &budget);
        }
    }
    if (budget.drawn == 0) {
        document_add(document, BLOCK_PARAGRAPH,
                     "There is nothing to draw a line through: one size, one tuning and one answer "
                     "point have a verified time. The tables have the numbers.");
    }
    if (budget.left_out > 0) {
        document_add(document, BLOCK_PARAGRAPH,
                     "%zu more charts are left out; the table of all cells has their numbers.",
                     budget.left_out);
    }
    return budget.introduced;
}

void page_charts(const RunPage *page) {
    bool introduced = false;
    document_heading(page->document, 2, "Charts");
    for (size_t i = 0; i < page->count; i++) {
        introduced = family_charts(page, &page->families[i], introduced);
    }
}

/* === Two runs ================================================================================= */

static Builder pair_builder(const RunReport *report, const RunPair *pair, ChartSubject subject,
                            const char *const names[2]) {
    Builder builder = page_builder(report->document, subject, pair->of[0], &along_size);
    builder.runs[1] = *pair->of[1];
    builder.run_names[0] = names[0];
    builder.run_names[1] = names[1];
    builder.run_count = 2;
    return builder;
}

static void draw_pair(const RunReport *report, const RunPair *pair, ChartSubject subject) {
    Document *document = report->document;
    const char *const names[] = {report->of[0].run->name, report->of[1].run->name};
    Builder builder = pair_builder(report, pair, subject, names);
    const ChartType *type = builder.type;
    const bool ratio = type->measure == CHART_B_OVER_A;
    builder.kinds = KERNEL_ALONE;
    chart_build(&builder, document_text(document, "diff-%s-%s", pair->of[0]->slug, page_word(type)),
                document_text(document, "%s: %s", pair->of[0]->title,
                              ratio ? "time of B over time of A" : measure_words(type)),
                ratio ? ratio_interval_words(pair, document) : report_interval_words(report));
}

static void draw_best_pair(const RunReport *report, const RunPair *pair, ChartSubject subject,
                           const char *const names[2], const char *title) {
    Builder builder = pair_builder(report, pair, subject, names);
    const LaunchRange of[] = {best_launches(report->document, pair->of[0]),
                              best_launches(report->document, pair->of[1])};
    draw_first(&builder, title, pair_range_words(report->document, of));
}

void pair_first_charts(const RunReport *report, const RunPair *pair, const char *const names[2]) {
    Document *document = report->document;
    const RowChoice device = {.side = SIDE_DEVICE};
    if (row_line(document, &pair->rows, &along_size, every_row).count < 2) {
        return;
    }
    if (row_line(document, pair->of[0], &along_size, device).count > 0 &&
        row_line(document, pair->of[1], &along_size, device).count > 0) {
        draw_best_pair(report, pair, SUBJECT_CROSSOVER, names, "Time of the fastest of each side");
        draw_best_pair(report, pair, SUBJECT_SPEEDUP_BEST_CPU, names,
                       "Speedup over each machine's best CPU variant");
    } else {
        draw_best_pair(report, pair, SUBJECT_TIME, names, "Time of the fastest variant");
    }
}

void pair_charts(const RunReport *report, const RunPair *pair) {
    if (row_line(report->document, &pair->rows, &along_size, every_row).count > 1) {
        draw_pair(report, pair, SUBJECT_TIME);
        draw_pair(report, pair, SUBJECT_SPEEDUP_BEST_CPU);
        draw_pair(report, pair, SUBJECT_RATIO);
    }
}

/* === Several runs, one after the other ======================================================== */

/* Of all inputs the first group of that algorithm and answer; NULL: none. */
static const RunGroup *group_of_answer(const RunGroups *groups, const Row *head) {
    for (size_t i = 0; i < groups->count; i++) {
        const Row *row = groups->groups[i].rows[0];
        if (row->algorithm == head->algorithm && point_equal(&row->answer, &head->answer)) {
            return &groups->groups[i];
        }
    }
    return NULL;
}

/* What the bars are, of all runs, and "; inputs differ: texture (AMD EPYC), meadow.jpg (H200)". */
static const char *together_note(const Builder *builder) {
    Document *document = builder->document;
    const char *words = "";
    bool differ = false;
    for (size_t run = 0; run < builder->run_count; run++) {
        const char *input = builder->runs[run].rows[0]->input;
        differ |= strcmp(input, builder->head->input) != 0;
        words = document_text(document, "%s%s%s (%s)", words, run > 0 ? ", " : "", input,
                              builder->run_names[run]);
    }
    const RunGroup all = builder_all_rows(builder);
    const char *bars = group_interval_words(document, &all);
    return differ ? document_text(document, "%s; inputs differ: %s; compare ratios, not times",
                                  bars, words)
                  : bars;
}

/* The rows of every run that answer the question of the head; false where one has none. */
static bool find_together(const ReportRun *runs, size_t count, Builder *builder) {
    while (builder->run_count < count) {
        const size_t run = builder->run_count;
        const RunGroups groups = run_groups_make(&runs[run].stored->results, builder->document);
        const RunGroup *group = group_of_answer(&groups, builder->head);
        if (group == NULL) {
            return false;
        }
        builder->runs[run] = *group;
        builder->run_count++;
    }
    return true;
}

void runs_together_chart(const ReportRun *runs, size_t count, Document *document) {
    const char *names[CHART_RUNS_MAX];
    if (count < 2 || count > CHART_RUNS_MAX) {
        return;
    }
    run_names_short(runs, count, document, names);
    const RunGroups first = run_groups_make(&runs[0].stored->results, document);
    for (size_t i = 0; i < first.count; i++) {
        Builder builder = page_builder(document, SUBJECT_CROSSOVER, &first.groups[i], &along_size);
        memcpy(builder.run_names, names, count * sizeof *names);
        if (!row_is_roof(builder.head) && find_together(runs, count, &builder)) {
            draw_first(&builder,
                       document_text(document, "%s: the fastest on each machine",
                                     builder.head->algorithm->name),
                       together_note(&builder));
            return;
        }
    }
}
