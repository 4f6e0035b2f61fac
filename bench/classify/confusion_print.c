#include "confusion_report.h"

#include <inttypes.h>
#include <stdlib.h>

#include "text_table.h"
#include "visible.h"

/* "20/21  95.2%"; "-" for a class of which nothing was tested. */
static void accuracy_text(uint64_t correct, uint64_t total, char *text, size_t size) {
    if (total == 0) {
        snprintf(text, size, "-");
        return;
    }
    snprintf(text, size, "%" PRIu64 "/%" PRIu64 " %5.1f%%", correct, total,
             100.0 * (double)correct / (double)total);
}

static void fill_row(const Evaluation *evaluation, size_t row, TextRow *line) {
    text_visible(evaluation->row_names[row], line->cells[0], TEXT_TABLE_CELL_SIZE);
    for (size_t i = 0; i < evaluation->count; i++) {
        accuracy_text(confusion_row_correct(evaluation, i, row),
                      confusion_row_total(evaluation, i, row), line->cells[i + 1],
                      TEXT_TABLE_CELL_SIZE);
    }
}

static void fill_sum(const Evaluation *evaluation, TextRow *line) {
    snprintf(line->cells[0], TEXT_TABLE_CELL_SIZE, "all");
    for (size_t i = 0; i < evaluation->count; i++) {
        uint64_t correct = 0;
        for (size_t row = 0; row < evaluation->rows; row++) {
            correct += confusion_row_correct(evaluation, i, row);
        }
        accuracy_text(correct, evaluation->tested, line->cells[i + 1], TEXT_TABLE_CELL_SIZE);
    }
}

Status evaluation_print(FILE *stream, const Evaluation *evaluation) {
    TextColumn columns[CONFUSIONS_MAX + 1] = {{.title = "class", .left = true}};
    TextRow *lines = calloc(evaluation->rows + 1, sizeof *lines);
    if (lines == NULL) {
        return status_skip("no memory left for the table");
    }
    for (size_t i = 0; i < evaluation->count; i++) {
        columns[i + 1] = (TextColumn){.title = evaluation->matrices[i].scale};
    }
    for (size_t row = 0; row < evaluation->rows; row++) {
        fill_row(evaluation, row, &lines[row]);
    }
    fill_sum(evaluation, &lines[evaluation->rows]);
    text_table_print(stream, columns, evaluation->count + 1, lines, evaluation->rows + 1);
    free(lines);
    return status_ok();
}
