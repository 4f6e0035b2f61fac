/* The files of a paper's figure: its points, a gnuplot script that needs nothing else, and what
 * that draws. */

#include "report_internal.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base.h"
#include "files.h"
#include "status.h"
#include "utf8.h"

/* Lengths are points of 1/72 inch. */
static const double mm = 72 / 25.4;

enum { MARKS_MAX = 64, MARK_SIZE = 64, NAME_MOST = 48 };

/* === Looks ==================================================================================== */

/* How a series is drawn. */
typedef struct SeriesLook {
    const char *colour; /* "#0072B2" */
    int mark;           /* of gnuplot's point types */
    const char *dashes;
    double width;
} SeriesLook;

/* The colour of a series: that of its variant, or of its step, as plot/style.gp has it. */
static const char *series_colour(const DocChart *chart, const ChartSeries *series) {
    static const char *const steps[] = {"#FDC926", "#F79044", "#DE6164", "#B6308B",
                                        "#8405A7", "#4B03A1", "#0D0887"};
    static const char *const greys[] = {"#E2E2E2", "#6B7480", "#9AA3AE", "#C6C6C6"};
    enum { STEPS = 7, GREYS = 4 };
    int most = 0;
    for (size_t i = 0; i < chart->count; i++) {
        most = chart->series[i].colour > most ? chart->series[i].colour : most;
    }
    if (series->style == SERIES_CEILING || series->style == SERIES_WORDS) {
        return "#202020";
    }
    if (chart->kind == CHART_BARS && series->style == SERIES_SECONDARY) {
        return greys[series->colour % GREYS];
    }
    if (chart->ordered) {
        return steps[most == 0      ? STEPS / 2
                     : most < STEPS ? series->colour * (STEPS - 1) / most
                                    : series->colour % STEPS];
    }
    return look_numbered(series->colour).colour;
}

/* Marks are those of the variant in the first run, crosses and stars in further ones. */
static SeriesLook look_of(const DocChart *chart, const ChartSeries *series, size_t ceiling) {
    static const int full[] = {7, 5, 9, 13, 11, 15}, hollow[] = {6, 4, 8, 12, 10, 14};
    static const int others[] = {2, 1, 3};
    const Look variant = look_numbered(series->colour);
    static const char *const ceiling_dashes[] = {"solid", "(10, 5)", "(2, 4)", "(10, 4, 2, 4)"};
    enum { SHAPES = 6, OTHERS = 3, DASHES = 4 };
    const size_t shape =
        chart->ordered ? (size_t)series->colour % SHAPES : (size_t)variant.marker % SHAPES;
    const bool is_hollow = !chart->ordered && variant.hollow;
    SeriesLook look = {.colour = series_colour(chart, series), .dashes = "solid", .width = 1.5};
    look.mark = series->run > 0 ? others[series->run % OTHERS]
                : is_hollow     ? hollow[shape]
                                : full[shape];
    if (series->style == SERIES_SECONDARY) {
        look.dashes = "(7, 4)";
    } else if (series->style == SERIES_CEILING) {
        look.dashes = ceiling_dashes[ceiling % DASHES];
        look.width = 0.8;
    } else if (series->run > 0) {
        look.dashes = "(4, 2)";
    }
    return look;
}

/* === Layout =================================================================================== */

typedef struct Mark {
    double value;
    char name[MARK_SIZE]; /* as plain text; empty: without one */
    int power;            /* the name is ten to it */
    bool is_power, minor;
} Mark;

/* An axis as it is drawn. */
typedef struct Scale {
    bool log;
    double least, most; /* at its ends */
    Mark marks[MARKS_MAX];
    size_t count;
} Scale;

typedef struct Layout {
    const PaperRequest *request;
    const DocChart *chart;
    double font, letter; /* size, and what a letter is wide on average */
    double width, height, left, right, top, bottom;
    Scale x, y;
    bool turned; /* names of marks of x */
    size_t entries, key_rows;
    double key_high;
    PaperLegend legend;        /* that was asked for, or below where it has no room inside */
    bool key_right, key_below; /* of a key inside: in which corner */
} Layout;

