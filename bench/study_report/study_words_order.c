#include <math.h>
#include <string.h>

#include "study_result_cells.h"
#include "study_words_parts.h"
#include "study_words_text.h"

/* Fewer pairs say nothing. */
enum { PAIRS_LEAST = 3 };

/* Pairs of rows that have an order in the paper. */
typedef struct Pairs {
    size_t count, same;
    size_t overlapping; /* not told apart here: their intervals overlap */
    size_t close;       /* times or ratios without intervals, within WORDS_CLOSE */
    size_t single;      /* other numbers without intervals, each of one run */
} Pairs;

static bool has_interval(const StudyValue *value) {
    return isfinite(value->low) && isfinite(value->high);
}

static bool is_time_or_ratio(const StudyColumn *column) {
    return isfinite(unit_milliseconds(column->unit)) || strcmp(column->unit, "x") == 0;
}

static bool are_close(double first, double second) {
    return fmax(first, second) < WORDS_CLOSE * fmin(first, second) || fabs(first - second) <= 0;
}

/* Counts a pair where it is not told apart. Of a number of one run that is no time nothing is known
 * about how far another run's would lie. */
static bool is_untold(const StudyColumn *column, const StudyValue *first, const StudyValue *second,
                      Pairs *pairs) {
    if (has_interval(first) && has_interval(second)) {
        const bool overlap = first->low <= second->high && second->low <= first->high;
        pairs->overlapping += overlap ? 1 : 0;
        return overlap;
    }
    if (!is_time_or_ratio(column)) {
        pairs->single++;
        return true;
    }
    const bool close = are_close(first->measured, second->measured);
    pairs->close += close ? 1 : 0;
    return close;
}

/* Two rows that show one and the same measurement are no pair. */
static bool is_pair(const StudyValue *first, const StudyValue *second) {
    return isfinite(first->measured) && isfinite(second->measured) &&
           fabs(first->published - second->published) > 0 &&
           (first->record == NULL || first->record != second->record);
}

static void count_pairs(const TableResult *result, size_t column, Pairs *pairs) {
    for (size_t i = 0; i < result->table->row_count; i++) {
        for (size_t j = i + 1; j < result->table->row_count; j++) {
            const StudyValue *first = study_value(result, i, column);
            const StudyValue *second = study_value(result, j, column);
            if (!is_pair(first, second)) {
                continue;
            }
            const bool same =
                (first->measured > second->measured) == (first->published > second->published);
            pairs->count++;
            if (!is_untold(&result->table->columns[column], first, second, pairs)) {
                pairs->same += same ? 1 : 0;
            }
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

/* Why pairs are not told apart. */
static void say_reasons(Words *words, const Pairs *pairs) {
    const struct {
        size_t count;
        const char *text;
    } reasons[] = {
        {pairs->overlapping, "intervals overlap"},
        {pairs->close, "numbers without intervals are within 10% of each other"},
        {pairs->single, "each number is of a single run, without an interval"},
    };
    const char *between = "";
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if (reasons[i].count > 0) {
            words_say(words, "%s%s", between, reasons[i].text);
            between = ", or ";
        }
    }
    words_say(words, ".");
}

static void say_order(Words *words, const Pairs *pairs, const char *where) {
    const size_t untold = pairs->overlapping + pairs->close + pairs->single;
    if (untold == pairs->count) {
        words_say(words, "None of %zu pairs of rows%s is told apart: ", pairs->count, where);
        say_reasons(words, pairs);
    } else if (pairs->same == pairs->count) {
        words_say(words, "All %zu pairs of rows%s stand in the same order as in the paper.",
                  pairs->count, where);
    } else if (pairs->same == 0 && untold == 0) {
        words_say(words, "None of %zu pairs of rows%s stands in the same order as in the paper.",
                  pairs->count, where);
    } else {
        const char *stand = pairs->same == 1 ? "stands" : "stand";
        words_say(words, "Of %zu pairs of rows%s %zu %s in the same order as in the paper",
                  pairs->count, where, pairs->same, stand);
        if (untold == 0) {
            words_say(words, ".");
            return;
        }
        words_say(words, "; %zu %s not told apart: ", untold, untold == 1 ? "is" : "are");
        say_reasons(words, pairs);
    }
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
    say_order(&words, &pairs,
              columns > 1 ? ", each within a column," : document_text(document, ", by %s,", title));
    words_end(&words);
}
