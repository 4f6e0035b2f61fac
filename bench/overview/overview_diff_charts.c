/* Charts of two runs on shared axes: A solid, B dashed, a variant in one colour in both. */
#include <math.h>
#include <stdlib.h>

#include "chart_parts.h"
#include "overview_diff_parts.h"

typedef struct RunCurve {
    CurvePoint *points;
    const Row **rows;
    size_t count;
} RunCurve;

typedef struct CurvePair {
    RunCurve a, b;
} CurvePair;

static void release_curves(CurvePair *pair) {
    free(pair->a.points);
    free(pair->a.rows);
    free(pair->b.points);
    free(pair->b.rows);
}

/* False without memory, and then the document has failed. */
static bool make_curves(const DiffGroup *group, const Variant *variant, Document *document,
                        CurvePair *pair) {
    *pair = (CurvePair){.a = {.points = NULL}};
    RunCurve *curves[] = {&pair->a, &pair->b};
    const RunGroup *groups[] = {group->a, group->b};
    for (size_t i = 0; i < 2; i++) {
        const Status status = run_curve(groups[i], variant, TIME_KERNEL, &curves[i]->points,
                                        &curves[i]->rows, &curves[i]->count);
        if (!status_is_ok(&status)) {
            document->failed = true;
            release_curves(pair);
            return false;
        }
    }
    return true;
}

/* What is drawn of a group. */
typedef struct DiffDrawing DiffDrawing;
typedef struct DiffPlan {
    ChartMeasure measure; /* not looked at by the ratio of the runs */
    bool devices_only;
    DocChart *(*open)(const DiffDrawing *drawing); /* all but the x axis and the series */
    void (*draw)(DiffDrawing *drawing, const CurvePair *pair); /* one variant */
} DiffPlan;

struct DiffDrawing {
    const Diff *diff;
    const DiffGroup *group;
    const DiffPlan *plan;
    TimeUnit unit;
    Document *document;
    DocChart *chart; /* NULL until there is something to draw */
};

static void add_tick(const DiffDrawing *drawing, const SizeBest *size) {
    char label[OVERVIEW_TEXT_SIZE];
    size_short(size->fastest[TIME_KERNEL], label);
    chart_tick(drawing->document, &drawing->chart->x, size->size, label);
}

/* The sizes of both runs, each once, ascending. */
static void name_sizes(const DiffDrawing *drawing, const SizeBest *a, size_t a_count,
                       const SizeBest *b, size_t b_count) {
    size_t i = 0;
    size_t j = 0;
    while (i < a_count || j < b_count) {
        const bool from_a = j == b_count || (i < a_count && a[i].size <= b[j].size);
        const double size = from_a ? a[i].size : b[j].size;
        add_tick(drawing, from_a ? &a[i] : &b[j]);
        i += i < a_count && a[i].size == size ? 1 : 0;
        j += j < b_count && b[j].size == size ? 1 : 0;
    }
}

static void set_size_axis(const DiffDrawing *drawing) {
    const DiffGroup *group = drawing->group;
    const Row *any = group->a->rows[0];
    SizeBest *a = NULL;
    SizeBest *b = NULL;
    size_t a_count = 0;
    size_t b_count = 0;
    drawing->chart->x.log = true;
    drawing->chart->x.title =
        document_text(drawing->document, "size (%s)",
                      row_is_picture(any) ? "by number of pixels" : row_size_unit(any));
    if (diff_sizes(group, &a, &a_count, &b, &b_count, drawing->document)) {
        name_sizes(drawing, a, a_count, b, b_count);
    }
    free(a);
    free(b);
}

/* A chart without a series would be an empty frame: it is made with the first. */
static ChartSeries *add_series(DiffDrawing *drawing, const char *name, SeriesStyle style,
                               const Row *row) {
    if (drawing->chart == NULL) {
        drawing->chart = drawing->plan->open(drawing);
        if (drawing->chart == NULL) {
            return NULL;
        }
        set_size_axis(drawing);
    }
    return chart_series(drawing->document, drawing->chart, name, style, variant_colour(row));
}

static void add_point(const DiffDrawing *drawing, ChartSeries *series, const Row *row,
                      ChartPoint point) {
    char label[OVERVIEW_TEXT_SIZE];
    size_short(row, label);
    point.x = row_size(row);
    point.label = label;
    chart_point(drawing->document, series, &point);
}

/* --- Both runs in one chart ------------------------------------------------------------------- */

static void draw_curve(DiffDrawing *drawing, const RunCurve *curve, const char *run,
                       SeriesStyle style) {
    ChartSeries *series = NULL;
    for (size_t i = 0; i < curve->count; i++) {
        const Row *row = curve->rows[i];
        const ChartPoint point =
            measure_point(row, drawing->plan->measure, TIME_KERNEL, &drawing->unit);
        if (isnan(point.y)) {
            continue;
        }
        if (series == NULL) {
            const char *name = document_text(drawing->document, "%s, %s", row->variant->name, run);
            series = add_series(drawing, name, style, row);
        }
        add_point(drawing, series, row, point);
    }
}

