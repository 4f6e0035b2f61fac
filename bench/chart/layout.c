/* Where everything of a picture lies that gnuplot draws: axes and their marks, key, words. */

#include "layout.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
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

/* Adds a text in at most `most` lines that are broken at blanks, or behind commas where it has
 * some; the last one is cut. `size`: its letters, relative to the usual ones. */
static void break_lines(const Layout *layout, FigureLines *lines, const char *text, bool at_commas,
                        size_t most, double room) {
    const char *rest = text;
    most += lines->count;
    lines->cut = false;
    while (rest[0] != '\0' && lines->count < most && lines->count < FIGURE_LINES_MAX) {
        char *line = lines->lines[lines->count++];
        size_t length = figure_bytes_that_fit(layout, rest, room);
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
            lines->cut = true;
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
        if (!lines->cut) {
            return;
        }
    }
    lines->count = before;
    break_lines(layout, lines, text, at_commas, most, room);
}

double figure_line_high(const FigureLayout *layout, const FigureLines *lines) {
    return 1.25 * lines->size * layout->font;
}

static double lines_high(const Layout *layout, const FigureLines *lines) {
    return figure_line_high(layout, lines) * (double)lines->count;
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

/* === Scales =================================================================================== */

static void widen(FigureRange *range, bool is_log, double value) {
    if (figure_shows(is_log, value)) {
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

/* How far an interval may widen an axis beyond the values: what reaches further is cut. */
static FigureRange limits_of(const FigureRange *values, bool is_log) {
    const double share = 0.3;
    if (is_log) {
        const double factor =
            fmax(3, pow(values->most / values->least, share)); /* of one value: a third to three */
        return (FigureRange){values->least / factor, values->most * factor};
    }
    const double more = fmax(share * (values->most - values->least),
                             0.5 * fmax(fabs(values->least), fabs(values->most)));
    return (FigureRange){values->least - more, values->most + more};
}

/* Widens the range of values by the ends of intervals: up to the limits where few go beyond. */
static void widen_by_ends(FigureRange *y, const FigureRange *ends, size_t beyond, size_t points,
                          bool is_log) {
    enum { FEW = 4 }; /* one point of so many */
    const FigureRange limits = limits_of(y, is_log);
    const bool cut = beyond * FEW <= points;
    y->least = fmin(y->least, cut ? fmax(ends->least, limits.least) : ends->least);
    y->most = fmax(y->most, cut ? fmin(ends->most, limits.most) : ends->most);
}

static bool is_in_panel(const DocChart *chart, size_t series, size_t panel) {
    return share_axis(chart) || chart->series[series].panel == panel;
}

/* The ends of the intervals of drawn points; returns how many go beyond the limits of the values.
 */
static size_t find_ends(const DocChart *chart, size_t panel, const ChartAxis *axis,
                        const FigureRange *limits, FigureRange *ends) {
    size_t beyond = 0;
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        for (size_t j = 0; is_in_panel(chart, i, panel) && j < series->count; j++) {
            const ChartPoint *point = &series->points[j];
            if (figure_shows(chart->x.log, point->x) && figure_shows(axis->log, point->y)) {
                widen(ends, axis->log, point->low);
                widen(ends, axis->log, point->high);
                beyond += (figure_shows(axis->log, point->low) && point->low < limits->least) ||
                          (figure_shows(axis->log, point->high) && point->high > limits->most);
            }
        }
    }
    return beyond;
}

/* What the points that can be drawn span: of one panel if it has an axis of its own. */
static void find_ranges(const DocChart *chart, size_t panel, FigureRange *x, FigureRange *y) {
    const ChartAxis *axis = share_axis(chart) ? &chart->y : &chart->panels[panel].y;
    size_t points = 0;
    *y = (FigureRange){INFINITY, -INFINITY};
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        for (size_t j = 0; j < series->count; j++) {
            const ChartPoint *point = &series->points[j];
            if (is_in_panel(chart, i, panel) && figure_shows(chart->x.log, point->x) &&
                figure_shows(axis->log, point->y)) {
                widen(x, chart->x.log, point->x);
                widen(y, axis->log, point->y);
                points++;
            }
        }
    }
    if (is_range(y)) {
        const FigureRange limits = limits_of(y, axis->log);
        FigureRange ends = *y;
        const size_t beyond = find_ends(chart, panel, axis, &limits, &ends);
        widen_by_ends(y, &ends, beyond, chart->kind == CHART_LINES ? points : 0, axis->log);
    }
}

bool chart_is_drawable(const DocChart *chart) {
    FigureRange x = {INFINITY, -INFINITY}, y;
    bool any = false;
    for (size_t i = 0; i < (chart->panel_count > 0 ? chart->panel_count : 1); i++) {
        find_ranges(chart, i, &x, &y);
        any |= is_range(&y);
    }
    return any;
}

/* Room at both ends of what is shown, as a share of it. A linear axis shows nothing below 0 where
 * no value is; `to_zero`: it begins at 0 where that does not take most of it. */
static void pad(Scale *scale, double share, bool to_zero) {
    if (scale->log) {
        const double span = fmax(log(scale->most / scale->least), log(1.5));
        scale->least /= exp(share * span);
        scale->most *= exp(share * span);
    } else {
        double span = scale->most - scale->least;
        span = span > 0 ? span : fabs(scale->most) > 0 ? fabs(scale->most) : 1;
        const bool begins = to_zero && scale->least >= 0 && scale->least < 0.6 * scale->most;
        const bool ends = to_zero && scale->most <= 0 && scale->least < 0;
        scale->least = begins             ? 0
                       : scale->least < 0 ? scale->least - share * span
                                          : fmax(0, scale->least - share * span);
        scale->most = ends ? 0 : scale->most + share * span;
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
    if (!chart_is_drawable(chart)) {
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
        pad(&panel->y, chart->above != NULL ? 0.13 : 0.06, true);
        bound(&panel->y, &style->y_range);
        STATUS_TRY(check_range(&panel->y, 'y', &y));
    }
    layout->x = (Scale){.log = chart->x.log, .least = x.least, .most = x.most};
    pad(&layout->x, chart->ceilings_named ? 0 : 0.04, false);
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
    enum { DECIMALS_MAX = 4 };
    const double rough = (scale->most - scale->least) / most;
    const double unit = pow(10, floor(log10(rough)));
    const double step = rough <= unit       ? unit
                        : rough <= 2 * unit ? 2 * unit
                        : rough <= 5 * unit ? 5 * unit
                                            : 10 * unit;
    const double first = ceil(scale->least / step - 1e-6);
    const int decimals = -(int)floor(log10(step) + 1e-9);
    for (int i = 0; i < FIGURE_MARKS_MAX && (first + i) * step <= scale->most + 1e-6 * step; i++) {
        Mark mark = number_mark((first + i) * step, true);
        mark.is_power = false;
        if (mark.value != 0 && decimals > 0 && decimals <= DECIMALS_MAX) { /* "0.5", "1.0" */
            snprintf(mark.name, sizeof mark.name, "%.*f", decimals, mark.value);
        }
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
    /* Every size that was measured is named, unless a page has no room for a turned head. */
    if (!layout->page && axis->count > 0) {
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

/* === Legend =================================================================================== */

/* Where the key is: names at the ends of lines need room beside the panels. */
static void choose_legend(Layout *layout) {
    const DocChart *chart = layout->chart;
    const bool direct = chart->kind == CHART_LINES && !chart->ceilings_named &&
                        (layout->panel_count == 1 || !share_axis(chart));
    figure_key_measure(layout, layout->width);
    if (layout->legend == FIGURE_LEGEND_USUAL) {
        const bool roomy = figure_widest_entry(layout) + 1.2 * layout->font <= 0.46 * layout->width;
        layout->legend = layout->entries > 1 && roomy ? FIGURE_LEGEND_DIRECT : FIGURE_LEGEND_BELOW;
    }
    /* Points of a roofline lie too close for names, and bars leave no room among them. */
    if ((layout->legend == FIGURE_LEGEND_DIRECT && !direct) ||
        (layout->legend == FIGURE_LEGEND_INSIDE &&
         (chart->kind != CHART_LINES || layout->panel_count > 1))) {
        layout->legend = FIGURE_LEGEND_BELOW;
    }
    figure_key_measure(layout, layout->width); /* of the one that was chosen */
}

/* A picture that is nobody's column grows until its key has room. */
static void make_room_for_key(Layout *layout) {
    if (layout->style->legend == FIGURE_LEGEND_USUAL && layout->legend == FIGURE_LEGEND_BELOW) {
        layout->width = fmax(layout->width, layout->key_wide);
    }
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
    if (layout->legend == FIGURE_LEGEND_BELOW && layout->entries > 0) {
        figure_key_move(layout, (layout->width - layout->key_wide) / 2, y);
        y += layout->key_high + 0.3 * font;
    }
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
    make_room_for_key(layout);
    const bool direct = layout->legend == FIGURE_LEGEND_DIRECT;
    double high = (count == 1 ? 0.5 : 0.45) * layout->style->width * mm;
    if (direct) {
        high = fmax(high, 1.12 * font * (double)(layout->entries + 1));
    }
    if (layout->legend == FIGURE_LEGEND_INSIDE &&
        !figure_key_inside(layout, layout->width - 6 * font, high)) {
        layout->legend = FIGURE_LEGEND_BELOW;
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
    layout->right = direct ? figure_widest_entry(layout) + 1.2 * font : 0.5 * font;
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
        figure_key_measure(layout, layout->width);
    }
    wide = (layout->width - layout->left - layout->right - (double)(columns - 1) * gap) /
           (double)columns;
    const double head = beside ? 1.7 * font : 0, row_gap = rows > 1 ? 1.2 * font : 0;
    const double pitch = head + high + row_gap;
    const double x_names =
        layout->turned ? 0.72 * widest_name(layout, &layout->x) + 0.7 * font : 1.7 * font;
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
    if (layout->legend == FIGURE_LEGEND_INSIDE) {
        figure_key_into_corner(layout);
    }
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
        const ChartTick *tick = &chart->x.ticks[i];
        const char *note = tick->note != NULL ? tick->note : "";
        widest = fmax(
            widest, fmax(figure_letters(layout, tick->label), 0.8 * figure_letters(layout, note)));
        notes |= tick->note != NULL;
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

/* --- Within a page ---------------------------------------------------------------------------- */

/* Notes which names are kept where letters are small and not where they are large; `wide` as in
 * thin_names. */
static void find_roomy(Layout *layout, Scale *scale, double length, double wide) {
    Scale narrow = *scale;
    thin_names(layout, &narrow, length, wide);
    for (size_t i = 0; i < scale->count; i++) {
        scale->marks[i].roomy = scale->marks[i].name[0] != '\0' && narrow.marks[i].name[0] == '\0';
    }
}

/* The letters are those of page.css, in a wide and in a narrow page. */
Status figure_lay_out_page(const DocChart *chart, size_t shown, Layout *layout) {
    static const FigureStyle style = {.x_range = {NAN, NAN}, .y_range = {NAN, NAN}};
    static const double small = 12.5, large = 19;
    *layout = (Layout){.style = &style,
                       .chart = chart,
                       .font = small,
                       .letter = 0.6 * small,
                       .width = 640,
                       .height = 400,
                       .page = true,
                       .page_panel = shown,
                       .legend = FIGURE_LEGEND_NONE,
                       .panel_count = 1,
                       .panels = calloc(1, sizeof(Panel))};
    STATUS_MEMORY(layout->panels, "for a chart");
    Panel *panel = &layout->panels[0];
    *panel = (Panel){.left = 72, .bottom = 64, .wide = 552, .high = 300};
    STATUS_TRY(find_scales(layout));
    mark_y(layout, panel);
    mark_x(layout, panel->wide);
    layout->font = large;
    layout->letter = 0.6 * large;
    find_roomy(layout, &panel->y, panel->high, 1.15 * large);
    find_roomy(layout, &layout->x, panel->wide, 0);
    figure_place_names(layout);
    return status_ok();
}

/* --- What does not fit ------------------------------------------------------------------------ */

/* The longest line of the key is told with what shortens it. */
static Status check_key(const Layout *layout) {
    const Panel *panel = &layout->panels[0];
    if (layout->legend != FIGURE_LEGEND_BELOW || layout->entries == 0) {
        return status_ok();
    }
    if (layout->key_wide > layout->width) {
        return status_make(STATUS_USAGE,
                           "figure: the names of the legend are wider than %g mm; shorter names "
                           "(--rename), a smaller --font or a larger --width fit",
                           layout->style->width);
    }
    const double most = layout->chart->kind == CHART_BARS ? INFINITY : panel->high;
    return layout->key_high <= most
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "figure: a legend of %zu names is higher than the plot; name fewer "
                             "lines with --variants, or leave one kind of time out with --measure "
                             "kernel; --legend none or a larger --width also fit",
                             layout->entries);
}

/* The title of a y axis stands beside its panel in letters of three quarters at least; what is
 * counted for a letter is more than most take. */
static Status check_y_titles(const Layout *layout) {
    static const double least_size = 0.75, letter_share = 0.9;
    for (size_t i = 0; i < layout->panel_count && layout->chart->kind == CHART_LINES; i++) {
        const Panel *panel = &layout->panels[i];
        const char *title = panel->empty || layout->beside ? NULL : panel->axis->title;
        const double wide = title != NULL ? figure_letters(layout, title) : 0;
        if (least_size * letter_share * wide > panel->high + 2 * layout->font) {
            return status_make(STATUS_USAGE,
                               "figure: '%.120s' is longer than the y axis; a shorter name "
                               "(--rename), a smaller --font or a larger --width fit",
                               title);
        }
    }
    return status_ok();
}

static Status check_names(const Layout *layout) {
    if (layout->crowded > 0) {
        return status_make(STATUS_USAGE,
                           "figure: %zu name%s within the plot would lie on others; leave lines "
                           "out with --variants or --sizes, or use a larger --width or a smaller "
                           "--font",
                           layout->crowded, layout->crowded == 1 ? "" : "s");
    }
    return layout->title.cut
               ? status_make(STATUS_USAGE, "figure: the --title does not fit %g mm in three lines",
                             layout->style->width)
               : status_ok();
}

/* Names at the ends of lines leave less room for those of the places, which are to stay all. */
static Status check_places(const Layout *layout) {
    const ChartAxis *x = &layout->chart->x;
    const size_t named = count_names(&layout->x);
    size_t wanted = 0;
    for (size_t i = 0; i < x->count; i++) {
        const double place = figure_place(&layout->x, x->ticks[i].value);
        wanted += place >= 0 && place <= 1 && x->ticks[i].label != NULL;
    }
    return layout->legend != FIGURE_LEGEND_DIRECT || named >= wanted
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "figure: names at the ends of lines leave room for %zu of %zu names "
                             "below the axis; --legend below or a larger --width has it, or leave "
                             "some out with --sizes",
                             named, wanted);
}

/* A plot that is left too narrow for its lines, and texts that would be cut. */
static Status check_room(const Layout *layout) {
    if (layout->panels[0].wide < 0.35 * layout->width && layout->panel_count == 1) {
        return status_make(STATUS_USAGE,
                           "figure: names leave too little of %g mm for the plot; --legend below, "
                           "shorter names (--rename) or a larger --width leave more",
                           layout->style->width);
    }
    if (layout->style->legend == FIGURE_LEGEND_USUAL) {
        return status_ok();
    }
    STATUS_TRY(check_key(layout));
    STATUS_TRY(check_places(layout));
    STATUS_TRY(check_y_titles(layout));
    return check_names(layout);
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
    STATUS_MEMORY(layout->panels, "for a figure");
    find_texts(layout);
    STATUS_TRY(chart->kind == CHART_BARS   ? lay_out_bars(layout)
               : chart->kind == CHART_HEAT ? lay_out_cells(layout)
                                           : lay_out_lines(layout));
    if (chart->kind == CHART_LINES) {
        figure_place_names(layout);
    }
    return check_room(layout);
}

void figure_layout_release(Layout *layout) {
    free(layout->panels);
    layout->panels = NULL;
}
