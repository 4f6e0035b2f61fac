/* Documents: headings, texts, tables and charts. */

#include "document.h"
#include "table.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "list.h"
#include "number.h"
#include "status.h"

/* === Document memory ========================================================================== */

/* What a document owns: allocations that live until it is released. Within the folder's document
 * builders only. */

/* Zeroed, aligned for everything. NULL, with the document failed, without memory; NULL at once in a
 * document that has failed. */
void *document_allocate(Document *document, size_t size) {
    void *taken = document->failed ? NULL : owned_take(&document->memory, size);
    document->failed = taken == NULL;
    return taken;
}

bool document_room(Document *document, void *items, size_t count, size_t *capacity, size_t size) {
    if (!document->failed) {
        const Status room =
            list_room(&document->memory, items, count + 1, capacity, size, "parts of a document");
        document->failed = !status_is_ok(&room);
    }
    return !document->failed;
}

/* A copy of the text; NULL for NULL and without memory. */
static const char *document_copy(Document *document, const char *text) {
    if (text == NULL) {
        return NULL;
    }
    const size_t size = strlen(text) + 1;
    char *copy = document_allocate(document, size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

void document_open(Document *document, const char *title) {
    *document = (Document){.title = NULL};
    document->title = document_copy(document, title);
}

void document_release(Document *document) {
    owned_release(&document->memory);
    *document = (Document){.title = NULL};
}

Status document_status(const Document *document) {
    return document->failed ? status_fail("there was not enough memory for the report")
                            : status_ok();
}

/* === Document ================================================================================= */

static const char *text_of(Document *document, const char *format, va_list arguments) {
    va_list again;
    if (document->failed) {
        return "";
    }
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) {
        document->failed = true;
        return "";
    }
    char *text = document_allocate(document, (size_t)length + 1);
    if (text == NULL) {
        return "";
    }
    vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

const char *document_text(Document *document, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = text_of(document, format, arguments);
    va_end(arguments);
    return text;
}

/* Adds a block; it is the document's. Nothing happens in a document that has failed. */
static void document_block(Document *document, const Block *block) {
    if (DOCUMENT_ROOM(document, document->blocks, document->count, document->capacity)) {
        document->blocks[document->count++] = *block;
    }
}

void document_fold(Document *document) {
    document->folded = document->folded > 0 ? document->folded : document->count;
}

static bool id_is_taken(const Document *document, const char *id) {
    for (size_t i = 0; i < document->count; i++) {
        if (document->blocks[i].id != NULL && strcmp(document->blocks[i].id, id) == 0) {
            return true;
        }
    }
    return false;
}

/* "times", then "times-2", "times-3"… */
static const char *unique_id(Document *document, const char *text) {
    char slug[64];
    document_slug(text, slug, sizeof slug);
    const char *base = slug[0] != '\0' ? slug : "section";
    const char *id = document_text(document, "%s", base);
    for (int number = 2; id_is_taken(document, id); number++) {
        id = document_text(document, "%s-%d", base, number);
    }
    return id;
}

static bool name_is_taken(const Document *document, BlockKind kind, const char *name) {
    for (size_t i = 0; i < document->count; i++) {
        const Block *block = &document->blocks[i];
        if (block->kind != kind) {
            continue;
        }
        const char *taken = kind == BLOCK_TABLE ? block->table->name : block->chart->name;
        if (taken != NULL && strcmp(taken, name) == 0) {
            return true;
        }
    }
    return false;
}

/* The name of a new table or chart, which is also that of its files: "times", then "times-2",
 * "times-3"… where blocks of the kind have those names. NULL without memory. */
static const char *document_name(Document *document, BlockKind kind, const char *name) {
    const char *unique = document_copy(document, name);
    for (int number = 2; unique != NULL && name_is_taken(document, kind, unique); number++) {
        unique = document_text(document, "%s-%d", name, number);
    }
    return unique;
}

void document_heading(Document *document, int level, const char *text) {
    const Block block = {.kind = BLOCK_HEADING,
                         .text = document_copy(document, text),
                         .level = level < 2   ? 2
                                  : level > 4 ? 4
                                              : level,
                         .id = unique_id(document, text != NULL ? text : "")};
    if (block.text != NULL) {
        document_block(document, &block);
    }
}

void document_add(Document *document, BlockKind kind, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const Block block = {.kind = kind, .text = text_of(document, format, arguments)};
    va_end(arguments);
    if (block.text != NULL) {
        document_block(document, &block);
    }
}

void document_slug(const char *text, char *slug, size_t size) {
    size_t used = 0;
    if (size == 0) {
        return;
    }
    for (const char *c = text; *c != '\0' && used + 1 < size; c++) {
        const bool upper = *c >= 'A' && *c <= 'Z';
        const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '.';
        if (plain || upper) {
            slug[used++] = upper ? (char)(*c - 'A' + 'a') : *c;
        } else if (used > 0 && slug[used - 1] != '-') {
            slug[used++] = '-';
        }
    }
    while (used > 0 && slug[used - 1] == '-') {
        used--;
    }
    slug[used] = '\0';
}

/* === Document table =========================================================================== */

DocTable *document_table(Document *document, const char *name, const char *caption) {
    DocTable *table = document_allocate(document, sizeof *table);
    if (table == NULL) {
        return &document->lost;
    }
    table->name = document_name(document, BLOCK_TABLE, name);
    table->caption = document_copy(document, caption);
    document_block(document, &(Block){.kind = BLOCK_TABLE, .table = table});
    return table;
}

void table_column(Document *document, DocTable *table, const DocColumn *column) {
    if (!document->failed) {
        document->failed = !table_add_column(&document->memory, table, column);
    }
}

void table_cell(Document *document, DocTable *table, const DocCell *cell) {
    if (!document->failed) {
        document->failed = !table_add_cell(&document->memory, table, cell);
    }
}

void table_words(Document *document, DocTable *table, const char *text) {
    table_cell(document, table, &(DocCell){.text = text, .number = NAN});
}

void table_number(Document *document, DocTable *table, double number, int digits) {
    char text[SIGNIFICANT_SIZE];
    significant_text(number, digits, text);
    table_cell(document, table,
               &(DocCell){.text = text,
                          .number = number,
                          .kind = isnan(number) ? CELL_MISSING : CELL_PLAIN});
}

void table_columns(Document *document, DocTable *table, const DocColumn *columns, size_t count) {
    for (size_t i = 0; i < count; i++) {
        table_column(document, table, &columns[i]);
    }
}

void table_value(Document *document, DocTable *table, const char *text, double number) {
    table_cell(document, table, &(DocCell){.text = text, .number = number});
}

void table_count(Document *document, DocTable *table, size_t count) {
    char text[32];
    snprintf(text, sizeof text, "%zu", count);
    table_value(document, table, text, (double)count);
}

/* === Document chart =========================================================================== */

DocChart *document_chart(Document *document, const char *name, const char *title) {
    DocChart *chart = document_allocate(document, sizeof *chart);
    if (chart != NULL) {
        chart->name = document_name(document, BLOCK_CHART, name);
        chart->title = document_copy(document, title);
        chart->reference = NAN;
        document_block(document, &(Block){.kind = BLOCK_CHART, .chart = chart});
    }
    return chart;
}

ChartPanel *chart_panel(Document *document, DocChart *chart, const char *title) {
    if (chart == NULL ||
        !DOCUMENT_ROOM(document, chart->panels, chart->panel_count, chart->panel_capacity)) {
        return NULL;
    }
    ChartPanel *panel = &chart->panels[chart->panel_count++];
    *panel = (ChartPanel){.title = document_copy(document, title), .reference = NAN};
    return panel;
}

ChartSeries *chart_series(Document *document, DocChart *chart, const char *name, SeriesStyle style,
                          int colour) {
    if (chart == NULL || !DOCUMENT_ROOM(document, chart->series, chart->count, chart->capacity)) {
        return NULL;
    }
    ChartSeries *series = &chart->series[chart->count++];
    *series = (ChartSeries){.name = document_copy(document, name),
                            .style = style,
                            .colour = colour < 0 ? 0 : colour,
                            .panel = chart->panel_count > 0 ? chart->panel_count - 1 : 0};
    return series;
}

void chart_point(Document *document, ChartSeries *series, const ChartPoint *point) {
    if (series != NULL &&
        DOCUMENT_ROOM(document, series->points, series->count, series->capacity)) {
        series->points[series->count] = *point;
        series->points[series->count++].label = document_copy(document, point->label);
    }
}

void chart_dot(Document *document, ChartSeries *series, double x, double y, const char *label) {
    chart_point(document, series,
                &(ChartPoint){.x = x, .y = y, .low = NAN, .high = NAN, .label = label});
}

void chart_tick_noted(Document *document, ChartAxis *axis, double value, const char *label,
                      const char *note) {
    if (axis != NULL && DOCUMENT_ROOM(document, axis->ticks, axis->count, axis->capacity)) {
        axis->ticks[axis->count++] =
            (ChartTick){.value = value,
                        .label = document_copy(document, label),
                        .note = note[0] != '\0' ? document_copy(document, note) : NULL};
    }
}

void chart_tick(Document *document, ChartAxis *axis, double value, const char *label) {
    chart_tick_noted(document, axis, value, label, "");
}

void chart_mark(Document *document, ChartAxis *axis, double value, const char *label) {
    for (size_t i = 0; i < axis->count; i++) {
        if (axis->ticks[i].value == value) {
            return;
        }
    }
    chart_tick(document, axis, value, label);
    for (size_t i = axis->count; i > 1 && axis->ticks[i - 1].value < axis->ticks[i - 2].value;
         i--) {
        const ChartTick tick = axis->ticks[i - 1];
        axis->ticks[i - 1] = axis->ticks[i - 2];
        axis->ticks[i - 2] = tick;
    }
}

/* === Chart points ============================================================================= */

/* Words for a place along x: those of the point, those of the axis, or the number. */
static void place_cell(Document *document, DocTable *table, const ChartAxis *axis,
                       const ChartPoint *point) {
    char number[32];
    const char *words = point->label;
    for (size_t i = 0; words == NULL && i < axis->count; i++) {
        words = axis->ticks[i].value == point->x ? axis->ticks[i].label : NULL;
    }
    if (words == NULL) {
        number_text(point->x, number, sizeof number);
        words = number;
    }
    table_cell(document, table, &(DocCell){.text = words, .number = point->x});
}

static bool has_intervals(const DocChart *chart) {
    for (size_t i = 0; i < chart->count; i++) {
        for (size_t j = 0; j < chart->series[i].count; j++) {
            const ChartPoint *point = &chart->series[i].points[j];
            if (!isnan(point->low) || !isnan(point->high)) {
                return true;
            }
        }
    }
    return false;
}

void chart_note_intervals(Document *document, DocChart *chart, const char *words) {
    if (chart->kind == CHART_LINES && words[0] != '\0' && has_intervals(chart)) {
        chart->note =
            document_text(document, "%s%sbars: %s", chart->note != NULL ? chart->note : "",
                          chart->note != NULL ? "; " : "", words);
    }
}

/* Lines closer than 2% everywhere lie on each other at the width of a column, where a decade is
 * some 40 points high and a line 1.5. */
static bool is_same_line(const ChartSeries *a, const ChartSeries *b) {
    if (a->panel != b->panel || a->style != SERIES_MEASURED || b->style != SERIES_MEASURED ||
        a->count != b->count || a->count < 2) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (a->points[i].x != b->points[i].x ||
            !(fabs(log(a->points[i].y / b->points[i].y)) < 0.02)) {
            return false;
        }
    }
    return true;
}

void chart_mark_equal(DocChart *chart) {
    for (size_t i = 0; chart->kind == CHART_LINES && i < chart->count; i++) {
        for (size_t j = 0; j < i && chart->series[i].same_as == 0; j++) {
            if (chart->series[j].same_as == 0 &&
                is_same_line(&chart->series[j], &chart->series[i])) {
                chart->series[i].same_as = j + 1;
            }
        }
    }
}

static const char *title_or(const char *title, const char *other) {
    return title != NULL ? title : other;
}

static void add_columns(Document *document, DocTable *table, const DocChart *chart,
                        bool intervals) {
    TABLE_COLUMNS(document, table, WORDS("series"), NUMBERS(title_or(chart->x.title, "x")),
                  NUMBERS(title_or(chart->y.title, "y")));
    if (intervals) {
        TABLE_COLUMNS(document, table, NUMBERS("from"), NUMBERS("to"));
    }
}

/* "360p: here" in a panel with a title. */
static const char *whole_name(Document *document, const DocChart *chart,
                              const ChartSeries *series) {
    const char *panel = chart_panel_of(chart, series);
    return panel[0] == '\0' ? series->name : document_text(document, "%s: %s", panel, series->name);
}

DocTable *chart_table(Document *document, const DocChart *chart) {
    enum { DIGITS = 4 };
    DocTable *table = chart != NULL ? document_allocate(document, sizeof *table) : NULL;
    if (table == NULL) {
        return NULL;
    }
    table->name = document_copy(document, chart->name);
    table->caption = document_copy(document, chart->title);
    table->note = chart->note != NULL ? document_copy(document, chart->note) : NULL;
    table->sortable = true;
    const bool intervals = has_intervals(chart);
    add_columns(document, table, chart, intervals);
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        for (size_t j = 0; j < series->count; j++) {
            const ChartPoint *point = &series->points[j];
            table_words(document, table, whole_name(document, chart, series));
            place_cell(document, table, &chart->x, point);
            table_number(document, table, point->y, DIGITS);
            if (intervals) {
                table_number(document, table, point->low, DIGITS);
                table_number(document, table, point->high, DIGITS);
            }
        }
    }
    return table;
}

