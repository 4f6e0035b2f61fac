#include "study_words.h"

#include "study_words_parts.h"

void study_words_add(Document *document, const TableResult *table) {
    Contest contest;
    contest_make(document, table, &contest);
    words_winner(document, &contest);
    words_crossover(document, &contest);
    contest_release(&contest);
    /* A confusion matrix is compared cell by cell, in the table itself. */
    if (!table->table->shaded) {
        words_shape(document, table);
        words_order(document, table);
        words_ratios(document, table);
    }
    words_published(document, table);
    words_missing(document, table);
}
