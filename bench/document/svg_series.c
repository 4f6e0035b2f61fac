#include "svg_series.h"

#include <math.h>
#include <stdlib.h>

#include "html_parts.h"
#include "svg_marks.h"
#include "svg_words.h"

/* A line of more points has small ones. */
enum { DENSE_POINTS = 40 };

void svg_coordinate(FILE *stream, double value) {
    const long tenths = lround(value * 10);
    const long size = labs(tenths);
    fprintf(stream, "%s%ld", tenths < 0 ? "-" : "", size / 10);
    if (size % 10 != 0) {
        fprintf(stream, ".%ld", size % 10);
    }
}

static void write_place(FILE *stream, double x, double y) {
    svg_coordinate(stream, x);
    fputc(' ', stream);
    svg_coordinate(stream, y);
}

/* Where an end of an interval is drawn; one that a logarithmic axis cannot show, at the frame. */
static double end_at(const SvgScale *y, double value) {
    return svg_scale_shows(y, value) ? svg_scale_at(y, value) : y->start;
}

/* The interval around a point, relative to it; one that the point itself covers is left out. */
static void write_whisker(FILE *stream, const SvgScale *y, const ChartPoint *point) {
    if (!isfinite(point->low) || !isfinite(point->high)) {
        return;
    }
    const double here = svg_scale_at(y, point->y);
    const double below = end_at(y, point->low) - here;
    const double above = end_at(y, point->high) - here;
    if (below - above < 3) {
        return;
    }
    fputs("<path class=\"w\" d=\"M-3 ", stream);
    svg_coordinate(stream, above);
    fputs("h6M0 ", stream);
    svg_coordinate(stream, above);
    fputc('V', stream);
    svg_coordinate(stream, below);
    fputs("M-3 ", stream);
    svg_coordinate(stream, below);
    fputs("h6\"/>", stream);
}

static void write_point(FILE *stream, const DocChart *chart, const ChartSeries *series,
                        const ChartPoint *point, const SvgScale *x, const SvgScale *y) {
    SvgPointWords words;
    svg_point_words(chart, point, &words);
    fputs("<g class=\"p\" transform=\"translate(", stream);
    write_place(stream, svg_scale_at(x, point->x), svg_scale_at(y, point->y));
    fputs(")\" tabindex=\"0\" role=\"img\" aria-label=\"", stream);
    svg_point_sentence(stream, series, &words);
    fputc('"', stream);
    html_attribute(stream, "data-x", words.x);
    html_attribute(stream, "data-y", words.value);
    if (words.interval[0] != '\0') {
        html_attribute(stream, "data-interval", words.interval);
    }
    fputs("><title>", stream);
    svg_point_sentence(stream, series, &words);
    fputs("</title>", stream);
    write_whisker(stream, y, point);
    fprintf(stream, "<path class=\"m\" d=\"%s\"/></g>\n", svg_shape(series));
}

void svg_line(FILE *stream, const ChartSeries *series, const SvgScale *x, const SvgScale *y) {
    bool any = false;
    bool drawn = false;
    for (size_t i = 0; i < series->count; i++) {
        const ChartPoint *point = &series->points[i];
        const bool shown = svg_scale_shows_point(x, y, point);
        if (shown) {
            fputs(any ? "" : "<path class=\"l\" d=\"", stream);
            fputc(drawn ? 'L' : 'M', stream);
            write_place(stream, svg_scale_at(x, point->x), svg_scale_at(y, point->y));
        }
        drawn = shown;
        any = any || shown;
    }
    fputs(any ? "\"/>\n" : "", stream);
}

static void write_series(FILE *stream, const DocChart *chart, size_t index, const SvgScale *x,
                         const SvgScale *y) {
    const ChartSeries *series = &chart->series[index];
    fputs("<g class=\"s ", stream);
    svg_classes(stream, series);
    fprintf(stream, "%s\" data-series=\"%zu\"", series->count > DENSE_POINTS ? " dense" : "",
            index);
    html_attribute(stream, "data-name", series->name);
    fputs(">\n", stream);
    svg_line(stream, series, x, y);
    for (size_t i = 0; i < series->count; i++) {
        if (svg_scale_shows_point(x, y, &series->points[i])) {
            write_point(stream, chart, series, &series->points[i], x, y);
        }
    }
    fputs("</g>\n", stream);
}

void svg_series_write(FILE *stream, const DocChart *chart, const SvgScale *x, const SvgScale *y) {
    for (size_t i = 0; i < chart->count; i++) {
        if (chart->series[i].style != SERIES_CEILING) {
            write_series(stream, chart, i, x, y);
        }
    }
}
