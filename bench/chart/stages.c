/* Where the time goes: upload, the stages of kernels, download; as bars. */

#include "builder.h"
#include "document.h"
#include "variant.h"

#include <math.h>
#include <string.h>

bool row_has_stages(const Row *row) {
    bool timed = false;
    for (size_t i = 0; i < variant_stage_count(row->variant); i++) {
        timed |= isfinite(row->stage_seconds[i]);
    }
    return timed && row_is_timed(row);
}

/* 0 where they were not timed. */
static size_t stage_count(const Row *row) {
    return row_has_stages(row) ? variant_stage_count(row->variant) : 0;
}

/* NAN where the row has no stage of this name. */
double row_stage_seconds(const Row *row, const char *name) {
    for (size_t i = 0; i < stage_count(row); i++) {
        if (strcmp(row->variant->stages[i].name, name) == 0) {
            return row->stage_seconds[i];
        }
    }
    return NAN;
}

void stage_names_add(StageNames *stages, const Row *row) {
    for (size_t i = 0; i < stage_count(row); i++) {
        size_t place = 0;
        while (place < stages->count &&
               strcmp(stages->names[place], row->variant->stages[i].name) != 0) {
            place++;
        }
        if (isfinite(row->stage_seconds[i]) && place == stages->count && place < STAGE_NAMES_MAX) {
            stages->names[stages->count++] = row->variant->stages[i].name;
        }
    }
}

/* === Bars ===================================================================================== */

/* Grey parts of a bar, as script.c numbers them. */
typedef enum Grey { GREY_UPLOAD, GREY_WHOLE, GREY_OVERLAPPED, GREY_DOWNLOAD, GREYS } Grey;

typedef struct Bar {
    const Row *row;
    bool staged;
    double grey[GREYS]; /* seconds; 0: no such part */
    double total;
} Bar;

typedef struct Bars {
    Bar list[VARIANTS_MAX];
    size_t count;
    double ends[VARIANTS_MAX]; /* where the next part of a bar begins */
    bool shares;               /* all bars are equally long */
    TimeUnit unit;
    StageNames stages;
} Bars;

static double or_zero(double number) {
    return isfinite(number) && number > 0 ? number : 0;
}

/* Kernels without stages are one part; where transfers and kernel overlap so that together they
 * take clearly less than their sum, that time is one part: copies from ordinary memory take now
 * more, now less time, so that a little less is no overlap. */
static Bar bar_of(const Row *row) {
    static const double clearly_less = 0.8;
    Bar bar = {.row = row, .staged = row_has_stages(row)};
    const double up = or_zero(row->upload), down = or_zero(row->download);
    const double kernel = row_seconds(row, TIME_KERNEL);
    const double whole = or_zero(row->end_to_end_summary.median);
    if (whole > 0 && whole < clearly_less * (up + kernel + down)) {
        bar.staged = false;
        bar.grey[GREY_OVERLAPPED] = whole;
    } else {
        bar.grey[GREY_UPLOAD] = up;
        bar.grey[GREY_WHOLE] = bar.staged ? 0 : kernel;
        bar.grey[GREY_DOWNLOAD] = down;
    }
    for (size_t i = 0; i < GREYS; i++) {
        bar.total += bar.grey[i];
    }
    for (size_t i = 0; bar.staged && i < stage_count(row); i++) {
        bar.total += or_zero(row->stage_seconds[i]);
    }
    return bar;
}

