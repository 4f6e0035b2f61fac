/* A chart as SVG within a page. */

#include "svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "look.h"
#include "markup_text.h"
#include "number.h"
#include "status.h"
#include "utf8.h"

/* === Svg scale ================================================================================ */

/* The drawing and the area of the points in it, in units of the viewBox. */
enum {
    SVG_WIDTH = 640,
    SVG_HEIGHT = 400,
    SVG_PLOT_LEFT = 72,
    SVG_PLOT_RIGHT = 624,
    SVG_PLOT_TOP = 36,
    SVG_PLOT_BOTTOM = 336
};

/* An axis of the layout, and where its ends lie in the drawing. */
typedef struct SvgScale {
    const FigureScale *scale;
    double start, end;
} SvgScale;

static bool svg_scale_shows(const SvgScale *scale, double value) {
    return figure_shows(scale->scale->log, value);
}

/* Whether both coordinates of a point can. */
static bool svg_scale_shows_point(const SvgScale *x, const SvgScale *y, const ChartPoint *point) {
    return svg_scale_shows(x, point->x) && svg_scale_shows(y, point->y);
}

static double svg_scale_at(const SvgScale *scale, double value) {
    return scale->start + figure_place(scale->scale, value) * (scale->end - scale->start);
}

/* === Svg words ================================================================================ */

/* The power of ten of a number's first digit. */
static int first_power(double number) {
    return (int)floor(log10(fabs(number)) + 1e-9);
}

static void append(char text[SVG_VALUE_SIZE], const char *more) {
    const size_t used = strlen(text);
    snprintf(text + used, SVG_VALUE_SIZE - used, "%s", more);
}

/* "12800" as "12 800", with the narrow space that does not break. */
static void group_thousands(const char *plain, char text[SVG_VALUE_SIZE]) {
    const char *sign = plain[0] == '-' ? "-" : "";
    const char *first = plain + strlen(sign);
    const size_t whole = strcspn(first, ".");
    text[0] = '\0';
    append(text, sign[0] != '\0' ? "−" : "");
    for (size_t i = 0; first[i] != '\0'; i++) {
        if (whole > 4 && i > 0 && i < whole && (whole - i) % 3 == 0) {
            append(text, "\u202F");
        }
        append(text, (char[]){first[i], '\0'});
    }
}

/* A number with `digits` significant digits: groups of three from 10 000 on, a power of ten from a
 * million on and below 0.001. */
static void number_words(double number, int digits, char text[SVG_VALUE_SIZE]) {
    char plain[SIGNIFICANT_SIZE], raised[FIGURE_MARK_SIZE];
    const int power = number != 0 ? first_power(number) : 0;
    if (power >= -3 && power < 6) {
        significant_text(number, digits, plain);
        group_thousands(plain, text);
        return;
    }
    const double times = number / pow(10, power);
    text[0] = '\0';
    if (fabs(times - 1) > 1e-9) {
        significant_text(times, digits, plain);
        group_thousands(plain, text);
        append(text, "×");
    }
    figure_power_text(power, raised);
    append(text, raised);
}

enum { SVG_UNIT_SIZE = 16, SVG_WORDS_SIZE = SVG_VALUE_SIZE + SVG_UNIT_SIZE };

typedef struct SvgPointWords {
    char x_number[SVG_WORDS_SIZE];
    const char *x;              /* what x is called: the point's or the axis's words, or x_number */
    char value[SVG_WORDS_SIZE]; /* "0.0071 ms": the unit is what the axis's title ends in, "(ms)" */
    char interval[2 * SVG_VALUE_SIZE + 8]; /* "0.0070 to 0.0073"; empty: none */
} SvgPointWords;

void svg_value_text(double number, int digits, char text[SVG_VALUE_SIZE]) {
    const double size = fabs(number);
    if (size >= 1e-5 && size < 1000) {
        significant_text(number, digits, text);
        return;
    }
    const int whole = size >= 1000 && size < 1e6 ? 1 + (int)floor(log10(size)) : 0;
    number_words(number, whole > digits ? whole : digits, text);
}

