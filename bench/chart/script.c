/* The gnuplot script of a chart: all of it, with nothing to include but the points. */

#include "layout.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "look.h"
#include "markup_text.h"
#include "number.h"
#include "status.h"
#include "text.h"
#include "utf8.h"

/* Lines that guide the eye, and names of ceilings. */
#define GUIDE "#202020"

enum { TEXTS_MAX = 128 };

/* A text as circles along its letters, for finding out what lies on what. */
typedef struct Shape {
    double x, y, dx, dy, radius; /* the first circle, and how far the next ones are */
    size_t count;
} Shape;

typedef struct Script {
    FILE *stream;
    const FigureLayout *layout;
    const char *name; /* of the files, without suffix */
    bool latex;       /* texts are LaTeX's */
    Shape taken[TEXTS_MAX];
    size_t taken_count; /* names within the plot so far */
} Script;

/* === Looks ==================================================================================== */

/* How a series is drawn. */
typedef struct SeriesLook {
    const char *colour; /* "#0072B2" */
    int mark;           /* of gnuplot's point types; 0: none */
    bool hollow;
    char dashes[64];
    double width;
} SeriesLook;

/* From light to dark, of series that have an order. */
static const char *step_colour(const DocChart *chart, int colour) {
    static const char *const steps[] = {"#FDC926", "#F79044", "#DE6164", "#B6308B",
                                        "#8405A7", "#4B03A1", "#0D0887"};
    enum { STEPS = 7 };
    int most = 0;
    for (size_t i = 0; i < chart->count; i++) {
        most = chart->series[i].colour > most ? chart->series[i].colour : most;
    }
    return steps[most == 0      ? STEPS / 2
                 : most < STEPS ? colour * (STEPS - 1) / most
                                : colour % STEPS];
}

/* The colour of a series: that of its variant, or of its step. */
static const char *series_colour(const DocChart *chart, const ChartSeries *series) {
    static const char *const greys[] = {"#E2E2E2", "#6B7480", "#9AA3AE", "#C6C6C6"};
    enum { GREYS = 4 };
    if (series->style == SERIES_CEILING || series->style == SERIES_WORDS) {
        return GUIDE;
    }
    if (chart->kind == CHART_BARS && series->style == SERIES_SECONDARY) {
        return greys[series->colour % GREYS];
    }
    return chart->ordered ? step_colour(chart, series->colour)
                          : look_numbered(series->colour).colour;
}

static void set_dashes(SeriesLook *look, const char *dashes) {
    snprintf(look->dashes, sizeof look->dashes, dashes[0] != '\0' ? "(%s)" : "solid", dashes);
}

/* Ceilings of one corner, a slope and a flat line, have the same dashes. */
static bool begins_where_another_ends(const DocChart *chart, size_t index) {
    const ChartSeries *series = &chart->series[index];
    const ChartSeries *before = index > 0 ? &chart->series[index - 1] : NULL;
    return chart->ceilings_named && before != NULL && before->count > 0 && series->count > 0 &&
           before->points[before->count - 1].x == series->points[0].x &&
           before->points[before->count - 1].y == series->points[0].y;
}

static size_t ceilings_before(const DocChart *chart, size_t index) {
    size_t count = 0;
    for (size_t i = 0; i <= index; i++) {
        count += chart->series[i].style == SERIES_CEILING && !begins_where_another_ends(chart, i);
    }
    return count > 0 ? count - 1 : 0;
}

/* Marks are those of the variant in the first run, crosses and stars in further ones. */
static SeriesLook look_of(const DocChart *chart, size_t index) {
    static const int full[] = {7, 5, 9, 13, 11, 15}, hollow[] = {6, 4, 8, 12, 10, 14};
    static const int others[] = {2, 1, 3};
    static const char *const ceiling_dashes[] = {"",      "10, 5", "2, 4", "10, 4, 2, 4",
                                                 "20, 5", "4, 4"};
    enum { SHAPES = 6, OTHERS = 3, CEILINGS = 6 };
    const ChartSeries *series = &chart->series[index];
    const Look variant = look_numbered(series->colour);
    const size_t shape =
        chart->ordered ? (size_t)series->colour % SHAPES : (size_t)variant.marker % SHAPES;
    SeriesLook look = {.colour = series_colour(chart, series), .width = 1.5};
    look.hollow = (!chart->ordered && variant.hollow) ||
                  (series->style == SERIES_SECONDARY && series->run == 0);
    look.mark = look.hollow ? hollow[shape] : full[shape];
    set_dashes(&look, chart->ordered ? "" : variant.dash);
    if (series->run > 0) {
        look.mark = others[series->run % OTHERS];
        look.hollow = false;
        set_dashes(&look, "4, 2");
    }
    if (series->style == SERIES_SECONDARY) {
        set_dashes(&look, "7, 4");
    } else if (series->style == SERIES_PUBLISHED) {
        look.mark = 2;
        look.hollow = false;
        set_dashes(&look, "1.5, 3");
    } else if (series->style == SERIES_EXTRAPOLATED) {
        look.mark = 0;
        set_dashes(&look, "1, 4");
    } else if (series->style == SERIES_CEILING) {
        look.mark = 0;
        set_dashes(&look, ceiling_dashes[ceilings_before(chart, index) % CEILINGS]);
        look.width = 0.8;
    }
    if (series->same_as > 0) { /* on top of the other one, which shows between */
        set_dashes(&look, "6, 6");
    }
    return look;
}

/* === Texts ==================================================================================== */

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
    char text[FIGURE_MARK_SIZE], digits[16];
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

/* === Parts ==================================================================================== */

