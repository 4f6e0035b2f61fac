/* Rooflines: what each variant reaches of what the machine allows. */

#include "report_internal.h"

#include <math.h>

#include "status.h"
#include "variant.h"

/* === Overview rooflines ======================================================================= */

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
    int most_threads = 0;
    int most_gpus = 0;
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
    char amount[OVERVIEW_TEXT_SIZE];
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
    for (size_t i = 0; i < 2; i++) {
        const double *end = i == 0 ? from : to;
        chart_point(document, series,
                    &(ChartPoint){.x = end[0], .y = end[1] / giga, .low = NAN, .high = NAN});
    }
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
    const double giga = row->cost.operations * 1e-9;
    const Summary *summary = &row->kernel_summary;
    double low, high;
    ChartSeries *series = chart_series(document, chart, row->variant->name, SERIES_MEASURED,
                                       variant_look_number(row->variant->name));
    summary_range(summary, &low, &high);
    chart_point(document, series,
                &(ChartPoint){.x = row->cost.operations / row->cost.bytes,
                              .y = giga / summary->median,
                              .low = giga / high,
                              .high = giga / low});
}

static bool any_has(const RowLine *fastest, bool (*has)(const Row *row)) {
    for (size_t i = 0; i < fastest->count; i++) {
        if (has(fastest->rows[i])) {
            return true;
        }
    }
    return false;
}

/* Returns the number of roofs. */
static size_t fill_roofline(Document *document, DocChart *chart, const RunGroup *group,
                            const RowLine *fastest) {
    Roof roofs[ROOFS_MAX] = {{.threads = 0}};
    const size_t count = find_roofs(group, fastest, roofs);
    double least = INFINITY;
    double most = 0.0;
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, roofs[i].operations / roofs[i].bandwidth);
        most = fmax(most, roofs[i].operations / roofs[i].bandwidth);
    }
    chart->x.title = "least operations per byte";
    chart->y.title = "operations a second (Gop/s)";
    chart->x.log = chart->y.log = true;
    chart->reference = NAN;
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
    chart_note_intervals(document, chart, group_interval_words(document, group));
    return count;
}

void roofline_fill(Document *document, DocChart *chart, const RunGroup *rows, const Row *largest) {
    const RowLine fastest = variants_at(document, rows, largest);
    if (any_has(&fastest, has_roof) && any_has(&fastest, has_place)) {
        fill_roofline(document, chart, rows, &fastest);
    }
}

static void draw_roofline(const Overview *overview, const RunGroup *group, const char *title,
                          const RowLine *fastest) {
    Document *document = overview->document;
    char size[OVERVIEW_TEXT_SIZE];
    size_words(fastest->rows[0], size);
    DocChart *chart = document_chart(
        document, document_text(document, "%s-roofline", group->slug),
        document_text(document, "%s at %s: operations a second against operations per byte", title,
                      size));
    if (chart == NULL) {
        return;
    }
    const size_t count = fill_roofline(document, chart, group, fastest);
    chart->description = document_text(
        document,
        "Roofline chart, both axes logarithmic: %zu variants as points at the least operations "
        "per byte that the algorithm needs, below the measured bandwidths (slopes) and peak rates "
        "(flat lines) of %zu processor%s. The table below has each variant's share of its roof.",
        fastest->count, count, count == 1 ? "" : "s or thread counts");
}

/* --- Table --------------------------------------------------------------------------------------
 */

static bool has_operations(const Row *row) {
    return row->cost.operations > 0;
}