Status chart_table_write(FILE *stream, const DocChart *chart,
                         void (*write)(FILE *stream, const DocTable *table)) {
    Document scratch;
    document_open(&scratch, NULL);
    const DocTable *table = chart_table(&scratch, chart);
    const Status status = document_status(&scratch);
    if (status_is_ok(&status)) {
        write(stream, table);
    }
    document_release(&scratch);
    return status;
}

/* === Chart in words =========================================================================== */

static const char *value_words(Document *document, const ChartPoint *point) {
    enum { DIGITS = 4 };
    char x[SIGNIFICANT_SIZE], y[SIGNIFICANT_SIZE];
    significant_text(point->x, DIGITS, x);
    significant_text(point->y, DIGITS, y);
    return document_text(document, "%s at %s", y, point->label != NULL ? point->label : x);
}

static const char *series_words(Document *document, const DocChart *chart,
                                const ChartSeries *series) {
    const ChartPoint *least = &series->points[0], *greatest = least;
    for (size_t i = 1; i < series->count; i++) {
        const ChartPoint *point = &series->points[i];
        least = point->y < least->y ? point : least;
        greatest = point->y > greatest->y ? point : greatest;
    }
    return series->count == 1
               ? document_text(document, " %s: %s.", whole_name(document, chart, series),
                               value_words(document, least))
               : document_text(document, " %s: least %s, greatest %s.",
                               whole_name(document, chart, series), value_words(document, least),
                               value_words(document, greatest));
}

void chart_describe(Document *document, DocChart *chart) {
    const char *words =
        document_text(document, "Vertical: %s. Horizontal: %s. %zu %s.", chart->y.title,
                      chart->x.title, chart->count, chart->count == 1 ? "curve" : "curves");
    for (size_t i = 0; i < chart->count; i++) {
        if (chart->series[i].count > 0) {
            words = document_text(document, "%s%s", words,
                                  series_words(document, chart, &chart->series[i]));
        }
    }
    chart->description = words;
}
