#include <math.h>
#include <stddef.h>
#include <string.h>

#include "study_result_cells.h"
#include "study_words_parts.h"
#include "study_words_text.h"

/* Least and greatest of a column's ratios; they are never averaged. */
typedef struct Span {
    double least, greatest;
    size_t least_row, greatest_row, count;
} Span;

static Span find_span(const TableResult *result, size_t column, bool theirs_by_ours) {
    Span span = {.least = INFINITY, .greatest = 0};
    for (size_t row = 0; row < result->table->row_count; row++) {
        const StudyValue *value = study_value(result, row, column);
        if (!(value->measured > 0 && value->published > 0)) {
            continue;
        }
        const double ratio = theirs_by_ours ? value->published / value->measured
                                            : value->measured / value->published;
        span.count++;
        if (ratio < span.least) {
            span.least = ratio;
            span.least_row = row;
        }
        if (ratio > span.greatest) {
            span.greatest = ratio;
            span.greatest_row = row;
        }
    }
    return span;
}

static void say_column(Words *words, const TableResult *result, size_t column) {
    const StudyColumn *of = &result->table->columns[column];
    const bool time = isfinite(unit_milliseconds(of->unit));
    if (!time && strcmp(of->unit, "x") != 0) {
        return; /* what is counted is another thing where the input is another */
    }
    const Span span = find_span(result, column, time);
    if (span.count == 0) {
        return;
    }
    const StudyRow *rows = result->table->rows;
    words_sentence(words);
    words_say(words, "%s: %s %s ", of->title, time ? "the paper's" : "ours",
              span.count > 1 ? "are" : "is");
    const char *theirs = time ? "ours" : "the paper's";
    const char *least = words_number(words->document, span.least);
    const char *greatest = words_number(words->document, span.greatest);
    if (span.count == 1) {
        words_say(words, "%s times %s (%s).", least, theirs, rows[span.least_row].label);
    } else if (strcmp(least, greatest) == 0) {
        words_say(words, "%s times %s.", least, theirs);
    } else {
        words_say(words, "%s (%s) to %s (%s) times %s.", least, rows[span.least_row].label,
                  greatest, rows[span.greatest_row].label, theirs);
    }
}

void words_ratios(Document *document, const TableResult *result) {
    Words words = {.document = document};
    for (size_t i = 0; i < result->table->column_count; i++) {
        say_column(&words, result, i);
    }
    words_end(&words);
}
