/* Names within a plot and at the ends of its lines: where each lies best. */

#include "layout.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "gnuplot.h"
#include "utf8.h"

/* A text as circles along its letters, for finding out what lies on what. */
typedef struct Shape {
    double x, y, dx, dy, radius; /* the first circle, and how far the next ones are */
    size_t count;
} Shape;

/* The names of a panel that have a place. */
typedef struct Placer {
    const FigureLayout *layout;
    FigurePanel *panel;
    Shape taken[FIGURE_NAMES_MAX];
    size_t taken_count;
    size_t crowded; /* of them, those that cannot be read */
} Placer;

void figure_name_text(const FigureLayout *layout, const FigureName *name,
                      char text[CHART_TEXT_SIZE]) {
    if (name->label != NULL) {
        utf8_copy(text, CHART_TEXT_SIZE, name->label);
    } else {
        figure_series_name(layout, name->series, text);
    }
}

static void add_name(Placer *placer, const FigureName *name) {
    FigurePanel *panel = placer->panel;
    if (panel->name_count < FIGURE_NAMES_MAX) {
        panel->names[panel->name_count] = *name;
        panel->names[panel->name_count].size = name->size > 0 ? name->size : 1;
        panel->name_count++;
    }
}

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

static bool is_in(const FigureLayout *layout, const ChartSeries *series, const FigurePanel *panel) {
    return layout->panel_count == 1 || &layout->panels[series->panel] == panel;
}

