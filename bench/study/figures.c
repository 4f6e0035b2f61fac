/* Figures of a study. */

#include "study_internal.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "look.h"
#include "report.h"

/* === Colours ================================================================================== */

enum { NO_COLOUR = -1 };

/* The look of the line of this name: that of a variant, or of its line in the first `count`
 * figures.
 */
static int known_colour(const Study *study, size_t count, const char *name) {
    if (variant_look_known(name) >= 0) {
        return variant_look_known(name);
    }
    for (size_t f = 0; f < count; f++) {
        for (size_t i = 0; i < study->figures[f].line_count; i++) {
            if (strcmp(study->figures[f].lines[i].name, name) == 0) {
                return study->figures[f].lines[i].colour;
            }
        }
    }
    return NO_COLOUR;
}

/* The first colour that no line of the figure has. */
static int free_colour(const StudyFigure *figure) {
    int colour = 0;
    for (size_t i = 0; i < figure->line_count;) {
        const bool taken = figure->lines[i].colour == colour;
        colour += taken ? 1 : 0;
        i = taken ? 0 : i + 1;
    }
    return colour;
}

/* The variant whose numbers a line draws: of a ratio that of the divisor, which is said to be so
 * many times faster. NULL: none, or several. */
static const char *variant_of(const Study *study, const StudyLine *line) {
    const StudyTable *table = study_table(study, line->table);
    size_t place = table != NULL ? study_column_index(table, line->column) : SIZE_MAX;
    if (place != SIZE_MAX && table->columns[place].under != NULL) {
        place = study_column_index(table, table->columns[place].under);
    }
    if (place == SIZE_MAX) {
        return NULL;
    }
    const char *variant = condition_value(&table->columns[place].conditions, "variant");
    return variant != NULL ? variant : condition_value(&table->conditions, "variant");
}

/* Where each line is of a variant of its own, they have the looks of these. */
static bool take_looks_of_variants(const Study *study, StudyFigure *figure) {
    for (size_t i = 0; i < figure->line_count; i++) {
        const int colour = variant_look_known(variant_of(study, &figure->lines[i]));
        bool own = colour >= 0;
        for (size_t j = 0; j < i && own; j++) {
            own = figure->lines[j].colour != colour;
        }
        if (!own) {
            return false;
        }
        figure->lines[i].colour = colour;
    }
    return figure->line_count > 0;
}

void study_colours_set(Study *study) {
    for (size_t f = 0; f < study->figure_count; f++) {
        StudyFigure *figure = &study->figures[f];
        if (take_looks_of_variants(study, figure)) {
            continue;
        }
        for (size_t i = 0; i < figure->line_count; i++) {
            figure->lines[i].colour = known_colour(study, f, figure->lines[i].name);
        }
        for (size_t i = 0; i < figure->line_count; i++) {
            if (figure->lines[i].colour == NO_COLOUR) {
                figure->lines[i].colour = free_colour(figure);
            }
        }
    }
}

/* === Study figure note ======================================================================== */

/* A table of the paper is named by its heading, one of ours by its caption. */
static const char *name_of(const StudyTable *table, Document *document) {
    return table->extra ? text_listed(document, table->caption)
                        : study_heading_text(table->name, document);
}

static const char *figure_note(const StudyResult *result, const StudyFigure *figure,
                               Document *document) {
    StudySources sources = {0};
    Tally drawn = {0};
    for (size_t i = 0; i < figure->line_count; i++) {
        const StudyLine *line = &figure->lines[i];
        const TableResult *table = study_table_result(result, line->table);
        tally_add(&drawn, document, name_of(table->table, document),
                  text_listed(document, line->column));
        study_sources_add(result, table, study_column_index(table->table, line->column), document,
                          &sources);
    }
    const char *words = document_text(document, "Drawn from %s. %s", tally_text(&drawn, document),
                                      study_sources_words(&sources, document));
    if (sources.published) {
        words = text_joined(document, words, " ",
                            study_differences(result, DIFFERENCES_ELSEWHERE, document));
    }
    return words;
}

