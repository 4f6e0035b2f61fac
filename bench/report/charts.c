/* Charts of rows: those of a report's pages, and those that a run draws as files. */

#include "report_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm.h"
#include "axis.h"
#include "csv.h"
#include "fnv.h"
#include "list.h"
#include "registry.h"
#include "status.h"
#include "text.h"
#include "utf8.h"
#include "variant.h"
#include "workload.h"

/* === Building ================================================================================= */

enum { POINT_TEXT_SIZE = POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE };

/* What is drawn upwards. */
typedef enum ChartMeasure {
    CHART_TIME,
    CHART_OVER_BEST_CPU,
    CHART_OVER_SEQ,
    CHART_B_OVER_A /* of two runs */
} ChartMeasure;

/* The end of the name of a page's chart. */
static const char *const measure_slugs[] = {[CHART_TIME] = "time",
                                            [CHART_OVER_BEST_CPU] = "speedup-best-cpu",
                                            [CHART_OVER_SEQ] = "speedup-seq",
                                            [CHART_B_OVER_A] = "ratio"};

typedef struct Measure {
    ChartMeasure of;
    TimeKind kind;
    TimeUnit unit;
    bool with_alloc; /* on a device allocation and transfers count */
} Measure;

/* Which rows a chart shows, of those of its input. */
typedef enum ChartRows {
    ROWS_OF_ANSWER,  /* of one answer point */
    ROWS_OF_INPUT,   /* of all answer points */
    ROWS_OF_SIZE,    /* of one size, against an axis of the answer */
    ROWS_OF_VARIANT, /* of one variant and answer point, against an axis of the tuning */
} ChartRows;

typedef struct Builder Builder;
typedef struct ChartType ChartType;

/* A kind of chart that a run writes as a file. */
struct ChartType {
    const char *word; /* the end of its name */
    ChartRows rows;
    void (*build)(Builder *builder, const ChartType *type);
    ChartMeasure measure;
    bool with_alloc;
    void (*fill)(Document *document, DocChart *chart, const RunGroup *rows, const Row *largest);
    bool (*needs)(const Row *row); /* some row has to have this; NULL: nothing */
};

/* A chart that is being built. */
struct Builder {
    Document *document;
    DocChart *chart;
    const RunChart *file; /* NULL: a chart of a page */
    bool alone;           /* of its input there is no other answer point */
    RunGroup rows;
    RowAxis axis;
};

/* Of a line: every row by its kernel time. */
static const RowChoice all_rows = {.variant = NULL};

static RowLine line_of(const Builder *builder, RowChoice choice) {
    return row_line(builder->document, &builder->rows, &builder->axis, choice);
}

/* --- Measures --------------------------------------------------------------------------------- */

static const char *measure_words(const Measure *measure) {
    switch (measure->of) {
    case CHART_OVER_BEST_CPU: return "speedup over the best CPU variant";
    case CHART_OVER_SEQ: return "speedup over seq";
    case CHART_B_OVER_A: return "median of B / median of A, kernel";
    case CHART_TIME: break;
    }
    return measure->with_alloc ? "time with allocation" : "kernel time";
}

/* y is NAN where the row has no such value. */
static ChartPoint measured_point(const Row *row, const Measure *measure) {
    const bool with_alloc = measure->with_alloc && !row_is_on_cpu(row);
    const Summary *summary =
        with_alloc ? &row->with_alloc_summary : row_summary(row, measure->kind);
    const double seconds = with_alloc ? summary->median : row_seconds(row, measure->kind);
    double low = NAN, high = NAN;
    summary_range(summary, &low, &high);
    if (measure->of == CHART_TIME) {
        const double unit = measure->unit.seconds;
        return (ChartPoint){.y = seconds / unit, .low = low / unit, .high = high / unit};
    }
    if (with_alloc) {
        return (ChartPoint){.y = row->base_seconds / seconds, .low = NAN, .high = NAN};
    }
    const Ratio ratio =
        row_ratio(row, measure->of == CHART_OVER_SEQ ? OVER_SEQ : OVER_BEST_CPU, measure->kind);
    return (ChartPoint){.y = ratio.value, .low = ratio.low, .high = ratio.high};
}

static TimeUnit unit_of(const RunGroup *rows) {
    TimeRange range = {.count = 0};
    for (size_t i = 0; i < rows->count; i++) {
        time_range_add(&range, row_seconds(rows->rows[i], TIME_KERNEL));
    }
    return time_unit(&range);
}

/* Makes the y axis that of the measure. */
static void name_measure(const Builder *builder, const Measure *measure) {
    const char *words = measure_words(measure);
    const bool times = measure->of == CHART_TIME;
    builder->chart->y.log = true;
    builder->chart->y.title =
        times ? document_text(builder->document, "%s (%s)", words, measure->unit.name) : words;
    builder->chart->reference = times ? (double)NAN : 1.0;
}

/* --- Axes ------------------------------------------------------------------------------------- */

static const char *size_title(const Builder *builder, const Row *row) {
    if (builder->file == NULL) {
        return document_text(builder->document, "size (%s)",
                             row_is_image(row) ? "by number of pixels" : row_size_unit(row));
    }
    return row->algorithm->input == WORKLOAD_DESCRIPTORS ? "rows of each set, logarithmic"
           : row_is_image(row)                           ? "image size (pixels, logarithmic)"
           : builder->axis.pixels                        ? "pixels of all images, logarithmic"
                                                         : "number of images, logarithmic";
}

/* What the place of a row is called: "4K", "60000", "8:1". */
static void place_name(const Builder *builder, const Row *row, char text[OVERVIEW_TEXT_SIZE]) {
    const RowAxis *axis = &builder->axis;
    if (axis->name != NULL) {
        snprintf(text, OVERVIEW_TEXT_SIZE, "%s",
                 point_value(axis->tuning ? &row->tuning : &row->answer, axis->name)->text);
    } else if (axis->pixels) {
        snprintf(text, OVERVIEW_TEXT_SIZE, "%s", row->size_name);
    } else {
        size_short(row, text);
    }
}

/* Makes the x axis one of sizes. False where there are not two. */
static bool name_sizes(const Builder *builder) {
    const RowLine sizes = line_of(builder, all_rows);
    if (sizes.count < 2 || builder->chart == NULL) {
        return false;
    }
    builder->chart->x.log = true;
    builder->chart->x.title = size_title(builder, sizes.rows[0]);
    for (size_t i = 0; i < sizes.count; i++) {
        char text[OVERVIEW_TEXT_SIZE];
        place_name(builder, sizes.rows[i], text);
        chart_tick(builder->document, &builder->chart->x, row_place(&builder->axis, sizes.rows[i]),
                   text);
    }
    return true;
}

/* Makes the x axis that of the values: each has its name where they are few; logarithmic over a
 * wide range. */
static void name_values(const Builder *builder, const char *title) {
    enum { NAMES_MAX = 20 };
    static const double log_from = 8;
    const RowAxis *axis = &builder->axis;
    const double least = axis->values[0].place;
    const double most = axis->values[axis->count - 1].place;
    const bool log = least > 0 && most >= log_from * least;
    builder->chart->x.log = log;
    builder->chart->x.title = document_text(builder->document, "%s%s", title,
                                            log && builder->file != NULL ? ", logarithmic" : "");
    for (size_t i = 0; axis->count <= NAMES_MAX && i < axis->count; i++) {
        chart_tick(builder->document, &builder->chart->x, axis->values[i].place,
                   axis->values[i].name);
    }
}

/* --- Lines ------------------------------------------------------------------------------------ */

/* How a line is called and looks. */
typedef struct LineLook {
    const char *name;
    SeriesStyle style;
    int colour;
} LineLook;

/* Adds a point for the row to the series, which is made with the first. */
static void add_point(const Builder *builder, const Row *row, ChartPoint point, LineLook look,
                      ChartSeries **series) {
    char label[OVERVIEW_TEXT_SIZE];
    if (!isfinite(point.y)) {
        return;
    }
    if (*series == NULL) {
        *series =
            chart_series(builder->document, builder->chart, look.name, look.style, look.colour);
    }
    place_name(builder, row, label);
    point.x = row_place(&builder->axis, row);
    point.label = label;
    chart_point(builder->document, *series, &point);
}

static void add_line(const Builder *builder, const RowLine *line, const Measure *measure,
                     LineLook look) {
    ChartSeries *series = NULL;
    for (size_t i = 0; i < line->count; i++) {
        add_point(builder, line->rows[i], measured_point(line->rows[i], measure), look, &series);
    }
}

