/* Where the time goes: upload, the stages of kernels, download; as a page's table and as bars. */

#include "report_internal.h"

#include <math.h>
#include <string.h>

#include "status.h"
#include "variant.h"

enum { STAGE_NAMES_MAX = 64 };

/* Names of stages over several rows, in the order they come up. */
typedef struct StageNames {
    const char *names[STAGE_NAMES_MAX];
    size_t count;
} StageNames;

bool row_has_stages(const Row *row) {
    bool timed = false;
    for (size_t i = 0; i < variant_stage_count(row->variant); i++) {
        timed |= isfinite(row->stage_seconds[i]);
    }
    return timed && isfinite(row_seconds(row, TIME_KERNEL));
}

/* 0 where they were not timed. */
static size_t stage_count(const Row *row) {
    return row_has_stages(row) ? variant_stage_count(row->variant) : 0;
}

/* NAN where the row has no stage of this name. */
static double stage_seconds(const Row *row, const char *name) {
    for (size_t i = 0; i < stage_count(row); i++) {
        if (strcmp(row->variant->stages[i].name, name) == 0) {
            return row->stage_seconds[i];
        }
    }
    return NAN;
}

static void add_stages(StageNames *stages, const Row *row) {
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

/* === Table of a page ========================================================================== */

/* Of each variant of a family's groups the fastest row at the largest size that has times of
 * stages. */
typedef struct StageTable {
    const Row **rows;
    size_t count, capacity;
    StageNames stages;
    bool undivided; /* some variant has no stages */
    bool streamed;  /* some variant does its stages at the same time */
    bool launches;  /* some row has several, of which only the first has timed its stages */
    TimeUnit unit;
} StageTable;

/* A row of the largest size at which some row has stages; NULL when there is none. */
static const Row *largest_with_stages(const RunGroup *group) {
    const Row *largest = NULL;
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        if (row_has_stages(row) && (largest == NULL || row_size(row) > row_size(largest))) {
            largest = row;
        }
    }
    return largest;
}

static void find_rows(Document *document, const Family *family, StageTable *table) {
    for (size_t i = 0; i < family->count; i++) {
        const RunGroup *group = family->groups[i];
        const RowLine fastest = variants_at(document, group, largest_with_stages(group));
        for (size_t j = 0; j < fastest.count; j++) {
            const Row *row = fastest.rows[j];
            if (!DOCUMENT_ROOM(document, table->rows, table->count, table->capacity)) {
                return;
            }
            table->rows[table->count++] = row;
            table->undivided |= !row_has_stages(row);
            table->streamed |= row->variant->streamed;
            table->launches |= row_has_stages(row) && row->kernel_summary.launches > 1;
            add_stages(&table->stages, row);
        }
    }
}

/* The parts of a row: upload, stages, the undivided kernel, download. */
static size_t part_count(const StageTable *table) {
    return table->stages.count + 3;
}

/* The seconds of a part; NAN where the row does not have it. */
static double part_seconds(const StageTable *table, const Row *row, size_t part) {
    const size_t stages = table->stages.count;
    if (part == 0 || part == stages + 2) {
        return row_is_on_cpu(row) ? (double)NAN : part == 0 ? row->upload : row->download;
    }
    if (part == stages + 1) {
        return row_has_stages(row) ? (double)NAN : row_seconds(row, TIME_KERNEL);
    }
    return stage_seconds(row, table->stages.names[part - 1]);
}

/* All parts of a row together. */
static double sum_of(const StageTable *table, const Row *row) {
    double sum = 0.0;
    for (size_t part = 0; part < part_count(table); part++) {
        const double seconds = part_seconds(table, row, part);
        sum += isfinite(seconds) ? seconds : 0.0;
    }
    return sum;
}

static bool is_shown(const StageTable *table, size_t part) {
    return part != table->stages.count + 1 || table->undivided;
}

static const char *part_title(const StageTable *table, size_t part) {
    return part == 0                         ? "upload"
           : part <= table->stages.count     ? table->stages.names[part - 1]
           : part == table->stages.count + 1 ? "kernel, undivided"
                                             : "download";
}