/* === Study figures ============================================================================ */

enum { TICKS_MAX = 12, LINES_MAX = 8 };

/* The column that a line draws. */
typedef struct Curve {
    const StudyFigure *figure;
    const TableResult *table;
    size_t column;
    double scale; /* times are drawn in the unit of the figure's first line */
} Curve;

static const StudyColumn *column_of(const Curve *curve) {
    return &curve->table->table->columns[curve->column];
}

static Curve curve_of(const StudyResult *result, const StudyFigure *figure, size_t line) {
    const StudyLine *drawn = &figure->lines[line];
    const TableResult *table = study_table_result(result, drawn->table);
    Curve curve = {.figure = figure,
                   .table = table,
                   .column = study_column_index(table->table, drawn->column),
                   .scale = 1};
    if (line > 0) {
        const Curve first = curve_of(result, figure, 0);
        const double scale =
            unit_milliseconds(column_of(&curve)->unit) / unit_milliseconds(column_of(&first)->unit);
        curve.scale = isfinite(scale) ? scale : 1;
    }
    return curve;
}

static ChartPoint point_of(const Curve *curve, size_t row, SeriesStyle style) {
    const ConditionList *conditions = &curve->table->table->rows[row].conditions;
    const StudyValue *value = study_value(curve->table, row, curve->column);
    const bool measured = style == SERIES_MEASURED;
    return (ChartPoint){.x = condition_number(conditions, curve->figure->x_key),
                        .y = curve->scale * (measured ? value->measured : value->published),
                        .low = measured ? curve->scale * value->low : NAN,
                        .high = measured ? curve->scale * value->high : NAN,
                        .label = condition_value(conditions, curve->figure->x_key)};
}

static bool is_drawn(const ChartPoint *point) {
    return isfinite(point->x) && isfinite(point->y);
}

static int by_x(const void *a, const void *b) {
    const ChartPoint *left = a, *right = b;
    return (left->x > right->x) - (left->x < right->x);
}

static void add_series(const Curve *curve, const char *name, SeriesStyle style, int colour,
                       Document *document, DocChart *chart) {
    ChartSeries *series = NULL;
    for (size_t row = 0; row < curve->table->table->row_count; row++) {
        const ChartPoint point = point_of(curve, row, style);
        if (is_drawn(&point)) {
            series = series != NULL ? series : chart_series(document, chart, name, style, colour);
            chart_point(document, series, &point);
        }
    }
    if (series != NULL && series->count > 1) {
        qsort(series->points, series->count, sizeof *series->points, by_x);
    }
}

/* Sizes go by their names, and so does everything else that has few values. */
static void add_ticks(const StudyFigure *figure, Document *document, DocChart *chart) {
    for (size_t s = 0; s < chart->count; s++) {
        for (size_t p = 0; p < chart->series[s].count; p++) {
            const ChartPoint *point = &chart->series[s].points[p];
            if (point->label != NULL) {
                chart_mark(document, &chart->x, point->x, point->label);
            }
        }
    }
    if (strcmp(figure->x_key, "size") != 0 && chart->x.count > TICKS_MAX) {
        chart->x.count = 0;
    }
}

/* Whether all that is drawn are ratios, so that 1 is where nothing is gained. */
static bool draws_ratios(const StudyResult *result, const StudyFigure *figure) {
    bool ratios = true;
    for (size_t i = 0; i < figure->line_count; i++) {
        const Curve curve = curve_of(result, figure, i);
        ratios = ratios && unit_is_ratio(column_of(&curve)->unit);
    }
    return ratios;
}

static bool has_points(const StudyResult *result, const StudyFigure *figure) {
    for (size_t i = 0; i < figure->line_count; i++) {
        const Curve curve = curve_of(result, figure, i);
        for (size_t row = 0; row < curve.table->table->row_count; row++) {
            const ChartPoint measured = point_of(&curve, row, SERIES_MEASURED);
            const ChartPoint published = point_of(&curve, row, SERIES_PUBLISHED);
            if (is_drawn(&measured) || is_drawn(&published)) {
                return true;
            }
        }
    }
    return false;
}