static void write_scale(const Script *script, char axis, const FigureScale *scale,
                        const char *rotation, bool named) {
    FILE *stream = script->stream;
    fprintf(stream, "%s logscale %c%s\n", scale->log ? "set" : "unset", axis,
            scale->log ? " 10" : "");
    fprintf(stream, "set %crange [", axis);
    write_number(stream, scale->least);
    fputc(':', stream);
    write_number(stream, scale->most);
    fprintf(stream, "]\nset %ctics %s(", axis, rotation);
    for (size_t i = 0; i < scale->count; i++) {
        const FigureMark *mark = &scale->marks[i];
        char number[32];
        fputs(i == 0 ? "" : i % 4 == 0 ? ", \\\n    " : ", ", stream);
        if (!named) {
            fputs("''", stream);
        } else if (mark->is_power) {
            write_power(script, mark->power);
        } else {
            write_mark_name(script, mark->name);
        }
        snprintf(number, sizeof number, "%.12g", mark->value);
        fprintf(stream, " %s%s", number, strpbrk(number, ".e") == NULL ? ".0" : "");
        fputs(mark->minor ? " 1" : "", stream);
    }
    fputs(")\n", stream);
}

/* A label in the middle of a place in points from the lower left corner. */
static void write_label(const Script *script, const char *text, double x, double y,
                        const char *more) {
    const FigureLayout *layout = script->layout;
    fputs("set label ", script->stream);
    write_text(script, text);
    fprintf(script->stream, " at screen %.4f, %.4f %s\n", x / layout->width, y / layout->height,
            more);
}

/* Letters of another size; those of LaTeX stay, which is told by nothing. */
static void font_of_size(const Script *script, double size, char text[48]) {
    text[0] = '\0';
    if (!script->latex) {
        snprintf(text, 48, " font ',%g'", size * script->layout->font);
    }
}

/* Lines in the middle of the picture, the last one at y. */
static void write_lines_of_text(const Script *script, const FigureLines *lines, double y,
                                const char *colour) {
    const FigureLayout *layout = script->layout;
    const double pitch = 1.25 * lines->size * layout->font;
    for (size_t i = 0; i < lines->count; i++) {
        char more[128], font[48];
        font_of_size(script, lines->size, font);
        snprintf(more, sizeof more, "center textcolor rgb '%s'%s", colour, font);
        write_label(script, lines->lines[i], layout->width / 2,
                    y + pitch * ((double)(lines->count - i) - 0.5), more);
    }
}

static void write_texts(const Script *script) {
    const FigureLayout *layout = script->layout;
    write_lines_of_text(script, &layout->title,
                        layout->height - 0.3 * layout->font -
                            1.25 * layout->title.size * layout->font * (double)layout->title.count,
                        GUIDE);
    write_lines_of_text(script, &layout->note, layout->note_y, GUIDE);
    write_lines_of_text(script, &layout->made, layout->made_y, "#606060");
}

/* A long title has smaller letters. */
static void write_axis_title(const Script *script, const char *title, double x, double y,
                             double room, bool upright) {
    const FigureLayout *layout = script->layout;
    const double wide = figure_letters(layout, title != NULL ? title : "");
    char more[96], font[48] = "";
    if (wide > room) {
        font_of_size(script, fmax(0.75, room / wide), font);
    }
    snprintf(more, sizeof more, "center%s%s", upright ? " rotate by 90" : "", font);
    write_label(script, title != NULL ? title : "", x, y, more);
}

static void write_margins(const Script *script, double left, double bottom, double wide,
                          double high) {
    const FigureLayout *layout = script->layout;
    fprintf(script->stream, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n",
            left / layout->width, (left + wide) / layout->width);
    fprintf(script->stream, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n",
            (bottom + high) / layout->height, bottom / layout->height);
}

static void write_key(const Script *script) {
    const FigureLayout *layout = script->layout;
    if (layout->legend == FIGURE_LEGEND_BELOW && layout->entries > 0) {
        fprintf(script->stream,
                "set key at screen 0.5, %.4f center bottom vertical maxrows %zu Left reverse "
                "noenhanced samplen 2 spacing 1\n",
                layout->key_y / layout->height, layout->key_rows);
    } else if (layout->legend == FIGURE_LEGEND_INSIDE) {
        fprintf(script->stream,
                "set key %s %s vertical maxcols 1 Left reverse noenhanced samplen 2 "
                "spacing 1 width 1\n",
                layout->key_right ? "right" : "left", layout->key_below ? "bottom" : "top");
    } else {
        fputs("unset key\n", script->stream);
    }
}

static void write_name(const Script *script, const ChartSeries *series) {
    char name[CHART_TEXT_SIZE];
    figure_series_name(script->layout, series, name);
    write_text(script, name);
}

/* === Names within the plot ==================================================================== */

static Shape shape_of_text(const FigureLayout *layout, const char *text, double x, double y,
                           double angle, double size) {
    const double font = size * layout->font;
    const double length = size * figure_letters(layout, text);
    const double step = 0.5 * font;
    return (Shape){.x = x + 0.25 * font * cos(angle),
                   .y = y + 0.25 * font * sin(angle),
                   .dx = step * cos(angle),
                   .dy = step * sin(angle),
                   .radius = 0.5 * font,
                   .count = (size_t)fmax(1, ceil(length / step))};
}

static bool near_shape(const Shape *shape, double x, double y, double radius) {
    for (size_t i = 0; i < shape->count; i++) {
        if (hypot(shape->x + (double)i * shape->dx - x, shape->y + (double)i * shape->dy - y) <
            shape->radius + radius) {
            return true;
        }
    }
    return false;
}

