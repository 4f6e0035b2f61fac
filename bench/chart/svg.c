/* A chart as SVG within a page. */

#include "svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "look.h"
#include "markup_text.h"
#include "number.h"
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

/* 1, 2 or 5 times a power of ten: about a fifth of the range. */
static double svg_round_step(double range) {
    const double rough = range / 5;
    const double power = pow(10, floor(log10(rough)));
    const double times = rough / power;
    return power * (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10);
}

/* Whether the value can be shown: a number, and more than 0 on a logarithmic scale. */
static bool svg_scale_shows(const SvgScale *scale, double value) {
    return isfinite(value) && (!scale->log || value > 0);
}

/* Whether both coordinates of a point can. */
static bool svg_scale_shows_point(const SvgScale *x, const SvgScale *y, const ChartPoint *point) {
    return svg_scale_shows(x, point->x) && svg_scale_shows(y, point->y);
}

static double on_scale(const SvgScale *scale, double value) {
    return scale->log ? log10(value) : value;
}

static double svg_scale_at(const SvgScale *scale, double value) {
    const double share = (on_scale(scale, value) - scale->low) / (scale->high - scale->low);
    return scale->start + share * (scale->end - scale->start);
}

static void include(SvgScale *scale, double value) {
    if (svg_scale_shows(scale, value)) {
        scale->low = fmin(scale->low, on_scale(scale, value));
        scale->high = fmax(scale->high, on_scale(scale, value));
    }
}

/* A range of its own for a single value. */
static void widen(SvgScale *scale) {
    if (scale->high > scale->low) {
        return;
    }
    const double half = scale->log ? log10(2) : scale->low != 0 ? fabs(scale->low) / 2 : 1;
    scale->low -= half;
    scale->high += half;
}

/* Space at both ends, so that no point lies on the frame; none below 0 for what is never below. */
static void add_space(SvgScale *scale) {
    const double space = 0.05 * (scale->high - scale->low);
    scale->low = !scale->log && scale->low >= 0 ? fmax(0, scale->low - space) : scale->low - space;
    scale->high += space;
}

/* The scale that shows every point of the chart, the ends of intervals and the reference. False
 * when there is nothing to show. */
static bool svg_scale_x(const DocChart *chart, SvgScale *scale) {
    *scale = (SvgScale){.log = chart->x.log,
                        .low = INFINITY,
                        .high = -INFINITY,
                        .start = SVG_PLOT_LEFT,
                        .end = SVG_PLOT_RIGHT};
    const SvgScale y = {.log = chart->y.log};
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        for (size_t j = 0; j < series->count; j++) {
            if (svg_scale_shows(&y, series->points[j].y)) {
                include(scale, series->points[j].x);
            }
        }
    }
    if (!(scale->low <= scale->high)) {
        return false;
    }
    widen(scale);
    add_space(scale);
    return true;
}

/* From round number to round number, and from 0 when that at most doubles the range. */
static void round_ends(SvgScale *scale) {
    if (scale->low > 0 && scale->low < scale->high / 2) {
        scale->low = 0;
    }
    if (scale->high < 0 && scale->high > scale->low / 2) {
        scale->high = 0;
    }
    const double step = svg_round_step(scale->high - scale->low);
    scale->low = floor(scale->low / step + 1e-9) * step;
    scale->high = ceil(scale->high / step - 1e-9) * step;
}

static bool svg_scale_y(const DocChart *chart, SvgScale *scale) {
    *scale = (SvgScale){.log = chart->y.log,
                        .low = INFINITY,
                        .high = -INFINITY,
                        .start = SVG_PLOT_BOTTOM,
                        .end = SVG_PLOT_TOP};
    const SvgScale x = {.log = chart->x.log};
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        for (size_t j = 0; j < series->count; j++) {
            const ChartPoint *point = &series->points[j];
            if (svg_scale_shows_point(&x, scale, point)) {
                include(scale, point->y);
                include(scale, point->low);
                include(scale, point->high);
            }
        }
    }
    if (!(scale->low <= scale->high)) {
        return false;
    }
    include(scale, chart->reference);
    include(scale, chart->y.from_zero ? 0 : (double)NAN);
    widen(scale);
    if (scale->log) {
        add_space(scale);
    } else {
        round_ends(scale);
    }
    return true;
}

/* === Svg ticks ================================================================================ */

static void svg_tick_text(double number, int digits, char text[SVG_TICK_SIZE]);

typedef struct TickList {
    SvgTick *ticks;
    size_t count;
} TickList;

static SvgTick *add_tick(TickList *list, double value) {
    if (list->count == SVG_TICKS_MAX) {
        return NULL;
    }
    SvgTick *tick = &list->ticks[list->count++];
    *tick = (SvgTick){.value = value};
    return tick;
}

