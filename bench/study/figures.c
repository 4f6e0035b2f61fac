/* Figures of a study. */

#include "document.h"
#include "study_internal.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "builder.h"
#include "look.h"
#include "number.h"

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
    const char *variant = condition_value_of(&table->columns[place].conditions, KEY_VARIANT);
    return variant != NULL ? variant : condition_value_of(&table->conditions, KEY_VARIANT);
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
        curve.scale = unit_scale(&column_of(&curve)->unit, &column_of(&first)->unit);
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

static int by_x(const void *a, const void *b) {
    const ChartPoint *left = a, *right = b;
    return (left->x > right->x) - (left->x < right->x);
}

/* Adds the line if it has a point. */
static void add_line(const StudyResult *result, const StudyFigure *figure, size_t line,
                     SeriesStyle style, Document *document, Curves *curves) {
    const Curve curve = curve_of(result, figure, line);
    const size_t rows = curve.table->table->row_count;
    ChartSeries *series = &curves->lines[curves->count];
    *series = (ChartSeries){.name = figure->lines[line].name,
                            .style = style,
                            .colour = figure->lines[line].colour,
                            .panel = line,
                            .points = document_allocate(document, (rows + 1) * sizeof(ChartPoint))};
    for (size_t row = 0; series->points != NULL && row < rows; row++) {
        const ChartPoint point = point_of(&curve, row, style);
        if (isfinite(point.x) && isfinite(point.y)) {
            series->points[series->count++] = point;
        }
    }
    if (series->count > 0) {
        qsort(series->points, series->count, sizeof *series->points, by_x);
        curves->count++;
    }
}

static Curves curves_of(const StudyResult *result, const StudyFigure *figure, Document *document) {
    Curves curves = {.x = {.title = figure->x_title, .log = figure->x_log},
                     .y = {.title = figure->y_title, .log = figure->y_log},
                     .lines =
                         document_allocate(document, 2 * figure->line_count * sizeof *curves.lines),
                     .ratios = true,
                     .over_sizes = figure->x_kind == KEY_SIZE};
    for (size_t i = 0; curves.lines != NULL && i < figure->line_count; i++) {
        const Curve curve = curve_of(result, figure, i);
        const TimeUnit *time = column_of(&curve)->unit.time;
        curves.y.unit = i == 0 && time != NULL ? time->name : curves.y.unit;
        curves.ratios &= column_of(&curve)->unit.ratio;
        add_line(result, figure, i, SERIES_MEASURED, document, &curves);
        add_line(result, figure, i, SERIES_PUBLISHED, document, &curves);
    }
    return curves;
}

/* What the bars rest on. */
static const char *bar_words(const StudyResult *result, const StudyFigure *figure,
                             Document *document) {
    LaunchRange range = {.most = 0};
    char words[NUMBER_WORDS_SIZE];
    for (size_t i = 0; i < figure->line_count; i++) {
        const Curve curve = curve_of(result, figure, i);
        const LaunchRange launches = study_launches(curve.table, curve.column);
        launch_range_join(&range, &launches);
    }
    interval_words(&range, words, sizeof words);
    return document_text(document, "%s", words);
}

DocChart *study_figure_add(const StudyResult *result, const StudyFigure *figure,
                           Document *document) {
    const Curves curves = curves_of(result, figure, document);
    Builder builder = {.document = document,
                       .type = &chart_types[SUBJECT_STUDY],
                       .place = PLACE_PAGE,
                       .curves = &curves};
    DocChart *chart =
        chart_build(&builder, figure->name, figure->title, bar_words(result, figure, document));
    if (chart == NULL) {
        document_add(document, BLOCK_PARAGRAPH, "%s: nothing was measured here%s.", figure->title,
                     study_has_paper(result) ? ", and the paper prints no numbers for it" : "");
        return NULL;
    }
    document_add(document, BLOCK_PARAGRAPH, "%s", figure_note(result, figure, document));
    return chart;
}
