/* Rooflines: what each variant reaches below what the machine allows. */

#include "builder.h"
#include "document.h"
#include "scaling.h"
#include "variant.h"

#include <math.h>

#include "look.h"
#include "number.h"
#include "ratio.h"

/* === Roofs ==================================================================================== */

/* Ceilings are grey, as they belong to no variant. */
enum { ROOFS_MAX = 4, CEILING_COLOUR = 9 };

/* Room for the slopes to the left of points and ridges, and for the flat parts to the right. */
static const double room_left = 100, room_right = 12;

static bool has_roof(const Row *row) {
    return isfinite(row->ceiling_bandwidth) && isfinite(row->ceiling_operations);
}

static bool has_place(const Row *row) {
    return row->cost.operations > 0 && row->cost.bytes > 0;
}

/* What one thread, the most threads, a device or the most devices can do at best with these bytes.
 */
typedef struct Roof {
    int threads; /* 0: on devices */
    int gpus;    /* 1 for a device; 0 on the CPU */
    double bandwidth, operations;
} Roof;

/* Devices that the row ran on; 0 on the CPU. */
static int gpus_of(const Row *row) {
    const int gpus = row_gpus(row);
    return row->threads > 0 ? 0 : gpus > 1 ? gpus : 1;
}

static void widen_roof(Roof *roofs, size_t *count, const Row *row) {
    size_t i = 0;
    while (i < *count && (roofs[i].threads != row->threads || roofs[i].gpus != gpus_of(row))) {
        i++;
    }
    if (i == *count && *count < ROOFS_MAX) {
        roofs[(*count)++] = (Roof){.threads = row->threads, .gpus = gpus_of(row)};
    }
    if (i < *count) {
        roofs[i].bandwidth = fmax(roofs[i].bandwidth, row->ceiling_bandwidth);
        roofs[i].operations = fmax(roofs[i].operations, row->ceiling_operations);
    }
}

static size_t find_roofs(const RunGroup *group, const RowLine *fastest, Roof roofs[ROOFS_MAX]) {
    int most_threads = 0, most_gpus = 0;
    size_t count = 0;
    const double size = row_size(fastest->rows[0]);
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        if (row_size(row) == size && has_roof(row)) {
            most_threads = row->threads > most_threads ? row->threads : most_threads;
            most_gpus = gpus_of(row) > most_gpus ? gpus_of(row) : most_gpus;
        }
    }
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        if (row_size(row) == size && has_roof(row) &&
            (row->threads <= 1 || row->threads == most_threads) &&
            (gpus_of(row) <= 1 || gpus_of(row) == most_gpus)) {
            widen_roof(roofs, &count, row);
        }
    }
    return count;
}

static const char *roof_name(Document *document, const Roof *roof, double value, const char *unit) {
    char amount[REPORT_TEXT_SIZE];
    amount_text(value, unit, amount, sizeof amount);
    if (roof->gpus > 1) {
        return document_text(document, "%d GPUs, %s", roof->gpus, amount);
    }
    if (roof->threads == 0) {
        return document_text(document, "GPU, %s", amount);
    }
    return document_text(document, "%d thread%s, %s", roof->threads, roof->threads == 1 ? "" : "s",
                         amount);
}

/* A line of two points. */
static void add_ceiling(Document *document, DocChart *chart, const char *name, const double from[2],
                        const double to[2]) {
    const double giga = 1e9;
    ChartSeries *series = chart_series(document, chart, name, SERIES_CEILING, CEILING_COLOUR);
    chart_dot(document, series, from[0], from[1] / giga, NULL);
    chart_dot(document, series, to[0], to[1] / giga, NULL);
}

