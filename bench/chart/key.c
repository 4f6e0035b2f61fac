/* The key of a picture: its entries in columns, below the axes or in a corner of the plot. */

#include "layout.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gnuplot.h"
#include "look.h"

/* === Entries ================================================================================== */

static double line_high(const FigureLayout *layout) {
    return 1.2 * layout->font;
}

/* The length of a sample, and from it to its name. */
static double sample_wide(const FigureLayout *layout) {
    return (layout->chart->kind == CHART_BARS ? 1.5 : 3.0) * layout->font;
}

/* Between an entry and the next column. */
static double column_gap(const FigureLayout *layout) {
    return 1.2 * layout->font;
}

/* The series with the same times without copies; NULL: it has none. */
static const ChartSeries *without_copies(const DocChart *chart, const ChartSeries *series) {
    for (const ChartSeries *other = chart->series;
         series->style == SERIES_SECONDARY && series->of != NULL && other < series; other++) {
        if (other->style == SERIES_MEASURED && other->colour == series->colour &&
            other->run == series->run && other->count > 0 && other->name != NULL &&
            other->of == series->of) {
            return other;
        }
    }
    return NULL;
}

static void entry_name(const FigureLayout *layout, const FigureKeyEntry *entry,
                       char name[CHART_TEXT_SIZE]) {
    const ChartSeries *series = &layout->chart->series[entry->series];
    if (entry->joint) {
        chart_text("with copies", name, CHART_TEXT_SIZE);
    } else {
        figure_series_name(layout, series, name);
    }
}

static double entry_wide(const FigureLayout *layout, const FigureKeyEntry *entry) {
    char name[CHART_TEXT_SIZE];
    entry_name(layout, entry, name);
    return figure_letters(layout, name);
}

double figure_widest_entry(const FigureLayout *layout) {
    double widest = 0;
    for (size_t i = 0; i < layout->chart->count; i++) {
        if (figure_in_key(layout->chart, i)) {
            widest = fmax(widest, entry_wide(layout, &(FigureKeyEntry){.series = i}));
        }
    }
    return widest;
}

/* Parts that no bar shows are not in the key. */
static bool is_seen(const FigureLayout *layout, const ChartSeries *series) {
    const FigureScale *scale = &layout->panels[0].y;
    bool seen = layout->chart->kind != CHART_BARS;
    for (size_t i = 0; i < series->count; i++) {
        const ChartPoint *point = &series->points[i];
        seen |= (point->high - point->low) / scale->most * layout->width > 0.5;
    }
    return seen;
}

/* Series with copies have one entry together, where there are two or more and it is not the ends of
 * lines that are named. */
static void find_entries(FigureLayout *layout) {
    enum { FEW = 2 };
    const DocChart *chart = layout->chart;
    size_t last = 0, copies = 0;
    for (size_t i = 0; layout->legend != FIGURE_LEGEND_DIRECT && i < chart->count; i++) {
        if (figure_in_key(chart, i) && without_copies(chart, &chart->series[i]) != NULL) {
            last = i;
            copies++;
        }
    }
    layout->entries = 0;
    for (size_t i = 0; i < chart->count && layout->entries < FIGURE_NAMES_MAX; i++) {
        const bool joint = copies >= FEW && without_copies(chart, &chart->series[i]) != NULL;
        if (!joint && figure_in_key(chart, i) && is_seen(layout, &chart->series[i])) {
            layout->key[layout->entries++] = (FigureKeyEntry){.series = i};
        }
    }
    if (copies >= FEW && layout->entries < FIGURE_NAMES_MAX) {
        layout->key[layout->entries++] = (FigureKeyEntry){.series = last, .joint = true};
    }
}

/* Places the entries in columns of `rows`; returns the width of all. */
static double fill_columns(FigureLayout *layout, size_t rows) {
    double x = 0, wide = 0;
    for (size_t i = 0; i < layout->entries; i++) {
        FigureKeyEntry *entry = &layout->key[i];
        if (i > 0 && i % rows == 0) {
            x += wide + column_gap(layout);
            wide = 0;
        }
        entry->x = x;
        entry->y = layout->key_high - ((double)(i % rows) + 0.5) * line_high(layout);
        wide = fmax(wide, sample_wide(layout) + entry_wide(layout, entry));
    }
    return x + wide;
}

void figure_key_measure(FigureLayout *layout, double wide) {
    find_entries(layout);
    layout->key_wide = layout->key_high = 0;
    for (size_t columns = layout->entries; columns > 0; columns--) {
        const size_t rows = (layout->entries + columns - 1) / columns;
        layout->key_high = (double)rows * line_high(layout);
        layout->key_wide = fill_columns(layout, rows);
        if (layout->key_wide <= wide) {
            return;
        }
    }
}