/* How badly a name would lie there: on other names and points, on lines, outside. */
static double trouble_at(const Placer *placer, const Shape *shape, size_t own) {
    enum { BETWEEN = 24 };
    const FigureLayout *layout = placer->layout;
    const FigurePanel *panel = placer->panel;
    const DocChart *chart = layout->chart;
    double trouble = 0;
    for (size_t i = 0; i<shape->count; i += shape->count> 1 ? shape->count - 1 : 1) {
        const double x = shape->x + (double)i * shape->dx, y = shape->y + (double)i * shape->dy;
        trouble += x < panel->left || x > layout->width - shape->radius || y < panel->bottom ||
                           y > panel->bottom + panel->high
                       ? 20
                       : 0;
        trouble += x < 0 || x > layout->width ? 1000 : 0; /* cut by the picture */
    }
    for (size_t i = 0; i < placer->taken_count; i++) {
        for (size_t j = 0; j < placer->taken[i].count; j++) {
            const Shape *other = &placer->taken[i];
            trouble += near_shape(shape, other->x + (double)j * other->dx,
                                  other->y + (double)j * other->dy, other->radius)
                           ? 6
                           : 0;
        }
    }
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        for (size_t j = 0; is_in(layout, series, panel) && j < series->count; j++) {
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

static void consider(const Placer *placer, const Shape *shape, size_t own, double more,
                     Choice *choice) {
    const double trouble = trouble_at(placer, shape, own) + more;
    if (trouble < choice->trouble) {
        *choice = (Choice){*shape, trouble};
    }
}

/* The place where a name lies best near a point: `places` are of its left end, in letters. */
static Shape choose_near(Placer *placer, const char *name, double x, double y,
                         const double (*places)[2], size_t count) {
    const double font = placer->layout->font;
    Choice choice = no_choice;
    for (size_t i = 0; i < count; i++) {
        const Shape shape = shape_of_text(placer->layout, name, x + places[i][0] * font,
                                          y + places[i][1] * font, 0, 1);
        consider(placer, &shape, SIZE_MAX, 0, &choice);
    }
    return choice.shape;
}

/* Whether a text of this shape cannot be read: it leaves the picture, or lies on another one. */
static bool is_crowded(const Placer *placer, const Shape *shape) {
    const double slack = 0.75; /* letters are narrower than circles */
    for (size_t i = 0; i < shape->count; i++) {
        const double x = shape->x + (double)i * shape->dx, y = shape->y + (double)i * shape->dy;
        if (x < 0 || x > placer->layout->width || y < 0 || y > placer->layout->height) {
            return true;
        }
        for (size_t j = 0; j < placer->taken_count; j++) {
            const Shape *other = &placer->taken[j];
            if (near_shape(other, x, y, slack * (shape->radius + other->radius) - other->radius)) {
                return true;
            }
        }
    }
    return false;
}

/* Where the text begins that has the shape, and nothing else may be from now on. */
static void take(Placer *placer, const Shape *shape, double *x, double *y) {
    const double step = fmax(hypot(shape->dx, shape->dy), 1e-9);
    placer->crowded += is_crowded(placer, shape);
    if (placer->taken_count < FIGURE_NAMES_MAX) {
        placer->taken[placer->taken_count++] = *shape;
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

/* Of a line that ends early: beside, above or below its own end, where least is. */
static void place_early_label(Placer *placer, const ChartSeries *series, double x, double y) {
    const FigureLayout *layout = placer->layout;
    const double font = layout->font;
    char name[CHART_TEXT_SIZE];
    figure_series_name(layout, series, name);
    const double wide = figure_letters(layout, name);
    const double places[][2] = {
        {0.6, 0},   {0.5, 0.8},  {0.5, -0.8}, {-wide / font, 1.1}, {-wide / font, -1.1},
        {0.6, 1.8}, {0.6, -1.8}, {1.5, 0.4},  {1.5, -0.4}};
    const Shape shape = choose_near(placer, name, x, y, places, sizeof places / sizeof places[0]);
    take(placer, &shape, &x, &y);
    add_name(placer, &(FigureName){.kind = NAME_OF_LINE, .series = series, .x = x, .y = y});
}

static bool has_twin_of(const DocChart *chart, size_t index, size_t *twin) {
    *twin = chart->series[index].same_as;
    return *twin > 0 && *twin <= chart->count;
}

/* Names at the right ends of lines, moved apart, equal ones together; of a line that ends early at
 * its own end. */
static void place_direct_labels(Placer *placer) {
    const FigureLayout *layout = placer->layout;
    const FigurePanel *panel = placer->panel;
    const DocChart *chart = layout->chart;
    const double pitch = 1.12 * layout->font;
    DirectLabel labels[FIGURE_NAMES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < chart->count && count < FIGURE_NAMES_MAX; i++) {
        size_t twin = 0;
        if (!figure_is_named(chart, i) || !is_in(layout, &chart->series[i], panel)) {
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
            place_early_label(placer, series, panel->left + x,
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
        add_name(placer, &(FigureName){.kind = NAME_OF_LINE,
                                       .series = labels[i].series,
                                       .x = layout->width - layout->right + 0.5 * layout->font,
                                       .y = panel->bottom + labels[i].y});
    }
}

/* --- Ceilings --------------------------------------------------------------------------------- */

/* The name of a ceiling along its line, above or below it, off points and other names: a slope from
 * where it enters the plot, a flat line from its right end. */
static void place_ceiling(Placer *placer, size_t index) {
    enum { STEPS = 24, SIDES = 4 };
    static const double sides[SIDES] = {0.6, -0.6, 1.4, -1.4};
    const FigureLayout *layout = placer->layout;
    const FigurePanel *panel = placer->panel;
    const ChartSeries *series = &layout->chart->series[index];
    const double font = layout->font, size = layout->page ? 1 : 0.85;
    const ChartPoint *from = &series->points[0], *to = &series->points[series->count - 1];
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
        consider(placer, &shape, index, 0.02 * i, &choice);
    }
    double x, y;
    take(placer, &choice.shape, &x, &y);
    /* Whatever the letters take, the name of a flat line ends within the picture. */
    add_name(placer, &(FigureName){.kind = NAME_OF_CEILING,
                                   .series = series,
                                   .x = flat ? x + wide : x,
                                   .y = y,
                                   .angle = flat ? 0 : angle,
                                   .size = size,
                                   .right = flat});
}

/* Straight lines: a page, whose key has no ceilings, names them all. */
static void place_ceilings(Placer *placer) {
    const DocChart *chart = placer->layout->chart;
    const bool page = placer->layout->page;
    for (size_t i = 0; (chart->ceilings_named || page) && i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        if (series->style == SERIES_CEILING &&
            (series->count == 2 || (page && series->count > 2))) {
            place_ceiling(placer, i);
        }
    }
}

/* --- Points ----------------------------------------------------------------------------------- */

/* Beside a point, or as far above or below it as it takes to be off lines. */
static Shape choose_for_words(Placer *placer, const char *words, double x, double y) {
    enum { ROWS = 12, PLACES = 5 };
    static const double first_row = 0.9, row = 0.85, per_row = 0.4;
    const double font = placer->layout->font;
    const double wide = figure_letters(placer->layout, words) / font;
    const double places[PLACES] = {0.7, -wide - 0.7, -wide / 2, -wide / 4, -3 * wide / 4};
    Choice choice = no_choice;
    for (int i = 0; i < 2 * ROWS; i++) {
        const int further = i / 2;
        const double away = (i % 2 == 0 ? -1 : 1) * (first_row + row * further);
        /* Right above or below it the words would lie on its ring. */
        for (int j = 0; j < (i < 2 ? 2 : PLACES); j++) {
            const double from = fmax(x + places[j] * font, placer->panel->left + 0.4 * font);
            const Shape shape = shape_of_text(placer->layout, words, from, y + away * font, 0, 1);
            consider(placer, &shape, SIZE_MAX, per_row * further, &choice);
        }
    }
    return choice.shape;
}

/* What stands at points without a line. */
static void place_words(Placer *placer) {
    const FigureLayout *layout = placer->layout;
    const FigurePanel *panel = placer->panel;
    for (size_t i = 0; i < layout->chart->count; i++) {
        const ChartSeries *series = &layout->chart->series[i];
        const bool here = series->style == SERIES_WORDS && is_in(layout, series, panel);
        for (size_t j = 0; here && j < series->count; j++) {
            const ChartPoint *point = &series->points[j];
            double x = figure_place(&layout->x, point->x), y = figure_place(&panel->y, point->y);
            if (point->label == NULL || x < 0 || x > 1 || y < 0 || y > 1) {
                continue;
            }
            const Shape shape =
                choose_for_words(placer, point->label, panel->left + x * panel->wide,
                                 panel->bottom + y * panel->high);
            if (layout->chart->labels_told && is_crowded(placer, &shape)) {
                continue;
            }
            take(placer, &shape, &x, &y);
            add_name(placer, &(FigureName){.kind = NAME_OF_POINT,
                                           .series = series,
                                           .label = point->label,
                                           .x = x,
                                           .y = y});
        }
    }
}

void figure_place_names(FigureLayout *layout) {
    for (size_t i = 0; i < layout->panel_count; i++) {
        Placer placer = {.layout = layout, .panel = &layout->panels[i]};
        if (placer.panel->empty) {
            continue;
        }
        if (layout->legend == FIGURE_LEGEND_DIRECT) {
            place_direct_labels(&placer);
        }
        place_ceilings(&placer);
        place_words(&placer);
        layout->crowded += placer.crowded;
    }
}
