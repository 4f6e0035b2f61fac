#include "svg_chart.h"

#include "html_parts.h"
#include "svg_ceilings.h"
#include "svg_series.h"
#include "svg_ticks.h"

static void write_text(FILE *stream, const char *attributes, double x, double y, const char *text) {
    fputs("<text x=\"", stream);
    svg_coordinate(stream, x);
    fputs("\" y=\"", stream);
    svg_coordinate(stream, y);
    fprintf(stream, "\" %s>", attributes);
    html_escape(stream, text);
    fputs("</text>\n", stream);
}

/* A line across the area of the points at a place of an axis. */
static void write_rule(FILE *stream, const SvgScale *scale, double value, bool across) {
    fputc('M', stream);
    if (across) {
        fprintf(stream, "%d ", SVG_PLOT_LEFT);
        svg_coordinate(stream, svg_scale_at(scale, value));
        fprintf(stream, "H%d", SVG_PLOT_RIGHT);
    } else {
        svg_coordinate(stream, svg_scale_at(scale, value));
        fprintf(stream, " %dV%d", SVG_PLOT_TOP, SVG_PLOT_BOTTOM);
    }
}

static void write_grid(FILE *stream, const SvgScale *scale, const SvgTick *ticks, size_t count,
                       bool minor) {
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (ticks[i].minor != minor) {
            continue;
        }
        if (!any) {
            fprintf(stream, "<path class=\"%s\" d=\"", minor ? "grid minor" : "grid");
            any = true;
        }
        write_rule(stream, scale, ticks[i].value, scale->end < scale->start);
    }
    fputs(any ? "\"/>\n" : "", stream);
}

static void write_axis(FILE *stream, const SvgScale *scale, const ChartAxis *axis) {
    SvgTick ticks[SVG_TICKS_MAX];
    const size_t count = svg_scale_ticks(scale, axis, ticks);
    const bool upright = scale->end < scale->start;
    write_grid(stream, scale, ticks, count, true);
    write_grid(stream, scale, ticks, count, false);
    for (size_t i = 0; i < count; i++) {
        const double at = svg_scale_at(scale, ticks[i].value);
        if (ticks[i].label[0] == '\0') {
            continue;
        }
        if (upright) {
            write_text(stream,
                       ticks[i].roomy ? "class=\"y roomy\" dy=\".34em\""
                                      : "class=\"y\" dy=\".34em\"",
                       SVG_PLOT_LEFT - 8, at, ticks[i].label);
        } else {
            write_text(stream,
                       ticks[i].roomy ? "class=\"x roomy\" dy=\"1.25em\""
                                      : "class=\"x\" dy=\"1.25em\"",
                       at, SVG_PLOT_BOTTOM, ticks[i].label);
        }
    }
}

/* The title of y lies above the area, where it needs no turned letters and no margin. */
static void write_titles(FILE *stream, const DocChart *chart) {
    if (chart->x.title != NULL) {
        write_text(stream, "class=\"title x\" dy=\"2.6em\"", (SVG_PLOT_LEFT + SVG_PLOT_RIGHT) / 2.0,
                   SVG_PLOT_BOTTOM, chart->x.title);
    }
    if (chart->y.title != NULL) {
        write_text(stream, "class=\"title\" dy=\"1em\"", 2, 2, chart->y.title);
    }
}

static void write_reference(FILE *stream, const DocChart *chart, const SvgScale *y) {
    if (svg_scale_shows(y, chart->reference)) {
        fputs("<path class=\"reference\" d=\"", stream);
        write_rule(stream, y, chart->reference, true);
        fputs("\"/>\n", stream);
    }
}

static void write_drawing(FILE *stream, const DocChart *chart, const SvgScale *x,
                          const SvgScale *y) {
    write_axis(stream, x, &chart->x);
    write_axis(stream, y, &chart->y);
    write_titles(stream, chart);
    fprintf(stream, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n", SVG_PLOT_LEFT, SVG_PLOT_TOP,
            SVG_PLOT_BOTTOM, SVG_PLOT_RIGHT);
    write_reference(stream, chart, y);
    svg_ceilings_write(stream, chart, x, y);
    svg_series_write(stream, chart, x, y);
}

/* A group and not an image: what is in an image cannot be reached. */
void svg_chart_write(FILE *stream, const DocChart *chart) {
    enum { EMPTY_HEIGHT = 80 };
    SvgScale x;
    SvgScale y;
    const bool any = svg_scale_x(chart, &x) && svg_scale_y(chart, &y);
    const int height = any ? SVG_HEIGHT : EMPTY_HEIGHT;
    fprintf(stream, "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"group\"", SVG_WIDTH, height);
    html_attribute(stream, "aria-label", chart->title);
    fputs("><title>", stream);
    html_escape(stream, chart->title);
    fputs("</title><desc>", stream);
    html_escape(stream, chart->description != NULL ? chart->description : chart->title);
    fputs("</desc>\n", stream);
    if (any) {
        write_drawing(stream, chart, &x, &y);
    } else {
        fprintf(stream, "<path class=\"frame\" d=\"M.5.5H639.5V%d.5H.5z\"/>\n", EMPTY_HEIGHT - 1);
        write_text(stream, "class=\"nothing\" dy=\".34em\"", SVG_WIDTH / 2.0, EMPTY_HEIGHT / 2.0,
                   "nothing to draw");
    }
    fputs("</svg>\n", stream);
}