static size_t variants_of(const Builder *builder, const Variant *variants[VARIANTS_MAX]) {
    return run_variants(&builder->rows, variants);
}

/* Whether rows of the variant differ in their tuning; `first` is one of them. */
static bool has_tunings(const Builder *builder, const Variant *variant, const Row **first) {
    *first = NULL;
    for (size_t i = 0; i < builder->rows.count; i++) {
        const Row *row = builder->rows.rows[i];
        if (row->variant == variant) {
            *first = *first != NULL ? *first : row;
            if (!point_equal(&(*first)->tuning, &row->tuning)) {
                return true;
            }
        }
    }
    return false;
}

/* Which tuning the lines show: "fastest threads of omp, tile of cuda_tiled"; "" where no variant
 * has several. Names of lines are short enough for their ends without it. */
static const char *tuning_words(const Builder *builder) {
    const Variant *variants[VARIANTS_MAX];
    const size_t count = run_variants(&builder->rows, variants);
    char text[POINT_TEXT_SIZE] = "";
    for (size_t i = 0; i < count; i++) {
        const Row *first;
        if (has_tunings(builder, variants[i], &first)) {
            for (size_t j = 0; j < first->tuning.count; j++) {
                text_append(text, sizeof text, "%s%s of %s", text[0] == '\0' ? "fastest " : ", ",
                            first->tuning.axes[j]->name, variants[i]->name);
            }
        }
    }
    return document_text(builder->document, "%s", text);
}

static void add_note(const Builder *builder, const char *words) {
    DocChart *chart = builder->chart;
    if (words != NULL && words[0] != '\0') {
        chart->note = chart->note != NULL && chart->note[0] != '\0'
                          ? document_text(builder->document, "%s; %s", chart->note, words)
                          : words;
    }
}

/* On a page, ratios of a variant on a device have a second, dashed line: end to end. Each line has
 * the fastest tunings by its own kind of time. */
static void add_page_variant(const Builder *builder, const Variant *variant,
                             const Measure *measure) {
    Document *document = builder->document;
    const int colour = variant_look_number(variant->name);
    const RowLine line = line_of(builder, (RowChoice){.variant = variant});
    add_line(builder, &line, measure, (LineLook){variant->name, SERIES_MEASURED, colour});
    if (measure->of != CHART_TIME && !variant_is_on_cpu(variant)) {
        const char *name = document_text(document, "%s, end to end", variant->name);
        const RowLine whole_line =
            line_of(builder, (RowChoice){.variant = variant, .kind = TIME_END_TO_END});
        Measure whole = *measure;
        whole.kind = TIME_END_TO_END;
        add_line(builder, &whole_line, &whole, (LineLook){name, SERIES_SECONDARY, colour});
    }
}

/* "omp, simd": the variants that are the best CPU variant somewhere; "" when none is. */
static void best_cpu_names(const Builder *builder, char *text, size_t size) {
    text[0] = '\0';
    for (size_t i = 0; i < builder->rows.count; i++) {
        const char *label = builder->rows.rows[i]->best_cpu;
        char name[RESULT_LABEL_SIZE];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(label, "/"), label);
        if (name[0] != '\0') {
            name_list_add(text, size, name);
        }
    }
}

static bool has_device(const Builder *builder) {
    for (size_t i = 0; i < builder->rows.count; i++) {
        if (!row_is_on_cpu(builder->rows.rows[i])) {
            return true;
        }
    }
    return false;
}

static bool is_best_somewhere(const Builder *builder, const Variant *variant) {
    for (size_t i = 0; i < builder->rows.count; i++) {
        const char *label = builder->rows.rows[i]->best_cpu;
        const size_t length = strcspn(label, "/");
        if (strlen(variant->name) == length && strncmp(variant->name, label, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Over the best CPU variant the others of the CPU would squeeze the GPU's into the top. */
static bool is_shown(const Builder *builder, const Variant *variant, const Measure *measure) {
    return measure->of != CHART_OVER_BEST_CPU || !variant_is_on_cpu(variant) ||
           !has_device(builder) || is_best_somewhere(builder, variant);
}

/* A line for each variant but one. Those of files are by kernel time. */
static void add_variants(const Builder *builder, const Point *answer, const Measure *measure,
                         const Variant *left_out) {
    const Variant *variants[VARIANTS_MAX];
    const size_t count = variants_of(builder, variants);
    if (measure->of == CHART_OVER_BEST_CPU && has_device(builder)) {
        builder->chart->above = "GPU faster";
        builder->chart->below = "GPU slower";
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_shown(builder, variants[i], measure)) {
            continue;
        }
        if (builder->file == NULL) {
            add_page_variant(builder, variants[i], measure);
        } else if (variants[i] != left_out) {
            const RowLine line =
                line_of(builder, (RowChoice){.variant = variants[i], .answer = answer});
            add_line(builder, &line, measure,
                     (LineLook){variants[i]->name, SERIES_MEASURED,
                                variant_look_number(variants[i]->name)});
        }
    }
}

/* === Charts of a page ========================================================================= */

/* --- Descriptions ----------------------------------------------------------------------------- */

/* What a line has at the right end of its chart. */
typedef struct LineEnd {
    const char *name;
    const ChartPoint *point; /* NULL: nothing */
} LineEnd;

static double rightmost(const DocChart *chart) {
    double x = NAN;
    for (size_t i = 0; i < chart->count; i++) {
        for (size_t j = 0; j < chart->series[i].count; j++) {
            x = fmax(x, chart->series[i].points[j].x);
        }
    }
    return x;
}

static LineEnd end_of(const ChartSeries *series, double x) {
    LineEnd end = {.name = series->name};
    for (size_t i = 0; i < series->count && end.point == NULL; i++) {
        end.point = series->points[i].x == x ? &series->points[i] : NULL;
    }
    return end;
}

/* Sets the description from what is in the chart: against what, how many lines, and which is lowest
 * and highest at the right end. Every point of these charts has a y. */
static void describe_chart(Document *document, DocChart *chart, const char *against) {
    LineEnd least = {.point = NULL};
    LineEnd most = {.point = NULL};
    const double right = rightmost(chart);
    for (size_t i = 0; i < chart->count; i++) {
        const LineEnd end = end_of(&chart->series[i], right);
        if (end.point != NULL && (least.point == NULL || end.point->y < least.point->y)) {
            least = end;
        }
        if (end.point != NULL && (most.point == NULL || end.point->y > most.point->y)) {
            most = end;
        }
    }
    if (least.point == NULL) {
        chart->description = document_text(document, "%s against %s.", chart->title, against);
        return;
    }
    char low[SIGNIFICANT_SIZE];
    char high[SIGNIFICANT_SIZE];
    const bool single = chart->count == 1;
    significant_text(single ? chart->series[0].points[0].y : least.point->y, OVERVIEW_DIGITS, low);
    significant_text(most.point->y, OVERVIEW_DIGITS, high);
    const char *place = least.point->label;
    chart->description =
        single ? document_text(document,
                               "Line chart, logarithmic: %s of %s against %s, from %s at the left "
                               "end to %s at %s %s.",
                               chart->y.title, least.name, against, low, high, against, place)
               : document_text(document,
                               "Line chart, logarithmic: %s against %s, %zu lines. At %s %s, the "
                               "right end, %s is lowest with %s and %s is highest with %s.",
                               chart->y.title, against, chart->count, against, place, least.name,
                               low, most.name, high);
}

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

/* The variants by one measure. `slug` and `title` are those of the rows, without the axis. */
static void draw_variants(Document *document, const RunGroup *rows, const RowAxis *axis,
                          ChartMeasure of, const char *slug, const char *title) {
    const Measure measure = {.of = of, .unit = unit_of(rows)};
    const char *against = "size";
    Builder builder = {.document = document, .rows = *rows, .axis = *axis};
    if (axis->name != NULL) {
        char size[OVERVIEW_TEXT_SIZE];
        size_words(rows->rows[0], size);
        against = axis->name;
        slug = document_text(document, "%s-%s", slug, axis->name);
        title = document_text(document, "%s at %s", title, size);
    }
    builder.chart = document_chart(
        document, document_text(document, "%s-%s", slug, measure_slugs[of]),
        document_text(document, "%s: %s against %s", title, measure_words(&measure), against));
    if (builder.chart == NULL) {
        return;
    }
    if (axis->name == NULL) {
        name_sizes(&builder);
    } else {
        name_values(&builder, against);
    }
    name_measure(&builder, &measure);
    add_variants(&builder, NULL, &measure, NULL);
    chart_mark_equal(builder.chart);
    chart_note_intervals(document, builder.chart, group_interval_words(document, &builder.rows));
    describe_chart(document, builder.chart, against);
}

/* Whether some row has that ratio; of CPU variants over the best of them only a run without a GPU
 * would have a chart, which its speedup over seq shows as well. */
static bool has_measure(const RunGroup *group, ChartMeasure of) {
    const Measure measure = {.of = of, .unit = time_units[TIME_MS]};
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        if (isfinite(row_seconds(row, TIME_KERNEL)) && isfinite(measured_point(row, &measure).y) &&
            (of != CHART_OVER_BEST_CPU || !row_is_on_cpu(row))) {
            return true;
        }
    }
    return false;
}

/* Against size: kernel time, speedup over the best CPU variant and over seq; where there are two
 * sizes. */
static void size_charts(const Overview *overview, const Family *family, const RunGroup *group,
                        ChartBudget *budget) {
    static const ChartMeasure measures[] = {CHART_TIME, CHART_OVER_BEST_CPU, CHART_OVER_SEQ};
    Document *document = overview->document;
    const size_t sizes = row_line(document, group, &along_size, all_rows).count;
    for (size_t i = 0; sizes > 1 && i < sizeof measures / sizeof measures[0]; i++) {
        if (has_measure(group, measures[i]) && budget_allows(document, budget)) {
            draw_variants(document, group, &along_size, measures[i], group->slug,
                          group_title(overview, family, group));
        }
    }
}

/* The rows of the group that have the size, a time and the axis. */
static RunGroup rows_with(Document *document, const RunGroup *group, const char *axis,
                          const Row *size) {
    RunGroup rows = {.rows = document_allocate(document, (group->count + 1) * sizeof(Row *))};
    for (size_t i = 0; rows.rows != NULL && i < group->count; i++) {
        const Row *row = group->rows[i];
        if (row_size(row) == row_size(size) && isfinite(row_seconds(row, TIME_KERNEL)) &&
            point_value(&row->tuning, axis) != NULL) {
            rows.rows[rows.count++] = row;
        }
    }
    return rows;
}

static bool is_listed(const char *const *list, size_t count, const char *word) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i], word) == 0) {
            return true;
        }
    }
    return false;
}

