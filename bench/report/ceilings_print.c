#include "ceilings_print.h"

#include "available_memory.h"
#include "ceilings_json.h"
#include "text_table.h"
#include "visible.h"

static const TextColumn columns[] = {
    {.title = "ceiling", .left = true}, {.title = "threads"},     {.title = "value"},
    {.title = "unit", .left = true},    {.title = "working set"},
};
enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

typedef struct Unit {
    const char *name;
    double size;
} Unit;

static const Unit units[] = {[CEILING_BANDWIDTH] = {"GB/s", 1e9},
                             [CEILING_OPERATIONS] = {"Gop/s", 1e9},
                             [CEILING_TIME] = {"µs", 1e-6}};

static int decimals_of(double value) {
    return value < 10.0 ? 2 : value < 1000.0 ? 1 : 0;
}

void ceiling_text(const Ceiling *ceiling, char *text, size_t size) {
    const Unit *unit = &units[ceiling->kind];
    const double value = ceiling->value / unit->size;
    snprintf(text, size, "%.*f %s", decimals_of(value), value, unit->name);
}

static void fill_row(const Ceiling *ceiling, TextRow *row) {
    const Unit *unit = &units[ceiling->kind];
    const double value = ceiling->value / unit->size;
    snprintf(row->cells[0], sizeof row->cells[0], "%s", ceiling->key);
    row->cells[1][0] = row->cells[4][0] = '\0';
    if (ceiling->threads > 0) {
        snprintf(row->cells[1], sizeof row->cells[1], "%d", ceiling->threads);
    }
    snprintf(row->cells[2], sizeof row->cells[2], "%.*f", decimals_of(value), value);
    snprintf(row->cells[3], sizeof row->cells[3], "%s", unit->name);
    if (ceiling->working_set > 0.0) {
        format_bytes((uint64_t)ceiling->working_set, row->cells[4], sizeof row->cells[4]);
    }
}

void ceilings_print(FILE *stream, const Ceilings *ceilings) {
    static TextRow rows[CEILINGS_MAX];
    for (size_t i = 0; i < ceilings->count; i++) {
        fill_row(&ceilings->list[i], &rows[i]);
    }
    text_table_print(stream, columns, COLUMN_COUNT, rows, ceilings->count);
}

Status ceilings_print_json(FILE *stream, const Ceilings *ceilings) {
    cJSON *root = cJSON_CreateObject();
    char *text = root != NULL && ceilings_json_add(root, ceilings) ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    if (text == NULL) {
        return status_skip("no memory left for the list of ceilings");
    }
    visible_json_write(stream, text);
    fputc('\n', stream);
    cJSON_free(text);
    return status_ok();
}
