#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "significant.h"
#include "study_result_cells.h"
#include "study_words_parts.h"
#include "study_words_text.h"

/* More are counted, not listed. */
enum { LISTED_MOST = 6, DIGITS_LEAST = 3, DIGITS_MOST = 6 };

/* Times and ratio further apart than this have a misprint among them. */
#define MISPRINT_FACTOR 1.5

/* What a printed number can have been before its last digit was rounded or others were cut off. */
typedef struct Bounds {
    double low, high;
} Bounds;

/* A printed ratio that the printed numbers it is made of contradict. */
typedef struct Contradiction {
    size_t row;
    double quotient; /* of the printed numbers */
    bool misprint;
} Contradiction;

static Bounds printed_bounds(const StudyValue *value) {
    const char *point = strchr(value->printed, '.');
    const size_t decimals = point != NULL ? strspn(point + 1, "0123456789") : 0;
    const double last = pow(10, -(double)decimals);
    return (Bounds){.low = value->published - last / 2, .high = value->published + last};
}

static int printed_digits(const char *printed) {
    int digits = 0;
    for (const char *c = printed; *c != '\0'; c++) {
        digits += isdigit((unsigned char)*c) && (digits > 0 || *c != '0') ? 1 : 0;
    }
    return digits < DIGITS_LEAST ? DIGITS_LEAST : digits > DIGITS_MOST ? DIGITS_MOST : digits;
}

static bool is_printed(const StudyValue *value) {
    return value->published > 0 && value->printed != NULL;
}

/* False where numbers are not printed, or agree. */
static bool contradicts(const TableResult *result, size_t row, size_t column,
                        Contradiction *contradiction) {
    const StudyValue *ratio = study_value(result, row, column);
    RatioSource source;
    if (!is_printed(ratio) || !ratio_source(result->table, row, column, &source)) {
        return false;
    }
    const StudyValue *over = study_value(result, source.over_row, source.over_column);
    const StudyValue *under = study_value(result, source.under_row, source.under_column);
    if (!is_printed(over) || !is_printed(under)) {
        return false;
    }
    const Bounds printed = printed_bounds(ratio);
    const Bounds above = printed_bounds(over);
    const Bounds below = printed_bounds(under);
    const double quotient = source.scale * over->published / under->published;
    const double apart = fmax(quotient / ratio->published, ratio->published / quotient);
    *contradiction =
        (Contradiction){.row = row,
                        .quotient = quotient,
                        .misprint = apart >= MISPRINT_FACTOR &&
                                    result->table->columns[column].source == COLUMN_BASE};
    /* A number below its last digit has no lower bound above 0. */
    return below.low > 0 && (source.scale * above.high / below.low < printed.low ||
                             source.scale * above.low / below.high > printed.high);
}

static void say_misprint(Words *words, const TableResult *result, size_t column, size_t row) {
    const StudyTable *table = result->table;
    RatioSource source;
    if (!ratio_source(table, row, column, &source)) {
        return;
    }
    const StudyValue *ratio = study_value(result, row, column);
    const StudyValue *base = study_value(result, source.over_row, source.over_column);
    const StudyValue *own = study_value(result, row, source.under_column);
    const char *unit = table->columns[source.under_column].unit;
    words_sentence(words);
    words_say(words,
              "For %s the paper prints %s %s and a ratio of %s to %s, with which it would be %s "
              "%s: one of the two is a misprint.",
              table->rows[row].label, own->printed, unit, ratio->printed,
              table->rows[source.over_row].label,
              words_number(words->document, base->published / ratio->published), unit);
}

static void say_list(Words *words, const TableResult *result, size_t column,
                     const Contradiction *list, size_t count) {
    const size_t listed = count > LISTED_MOST ? LISTED_MOST : count;
    words_sentence(words);
    words_say(words, "%s: the paper's own numbers give ", result->table->columns[column].title);
    for (size_t i = 0; i < listed; i++) {
        const char *printed = study_value(result, list[i].row, column)->printed;
        char quotient[SIGNIFICANT_SIZE];
        significant_text(list[i].quotient, printed_digits(printed), quotient);
        const char *item = document_text(words->document, "%s for %s (it prints %s)", quotient,
                                         result->table->rows[list[i].row].label, printed);
        words_item(words, i, count, item != NULL ? item : "");
    }
    if (count > listed) {
        words_say(words, " and so on, %zu in all", count);
    }
    words_say(words, ".");
}

static void say_column(Words *words, const TableResult *result, size_t column,
                       Contradiction *list) {
    size_t count = 0;
    for (size_t row = 0; row < result->table->row_count; row++) {
        Contradiction contradiction;
        if (contradicts(result, row, column, &contradiction) && !contradiction.misprint) {
            list[count++] = contradiction;
        }
    }
    if (count > 0) {
        say_list(words, result, column, list, count);
    }
    for (size_t row = 0; row < result->table->row_count; row++) {
        Contradiction contradiction;
        if (contradicts(result, row, column, &contradiction) && contradiction.misprint) {
            say_misprint(words, result, column, row);
        }
    }
}

void words_published(Document *document, const TableResult *result) {
    Contradiction *list = calloc(result->table->row_count + 1, sizeof *list);
    if (list == NULL) {
        document->failed = true;
        return;
    }
    Words words = {.document = document};
    for (size_t i = 0; i < result->table->column_count; i++) {
        if (result->table->columns[i].source != COLUMN_CSV) {
            say_column(&words, result, i, list);
        }
    }
    free(list);
    words_end(&words);
}
