/* The table behind a chart. */
#include <math.h>

#include "document_memory.h"
#include "number_text.h"

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

static const char *title_or(const char *title, const char *other) {
    return title != NULL ? title : other;
}

static void add_columns(Document *document, DocTable *table, const DocChart *chart,
                        bool intervals) {
    table_column(document, table, &(DocColumn){.title = "series"});
    table_column(document, table,
                 &(DocColumn){.title = title_or(chart->x.title, "x"), .numeric = true});
    table_column(document, table,
                 &(DocColumn){.title = title_or(chart->y.title, "y"), .numeric = true});
    if (intervals) {
        table_column(document, table, &(DocColumn){.title = "from", .numeric = true});
        table_column(document, table, &(DocColumn){.title = "to", .numeric = true});
    }
}

DocTable *chart_table(Document *document, const DocChart *chart) {
    enum { DIGITS = 4 };
    DocTable *table = chart != NULL ? document_allocate(document, sizeof *table) : NULL;
    if (table == NULL) {
        return NULL;
    }
    table->name = document_copy(document, chart->name);
    table->caption = document_copy(document, chart->title);
    table->sortable = true;
    const bool intervals = has_intervals(chart);
    add_columns(document, table, chart, intervals);
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        for (size_t j = 0; j < series->count; j++) {
            const ChartPoint *point = &series->points[j];
            table_words(document, table, series->name);
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