/* What stands in brackets at the end of an axis's title, "kernel time (ms)", if it is short. */
static void unit_of(const ChartAxis *axis, char unit[SVG_UNIT_SIZE]) {
    const char *open = axis->title != NULL ? strrchr(axis->title, '(') : NULL;
    const size_t length = open != NULL ? strcspn(open + 1, ",;)") : 0;
    unit[0] = '\0';
    if (length > 0 && length + 2 < SVG_UNIT_SIZE) {
        snprintf(unit, SVG_UNIT_SIZE, " %.*s", (int)length, open + 1);
    }
}

/* What x is called: by the point, by the axis, or by its number. */
static const char *x_words(const ChartAxis *axis, const ChartPoint *point,
                           char text[SVG_WORDS_SIZE]) {
    if (point->label != NULL) {
        return point->label;
    }
    for (size_t i = 0; i < axis->count; i++) {
        if (axis->ticks[i].value == point->x && axis->ticks[i].label != NULL) {
            return axis->ticks[i].label;
        }
    }
    char unit[SVG_UNIT_SIZE];
    unit_of(axis, unit);
    svg_value_text(point->x, 3, text);
    snprintf(text + strlen(text), SVG_UNIT_SIZE, "%s", unit);
    return text;
}

/* Three digits, and more where the ends of a narrow interval would look the same. */
static int digits_for(const ChartPoint *point, char low[SVG_VALUE_SIZE],
                      char high[SVG_VALUE_SIZE]) {
    enum { FEW = 3, MANY = 6 };
    for (int digits = FEW;; digits++) {
        svg_value_text(point->low, digits, low);
        svg_value_text(point->high, digits, high);
        if (digits == MANY || strcmp(low, high) != 0) {
            return strcmp(low, high) != 0 ? digits : FEW;
        }
    }
}

/* Good as long as the chart and the words are. */
static void svg_point_words(const DocChart *chart, const ChartPoint *point, SvgPointWords *words) {
    int digits = 3;
    char unit[SVG_UNIT_SIZE];
    unit_of(&chart->y, unit);
    words->x = x_words(&chart->x, point, words->x_number);
    words->interval[0] = '\0';
    if (isfinite(point->low) && isfinite(point->high)) {
        char low[SVG_VALUE_SIZE];
        char high[SVG_VALUE_SIZE];
        digits = digits_for(point, low, high);
        snprintf(words->interval, sizeof words->interval, "%s to %s", low, high);
    }
    svg_value_text(point->y, digits, words->value);
    snprintf(words->value + strlen(words->value), SVG_UNIT_SIZE, "%s", unit);
}

/* "cuda_fast, 4K: 0.0071 ms (0.0070 to 0.0073)", escaped. */
static void svg_point_sentence(FILE *stream, const ChartSeries *series,
                               const SvgPointWords *words) {
    html_escape(stream, series->name);
    fputs(", ", stream);
    html_escape(stream, words->x);
    fputs(": ", stream);
    html_escape(stream, words->value);
    if (words->interval[0] != '\0') {
        fputs(" (", stream);
        html_escape(stream, words->interval);
        fputc(')', stream);
    }
}

/* === Svg marks ================================================================================ */

/* Classes of a series: its colour and its style, "c3 measured". */
static void svg_classes(FILE *stream, const ChartSeries *series) {
    static const char *const names[] = {
        [SERIES_MEASURED] = "measured",   [SERIES_SECONDARY] = "secondary",
        [SERIES_PUBLISHED] = "published", [SERIES_CEILING] = "ceiling",
        [SERIES_WORDS] = "words",         [SERIES_EXTRAPOLATED] = "extrapolated"};
    fprintf(stream, "c%u %s%s", (unsigned)series->colour % (unsigned)look_count(),
            names[series->style], series->same_as > 0 ? " same" : "");
}

/* Path data of a point around the origin; published ones have crosses. */
static const char *svg_shape(const ChartSeries *series) {
    static const char *const closed[MARKER_COUNT] = {
        [MARKER_CIRCLE] = "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
        [MARKER_SQUARE] = "M-3.6-3.6h7.2v7.2h-7.2z",
        [MARKER_TRIANGLE] = "M0-4.8 4.6 3.4h-9.2z",
        [MARKER_DIAMOND] = "M0-5.2 5.2 0 0 5.2-5.2 0z",
        [MARKER_TRIANGLE_DOWN] = "M0 4.8 4.6-3.4h-9.2z",
        [MARKER_PENTAGON] = "M0-4.8 4.6-1.5 2.8 3.9h-5.6L-4.6-1.5z"};
    static const char *const crosses[] = {"M-4-4 4 4M4-4-4 4", "M-5 0H5M0-5V5",
                                          "M-4-4 4 4M4-4-4 4M0-5V5"};
    return series->style == SERIES_PUBLISHED
               ? crosses[(unsigned)series->colour % (sizeof crosses / sizeof crosses[0])]
               : closed[look_numbered(series->colour).marker];
}

