#include "svg_words.h"

#include <math.h>
#include <string.h>

#include "html_text.h"
#include "significant.h"
#include "svg_ticks.h"

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

void svg_point_words(const DocChart *chart, const ChartPoint *point, SvgPointWords *words) {
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

void svg_point_sentence(FILE *stream, const ChartSeries *series, const SvgPointWords *words) {
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