static void add_named(TickList *list, double value, int digits) {
    SvgTick *tick = add_tick(list, value);
    if (tick != NULL) {
        svg_tick_text(value, digits, tick->label);
    }
}

static bool within(const SvgScale *scale, double value) {
    const double slack = 1e-9 * (scale->high - scale->low);
    const double place = scale->log ? log10(value) : value;
    return svg_scale_shows(scale, value) && place >= scale->low - slack &&
           place <= scale->high + slack;
}

/* The power of ten of a number's first digit. */
static int first_power(double number) {
    return (int)floor(log10(fabs(number)) + 1e-9);
}

static void append(char text[SVG_TICK_SIZE], const char *more) {
    const size_t used = strlen(text);
    snprintf(text + used, SVG_TICK_SIZE - used, "%s", more);
}

static void append_power(char text[SVG_TICK_SIZE], int power) {
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    append(text, power < 0 ? "10⁻" : "10");
    char plain[16];
    snprintf(plain, sizeof plain, "%d", power < 0 ? -power : power);
    for (const char *c = plain; *c != '\0'; c++) {
        append(text, digits[*c - '0']);
    }
}

/* "12800" as "12 800", with the narrow space that does not break. */
static void group_thousands(const char *plain, char text[SVG_TICK_SIZE]) {
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
static void svg_tick_text(double number, int digits, char text[SVG_TICK_SIZE]) {
    char plain[SIGNIFICANT_SIZE];
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
    append_power(text, power);
}

static void add_round_numbers(const SvgScale *scale, TickList *list) {
    const double low = scale->log ? pow(10, scale->low) : scale->low;
    const double high = scale->log ? pow(10, scale->high) : scale->high;
    const double step = svg_round_step(high - low);
    for (double i = ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) {
        if (within(scale, i * step)) {
            const int digits = i != 0 ? first_power(i * step) - first_power(step) + 1 : 1;
            add_named(list, i * step, digits);
        }
    }
}

/* 1, 2 and 5 times the powers of ten; named all when the range is short, else the powers alone. */
static void add_decades(const SvgScale *scale, TickList *list) {
    const double range = scale->high - scale->low;
    const bool is_short = range < 1.5;
    const int stride = 1 + (int)(range / 8);
    for (int power = (int)floor(scale->low); power <= (int)floor(scale->high); power++) {
        for (int times = 1; times < 10; times++) {
            const double value = times * pow(10, power);
            const bool named = is_short ? times == 1 || times == 2 || times == 5
                                        : times == 1 && power % stride == 0;
            if (!within(scale, value)) {
                continue;
            }
            if (named) {
                add_named(list, value, 1);
            } else if (stride == 1 || times == 1) {
                SvgTick *tick = add_tick(list, value);
                if (tick != NULL) {
                    tick->minor = true;
                }
            }
        }
    }
}

static size_t count_named(const TickList *list) {
    size_t named = 0;
    for (size_t i = 0; i < list->count; i++) {
        named += !list->ticks[i].minor;
    }
    return named;
}

static size_t characters(const char *text) {
    return utf8_width(text, strlen(text));
}

/* Keeps a name when it is clear of the one kept before it. Beside each other names take their
 * width, above each other their height: in the small letters of a large drawing and in the large
 * ones of a small drawing. */
static void drop_names_without_room(const SvgScale *scale, TickList *list) {
    enum { SMALL = 7, LARGE = 11, SMALL_HIGH = 16, LARGE_HIGH = 22 };
    const bool beside = scale->end > scale->start;
    double small_end = -INFINITY;
    double large_end = -INFINITY;
    for (size_t i = 0; i < list->count; i++) {
        SvgTick *tick = &list->ticks[i];
        if (tick->minor) {
            continue;
        }
        const double letters = (double)characters(tick->label) + 1;
        const double small = (beside ? letters * SMALL : SMALL_HIGH) / 2;
        const double large = (beside ? letters * LARGE : LARGE_HIGH) / 2;
        const double at = fabs(svg_scale_at(scale, tick->value) - scale->start);
        if (at - small < small_end) {
            tick->label[0] = '\0';
            continue;
        }
        small_end = at + small;
        tick->roomy = at - large < large_end;
        if (!tick->roomy) {
            large_end = at + large;
        }
    }
}

size_t svg_scale_ticks(const SvgScale *scale, const ChartAxis *axis, SvgTick ticks[SVG_TICKS_MAX]) {
    TickList list = {.ticks = ticks};
    for (size_t i = 0; i < axis->count; i++) {
        SvgTick *tick =
            within(scale, axis->ticks[i].value) ? add_tick(&list, axis->ticks[i].value) : NULL;
        if (tick != NULL) {
            append(tick->label, axis->ticks[i].label != NULL ? axis->ticks[i].label : "");
        }
    }
    if (list.count == 0 && scale->log) {
        add_decades(scale, &list);
        list.count = count_named(&list) >= 2 ? list.count : 0;
    }
    if (list.count == 0) {
        add_round_numbers(scale, &list);
    }
    drop_names_without_room(scale, &list);
    return list.count;
}

/* === Svg words ================================================================================ */

enum { SVG_UNIT_SIZE = 16, SVG_WORDS_SIZE = SVG_TICK_SIZE + SVG_UNIT_SIZE };

typedef struct SvgPointWords {
    char x_number[SVG_WORDS_SIZE];
    const char *x;              /* what x is called: the point's or the axis's words, or x_number */
    char value[SVG_WORDS_SIZE]; /* "0.0071 ms": the unit is what the axis's title ends in, "(ms)" */
    char interval[2 * SVG_TICK_SIZE + 8]; /* "0.0070 to 0.0073"; empty: none */
} SvgPointWords;

void svg_value_text(double number, int digits, char text[SVG_TICK_SIZE]) {
    const double size = fabs(number);
    if (size >= 1e-5 && size < 1000) {
        significant_text(number, digits, text);
        return;
    }
    const int whole = size >= 1000 && size < 1e6 ? 1 + (int)floor(log10(size)) : 0;
    svg_tick_text(number, whole > digits ? whole : digits, text);
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
static int digits_for(const ChartPoint *point, char low[SVG_TICK_SIZE], char high[SVG_TICK_SIZE]) {
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
        char low[SVG_TICK_SIZE];
        char high[SVG_TICK_SIZE];
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

/* All but the ceilings: a group each, with its line and its points. */
static void svg_series_write(FILE *stream, const DocChart *chart, const SvgScale *x,
                             const SvgScale *y) {
    for (size_t i = 0; i < chart->count; i++) {
        if (chart->series[i].style != SERIES_CEILING) {
            write_series(stream, chart, i, x, y);
        }
    }
}

/* === Svg ceilings ============================================================================= */

/* Ceilings of a chart: thin lines with names instead of points. */

/* Distances between a line and its name, and what a name needs for itself: letters are wider on a
 * narrow page. */
enum {
    ABOVE = 6,
    BELOW = 16,
    NAME_UP = 18,
    NAME_DOWN = 5,
    NAME_LETTER = 10,
    ROW = 23,
    NAMES_MAX = 64
};

typedef struct Place {
    double x, y;
} Place;

typedef struct Ends {
    bool shown; /* false: the series is no ceiling, or nothing of it is within the axes */
    Place first, last;
} Ends;

static Ends ends_of(const ChartSeries *series, const SvgScale *x, const SvgScale *y) {
    Ends ends = {.shown = false};
    for (size_t i = 0; series->style == SERIES_CEILING && i < series->count; i++) {
        const ChartPoint *point = &series->points[i];
        if (svg_scale_shows_point(x, y, point)) {
            ends.last = (Place){svg_scale_at(x, point->x), svg_scale_at(y, point->y)};
            ends.first = ends.shown ? ends.first : ends.last;
            ends.shown = true;
        }
    }
    return ends;
}

typedef struct NamePlace {
    Place place;
    bool from_start;
} NamePlace;

typedef struct NameBox {
    double left, right, top, bottom;
} NameBox;

/* Of the ceilings of a chart. */
typedef struct Names {
    Ends ends[NAMES_MAX];
    size_t lines;
    NameBox boxes[NAMES_MAX];
    size_t count;
} Names;

/* y grows downwards. */
static bool is_rising(const Ends *ends) {
    return ends->first.y - ends->last.y > NAME_UP + NAME_DOWN;
}

static NameBox box_of(const char *name, const NamePlace *at) {
    const double wide = (double)characters(name) * NAME_LETTER;
    return (NameBox){.left = at->from_start ? at->place.x : at->place.x - wide,
                     .right = at->from_start ? at->place.x + wide : at->place.x,
                     .top = at->place.y - NAME_UP,
                     .bottom = at->place.y + NAME_DOWN};
}

/* Height of the straight line between two ends; beyond them that of the nearer one. */
static double line_at(const Ends *ends, double x) {
    const double wide = ends->last.x - ends->first.x;
    const double share = wide > 0 ? (x - ends->first.x) / wide : 0;
    const double within = share < 0 ? 0 : share > 1 ? 1 : share;
    return ends->first.y + within * (ends->last.y - ends->first.y);
}

static bool is_crossed(const NameBox *box, const Ends *ends) {
    const double left = line_at(ends, box->left);
    const double right = line_at(ends, box->right);
    return box->right > ends->first.x && box->left < ends->last.x && fmax(left, right) > box->top &&
           fmin(left, right) < box->bottom;
}

/* Whether the names so far, the borders and, if asked, the other lines leave it. */
static bool is_free(const Names *names, const NameBox *box, size_t own, bool of_lines) {
    for (size_t i = 0; i < names->count; i++) {
        const NameBox *other = &names->boxes[i];
        if (box->left < other->right && other->left < box->right && box->top < other->bottom &&
            other->top < box->bottom) {
            return false;
        }
    }
    for (size_t i = 0; of_lines && i < names->lines; i++) {
        if (i != own && is_crossed(box, &names->ends[i])) {
            return false;
        }
    }
    return box->left >= SVG_PLOT_LEFT && box->right <= SVG_PLOT_RIGHT + ABOVE &&
           box->bottom <= SVG_PLOT_BOTTOM;
}

static void write_name(FILE *stream, const char *name, Place place, const char *anchor) {
    fputs("<text x=\"", stream);
    svg_coordinate(stream, place.x);
    fputs("\" y=\"", stream);
    svg_coordinate(stream, place.y);
    fprintf(stream, "\" text-anchor=\"%s\">", anchor);
    html_escape(stream, name);
    fputs("</text></g>\n", stream);
}

/* The first place at the line that no other name and no other line has, or else that no other name
 * has, or else the first of all. */
static void name_ceiling(FILE *stream, const char *name, size_t own, Names *names) {
    const Ends *ends = &names->ends[own];
    const bool left = ends->last.x < (SVG_PLOT_LEFT + SVG_PLOT_RIGHT) / 2.0;
    const Place start = ends->first;
    const Place end = ends->last;
    const Place middle = {(start.x + end.x) / 2, (start.y + end.y) / 2};
    const NamePlace places[] = {
        {{start.x + ABOVE, start.y + BELOW}, true},
        {{end.x, end.y - ABOVE}, left},
        {{end.x, end.y + BELOW}, left},
        {{start.x, start.y - ABOVE}, true},
        {{middle.x + ABOVE, middle.y + BELOW}, true},
        {{middle.x - ABOVE, middle.y - ABOVE}, false},
        /* a row further, past a name that the line has on that side */
        {{end.x, end.y + BELOW + ROW}, left},
        {{end.x, end.y - ABOVE - ROW}, left},
        {{end.x, end.y + BELOW + 2 * ROW}, left},
    };
    enum { PLACES = sizeof places / sizeof places[0] };
    const size_t first = is_rising(ends) ? 0 : 1;
    const NamePlace *chosen = NULL;
    for (int of_lines = 1; of_lines >= 0 && chosen == NULL; of_lines--) {
        for (size_t i = first; i < PLACES && chosen == NULL; i++) {
            const NameBox tried = box_of(name, &places[i]);
            chosen = is_free(names, &tried, own, of_lines == 1) ? &places[i] : NULL;
        }
    }
    chosen = chosen != NULL ? chosen : &places[first];
    if (names->count < NAMES_MAX) {
        names->boxes[names->count++] = box_of(name, chosen);
    }
    write_name(stream, name, chosen->place, chosen->from_start ? "start" : "end");
}

/* A level line is named at its right end, a rising one below its left end, where few points are,
 * unless another name is there. */
static void svg_ceilings_write(FILE *stream, const DocChart *chart, const SvgScale *x,
                               const SvgScale *y) {
    Names names = {.lines = 0};
    const ChartSeries *drawn[NAMES_MAX];
    for (size_t i = 0; i < chart->count && names.lines < NAMES_MAX; i++) {
        const Ends ends = ends_of(&chart->series[i], x, y);
        if (ends.shown) {
            drawn[names.lines] = &chart->series[i];
            names.ends[names.lines++] = ends;
        }
    }
    for (size_t i = 0; i < names.lines; i++) {
        fputs("<g class=\"s ", stream);
        svg_classes(stream, drawn[i]);
        fputs("\">", stream);
        svg_line(stream, drawn[i], x, y);
        name_ceiling(stream, drawn[i]->name, i, &names);
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

static void write_drawing(FILE *stream, const DocChart *chart, const SvgScale *x,
                          const SvgScale *y) {
    Side sides[2];
    const bool sided = find_sides(chart, y, sides);
    if (sided) {
        write_sides(stream, sides);
    }
    write_axis(stream, x, &chart->x);
    write_axis(stream, y, &chart->y);
    if (sided) {
        write_side_words(stream, sides);
    }
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