/* How badly a name would lie there: on other names and points, on lines, outside. */
static double trouble_at(const Script *script, const FigurePanel *panel, const Shape *shape,
                         size_t own) {
    enum { BETWEEN = 24 };
    const FigureLayout *layout = script->layout;
    const DocChart *chart = layout->chart;
    double trouble = 0;
    for (size_t i = 0; i<shape->count; i += shape->count> 1 ? shape->count - 1 : 1) {
        const double x = shape->x + (double)i * shape->dx, y = shape->y + (double)i * shape->dy;
        trouble += x < panel->left || x > layout->width - shape->radius || y < panel->bottom ||
                           y > panel->bottom + panel->high
                       ? 20
                       : 0;
    }
    for (size_t i = 0; i < script->taken_count; i++) {
        for (size_t j = 0; j < script->taken[i].count; j++) {
            const Shape *other = &script->taken[i];
            trouble += near_shape(shape, other->x + (double)j * other->dx,
                                  other->y + (double)j * other->dy, other->radius)
                           ? 6
                           : 0;
        }
    }
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        for (size_t j = 0; j < series->count; j++) {
            const double x =
                panel->left + figure_place(&layout->x, series->points[j].x) * panel->wide;
            const double y =
                panel->bottom + figure_place(&panel->y, series->points[j].y) * panel->high;
            const bool has_mark = series->style != SERIES_CEILING;
            trouble += has_mark && near_shape(shape, x, y, 0.3 * layout->font) ? 12 : 0;
            if (i == own || j + 1 == series->count) {
                continue;
            }
            const double x1 =
                panel->left + figure_place(&layout->x, series->points[j + 1].x) * panel->wide;
            const double y1 =
                panel->bottom + figure_place(&panel->y, series->points[j + 1].y) * panel->high;
            for (int k = 1; k < BETWEEN; k++) {
                trouble +=
                    near_shape(shape, x + (x1 - x) * k / BETWEEN, y + (y1 - y) * k / BETWEEN, 0)
                        ? 0.5
                        : 0;
            }
        }
    }
    return trouble;
}

/* The best of several places. */
typedef struct Choice {
    Shape shape;
    double trouble;
} Choice;

static const Choice no_choice = {.trouble = INFINITY};

static void consider(const Script *script, const FigurePanel *panel, const Shape *shape, size_t own,
                     double more, Choice *choice) {
    const double trouble = trouble_at(script, panel, shape, own) + more;
    if (trouble < choice->trouble) {
        *choice = (Choice){*shape, trouble};
    }
}

/* The place where a name lies best near a point: `places` are of its left end, in letters. */
static Shape choose_near(Script *script, const FigurePanel *panel, const char *name, double x,
                         double y, const double (*places)[2], size_t count) {
    const double font = script->layout->font;
    Choice choice = no_choice;
    for (size_t i = 0; i < count; i++) {
        const Shape shape = shape_of_text(script->layout, name, x + places[i][0] * font,
                                          y + places[i][1] * font, 0, 1);
        consider(script, panel, &shape, SIZE_MAX, 0, &choice);
    }
    return choice.shape;
}

/* Where the text begins that has the shape, and nothing else may be from now on. */
static void take(Script *script, const Shape *shape, double *x, double *y) {
    const double step = fmax(hypot(shape->dx, shape->dy), 1e-9);
    if (script->taken_count < TEXTS_MAX) {
        script->taken[script->taken_count++] = *shape;
    }
    *x = shape->x - 0.5 * shape->radius * shape->dx / step;
    *y = shape->y - 0.5 * shape->radius * shape->dy / step;
}

/* --- Ends of lines ---------------------------------------------------------------------------- */

typedef struct DirectLabel {
    const ChartSeries *series;
    double y; /* points above the lower end of the plot */
} DirectLabel;

static int compare_labels(const void *a, const void *b) {
    const DirectLabel *left = a, *right = b;
    if (left->y != right->y) {
        return left->y < right->y ? -1 : 1;
    }
    return left->series > right->series ? -1 : left->series < right->series;
}

static void write_direct_label(const Script *script, const ChartSeries *series, double x,
                               double y) {
    char more[64];
    snprintf(more, sizeof more, "left front textcolor rgb '%s'",
             series_colour(script->layout->chart, series));
    char name[CHART_TEXT_SIZE];
    figure_series_name(script->layout, series, name);
    write_label(script, name, x, y, more);
}

/* Of a line that ends early: beside, above or below its own end, where least is. */
static void write_early_label(Script *script, const FigurePanel *panel, const ChartSeries *series,
                              double x, double y) {
    const FigureLayout *layout = script->layout;
    const double font = layout->font;
    char name[CHART_TEXT_SIZE];
    figure_series_name(layout, series, name);
    const double wide = figure_letters(layout, name);
    const double places[][2] = {
        {0.6, 0},   {0.5, 0.8},  {0.5, -0.8}, {-wide / font, 1.1}, {-wide / font, -1.1},
        {0.6, 1.8}, {0.6, -1.8}, {1.5, 0.4},  {1.5, -0.4}};
    const Shape shape =
        choose_near(script, panel, name, x, y, places, sizeof places / sizeof places[0]);
    take(script, &shape, &x, &y);
    write_direct_label(script, series, x, y);
}

static bool has_twin_of(const DocChart *chart, size_t index, size_t *twin) {
    *twin = chart->series[index].same_as;
    return *twin > 0 && *twin <= chart->count;
}

/* Names at the right ends of lines, moved apart, equal ones together; of a line that ends early at
 * its own end. */
static void write_direct_labels(Script *script, const FigurePanel *panel) {
    const FigureLayout *layout = script->layout;
    const DocChart *chart = layout->chart;
    const double pitch = 1.12 * layout->font;
    DirectLabel labels[TEXTS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < chart->count && count < TEXTS_MAX; i++) {
        size_t twin = 0;
        if (!figure_is_named(chart, i) ||
            (layout->panel_count > 1 && &layout->panels[chart->series[i].panel] != panel)) {
            continue;
        }
        const ChartSeries *series = &chart->series[i];
        const ChartSeries *like = has_twin_of(chart, i, &twin) ? &chart->series[twin - 1] : series;
        const ChartPoint *end = &like->points[like->count - 1];
        const double x = figure_place(&layout->x, end->x) * panel->wide;
        const double y = fmin(fmax(figure_place(&panel->y, end->y), 0), 1) * panel->high;
        char name[CHART_TEXT_SIZE];
        figure_series_name(layout, series, name);
        if (x < panel->wide - figure_letters(layout, name) - 2 * layout->font) {
            write_early_label(script, panel, series, panel->left + x,
                              panel->bottom + y - (like == series ? 0 : pitch));
        } else {
            labels[count++] = (DirectLabel){series, y};
        }
    }
    qsort(labels, count, sizeof *labels, compare_labels);
    for (size_t i = 1; i < count; i++) {
        labels[i].y = fmax(labels[i].y, labels[i - 1].y + pitch);
    }
    for (size_t i = count; i > 0; i--) {
        const double most = i == count ? panel->high + 0.3 * layout->font : labels[i].y - pitch;
        labels[i - 1].y = fmin(labels[i - 1].y, most);
    }
    for (size_t i = 0; i < count; i++) {
        write_direct_label(script, labels[i].series,
                           layout->width - layout->right + 0.5 * layout->font,
                           panel->bottom + labels[i].y);
    }
}

