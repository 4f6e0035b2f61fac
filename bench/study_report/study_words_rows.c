#include <math.h>
#include <string.h>

#include "study_result_cells.h"
#include "study_words_parts.h"

enum { ROWS_LEAST = 3 };

bool words_key_is_size(const char *key) {
    return key != NULL && (strcmp(key, "size") == 0 || strcmp(key, "images") == 0);
}

/* Distinct numbers that the rows have for a key. */
static size_t distinct_numbers(const StudyTable *table, const char *key) {
    size_t count = 0;
    for (size_t i = 0; i < table->row_count; i++) {
        const double x = study_row_x(&table->rows[i], key);
        bool is_new = isfinite(x);
        for (size_t j = 0; j < i; j++) {
            const double other = study_row_x(&table->rows[j], key);
            is_new = is_new && !(fabs(other - x) <= 0);
        }
        count += is_new ? 1 : 0;
    }
    return count;
}

const char *words_row_key(const StudyTable *table) {
    const char *best = NULL;
    size_t most = ROWS_LEAST - 1;
    for (size_t i = 0; i < table->row_count; i++) {
        const ConditionList *conditions = &table->rows[i].conditions;
        for (size_t j = 0; j < conditions->count; j++) {
            const size_t count = distinct_numbers(table, conditions->items[j].key);
            if (count > most) {
                most = count;
                best = conditions->items[j].key;
            }
        }
    }
    return best;
}
