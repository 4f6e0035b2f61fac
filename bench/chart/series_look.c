/* How a series looks in a picture, for every writer: colour, mark and dashes. */

#include <stdbool.h>
#include <stddef.h>

#include "layout.h"
#include "look.h"

/* From light to dark, of series that have an order. */
static const char *step_colour(const DocChart *chart, int colour) {
    static const char *const steps[] = {"#FDC926", "#F79044", "#DE6164", "#B6308B",
                                        "#8405A7", "#4B03A1", "#0D0887"};
    enum { STEPS = 7 };
    int most = 0;
    for (size_t i = 0; i < chart->count; i++) {
        most = chart->series[i].colour > most ? chart->series[i].colour : most;
    }
    return steps[most == 0      ? STEPS / 2
                 : most < STEPS ? colour * (STEPS - 1) / most
                                : colour % STEPS];
}

/* The colour of a series: that of its variant, or of its step. */
const char *figure_colour(const DocChart *chart, const ChartSeries *series) {
    static const char *const greys[] = {"#E2E2E2", "#6B7480", "#9AA3AE", "#C6C6C6"};
    enum { GREYS = 4 };
    const bool of_machine = series->colour >= machine_look_number(0, false);
    if ((series->style == SERIES_CEILING && !of_machine) || series->style == SERIES_WORDS) {
        return FIGURE_GUIDE;
    }
    if (chart->kind == CHART_BARS && series->style == SERIES_SECONDARY) {
        return greys[series->colour % GREYS];
    }
    return chart->ordered ? step_colour(chart, series->colour)
                          : look_numbered(series->colour).colour;
}

/* Ceilings of one corner, a slope and a flat line, have the same dashes. */
static bool begins_where_another_ends(const DocChart *chart, size_t index) {
    const ChartSeries *series = &chart->series[index];
    const ChartSeries *before = index > 0 ? &chart->series[index - 1] : NULL;
    return chart->ceilings_named && before != NULL && before->count > 0 && series->count > 0 &&
           before->points[before->count - 1].x == series->points[0].x &&
           before->points[before->count - 1].y == series->points[0].y;
}

static size_t ceilings_before(const DocChart *chart, size_t index) {
    size_t count = 0;
    for (size_t i = 0; i <= index; i++) {
        count += chart->series[i].style == SERIES_CEILING && !begins_where_another_ends(chart, i);
    }
    return count > 0 ? count - 1 : 0;
}

/* How many series before it would look the same, as those of variants without a colour of their own
 * do. */
static int twins_before(const DocChart *chart, size_t index) {
    const ChartSeries *series = &chart->series[index];
    int twins = 0;
    for (size_t i = 0; i < index && !chart->ordered; i++) {
        const ChartSeries *other = &chart->series[i];
        twins += other->colour == series->colour && other->mark == series->mark &&
                 other->style == series->style && other->panel == series->panel;
    }
    return twins;
}

SeriesLook figure_look(const DocChart *chart, size_t index) {
    static const char *const ceiling_dashes[] = {"",      "10, 5", "2, 4", "10, 4, 2, 4",
                                                 "20, 5", "4, 4"};
    enum { CEILINGS = 6 };
    const ChartSeries *series = &chart->series[index];
    const Look variant = look_numbered(series->mark > 0 ? series->mark - 1 : series->colour);
    SeriesLook look = {.colour = figure_colour(chart, series), .width = 1.5};
    look.hollow = (!chart->ordered && variant.hollow) || series->style == SERIES_SECONDARY;
    look.marker =
        (chart->ordered ? series->colour : (int)variant.marker + twins_before(chart, index)) %
        MARKER_COUNT;
    look.dash = chart->ordered ? "" : variant.dash;
    if (series->style == SERIES_SECONDARY) {
        look.dash = "7, 4";
    } else if (series->style == SERIES_PUBLISHED) {
        look.marker = SERIES_CROSS;
        look.hollow = false;
        look.dash = "1.5, 3";
    } else if (series->style == SERIES_EXTRAPOLATED) {
        look.marker = SERIES_NO_MARK;
        look.dash = "1, 4";
    } else if (series->style == SERIES_CEILING) {
        look.marker = SERIES_NO_MARK;
        look.dash = chart->ceilings_named ? ceiling_dashes[ceilings_before(chart, index) % CEILINGS]
                                          : variant.dash;
        look.width = 0.8;
    }
    if (series->same_as > 0) { /* on top of the other one, which shows between */
        look.dash = "6, 6";
    }
    return look;
}

bool figure_has_many(const ChartSeries *series) {
    return series->count > 24;
}

bool figure_next(const FigureLayout *layout, size_t panel, FigureShown *shown) {
    const DocChart *chart = layout->chart;
    while (shown->next < chart->count) {
        const ChartSeries *series = &chart->series[shown->next];
        shown->index = shown->next++;
        shown->first = shown->points;
        shown->points += series->count;
        if (series->count > 0 && (layout->panel_count == 1 || series->panel == panel)) {
            shown->series = series;
            shown->look = figure_look(chart, shown->index);
            return true;
        }
    }
    return false;
}