/* --- Ceilings --------------------------------------------------------------------------------- */

/* The name of a ceiling along its line, above or below it, off points and other names: a slope from
 * where it enters the plot, a flat line from its right end. */
static void write_ceiling_label(Script *script, const FigurePanel *panel, size_t index) {
    enum { STEPS = 24, SIDES = 4 };
    static const double sides[SIDES] = {0.6, -0.6, 1.4, -1.4};
    static const double size = 0.85;
    const FigureLayout *layout = script->layout;
    const ChartSeries *series = &layout->chart->series[index];
    const double font = layout->font;
    const ChartPoint *from = &series->points[0], *to = &series->points[1];
    const double x0 = panel->left + figure_place(&layout->x, from->x) * panel->wide;
    const double x1 = panel->left + figure_place(&layout->x, to->x) * panel->wide;
    const double y0 = panel->bottom + figure_place(&panel->y, from->y) * panel->high;
    const double y1 = panel->bottom + figure_place(&panel->y, to->y) * panel->high;
    const double angle = atan2(y1 - y0, x1 - x0), length = hypot(x1 - x0, y1 - y0);
    const bool flat = fabs(y1 - y0) < 0.5;
    char name[CHART_TEXT_SIZE];
    figure_series_name(layout, series, name);
    const double wide = size * figure_letters(layout, name);
    /* A flat line may be shorter than its name, which then begins before it. */
    const double room = fmax(0, length - wide - 0.8 * font) + (flat ? 0.9 * wide : 0);
    Choice choice = no_choice;
    for (int i = 0; i <= STEPS * SIDES; i++) {
        const int step = i / SIDES;
        const double away = sides[i % SIDES] * font, moved = room * step / STEPS;
        const double along = flat ? length - 0.5 * font - wide - moved : 0.4 * font + moved;
        const Shape shape = shape_of_text(layout, name, x0 + along * cos(angle) - away * sin(angle),
                                          y0 + along * sin(angle) + away * cos(angle), angle, size);
        consider(script, panel, &shape, index, 0.02 * i, &choice);
    }
    double x, y;
    take(script, &choice.shape, &x, &y);
    char more[160], letters[48];
    font_of_size(script, size, letters);
    if (flat) { /* whatever the letters take, it ends within the picture */
        snprintf(more, sizeof more, "right textcolor rgb '" GUIDE "' front%s", letters);
        write_label(script, name, x + wide, y, more);
    } else {
        snprintf(more, sizeof more, "left rotate by %.1f textcolor rgb '" GUIDE "' front%s",
                 angle * 180 / acos(-1), letters);
        write_label(script, name, x, y, more);
    }
}

static void write_ceiling_labels(Script *script, const FigurePanel *panel) {
    const DocChart *chart = script->layout->chart;
    for (size_t i = 0; chart->ceilings_named && i < chart->count; i++) {
        if (chart->series[i].style == SERIES_CEILING && chart->series[i].count == 2) {
            write_ceiling_label(script, panel, i);
        }
    }
}

/* --- Points ----------------------------------------------------------------------------------- */

/* What stands at points without a line: beside them, or further off where something else is. */
static void write_words(Script *script, const FigurePanel *panel) {
    const FigureLayout *layout = script->layout;
    for (size_t i = 0; i < layout->chart->count; i++) {
        const ChartSeries *series = &layout->chart->series[i];
        for (size_t j = 0; series->style == SERIES_WORDS && j < series->count; j++) {
            const ChartPoint *point = &series->points[j];
            double x = figure_place(&layout->x, point->x), y = figure_place(&panel->y, point->y);
            if (point->label == NULL || x < 0 || x > 1 || y < 0 || y > 1) {
                continue;
            }
            const double font = layout->font, wide = figure_letters(layout, point->label) / font;
            const double places[][2] = {{0.7, -0.9},         {0.7, 0.9},        {-wide - 0.7, 0.9},
                                        {-wide - 0.7, -0.9}, {-wide / 2, 1.5},  {-wide / 2, -1.5},
                                        {1.2, -1.8},         {-wide - 1.2, 1.8}};
            const Shape shape = choose_near(
                script, panel, point->label, panel->left + x * panel->wide,
                panel->bottom + y * panel->high, places, sizeof places / sizeof places[0]);
            take(script, &shape, &x, &y);
            write_label(script, point->label, x, y, "left front");
        }
    }
}

/* === Lines ==================================================================================== */

static bool has_intervals(const ChartSeries *series) {
    for (size_t i = 0; i < series->count; i++) {
        if (isfinite(series->points[i].low) && isfinite(series->points[i].high)) {
            return true;
        }
    }
    return false;
}

/* Of many points a mark at each would be a band. */
static bool has_many(const ChartSeries *series) {
    return series->count > 24;
}

static void write_look(FILE *stream, const SeriesLook *look) {
    fprintf(stream, "linecolor rgb '%s' linewidth %g dashtype %s", look->colour, look->width,
            look->dashes);
}

static void write_mark(FILE *stream, const SeriesLook *look) {
    fprintf(stream, " pointtype %d pointsize mark_size%s", look->mark,
            look->hollow ? " pointinterval -1" : "");
}

/* Which lines of the CSV are the series': `first` is the number of the first, behind the header. */
static void write_source(const Script *script, const ChartSeries *series, size_t first) {
    fprintf(script->stream, ", \\\n    csv every ::%zu::%zu using ", first,
            first + series->count - 1);
}

static void write_title(const Script *script, size_t index) {
    if (script->layout->panel_count == 1 && figure_in_key(script->layout->chart, index)) {
        fputs(" title ", script->stream);
        write_name(script, &script->layout->chart->series[index]);
    } else {
        fputs(" notitle", script->stream);
    }
}