static void part_cell(Document *document, DocTable *table, double seconds, double sum,
                      const TimeUnit *unit) {
    if (!isfinite(seconds)) {
        table_words(document, table, "");
        return;
    }
    char number[SIGNIFICANT_SIZE];
    char share[SIGNIFICANT_SIZE];
    significant_text(seconds / unit->seconds, OVERVIEW_DIGITS, number);
    significant_text(100.0 * seconds / sum, 2, share);
    table_cell(document, table,
               &(DocCell){.text = number,
                          .number = seconds,
                          .note = document_text(document, "%s%% of all parts", share)});
}

static void fill_table(const Overview *overview, const StageTable *stages, DocTable *table) {
    Document *document = overview->document;
    const char *group = document_text(document, "time (%s)", stages->unit.name);
    group_columns(overview, table);
    table_column(document, table, &(DocColumn){.title = "variant"});
    for (size_t part = 0; part < part_count(stages); part++) {
        if (is_shown(stages, part)) {
            table_column(
                document, table,
                &(DocColumn){.title = part_title(stages, part), .group = group, .numeric = true});
        }
    }
    for (size_t i = 0; i < stages->count; i++) {
        const Row *row = stages->rows[i];
        const double sum = sum_of(stages, row);
        group_cells(overview, table, row);
        variant_cell(document, table, row);
        for (size_t part = 0; part < part_count(stages); part++) {
            if (is_shown(stages, part)) {
                part_cell(document, table, part_seconds(stages, row, part), sum, &stages->unit);
            }
        }
    }
}

static void family_table(const Overview *overview, const Family *family, StageTable *stages) {
    Document *document = overview->document;
    char size[OVERVIEW_TEXT_SIZE];
    TimeRange range = {.count = 0};
    size_words(stages->rows[0], size);
    for (size_t i = 0; i < stages->count; i++) {
        time_range_add(&range, sum_of(stages, stages->rows[i]));
    }
    stages->unit = time_unit(&range);
    DocTable *table = document_table(
        document, document_text(document, "stages-%s", family_slug(document, family)),
        document_text(document, "%s at %s: where the time goes", family_name(document, family),
                      size));
    fill_table(overview, stages, table);
    if (table != NULL) {
        table->sortable = true;
        table->shaded = true;
        table->note = document_text(
            document,
            "Medians of each variant's fastest tuning; the darker, the larger its share of the "
            "row. Parts are timed one by one, each until it has ended: together they may take "
            "longer than all in one go%s.%s",
            stages->streamed ? ", above all where a variant streams, which does them at the same "
                               "time"
                             : "",
            stages->launches ? " The stages are those of the first launch." : "");
    }
}

void overview_stages(const Overview *overview) {
    bool headed = false;
    for (size_t i = 0; i < overview->count; i++) {
        StageTable stages = {.count = 0};
        find_rows(overview->document, &overview->families[i], &stages);
        if (stages.count > 0) {
            if (!headed) {
                document_heading(overview->document, 2, "Where the time goes");
            }
            headed = true;
            family_table(overview, &overview->families[i], &stages);
        }
    }
}

/* === Bars of a file =========================================================================== */

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
                               : bar->staged ? or_zero(stage_seconds(bar->row, stage))
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

static void add_totals(Document *document, DocChart *chart, const Bars *bars) {
    ChartSeries *totals =
        chart_series(document, chart, bars->shares ? "total" : NULL, SERIES_WORDS, 0);
    for (size_t i = 0; i < bars->count; i++) {
        const Row *row = bars->list[i].row;
        char total[NUMBER_WORDS_SIZE];
        char tuning[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
        seconds_text(bars->list[i].total, total);
        point_format(&row->tuning, tuning, sizeof tuning);
        chart_point(
            document, totals,
            &(ChartPoint){
                .x = (double)i, .y = bars->ends[i], .low = NAN, .high = NAN, .label = total});
        chart_tick(document, &chart->x, (double)i,
                   document_text(document, "%s\n%s", row->variant->name, tuning));
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
            add_stages(&bars->stages, bar.row);
        }
        time_range_add(&range, bar.total);
        least = fmin(least, bar.total);
        most = fmax(most, bar.total);
    }
    bars->shares = most > far_apart * least;
    bars->unit = time_unit(&range);
}

void stages_fill(Document *document, DocChart *chart, const RunGroup *rows, const Row *largest) {
    Bars *bars = document_allocate(document, sizeof *bars);
    if (bars == NULL) {
        return;
    }
    find_bars(document, rows, largest, bars);
    if (bars->stages.count == 0) {
        return;
    }
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
    add_totals(document, chart, bars);
}
