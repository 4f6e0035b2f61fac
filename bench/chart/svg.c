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

/* The drawing, and where the ends of its axes are in it: as all of SVG, counted from above. */
typedef struct Svg {
    FILE *stream;
    const FigureLayout *layout;
    const FigureScale *x, *y;
    double left, right, top, bottom;
} Svg;

static Svg svg_of(FILE *stream, const FigureLayout *layout) {
    const FigurePanel *panel = &layout->panels[0];
    return (Svg){.stream = stream,
                 .layout = layout,
                 .x = &layout->x,
                 .y = &panel->y,
                 .left = panel->left,
                 .right = panel->left + panel->wide,
                 .top = layout->height - panel->bottom - panel->high,
                 .bottom = layout->height - panel->bottom};
}

static double x_at(const Svg *svg, double value) {
    return svg->left + figure_place(svg->x, value) * (svg->right - svg->left);
}

static double y_at(const Svg *svg, double value) {
    return svg->bottom + figure_place(svg->y, value) * (svg->top - svg->bottom);
}

static bool shows_point(const Svg *svg, const ChartPoint *point) {
    return figure_shows(svg->x->log, point->x) && figure_shows(svg->y->log, point->y);
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
    char x_number[SVG_VALUE_SIZE];
    const char *x;              /* what x is called: the point's or the axis's words, or x_number */
    char value[SVG_WORDS_SIZE]; /* "0.0071 ms" */
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

/* What x is called: by the point, by the axis, or by its number. */
static const char *x_words(const ChartAxis *axis, const ChartPoint *point,
                           char text[SVG_VALUE_SIZE]) {
    if (point->label != NULL) {
        return point->label;
    }
    for (size_t i = 0; i < axis->count; i++) {
        if (axis->ticks[i].value == point->x && axis->ticks[i].label != NULL) {
            return axis->ticks[i].label;
        }
    }
    svg_value_text(point->x, 3, text);
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
    const char *unit = chart->y.unit;
    words->x = x_words(&chart->x, point, words->x_number);
    words->interval[0] = '\0';
    if (isfinite(point->low) && isfinite(point->high)) {
        char low[SVG_VALUE_SIZE], high[SVG_VALUE_SIZE];
        digits = digits_for(point, low, high);
        snprintf(words->interval, sizeof words->interval, "%s to %s", low, high);
    }
    svg_value_text(point->y, digits, words->value);
    snprintf(words->value + strlen(words->value), SVG_UNIT_SIZE, "%s%s", unit != NULL ? " " : "",
             unit != NULL ? unit : "");
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
static double end_at(const Svg *svg, double value) {
    const int beyond = figure_end_beyond(svg->y, value);
    return beyond > 0 ? svg->top : beyond < 0 ? svg->bottom : y_at(svg, value);
}

/* The end of a whisker: a cap, or an arrow where the interval goes on. */
static void write_whisker_end(const Svg *svg, double value, double at) {
    FILE *stream = svg->stream;
    const int beyond = figure_end_beyond(svg->y, value);
    fputs("M-3 ", stream);
    svg_coordinate(stream, at + (beyond > 0 ? 6 : beyond < 0 ? -6 : 0));
    if (beyond == 0) {
        fputs("h6", stream);
    } else {
        fputs(beyond > 0 ? "l3-6l3 6" : "l3 6l3-6", stream);
    }
}

/* The interval around a point, relative to it; one that the point itself covers is left out. */
static void write_whisker(const Svg *svg, const ChartPoint *point) {
    FILE *stream = svg->stream;
    if (!isfinite(point->low) || !isfinite(point->high)) {
        return;
    }
    const double here = y_at(svg, point->y);
    const double below = end_at(svg, point->low) - here;
    const double above = end_at(svg, point->high) - here;
    if (below - above < 3) {
        return;
    }
    fputs("<path class=\"w\" d=\"", stream);
    write_whisker_end(svg, point->high, above);
    fputs("M0 ", stream);
    svg_coordinate(stream, above);
    fputc('V', stream);
    svg_coordinate(stream, below);
    write_whisker_end(svg, point->low, below);
    fputs("\"/>", stream);
}

static void write_point(const Svg *svg, const ChartSeries *series, const ChartPoint *point) {
    FILE *stream = svg->stream;
    SvgPointWords words;
    svg_point_words(svg->layout->chart, point, &words);
    fputs("<g class=\"p\" transform=\"translate(", stream);
    write_place(stream, x_at(svg, point->x), y_at(svg, point->y));
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
    write_whisker(svg, point);
    fprintf(stream, "<path class=\"m\" d=\"%s\"/></g>\n", svg_shape(series));
}

/* The line from point to point, with a gap where one is missing; nothing without a point. */
static void write_line(const Svg *svg, const ChartSeries *series) {
    FILE *stream = svg->stream;
    bool any = false, drawn = false;
    for (size_t i = 0; i < series->count; i++) {
        const ChartPoint *point = &series->points[i];
        const bool shown = shows_point(svg, point);
        if (shown) {
            fputs(any ? "" : "<path class=\"l\" d=\"", stream);
            fputc(drawn ? 'L' : 'M', stream);
            write_place(stream, x_at(svg, point->x), y_at(svg, point->y));
        }
        drawn = shown;
        any = any || shown;
    }
    fputs(any ? "\"/>\n" : "", stream);
}

static void write_series(const Svg *svg, size_t index) {
    FILE *stream = svg->stream;
    const ChartSeries *series = &svg->layout->chart->series[index];
    fputs("<g class=\"s ", stream);
    svg_classes(stream, series);
    fprintf(stream, "%s\" data-series=\"%zu\"", series->count > DENSE_POINTS ? " dense" : "",
            index);
    html_attribute(stream, "data-name", series->name);
    fputs(">\n", stream);
    write_line(svg, series);
    for (size_t i = 0; i < series->count; i++) {
        if (shows_point(svg, &series->points[i])) {
            write_point(svg, series, &series->points[i]);
        }
    }
    fputs("</g>\n", stream);
}

/* All but ceilings and words: a group each, with its line and its points. */
static void write_all_series(const Svg *svg) {
    const DocChart *chart = svg->layout->chart;
    for (size_t i = 0; i < chart->count; i++) {
        const bool here =
            chart->panel_count == 0 || chart->series[i].panel == svg->layout->page_panel;
        if (here && chart->series[i].style != SERIES_CEILING &&
            chart->series[i].style != SERIES_WORDS) {
            write_series(svg, i);
        }
    }
}

/* === Svg ceilings ============================================================================= */

/* Letters are as high as the page has them; lines count from below. */
static void write_name(const Svg *svg, const FigureName *name) {
    FILE *stream = svg->stream;
    const FigureLayout *layout = svg->layout;
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
static void write_rings(const Svg *svg, const ChartSeries *series) {
    FILE *stream = svg->stream;
    for (size_t i = 0; i < series->count; i++) {
        if (shows_point(svg, &series->points[i])) {
            fputs("<circle class=\"ring\" r=\"8\" cx=\"", stream);
            svg_coordinate(stream, x_at(svg, series->points[i].x));
            fputs("\" cy=\"", stream);
            svg_coordinate(stream, y_at(svg, series->points[i].y));
            fputs("\"/>", stream);
        }
    }
}

/* Thin lines with names along them instead of points; and words with rings around what they are
 * about. */
static void write_names(const Svg *svg) {
    FILE *stream = svg->stream;
    const FigurePanel *panel = &svg->layout->panels[0];
    for (size_t i = 0; i < panel->name_count; i++) {
        const ChartSeries *series = panel->names[i].series;
        fputs("<g class=\"s ", stream);
        svg_classes(stream, series);
        fputs("\">", stream);
        if (series->style == SERIES_WORDS) {
            write_rings(svg, series);
        } else {
            write_line(svg, series);
        }
        write_name(svg, &panel->names[i]);
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
static void write_rule(const Svg *svg, double value, bool upright) {
    FILE *stream = svg->stream;
    fputc('M', stream);
    if (upright) {
        fprintf(stream, "%g ", svg->left);
        svg_coordinate(stream, y_at(svg, value));
        fprintf(stream, "H%g", svg->right);
    } else {
        svg_coordinate(stream, x_at(svg, value));
        fprintf(stream, " %gV%g", svg->top, svg->bottom);
    }
}

static void write_grid(const Svg *svg, bool upright, bool minor) {
    FILE *stream = svg->stream;
    const FigureScale *scale = upright ? svg->y : svg->x;
    bool any = false;
    for (size_t i = 0; i < scale->count; i++) {
        if (scale->marks[i].minor != minor) {
            continue;
        }
        if (!any) {
            fprintf(stream, "<path class=\"%s\" d=\"", minor ? "grid minor" : "grid");
            any = true;
        }
        write_rule(svg, scale->marks[i].value, upright);
    }
    fputs(any ? "\"/>\n" : "", stream);
}

static void write_axis(const Svg *svg, bool upright) {
    const FigureScale *scale = upright ? svg->y : svg->x;
    write_grid(svg, upright, true);
    write_grid(svg, upright, false);
    for (size_t i = 0; i < scale->count; i++) {
        const FigureMark *mark = &scale->marks[i];
        char attributes[48], power[FIGURE_MARK_SIZE];
        if (mark->name[0] == '\0') {
            continue;
        }
        figure_power_text(mark->power, power);
        snprintf(attributes, sizeof attributes, "class=\"%s%s\" dy=\"%s\"", upright ? "y" : "x",
                 mark->roomy ? " roomy" : "", upright ? ".34em" : "1.25em");
        write_text(svg->stream, attributes, upright ? svg->left - 8 : x_at(svg, mark->value),
                   upright ? y_at(svg, mark->value) : svg->bottom,
                   mark->is_power ? power : mark->name);
    }
}

/* The title of y lies above the area, where it needs no turned letters and no margin. */
static void write_titles(const Svg *svg) {
    FILE *stream = svg->stream;
    const DocChart *chart = svg->layout->chart;
    if (chart->x.title != NULL) {
        write_text(stream, "class=\"title x\" dy=\"2.6em\"", (svg->left + svg->right) / 2,
                   svg->bottom, chart->x.title);
    }
    if (chart->y.title != NULL) {
        write_text(stream, "class=\"title\" dy=\"1em\"", 2, 2, chart->y.title);
    }
}

static void write_reference(const Svg *svg) {
    FILE *stream = svg->stream;
    const double reference = svg->layout->chart->reference;
    if (figure_shows(svg->y->log, reference)) {
        fputs("<path class=\"reference\" d=\"", stream);
        write_rule(svg, reference, true);
        fputs("\"/>\n", stream);
    }
}

typedef struct Side {
    const char *name, *words;
    double top, bottom;
} Side;

/* What lies above and below the reference. False when the side is undecided. */
static bool find_sides(const Svg *svg, Side sides[2]) {
    const DocChart *chart = svg->layout->chart;
    if (chart->above == NULL || chart->below == NULL ||
        !figure_shows(svg->y->log, chart->reference)) {
        return false;
    }
    const double middle = fmin(fmax(y_at(svg, chart->reference), svg->top), svg->bottom);
    sides[0] = (Side){"win", chart->above, svg->top, middle};
    sides[1] = (Side){"lose", chart->below, middle, svg->bottom};
    return true;
}

static void write_sides(const Svg *svg, const Side sides[2]) {
    FILE *stream = svg->stream;
    for (int i = 0; i < 2; i++) {
        fprintf(stream, "<path class=\"side %s\" d=\"M%g ", sides[i].name, svg->left);
        svg_coordinate(stream, sides[i].top);
        fprintf(stream, "H%gV", svg->right);
        svg_coordinate(stream, sides[i].bottom);
        fprintf(stream, "H%gz\"/>\n", svg->left);
    }
}

/* Over the grid, where a side is high enough for its words. */
static void write_side_words(const Svg *svg, const Side sides[2]) {
    enum { LINE_HIGH = 20 };
    for (int i = 0; i < 2; i++) {
        if (sides[i].bottom - sides[i].top >= LINE_HIGH) {
            write_text(svg->stream, "class=\"side-words\"", svg->left + 5,
                       i == 0 ? sides[i].top + 14 : sides[i].bottom - 6, sides[i].words);
        }
    }
}

static void write_drawing(const Svg *svg) {
    Side sides[2];
    const bool sided = find_sides(svg, sides);
    if (sided) {
        write_sides(svg, sides);
    }
    write_axis(svg, false);
    write_axis(svg, true);
    if (sided) {
        write_side_words(svg, sides);
    }
    write_titles(svg);
    fprintf(svg->stream, "<path class=\"axis\" d=\"M%g %gV%gH%g\"/>\n", svg->left, svg->top,
            svg->bottom, svg->right);
    write_reference(svg);
    write_names(svg);
    write_all_series(svg);
}

static void write_empty(FILE *stream, double width, double height) {
    fprintf(stream, "<path class=\"frame\" d=\"M.5.5H%gV%gH.5z\"/>\n", width - 0.5, height - 0.5);
    write_text(stream, "class=\"nothing\" dy=\".34em\"", width / 2, height / 2, "nothing to draw");
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
    fprintf(stream, "<svg class=\"chart\" viewBox=\"0 0 %g %g\" role=\"group\"", layout->width,
            any ? layout->height : EMPTY_HEIGHT);
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
        const Svg svg = svg_of(stream, layout);
        write_drawing(&svg);
    } else {
        write_empty(stream, layout->width, EMPTY_HEIGHT);
    }
    fputs("</svg>\n", stream);
    figure_layout_release(layout);
    free(layout);
    return status_ok();
}