void figure_key_move(FigureLayout *layout, double x, double y) {
    for (size_t i = 0; i < layout->entries; i++) {
        layout->key[i].x += x;
        layout->key[i].y += y;
    }
}

/* Single points below ceilings, which have names of their own, are on no line. */
static bool has_line(const DocChart *chart, size_t series) {
    return !chart->ceilings_named || chart->series[series].count > 1;
}

void figure_key_write(const FigureLayout *layout, FigureSampleWriter *draw, FigureTextWriter *write,
                      const void *writer) {
    const double sample = sample_wide(layout);
    if (layout->legend != FIGURE_LEGEND_BELOW && layout->legend != FIGURE_LEGEND_INSIDE) {
        return;
    }
    for (size_t i = 0; i < layout->entries; i++) {
        const FigureKeyEntry *entry = &layout->key[i];
        SeriesLook look = figure_look(layout->chart, entry->series);
        char name[CHART_TEXT_SIZE];
        if (entry->joint) {
            look.colour = FIGURE_GUIDE;
            look.marker = MARKER_CIRCLE;
        }
        draw(writer, &(FigureSample){.look = look,
                                     .box = layout->chart->kind == CHART_BARS,
                                     .line = has_line(layout->chart, entry->series),
                                     .from = entry->x,
                                     .to = entry->x + sample - 0.6 * layout->font,
                                     .y = entry->y});
        entry_name(layout, entry, name);
        write(writer, &(FigureText){
                          .text = name, .x = entry->x + sample, .y = entry->y, .align = TEXT_LEFT});
    }
}

/* === In a corner ============================================================================== */

/* Around the key, in letters. */
static const double key_margin = 0.5;

/* Points of lines, and places between them, that lie in a corner, and the reference. */
static size_t covered(const FigureLayout *layout, bool right, bool below, double wide,
                      double high) {
    enum { BETWEEN = 8 };
    const FigureScale *x_scale = &layout->x, *y_scale = &layout->panels[0].y;
    size_t count = 0;
    if (isfinite(layout->panels[0].reference)) {
        const double y = figure_place(y_scale, layout->panels[0].reference);
        count += below ? y < high : y > 1 - high;
    }
    for (size_t i = 0; i < layout->chart->count; i++) {
        const ChartSeries *series = &layout->chart->series[i];
        for (size_t j = 0; j + 1 < series->count; j++) {
            const ChartPoint *a = &series->points[j], *b = &series->points[j + 1];
            const double ax = figure_place(x_scale, a->x), bx = figure_place(x_scale, b->x);
            const double ay = figure_place(y_scale, a->y), by = figure_place(y_scale, b->y);
            for (int k = 0; k <= BETWEEN; k++) {
                const double x = ax + (bx - ax) * k / BETWEEN, y = ay + (by - ay) * k / BETWEEN;
                count += (right ? x > 1 - wide : x < wide) && (below ? y < high : y > 1 - high);
            }
        }
    }
    return count;
}

bool figure_key_inside(FigureLayout *layout, double wide, double high) {
    figure_key_measure(layout, 0); /* one column */
    const double key_wide = (layout->key_wide + 2 * key_margin * layout->font) / wide;
    const double key_high = (layout->key_high + 2 * key_margin * layout->font) / high;
    size_t least = SIZE_MAX;
    for (int corner = 0; corner < 4; corner++) {
        const bool right = (corner & 1) != 0, below = (corner & 2) != 0;
        const size_t count = covered(layout, right, below, key_wide, key_high);
        if (count < least) {
            least = count;
            layout->key_right = right;
            layout->key_below = below;
        }
    }
    if (key_wide > 1 || (least > 0 && (key_high > 0.5 || isfinite(layout->style->y_range.most)))) {
        figure_key_measure(layout, layout->width);
        return false;
    }
    if (least > 0) {
        FigureScale *y = &layout->panels[0].y;
        const double longer = key_high / (1 - key_high);
        layout->key_below = false;
        y->most = y->log ? y->most * pow(y->most / y->least, longer)
                         : y->most + (y->most - y->least) * longer;
    }
    return true;
}

void figure_key_into_corner(FigureLayout *layout) {
    const FigurePanel *panel = &layout->panels[0];
    const double margin = key_margin * layout->font;
    figure_key_move(
        layout,
        panel->left + (layout->key_right ? panel->wide - layout->key_wide - margin : margin),
        panel->bottom + (layout->key_below ? margin : panel->high - layout->key_high - margin));
}