static void write_interval(const Script *script, const ChartSeries *series, const SeriesLook *look,
                           size_t first) {
    write_source(script, series, first);
    if (has_many(series)) {
        fprintf(script->stream,
                "1:3:4 with filledcurves fillcolor rgb '%s' fillstyle transparent solid 0.2 "
                "noborder notitle",
                look->colour);
    } else {
        fprintf(script->stream,
                "1:3:(0):($4 - $3) with vectors heads nofilled size graph 0.012, 90 linecolor rgb "
                "'%s' linewidth 1 notitle",
                look->colour);
    }
}

static void write_series(const Script *script, size_t index, const SeriesLook *look, size_t first) {
    FILE *stream = script->stream;
    const ChartSeries *series = &script->layout->chart->series[index];
    const bool line = look->mark == 0 || has_many(series);
    if (series->style == SERIES_WORDS) {
        write_source(script, series, first);
        fprintf(stream,
                "1:2 with points linecolor rgb '%s' pointtype 6 pointsize 2.4 * mark_size "
                "linewidth 1.2 notitle",
                look->colour);
        return;
    }
    if (line && look->mark != 0) { /* as many marks as tell the lines apart */
        fputs(", \\\n    last_mark = -1e300", stream);
        write_source(script, series, first);
        fprintf(stream, "(mark_at($1)):2 with points linecolor rgb '%s'", look->colour);
        write_mark(stream, look);
        fputs(" notitle", stream);
    }
    write_source(script, series, first);
    fprintf(stream, "1:2 with %s ", line ? "lines" : "linespoints");
    write_look(stream, look);
    if (!line) {
        write_mark(stream, look);
    }
    write_title(script, index);
}

/* Intervals first, so that lines and marks lie above them. */
static void write_plot(const Script *script, size_t panel) {
    FILE *stream = script->stream;
    const DocChart *chart = script->layout->chart;
    const double reference = script->layout->panels[panel].reference;
    fputs("plot ", stream);
    if (isfinite(reference)) {
        write_number(stream, reference);
        fputs(" with lines linecolor rgb '" GUIDE "' linewidth 0.8 dashtype (6, 4) notitle",
              stream);
    } else {
        fputs("NaN notitle", stream);
    }
    for (int pass = 0; pass < 2; pass++) {
        size_t first = 1;
        for (size_t i = 0; i < chart->count; i++) {
            const ChartSeries *series = &chart->series[i];
            if (series->count > 0 && (script->layout->panel_count == 1 || series->panel == panel)) {
                const SeriesLook look = look_of(chart, i);
                if (pass == 1) {
                    write_series(script, i, &look, first);
                } else if (has_intervals(series)) {
                    write_interval(script, series, &look, first);
                }
            }
            first += series->count;
        }
    }
    fputc('\n', stream);
}

/* Who is ahead above and below the reference: lighter than the grid. */
static void write_sides(Script *script, const FigurePanel *panel) {
    static const struct {
        const char *colour, *ink;
    } looks[] = {{"#FBF3F0", "#8A3A28"}, {"#F1F8F3", "#2E6B40"}};
    const FigureLayout *layout = script->layout;
    const double font = layout->font;
    const char *words[] = {layout->chart->below, layout->chart->above};
    fputs("unset object\n", script->stream);
    if (words[1] == NULL || !isfinite(panel->reference)) {
        return;
    }
    const double at = fmin(fmax(figure_place(&panel->y, panel->reference), 0), 1);
    for (int up = 0; up < 2; up++) {
        const double share = up ? 1 - at : at;
        fprintf(script->stream,
                "set object %d rectangle from graph 0, graph %.4f to graph 1, graph %.4f behind "
                "fillcolor rgb '%s' fillstyle solid 1 noborder\n",
                up + 1, up ? at : 0, up ? 1 : at, looks[up].colour);
        if (share * panel->high >= 1.3 * font && words[up] != NULL) {
            char more[96], letters[48];
            font_of_size(script, 0.85, letters);
            snprintf(more, sizeof more, "left textcolor rgb '%s'%s", looks[up].ink, letters);
            write_label(script, words[up], panel->left + 0.4 * font,
                        panel->bottom + (up ? panel->high - 0.7 * font : 0.7 * font), more);
        }
    }
}

/* The key of several panels, as a plot of its own. */
static void write_key_alone(const Script *script) {
    FILE *stream = script->stream;
    const FigureLayout *layout = script->layout;
    const DocChart *chart = layout->chart;
    if (layout->legend != FIGURE_LEGEND_BELOW || layout->entries == 0) {
        return;
    }
    fputs("unset label\nunset object\nunset tics\nunset border\nunset logscale\n"
          "set xrange [0:1]\nset yrange [0:1]\n",
          stream);
    write_margins(script, 0.02 * layout->width, 0, 0.96 * layout->width,
                  layout->key_y + layout->key_high);
    write_key(script);
    fputs("plot NaN notitle", stream);
    for (size_t i = 0; i < chart->count; i++) {
        if (figure_in_key(chart, i)) {
            const SeriesLook look = look_of(chart, i);
            fprintf(stream, ", \\\n    keyentry with %s ",
                    look.mark == 0 ? "lines" : "linespoints");
            write_look(stream, &look);
            if (look.mark != 0) {
                write_mark(stream, &look);
            }
            fputs(" title ", stream);
            write_name(script, &chart->series[i]);
        }
    }
    fputc('\n', stream);
}