/* Against each tuning axis of two values or more: kernel time at the largest size. */
static void tuning_charts(const Overview *overview, const Family *family, const RunGroup *group,
                          ChartBudget *budget) {
    enum { AXES_MAX = 32, VALUES_MIN = 2 };
    Document *document = overview->document;
    const char *axes[AXES_MAX];
    size_t count = 0;
    const Row *largest = group_largest(group);
    for (size_t i = 0; largest != NULL && i < group->count; i++) {
        const Point *tuning = &group->rows[i]->tuning;
        for (size_t j = 0; j < tuning->count && count < AXES_MAX; j++) {
            const char *name = tuning->axes[j]->name;
            if (is_listed(axes, count, name)) {
                continue;
            }
            axes[count++] = name;
            const RunGroup rows = rows_with(document, group, name, largest);
            const RowAxis axis = row_axis(document, &rows, true, name);
            if (axis.count >= VALUES_MIN && budget_allows(document, budget)) {
                draw_variants(document, &rows, &axis, CHART_TIME, group->slug,
                              group_title(overview, family, group));
            }
        }
    }
}

/* Against each axis of the answer that has enough values: kernel time and speedup over the best
 * CPU variant at the largest size. */
static void answer_charts(const Overview *overview, const Family *family, ChartBudget *budget) {
    Document *document = overview->document;
    AnswerSweep *sweeps;
    const size_t count = answer_sweeps(overview, family, &sweeps);
    for (size_t i = 0; i < count; i++) {
        const AnswerSweep *sweep = &sweeps[i];
        const char *words =
            answer_words_without(document, family, &sweep->rows.rows[0]->answer, sweep->place);
        const char *title = document_text(document, "%s, %s%s%s", family->head->algorithm->name,
                                          family->head->input, words[0] != '\0' ? ", " : "", words);
        for (ChartMeasure of = CHART_TIME; of <= CHART_OVER_BEST_CPU; of++) {
            if (budget_allows(document, budget)) {
                draw_variants(document, &sweep->rows, &sweep->axis, of, sweep->first->slug, title);
            }
        }
    }
}