static void draw_both(DiffDrawing *drawing, const CurvePair *pair) {
    draw_curve(drawing, &pair->a, drawing->diff->a->name, SERIES_MEASURED);
    draw_curve(drawing, &pair->b, drawing->diff->b->name, SERIES_SECONDARY);
}

static DocChart *open_both(const DiffDrawing *drawing) {
    Document *document = drawing->document;
    const ChartMeasure measure = drawing->plan->measure;
    const RunGroup *group = drawing->group->a;
    DocChart *chart = measure_chart(
        document, document_text(document, "diff-%s-%s", group->slug, measure_slug(measure)),
        document_text(document, "%s: %s", group->title, measure_words(measure)), measure,
        &drawing->unit);
    if (chart != NULL) {
        chart->description = document_text(
            document,
            "The %s of each variant%s at its fastest tuning against the size of the input, "
            "logarithmic; %s with solid lines, %s with dashed ones.",
            measure_words(measure), drawing->plan->devices_only ? " on a device" : "",
            drawing->diff->a->name, drawing->diff->b->name);
    }
    return chart;
}

/* --- B over A --------------------------------------------------------------------------------- */

static void draw_ratios(DiffDrawing *drawing, const CurvePair *pair) {
    ChartSeries *series = NULL;
    for (size_t i = 0, j = 0; i < pair->a.count && j < pair->b.count;) {
        if (pair->a.points[i].x < pair->b.points[j].x) {
            i++;
            continue;
        }
        if (pair->b.points[j].x < pair->a.points[i].x) {
            j++;
            continue;
        }
        const Row *row = pair->a.rows[i];
        Ratio ratio;
        const Status status = diff_ratio(row, pair->b.rows[j], TIME_KERNEL, &ratio);
        drawing->document->failed = drawing->document->failed || !status_is_ok(&status);
        if (series == NULL) {
            series = add_series(drawing, row->variant->name, SERIES_MEASURED, row);
        }
        add_point(drawing, series, row,
                  (ChartPoint){.y = ratio.value, .low = ratio.low, .high = ratio.high});
        i++;
        j++;
    }
}

static DocChart *open_ratios(const DiffDrawing *drawing) {
    Document *document = drawing->document;
    const RunGroup *group = drawing->group->a;
    DocChart *chart =
        document_chart(document, document_text(document, "diff-%s-ratio", group->slug),
                       document_text(document, "%s: time of B over time of A", group->title));
    if (chart != NULL) {
        chart->y.log = true;
        chart->y.title = "median of B / median of A, kernel";
        chart->reference = 1;
        chart->description = document_text(
            document,
            "Ratio of the kernel times of %s (B) to those of %s (A), each variant at its fastest "
            "tuning in either, with 95%% intervals; below 1, B is faster.",
            drawing->diff->b->name, drawing->diff->a->name);
    }
    return chart;
}

/* --- A group's charts ------------------------------------------------------------------------- */

static void draw(const Diff *diff, const DiffGroup *group, const DiffPlan *plan, TimeUnit unit,
                 Document *document) {
    DiffDrawing drawing = {
        .diff = diff, .group = group, .plan = plan, .unit = unit, .document = document};
    const Variant *variants[DIFF_VARIANTS_MAX];
    const size_t count = diff_variants(group, variants);
    for (size_t i = 0; i < count; i++) {
        CurvePair pair;
        if ((!plan->devices_only || !variant_is_on_cpu(variants[i])) &&
            make_curves(group, variants[i], document, &pair)) {
            plan->draw(&drawing, &pair);
            release_curves(&pair);
        }
    }
}

/* What is to be known of the timed rows of both runs. */
typedef struct TimedRows {
    TimeRange times;
    bool device;
    double least, greatest; /* sizes */
} TimedRows;

static TimedRows look_at_rows(const DiffGroup *group) {
    TimedRows seen = {.least = INFINITY, .greatest = 0};
    const RunGroup *groups[] = {group->a, group->b};
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < groups[i]->count; j++) {
            const Row *row = groups[i]->rows[j];
            const double seconds = row_seconds(row, TIME_KERNEL);
            if (!isnan(seconds)) {
                time_range_add(&seen.times, seconds);
                seen.device = seen.device || !variant_is_on_cpu(row->variant);
                seen.least = fmin(seen.least, row_size(row));
                seen.greatest = fmax(seen.greatest, row_size(row));
            }
        }
    }
    return seen;
}

void diff_tell_charts(const Diff *diff, const DiffGroup *group, Document *document) {
    const TimedRows seen = look_at_rows(group);
    const DiffPlan plans[] = {
        {.measure = CHART_TIME, .open = open_both, .draw = draw_both},
        {.measure = CHART_OVER_BEST_CPU,
         .devices_only = seen.device,
         .open = open_both,
         .draw = draw_both},
        {.open = open_ratios, .draw = draw_ratios},
    };
    if (!(seen.least < seen.greatest)) {
        return; /* no line can be drawn through one size */
    }
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        draw(diff, group, &plans[i], time_unit(&seen.times), document);
    }
}