static void write_panel(Script *script, size_t index) {
    const FigureLayout *layout = script->layout;
    const DocChart *chart = layout->chart;
    const FigurePanel *panel = &layout->panels[index];
    fputs("unset label\n", script->stream);
    write_margins(script, panel->left, panel->bottom, panel->wide, panel->high);
    if (index == 0) {
        write_texts(script);
        write_axis_title(script, chart->x.title,
                         layout->left + (layout->width - layout->left - layout->right) / 2,
                         layout->x_title_y, layout->width, false);
    }
    if (!layout->beside || index == 0) {
        const FigurePanel *last = &layout->panels[layout->panel_count - 1];
        const double top = panel->bottom + panel->high;
        const double bottom = layout->beside ? last->bottom : panel->bottom;
        write_axis_title(script, panel->axis->title, 0.75 * layout->font, (top + bottom) / 2,
                         top - bottom + 2 * layout->font, true);
    }
    if (chart->panel_count > 0 && chart->panels[index].title != NULL) {
        write_axis_title(script, chart->panels[index].title, panel->left + panel->wide / 2,
                         panel->bottom + panel->high + 0.8 * layout->font,
                         panel->wide + layout->font, false);
    }
    if (layout->panel_count == 1) {
        write_key(script);
    } else {
        fputs("unset key\n", script->stream);
    }
    write_scale(script, 'x', &layout->x, layout->turned ? "rotate by 45 right " : "norotate ",
                panel->names_shown);
    write_scale(script, 'y', &panel->y, "", panel->values_named);
    write_sides(script, panel);
    if (layout->legend == FIGURE_LEGEND_DIRECT) {
        write_direct_labels(script, panel);
    }
    write_ceiling_labels(script, panel);
    if (layout->panel_count == 1) {
        write_words(script, panel);
    }
    write_plot(script, index);
}

static bool thins_marks(const DocChart *chart) {
    for (size_t i = 0; i < chart->count; i++) {
        if (has_many(&chart->series[i])) {
            return true;
        }
    }
    return false;
}

static void write_line_chart(Script *script) {
    FILE *stream = script->stream;
    const FigureLayout *layout = script->layout;
    if (thins_marks(layout->chart)) {
        /* A tenth of the axis is between two marks. */
        const FigureScale *x = &layout->x;
        fprintf(stream, "mark_at(x) = %s - last_mark >= %.9g ? (last_mark = %s, x) : NaN\n",
                x->log ? "log10(x)" : "x",
                x->log ? log10(x->most / x->least) / 10 : (x->most - x->least) / 10,
                x->log ? "log10(x)" : "x");
    }
    if (layout->panel_count > 1) {
        fputs("set multiplot\n", stream);
    }
    for (size_t i = 0; i < layout->panel_count; i++) {
        if (!layout->panels[i].empty) {
            script->taken_count = 0;
            write_panel(script, i);
        }
    }
    if (layout->panel_count > 1) {
        write_key_alone(script);
        fputs("unset multiplot\n", stream);
    }
}

/* === Bars ===================================================================================== */

/* Above its bar's middle in points; the first bar is on top. */
static double bar_middle(const FigureLayout *layout, double bar) {
    const FigurePanel *panel = &layout->panels[0];
    const double pitch = panel->high / (double)layout->chart->x.count;
    return panel->bottom + panel->high - (bar + 0.5) * pitch;
}

/* The second line of a name is a note. */
static void write_bar_names(const Script *script) {
    const FigureLayout *layout = script->layout;
    for (size_t i = 0; i < layout->chart->x.count; i++) {
        const ChartTick *tick = &layout->chart->x.ticks[i];
        const double x = layout->left - 0.7 * layout->font, y = bar_middle(layout, tick->value);
        const size_t length = strcspn(tick->label, "\n");
        const bool note = tick->label[length] == '\n' && tick->label[length + 1] != '\0';
        char name[CHART_TEXT_SIZE], more[128], letters[48];
        snprintf(name, sizeof name, "%.*s", (int)length, tick->label);
        font_of_size(script, fmin(1, layout->left / (figure_letters(layout, name) + layout->font)),
                     letters);
        snprintf(more, sizeof more, "right%s", letters);
        write_label(script, name, x, y + (note ? 0.55 * layout->font : 0), more);
        if (note) {
            font_of_size(
                script,
                fmin(0.8, layout->left /
                              (figure_letters(layout, tick->label + length + 1) + layout->font)),
                letters);
            snprintf(more, sizeof more, "right textcolor rgb '#606060'%s", letters);
            write_label(script, tick->label + length + 1, x, y - 0.55 * layout->font, more);
        }
    }
}

/* Totals at the ends; shares in parts that have room for them. */
static void write_bar_words(const Script *script) {
    const FigureLayout *layout = script->layout;
    const FigurePanel *panel = &layout->panels[0];
    const DocChart *chart = layout->chart;
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        const bool words = series->style == SERIES_WORDS;
        for (size_t j = 0; j < series->count; j++) {
            const ChartPoint *point = &series->points[j];
            const double from = figure_place(&panel->y, words ? point->y : point->low);
            const double to = figure_place(&panel->y, words ? point->y : point->high);
            if (point->label == NULL) {
                continue;
            }
            if (words) {
                write_label(script, point->label,
                            panel->left + to * panel->wide + 0.4 * layout->font,
                            bar_middle(layout, point->x), "left");
            } else if ((to - from) * panel->wide >
                       figure_letters(layout, point->label) + 0.6 * layout->font) {
                const bool dark = series->style != SERIES_SECONDARY || series->colour == 1;
                write_label(script, point->label, panel->left + (from + to) / 2 * panel->wide,
                            bar_middle(layout, point->x),
                            dark ? "center front textcolor rgb '#FFFFFF'"
                                 : "center front textcolor rgb '" GUIDE "'");
            }
        }
        if (words && layout->heading_high > 0 && series->name != NULL) {
            char more[96], letters[48];
            font_of_size(script, 0.85, letters);
            snprintf(more, sizeof more, "left textcolor rgb '#606060'%s", letters);
            write_label(script, series->name, panel->left + panel->wide + 0.4 * layout->font,
                        panel->bottom + panel->high + 0.6 * layout->font, more);
        }
    }
}

/* Parts that no bar shows are not in the key. */
static bool is_seen(const FigureLayout *layout, const ChartSeries *series) {
    const FigurePanel *panel = &layout->panels[0];
    for (size_t i = 0; i < series->count; i++) {
        const ChartPoint *point = &series->points[i];
        if ((figure_place(&panel->y, point->high) - figure_place(&panel->y, point->low)) *
                panel->wide >
            0.4) {
            return true;
        }
    }
    return false;
}