/* Returns whether the charts are introduced now. */
static bool family_charts(const Overview *overview, const Family *family, bool introduced) {
    Document *document = overview->document;
    ChartBudget budget = {.introduced = introduced};
    if (overview->count > 1) {
        document_heading(document, 3,
                         document_text(document, "Charts of %s", family_name(document, family)));
    }
    answer_charts(overview, family, &budget);
    for (size_t i = 0; i < family->count; i++) {
        if (family_shows(family, i)) {
            size_charts(overview, family, family->groups[i], &budget);
            tuning_charts(overview, family, family->groups[i], &budget);
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

void overview_charts(const Overview *overview) {
    bool introduced = false;
    document_heading(overview->document, 2, "Charts");
    for (size_t i = 0; i < overview->count; i++) {
        introduced = family_charts(overview, &overview->families[i], introduced);
    }
}

/* --- Two runs --------------------------------------------------------------------------------- */

/* The ratio of the times of both runs at the sizes that both have. */
static void add_ratios(const Builder *builder, const RowLine lines[2], LineLook look) {
    ChartSeries *series = NULL;
    for (size_t i = 0; i < lines[0].count; i++) {
        const Row *a = lines[0].rows[i];
        for (size_t j = 0; j < lines[1].count; j++) {
            const Row *b = lines[1].rows[j];
            if (row_size(a) == row_size(b)) {
                const Ratio ratio = rows_difference(a, b, TIME_KERNEL, builder->document).ratio;
                add_point(builder, a,
                          (ChartPoint){.y = ratio.value, .low = ratio.low, .high = ratio.high},
                          look, &series);
            }
        }
    }
}

/* A variant of both runs, A with solid lines. */
static void add_pair(const Builder *builder, const RunReport *report, const RunPair *pair,
                     const Variant *variant, const Measure *measure) {
    const int colour = variant_look_number(variant->name);
    RowLine lines[2];
    for (size_t run = 0; run < 2; run++) {
        lines[run] = row_line(builder->document, pair->of[run], &along_size,
                              (RowChoice){.variant = variant});
        if (measure->of != CHART_B_OVER_A) {
            const char *name = document_text(builder->document, "%s, %s", variant->name,
                                             report->of[run].run->name);
            add_line(builder, &lines[run], measure,
                     (LineLook){name, run == 0 ? SERIES_MEASURED : SERIES_SECONDARY, colour});
        }
    }
    if (measure->of == CHART_B_OVER_A) {
        add_ratios(builder, lines, (LineLook){variant->name, SERIES_MEASURED, colour});
    }
}

static void draw_pair(const RunReport *report, const RunPair *pair, ChartMeasure of,
                      bool devices_only) {
    Document *document = report->document;
    const RunGroup *group = pair->of[0];
    const char *a = report->of[0].run->name;
    const char *b = report->of[1].run->name;
    const Measure measure = {.of = of, .unit = unit_of(&pair->rows)};
    const char *words = measure_words(&measure);
    const bool ratio = of == CHART_B_OVER_A;
    Builder builder = {.document = document, .rows = pair->rows};
    builder.chart = document_chart(
        document, document_text(document, "diff-%s-%s", group->slug, measure_slugs[of]),
        document_text(document, "%s: %s", group->title,
                      ratio ? "time of B over time of A" : words));
    if (builder.chart == NULL) {
        return;
    }
    name_sizes(&builder);
    name_measure(&builder, &measure);
    builder.chart->description =
        ratio ? document_text(document,
                              "Line chart, logarithmic: kernel time of %s (B) over that of %s "
                              "(A) against size, each variant at its fastest tuning in either; "
                              "below 1, B is faster.",
                              b, a)
              : document_text(document,
                              "Line chart, logarithmic: %s against size; %s with solid lines, "
                              "%s with dashed ones.",
                              words, a, b);
    const Variant *variants[VARIANTS_MAX];
    const size_t count = variants_of(&builder, variants);
    for (size_t i = 0; i < count; i++) {
        if (!devices_only || !variant_is_on_cpu(variants[i])) {
            add_pair(&builder, report, pair, variants[i], &measure);
        }
    }
    chart_note_intervals(document, builder.chart,
                         ratio ? ratio_interval_words(pair, document)
                               : report_interval_words(report));
    if (builder.chart->count == 0) {
        document_drop_chart(document);
    }
}

void pair_charts(const RunReport *report, const RunPair *pair) {
    const RowLine devices =
        row_line(report->document, &pair->rows, &along_size, (RowChoice){.side = SIDE_DEVICE});
    if (row_line(report->document, &pair->rows, &along_size, all_rows).count > 1) {
        draw_pair(report, pair, CHART_TIME, false);
        draw_pair(report, pair, CHART_OVER_BEST_CPU, devices.count > 0);
        draw_pair(report, pair, CHART_B_OVER_A, false);
    }
}

/* === Charts of files ========================================================================== */

enum {
    ANSWERS_MAX = 8,   /* of so many answer points each has charts of its own */
    TOGETHER_MAX = 64, /* so many have charts together */
    PANELS_MAX = 6,    /* of which the first are shown */
    SWEEP_MIN = RUN_CHART_VALUES
};

/* --- Words ------------------------------------------------------------------------------------ */

/* "lbp on meadow.jpg" with `of` before " on", and a line of the axes of the answer in `axes`. */
static const char *title_of(const Builder *builder, const char *of, const Point *answer,
                            unsigned axes) {
    enum { INPUT_SIZE = 81 };
    char words[POINT_TEXT_SIZE];
    const Row *row = builder->file->row;
    point_words(answer, axes, words, sizeof words);
    return document_text(builder->document, "%s%s on %.*s%s%s", row->algorithm->name, of,
                         (int)utf8_cut(row->input, INPUT_SIZE), row->input,
                         words[0] != '\0' ? "\n" : "", words);
}

/* "4K", "60000 images": a size by itself. */
static void size_name(const Row *row, char text[OVERVIEW_TEXT_SIZE]) {
    size_short(row, text);
    if (!row_is_image(row)) {
        const bool counted =
            row->images > 0 && strspn(row->size_name, "0123456789") == strlen(row->size_name);
        snprintf(text, OVERVIEW_TEXT_SIZE, "%s%s", row->size_name, counted ? " images" : "");
    }
}

/* The same for a chart of one size. */
static const char *title_at(const Builder *builder, const Row *size, const Point *answer) {
    char text[OVERVIEW_TEXT_SIZE];
    size_name(size, text);
    return title_of(builder, document_text(builder->document, " at %s", text), answer, ALL_AXES);
}

static const char *whole_title(const Builder *builder) {
    return title_of(builder, "", &builder->file->row->answer, ALL_AXES);
}

/* The variant that speedups are over, and how it is called: "seq (1 thread)". NULL: none. */
static const Variant *base_of(const Builder *builder, const char **words) {
    for (size_t i = 0; i < builder->rows.count; i++) {
        const Row *row = builder->rows.rows[i];
        if (row->base[0] != '\0') {
            char name[RESULT_LABEL_SIZE];
            snprintf(name, sizeof name, "%.*s", (int)strcspn(row->base, " "), row->base);
            *words = row->base;
            return registry_find_variant(row->algorithm, name);
        }
    }
    *words = NULL;
    return NULL;
}

/* --- Against size ----------------------------------------------------------------------------- */

/* "seq was not run beyond 720p": where rows have times and no base. */
static const char *base_end_words(const Builder *builder, const Variant *base) {
    const RowLine sizes = line_of(builder, all_rows);
    const RowLine based = line_of(builder, (RowChoice){.variant = base});
    if (base == NULL || based.count == 0 || sizes.count == 0 ||
        row_place(&builder->axis, based.rows[based.count - 1]) ==
            row_place(&builder->axis, sizes.rows[sizes.count - 1])) {
        return "";
    }
    char place[OVERVIEW_TEXT_SIZE];
    place_name(builder, based.rows[based.count - 1], place);
    return document_text(builder->document, "%s was not run beyond %s", base->name, place);
}

/* What the ratios are over, and the variant that is left out, since its line would be at 1; NULL:
 * there is no base. */
static const char *ratio_words(const Builder *builder, ChartMeasure of, const Variant **base) {
    char names[RESULT_LABEL_SIZE];
    const char *over;
    *base = base_of(builder, &over);
    if (of == CHART_OVER_BEST_CPU) {
        *base = NULL;
        best_cpu_names(builder, names, sizeof names);
        over = names[0] != '\0'
                   ? document_text(builder->document, "the best CPU variant (%s)", names)
                   : NULL;
    }
    return over != NULL ? document_text(builder->document, "speedup over %s", over) : NULL;
}

/* A panel for each kind of time. */
static void add_speedups(Builder *builder, ChartMeasure of) {
    static const char *const titles[] = {
        [TIME_KERNEL] = "speedup, kernel", [TIME_END_TO_END] = "speedup, end to end"};
    Document *document = builder->document;
    const Variant *base;
    add_note(builder, ratio_words(builder, of, &base));
    add_note(builder, base_end_words(builder, base));
    add_note(builder, tuning_words(builder));
    for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
        const Measure measure = {.of = of, .kind = kind};
        ChartPanel *panel = chart_panel(document, builder->chart, NULL);
        if (panel != NULL) {
            panel->y = (ChartAxis){.title = titles[kind], .log = true};
            panel->reference = 1.0;
        }
        add_variants(builder, NULL, &measure, base);
    }
}

/* --- Bars of one size ------------------------------------------------------------------------- */

/* A bar. */
typedef struct Bar {
    const Row *row;
    TimeKind kind;
    double value;
} Bar;

static int compare_bars(const void *a, const void *b) {
    const Bar *left = a, *right = b;
    return left->value > right->value ? -1 : left->value < right->value;
}

/* At one size there is no line: a bar for each variant, the fastest on top, and a grey one for the
 * ratio end to end of those on a GPU. */
static void build_ratio_bars(Builder *builder, ChartMeasure of) {
    Document *document = builder->document;
    DocChart *chart = builder->chart;
    const Variant *variants[VARIANTS_MAX];
    const size_t count = variants_of(builder, variants);
    const Variant *base;
    const char *over = ratio_words(builder, of, &base);
    Bar bars[2 * VARIANTS_MAX];
    size_t shown = 0;
    for (size_t i = 0; i < count && over != NULL; i++) {
        for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
            const Measure measure = {.of = of, .kind = kind};
            const RowLine line =
                line_of(builder, (RowChoice){.variant = variants[i], .kind = kind});
            const double value =
                line.count > 0 ? measured_point(line.rows[0], &measure).y : (double)NAN;
            const bool twice = kind == TIME_END_TO_END && variant_is_on_cpu(variants[i]);
            if (isfinite(value) && !twice && is_shown(builder, variants[i], &measure)) {
                bars[shown++] = (Bar){line.rows[0], kind, value};
            }
        }
    }
    if (shown < 2) {
        return;
    }
    qsort(bars, shown, sizeof *bars, compare_bars);
    chart->kind = CHART_BARS;
    chart->title = title_at(builder, bars[0].row, &builder->file->row->answer);
    chart->y.title = over;
    chart->reference = 1;
    for (size_t i = 0; i < shown; i++) {
        const Bar *bar = &bars[i];
        const bool whole = bar->kind == TIME_END_TO_END;
        char tuning[POINT_TEXT_SIZE];
        point_format(&bar->row->tuning, tuning, sizeof tuning);
        chart_tick(document, &chart->x, (double)i,
                   document_text(document, "%s%s%s%s", bar->row->variant->name,
                                 whole || tuning[0] != '\0' ? "\n" : "", whole ? "end to end" : "",
                                 whole ? "" : tuning));
        ChartSeries *series =
            chart_series(document, chart, NULL, whole ? SERIES_SECONDARY : SERIES_MEASURED,
                         whole ? 2 : variant_look_number(bar->row->variant->name));
        chart_point(document, series,
                    &(ChartPoint){.x = (double)i, .y = bar->value, .low = 0, .high = bar->value});
    }
    ChartSeries *totals = chart_series(document, chart, NULL, SERIES_WORDS, 0);
    for (size_t i = 0; i < shown; i++) {
        char times[SIGNIFICANT_SIZE];
        times_text(bars[i].value, times);
        chart_point(
            document, totals,
            &(ChartPoint){
                .x = (double)i, .y = bars[i].value, .low = NAN, .high = NAN, .label = times});
    }
}

static void build_speedup(Builder *builder, const ChartType *type) {
    const Variant *base;
    if (ratio_words(builder, type->measure, &base) == NULL) {
        return;
    }
    if (name_sizes(builder)) {
        builder->chart->title = whole_title(builder);
        add_speedups(builder, type->measure);
    } else if (builder->alone) { /* others are compared along their axis */
        build_ratio_bars(builder, type->measure);
    }
}

/* Variants are shown with the exponent of their size, where the name stays short enough for half
 * the width of the key. */
static void name_exponents(const Builder *builder) {
    enum { SHORT_NAME = 21 };
    for (size_t i = 0; i < builder->chart->count; i++) {
        ChartSeries *series = &builder->chart->series[i];
        for (size_t j = builder->rows.count; j > 0; j--) {
            const Row *row = builder->rows.rows[j - 1];
            if (isfinite(row->exponent) && strcmp(row->variant->name, series->name) == 0) {
                const char *name =
                    document_text(builder->document, "%s, n^%.2f", series->name, row->exponent);
                series->name = name != NULL && strlen(name) <= SHORT_NAME ? name : series->name;
                break;
            }
        }
    }
}

/* "copy/omp/threads:16" was measured beside the cells, "copy_dram/threads:16" is a ceiling, and
 * "copy_dram/gpus:2" one of two devices at once. */
static const char *roof_words(Document *document, const char *label) {
    static const char several[] = "/gpus:";
    const char *gpus = strstr(label, several);
    if (strncmp(label, "copy/", 5) == 0) {
        return document_text(document, "roof: copy, %.*s", (int)strcspn(label + 5, "/"), label + 5);
    }
    if (gpus != NULL) {
        return document_text(document, "roof: %.*s, %s GPUs", (int)strcspn(label, "/"), label,
                             gpus + sizeof several - 1);
    }
    return document_text(document, "roof: %.*s", (int)strcspn(label, "/"), label);
}

/* The rows of the least time that a measured ceiling allows at each size, on one side. */
static RowLine roofs_of(const Builder *builder, RowSide side) {
    const RowLine sizes = line_of(builder, all_rows);
    RowLine roofs = {
        .rows = document_allocate(builder->document, (sizes.count + 1) * sizeof(const Row *))};
    for (size_t i = 0; roofs.rows != NULL && i < sizes.count; i++) {
        const double place = row_place(&builder->axis, sizes.rows[i]);
        const Row *best = NULL;
        for (size_t j = 0; j < builder->rows.count; j++) {
            const Row *row = builder->rows.rows[j];
            if (row_is_on_cpu(row) == (side == SIDE_CPU) && isfinite(row->roof_seconds) &&
                row_place(&builder->axis, row) == place &&
                (best == NULL || row->roof_seconds < best->roof_seconds)) {
                best = row;
            }
        }
        if (best != NULL) {
            roofs.rows[roofs.count++] = best;
        }
    }
    return roofs;
}

/* One roof for each side, named after the ceiling at the largest size. */
static void add_roofs(const Builder *builder, const TimeUnit *unit) {
    Document *document = builder->document;
    const char *first = NULL;
    for (RowSide side = SIDE_CPU; side <= SIDE_DEVICE; side++) {
        const RowLine roofs = roofs_of(builder, side);
        if (roofs.count == 0) {
            continue;
        }
        const char *name = roof_words(document, roofs.rows[roofs.count - 1]->roof);
        if (first != NULL && name != NULL && strcmp(first, name) == 0) {
            /* Two roofs of one name are told apart by whose they are. */
            builder->chart->series[builder->chart->count - 1].name =
                document_text(document, "%s, CPU", name);
            name = document_text(document, "%s, GPU", name);
        }
        first = name;
        ChartSeries *series = NULL;
        for (size_t i = 0; i < roofs.count; i++) {
            add_point(builder, roofs.rows[i],
                      (ChartPoint){.y = roofs.rows[i]->roof_seconds / unit->seconds,
                                   .low = NAN,
                                   .high = NAN},
                      (LineLook){name, SERIES_CEILING, 0}, &series);
        }
    }
}

static void build_time(Builder *builder, const ChartType *type) {
    const Measure measure = {.of = type->measure, .unit = unit_of(&builder->rows)};
    if (name_sizes(builder)) {
        builder->chart->title = whole_title(builder);
        name_measure(builder, &measure);
        add_variants(builder, NULL, &measure, NULL);
        add_note(builder, tuning_words(builder));
        name_exponents(builder);
        if (builder->chart->count > 0) {
            add_roofs(builder, &measure.unit);
        }
    }
}

/* --- Several answer points -------------------------------------------------------------------- */

typedef struct Answers {
    const Point *points[TOGETHER_MAX]; /* in the order of the run */
    size_t count, shown;
    unsigned shared; /* axes with the same value in all that are shown */
} Answers;

static size_t answer_index(const Answers *answers, const Point *point) {
    size_t i = 0;
    while (i < answers->count && !point_equal(answers->points[i], point)) {
        i++;
    }
    return i;
}

static unsigned shared_axes(const Answers *answers) {
    unsigned shared = 0;
    const Point *first = answers->points[0];
    for (size_t axis = 0; axis < first->count; axis++) {
        bool same = true;
        for (size_t i = 1; i < answers->shown; i++) {
            const AxisValue *value = point_value(answers->points[i], first->axes[axis]->name);
            same &= value != NULL && strcmp(value->text, first->values[axis].text) == 0;
        }
        shared |= (unsigned)same << axis;
    }
    return shared;
}

/* The first answer points are shown; the rows of the others are removed. */
static Answers answers_of(Builder *builder) {
    Answers answers = {.count = 0};
    RunGroup *rows = &builder->rows;
    size_t kept = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const Row *row = rows->rows[i];
        const size_t index = answer_index(&answers, &row->answer);
        if (index == answers.count && index < TOGETHER_MAX) {
            answers.points[answers.count++] = &row->answer;
        }
        if (index < PANELS_MAX) {
            rows->rows[kept++] = row;
        }
    }
    rows->count = kept;
    answers.shown = answers.count < PANELS_MAX ? answers.count : PANELS_MAX;
    answers.shared = answers.count > 0 ? shared_axes(&answers) : 0;
    return answers;
}