void svg_looks_write(FILE *stream) {
    for (int dark = 0; dark < 2; dark++) {
        fputs(dark ? "@media screen and (prefers-color-scheme: dark) {\n" : "", stream);
        for (size_t i = 0; i < look_count(); i++) {
            const Look look = look_numbered((int)i);
            fprintf(stream, ".c%zu { --c: %s; }\n", i, dark ? look.dark_colour : look.colour);
            if (!dark && look.hollow) {
                fprintf(stream,
                        ".c%zu.measured .m { fill: var(--paper); stroke: var(--c); "
                        "stroke-width: 1.6; }\n",
                        i);
            }
            if (!dark && look.dash[0] != '\0') {
                fprintf(stream, ".c%zu.measured .l { stroke-dasharray: %s; }\n", i, look.dash);
            }
        }
        fputs(dark ? "}\n" : "", stream);
    }
}

void svg_swatch(FILE *stream, const ChartSeries *series) {
    fputs("<svg class=\"swatch ", stream);
    svg_classes(stream, series);
    fputs("\" viewBox=\"0 0 32 14\" aria-hidden=\"true\"><path class=\"l\" d=\"M1 7H31\"/>"
          "<g class=\"p\" transform=\"translate(16 7)\"><path class=\"m\" d=\"",
          stream);
    fprintf(stream, "%s\"/></g></svg>", svg_shape(series));
}

/* === Svg series =============================================================================== */

/* The series of a chart as SVG elements. */

/* A line of more points has small ones. */
enum { DENSE_POINTS = 40 };