static void write_bar_chart(const Script *script) {
    FILE *stream = script->stream;
    const FigureLayout *layout = script->layout;
    const FigurePanel *panel = &layout->panels[0];
    const DocChart *chart = layout->chart;
    const double half = 0.34;
    fputs("unset label\n", stream);
    write_margins(script, panel->left, panel->bottom, panel->wide, panel->high);
    write_texts(script);
    write_axis_title(script, chart->y.title, panel->left + panel->wide / 2, layout->x_title_y,
                     layout->width, false);
    write_key(script);
    write_scale(script, 'x', &panel->y, "norotate ", true);
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
                    "border linecolor rgb '#FFFFFF' fillcolor rgb '%s' linewidth 0.5",
                    half, half, series_colour(chart, series));
            if (is_seen(layout, series) && figure_is_named(chart, i)) {
                fputs(" title ", stream);
                write_name(script, series);
            } else {
                fputs(" notitle", stream);
            }
        }
        first += series->count;
    }
    fputc('\n', stream);
}

/* === Cells ==================================================================================== */

static double row_sum(const ChartSeries *series) {
    double sum = 0;
    for (size_t i = 0; i < series->count; i++) {
        sum += isfinite(series->points[i].y) ? series->points[i].y : 0;
    }
    return sum > 0 ? sum : 1;
}

/* Names of rows and columns, as marks of the axes. */
static void write_cell_names(const Script *script) {
    FILE *stream = script->stream;
    const FigureLayout *layout = script->layout;
    const DocChart *chart = layout->chart;
    fprintf(stream, "set xtics scale 0 %s (", layout->turned ? "rotate by 90 right" : "norotate");
    for (size_t i = 0; i < chart->x.count; i++) {
        char name[CHART_TEXT_SIZE];
        fputs(i > 0 ? ", " : "", stream);
        figure_cut(layout, chart->x.ticks[i].label, 14 * layout->font, name);
        write_mark_name(script, name);
        fprintf(stream, " %zu", i);
    }
    fputs(")\nset ytics scale 0 (", stream);
    for (size_t i = 0; i < chart->count; i++) {
        char name[CHART_TEXT_SIZE];
        fputs(i > 0 ? ", " : "", stream);
        figure_cut(layout, chart->series[i].name, 14 * layout->font, name);
        write_mark_name(script, name);
        fprintf(stream, " %zu", i);
    }
    fputs(")\n", stream);
}

static void write_cell_chart(const Script *script) {
    FILE *stream = script->stream;
    const FigureLayout *layout = script->layout;
    const FigurePanel *panel = &layout->panels[0];
    const DocChart *chart = layout->chart;
    const double font = layout->font;
    char letters[48], bar[48];
    font_of_size(script, layout->cell_letters, letters);
    font_of_size(script, 0.85, bar);
    fputs("unset label\nunset key\nunset grid\nunset xtics\nunset ytics\nset border 15\n", stream);
    write_margins(script, panel->left, panel->bottom, panel->wide, panel->high);
    write_texts(script);
    write_axis_title(script, chart->x.title, panel->left + panel->wide / 2, layout->x_title_y,
                     layout->width, false);
    write_axis_title(script, chart->y.title, fmax(0.75 * font, panel->left - 16 * font),
                     panel->bottom + panel->high / 2, panel->high + 2 * font, true);
    fprintf(stream, "set xrange [-0.5:%zu.5]\nset yrange [%zu.5:-0.5]\n", chart->x.count - 1,
            chart->count - 1);
    if (layout->cells_named) {
        write_cell_names(script);
    }
    fputs("set palette defined (0 '#FFFFFF', 0.25 '#C6DBEF', 0.5 '#6BAED6', 0.75 '#2171B5', "
          "1 '#08306B')\nset cbrange [0:1]\n",
          stream);
    fprintf(stream,
            "set colorbox user origin screen %.4f, %.4f size screen %.4f, %.4f noborder\n"
            "set cbtics scale 0.3 offset -0.6, 0%s ('0' 0, '50%s%%%%' 0.5, '100%s%%%%' 1)\n",
            (panel->left + panel->wide + 0.6 * font) / layout->width,
            panel->bottom / layout->height, 0.7 * font / layout->width,
            panel->high / layout->height, bar, script->latex ? "\\" : "",
            script->latex ? "\\" : "");
    fputs("ink(share, count) = share > 0.55 ? 0xFFFFFF : count == 0 ? 0x9A9A9A : 0x101010\n"
          "plot NaN notitle",
          stream);
    for (int pass = 0; pass < (layout->cells_named ? 2 : 1); pass++) {
        size_t first = 1;
        for (size_t i = 0; i < chart->count; i++) {
            const ChartSeries *series = &chart->series[i];
            if (series->count > 0) {
                write_source(script, series, first);
                if (pass == 0) {
                    fprintf(stream,
                            "1:(%zu):($1 - 0.5):($1 + 0.5):(%zu - 0.5):(%zu + 0.5):($2 / %.17g.0) "
                            "with boxxyerror fillstyle solid 1 border linecolor rgb '#D0D0D0' "
                            "linewidth 0.5 linecolor palette notitle",
                            i, i, i, row_sum(series));
                } else {
                    fprintf(stream,
                            "1:(%zu):(sprintf('%%.0f', $2)):(ink($2 / %.17g.0, $2)) with labels "
                            "textcolor rgb variable%s notitle",
                            i, row_sum(series), letters);
                }
            }
            first += series->count;
        }
    }
    fputc('\n', stream);
}

/* === Formats ================================================================================== */

const FigureTerminal figure_terminals[FIGURE_FORMATS] = {
    {FIGURE_PDF, "pdfcairo", ".pdf", NULL, false},
    {FIGURE_SVG, "svg", ".svg", NULL, false},
    {FIGURE_PNG, "pngcairo", ".png", NULL, false},
    {FIGURE_PGF, "tikz", ".pgf", NULL, true},
    {FIGURE_CAIROLATEX, "cairolatex", ".tex", ".pdf", true},
};