static const char *answer_name(const Builder *builder, const Answers *answers, size_t index) {
    char words[POINT_TEXT_SIZE];
    point_words(answers->points[index], ~answers->shared, words, sizeof words);
    return document_text(builder->document, "%s", words);
}

/* "speedup over seq (1 thread); 1 more answer point not shown" */
static void note_answers(const Builder *builder, const Answers *answers, const char *words) {
    const size_t left_out = answers->count - answers->shown;
    const char *note = words;
    if (left_out > 0) {
        note = document_text(builder->document, "%s%s%zu more answer point%s not shown", words,
                             words[0] != '\0' ? "; " : "", left_out, left_out > 1 ? "s" : "");
    }
    builder->chart->note = note != NULL && note[0] != '\0' ? note : NULL;
}

static bool has_alloc(const Builder *builder) {
    for (size_t i = 0; i < builder->rows.count; i++) {
        const Row *row = builder->rows.rows[i];
        if (!row_is_on_cpu(row) && isfinite(row->with_alloc_summary.median)) {
            return true;
        }
    }
    return false;
}

/* Times with allocation are those of allocation, upload, kernel and download on a GPU, of the run
 * alone on the CPU. */
static void build_answers(Builder *builder, const ChartType *type) {
    static const char *const alloc_words = "CUDA: allocation, upload, kernel, download";
    Document *document = builder->document;
    const bool times = type->measure == CHART_TIME;
    const Answers answers = answers_of(builder);
    const Measure measure = {
        .of = type->measure, .unit = unit_of(&builder->rows), .with_alloc = type->with_alloc};
    const char *over = NULL;
    const Variant *base = times ? NULL : base_of(builder, &over);
    if ((!times && over == NULL) || (type->with_alloc && !has_alloc(builder)) ||
        !name_sizes(builder)) {
        return;
    }
    builder->chart->title = title_of(builder, "", answers.points[0], answers.shared);
    name_measure(builder, &measure);
    const char *note = type->with_alloc ? alloc_words : "";
    if (!times) {
        builder->chart->y.title = type->with_alloc ? "speedup, with allocation" : "speedup, kernel";
        note =
            document_text(document, "speedup over %s%s%s", over, note[0] != '\0' ? "; " : "", note);
    }
    note_answers(builder, &answers, note != NULL ? note : "");
    for (size_t i = 0; i < answers.shown; i++) {
        chart_panel(document, builder->chart, answer_name(builder, &answers, i));
        add_variants(builder, answers.points[i], &measure, base);
    }
}

