/* Charts of numbers that no row has: those of histories, studies and applications. */

#include "builder.h"

#include <math.h>

#include "harness.h"
#include "look.h"

/* === Lines ==================================================================================== */

static void add_curve(const Builder *builder, const ChartSeries *line, const char *name, int colour,
                      double unit) {
    ChartSeries *series =
        chart_series(builder->document, builder->chart, name, line->style, colour);
    for (size_t i = 0; i < line->count; i++) {
        ChartPoint point = line->points[i];
        point.y /= unit;
        point.low /= unit;
        point.high /= unit;
        chart_point(builder->document, series, &point);
    }
}

/* Times over commits, and a cross at the first commit of each new level. */
void build_commits(Builder *builder) {
    enum { TICKS_MAX = 5 };
    Document *document = builder->document;
    DocChart *chart = builder->chart;
    const Curves *curves = builder->curves;
    const ChartSeries *times = &curves->lines[0];
    const TimeUnit *unit = time_unit_of(times->points[times->count - 1].y, 0);
    const size_t step = (curves->x.count + TICKS_MAX - 1) / TICKS_MAX;
    chart->description =
        document_text(document, "Kernel time of %.400s over %zu commits, %zu of which change it",
                      chart->title, times->count, curves->count - 1);
    chart->x.title = "commit";
    chart->y.title = document_text(document, "kernel time (%s)", unit->name);
    chart->y.unit = unit->name;
    for (size_t i = 0; i < curves->x.count; i += step) {
        chart_tick(document, &chart->x, curves->x.ticks[i].value, curves->x.ticks[i].label);
    }
    for (size_t i = 0; i < curves->count; i++) {
        add_curve(builder, &curves->lines[i], curves->lines[i].name, (int)i, unit->seconds);
    }
}

/* --- Of a study ------------------------------------------------------------------------------- */

/* Whether one plot would have too many lines. Without published ones the lines are there to be
 * compared with each other. */
static bool needs_panels(const Curves *curves) {
    enum { LINES_MAX = 8 };
    size_t published = 0;
    for (size_t i = 0; i < curves->count; i++) {
        published += curves->lines[i].style == SERIES_PUBLISHED;
    }
    return curves->count > LINES_MAX && published > 1;
}

/* Places go by the words of their points; other than sizes only where they are few. */
static void name_places(const Builder *builder) {
    enum { TICKS_MAX = 12 };
    DocChart *chart = builder->chart;
    for (size_t s = 0; s < chart->count; s++) {
        for (size_t p = 0; p < chart->series[s].count; p++) {
            const ChartPoint *point = &chart->series[s].points[p];
            if (point->label != NULL) {
                chart_mark(builder->document, &chart->x, point->x, point->label);
            }
        }
    }
    if (!builder->curves->over_sizes && chart->x.count > TICKS_MAX) {
        chart->x.count = 0;
    }
}

/* What was measured here, and in the same colour what was published; or small multiples, a panel
 * for each, on the same axes. */
void build_study(Builder *builder) {
    Document *document = builder->document;
    DocChart *chart = builder->chart;
    const Curves *curves = builder->curves;
    const bool panels = needs_panels(curves);
    chart->x = curves->x;
    chart->y = curves->y;
    chart->reference = curves->ratios ? 1 : (double)NAN;
    for (size_t i = 0; i < curves->count; i++) {
        const ChartSeries *line = &curves->lines[i];
        const bool published = line->style == SERIES_PUBLISHED;
        if (panels && (i == 0 || line->panel != line[-1].panel)) {
            chart_panel(document, chart, line->name);
        }
        add_curve(builder, line,
                  panels      ? published ? "published" : "here"
                  : published ? document_text(document, "%s, published", line->name)
                              : line->name,
                  panels ? machine_look_number(published, false) : line->colour, 1);
    }
    name_places(builder);
}

/* --- Of an application ------------------------------------------------------------------------ */

/* Marks at powers of two, of which about nine have a name. */
static void mark_doublings(const Builder *builder) {
    DocChart *chart = builder->chart;
    double first = INFINITY, last = -INFINITY;
    for (size_t i = 0; i < chart->count; i++) {
        for (size_t j = 0; j < chart->series[i].count; j++) {
            first = fmin(first, chart->series[i].points[j].x);
            last = fmax(last, chart->series[i].points[j].x);
        }
    }
    if (!(first > 0 && first < last)) {
        return;
    }
    const int most = (int)floor(log2(last));
    const int between = (int)fmax(1.0, ceil(log2(last / first) / 9.0));
    for (int power = (int)ceil(log2(first)); power <= most; power++) {
        chart_tick(builder->document, &chart->x, ldexp(1, power),
                   power % between == 0 ? document_text(builder->document, "%.0f", ldexp(1, power))
                                        : "");
    }
}

void build_curves(Builder *builder) {
    DocChart *chart = builder->chart;
    const Curves *curves = builder->curves;
    chart->x = curves->x;
    for (size_t p = 0; p < curves->panel_count; p++) {
        ChartPanel *panel = chart_panel(builder->document, chart, NULL);
        if (panel != NULL) {
            panel->y = curves->panels[p];
        }
        for (size_t i = 0; i < curves->count; i++) {
            const ChartSeries *line = &curves->lines[i];
            if (line->panel == p) {
                add_curve(builder, line, line->name, line->colour, 1);
            }
        }
    }
    if (chart->x.log) {
        mark_doublings(builder);
    }
}

/* === Counts =================================================================================== */

/* A field for each count of a matrix. */
void build_counts(Builder *builder) {
    Document *document = builder->document;
    DocChart *chart = builder->chart;
    const CountChart *counts = builder->counts;
    chart->kind = CHART_HEAT;
    chart->x.title = counts->x_title;
    chart->y.title = counts->y_title;
    for (size_t column = 0; column < counts->columns; column++) {
        chart_tick(document, &chart->x, (double)column, counts->column_names[column]);
    }
    for (size_t row = 0; row < counts->rows; row++) {
        ChartSeries *series =
            chart_series(document, chart, counts->row_names[row], SERIES_MEASURED, 0);
        for (size_t column = 0; column < counts->columns; column++) {
            chart_dot(document, series, (double)column,
                      (double)counts->counts[row * counts->columns + column], NULL);
        }
    }
}

/* The outline of a bar for each bin, in the style of ceilings, a thin line without marks. */
void build_histogram(Builder *builder) {
    Document *document = builder->document;
    DocChart *chart = builder->chart;
    const CountChart *bins = builder->counts;
    chart->x.title = bins->x_title;
    chart->y = (ChartAxis){.title = bins->y_title, .from_zero = true};
    ChartSeries *series = chart_series(document, chart, NULL, SERIES_CEILING, 0);
    for (size_t i = 0; i < bins->columns; i++) {
        const double left = (double)i - 0.5, count = (double)bins->counts[i];
        chart_dot(document, series, left, 0, NULL);
        chart_dot(document, series, left, count, NULL);
        chart_dot(document, series, left + 1, count, NULL);
        chart_dot(document, series, left + 1, 0, NULL);
    }
}