static bool has_series(const Curve *curve, SeriesStyle style) {
    for (size_t row = 0; row < curve->table->table->row_count; row++) {
        const ChartPoint point = point_of(curve, row, style);
        if (is_drawn(&point)) {
            return true;
        }
    }
    return false;
}

/* Whether one plot would have too many lines. Without published ones the lines are there to be
 * compared with each other. */
static bool needs_panels(const StudyResult *result, const StudyFigure *figure) {
    size_t count = 0, published = 0;
    for (size_t i = 0; i < figure->line_count; i++) {
        const Curve curve = curve_of(result, figure, i);
        const bool printed = has_series(&curve, SERIES_PUBLISHED);
        count += has_series(&curve, SERIES_MEASURED) + printed;
        published += printed;
    }
    return count > LINES_MAX && published > 1;
}

/* One plot of all lines. */
static void add_lines(const StudyResult *result, const StudyFigure *figure, Document *document,
                      DocChart *chart) {
    for (size_t i = 0; i < figure->line_count; i++) {
        const char *name = figure->lines[i].name;
        const int colour = figure->lines[i].colour;
        const Curve curve = curve_of(result, figure, i);
        add_series(&curve, name, SERIES_MEASURED, colour, document, chart);
        add_series(&curve, document_text(document, "%s, published", name), SERIES_PUBLISHED, colour,
                   document, chart);
    }
}

/* Small multiples: a panel for each line, here beside the paper, on the same axes. */
static void add_panels(const StudyResult *result, const StudyFigure *figure, Document *document,
                       DocChart *chart) {
    for (size_t i = 0; i < figure->line_count; i++) {
        const Curve curve = curve_of(result, figure, i);
        if (has_series(&curve, SERIES_MEASURED) || has_series(&curve, SERIES_PUBLISHED)) {
            chart_panel(document, chart, figure->lines[i].name);
            add_series(&curve, "here", SERIES_MEASURED, machine_look_number(0, false), document,
                       chart);
            add_series(&curve, "published", SERIES_PUBLISHED, machine_look_number(1, false),
                       document, chart);
        }
    }
}

/* Says what the bars rest on. */
static void note_intervals(const StudyResult *result, const StudyFigure *figure, Document *document,
                           DocChart *chart) {
    LaunchRange range = {.most = 0};
    char words[NUMBER_WORDS_SIZE];
    for (size_t i = 0; i < figure->line_count; i++) {
        const Curve curve = curve_of(result, figure, i);
        const LaunchRange launches = study_launches(curve.table, curve.column);
        launch_range_join(&range, &launches);
    }
    interval_words(&range, words, sizeof words);
    chart_mark_equal(chart);
    chart_note_intervals(document, chart, words);
}

DocChart *study_figure_add(const StudyResult *result, const StudyFigure *figure,
                           Document *document) {
    if (!has_points(result, figure)) {
        document_add(document, BLOCK_PARAGRAPH, "%s: nothing was measured here%s.", figure->title,
                     study_has_paper(result) ? ", and the paper prints no numbers for it" : "");
        return NULL;
    }
    DocChart *chart = document_chart(document, figure->name, figure->title);
    if (chart == NULL) {
        return NULL;
    }
    chart->x = (ChartAxis){.title = figure->x_title, .log = figure->x_log};
    chart->y = (ChartAxis){.title = figure->y_title, .log = figure->y_log};
    chart->reference = draws_ratios(result, figure) ? 1 : NAN;
    if (needs_panels(result, figure)) {
        add_panels(result, figure, document, chart);
    } else {
        add_lines(result, figure, document, chart);
    }
    add_ticks(figure, document, chart);
    note_intervals(result, figure, document, chart);
    chart_describe(document, chart);
    document_add(document, BLOCK_PARAGRAPH, "%s", figure_note(result, figure, document));
    return chart;
}