/* Of one side the variant with the most answer points at the largest size, and of several the one
 * of the least time over all. NULL: none. */
static const Variant *fastest_variant(const Builder *builder, const Answers *answers, RowSide side,
                                      const Row *largest) {
    const Variant *variants[VARIANTS_MAX];
    const Variant *best = NULL;
    size_t most = 0;
    double least = INFINITY;
    const size_t count = variants_of(builder, variants);
    for (size_t i = 0; i < count; i++) {
        double seconds = 0;
        size_t cells = 0;
        for (size_t j = 0; j < answers->shown; j++) {
            const RowLine line = line_of(builder, (RowChoice){.side = side,
                                                              .variant = variants[i],
                                                              .answer = answers->points[j],
                                                              .size = largest});
            seconds += line.count > 0 ? row_seconds(line.rows[0], TIME_KERNEL) : 0;
            cells += line.count;
        }
        if (cells > most || (cells == most && cells > 0 && seconds < least)) {
            best = variants[i];
            most = cells;
            least = seconds;
        }
    }
    return best;
}

/* How time grows with the answer point: a panel for the fastest CPU variant, one for the fastest
 * CUDA variant, a line for each answer point. */
static void build_fastest(Builder *builder, const ChartType *type) {
    const Answers answers = answers_of(builder);
    const Measure measure = {.of = type->measure, .unit = unit_of(&builder->rows)};
    if (!name_sizes(builder)) {
        return;
    }
    const RowLine sizes = line_of(builder, all_rows);
    builder->chart->title = title_of(builder, "", answers.points[0], answers.shared);
    builder->chart->ordered = true;
    name_measure(builder, &measure);
    note_answers(builder, &answers, "");
    for (RowSide side = SIDE_CPU; side <= SIDE_DEVICE; side++) {
        const Variant *variant =
            fastest_variant(builder, &answers, side, sizes.rows[sizes.count - 1]);
        if (variant == NULL) {
            continue;
        }
        chart_panel(builder->document, builder->chart, variant->name);
        for (size_t i = 0; i < answers.shown; i++) {
            const RowLine line =
                line_of(builder, (RowChoice){.variant = variant, .answer = answers.points[i]});
            add_line(builder, &line, &measure,
                     (LineLook){answer_name(builder, &answers, i), SERIES_MEASURED, (int)i});
        }
    }
}

/* --- Against an axis -------------------------------------------------------------------------- */

/* The answer point without one axis. */
static Point point_without(const Point *point, const Axis *axis) {
    Point rest = {.count = 0};
    for (size_t i = 0; i < point->count; i++) {
        if (point->axes[i] != axis) {
            rest.axes[rest.count] = point->axes[i];
            rest.values[rest.count++] = point->values[i];
        }
    }
    return rest;
}

static void build_answer_sweep(Builder *builder, const ChartType *type) {
    const Row *row = builder->file->row;
    const Measure measure = {.of = type->measure, .unit = unit_of(&builder->rows)};
    const char *axis = builder->axis.name;
    if (builder->axis.count > 1) {
        const Point rest = point_without(&row->answer, builder->file->axis);
        builder->chart->title = title_at(builder, row, &rest);
        name_values(builder, strcmp(axis, "box") == 0 ? "box side (pixels)" : axis);
        if (type->measure == CHART_OVER_BEST_CPU) {
            add_speedups(builder, type->measure);
        } else {
            name_measure(builder, &measure);
            add_variants(builder, NULL, &measure, NULL);
            add_note(builder, tuning_words(builder));
        }
    }
}

static bool is_of_scaling(const Row *row, const char *axis) {
    const char *own = row_scaling_axis(row);
    return own != NULL && strcmp(own, axis) == 0;
}

/* How a variant scales over GPUs or threads: a line for each size, solid for the kernel and dashed
 * end to end where that is another time. */
static void build_scaling(Builder *builder) {
    enum { LINES_MAX = 2 * OPTIONS_SIZES_MAX, SIZES_MAX = 3 };
    Document *document = builder->document;
    const Row *row = builder->file->row;
    const bool device = !row_is_on_cpu(row);
    Scaling *list;
    ScalingLine *lines = document_allocate(document, LINES_MAX * sizeof *lines);
    const size_t all = scalings_find(document, &builder->rows, builder->axis.name, &list);
    size_t count = 0, sizes = 0;
    for (size_t i = 0; lines != NULL && i < all && count + 2 <= LINES_MAX; i++) {
        const bool few = !device || all <= SIZES_MAX || i == 0 || i == all / 2 || i == all - 1;
        if (list[i].one == NULL || !few) {
            continue;
        }
        const char *name = scaling_name(document, &list[i]);
        sizes++;
        lines[count++] = (ScalingLine){.scaling = &list[i], .name = name, .colour = (int)i};
        if (device) {
            lines[count++] = (ScalingLine){.scaling = &list[i],
                                           .name = document_text(document, "%s, end to end", name),
                                           .kind = TIME_END_TO_END,
                                           .dashed = true,
                                           .colour = (int)i};
        }
    }
    if (count == 0) {
        return;
    }
    builder->chart->ordered = true;
    scaling_chart(document, builder->chart, lines, count, row->variant->name, SCALING_BOTH);
    add_note(builder, scaling_words(document, lines[0].scaling));
    if (sizes < all) {
        add_note(builder, document_text(document, "%zu of %zu sizes are shown", sizes, all));
    }
}

/* Against a tuning axis of one variant, a line for each size: kernel time, or how it scales. */
static void build_tuning(Builder *builder, const ChartType *type) {
    Document *document = builder->document;
    const Row *row = builder->file->row;
    const RowAxis *axis = &builder->axis;
    if (axis->count < 2) {
        return;
    }
    builder->chart->title = title_of(builder, document_text(document, ", %s", row->variant->name),
                                     &row->answer, ALL_AXES);
    if (is_of_scaling(row, axis->name)) {
        build_scaling(builder);
        return;
    }
    builder->chart->ordered = true;
    name_values(builder, strcmp(axis->name, "tile") == 0
                             ? "tile width (pixels)"
                             : document_text(document, "%s: %s", row->variant->name, axis->name));
    const Measure measure = {.of = type->measure, .unit = unit_of(&builder->rows)};
    name_measure(builder, &measure);
    const RowLine sizes = row_line(document, &builder->rows, &along_size, all_rows);
    for (size_t i = 0; i < sizes.count; i++) {
        const RowLine line = line_of(builder, (RowChoice){.size = sizes.rows[i]});
        char size[OVERVIEW_TEXT_SIZE];
        size_name(sizes.rows[i], size);
        if (line.count > 0) {
            add_line(builder, &line, &measure, (LineLook){size, SERIES_MEASURED, (int)i});
        }
    }
}

/* --- At the largest size ---------------------------------------------------------------------- */

static void build_largest(Builder *builder, const ChartType *type) {
    const RowLine sizes = line_of(builder, all_rows);
    if (sizes.count > 0) {
        const Row *largest = sizes.rows[sizes.count - 1];
        builder->chart->title = title_at(builder, largest, &builder->file->row->answer);
        type->fill(builder->document, builder->chart, &builder->rows, largest);
    }
}

/* === Which files a run has ==================================================================== */

static bool has_roofline(const Row *row) {
    return row->cost.operations > 0 && isfinite(row->ceiling_bandwidth) &&
           isfinite(row->ceiling_operations);
}

static bool has_device_ratio(const Row *row) {
    return !row_is_on_cpu(row) && isfinite(row->speedup_vs_best_cpu);
}