const char *figure_infix(const FigureStyle *style, const FigureTerminal *format) {
    return format->bit == FIGURE_CAIROLATEX && (style->formats & FIGURE_PDF) != 0 ? "-latex" : "";
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

/* gnuplot writes a font's name into SVG as it is. */
static void append_for_xml(char *text, size_t size, const char *name) {
    for (const char *c = name; *c != '\0'; c++) {
        const char *entity = *c == '&'   ? "&amp;"
                             : *c == '<' ? "&lt;"
                             : *c == '>' ? "&gt;"
                             : *c == '"' ? "&quot;"
                                         : NULL;
        if (entity != NULL) {
            text_append(text, size, "%s", entity);
        } else {
            text_append(text, size, "%c", *c);
        }
    }
}

static void write_font(const Script *script, const FigureTerminal *format, double scale) {
    const FigureStyle *style = script->layout->style;
    const char *name = style->font != NULL ? style->font : "Arial";
    char font[LIST_WORD_SIZE * 8] = "";
    if (format->bit == FIGURE_SVG) {
        append_for_xml(font, sizeof font, name);
    } else {
        text_append(font, sizeof font, "%s", name);
    }
    text_append(font, sizeof font, ",%g", style->font_size);
    fputs(" noenhanced font ", script->stream);
    gnuplot_text_write(script->stream, font);
    fprintf(script->stream, " fontscale %.4g", scale);
}

/* Fonts are in points at the size of the print in every format: gnuplot's are of 96 an inch. */
static void write_terminal(const Script *script, const FigureTerminal *format) {
    FILE *stream = script->stream;
    const FigureLayout *layout = script->layout;
    const double dots = 300, px = 96.0 / 72;
    fprintf(stream, "set terminal %s", format->terminal);
    switch (format->bit) {
    case FIGURE_PDF:
        fprintf(stream, " size %.4fin,%.4fin", layout->width / 72, layout->height / 72);
        write_font(script, format, 0.75);
        fputs(" linewidth 1", stream);
        break;
    case FIGURE_SVG:
        fprintf(stream, " size %.0f,%.0f", layout->width * px, layout->height * px);
        write_font(script, format, px);
        fputs(" linewidth 1 background rgb 'white'", stream);
        break;
    case FIGURE_PNG:
        fprintf(stream, " size %.0f,%.0f", layout->width * dots / 72, layout->height * dots / 72);
        write_font(script, format, dots / 96);
        fprintf(stream, " linewidth %g pointscale %g background rgb 'white'", dots / 96, dots / 96);
        break;
    case FIGURE_PGF:
        fprintf(stream, " size %.4fin,%.4fin font '\\fontsize{%g}{%g}\\selectfont'",
                layout->width / 72, layout->height / 72, layout->font, 1.2 * layout->font);
        break;
    case FIGURE_CAIROLATEX:
        fprintf(stream,
                " pdf size %.4fin,%.4fin linewidth 2 header '\\fontsize{%g}{%g}\\selectfont'",
                layout->width / 72, layout->height / 72, layout->font, 1.2 * layout->font);
        break;
    }
    fprintf(stream, "\nmark_size = %g\nset output ", format->bit == FIGURE_PGF ? 1.2 : 0.5);
    write_file_name(script, figure_infix(layout->style, format), format->ending);
    fputc('\n', stream);
}

static void write_head(const Script *script) {
    FILE *stream = script->stream;
    fputs("# A chart of bench. Run in this folder, with gnuplot 5.4 or later:\n#\n"
          "#   gnuplot -d NAME.gp\n#\n"
          "# draws it from the CSV of this name again. Places of labels and margins are shares of\n"
          "# the whole picture. 'every ::A::B' takes the lines A to B of the CSV behind its "
          "header.\n",
          stream);
    fputs("set encoding utf8\nset datafile separator comma\ncsv = ", stream);
    write_file_name(script, "", ".csv");
    /* Lines leave hollow marks empty. */
    fputs("\nset pointintervalbox 0.55\n"
          "set border 3 linewidth 0.75 linecolor rgb '#303030'\n",
          stream);
}

static bool is_asked(const Script *script, const FigureTerminal *format, bool latex) {
    return format->latex == latex && (script->layout->style->formats & format->bit) != 0;
}

/* One chart for all formats with the same texts. */
static void write_formats(Script *script, bool latex) {
    FILE *stream = script->stream;
    int count = 0;
    for (size_t i = 0; i < FIGURE_FORMATS; i++) {
        count += is_asked(script, &figure_terminals[i], latex);
    }
    if (count == 0) {
        return;
    }
    script->latex = latex;
    if (count > 1) {
        fprintf(stream, "\ndo for [format = 1:%d] {\n", count);
    }
    for (size_t i = 0, number = 0; i < FIGURE_FORMATS; i++) {
        if (is_asked(script, &figure_terminals[i], latex)) {
            if (count > 1) {
                fprintf(stream, "if (format == %zu) {\n", ++number);
            }
            write_terminal(script, &figure_terminals[i]);
            fputs(count > 1 ? "}\n" : "", stream);
        }
    }
    fputs("set border 3\nset tics nomirror out scale 0.5, 0.25\nset xtics border nomirror\n"
          "set ytics border nomirror\n"
          "set grid xtics ytics linetype 1 linecolor rgb '#E4E4E4' linewidth 0.5\n",
          stream);
    switch (script->layout->chart->kind) {
    case CHART_LINES: write_line_chart(script); break;
    case CHART_BARS: write_bar_chart(script); break;
    case CHART_HEAT: write_cell_chart(script); break;
    }
    fputs(count > 1 ? "unset output\n}\n" : "unset output\n", stream);
}

Status figure_script_write(const FigureLayout *layout, const char *path, const char *name) {
    AtomicFile file;
    Script *script = calloc(1, sizeof *script);
    if (script == NULL) {
        return status_no_memory("for a figure");
    }
    Status status = atomic_file_open(&file, path);
    if (status_is_ok(&status)) {
        *script = (Script){.stream = file.stream, .layout = layout, .name = name};
        write_head(script);
        write_formats(script, false);
        write_formats(script, true);
        status = atomic_file_commit(&file);
    }
    free(script);
    return status;
}