/* The slope of the bandwidth, and from its ridge on the peak rate. */
static void add_roof(Document *document, DocChart *chart, const Roof *roof, double from,
                     double to) {
    const double ridge[] = {roof->operations / roof->bandwidth, roof->operations};
    add_ceiling(document, chart, roof_name(document, roof, roof->bandwidth, "B/s"),
                (const double[]){from, from * roof->bandwidth}, ridge);
    add_ceiling(document, chart, roof_name(document, roof, roof->operations, "op/s"), ridge,
                (const double[]){to, roof->operations});
}

static void add_point(Document *document, DocChart *chart, const Row *row) {
    const Ratio giga = summary_rate(&row->kernel_summary, row->cost.operations * 1e-9);
    ChartSeries *series = chart_series(document, chart, row->variant->name, SERIES_MEASURED,
                                       variant_colour(row->variant));
    chart_point(document, series,
                &(ChartPoint){.x = row->cost.operations / row->cost.bytes,
                              .y = giga.value,
                              .low = giga.low,
                              .high = giga.high});
}

static void name_axes(DocChart *chart) {
    chart->x.title = "least operations per byte";
    chart->y.title = "operations a second (Gop/s)";
    chart->y.unit = "Gop/s";
    chart->x.log = chart->y.log = true;
    chart->reference = NAN;
}

/* The page has a table of shares below the chart. */
static const char *description(Document *document, size_t variants, size_t roofs) {
    return document_text(
        document,
        "Roofline chart, both axes logarithmic: %zu variants as points at the least operations "
        "per byte that the algorithm needs. Above them are the measured bandwidths (slopes) and "
        "peak rates (flat lines) of %zu processor%s. The table below has each variant's share of "
        "its roof.",
        variants, roofs, roofs == 1 ? "" : "s or thread counts");
}

static void add_roofs(const Builder *builder, const RunGroup *group, const RowLine *fastest) {
    Document *document = builder->document;
    DocChart *chart = builder->chart;
    Roof roofs[ROOFS_MAX] = {{.threads = 0}};
    const size_t count = find_roofs(group, fastest, roofs);
    double least = INFINITY;
    double most = 0.0;
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, roofs[i].operations / roofs[i].bandwidth);
        most = fmax(most, roofs[i].operations / roofs[i].bandwidth);
    }
    name_axes(chart);
    chart->ceilings_named = true;
    for (size_t i = 0; i < fastest->count; i++) {
        if (has_place(fastest->rows[i])) {
            const double place = fastest->rows[i]->cost.operations / fastest->rows[i]->cost.bytes;
            add_point(document, chart, fastest->rows[i]);
            least = fmin(least, place);
            most = fmax(most, place);
        }
    }
    for (size_t i = 0; i < count; i++) {
        add_roof(document, chart, &roofs[i], least / room_left, most * room_right);
    }
    if (builder->place == PLACE_PAGE) {
        chart->description = description(document, fastest->count, count);
    }
}

/* === Of several machines ====================================================================== */

/* The highest of one side; NULL: there is none. */
static const Roof *roof_of_side(const Roof *roofs, size_t count, bool cpu) {
    const Roof *roof = NULL;
    for (size_t i = 0; i < count; i++) {
        if ((roofs[i].threads > 0) == cpu &&
            (roof == NULL || roofs[i].operations > roof->operations)) {
            roof = &roofs[i];
        }
    }
    return roof;
}

/* "H200: 4.27 TB/s, 32.2 Top/s" */
static const char *machine_roof_name(const Builder *builder, size_t run, bool cpu,
                                     const Roof *roof) {
    char bandwidth[REPORT_TEXT_SIZE], operations[REPORT_TEXT_SIZE];
    amount_text(roof->bandwidth, "B/s", bandwidth, sizeof bandwidth);
    amount_text(roof->operations, "op/s", operations, sizeof operations);
    return document_text(
        builder->document, "%s: %s, %s",
        builder_series_name(builder, cpu ? "best CPU" : NULL, NULL, TIME_KERNEL, run), bandwidth,
        operations);
}