static const ChartType types[] = {
    [RUN_SPEEDUP] = {"speedup", ROWS_OF_ANSWER, build_speedup, .measure = CHART_OVER_SEQ},
    [RUN_SPEEDUP_BEST_CPU] = {"speedup-best-cpu", ROWS_OF_ANSWER, build_speedup,
                              .measure = CHART_OVER_BEST_CPU},
    [RUN_TIME] = {"time", ROWS_OF_ANSWER, .build = build_time},
    [RUN_ROOFLINE] = {"roofline", ROWS_OF_ANSWER, build_largest, .fill = roofline_fill,
                      .needs = has_roofline},
    [RUN_STAGES] = {"stages", ROWS_OF_ANSWER, build_largest, .fill = stages_fill,
                    .needs = row_has_stages},
    [RUN_TUNING] = {"", ROWS_OF_VARIANT, .build = build_tuning},
    [RUN_ANSWERS_SPEEDUP] = {"answers-speedup", ROWS_OF_INPUT, build_answers,
                             .measure = CHART_OVER_SEQ},
    [RUN_ANSWERS_SPEEDUP_ALLOC] = {"answers-speedup-with-alloc", ROWS_OF_INPUT, build_answers,
                                   .measure = CHART_OVER_SEQ, .with_alloc = true},
    [RUN_ANSWERS_TIME] = {"answers-time", ROWS_OF_INPUT, .build = build_answers},
    [RUN_ANSWERS_TIME_ALLOC] = {"answers-time-with-alloc", ROWS_OF_INPUT, build_answers,
                                .with_alloc = true},
    [RUN_ANSWERS_FASTEST] = {"answers-fastest", ROWS_OF_INPUT, .build = build_fastest},
    [RUN_ANSWER_SWEEP] = {"time", ROWS_OF_SIZE, .build = build_answer_sweep},
    [RUN_ANSWER_SWEEP_SPEEDUP] = {"speedup-best-cpu", ROWS_OF_SIZE, build_answer_sweep,
                                  .measure = CHART_OVER_BEST_CPU, .needs = has_device_ratio},
};

static bool of_same_input(const Row *a, const Row *b) {
    return a->algorithm == b->algorithm && strcmp(a->input, b->input) == 0;
}

/* Whether a tuning axis with this value is drawn. */
static bool begins_with_digit(const AxisValue *value) {
    return value != NULL && value->text[0] >= '0' && value->text[0] <= '9';
}

/* Nothing but digits: whether an answer axis with this value is drawn. */
static bool is_whole(const AxisValue *value) {
    return begins_with_digit(value) && strspn(value->text, "0123456789") == strlen(value->text);
}

/* Whether two rows differ in nothing but the answer axis, and what is measured. */
static bool same_rest(const Row *a, const Row *b, const Axis *axis) {
    const Point first = point_without(&a->answer, axis);
    const Point second = point_without(&b->answer, axis);
    return strcmp(a->size_name, b->size_name) == 0 && point_equal(&first, &second);
}

/* With --weak the answers of a scaling may differ in the axis that grows. */
static bool has_same_answer(const RunChart *chart, const Row *row) {
    const char *grows = row->algorithm->weak_axis;
    return point_equal(&chart->row->answer, &row->answer) ||
           (chart->kind == RUN_TUNING && chart->row->weak && row->weak && grows != NULL &&
            point_equal_but(&chart->row->answer, &row->answer, grows));
}

/* Whether a row with a verified time is one of those that the chart shows. */
static bool has_row(const RunChart *chart, const Row *row) {
    if (row->status != CELL_OK || !of_same_input(chart->row, row)) {
        return false;
    }
    const bool same_answer = has_same_answer(chart, row);
    switch (types[chart->kind].rows) {
    case ROWS_OF_INPUT: return true;
    case ROWS_OF_ANSWER: return same_answer;
    case ROWS_OF_VARIANT:
        return same_answer && chart->row->variant == row->variant &&
               begins_with_digit(point_value(&row->tuning, chart->axis->name));
    case ROWS_OF_SIZE: break;
    }
    return is_whole(point_value(&row->answer, chart->axis->name)) &&
           same_rest(chart->row, row, chart->axis);
}

static void note_value(RunChart *chart, double value) {
    for (size_t i = 0; i < chart->value_count; i++) {
        if (chart->values[i] == value) {
            return;
        }
    }
    if (chart->value_count < SWEEP_MIN) {
        chart->values[chart->value_count++] = value;
    }
}

/* The chart of the list that the row belongs in, or a new one. `value`: the row's value of the
 * axis, of which a sweep needs several; may be NULL. */
static Status add_chart(RunChartList *list, RunChartKind kind, const Axis *axis,
                        const AxisValue *value, const Row *row) {
    size_t i = 0;
    while (i < list->count && !(list->charts[i].kind == kind && list->charts[i].axis == axis &&
                                has_row(&list->charts[i], row))) {
        i++;
    }
    if (i == list->count) {
        STATUS_TRY(LIST_ROOM(NULL, list->charts, list->count, list->capacity, "charts"));
        list->charts[list->count++] = (RunChart){.kind = kind, .axis = axis, .row = row};
    }
    if (value != NULL) {
        note_value(&list->charts[i], strtod(value->text, NULL));
    }
    return status_ok();
}

/* Answer points of the algorithm and input, in the order of the run, and the place of the row's. */
static size_t count_answers(const RunChartList *list, const Row *row, size_t *place) {
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const RunChart *chart = &list->charts[i];
        if (chart->kind == RUN_TIME && of_same_input(chart->row, row)) {
            *place = point_equal(&chart->row->answer, &row->answer) ? count : *place;
            count++;
        }
    }
    return count;
}

static Status add_kind(RunChartList *list, RunChartKind kind, const Row *row) {
    const ChartType *type = &types[kind];
    size_t place = 0;
    if (type->rows == ROWS_OF_ANSWER || type->rows == ROWS_OF_INPUT) {
        const bool drawn = type->rows == ROWS_OF_ANSWER ? type->needs == NULL || type->needs(row)
                                                        : count_answers(list, row, &place) > 1;
        return drawn ? add_chart(list, kind, NULL, NULL, row) : status_ok();
    }
    if (type->needs != NULL && !type->needs(row)) {
        return status_ok();
    }
    const bool tuning = type->rows == ROWS_OF_VARIANT;
    const Point *point = tuning ? &row->tuning : &row->answer;
    for (size_t i = 0; i < point->count; i++) {
        const AxisValue *value = &point->values[i];
        if (tuning ? begins_with_digit(value) : is_whole(value)) {
            STATUS_TRY(add_chart(list, kind, point->axes[i], tuning ? NULL : value, row));
        }
    }
    return status_ok();
}

/* --- What is too many or too little ----------------------------------------------------------- */

static bool is_kept(const RunChartList *list, const RunChart *chart) {
    size_t place = 0;
    const ChartRows rows = types[chart->kind].rows;
    const size_t answers = count_answers(list, chart->row, &place);
    switch (rows) {
    case ROWS_OF_SIZE: return chart->value_count >= SWEEP_MIN;
    case ROWS_OF_INPUT: return answers <= TOGETHER_MAX;
    case ROWS_OF_ANSWER:
    case ROWS_OF_VARIANT: break;
    }
    return answers <= ANSWERS_MAX || place == 0 || place == answers / 2 || place == answers - 1;
}

static bool is_copy(const RunChart *chart) {
    return row_is_roof(chart->row);
}

/* Judged by the whole list, then removed. The copy is measured with every algorithm, as its roof;
 * it has charts when it was asked for by itself. */
static void drop_surplus(RunChartList *list) {
    bool alone = true;
    for (size_t i = 0; i < list->count; i++) {
        list->charts[i].kept = is_kept(list, &list->charts[i]);
        alone &= is_copy(&list->charts[i]);
    }
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->charts[i].kept && (alone || !is_copy(&list->charts[i]))) {
            list->charts[count++] = list->charts[i];
        }
    }
    list->count = count;
}

/* --- Names ------------------------------------------------------------------------------------ */

/* What makes charts differ, in the order of their names. */
enum NamePart {
    NAME_ALGORITHM,
    NAME_INPUT,
    NAME_SIZE,
    NAME_ANSWER,
    NAME_REST, /* the answer without the axis; named where the list has the sweep with another too
                */
    NAME_VARIANT,
    NAME_AXIS,
    NAME_WORD,
    NAME_PARTS
};

enum { NAME_PART_SIZE = CSV_VALUE_SIZE };

typedef char NameParts[NAME_PARTS][NAME_PART_SIZE];