static DocTable *open_roofline_table(const Overview *overview, const RunGroup *group,
                                     const char *title, const RowLine *fastest) {
    Document *document = overview->document;
    char size[OVERVIEW_TEXT_SIZE];
    size_words(fastest->rows[0], size);
    DocTable *table = document_table(
        document, document_text(document, "%s-roof", group->slug),
        document_text(document, "%s at %s: share of what the machine allows", title, size));
    const bool operations = any_has(fastest, has_operations);
    table_column(document, table, &(DocColumn){.title = "variant"});
    table_column(document, table, &(DocColumn){.title = "roof (%)", .numeric = true});
    table_column(document, table, &(DocColumn){.title = "bound by"});
    table_column(document, table, &(DocColumn){.title = "held against"});
    table_column(document, table, &(DocColumn){.title = "bytes (MB)", .numeric = true});
    table_column(document, table, &(DocColumn){.title = "GB/s", .numeric = true});
    if (operations) {
        table_column(document, table, &(DocColumn){.title = "operations (M)", .numeric = true});
        table_column(document, table, &(DocColumn){.title = "Gop/s", .numeric = true});
    }
    if (table != NULL) {
        table->sortable = true;
        table->note = document_text(
            document,
            "%s the least that any implementation needs, so that a variant which moves more has a "
            "smaller share. A share above 102%% says that the cost model or a ceiling is wrong.",
            operations ? "Bytes and operations are" : "Operations are not counted; bytes are");
    }
    return table;
}

static void add_share(Document *document, DocTable *table, const Row *row) {
    char text[SIGNIFICANT_SIZE];
    significant_text(100.0 * row->roof_fraction, OVERVIEW_DIGITS, text);
    if (!isfinite(row->roof_fraction)) {
        missing_cell(document, table, "not known");
        return;
    }
    table_cell(document, table,
               &(DocCell){.text = text,
                          .number = 100.0 * row->roof_fraction,
                          .note = row->over_roof ? "over its roof: the cost model or a ceiling is "
                                                   "wrong"
                                                 : NULL,
                          .kind = row->over_roof ? CELL_BAD : CELL_PLAIN});
}

static void add_table(const Overview *overview, const RunGroup *group, const char *title,
                      const RowLine *fastest) {
    Document *document = overview->document;
    const bool operations = any_has(fastest, has_operations);
    DocTable *table = open_roofline_table(overview, group, title, fastest);
    for (size_t i = 0; i < fastest->count; i++) {
        const Row *row = fastest->rows[i];
        label_cell(document, table, row);
        add_share(document, table, row);
        table_words(document, table, row->bound);
        table_words(document, table, row->roof);
        table_number(document, table, row->cost.bytes * 1e-6, OVERVIEW_DIGITS);
        table_number(document, table, row->bytes_per_second * 1e-9, OVERVIEW_DIGITS);
        if (operations) {
            table_number(document, table, row->cost.operations * 1e-6, OVERVIEW_DIGITS);
            table_number(document, table, row->cost.operations * 1e-9 / row->kernel_summary.median,
                         OVERVIEW_DIGITS);
        }
    }
}

static bool has_share(const Row *row) {
    return isfinite(row->roof_fraction);
}

/* Whether there was something to show. */
static bool add_group(const Overview *overview, const Family *family, const RunGroup *group) {
    const char *title = group_title(overview, family, group);
    const RowLine fastest = variants_at(overview->document, group, group_largest(group));
    const bool drawn = any_has(&fastest, has_roof) && any_has(&fastest, has_place);
    const bool listed = any_has(&fastest, has_share);
    if (drawn) {
        draw_roofline(overview, group, title, &fastest);
    }
    if (listed) {
        add_table(overview, group, title, &fastest);
    }
    return drawn || listed;
}

void overview_rooflines(const Overview *overview) {
    bool any = false;
    document_heading(overview->document, 2, "Roofline");
    for (size_t i = 0; i < overview->count; i++) {
        const Family *family = &overview->families[i];
        for (size_t j = 0; j < family->count; j++) {
            if (family_shows(family, j)) {
                any |= add_group(overview, family, family->groups[j]);
            }
        }
    }
    if (!any) {
        document_add(overview->document, BLOCK_PARAGRAPH,
                     "No ceilings were measured with this run, so its times are not held against "
                     "what the machine can do.");
    }
}
