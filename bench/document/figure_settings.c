#include "figure_settings.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "chart_table.h"
#include "number_text.h"

enum { FIGURE_TEXT_SIZE = 1024 };

typedef struct Range {
    double least, most;
} Range;

typedef struct Ranges {
    Range x, y;
} Ranges;

static bool can_be_drawn(const ChartAxis *axis, double value) {
    return isfinite(value) && (!axis->log || value > 0);
}

static void widen(Range *range, const ChartAxis *axis, double value) {
    if (can_be_drawn(axis, value)) {
        range->least = value < range->least ? value : range->least;
        range->most = value > range->most ? value : range->most;
    }
}

static Ranges ranges_of(const DocChart *chart) {
    Ranges ranges = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    for (size_t i = 0; i < chart->count; i++) {
        for (size_t j = 0; j < chart->series[i].count; j++) {
            const ChartPoint *point = &chart->series[i].points[j];
            if (can_be_drawn(&chart->x, point->x) && can_be_drawn(&chart->y, point->y)) {
                widen(&ranges.x, &chart->x, point->x);
                widen(&ranges.y, &chart->y, point->y);
                widen(&ranges.y, &chart->y, point->low);
                widen(&ranges.y, &chart->y, point->high);
            }
        }
    }
    if (isfinite(ranges.y.least)) {
        widen(&ranges.y, &chart->y, chart->reference);
    }
    return ranges;
}

/* In single quotes gnuplot runs no commands and knows no escapes, and it stumbles over doubled
 * quotes at the beginning: each quote is a text of its own. What is longer is cut in the figure
 * too. */
static void write_text(FILE *stream, const char *text) {
    char shown[FIGURE_TEXT_SIZE];
    chart_text(text != NULL ? text : "", shown, sizeof shown);
    fputc('\'', stream);
    for (const char *c = shown; *c != '\0'; c++) {
        if (*c == '\'') {
            fputs("'.\"'\".'", stream);
        } else {
            fputc(*c, stream);
        }
    }
    fputs("'\n", stream);
}

static void write_number(FILE *stream, const char *name, double value) {
    char number[32];
    number_text_exact(value, number, sizeof number);
    /* Without a point gnuplot takes a number for an integer, and halves of it with it. */
    fprintf(stream, "%s = %s%s\n", name, number[0] != '\0' ? number : "NaN",
            number[0] != '\0' ? " * 1.0" : "");
}

/* gnuplot has no arrays of length 0. */
static void write_array(FILE *stream, const char *name, size_t count) {
    fprintf(stream, "array %s[%zu]\n", name, count > 0 ? count : 1);
}

static void write_axis(FILE *stream, char name, const ChartAxis *axis, const Range *range) {
    char variable[48];
    fprintf(stream, "%c_title = ", name);
    write_text(stream, axis->title);
    fprintf(stream, "%c_log = %d\n%c_tick_count = %zu\n", name, axis->log, name, axis->count);
    snprintf(variable, sizeof variable, "%c_least", name);
    write_number(stream, variable, range->least);
    snprintf(variable, sizeof variable, "%c_most", name);
    write_number(stream, variable, range->most);
    snprintf(variable, sizeof variable, "%c_tick", name);
    write_array(stream, variable, axis->count);
    snprintf(variable, sizeof variable, "%c_tick_name", name);
    write_array(stream, variable, axis->count);
    for (size_t i = 0; i < axis->count; i++) {
        snprintf(variable, sizeof variable, "%c_tick[%zu]", name, i + 1);
        write_number(stream, variable, axis->ticks[i].value);
        fprintf(stream, "%c_tick_name[%zu] = ", name, i + 1);
        write_text(stream, axis->ticks[i].label);
    }
}

/* Rows are those of the CSV file; that of its header is 0. */
static void write_series(FILE *stream, const DocChart *chart) {
    size_t row = 1;
    static const char *const arrays[] = {"series_name", "series_style", "series_colour",
                                         "series_first", "series_last"};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        write_array(stream, arrays[i], chart->count);
    }
    size_t shown = 0;
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        if (series->count > 0) {
            shown++;
            fprintf(stream, "series_style[%zu] = %d\nseries_colour[%zu] = %d\n", shown,
                    (int)series->style, shown, series->colour);
            fprintf(stream, "series_first[%zu] = %zu\nseries_last[%zu] = %zu\n", shown, row, shown,
                    row + series->count - 1);
            fprintf(stream, "series_name[%zu] = ", shown);
            write_text(stream, series->name);
            row += series->count;
        }
    }
    fprintf(stream, "series_count = %zu\n", shown);
}

Status figure_settings_write(const DocChart *chart, const char *path, bool *drawable) {
    const Ranges ranges = ranges_of(chart);
    *drawable = ranges.x.least <= ranges.x.most && ranges.y.least <= ranges.y.most;
    FILE *stream = fopen(path, "w");
    if (stream == NULL) {
        return status_make(STATUS_FILE, "cannot write %s: %s", path, strerror(errno));
    }
    fputs("figure_title = ", stream);
    write_text(stream, chart->title);
    write_number(stream, "reference", chart->reference);
    write_axis(stream, 'x', &chart->x, &ranges.x);
    write_axis(stream, 'y', &chart->y, &ranges.y);
    write_series(stream, chart);
    const bool failed = ferror(stream) != 0;
    if (fclose(stream) != 0 || failed) {
        return status_make(STATUS_FILE, "cannot write %s: %s", path, strerror(errno));
    }
    return status_ok();
}