/* A coordinate with at most one decimal. */
static void svg_coordinate(FILE *stream, double value) {
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

/* Where an end of an interval is drawn; one beyond the axis, at the frame. */
static double end_at(const SvgScale *y, double value) {
    const int beyond = figure_end_beyond(y->scale, value);
    return beyond > 0 ? y->end : beyond < 0 ? y->start : svg_scale_at(y, value);
}

/* The end of a whisker: a cap, or an arrow where the interval goes on. */
static void write_whisker_end(FILE *stream, const SvgScale *y, double value, double at) {
    const int beyond = figure_end_beyond(y->scale, value);
    fputs("M-3 ", stream);
    svg_coordinate(stream, at + (beyond > 0 ? 6 : beyond < 0 ? -6 : 0));
    if (beyond == 0) {
        fputs("h6", stream);
    } else {
        fputs(beyond > 0 ? "l3-6l3 6" : "l3 6l3-6", stream);
    }
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
    fputs("<path class=\"w\" d=\"", stream);
    write_whisker_end(stream, y, point->high, above);
    fputs("M0 ", stream);
    svg_coordinate(stream, above);
    fputc('V', stream);
    svg_coordinate(stream, below);
    write_whisker_end(stream, y, point->low, below);
    fputs("\"/>", stream);
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

/* The line from point to point, with a gap where one is missing; nothing without a point. */
static void svg_line(FILE *stream, const ChartSeries *series, const SvgScale *x,
                     const SvgScale *y) {
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

/* All but ceilings and words: a group each, with its line and its points. */
static void svg_series_write(FILE *stream, const FigureLayout *layout, const SvgScale *x,
                             const SvgScale *y) {
    const DocChart *chart = layout->chart;
    for (size_t i = 0; i < chart->count; i++) {
        const bool here = chart->panel_count == 0 || chart->series[i].panel == layout->page_panel;
        if (here && chart->series[i].style != SERIES_CEILING &&
            chart->series[i].style != SERIES_WORDS) {
            write_series(stream, chart, i, x, y);
        }
    }
}

/* === Svg ceilings ============================================================================= */

/* Letters are as high as the page has them; lines count from below. */
static void write_name(FILE *stream, const FigureLayout *layout, const FigureName *name) {
    char text[CHART_TEXT_SIZE];
    const double y = layout->height - name->y;
    figure_name_text(layout, name, text);
    fputs("<text x=\"", stream);
    svg_coordinate(stream, name->x);
    fputs("\" y=\"", stream);
    svg_coordinate(stream, y);
    fprintf(stream, "\" dy=\".34em\" text-anchor=\"%s\"", name->right ? "end" : "start");
    if (name->angle != 0) {
        fputs(" transform=\"rotate(", stream);
        svg_coordinate(stream, -name->angle * 180 / acos(-1));
        fputc(' ', stream);
        write_place(stream, name->x, y);
        fputs(")\"", stream);
    }
    fputc('>', stream);
    html_escape(stream, text);
    fputs("</text>", stream);
}

/* Around the points that words are about. */
static void write_rings(FILE *stream, const ChartSeries *series, const SvgScale *x,
                        const SvgScale *y) {
    for (size_t i = 0; i < series->count; i++) {
        if (svg_scale_shows_point(x, y, &series->points[i])) {
            fputs("<circle class=\"ring\" r=\"8\" cx=\"", stream);
            svg_coordinate(stream, svg_scale_at(x, series->points[i].x));
            fputs("\" cy=\"", stream);
            svg_coordinate(stream, svg_scale_at(y, series->points[i].y));
            fputs("\"/>", stream);
        }
    }
}

/* Thin lines with names along them instead of points; and words with rings around what they are
 * about. */
static void svg_names_write(FILE *stream, const FigureLayout *layout, const SvgScale *x,
                            const SvgScale *y) {
    const FigurePanel *panel = &layout->panels[0];
    for (size_t i = 0; i < panel->name_count; i++) {
        const ChartSeries *series = panel->names[i].series;
        fputs("<g class=\"s ", stream);
        svg_classes(stream, series);
        fputs("\">", stream);
        if (series->style == SERIES_WORDS) {
            write_rings(stream, series, x, y);
        } else {
            svg_line(stream, series, x, y);
        }
        write_name(stream, layout, &panel->names[i]);
        fputs("</g>\n", stream);
    }
}

/* === Svg chart ================================================================================ */

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

static void write_grid(FILE *stream, const SvgScale *scale, bool minor) {
    bool any = false;
    for (size_t i = 0; i < scale->scale->count; i++) {
        const FigureMark *mark = &scale->scale->marks[i];
        if (mark->minor != minor) {
            continue;
        }
        if (!any) {
            fprintf(stream, "<path class=\"%s\" d=\"", minor ? "grid minor" : "grid");
            any = true;
        }
        write_rule(stream, scale, mark->value, scale->end < scale->start);
    }
    fputs(any ? "\"/>\n" : "", stream);
}

static void write_axis(FILE *stream, const SvgScale *scale) {
    const bool upright = scale->end < scale->start;
    write_grid(stream, scale, true);
    write_grid(stream, scale, false);
    for (size_t i = 0; i < scale->scale->count; i++) {
        const FigureMark *mark = &scale->scale->marks[i];
        const double at = svg_scale_at(scale, mark->value);
        char attributes[48], power[FIGURE_MARK_SIZE];
        if (mark->name[0] == '\0') {
            continue;
        }
        figure_power_text(mark->power, power);
        snprintf(attributes, sizeof attributes, "class=\"%s%s\" dy=\"%s\"", upright ? "y" : "x",
                 mark->roomy ? " roomy" : "", upright ? ".34em" : "1.25em");
        write_text(stream, attributes, upright ? SVG_PLOT_LEFT - 8 : at,
                   upright ? at : SVG_PLOT_BOTTOM, mark->is_power ? power : mark->name);
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

typedef struct Side {
    const char *name, *words;
    double top, bottom;
} Side;

/* What lies above and below the reference. False when the side is undecided. */
static bool find_sides(const DocChart *chart, const SvgScale *y, Side sides[2]) {
    if (chart->above == NULL || chart->below == NULL || !svg_scale_shows(y, chart->reference)) {
        return false;
    }
    const double at = svg_scale_at(y, chart->reference);
    const double middle = fmin(fmax(at, SVG_PLOT_TOP), SVG_PLOT_BOTTOM);
    sides[0] = (Side){"win", chart->above, SVG_PLOT_TOP, middle};
    sides[1] = (Side){"lose", chart->below, middle, SVG_PLOT_BOTTOM};
    return true;
}

static void write_sides(FILE *stream, const Side sides[2]) {
    for (int i = 0; i < 2; i++) {
        fprintf(stream, "<path class=\"side %s\" d=\"M%d ", sides[i].name, SVG_PLOT_LEFT);
        svg_coordinate(stream, sides[i].top);
        fprintf(stream, "H%dV", SVG_PLOT_RIGHT);
        svg_coordinate(stream, sides[i].bottom);
        fprintf(stream, "H%dz\"/>\n", SVG_PLOT_LEFT);
    }
}

/* Over the grid, where a side is high enough for its words. */
static void write_side_words(FILE *stream, const Side sides[2]) {
    enum { LINE_HIGH = 20 };
    for (int i = 0; i < 2; i++) {
        if (sides[i].bottom - sides[i].top >= LINE_HIGH) {
            write_text(stream, "class=\"side-words\"", SVG_PLOT_LEFT + 5,
                       i == 0 ? sides[i].top + 14 : sides[i].bottom - 6, sides[i].words);
        }
    }
}

static void write_drawing(FILE *stream, const FigureLayout *layout) {
    const DocChart *chart = layout->chart;
    const SvgScale plot_x = {&layout->x, SVG_PLOT_LEFT, SVG_PLOT_RIGHT};
    const SvgScale plot_y = {&layout->panels[0].y, SVG_PLOT_BOTTOM, SVG_PLOT_TOP};
    const SvgScale *x = &plot_x, *y = &plot_y;
    Side sides[2];
    const bool sided = find_sides(chart, y, sides);
    if (sided) {
        write_sides(stream, sides);
    }
    write_axis(stream, x);
    write_axis(stream, y);
    if (sided) {
        write_side_words(stream, sides);
    }
    write_titles(stream, chart);
    fprintf(stream, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n", SVG_PLOT_LEFT, SVG_PLOT_TOP,
            SVG_PLOT_BOTTOM, SVG_PLOT_RIGHT);
    write_reference(stream, chart, y);
    svg_names_write(stream, layout, x, y);
    svg_series_write(stream, layout, x, y);
}

static void write_empty(FILE *stream, int height) {
    fprintf(stream, "<path class=\"frame\" d=\"M.5.5H639.5V%d.5H.5z\"/>\n", height - 1);
    write_text(stream, "class=\"nothing\" dy=\".34em\"", SVG_WIDTH / 2.0, height / 2.0,
               "nothing to draw");
}

/* A group and not an image: what is in an image cannot be reached. */
Status svg_chart_write(FILE *stream, const DocChart *chart) {
    return svg_panel_write(stream, chart, 0);
}

Status svg_panel_write(FILE *stream, const DocChart *chart, size_t panel) {
    enum { EMPTY_HEIGHT = 80 };
    FigureLayout *layout = calloc(1, sizeof *layout); /* large, as much is called meanwhile */
    const Status laid_out = layout != NULL ? figure_lay_out_page(chart, panel, layout)
                                           : status_no_memory("for a chart");
    const bool any = status_is_ok(&laid_out);
    if (!any && laid_out.code != STATUS_USAGE) {
        free(layout);
        return laid_out;
    }
    const int height = any ? SVG_HEIGHT : EMPTY_HEIGHT;
    fprintf(stream, "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"group\"", SVG_WIDTH, height);
    const char *part = panel < chart->panel_count ? chart->panels[panel].title : NULL;
    char title[CHART_TEXT_SIZE];
    snprintf(title, sizeof title, "%s%s%s", chart->title != NULL ? chart->title : "",
             part != NULL ? ": " : "", part != NULL ? part : "");
    html_attribute(stream, "aria-label", title);
    fputs("><title>", stream);
    html_escape(stream, title);
    fputs("</title><desc>", stream);
    html_escape(stream, chart->description != NULL ? chart->description : chart->title);
    fputs("</desc>\n", stream);
    if (any) {
        write_drawing(stream, layout);
    } else {
        write_empty(stream, EMPTY_HEIGHT);
    }
    fputs("</svg>\n", stream);
    figure_layout_release(layout);
    free(layout);
    return status_ok();
}
