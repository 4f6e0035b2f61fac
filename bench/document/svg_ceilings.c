#include "svg_ceilings.h"

#include <math.h>

#include "html_text.h"
#include "svg_marks.h"
#include "svg_series.h"

/* Distances between a line and its name, and what a name needs for itself. */
enum { ABOVE = 6, BELOW = 16, NAME_HIGH = 18, NAME_WIDE = 160 };

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

/* y grows downwards. */
static bool is_rising(const Ends *ends) {
    return ends->first.y - ends->last.y > NAME_HIGH;
}

/* Whether a name between the two places would be in the way of the other. */
static bool is_close(Place upper, Place lower) {
    return lower.y > upper.y && lower.y - upper.y < NAME_HIGH &&
           fabs(lower.x - upper.x) < NAME_WIDE;
}

static bool other_starts_below(const DocChart *chart, Place start, const SvgScale *x,
                               const SvgScale *y) {
    for (size_t i = 0; i < chart->count; i++) {
        const Ends other = ends_of(&chart->series[i], x, y);
        if (other.shown && is_close(start, other.first)) {
            return true;
        }
    }
    return false;
}

static bool other_ends_above(const DocChart *chart, Place end, const SvgScale *x,
                             const SvgScale *y) {
    for (size_t i = 0; i < chart->count; i++) {
        const Ends other = ends_of(&chart->series[i], x, y);
        if (other.shown && is_close(other.last, end)) {
            return true;
        }
    }
    return false;
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

static void name_ceiling(FILE *stream, const DocChart *chart, const char *name, const Ends *ends,
                         const SvgScale *x, const SvgScale *y) {
    Place place = {ends->first.x + ABOVE, ends->first.y + BELOW};
    if (is_rising(ends) && place.y < SVG_PLOT_BOTTOM &&
        !other_starts_below(chart, ends->first, x, y)) {
        write_name(stream, name, place, "start");
        return;
    }
    const bool below = other_ends_above(chart, ends->last, x, y);
    place = (Place){ends->last.x, ends->last.y + (below ? BELOW : -ABOVE)};
    const bool in_left_half = place.x < (SVG_PLOT_LEFT + SVG_PLOT_RIGHT) / 2.0;
    write_name(stream, name, place, in_left_half ? "start" : "end");
}

void svg_ceilings_write(FILE *stream, const DocChart *chart, const SvgScale *x, const SvgScale *y) {
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        const Ends ends = ends_of(series, x, y);
        if (ends.shown) {
            fputs("<g class=\"s ", stream);
            svg_classes(stream, series);
            fputs("\">", stream);
            svg_line(stream, series, x, y);
            name_ceiling(stream, chart, series->name, &ends, x, y);
        }
    }
}
