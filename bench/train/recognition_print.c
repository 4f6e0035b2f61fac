#include <inttypes.h>
#include <stdlib.h>

#include "proportion.h"
#include "recognition_report.h"
#include "text_table.h"
#include "visible.h"

static Status no_memory(void) {
    return status_skip("no memory left for the table");
}

static void print_head(FILE *stream, const Recognition *of) {
    const TrainingFacts *facts = &of->recogniser->facts;
    size_t most = 0;
    for (size_t i = 0; i < of->recogniser->count; i++) {
        const size_t count = of->recogniser->classifiers[i].count;
        most = count > most ? count : most;
    }
    const size_t used = of->rounds > 0 && of->rounds < most ? of->rounds : most;
    visible_line(stream, "model: %zu digits, %s%zu stumps, trained on %" PRId32 " pictures, %s",
                 of->recogniser->count, used < most ? "the first " : "up to ", used, facts->images,
                 facts->input);
    visible_line(stream, "set: %" PRId32 " pictures, %s", of->set->set.count, of->set->input);
}

static void print_accuracy(FILE *stream, const Recognition *of) {
    const ConfusionMatrix *matrix = &of->confusion;
    const uint64_t total = confusion_matrix_total(matrix);
    const uint64_t correct = confusion_matrix_correct(matrix);
    const Proportion accuracy = proportion(correct, total);
    fprintf(stream,
            "accuracy %.2f%% (%" PRIu64 " of %" PRIu64 " right; 95%% interval %.2f … %.2f%%)\n",
            100 * accuracy.share, correct, total, 100 * accuracy.low, 100 * accuracy.high);
    if (of->unknown > 0) {
        fprintf(stream,
                "pictures with labels that the model has no classifier for: %" PRIu64
                "; of the others %.2f%% are right\n",
                of->unknown,
                total > of->unknown ? 100 * (double)correct / (double)(total - of->unknown) : 0);
    }
    fputc('\n', stream);
}

/* "1.25%"; "-" where there is nothing to count. */
static void percent_text(uint64_t count, uint64_t total, char text[TEXT_TABLE_CELL_SIZE]) {
    if (total == 0) {
        snprintf(text, TEXT_TABLE_CELL_SIZE, "-");
    } else {
        snprintf(text, TEXT_TABLE_CELL_SIZE, "%.2f%%", 100 * (double)count / (double)total);
    }
}

static Status print_each(FILE *stream, const Recognition *of) {
    static const TextColumn columns[] = {{.title = "digit"},        {.title = "stumps"},
                                         {.title = "pictures"},     {.title = "misses"},
                                         {.title = "false alarms"}, {.title = "error"}};
    const Recogniser *recogniser = of->recogniser;
    TextRow *lines = calloc(recogniser->count, sizeof *lines);
    if (lines == NULL) {
        return no_memory();
    }
    for (size_t i = 0; i < recogniser->count; i++) {
        const OneAgainstRest *each = &of->each[i];
        const size_t count = recogniser->classifiers[i].count;
        char(*cells)[TEXT_TABLE_CELL_SIZE] = lines[i].cells;
        snprintf(cells[0], sizeof cells[0], "%" PRId32, recogniser->classifiers[i].digit);
        snprintf(cells[1], sizeof cells[1], "%zu",
                 of->rounds > 0 && of->rounds < count ? of->rounds : count);
        snprintf(cells[2], sizeof cells[2], "%" PRIu64, each->digits);
        snprintf(cells[3], sizeof cells[3], "%" PRIu64, each->misses);
        snprintf(cells[4], sizeof cells[4], "%" PRIu64, each->false_alarms);
        percent_text(each->misses + each->false_alarms, each->digits + each->others, cells[5]);
    }
    fputs("Each digit against the rest\n", stream);
    text_table_print(stream, columns, sizeof columns / sizeof columns[0], lines, recogniser->count);
    fputc('\n', stream);
    free(lines);
    return status_ok();
}

static Status print_matrix(FILE *stream, const Recognition *of) {
    const ConfusionMatrix *matrix = &of->confusion;
    TextColumn columns[TEXT_TABLE_COLUMNS_MAX] = {{.title = "label"}};
    if (matrix->columns > TEXT_TABLE_COLUMNS_MAX - 2) {
        fprintf(stream, "The confusion matrix has %zu columns; --matrix writes it to a file\n",
                matrix->columns);
        return status_ok();
    }
    TextRow *lines = calloc(matrix->rows, sizeof *lines);
    if (lines == NULL) {
        return no_memory();
    }
    for (size_t column = 0; column < matrix->columns; column++) {
        columns[column + 1].title = matrix->column_names[column];
    }
    columns[matrix->columns + 1].title = "right";
    for (size_t row = 0; row < matrix->rows; row++) {
        char(*cells)[TEXT_TABLE_CELL_SIZE] = lines[row].cells;
        snprintf(cells[0], sizeof cells[0], "%s", matrix->row_names[row]);
        for (size_t column = 0; column < matrix->columns; column++) {
            snprintf(cells[column + 1], sizeof cells[0], "%" PRIu64,
                     confusion_matrix_count(matrix, row, column));
        }
        percent_text(confusion_matrix_row_correct(matrix, row),
                     confusion_matrix_row_total(matrix, row), cells[matrix->columns + 1]);
    }
    fputs("Taken for\n", stream);
    text_table_print(stream, columns, matrix->columns + 2, lines, matrix->rows);
    free(lines);
    return status_ok();
}

static void print_counts(FILE *stream, const Recognition *of) {
    for (size_t i = 0; i < of->recogniser->count; i++) {
        uint64_t taken = 0;
        for (int32_t k = 0; k < of->set->set.count; k++) {
            taken += of->predicted[k] == i;
        }
        fprintf(stream, "digit %" PRId32 ": %" PRIu64 "\n", of->recogniser->classifiers[i].digit,
                taken);
    }
}

Status recognition_print(FILE *stream, const Recognition *recognition) {
    print_head(stream, recognition);
    if (recognition->set->set.labels == NULL) {
        fputs("no labels: taken for\n\n", stream);
        print_counts(stream, recognition);
        return status_ok();
    }
    print_accuracy(stream, recognition);
    STATUS_TRY(print_each(stream, recognition));
    return print_matrix(stream, recognition);
}