/* What a text takes in a wide sans serif: letters of other fonts are narrower. */
static double letters(const Layout *layout, const char *text) {
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

static double place_in(const Scale *scale, double value) {
    return scale->log ? log(value / scale->least) / log(scale->most / scale->least)
                      : (value - scale->least) / (scale->most - scale->least);
}

static bool can_be_drawn(bool is_log, double value) {
    return isfinite(value) && (!is_log || value > 0);
}

static void widen(PaperRange *range, bool is_log, double value) {
    if (can_be_drawn(is_log, value)) {
        range->least = fmin(range->least, value);
        range->most = fmax(range->most, value);
    }
}

static bool is_in_key(const Layout *layout, const ChartSeries *series) {
    return series->count > 0 && series->style != SERIES_WORDS &&
           !(layout->chart->ceilings_named && series->style == SERIES_CEILING);
}

/* --- Ranges ----------------------------------------------------------------------------------- */

/* Room at both ends of what is shown, as a share of it. */
static void pad(Scale *scale, double below, double above) {
    if (scale->log) {
        const double span = fmax(log(scale->most / scale->least), log(1.5));
        scale->least /= exp(below * span);
        scale->most *= exp(above * span);
    } else {
        double span = scale->most - scale->least;
        span = span > 0 ? span : fabs(scale->most) > 0 ? fabs(scale->most) : 1;
        const bool from_zero = scale->least >= 0 && scale->least < 0.6 * scale->most;
        scale->least = from_zero ? 0 : scale->least - below * span;
        scale->most += above * span;
    }
}

/* An end that was asked for stays as it is. */
static void bound(Scale *scale, const PaperRange *asked) {
    scale->least = isfinite(asked->least) ? asked->least : scale->least;
    scale->most = isfinite(asked->most) ? asked->most : scale->most;
}

/* STATUS_USAGE when no point is between the ends. */
static Status check_range(const Scale *scale, char axis, const PaperRange *points) {
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
    PaperRange x = {INFINITY, -INFINITY}, y = {INFINITY, -INFINITY};
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        for (size_t j = 0; j < series->count; j++) {
            const ChartPoint *point = &series->points[j];
            if (can_be_drawn(chart->x.log, point->x) && can_be_drawn(chart->y.log, point->y)) {
                widen(&x, chart->x.log, point->x);
                widen(&y, chart->y.log, point->y);
                widen(&y, chart->y.log, point->low);
                widen(&y, chart->y.log, point->high);
            }
        }
    }
    if (x.least > x.most || y.least > y.most) {
        return status_make(STATUS_USAGE, "figure: no point can be drawn on a logarithmic axis; "
                                         "--x linear --y linear draws zeros");
    }
    if (isfinite(y.least)) {
        widen(&y, chart->y.log, chart->reference);
    }
    layout->x = (Scale){.log = chart->x.log, .least = x.least, .most = x.most};
    layout->y = (Scale){.log = chart->y.log, .least = y.least, .most = y.most};
    const bool bars = chart->kind == CHART_BARS;
    pad(&layout->x, chart->ceilings_named ? 0 : 0.04, chart->ceilings_named ? 0 : 0.04);
    pad(&layout->y, 0.06, bars ? 0 : 0.06);
    bound(&layout->x, &layout->request->x_range);
    bound(&layout->y, &layout->request->y_range);
    STATUS_TRY(check_range(&layout->x, 'x', &x));
    return check_range(&layout->y, 'y', &y);
}

/* --- Marks ------------------------------------------------------------------------------------ */

static void add_mark(Scale *scale, const Mark *mark) {
    const double place = place_in(scale, mark->value);
    if (scale->count < MARKS_MAX && place > -1e-6 && place < 1 + 1e-6) {
        scale->marks[scale->count++] = *mark;
    }
}

/* "20M" for 20000000. */
static void short_number(double value, char text[MARK_SIZE]) {
    static const struct {
        double unit;
        const char *letter;
    } units[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}};
    size_t i = fabs(value) < 1e5 ? 3 : 0;
    while (i < 3 && fabs(value) < units[i].unit) {
        i++;
    }
    number_text(value / units[i].unit, text, MARK_SIZE);
    text_append(text, MARK_SIZE, "%s", units[i].letter);
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
    for (int i = 0; i < MARKS_MAX && (first + i) * step <= scale->most + 1e-6 * step; i++) {
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
    return mark->is_power ? 3 * layout->letter : letters(layout, mark->name);
}