static void split_name(const RunChart *chart, NameParts parts) {
    const Row *row = chart->row;
    const ChartType *type = &types[chart->kind];
    memset(parts, 0, sizeof(NameParts));
    snprintf(parts[NAME_ALGORITHM], NAME_PART_SIZE, "%s", row->algorithm->name);
    text_visible(row->input, parts[NAME_INPUT], NAME_PART_SIZE); /* as it stands in the CSV */
    if (type->rows == ROWS_OF_SIZE) {
        const Point rest = point_without(&row->answer, chart->axis);
        snprintf(parts[NAME_SIZE], NAME_PART_SIZE, "%s", row->size_name);
        point_format(&rest, parts[NAME_REST], NAME_PART_SIZE);
    } else if (type->rows != ROWS_OF_INPUT) {
        point_format(&row->answer, parts[NAME_ANSWER], NAME_PART_SIZE);
    }
    if (type->rows == ROWS_OF_VARIANT) {
        snprintf(parts[NAME_VARIANT], NAME_PART_SIZE, "%s", row->variant->name);
    }
    if (chart->axis != NULL) {
        snprintf(parts[NAME_AXIS], NAME_PART_SIZE, "%s", chart->axis->name);
    }
    snprintf(parts[NAME_WORD], NAME_PART_SIZE, "%s", type->word);
}

/* Whether the list has the sweep at other values of the other answer axes too. */
static bool has_other_rest(const RunChartList *list, const RunChart *of_chart) {
    const bool sweep = types[of_chart->kind].rows == ROWS_OF_SIZE;
    for (size_t i = 0; sweep && i < list->count; i++) {
        const RunChart *chart = &list->charts[i];
        if (chart->kind == of_chart->kind && chart->axis == of_chart->axis &&
            of_same_input(chart->row, of_chart->row) &&
            strcmp(chart->row->size_name, of_chart->row->size_name) == 0 &&
            !same_rest(chart->row, of_chart->row, chart->axis)) {
            return true;
        }
    }
    return false;
}

/* <algorithm>-<input>[-<answer>]-speedup, <algorithm>-<input>[-<answer>]-<variant>-<axis>,
 * <algorithm>-<input>-answers-speedup, <algorithm>-<input>-<size>[-<other axes>]-<axis>-time; with
 * a hash of all the parts before the word where another chart has the same name. */
static void name_chart(const RunChartList *list, RunChart *chart, bool hashed) {
    NameParts parts;
    char hash[16];
    uint64_t sum = FNV_START;
    const bool with_rest = has_other_rest(list, chart);
    split_name(chart, parts);
    chart->name[0] = '\0';
    for (size_t i = 0; i < NAME_PARTS; i++) {
        sum = fnv_bytes(sum, parts[i], strlen(parts[i]) + 1);
        if (i != NAME_WORD && (i != NAME_REST || with_rest)) {
            chart_name_append(chart->name, parts[i]);
        }
    }
    if (hashed) {
        snprintf(hash, sizeof hash, "%08" PRIx32, (uint32_t)sum);
        const size_t room = strlen(hash) + strlen(parts[NAME_WORD]) + 2;
        if (strlen(chart->name) + room >= CHART_NAME_SIZE) {
            chart->name[CHART_NAME_SIZE - 1 - room] = '\0';
        }
        chart_name_append(chart->name, hash);
    }
    chart_name_append(chart->name, parts[NAME_WORD]);
}

/* File names leave out and cut some of what makes charts differ. */
static void name_charts(RunChartList *list) {
    for (size_t i = 0; i < list->count; i++) {
        RunChart *chart = &list->charts[i];
        name_chart(list, chart, false);
        for (size_t j = 0; j < i; j++) {
            if (strcmp(chart->name, list->charts[j].name) == 0) {
                chart->shared = list->charts[j].shared = true;
            }
        }
    }
    for (size_t i = 0; i < list->count; i++) {
        if (list->charts[i].shared) {
            name_chart(list, &list->charts[i], true);
        }
    }
}

static Status list_rows(const Results *results, RunChartList *list) {
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        for (size_t kind = 0; row->status == CELL_OK && kind < sizeof types / sizeof types[0];
             kind++) {
            STATUS_TRY(add_kind(list, (RunChartKind)kind, row));
        }
    }
    return status_ok();
}

Status run_charts_list(const Results *results, RunChartList *list) {
    *list = (RunChartList){.charts = NULL};
    const Status status = list_rows(results, list);
    if (!status_is_ok(&status)) {
        run_charts_release(list);
        return status;
    }
    drop_surplus(list);
    name_charts(list);
    return status_ok();
}

void run_charts_release(RunChartList *list) {
    free(list->charts);
    *list = (RunChartList){.charts = NULL};
}

/* === Drawing files ============================================================================ */

/* The rows of the chart, and what lies along its x axis. Sizes of sets are numbers of images where
 * all images are equal, and of their pixels otherwise. */
static void find_rows(Builder *builder, const Results *results) {
    const RunChart *file = builder->file;
    RunGroup *rows = &builder->rows;
    double side = NAN;
    rows->rows = document_allocate(builder->document, (results->count + 1) * sizeof(const Row *));
    builder->alone = true;
    for (size_t i = 0; rows->rows != NULL && i < results->count; i++) {
        const Row *row = &results->rows[i];
        builder->alone &= row->status != CELL_OK || !of_same_input(file->row, row) ||
                          point_equal(&file->row->answer, &row->answer);
        if (has_row(file, row)) {
            const double image = (double)row->width * row->height;
            builder->axis.pixels |= row->images > 0 && isfinite(side) && image != side;
            side = image;
            rows->rows[rows->count++] = row;
        }
    }
    if (file->axis != NULL) {
        builder->axis = row_axis(builder->document, rows, types[file->kind].rows == ROWS_OF_VARIANT,
                                 file->axis->name);
    }
}

DocChart *run_chart_build(const Results *results, const RunChart *chart, Document *document) {
    Builder builder = {.document = document, .file = chart};
    builder.chart = document_chart(document, chart->name, "");
    find_rows(&builder, results);
    if (builder.chart == NULL || document->failed) {
        return NULL;
    }
    builder.chart->name = chart->name;
    types[chart->kind].build(&builder, &types[chart->kind]);
    chart_mark_equal(builder.chart);
    builder.chart->made =
        results->measured[0] != '\0' ? document_text(document, "%s", results->measured) : NULL;
    if (chart->kind != RUN_ROOFLINE) { /* which its fill has noted */
        chart_note_intervals(document, builder.chart,
                             group_interval_words(document, &builder.rows));
    }
    return builder.chart;
}

/* `drawn` is counted up where the chart has a point. */
static Status draw_file(const Results *results, const RunChart *chart, const char *folder,
                        size_t *drawn) {
    Document document;
    document_open(&document, "");
    const DocChart *built = run_chart_build(results, chart, &document);
    Status status = document_status(&document);
    if (status_is_ok(&status) && built->count > 0) {
        status = chart_draw(built, folder);
        *drawn += status_is_ok(&status);
    }
    document_release(&document);
    return status;
}

Status run_charts_draw(const Results *results, const char *folder) {
    size_t drawn;
    return run_charts_draw_counted(results, folder, &drawn);
}

Status run_charts_draw_counted(const Results *results, const char *folder, size_t *drawn) {
    RunChartList list;
    *drawn = 0;
    char scripts[GNUPLOT_PATH_SIZE];
    STATUS_TRY(chart_folder_check(folder));
    STATUS_TRY(gnuplot_script_folder(scripts, sizeof scripts));
    STATUS_TRY(run_charts_list(results, &list));
    Status status = status_ok();
    for (size_t i = 0; i < list.count && status_is_ok(&status); i++) {
        status = draw_file(results, &list.charts[i], folder, drawn);
    }
    run_charts_release(&list);
    return status;
}

/* === Histogram ================================================================================ */

typedef struct Histogram {
    const uint64_t *counts;
    size_t bins;
} Histogram;

/* The outline of a bar for each bin, in the style of ceilings, a thin line without marks. */
static void fill_histogram(Document *document, DocChart *chart, const void *content) {
    const Histogram *histogram = content;
    chart->x.title = "bin";
    chart->y = (ChartAxis){.title = "count", .from_zero = true};
    ChartSeries *series = chart_series(document, chart, NULL, SERIES_CEILING, 0);
    for (size_t i = 0; i < histogram->bins; i++) {
        const double left = (double)i - 0.5, count = (double)histogram->counts[i];
        const double corners[][2] = {{left, 0}, {left, count}, {left + 1, count}, {left + 1, 0}};
        for (size_t c = 0; c < sizeof corners / sizeof corners[0]; c++) {
            chart_point(
                document, series,
                &(ChartPoint){.x = corners[c][0], .y = corners[c][1], .low = NAN, .high = NAN});
        }
    }
}

Status histogram_draw(const char *folder, const char *name, const uint64_t *counts, size_t bins) {
    const Histogram histogram = {counts, bins};
    return chart_draw_alone(folder, name, name, fill_histogram, &histogram);
}