/* The roof begins and ends where those of the machines before do. */
static void align_ends(DocChart *chart) {
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        for (size_t j = 0; series->style == SERIES_CEILING && j < series->count; j++) {
            least = fmin(least, series->points[j].x);
            most = fmax(most, series->points[j].x);
        }
    }
    for (size_t i = 0; i < chart->count; i++) {
        ChartSeries *series = &chart->series[i];
        if (series->style == SERIES_CEILING && series->count == 3) {
            series->points[0].y *= least / series->points[0].x;
            series->points[0].x = least;
            series->points[2].x = most;
        }
    }
}

static void add_machine_roof(const Builder *builder, size_t run, bool cpu, const Row *row,
                             const Roof *roof) {
    const double giga = 1e9, place = row->cost.operations / row->cost.bytes;
    const double ridge = roof->operations / roof->bandwidth;
    const double xs[] = {fmin(place, ridge) / room_left, ridge, fmax(place, ridge) * room_right};
    Document *document = builder->document;
    const int look = machine_look_number(run, cpu);
    ChartSeries *ceiling = chart_series(document, builder->chart, NULL, SERIES_CEILING, look);
    for (size_t i = 0; i < sizeof xs / sizeof xs[0]; i++) {
        const double y = fmin(xs[i] * roof->bandwidth, roof->operations) / giga;
        chart_dot(document, ceiling, xs[i], y, NULL);
    }
    ChartSeries *series =
        chart_series(document, builder->chart, machine_roof_name(builder, run, cpu, roof),
                     SERIES_MEASURED, look);
    chart_dot(document, series, place, row->cost.operations / row_seconds(row, TIME_KERNEL) / giga,
              NULL);
}

static void add_machine(const Builder *builder, size_t run, const RunGroup *rows,
                        const RowLine *fastest) {
    DocChart *chart = builder->chart;
    Roof roofs[ROOFS_MAX] = {{.threads = 0}};
    const size_t count = find_roofs(rows, fastest, roofs);
    name_axes(chart);
    for (int cpu = 0; cpu < 2; cpu++) {
        const Roof *roof = roof_of_side(roofs, count, cpu != 0);
        const RowLine best = row_line(
            builder->document, rows, &along_size,
            (RowChoice){.side = cpu != 0 ? SIDE_CPU : SIDE_DEVICE, .size = fastest->rows[0]});
        if (roof != NULL && best.count > 0 && has_place(best.rows[0])) {
            add_machine_roof(builder, run, cpu != 0, best.rows[0], roof);
        }
    }
    align_ends(chart);
}

/* === The chart ================================================================================ */

/* A paper's roofline has no intervals. */
static void name_roofline(const Builder *builder) {
    for (size_t i = 0; i < builder->chart->count; i++) {
        ChartSeries *series = &builder->chart->series[i];
        if (series->style != SERIES_CEILING) {
            series->name = builder_series_name(builder, series->name, NULL, TIME_KERNEL, 0);
            for (size_t j = 0; j < series->count; j++) {
                series->points[j].low = series->points[j].high = NAN;
            }
        }
    }
}

void build_roofline(Builder *builder) {
    for (size_t run = 0; run < builder->run_count; run++) {
        const RunGroup rows = builder_rows(builder, run, NULL);
        const size_t first = builder->chart->count;
        const RowLine fastest =
            variants_at(builder->document, &rows, builder_largest(builder, &rows));
        if (line_has(&fastest, has_roof) && builder->run_count > 1) {
            add_machine(builder, run, &rows, &fastest);
        } else if (line_has(&fastest, has_roof) && line_has(&fastest, has_place)) {
            add_roofs(builder, &rows, &fastest);
            if (builder->place == PLACE_PAPER) {
                name_roofline(builder);
            } else if (builder->place == PLACE_FILE) {
                builder->chart->title =
                    builder_title_at(builder, fastest.rows[0], &builder->head->answer);
            }
        }
        if (builder->chart->count == first && builder->lacking == builder->run_count) {
            builder->lacking = run;
        }
    }
}