/* Whether the names of the marks lie beside each other; `wide` is what one takes, 0: its text. */
static bool names_fit(const Layout *layout, const Scale *scale, double length, double wide) {
    double last = -INFINITY;
    for (size_t i = 0; i < scale->count; i++) {
        const Mark *mark = &scale->marks[i];
        const double half = wide > 0 ? wide / 2 : mark_wide(layout, mark) / 2;
        const double middle = place_in(scale, mark->value) * length;
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
            taken = place_in(scale, mark->value) * length - half - gap;
            break;
        }
    }
    size_t named = 0;
    const size_t names = count_names(scale);
    for (size_t i = 0; i < scale->count; i++) {
        Mark *mark = &scale->marks[i];
        const double half = (wide > 0 ? wide : mark_wide(layout, mark)) / 2;
        const double middle = place_in(scale, mark->value) * length;
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

/* The named places, or numbers. Names that lie on each other are turned, or thinned. */
static void mark_x(Layout *layout, double length) {
    const ChartAxis *axis = &layout->chart->x;
    Scale *scale = &layout->x;
    for (size_t i = 0; i < axis->count; i++) {
        Mark mark = {.value = axis->ticks[i].value};
        utf8_copy(mark.name, sizeof mark.name,
                  axis->ticks[i].label != NULL ? axis->ticks[i].label : "");
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
static void mark_y(Layout *layout, double length) {
    const ChartAxis *axis = &layout->chart->y;
    const double line = 1.6 * layout->font;
    for (size_t i = 0; i < axis->count; i++) {
        Mark mark = {.value = axis->ticks[i].value};
        utf8_copy(mark.name, sizeof mark.name, axis->ticks[i].label);
        add_mark(&layout->y, &mark);
    }
    if (axis->count == 0) {
        mark_scale(&layout->y, length / line);
    } else {
        thin_names(layout, &layout->y, length, line);
    }
}

/* --- Key -------------------------------------------------------------------------------------- */

static const char *shown_name(const ChartSeries *series) {
    return series->name != NULL ? series->name : "";
}

static double widest_entry(const Layout *layout) {
    double widest = 0;
    for (size_t i = 0; i < layout->chart->count; i++) {
        if (is_in_key(layout, &layout->chart->series[i])) {
            widest = fmax(widest, letters(layout, shown_name(&layout->chart->series[i])));
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
    const bool below = layout->legend == PAPER_LEGEND_BELOW;
    layout->entries = 0;
    for (size_t i = 0; i < layout->chart->count; i++) {
        layout->entries += is_in_key(layout, &layout->chart->series[i]);
    }
    const size_t columns = below && room >= 2 ? (size_t)room : 1;
    layout->key_rows = (layout->entries + columns - 1) / columns;
    layout->key_high = (double)layout->key_rows * key_line(layout);
}

/* Points of lines, and places between them, that lie in a corner. */
static size_t covered(const Layout *layout, bool right, bool below, double wide, double high) {
    enum { BETWEEN = 8 };
    size_t count = 0;
    for (size_t i = 0; i < layout->chart->count; i++) {
        const ChartSeries *series = &layout->chart->series[i];
        for (size_t j = 0; j + 1 < series->count; j++) {
            const ChartPoint *a = &series->points[j], *b = &series->points[j + 1];
            const double ax = place_in(&layout->x, a->x), bx = place_in(&layout->x, b->x);
            const double ay = place_in(&layout->y, a->y), by = place_in(&layout->y, b->y);
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
    if (least > 0 && (key_high > 0.5 || isfinite(layout->request->y_range.most))) {
        return false;
    }
    if (least > 0) {
        Scale *y = &layout->y;
        const double longer = key_high / (1 - key_high);
        layout->key_below = false;
        y->most = y->log ? y->most * pow(y->most / y->least, longer)
                         : y->most + (y->most - y->least) * longer;
    }
    return true;
}

/* --- The whole -------------------------------------------------------------------------------- */

/* For lines: the plot is half as high as the figure is wide. */
static Status lay_out_lines(Layout *layout) {
    const double font = layout->font;
    if (layout->chart->ceilings_named && layout->legend == PAPER_LEGEND_DIRECT) {
        layout->legend = PAPER_LEGEND_BELOW; /* points lie too close for names */
    }
    const bool direct = layout->legend == PAPER_LEGEND_DIRECT;
    const double plot_high = 0.5 * layout->width;
    STATUS_TRY(find_scales(layout));
    count_key(layout);
    if (layout->legend == PAPER_LEGEND_INSIDE &&
        !place_key_inside(layout, layout->width - 6 * font, plot_high)) {
        layout->legend = PAPER_LEGEND_BELOW;
        count_key(layout);
    }
    mark_y(layout, plot_high);
    layout->left = 2.7 * font + widest_name(layout, &layout->y);
    layout->right = direct ? widest_entry(layout) + 1.2 * font : 0.5 * font;
    mark_x(layout, layout->width - layout->left - layout->right);
    if (!direct && !layout->turned && layout->x.count > 0) {
        const Mark *last = &layout->x.marks[layout->x.count - 1];
        const double plot = layout->width - layout->left - layout->right;
        const double out =
            place_in(&layout->x, last->value) * plot + mark_wide(layout, last) / 2 - plot;
        layout->right = fmax(layout->right, out + 2);
    }
    layout->top =
        (direct ? 1.0 : 0.6) * font +
        (layout->chart->title != NULL && layout->chart->title[0] != '\0' ? 1.6 * font : 0);
    const double names =
        layout->turned ? 0.72 * widest_name(layout, &layout->x) + 1.2 * font : 1.7 * font;
    const bool below = layout->legend == PAPER_LEGEND_BELOW;
    layout->bottom = names + 1.8 * font + (below ? layout->key_high + 0.5 * font : 0);
    layout->height = layout->top + plot_high + layout->bottom;
    return status_ok();
}

/* Bars lie one below the other. */
static Status lay_out_bars(Layout *layout) {
    const double font = layout->font;
    const double pitch = 2.0 * font;
    double widest = 0;
    STATUS_TRY(find_scales(layout));
    for (size_t i = 0; i < layout->chart->x.count; i++) {
        widest = fmax(widest, letters(layout, layout->chart->x.ticks[i].label));
    }
    if (layout->legend != PAPER_LEGEND_NONE) { /* bars leave no room for names among them */
        layout->legend = PAPER_LEGEND_BELOW;
    }
    count_key(layout);
    layout->y.least = 0;
    layout->left = fmin(widest + font, 0.4 * layout->width);
    layout->right = 8 * layout->letter; /* totals */
    mark_steps(&layout->y, 5);
    layout->top =
        0.6 * font +
        (layout->chart->title != NULL && layout->chart->title[0] != '\0' ? 1.6 * font : 0);
    layout->bottom =
        3.5 * font + (layout->legend == PAPER_LEGEND_BELOW ? layout->key_high + 0.5 * font : 0);
    layout->height = layout->top + pitch * (double)layout->chart->x.count + layout->bottom;
    return status_ok();
}

static double plot_wide(const Layout *layout) {
    return layout->width - layout->left - layout->right;
}

static double plot_high(const Layout *layout) {
    return layout->height - layout->top - layout->bottom;
}

static Status lay_out(const PaperRequest *request, const DocChart *chart, Layout *layout) {
    *layout = (Layout){.request = request,
                       .chart = chart,
                       .font = request->font_size,
                       .letter = 0.6 * request->font_size,
                       .legend = request->legend,
                       .width = request->width * mm};
    STATUS_TRY(chart->kind == CHART_BARS ? lay_out_bars(layout) : lay_out_lines(layout));
    return plot_wide(layout) >= 0.35 * layout->width
               ? status_ok()
               : status_make(
                     STATUS_USAGE,
                     "figure: names leave too little of %g mm for the plot; --legend below, "
                     "shorter names (--rename) or a larger --width leave more",
                     request->width);
}

/* === Script =================================================================================== */

typedef struct Script {
    FILE *stream;
    const Layout *layout;
    const char *name; /* of the files, without suffix */
    bool latex;       /* texts are LaTeX's */
} Script;

/* False where LaTeX's commands for the text are too long. */
static bool latex_of(const char *plain, char shown[CHART_TEXT_SIZE]) {
    char *latex = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&latex, &size);
    if (memory != NULL) {
        latex_text(memory, plain);
        fclose(memory);
    }
    const bool fits = size < CHART_TEXT_SIZE / 2; /* percent signs may be doubled */
    utf8_copy(shown, CHART_TEXT_SIZE, latex != NULL && fits ? latex : "");
    free(latex);
    return fits;
}

/* A text as the format shows it. For LaTeX a long one is cut before it is escaped, since half a
 * command would be an error. */
static void text_of_format(const Script *script, const char *text, char shown[CHART_TEXT_SIZE]) {
    utf8_copy(shown, CHART_TEXT_SIZE, text);
    if (script->latex) {
        char plain[CHART_TEXT_SIZE];
        chart_text(text, plain, sizeof plain);
        size_t room = CHART_TEXT_SIZE / 2;
        do {
            char part[CHART_TEXT_SIZE];
            utf8_copy(part, room, plain);
            room /= 2;
            if (latex_of(part, shown)) {
                break;
            }
        } while (room > 1);
    }
}

static void write_text(const Script *script, const char *text) {
    char shown[CHART_TEXT_SIZE];
    text_of_format(script, text, shown);
    gnuplot_text_write(script->stream, shown);
}

/* Of a mark: gnuplot takes its name for a format, in which two percent signs are one. */
static void write_mark_name(const Script *script, const char *text) {
    char shown[CHART_TEXT_SIZE], doubled[2 * CHART_TEXT_SIZE];
    size_t used = 0;
    text_of_format(script, text, shown);
    for (const char *c = shown; *c != '\0'; c++) {
        doubled[used++] = *c;
        if (*c == '%') {
            doubled[used++] = '%';
        }
    }
    doubled[used] = '\0';
    gnuplot_text_write(script->stream, doubled);
}

/* "10⁻⁷" */
static void write_power(const Script *script, int power) {
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char text[MARK_SIZE], digits[16];
    if (script->latex) {
        fprintf(script->stream, "'$10^{%d}$'", power);
        return;
    }
    snprintf(digits, sizeof digits, "%d", power);
    snprintf(text, sizeof text, "10");
    for (const char *c = digits; *c != '\0'; c++) {
        text_append(text, sizeof text, "%s", *c == '-' ? "⁻" : raised[*c - '0']);
    }
    gnuplot_text_write(script->stream, text);
}

static void write_number(FILE *stream, double value) {
    char number[32];
    number_text_exact(value, number, sizeof number);
    /* gnuplot divides whole numbers as C does. */
    fprintf(stream, "%s%s", number, strpbrk(number, ".e") == NULL ? ".0" : "");
}

static void write_scale(const Script *script, char axis, const Scale *scale, const char *rotation) {
    FILE *stream = script->stream;
    fprintf(stream, "%s logscale %c%s\n", scale->log ? "set" : "unset", axis,
            scale->log ? " 10" : "");
    fprintf(stream, "set %crange [", axis);
    write_number(stream, scale->least);
    fputc(':', stream);
    write_number(stream, scale->most);
    fprintf(stream, "]\nset %ctics %s(", axis, rotation);
    for (size_t i = 0; i < scale->count; i++) {
        const Mark *mark = &scale->marks[i];
        fputs(i == 0 ? "" : i % 4 == 0 ? ", \\\n    " : ", ", stream);
        if (mark->is_power) {
            write_power(script, mark->power);
        } else {
            write_mark_name(script, mark->name);
        }
        fputc(' ', stream);
        write_number(stream, mark->value);
        fputs(mark->minor ? " 1" : "", stream);
    }
    fputs(")\n", stream);
}

/* A label in the middle of a place in points from the lower left corner. */
static void write_label(const Script *script, const char *text, double x, double y,
                        const char *more) {
    const Layout *layout = script->layout;
    fputs("set label ", script->stream);
    write_text(script, text);
    fprintf(script->stream, " at screen %.4f, %.4f %s\n", x / layout->width, y / layout->height,
            more);
}

/* Margins, titles and where the key is. */
static void write_frame(const Script *script, const char *x_title, const char *y_title) {
    FILE *stream = script->stream;
    const Layout *layout = script->layout;
    const DocChart *chart = layout->chart;
    const double font = layout->font;
    const bool below = layout->legend == PAPER_LEGEND_BELOW;
    fputs("unset label\n", stream);
    fprintf(stream, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n",
            layout->left / layout->width, 1 - layout->right / layout->width);
    fprintf(stream, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n",
            1 - layout->top / layout->height, layout->bottom / layout->height);
    if (chart->title != NULL && chart->title[0] != '\0') {
        write_label(script, chart->title, layout->width / 2, layout->height - 1.1 * font, "center");
    }
    write_label(script, x_title != NULL ? x_title : "", layout->left + plot_wide(layout) / 2,
                (below ? layout->key_high + 0.5 * font : 0) + 0.8 * font, "center");
    write_label(script, y_title != NULL ? y_title : "", 0.75 * font,
                layout->bottom + plot_high(layout) / 2, "center rotate by 90");
    if (below && layout->entries > 0) {
        fprintf(stream,
                "set key at screen 0.5, %.4f center bottom vertical maxrows %zu Left reverse "
                "noenhanced samplen 2 spacing 1\n",
                0.15 * font / layout->height, layout->key_rows);
    } else if (layout->legend == PAPER_LEGEND_INSIDE) {
        fprintf(stream,
                "set key %s %s vertical maxcols 1 Left reverse noenhanced samplen 2 "
                "spacing 1 width 1\n",
                layout->key_right ? "right" : "left", layout->key_below ? "bottom" : "top");
    } else {
        fputs("unset key\n", stream);
    }
}

/* --- Lines ------------------------------------------------------------------------------------ */

enum { DIRECT_MAX = 64 };

typedef struct DirectLabel {
    const ChartSeries *series;
    double y; /* points above the lower end of the plot */
} DirectLabel;

static int compare_labels(const void *a, const void *b) {
    const double left = ((const DirectLabel *)a)->y, right = ((const DirectLabel *)b)->y;
    return left < right ? -1 : left > right;
}

/* To the right of a place. */
static void write_direct_label(const Script *script, const ChartSeries *series, double x,
                               double y) {
    char more[64];
    snprintf(more, sizeof more, "left front textcolor rgb '%s'",
             series_colour(script->layout->chart, series));
    write_label(script, shown_name(series), x + 0.5 * script->layout->font, y, more);
}

/* Names at the right ends of lines, moved apart; of a line that ends early at its own end. */
static void write_direct_labels(const Script *script) {
    const Layout *layout = script->layout;
    const DocChart *chart = layout->chart;
    const double pitch = 1.12 * layout->font, high = plot_high(layout);
    DirectLabel labels[DIRECT_MAX];
    size_t count = 0;
    for (size_t i = 0; i < chart->count && count < DIRECT_MAX; i++) {
        const ChartSeries *series = &chart->series[i];
        if (is_in_key(layout, series)) {
            const ChartPoint *end = &series->points[series->count - 1];
            const double x = place_in(&layout->x, end->x) * plot_wide(layout);
            const double y = fmin(fmax(place_in(&layout->y, end->y), 0), 1) * high;
            if (x < plot_wide(layout) - letters(layout, shown_name(series)) - 2 * layout->font) {
                write_direct_label(script, series, layout->left + x, layout->bottom + y);
            } else {
                labels[count++] = (DirectLabel){series, y};
            }
        }
    }
    qsort(labels, count, sizeof *labels, compare_labels);
    for (size_t i = 1; i < count; i++) {
        labels[i].y = fmax(labels[i].y, labels[i - 1].y + pitch);
    }
    for (size_t i = count; i > 0; i--) {
        const double most = i == count ? high + 0.3 * layout->font : labels[i].y - pitch;
        labels[i - 1].y = fmin(labels[i - 1].y, most);
    }
    for (size_t i = 0; i < count; i++) {
        write_direct_label(script, labels[i].series, layout->width - layout->right,
                           layout->bottom + labels[i].y);
    }
}

/* Ceilings of a roofline have their names along them: a slope where it enters the plot, a flat line
 * at its right end. */
static void write_ceiling_labels(const Script *script) {
    const Layout *layout = script->layout;
    const DocChart *chart = layout->chart;
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        if (series->style != SERIES_CEILING || series->count != 2) {
            continue;
        }
        const ChartPoint *from = &series->points[0], *to = &series->points[1];
        const double x0 = place_in(&layout->x, from->x) * plot_wide(layout);
        const double x1 = place_in(&layout->x, to->x) * plot_wide(layout);
        const double y0 = place_in(&layout->y, from->y) * plot_high(layout);
        const double y1 = place_in(&layout->y, to->y) * plot_high(layout);
        const bool flat = fabs(y1 - y0) < 0.5;
        const double angle = atan2(y1 - y0, x1 - x0);
        /* Below its line where another one of the kind is just above. */
        bool under = false;
        for (size_t j = 0; j < chart->count; j++) {
            const ChartSeries *other = &chart->series[j];
            if (j != i && other->style == SERIES_CEILING && other->count == 2) {
                const double o0 = place_in(&layout->y, other->points[0].y) * plot_high(layout);
                const double o1 = place_in(&layout->y, other->points[1].y) * plot_high(layout);
                const bool other_flat = fabs(o1 - o0) < 0.5;
                const double above = flat ? o1 - y1 : o0 - y0;
                under |= other_flat == flat && above > 0 && above < 1.5 * layout->font;
            }
        }
        const double away = (under ? -0.6 : 0.6) * layout->font;
        char more[128], font[32] = "";
        if (!script->latex) { /* whose letters are narrower */
            snprintf(font, sizeof font, " font ',%g'", 0.85 * layout->font);
        }
        if (flat) {
            snprintf(more, sizeof more, "right textcolor rgb '#202020' front%s", font);
            write_label(script, shown_name(series), layout->left + x1 - 0.4 * layout->font,
                        layout->bottom + y1 + away, more);
        } else {
            snprintf(more, sizeof more, "left rotate by %.1f textcolor rgb '#202020' front%s",
                     angle * 180 / acos(-1), font);
            const double along = 0.8 * layout->font;
            write_label(script, shown_name(series),
                        layout->left + x0 + along * cos(angle) - away * sin(angle),
                        layout->bottom + y0 + along * sin(angle) + away * cos(angle), more);
        }
    }
}

static bool has_bars(const ChartSeries *series) {
    for (size_t i = 0; i < series->count; i++) {
        if (isfinite(series->points[i].low) && isfinite(series->points[i].high)) {
            return true;
        }
    }
    return false;
}

static void write_look(FILE *stream, const SeriesLook *look) {
    fprintf(stream, "linecolor rgb '%s' linewidth %g dashtype %s", look->colour, look->width,
            look->dashes);
}

/* Of many points marks would be a band. */
static bool has_marks(const ChartSeries *series) {
    return series->count <= 24;
}

/* Which lines of the CSV are the series': `first` is the number of the first, behind the header. */
static void write_source(const Script *script, const ChartSeries *series, size_t first) {
    fprintf(script->stream, ", \\\n    csv every ::%zu::%zu using ", first,
            first + series->count - 1);
}

/* Intervals first, so that lines and marks lie above them. */
static void write_lines(const Script *script) {
    FILE *stream = script->stream;
    const DocChart *chart = script->layout->chart;
    fputs("plot ", stream);
    if (isfinite(chart->reference)) {
        fprintf(stream,
                "%g with lines linecolor rgb '#202020' linewidth 0.8 dashtype (6, 4) notitle",
                chart->reference);
    } else {
        fputs("NaN notitle", stream);
    }
    for (int pass = 0; pass < 2; pass++) {
        size_t first = 1, ceiling = 0;
        for (size_t i = 0; i < chart->count; i++) {
            const ChartSeries *series = &chart->series[i];
            const SeriesLook look = look_of(chart, series, ceiling);
            ceiling += series->style == SERIES_CEILING;
            if (pass == 0 && has_bars(series)) {
                write_source(script, series, first);
                if (has_marks(series)) {
                    fprintf(stream,
                            "1:3:(0):($4 - $3) with vectors heads nofilled size graph 0.012, 90 "
                            "linecolor rgb '%s' linewidth 1 notitle",
                            look.colour);
                } else {
                    fprintf(stream,
                            "1:3:4 with filledcurves fillcolor rgb '%s' fillstyle "
                            "transparent solid 0.2 noborder notitle",
                            look.colour);
                }
            } else if (pass == 1 && series->count > 0) {
                const bool words = series->style == SERIES_WORDS;
                const bool line = series->style == SERIES_CEILING || !has_marks(series);
                write_source(script, series, first);
                if (words) {
                    fprintf(
                        stream,
                        "1:2 with points linecolor rgb '%s' pointtype 6 pointsize 2.4 * mark_size "
                        "linewidth 1.2",
                        look.colour);
                } else {
                    fprintf(stream, "1:2 with %s ", line ? "lines" : "linespoints");
                    write_look(stream, &look);
                    if (!line) {
                        fprintf(stream, " pointtype %d pointsize mark_size", look.mark);
                    }
                }
                if (is_in_key(script->layout, series)) {
                    fputs(" title ", stream);
                    write_text(script, shown_name(series));
                } else {
                    fputs(" notitle", stream);
                }
            }
            first += series->count;
        }
    }
    fputc('\n', stream);
}

/* What stands at points without a line: above them, or below where that is outside. */
static void write_words(const Script *script) {
    const Layout *layout = script->layout;
    for (size_t i = 0; i < layout->chart->count; i++) {
        const ChartSeries *series = &layout->chart->series[i];
        for (size_t j = 0; series->style == SERIES_WORDS && j < series->count; j++) {
            const ChartPoint *point = &series->points[j];
            const double x = place_in(&layout->x, point->x), y = place_in(&layout->y, point->y);
            if (point->label != NULL && x >= 0 && x <= 1 && y >= 0 && y <= 1) {
                write_label(
                    script, point->label, layout->left + x * plot_wide(layout) + 0.7 * layout->font,
                    layout->bottom + y * plot_high(layout) - 0.9 * layout->font, "left front");
            }
        }
    }
}

static void write_line_chart(const Script *script) {
    const Layout *layout = script->layout;
    const DocChart *chart = layout->chart;
    write_frame(script, chart->x.title, chart->y.title);
    write_scale(script, 'x', &layout->x, layout->turned ? "rotate by 45 right " : "norotate ");
    write_scale(script, 'y', &layout->y, "");
    if (layout->legend == PAPER_LEGEND_DIRECT) {
        write_direct_labels(script);
    }
    if (chart->ceilings_named) {
        write_ceiling_labels(script);
    }
    write_words(script);
    write_lines(script);
}

/* --- Bars ------------------------------------------------------------------------------------- */

/* Above its bar's middle in points; the first bar is on top. */
static double bar_middle(const Layout *layout, double bar) {
    const double pitch = plot_high(layout) / (double)layout->chart->x.count;
    return layout->bottom + plot_high(layout) - (bar + 0.5) * pitch;
}

static void write_bar_names(const Script *script) {
    const Layout *layout = script->layout;
    for (size_t i = 0; i < layout->chart->x.count; i++) {
        const ChartTick *tick = &layout->chart->x.ticks[i];
        char name[4 * NAME_MOST];
        utf8_copy(name, sizeof name, tick->label);
        write_label(script, name, layout->left - 0.5 * layout->font,
                    bar_middle(layout, tick->value), "right");
    }
}

/* Totals at the ends; shares in parts that have room for them. */
static void write_bar_words(const Script *script) {
    const Layout *layout = script->layout;
    const DocChart *chart = layout->chart;
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        const bool words = series->style == SERIES_WORDS;
        for (size_t j = 0; j < series->count; j++) {
            const ChartPoint *point = &series->points[j];
            const double from = place_in(&layout->y, words ? point->y : point->low);
            const double to = place_in(&layout->y, words ? point->y : point->high);
            if (point->label == NULL) {
                continue;
            }
            if (words) {
                write_label(script, point->label,
                            layout->left + to * plot_wide(layout) + 0.4 * layout->font,
                            bar_middle(layout, point->x), "left");
            } else if ((to - from) * plot_wide(layout) >
                       letters(layout, point->label) + 0.6 * layout->font) {
                const bool dark = series->style != SERIES_SECONDARY || series->colour == 1;
                write_label(script, point->label,
                            layout->left + (from + to) / 2 * plot_wide(layout),
                            bar_middle(layout, point->x),
                            dark ? "center front textcolor rgb '#FFFFFF'"
                                 : "center front textcolor rgb '#202020'");
            }
        }
    }
}

static void write_bar_chart(const Script *script) {
    FILE *stream = script->stream;
    const Layout *layout = script->layout;
    const DocChart *chart = layout->chart;
    const double half = 0.36;
    write_frame(script, chart->y.title, "");
    write_scale(script, 'x', &layout->y, "norotate ");
    fprintf(stream, "unset logscale y\nset yrange [%zu.5:-0.5]\nunset ytics\n",
            chart->x.count > 0 ? chart->x.count - 1 : 0);
    write_bar_names(script);
    write_bar_words(script);
    fputs("plot NaN notitle", stream);
    size_t first = 1;
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        if (series->style != SERIES_WORDS && series->count > 0) {
            write_source(script, series, first);
            fprintf(stream,
                    "(($3 + $4) / 2):1:3:4:($1 - %g):($1 + %g) with boxxyerror fillstyle solid 1 "
                    "border linecolor rgb '#FFFFFF' fillcolor rgb '%s' linewidth 0.5 title ",
                    half, half, series_colour(chart, series));
            write_text(script, shown_name(series));
        }
        first += series->count;
    }
    fputc('\n', stream);
}

/* --- Formats ---------------------------------------------------------------------------------- */

typedef struct Format {
    PaperFormat bit;
    const char *terminal; /* as gnuplot calls it */
    const char *ending;   /* of the file that it opens */
    const char *second;   /* of one that it writes beside; NULL: none */
    bool latex;
} Format;

static const Format formats[PAPER_FORMATS] = {
    {PAPER_PDF, "pdfcairo", ".pdf", NULL, false},           {PAPER_SVG, "svg", ".svg", NULL, false},
    {PAPER_PNG, "pngcairo", ".png", NULL, false},           {PAPER_PGF, "tikz", ".pgf", NULL, true},
    {PAPER_CAIROLATEX, "cairolatex", ".tex", ".pdf", true},
};

/* cairolatex writes a PDF too, which would be that of the format pdf. */
static const char *infix_of(const PaperRequest *request, const Format *format) {
    return format->bit == PAPER_CAIROLATEX && (request->formats & PAPER_PDF) != 0 ? "-latex" : "";
}

/* Names of script and CSV are in strings of gnuplot, which runs those that begin with '<' or '|'.
 */
static void write_file_name(const Script *script, const char *infix, const char *ending) {
    char name[CHART_TEXT_SIZE];
    const bool plain = (script->name[0] >= 'a' && script->name[0] <= 'z') ||
                       (script->name[0] >= 'A' && script->name[0] <= 'Z') ||
                       (script->name[0] >= '0' && script->name[0] <= '9');
    snprintf(name, sizeof name, "%s%s%s%s", plain ? "" : "./", script->name, infix, ending);
    gnuplot_text_write(script->stream, name);
}

static void write_font(const Script *script, double scale) {
    const PaperRequest *request = script->layout->request;
    char font[LIST_WORD_SIZE * 2];
    snprintf(font, sizeof font, "%s,%g", request->font != NULL ? request->font : "Arial",
             request->font_size);
    fputs(" noenhanced font ", script->stream);
    gnuplot_text_write(script->stream, font);
    fprintf(script->stream, " fontscale %.4g", scale);
}

/* Fonts are in points at the size of the print in every format: gnuplot's are of 96 an inch. */
static void write_terminal(const Script *script, const Format *format) {
    FILE *stream = script->stream;
    const Layout *layout = script->layout;
    const double dots = 300, px = 96.0 / 72;
    fprintf(stream, "set terminal %s", format->terminal);
    switch (format->bit) {
    case PAPER_PDF:
        fprintf(stream, " size %.4fin,%.4fin", layout->width / 72, layout->height / 72);
        write_font(script, 0.75);
        fputs(" linewidth 1", stream);
        break;
    case PAPER_SVG:
        fprintf(stream, " size %.0f,%.0f", layout->width * px, layout->height * px);
        write_font(script, px);
        fputs(" linewidth 1 background rgb 'white'", stream);
        break;
    case PAPER_PNG:
        fprintf(stream, " size %.0f,%.0f", layout->width * dots / 72, layout->height * dots / 72);
        write_font(script, dots / 96);
        fprintf(stream, " linewidth %g pointscale %g background rgb 'white'", dots / 96, dots / 96);
        break;
    case PAPER_PGF:
        fprintf(stream, " size %.4fin,%.4fin font '\\fontsize{%g}{%g}\\selectfont'",
                layout->width / 72, layout->height / 72, layout->font, 1.2 * layout->font);
        break;
    case PAPER_CAIROLATEX:
        fprintf(stream,
                " pdf size %.4fin,%.4fin linewidth 2 header '\\fontsize{%g}{%g}\\selectfont'",
                layout->width / 72, layout->height / 72, layout->font, 1.2 * layout->font);
        break;
    }
    fprintf(stream, "\nmark_size = %g\nset output ", format->bit == PAPER_PGF ? 1.2 : 0.5);
    write_file_name(script, infix_of(layout->request, format), format->ending);
    fputc('\n', stream);
}

static void write_head(const Script *script) {
    FILE *stream = script->stream;
    fputs("# A figure of 'bench figure'. Run in this folder, with gnuplot 5.4 or later:\n#\n"
          "#   gnuplot NAME.gp\n#\n"
          "# draws it from the CSV of this name again. Places of labels and margins are shares of\n"
          "# the whole picture. 'every ::A::B' takes the lines A to B of the CSV behind its "
          "header.\n",
          stream);
    fputs("set encoding utf8\nset datafile separator comma\ncsv = ", stream);
    write_file_name(script, "", ".csv");
    fputs("\nset border 3 linewidth 0.75 linecolor rgb '#303030'\n"
          "set tics nomirror out scale 0.5, 0.25\n"
          "set grid xtics ytics linetype 1 linecolor rgb '#E4E4E4' linewidth 0.5\n",
          stream);
}

/* One chart for all formats with the same texts: gnuplot draws it again for each further one. */
static void write_formats(Script *script, bool latex) {
    bool drawn = false;
    script->latex = latex;
    for (size_t i = 0; i < PAPER_FORMATS; i++) {
        if (formats[i].latex != latex || (script->layout->request->formats & formats[i].bit) == 0) {
            continue;
        }
        fputc('\n', script->stream);
        write_terminal(script, &formats[i]);
        if (drawn) {
            fputs("replot\n", script->stream);
        } else if (script->layout->chart->kind == CHART_BARS) {
            write_bar_chart(script);
        } else {
            write_line_chart(script);
        }
        drawn = true;
        fputs("unset output\n", script->stream);
    }
}

static Status write_script(const Layout *layout, const char *path, const char *name) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    Script script = {.stream = file.stream, .layout = layout, .name = name};
    write_head(&script);
    write_formats(&script, false);
    write_formats(&script, true);
    return atomic_file_commit(&file);
}

/* === Files ==================================================================================== */

typedef char Path[ATOMIC_FILE_PATH_SIZE];

static Status path_of(const char *folder, const char *name, const char *ending, Path path) {
    Path file;
    STATUS_TRY(path_make(file, sizeof file, "%s%s", name, ending));
    return path_in(folder, file, path, ATOMIC_FILE_PATH_SIZE);
}

/* gnuplot's strings do not hold every byte of a file name. */
static Status check_name(const char *name) {
    char shown[CHART_TEXT_SIZE];
    chart_text(name, shown, sizeof shown);
    return strcmp(shown, name) == 0
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "--out: '%.80s' cannot be the name of a figure; leave "
                             "control characters out",
                             shown);
}

/* What each format writes: `apply` to every file. */
static Status each_picture(const PaperRequest *request, const char *name,
                           Status (*apply)(const char *file, void *context), void *context) {
    for (size_t i = 0; i < PAPER_FORMATS; i++) {
        const Format *format = &formats[i];
        const char *endings[] = {format->ending, format->second};
        for (size_t j = 0; (request->formats & format->bit) != 0 && j < 2; j++) {
            if (endings[j] != NULL) {
                Path file;
                STATUS_TRY(path_make(file, sizeof file, "%s%s%s", name, infix_of(request, format),
                                     endings[j]));
                STATUS_TRY(apply(file, context));
            }
        }
    }
    return status_ok();
}

typedef struct Move {
    const char *from, *to;
    FILE *listing; /* NULL: nothing is moved, the target is only looked at */
} Move;

static Status move_picture(const char *file, void *context) {
    const Move *move = context;
    Path from, to;
    STATUS_TRY(path_in(move->to, file, to, sizeof to));
    if (move->listing == NULL) {
        return input_guard_check(to);
    }
    STATUS_TRY(path_in(move->from, file, from, sizeof from));
    STATUS_TRY(chart_file_keep(from, to));
    visible_line(move->listing, "%s", to);
    return status_ok();
}

static Status remove_picture(const char *file, void *context) {
    Path path;
    STATUS_TRY(path_in(context, file, path, sizeof path));
    unlink(path);
    return status_ok();
}

/* Runs the script in a folder. */
static Status draw_in(const char *folder, const char *script, const PaperRequest *request) {
    Path scripts, runner, relative;
    char terminals[LIST_WORD_SIZE * 2] = "";
    for (size_t i = 0; i < PAPER_FORMATS; i++) {
        if ((request->formats & formats[i].bit) != 0) {
            text_append(terminals, sizeof terminals, "%s ", formats[i].terminal);
        }
    }
    STATUS_TRY(gnuplot_script_folder(scripts, sizeof scripts));
    STATUS_TRY(path_in(scripts, "in_folder.gp", runner, sizeof runner));
    STATUS_TRY(path_make(relative, sizeof relative, "./%s", script));
    const char *const arguments[] = {folder, relative, terminals};
    const Status drawn = gnuplot_run(runner, arguments, sizeof arguments / sizeof arguments[0]);
    const char *lacks = strstr(drawn.why, "this gnuplot has no terminal");
    return lacks != NULL ? status_make(STATUS_FILE, "%s", lacks) : drawn;
}

/* The pictures are drawn in a folder of their own, by the same files as later, and then moved. */
static Status draw(const Layout *layout, const char *folder, const char *name, FILE *listing) {
    const PaperRequest *request = layout->request;
    Path part, script, csv;
    STATUS_TRY(
        path_make(part, sizeof part, "%s%s/.figure-XXXXXX", folder[0] == '/' ? "" : "./", folder));
    if (mkdtemp(part) == NULL) {
        return status_make(STATUS_FILE, "cannot make a folder in %s: %s", folder, strerror(errno));
    }
    Status status = path_of(part, name, ".gp", script);
    status = status_is_ok(&status) ? path_of(part, name, ".csv", csv) : status;
    status = status_is_ok(&status) ? write_script(layout, script, name) : status;
    status = status_is_ok(&status) ? figure_csv_write(layout->chart, csv) : status;
    status = status_is_ok(&status) ? draw_in(part, path_name(script), request) : status;
    Move move = {.from = part, .to = folder, .listing = listing};
    status = status_is_ok(&status) ? each_picture(request, name, move_picture, &move) : status;
    unlink(script);
    unlink(csv);
    const Status removed = each_picture(request, name, remove_picture, part);
    (void)removed;
    rmdir(part);
    return status;
}

Status paper_write(const PaperRequest *request, const DocChart *chart, const char *folder,
                   const char *name, FILE *listing) {
    Layout *layout = calloc(1, sizeof *layout);
    if (layout == NULL) {
        return status_no_memory("for a figure");
    }
    Path script, csv;
    Move look = {.to = folder};
    Status status = check_name(name);
    status = status_is_ok(&status) ? lay_out(request, chart, layout) : status;
    status = status_is_ok(&status) ? chart_folder_check(folder) : status;
    status = status_is_ok(&status) ? each_picture(request, name, move_picture, &look) : status;
    status = status_is_ok(&status) ? path_of(folder, name, ".gp", script) : status;
    status = status_is_ok(&status) ? path_of(folder, name, ".csv", csv) : status;
    status = status_is_ok(&status) ? figure_csv_write(chart, csv) : status;
    status = status_is_ok(&status) ? write_script(layout, script, name) : status;
    if (status_is_ok(&status)) {
        visible_line(listing, "%s", csv);
        visible_line(listing, "%s", script);
        status = draw(layout, folder, name, listing);
    }
    free(layout);
    return status;
}
