/* Where everything of a picture lies that gnuplot draws: axes and their marks, key, words. */

#include "layout.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "paths.h"
#include "status.h"
#include "text.h"
#include "utf8.h"

/* Lengths are points of 1/72 inch. */
static const double mm = 72 / 25.4;

typedef FigureMark Mark;
typedef FigureScale Scale;
typedef FigureLayout Layout;
typedef FigurePanel Panel;

/* === Texts ==================================================================================== */

/* What a text takes in a wide sans serif: letters of other fonts are narrower. */
double figure_letters(const Layout *layout, const char *text) {
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
static size_t bytes_that_fit(const Layout *layout, const char *text, double room) {
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
void figure_cut(const Layout *layout, const char *text, double room, char cut[CHART_TEXT_SIZE]) {
    utf8_copy(cut, CHART_TEXT_SIZE, text);
    if (figure_letters(layout, cut) > room) {
        const size_t fits = bytes_that_fit(layout, cut, room - figure_letters(layout, "…"));
        snprintf(cut + fits, CHART_TEXT_SIZE - fits, "…");
    }
}

/* Adds a text in at most `most` lines that are broken at blanks, or behind commas where it has
 * some; the last one is cut. `size`: its letters, relative to the usual ones. */
static void break_lines(const Layout *layout, FigureLines *lines, const char *text, bool at_commas,
                        size_t most, double room) {
    const char *rest = text;
    most += lines->count;
    while (rest[0] != '\0' && lines->count < most && lines->count < FIGURE_LINES_MAX) {
        char *line = lines->lines[lines->count++];
        size_t length = bytes_that_fit(layout, rest, room);
        const bool whole = rest[length] == '\0';
        if (!whole && lines->count < most) {
            size_t end = length;
            while (end > 0 && !(at_commas ? rest[end - 1] == ',' : rest[end] == ' ')) {
                end--;
            }
            length = end > 0 ? end : length;
        }
        if (whole || (length > 0 && lines->count < most)) {
            snprintf(line, CHART_TEXT_SIZE, "%.*s", (int)length, rest);
            rest += length;
            rest += strspn(rest, " ");
        } else {
            figure_cut(layout, rest, room, line);
            return;
        }
    }
}

/* The same with lines of about one length: no word is alone in the last one. */
static void add_lines(const Layout *layout, FigureLines *lines, const char *given, bool at_commas,
                      size_t most) {
    char text[CHART_TEXT_SIZE];
    const double room = 0.97 * layout->width / lines->size;
    const size_t before = lines->count;
    chart_text(given, text, sizeof text);
    break_lines(layout, lines, text, at_commas, most, room);
    const size_t needed = lines->count - before;
    const double wide = figure_letters(layout, text);
    for (double share = 1.08; needed > 1 && wide < (double)needed * room && share < 1.5;
         share += 0.08) {
        lines->count = before;
        break_lines(layout, lines, text, at_commas, needed,
                    fmin(room, share * wide / (double)needed));
        if (!text_ends(lines->lines[lines->count - 1], "…")) {
            return;
        }
    }
    lines->count = before;
    break_lines(layout, lines, text, at_commas, most, room);
}

static double line_high(const Layout *layout, const FigureLines *lines) {
    return 1.25 * lines->size * layout->font;
}

static double lines_high(const Layout *layout, const FigureLines *lines) {
    return line_high(layout, lines) * (double)lines->count;
}

/* The first line of a text, and what follows it. */
static void split_text(const char *text, char first[CHART_TEXT_SIZE], char rest[CHART_TEXT_SIZE]) {
    const char *given = text != NULL ? text : "";
    const size_t length = strcspn(given, "\n");
    utf8_copy(first, CHART_TEXT_SIZE, given);
    if (length < CHART_TEXT_SIZE) {
        first[length < strlen(first) ? length : strlen(first)] = '\0';
    }
    utf8_copy(rest, CHART_TEXT_SIZE, given[length] == '\n' ? given + length + 1 : "");
}

static void find_texts(Layout *layout) {
    char first[CHART_TEXT_SIZE], rest[CHART_TEXT_SIZE];
    const DocChart *chart = layout->chart;
    layout->title = (FigureLines){.size = 1.05};
    layout->note = (FigureLines){.size = 0.9};
    layout->made = (FigureLines){.size = 0.8};
    split_text(chart->title, first, rest);
    add_lines(layout, &layout->title, first, false, 3);
    add_lines(layout, &layout->title, rest, strchr(rest, ',') != NULL, 2);
    add_lines(layout, &layout->note, chart->note != NULL ? chart->note : "", false, 3);
    add_lines(layout, &layout->made, chart->made != NULL ? chart->made : "", false, 2);
}

/* === Series =================================================================================== */

enum { NAME_MOST = 52 };

/* A name that is too long loses its middle: ends tell names apart. */
void figure_series_name(const Layout *layout, const ChartSeries *series,
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
    if (count > NAME_MOST) {
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

/* === Scales =================================================================================== */

double figure_place(const Scale *scale, double value) {
    return scale->log ? log(value / scale->least) / log(scale->most / scale->least)
                      : (value - scale->least) / (scale->most - scale->least);
}

static bool can_be_drawn(bool is_log, double value) {
    return isfinite(value) && (!is_log || value > 0);
}

static void widen(FigureRange *range, bool is_log, double value) {
    if (can_be_drawn(is_log, value)) {
        range->least = fmin(range->least, value);
        range->most = fmax(range->most, value);
    }
}

static bool is_range(const FigureRange *range) {
    return range->least <= range->most;
}

/* Whether the panels have the chart's y axis in common. */
static bool share_axis(const DocChart *chart) {
    return chart->panel_count == 0 || chart->panels[0].y.title == NULL;
}

/* What the points that can be drawn span: of one panel if it has an axis of its own. */
static void find_ranges(const DocChart *chart, size_t panel, FigureRange *x, FigureRange *y) {
    const ChartAxis *axis = share_axis(chart) ? &chart->y : &chart->panels[panel].y;
    *y = (FigureRange){INFINITY, -INFINITY};
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        for (size_t j = 0; j < series->count; j++) {
            const ChartPoint *point = &series->points[j];
            if ((share_axis(chart) || series->panel == panel) &&
                can_be_drawn(chart->x.log, point->x) && can_be_drawn(axis->log, point->y)) {
                widen(x, chart->x.log, point->x);
                widen(y, axis->log, point->y);
                widen(y, axis->log, point->low);
                widen(y, axis->log, point->high);
            }
        }
    }
}

bool figure_drawable(const DocChart *chart) {
    FigureRange x = {INFINITY, -INFINITY}, y;
    bool any = false;
    for (size_t i = 0; i < (chart->panel_count > 0 ? chart->panel_count : 1); i++) {
        find_ranges(chart, i, &x, &y);
        any |= is_range(&y);
    }
    return any;
}

/* Room at both ends of what is shown, as a share of it. */
static void pad(Scale *scale, double share) {
    if (scale->log) {
        const double span = fmax(log(scale->most / scale->least), log(1.5));
        scale->least /= exp(share * span);
        scale->most *= exp(share * span);
    } else {
        double span = scale->most - scale->least;
        span = span > 0 ? span : fabs(scale->most) > 0 ? fabs(scale->most) : 1;
        const bool from_zero = scale->least >= 0 && scale->least < 0.6 * scale->most;
        const bool to_zero = scale->most <= 0 && scale->least < 0;
        scale->least = from_zero ? 0 : scale->least - share * span;
        scale->most = to_zero ? 0 : scale->most + share * span;
    }
}

/* An end that was asked for stays as it is. */
static void bound(Scale *scale, const FigureRange *asked) {
    scale->least = isfinite(asked->least) ? asked->least : scale->least;
    scale->most = isfinite(asked->most) ? asked->most : scale->most;
}

/* STATUS_USAGE when no point is between the ends. */
static Status check_range(const Scale *scale, char axis, const FigureRange *points) {
    const bool zero = scale->log && !(scale->least > 0);
    return scale->least < scale->most && points->most >= scale->least &&
                   points->least <= scale->most && !zero
               ? status_ok()
               : status_make(STATUS_USAGE, "--range: %c goes from %.3g to %.3g%s", axis,
                             points->least, points->most,
                             zero ? ", and the axis is logarithmic; begin above 0"
                                  : "; nothing of that is in the range");
}

/* STATUS_USAGE when nothing can be shown. */
static Status find_scales(Layout *layout) {
    const DocChart *chart = layout->chart;
    const FigureStyle *style = layout->style;
    FigureRange x = {INFINITY, -INFINITY};
    if (!figure_drawable(chart)) {
        return status_make(STATUS_USAGE, "figure: no point can be drawn on a logarithmic axis; "
                                         "--x linear --y linear draws zeros");
    }
    for (size_t i = 0; i < layout->panel_count; i++) {
        Panel *panel = &layout->panels[i];
        FigureRange y;
        find_ranges(chart, i, &x, &y);
        panel->axis = share_axis(chart) ? &chart->y : &chart->panels[i].y;
        panel->reference = share_axis(chart) ? chart->reference : chart->panels[i].reference;
        panel->empty = !is_range(&y);
        if (panel->empty) {
            continue;
        }
        widen(&y, panel->axis->log, panel->reference);
        widen(&y, panel->axis->log, panel->axis->from_zero ? 0 : (double)NAN);
        panel->y = (Scale){.log = panel->axis->log, .least = y.least, .most = y.most};
        /* Words of sides have a strip of their own above and below the lines. */
        pad(&panel->y, chart->above != NULL ? 0.13 : 0.06);
        bound(&panel->y, &style->y_range);
        STATUS_TRY(check_range(&panel->y, 'y', &y));
    }
    layout->x = (Scale){.log = chart->x.log, .least = x.least, .most = x.most};
    pad(&layout->x, chart->ceilings_named ? 0 : 0.04);
    if (chart->x.log && x.most <= x.least) {
        layout->x.least = x.least / 2;
        layout->x.most = x.most * 2;
    }
    bound(&layout->x, &style->x_range);
    return check_range(&layout->x, 'x', &x);
}

/* --- Marks ------------------------------------------------------------------------------------ */

static void add_mark(Scale *scale, const Mark *mark) {
    const double place = figure_place(scale, mark->value);
    if (scale->count < FIGURE_MARKS_MAX && place > -1e-6 && place < 1 + 1e-6) {
        scale->marks[scale->count++] = *mark;
    }
}

/* "20M" for 20000000. */
static void short_number(double value, char text[FIGURE_MARK_SIZE]) {
    static const struct {
        double unit;
        const char *letter;
    } units[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}};
    size_t i = fabs(value) < 1e5 ? 3 : 0;
    while (i < 3 && fabs(value) < units[i].unit) {
        i++;
    }
    number_text(value / units[i].unit, text, FIGURE_MARK_SIZE);
    text_append(text, FIGURE_MARK_SIZE, "%s", units[i].letter);
}

/* "200", "0.05", and powers of ten beyond. */
static Mark number_mark(double value, bool named) {
    Mark mark = {.value = value, .minor = !named};
    const double power = floor(log10(fabs(value)) + 1e-9);
    if (named) {
        short_number(value, mark.name);
    }
    mark.is_power =
        named && value != 0 && (power > 4 || power < -3) && fabs(value / pow(10, power) - 1) < 1e-9;
    mark.power = mark.is_power ? (int)power : 0;
    return mark;
}

/* Decades, with 2 and 5 between them over a short range, and marks without names at the others.
 * `most`: so many names have room. */
static void mark_decades(Scale *scale, double most) {
    const double decades = log10(scale->most / scale->least);
    const bool steps = decades < 2.2 && 3 * decades + 1 <= most;
    const int stride = (int)fmax(1, ceil((decades + 1) / most));
    const int last = (int)ceil(log10(scale->most));
    for (int decade = (int)floor(log10(scale->least)); decade <= last; decade++) {
        for (int step = 1; step < 10 && stride < 4; step++) {
            const bool named = step == 1 ? decade % stride == 0 : steps && (step == 2 || step == 5);
            const Mark mark = number_mark(step * pow(10, decade), named);
            if (step == 1 || stride == 1) {
                add_mark(scale, &mark);
            }
        }
    }
}

static void mark_steps(Scale *scale, double most) {
    const double rough = (scale->most - scale->least) / most;
    const double unit = pow(10, floor(log10(rough)));
    const double step = rough <= unit       ? unit
                        : rough <= 2 * unit ? 2 * unit
                        : rough <= 5 * unit ? 5 * unit
                                            : 10 * unit;
    const double first = ceil(scale->least / step - 1e-6);
    for (int i = 0; i < FIGURE_MARKS_MAX && (first + i) * step <= scale->most + 1e-6 * step; i++) {
        Mark mark = number_mark((first + i) * step, true);
        mark.is_power = false;
        add_mark(scale, &mark);
    }
}

/* Where one decade is written as a power, all but 1 and 10 are. */
static void agree_on_powers(Scale *scale) {
    bool any = false;
    for (size_t i = 0; i < scale->count; i++) {
        any |= scale->marks[i].is_power;
    }
    for (size_t i = 0; any && i < scale->count; i++) {
        Mark *mark = &scale->marks[i];
        const double power = round(log10(mark->value));
        if (mark->name[0] != '\0' && fabs(power) > 1 &&
            fabs(mark->value / pow(10, power) - 1) < 1e-9) {
            mark->is_power = true;
            mark->power = (int)power;
        }
    }
}

/* A logarithmic axis of less than half a decade has round numbers. */
static void mark_scale(Scale *scale, double most) {
    most = fmax(2, most);
    if (scale->log && scale->most >= 4 * scale->least) {
        mark_decades(scale, most);
        agree_on_powers(scale);
    } else {
        mark_steps(scale, fmin(most, 7));
    }
}

static double mark_wide(const Layout *layout, const Mark *mark) {
    return mark->is_power ? 3 * layout->letter : figure_letters(layout, mark->name);
}

/* Whether the names of the marks lie beside each other; `wide` is what one takes, 0: its text. */
static bool names_fit(const Layout *layout, const Scale *scale, double length, double wide) {
    double last = -INFINITY;
    for (size_t i = 0; i < scale->count; i++) {
        const Mark *mark = &scale->marks[i];
        const double half = wide > 0 ? wide / 2 : mark_wide(layout, mark) / 2;
        const double middle = figure_place(scale, mark->value) * length;
        if (mark->name[0] != '\0') {
            if (middle - half < last) {
                return false;
            }
            last = middle + half + (wide > 0 ? 0 : layout->letter * 0.7);
        }
    }
    return true;
}

static size_t count_names(const Scale *scale) {
    size_t count = 0;
    for (size_t i = 0; i < scale->count; i++) {
        count += scale->marks[i].name[0] != '\0';
    }
    return count;
}

static void forget_name(Mark *mark) {
    mark->name[0] = '\0';
    mark->is_power = false;
}

/* Leaves the names that do not lie on the one before, or on the last. */
static void drop_touching(const Layout *layout, Scale *scale, double length, double wide) {
    const double gap = wide > 0 ? 0 : layout->letter * 0.7;
    double before = -INFINITY, taken = INFINITY;
    for (size_t i = scale->count; i > 0; i--) {
        const Mark *mark = &scale->marks[i - 1];
        if (mark->name[0] != '\0') {
            const double half = (wide > 0 ? wide : mark_wide(layout, mark)) / 2;
            taken = figure_place(scale, mark->value) * length - half - gap;
            break;
        }
    }
    size_t named = 0;
    const size_t names = count_names(scale);
    for (size_t i = 0; i < scale->count; i++) {
        Mark *mark = &scale->marks[i];
        const double half = (wide > 0 ? wide : mark_wide(layout, mark)) / 2;
        const double middle = figure_place(scale, mark->value) * length;
        if (mark->name[0] == '\0' || ++named == names) {
            continue;
        }
        if (middle - half < before || (middle + half > taken && named > 1)) {
            forget_name(mark);
        } else {
            before = middle + half + gap;
        }
    }
}

/* Leaves every n-th name, counted from the last. */
static void keep_every(Scale *scale, size_t n) {
    for (size_t i = scale->count, named = 0; i > 0; i--) {
        if (scale->marks[i - 1].name[0] != '\0' && named++ % n != 0) {
            forget_name(&scale->marks[i - 1]);
        }
    }
}

/* Names that would lie on others lose theirs: every n-th is left where that leaves no fewer. */
static void thin_names(const Layout *layout, Scale *scale, double length, double wide) {
    const Scale all = *scale;
    drop_touching(layout, scale, length, wide);
    const size_t names = count_names(&all);
    for (size_t n = 2; n < names; n++) {
        Scale regular = all;
        keep_every(&regular, n);
        if (names_fit(layout, &regular, length, wide)) {
            *scale = count_names(&regular) >= count_names(scale) ? regular : *scale;
            return;
        }
    }
}

/* How far the first name stands out to the left of a plot and the last one to its right, together.
 */
static double out_at_ends(const Layout *layout, double length) {
    const Scale *scale = &layout->x;
    double before = 0, after = 0;
    for (size_t i = 0; i < scale->count; i++) {
        const Mark *mark = &scale->marks[i];
        const double half = mark->name[0] != '\0' ? mark_wide(layout, mark) / 2 : 0;
        const double middle = figure_place(scale, mark->value) * length;
        before = fmax(before, half - middle);
        after = fmax(after, middle + half - length);
    }
    return before + after;
}

/* The named places, or numbers. Names that lie on each other are turned, or thinned. */
static void mark_x(Layout *layout, double length) {
    const ChartAxis *axis = &layout->chart->x;
    Scale *scale = &layout->x;
    for (size_t i = 0; i < axis->count; i++) {
        Mark mark = {.value = axis->ticks[i].value};
        char name[CHART_TEXT_SIZE];
        figure_cut(layout, axis->ticks[i].label != NULL ? axis->ticks[i].label : "",
                   15 * layout->font, name);
        utf8_copy(mark.name, sizeof mark.name, name);
        add_mark(scale, &mark);
    }
    if (axis->count == 0) {
        mark_scale(scale, length / (5 * layout->letter));
    }
    if (names_fit(layout, scale, length, 0)) {
        return;
    }
    Scale turned = *scale;
    const double turned_wide = 1.25 * layout->font;
    thin_names(layout, scale, length, 0);
    /* A name or two less is better than a turned head. */
    if (axis->count > 0 && count_names(scale) + 2 < axis->count) {
        *scale = turned;
        layout->turned = true;
        thin_names(layout, scale, length, turned_wide);
    }
}

static double widest_name(const Layout *layout, const Scale *scale) {
    double widest = 0;
    for (size_t i = 0; i < scale->count; i++) {
        widest = fmax(widest, mark_wide(layout, &scale->marks[i]));
    }
    return widest;
}

/* The places that the chart names, or numbers. */
static void mark_y(const Layout *layout, Panel *panel) {
    const double line = 1.6 * layout->font;
    for (size_t i = 0; i < panel->axis->count; i++) {
        Mark mark = {.value = panel->axis->ticks[i].value};
        char name[CHART_TEXT_SIZE];
        figure_cut(layout, panel->axis->ticks[i].label, 6 * layout->font, name);
        utf8_copy(mark.name, sizeof mark.name, name);
        add_mark(&panel->y, &mark);
    }
    if (panel->axis->count == 0) {
        mark_scale(&panel->y, panel->high / line);
    } else {
        thin_names(layout, &panel->y, panel->high, line);
    }
}

/* === Key ====================================================================================== */

static double widest_entry(const Layout *layout) {
    double widest = 0;
    for (size_t i = 0; i < layout->chart->count; i++) {
        if (figure_in_key(layout->chart, i)) {
            char name[CHART_TEXT_SIZE];
            figure_series_name(layout, &layout->chart->series[i], name);
            widest = fmax(widest, figure_letters(layout, name));
        }
    }
    return widest;
}

static double key_line(const Layout *layout) {
    return 1.2 * layout->font;
}

/* A sample of a line, and room between columns. */
static double key_sample(const Layout *layout) {
    return 4.6 * layout->font;
}

static void count_key(Layout *layout) {
    const double room = layout->width / (widest_entry(layout) + key_sample(layout));
    const bool below = layout->legend == FIGURE_LEGEND_BELOW;
    layout->entries = 0;
    for (size_t i = 0; i < layout->chart->count; i++) {
        layout->entries += figure_in_key(layout->chart, i);
    }
    const size_t columns = below && room >= 2 ? (size_t)room : 1;
    layout->key_rows = (layout->entries + columns - 1) / columns;
    layout->key_high = (double)layout->key_rows * key_line(layout);
}

/* Points of lines, and places between them, that lie in a corner. */
static size_t covered(const Layout *layout, bool right, bool below, double wide, double high) {
    enum { BETWEEN = 8 };
    const Scale *x_scale = &layout->x, *y_scale = &layout->panels[0].y;
    size_t count = 0;
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

/* In the emptiest corner; where none is empty the axis becomes longer at its end. False where the
 * key would take more than half of the plot. */
static bool place_key_inside(Layout *layout, double wide, double high) {
    const double key_wide = (widest_entry(layout) + key_sample(layout)) / wide;
    const double key_high = (layout->key_high + 0.6 * layout->font) / high;
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
    if (least > 0 && (key_high > 0.5 || isfinite(layout->style->y_range.most))) {
        return false;
    }
    if (least > 0) {
        Scale *y = &layout->panels[0].y;
        const double longer = key_high / (1 - key_high);
        layout->key_below = false;
        y->most = y->log ? y->most * pow(y->most / y->least, longer)
                         : y->most + (y->most - y->least) * longer;
    }
    return true;
}

/* Where the key is: names at the ends of lines need room beside the panels. */
static void choose_legend(Layout *layout) {
    const DocChart *chart = layout->chart;
    const bool direct = chart->kind == CHART_LINES && !chart->ceilings_named &&
                        (layout->panel_count == 1 || !share_axis(chart));
    count_key(layout);
    if (layout->legend == FIGURE_LEGEND_USUAL) {
        layout->legend = FIGURE_LEGEND_DIRECT;
        const bool roomy = widest_entry(layout) + 1.2 * layout->font <= 0.46 * layout->width;
        layout->legend = layout->entries > 1 && roomy ? FIGURE_LEGEND_DIRECT : FIGURE_LEGEND_BELOW;
    }
    /* Points of a roofline lie too close for names, and bars leave no room among them. */
    if ((layout->legend == FIGURE_LEGEND_DIRECT && !direct) ||
        (layout->legend == FIGURE_LEGEND_INSIDE &&
         (chart->kind != CHART_LINES || layout->panel_count > 1))) {
        layout->legend = FIGURE_LEGEND_BELOW;
    }
    count_key(layout);
}

/* === The whole ================================================================================ */

/* What lies below the axes, from the foot upwards, and the height of the whole. `axis`: what the
 * names of x and its title take. */
static void stack(Layout *layout, double axis, double panels) {
    const double font = layout->font;
    double y = 0.35 * font;
    layout->made_y = y;
    y += lines_high(layout, &layout->made);
    layout->note_y = y;
    y += lines_high(layout, &layout->note);
    y += layout->note.count + layout->made.count > 0 ? 0.3 * font : 0;
    layout->key_y = y;
    y += layout->legend == FIGURE_LEGEND_BELOW && layout->entries > 0
             ? layout->key_high + 0.3 * font
             : 0;
    layout->x_title_y = y + 0.7 * font;
    layout->bottom = y + axis;
    /* Names at the ends of lines may reach above the plot. */
    const double names = layout->legend == FIGURE_LEGEND_DIRECT ? 0.5 * font : 0;
    layout->top =
        names + (layout->title.count > 0 ? 0.8 : 0.6) * font + lines_high(layout, &layout->title);
    layout->height = layout->bottom + panels + layout->top;
}

/* --- Lines ------------------------------------------------------------------------------------ */

/* A name at an end of the x axis is wider than what is beside its mark. */
static double out_at_end(const Layout *layout, double length) {
    const Mark *last = layout->x.count > 0 ? &layout->x.marks[layout->x.count - 1] : NULL;
    return last == NULL || layout->turned ? 0
                                          : figure_place(&layout->x, last->value) * length +
                                                mark_wide(layout, last) / 2 + 2 - length;
}

/* Panels that share their axes stand side by side, in up to three columns, the others one below
 * the other. */
static Status lay_out_lines(Layout *layout) {
    const double font = layout->font;
    const DocChart *chart = layout->chart;
    const size_t count = layout->panel_count;
    const bool beside = share_axis(chart) && count > 1;
    const size_t columns = !beside ? 1 : count < 3 ? count : count == 4 ? 2 : 3;
    const size_t rows = (count + columns - 1) / columns;
    STATUS_TRY(find_scales(layout));
    choose_legend(layout);
    const bool direct = layout->legend == FIGURE_LEGEND_DIRECT;
    double high = (count == 1 ? 0.5 : 0.45) * layout->style->width * mm;
    if (direct) {
        high = fmax(high, 1.12 * font * (double)(layout->entries + 1));
    }
    if (layout->legend == FIGURE_LEGEND_INSIDE &&
        !place_key_inside(layout, layout->width - 6 * font, high)) {
        layout->legend = FIGURE_LEGEND_BELOW;
        count_key(layout);
    }
    double names = 0;
    for (size_t i = 0; i < count; i++) {
        layout->panels[i].high = high;
        if (!layout->panels[i].empty) {
            mark_y(layout, &layout->panels[i]);
            names = fmax(names, widest_name(layout, &layout->panels[i].y));
        }
    }
    layout->left = 2.7 * font + names;
    layout->right = direct ? widest_entry(layout) + 1.2 * font : 0.5 * font;
    double wide = beside ? 17 * font : layout->width - layout->left - layout->right;
    mark_x(layout, wide);
    if (!direct) {
        layout->right = fmax(layout->right, out_at_end(layout, wide));
    }
    double gap = beside ? fmax(2 * font, 2 * layout->right + font) : 0;
    if (beside && !layout->turned) {
        gap = fmax(gap, out_at_ends(layout, wide) + 0.7 * layout->letter);
    }
    if (beside) {
        const double n = (double)columns;
        layout->width =
            fmax(layout->width, layout->left + n * wide + (n - 1) * gap + layout->right);
        find_texts(layout); /* wider lines */
        count_key(layout);
    }
    wide = (layout->width - layout->left - layout->right - (double)(columns - 1) * gap) /
           (double)columns;
    const double head = beside ? 1.7 * font : 0, row_gap = rows > 1 ? 1.2 * font : 0;
    const double pitch = head + high + row_gap;
    const double x_names =
        layout->turned ? 0.72 * widest_name(layout, &layout->x) + 1.2 * font : 1.7 * font;
    stack(layout, x_names + 1.6 * font, (double)rows * pitch - row_gap);
    for (size_t i = 0; i < count; i++) {
        Panel *panel = &layout->panels[i];
        panel->wide = wide;
        panel->left = layout->left + (double)(i % columns) * (wide + gap);
        const size_t row = i / columns;
        panel->bottom = layout->height - layout->top - head - high - (double)row * pitch;
        panel->names_shown = i + columns >= count;
        panel->values_named = i % columns == 0;
    }
    layout->beside = beside;
    return status_ok();
}

/* --- Bars and cells --------------------------------------------------------------------------- */

/* Bars lie one below the other. */
static Status lay_out_bars(Layout *layout) {
    const double font = layout->font;
    const DocChart *chart = layout->chart;
    Panel *panel = &layout->panels[0];
    const double bars = (double)chart->x.count;
    bool notes = false, heading = false;
    double widest = 0, most = 0;
    STATUS_TRY(find_scales(layout));
    choose_legend(layout);
    for (size_t i = 0; i < chart->x.count; i++) {
        char name[CHART_TEXT_SIZE], note[CHART_TEXT_SIZE];
        split_text(chart->x.ticks[i].label, name, note);
        widest =
            fmax(widest, fmax(figure_letters(layout, name), 0.8 * figure_letters(layout, note)));
        notes |= note[0] != '\0';
    }
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        const bool words = series->style == SERIES_WORDS;
        heading |= words && series->name != NULL && series->name[0] != '\0';
        for (size_t j = 0; j < series->count; j++) {
            const char *label = series->points[j].label;
            most = fmax(most, words && label != NULL ? figure_letters(layout, label) : 0);
        }
    }
    panel->y.least = 0;
    layout->left = fmin(widest + font, 0.45 * layout->width);
    layout->right = fmax(most + 0.8 * font, font);
    mark_steps(&panel->y, 5);
    layout->heading_high = heading ? 1.3 * font : 0;
    stack(layout, 3.2 * font, (notes ? 2.5 : 2.0) * font * bars + layout->heading_high);
    panel->left = layout->left;
    panel->bottom = layout->bottom;
    panel->wide = layout->width - layout->left - layout->right;
    panel->high = layout->height - layout->bottom - layout->top - layout->heading_high;
    return status_ok();
}

/* Cells are as wide as the width allows, and no narrower than a count. Far too many classes have
 * neither names nor counts. */
static Status lay_out_cells(Layout *layout) {
    const double font = layout->font;
    const DocChart *chart = layout->chart;
    const double columns = (double)chart->x.count, rows = (double)chart->count;
    FigureRange x = {INFINITY, -INFINITY}, counts;
    double row_names = 0, column_names = 0;
    find_ranges(chart, 0, &x, &counts);
    if (!is_range(&counts) || chart->x.count == 0) {
        return status_make(STATUS_USAGE, "figure: there is nothing to draw");
    }
    layout->legend = FIGURE_LEGEND_NONE;
    layout->cells_named = columns <= 60 && rows <= 60;
    for (size_t i = 0; i < chart->count; i++) {
        char name[CHART_TEXT_SIZE];
        figure_cut(layout, chart->series[i].name, 14 * font, name);
        row_names = fmax(row_names, figure_letters(layout, name));
    }
    for (size_t i = 0; i < chart->x.count; i++) {
        char name[CHART_TEXT_SIZE];
        figure_cut(layout, chart->x.ticks[i].label, 14 * font, name);
        column_names = fmax(column_names, figure_letters(layout, name));
    }
    char digits[32];
    snprintf(digits, sizeof digits, "%.0f", counts.most);
    const bool named = layout->cells_named;
    layout->left = 2 * font + (named ? row_names + 0.5 * font : 0);
    layout->right = 4.2 * font; /* shades */
    const double least = named
                             ? fmax(0.75 * figure_letters(layout, digits) + 0.4 * font, 1.5 * font)
                             : fmax(750 / columns, 2.2);
    const double wide =
        fmin(fmax((layout->width - layout->left - layout->right) / columns, least), 6.5 * font);
    const double high = named ? fmin(wide, 3 * font) : wide;
    layout->turned = named && column_names > wide - 0.4 * font;
    const double needed = layout->left + wide * columns + layout->right;
    layout->left += fmax(0, layout->width - needed) / 2;
    layout->width = fmax(layout->width, needed);
    layout->cell_letters = wide < 2.1 * font ? 0.7 : 0.85;
    find_texts(layout);
    stack(layout,
          2.0 * font + (!named           ? 0
                        : layout->turned ? column_names + 0.6 * font
                                         : 1.2 * font),
          high * rows);
    layout->panels[0] = (Panel){.left = layout->left,
                                .bottom = layout->bottom,
                                .wide = wide * columns,
                                .high = high * rows,
                                .y = {.most = counts.most}};
    return status_ok();
}

Status figure_lay_out(const FigureStyle *style, const DocChart *chart, Layout *layout) {
    const size_t panels = chart->panel_count > 0 ? chart->panel_count : 1;
    *layout = (Layout){.style = style,
                       .chart = chart,
                       .font = style->font_size,
                       .letter = 0.6 * style->font_size,
                       .legend = style->legend,
                       .width = style->width * mm,
                       .panel_count = panels,
                       .panels = calloc(panels, sizeof(Panel))};
    if (layout->panels == NULL) {
        return status_no_memory("for a figure");
    }
    find_texts(layout);
    STATUS_TRY(chart->kind == CHART_BARS   ? lay_out_bars(layout)
               : chart->kind == CHART_HEAT ? lay_out_cells(layout)
                                           : lay_out_lines(layout));
    return layout->panels[0].wide >= 0.35 * layout->width || panels > 1
               ? status_ok()
               : status_make(
                     STATUS_USAGE,
                     "figure: names leave too little of %g mm for the plot; --legend below, "
                     "shorter names (--rename) or a larger --width leave more",
                     style->width);
}

void figure_layout_release(Layout *layout) {
    free(layout->panels);
    layout->panels = NULL;
}
