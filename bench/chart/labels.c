/* What layout and writers ask of texts, names and axes: how wide, how called, where. */

#include "layout.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "gnuplot.h"
#include "text.h"
#include "utf8.h"

/* === Texts ==================================================================================== */

/* What a text takes in a wide sans serif: letters of other fonts are narrower. */
double figure_letters(const FigureLayout *layout, const char *text) {
    double ems = 0;
    for (const char *c = text; *c != '\0'; c++) {
        const bool first = ((unsigned char)*c & 0xC0) != 0x80;
        ems += !first                          ? 0
               : strchr("ijlI.,:;|' ()[]", *c) ? 0.36
               : strchr("mwMW@%", *c)          ? 0.95
               : (unsigned char)*c >= 0x80     ? 0.84
               : (*c >= 'A' && *c <= 'Z')      ? 0.7
                                               : 0.62;
    }
    return ems * layout->font;
}

/* How many bytes of a text fit, whole characters. */
size_t figure_bytes_that_fit(const FigureLayout *layout, const char *text, double room) {
    size_t fits = 0;
    for (size_t length = 1; length <= strlen(text); length++) {
        if (utf8_continues(text[length])) {
            continue;
        }
        char part[CHART_TEXT_SIZE];
        snprintf(part, sizeof part, "%.*s", (int)length, text);
        if (figure_letters(layout, part) > room) {
            break;
        }
        fits = length;
    }
    return fits;
}

/* Cut with an ellipsis to what there is room for. */
void figure_cut(const FigureLayout *layout, const char *text, double room,
                char cut[CHART_TEXT_SIZE]) {
    utf8_copy(cut, CHART_TEXT_SIZE, text);
    if (figure_letters(layout, cut) > room) {
        const size_t fits = figure_bytes_that_fit(layout, cut, room - figure_letters(layout, "…"));
        snprintf(cut + fits, CHART_TEXT_SIZE - fits, "…");
    }
}

enum { NAME_MOST = 52 };

/* A name that is too long loses its middle, as ends tell names apart; in a paper's figure it stays,
 * and is refused where it has no room. */
void figure_series_name(const FigureLayout *layout, const ChartSeries *series,
                        char name[CHART_TEXT_SIZE]) {
    const DocChart *chart = layout->chart;
    char whole[CHART_TEXT_SIZE];
    uint16_t starts[CHART_TEXT_SIZE];
    size_t count = 0;
    chart_text(series->name != NULL ? series->name : "", whole, sizeof whole);
    for (size_t i = 0; whole[i] != '\0'; i++) {
        if (!utf8_continues(whole[i])) {
            starts[count++] = (uint16_t)i;
        }
    }
    const bool whole_names = !layout->page && layout->style->legend != FIGURE_LEGEND_USUAL;
    if (count > NAME_MOST && !whole_names) {
        snprintf(name, CHART_TEXT_SIZE, "%.*s…%s", (int)starts[NAME_MOST / 2 - 1], whole,
                 whole + starts[count - NAME_MOST / 2]);
    } else {
        utf8_copy(name, CHART_TEXT_SIZE, whole);
    }
    if (series->same_as > 0 && series->same_as <= chart->count) {
        /* At the ends of lines the name of the other one stands above. */
        const bool above = layout->legend == FIGURE_LEGEND_DIRECT;
        const char *twin = chart->series[series->same_as - 1].name;
        utf8_copy(whole, sizeof whole, above ? name : twin != NULL ? twin : "");
        if (above) {
            name[0] = '\0';
        }
        text_append(name, CHART_TEXT_SIZE, "%s= %s", above ? "" : " ", whole);
    }
}

bool figure_is_named(const DocChart *chart, size_t index) {
    const ChartSeries *series = &chart->series[index];
    const bool named = series->name != NULL && series->name[0] != '\0';
    return series->count > 0 && named && series->style != SERIES_WORDS &&
           series->style != SERIES_EXTRAPOLATED &&
           !(chart->ceilings_named && series->style == SERIES_CEILING);
}

bool figure_in_key(const DocChart *chart, size_t index) {
    const ChartSeries *series = &chart->series[index];
    if (!figure_is_named(chart, index)) {
        return false;
    }
    for (size_t i = 0; i < index; i++) {
        const ChartSeries *other = &chart->series[i];
        if (other->panel != series->panel && other->count > 0 && other->style == series->style &&
            other->colour == series->colour && other->name != NULL && series->name != NULL &&
            strcmp(other->name, series->name) == 0) {
            return false;
        }
    }
    return true;
}

const char *chart_panel_of(const DocChart *chart, const ChartSeries *series) {
    const char *title =
        series->panel < chart->panel_count ? chart->panels[series->panel].title : NULL;
    return title != NULL ? title : "";
}

void figure_csv_name(const DocChart *chart, const ChartSeries *series,
                     char name[FIGURE_CSV_NAME_SIZE]) {
    const char *panel = chart_panel_of(chart, series);
    const char *axis =
        series->panel < chart->panel_count ? chart->panels[series->panel].y.title : NULL;
    panel = panel[0] == '\0' && axis != NULL ? axis : panel;
    snprintf(name, FIGURE_CSV_NAME_SIZE, "%s%s%s", panel, panel[0] != '\0' ? ": " : "",
             series->name != NULL ? series->name : "");
}

/* === Places =================================================================================== */

double figure_place(const FigureScale *scale, double value) {
    return scale->log ? log(value / scale->least) / log(scale->most / scale->least)
                      : (value - scale->least) / (scale->most - scale->least);
}

int figure_end_beyond(const FigureScale *scale, double value) {
    const double nothing = 1e-9;
    if (isnan(value)) {
        return 0;
    }
    if (scale->log && !(value > 0)) {
        return -1;
    }
    const double place = figure_place(scale, value);
    return place > 1 + nothing ? 1 : place < -nothing ? -1 : 0;
}

bool figure_shows(bool is_log, double value) {
    return isfinite(value) && (!is_log || value > 0);
}

void figure_power_text(int power, char text[FIGURE_MARK_SIZE]) {
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char digits[16];
    snprintf(digits, sizeof digits, "%d", power);
    snprintf(text, FIGURE_MARK_SIZE, "10");
    for (const char *c = digits; *c != '\0'; c++) {
        text_append(text, FIGURE_MARK_SIZE, "%s", *c == '-' ? "⁻" : raised[*c - '0']);
    }
}