/* A part of every bar that has it: that stage, or, for `stage` NULL, that grey one. */
static void add_part(Document *document, DocChart *chart, Bars *bars, const char *stage, Grey grey,
                     const char *name, int colour) {
    ChartSeries *series = NULL;
    for (size_t i = 0; i < bars->count; i++) {
        const Bar *bar = &bars->list[i];
        const double seconds = stage == NULL ? bar->grey[grey]
                               : bar->staged ? or_zero(row_stage_seconds(bar->row, stage))
                                             : 0;
        if (!(seconds > 0)) {
            continue;
        }
        const double share = 100.0 * seconds / bar->total;
        const double length = bars->shares ? share : seconds / bars->unit.seconds;
        if (series == NULL) {
            series = chart_series(document, chart, name,
                                  stage != NULL ? SERIES_MEASURED : SERIES_SECONDARY, colour);
        }
        const ChartPoint point = {.x = (double)i,
                                  .y = length,
                                  .low = bars->ends[i],
                                  .high = bars->ends[i] + length,
                                  .label = share < 99.5 ? document_text(document, "%.0f%%", share)
                                                        : NULL};
        chart_point(document, series, &point);
        bars->ends[i] = point.high;
    }
}

/* A file has room for the tuning of each bar. */
static void add_totals(const Builder *builder, const Bars *bars) {
    Document *document = builder->document;
    DocChart *chart = builder->chart;
    const bool file = builder->place == PLACE_FILE;
    ChartSeries *totals =
        chart_series(document, chart, bars->shares ? "total" : NULL, SERIES_WORDS, 0);
    for (size_t i = 0; i < bars->count; i++) {
        const Row *row = bars->list[i].row;
        char total[NUMBER_WORDS_SIZE], tuning[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
        seconds_text(bars->list[i].total, total);
        point_format(&row->tuning, tuning, sizeof tuning);
        chart_dot(document, totals, (double)i, bars->ends[i], total);
        chart_tick_noted(document, &chart->x, (double)i,
                         file ? row->variant->name : builder_renamed(builder, row->variant->name),
                         file ? tuning : "");
    }
}

static void find_bars(Document *document, const RunGroup *rows, const Row *largest, Bars *bars) {
    static const double far_apart = 20;
    const RowLine fastest = variants_at(document, rows, largest);
    double least = INFINITY, most = 0;
    TimeRange range = {.count = 0};
    for (size_t i = 0; i < fastest.count; i++) {
        const Bar bar = bar_of(fastest.rows[i]);
        bars->list[bars->count++] = bar;
        if (bar.staged) {
            stage_names_add(&bars->stages, bar.row);
        }
        time_range_add(&range, bar.total);
        least = fmin(least, bar.total);
        most = fmax(most, bar.total);
    }
    bars->shares = most > far_apart * least;
    bars->unit = time_unit(&range);
}

static void add_bars(const Builder *builder, Bars *bars) {
    Document *document = builder->document;
    DocChart *chart = builder->chart;
    chart->kind = CHART_BARS;
    chart->y.title = bars->shares ? "share of the time (%)"
                                  : document_text(document, "time (%s)", bars->unit.name);
    add_part(document, chart, bars, NULL, GREY_UPLOAD, "upload", GREY_UPLOAD);
    for (size_t i = 0; i < bars->stages.count; i++) {
        const char *name = bars->stages.names[i];
        add_part(document, chart, bars, name, GREY_WHOLE, name, (int)i);
    }
    add_part(document, chart, bars, NULL, GREY_WHOLE, "whole kernel", GREY_WHOLE);
    add_part(document, chart, bars, NULL, GREY_OVERLAPPED, "overlapped", GREY_OVERLAPPED);
    add_part(document, chart, bars, NULL, GREY_DOWNLOAD, "download", GREY_DOWNLOAD);
    add_totals(builder, bars);
}

void build_stages(Builder *builder) {
    const RunGroup rows = builder_rows(builder, 0, NULL);
    const Row *largest = builder_largest(builder, &rows);
    Bars *bars = document_allocate(builder->document, sizeof *bars);
    if (largest == NULL || bars == NULL) {
        return;
    }
    find_bars(builder->document, &rows, largest, bars);
    if (bars->stages.count == 0) {
        return;
    }
    add_bars(builder, bars);
    if (builder->place == PLACE_FILE) {
        builder->chart->title = builder_title_at(builder, largest, &builder->head->answer);
    }
}
