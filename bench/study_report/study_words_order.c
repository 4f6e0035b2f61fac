#include <math.h>
#include <string.h>

#include "study_result_cells.h"
#include "study_words_parts.h"
#include "study_words_text.h"

/* Fewer pairs say nothing. */
enum { PAIRS_LEAST = 3 };

typedef struct Pairs {
    size_t count, same;
} Pairs;

/* Pairs of a column that have an order, here and in the paper. */
static void count_pairs(const TableResult *result, size_t column, Pairs *pairs) {
    for (size_t i = 0; i < result->table->row_count; i++) {
        for (size_t j = i + 1; j < result->table->row_count; j++) {
            const StudyValue *first = study_value(result, i, column);
            const StudyValue *second = study_value(result, j, column);
            const double product =
                (first->measured - second->measured) * (first->published - second->published);
            pairs->count += product < 0 || product > 0 ? 1 : 0;
            pairs->same += product > 0 ? 1 : 0;
        }
    }
}

/* Over sizes times rise by themselves: ratios have an order that tells something. Elsewhere ratios
 * to one base have the order of the times they are made of. */
static Pairs count_columns(const TableResult *result, bool ratios, size_t *columns,
                           const char **title) {
    Pairs pairs = {0};
    *columns = 0;
    for (size_t i = 0; i < result->table->column_count; i++) {
        const StudyColumn *column = &result->table->columns[i];
        const bool ratio = column->source != COLUMN_CSV || strcmp(column->unit, "x") == 0;
        const size_t before = pairs.count;
        if (ratio == ratios) {
            count_pairs(result, i, &pairs);
        }
        if (pairs.count > before) {
            *columns += 1;
            *title = column->title;
        }
    }
    return pairs;
}

void words_order(Document *document, const TableResult *result) {
    const bool sizes = words_key_is_size(words_row_key(result->table));
    size_t columns;
    const char *title = "";
    Pairs pairs = count_columns(result, sizes, &columns, &title);
    if (pairs.count == 0 && !sizes) {
        pairs = count_columns(result, true, &columns, &title);
    }
    if (pairs.count < PAIRS_LEAST) {
        return;
    }
    Words words = {.document = document};
    const char *where =
        columns > 1 ? ", each within a column," : document_text(document, ", by %s,", title);
    if (pairs.same == pairs.count) {
        words_say(&words, "All %zu pairs of rows%s stand in the same order as in the paper.",
                  pairs.count, where);
    } else if (pairs.same == 0) {
        words_say(&words, "None of %zu pairs of rows%s stands in the same order as in the paper.",
                  pairs.count, where);
    } else {
        words_say(&words, "Of %zu pairs of rows%s %zu %s in the same order as in the paper.",
                  pairs.count, where, pairs.same, pairs.same == 1 ? "stands" : "stand");
    }
    words_end(&words);
}
