#include "axis_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_ENOUGH = 3, VALUES_LEAST = 2 };

static const AxisValue *value_of(const AxisSweep *sweep, const Row *row) {
    const Point *point = sweep->tuning ? &row->tuning : &row->answer;
    for (size_t i = 0; i < point->count; i++) {
        if (strcmp(point->axes[i]->name, sweep->axis) == 0) {
            return &point->values[i];
        }
    }
    return NULL;
}

static size_t place_of(const AxisSweep *sweep, const Row *row) {
    const AxisValue *value = value_of(sweep, row);
    size_t i = 0;
    while (value != NULL && i < sweep->value_count &&
           strcmp(sweep->values[i]->text, value->text) != 0) {
        i++;
    }
    return value != NULL ? i : SIZE_MAX;
}

bool sweep_open(const Overview *overview, size_t capacity, AxisSweep *sweep) {
    sweep->rows = calloc(capacity + 1, sizeof(const Row *));
    sweep->values = calloc(capacity + 1, sizeof(const AxisValue *));
    sweep->places = calloc(capacity + 1, sizeof(double));
    if (sweep->rows == NULL || sweep->values == NULL || sweep->places == NULL) {
        sweep_close(sweep);
        return overview_check(overview, status_skip("no memory left for the rows of a sweep"));
    }
    return true;
}

void sweep_close(AxisSweep *sweep) {
    free(sweep->rows);
    free(sweep->values);
    free(sweep->places);
    *sweep = (AxisSweep){.axis = NULL};
}

void sweep_take(AxisSweep *sweep, const RunGroup *group, double size) {
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        const size_t place = place_of(sweep, row);
        if (place == SIZE_MAX || row_size(row) != size ||
            !isfinite(row_seconds(row, TIME_KERNEL))) {
            continue;
        }
        if (place == sweep->value_count) {
            sweep->values[sweep->value_count++] = value_of(sweep, row);
        }
        sweep->rows[sweep->count++] = row;
    }
}

/* What the text begins with; NAN where that is no number. `all`: whether it is nothing else. */
static double leading_number(const char *text, bool *all) {
    char *end;
    const double number = strtod(text, &end);
    *all = end != text && *end == '\0';
    return end != text ? number : (double)NAN;
}

static void sort_values(AxisSweep *sweep) {
    for (size_t i = 1; i < sweep->value_count; i++) {
        const AxisValue *value = sweep->values[i];
        const double place = sweep->places[i];
        size_t at = i;
        for (; at > 0 && sweep->places[at - 1] > place; at--) {
            sweep->values[at] = sweep->values[at - 1];
            sweep->places[at] = sweep->places[at - 1];
        }
        sweep->values[at] = value;
        sweep->places[at] = place;
    }
}

void sweep_place(AxisSweep *sweep) {
    bool apart = true;
    sweep->numbers = true;
    for (size_t i = 0; i < sweep->value_count; i++) {
        bool all;
        sweep->places[i] = leading_number(sweep->values[i]->text, &all);
        sweep->numbers &= all;
        apart &= isfinite(sweep->places[i]);
        for (size_t j = 0; apart && j < i; j++) {
            apart &= sweep->places[i] != sweep->places[j];
        }
    }
    sweep->numbers &= apart;
    for (size_t i = 0; !apart && i < sweep->value_count; i++) {
        sweep->places[i] = (double)i + 1;
    }
    sort_values(sweep);
}

const Row *sweep_fastest(const AxisSweep *sweep, const Variant *variant, TimeKind kind, size_t value) {
    const Row *best = NULL;
    for (size_t i = 0; i < sweep->count; i++) {
        const Row *row = sweep->rows[i];
        const bool asked_for = variant != NULL ? row->variant == variant : row_is_on_cpu(row);
        if (asked_for && place_of(sweep, row) == value && isfinite(row_seconds(row, kind)) &&
            (best == NULL || row_seconds(row, kind) < row_seconds(best, kind))) {
            best = row;
        }
    }
    return best;
}

/* --- Answers ------------------------------------------------------------------------------------
 */

/* Whether two answer points differ in nothing but, perhaps, the axis. */
static bool same_but_for(const RunGroup *a, const RunGroup *b, size_t axis) {
    const Point *first = &a->rows[0]->answer;
    const Point *second = &b->rows[0]->answer;
    for (size_t i = 0; i < first->count; i++) {
        if (i != axis && strcmp(first->values[i].text, second->values[i].text) != 0) {
            return false;
        }
    }
    return true;
}

static bool is_first_of_its_kind(const Family *family, size_t group, size_t axis) {
    for (size_t i = 0; i < group; i++) {
        if (same_but_for(family->groups[i], family->groups[group], axis)) {
            return false;
        }
    }
    return true;
}

static bool has_one_size(const Family *family) {
    double size = NAN;
    for (size_t i = 0; i < family->count; i++) {
        for (size_t j = 0; j < family->groups[i]->count; j++) {
            const Row *row = family->groups[i]->rows[j];
            if (!isfinite(row_seconds(row, TIME_KERNEL))) {
                continue;
            }
            if (isfinite(size) && row_size(row) != size) {
                return false;
            }
            size = row_size(row);
        }
    }
    return true;
}

/* Values of an axis in a row of groups that differ in nothing else. */
static size_t count_values(const Family *family, size_t first, size_t axis) {
    size_t count = 0;
    for (size_t i = first; i < family->count; i++) {
        count += same_but_for(family->groups[i], family->groups[first], axis);
    }
    return count;
}

/* How many values a sweep of numbers has at least. */
static size_t values_min(const Family *family) {
    bool enough = !has_one_size(family);
    for (size_t axis = 0; !enough && axis < family->head->answer.count; axis++) {
        for (size_t i = 0; i < family->count; i++) {
            enough |= is_first_of_its_kind(family, i, axis) &&
                      count_values(family, i, axis) >= VALUES_ENOUGH;
        }
    }
    return enough ? VALUES_ENOUGH : VALUES_LEAST;
}

/* Opens the sweep of the groups that are like the first but for the axis. */
static bool take_answers(const Overview *overview, const Family *family, size_t first,
                         AnswerSweep *answers) {
    size_t capacity = 0;
    double size = 0.0;
    answers->first = family->groups[first];
    answers->sweep.axis = answers->first->rows[0]->answer.axes[answers->axis]->name;
    for (size_t i = first; i < family->count; i++) {
        const Row *largest = group_largest(family->groups[i]);
        if (same_but_for(family->groups[i], answers->first, answers->axis) && largest != NULL) {
            capacity += family->groups[i]->count;
            size = fmax(size, row_size(largest));
        }
    }
    if (!sweep_open(overview, capacity, &answers->sweep)) {
        return false;
    }
    for (size_t i = first; i < family->count; i++) {
        if (same_but_for(family->groups[i], answers->first, answers->axis)) {
            sweep_take(&answers->sweep, family->groups[i], size);
        }
    }
    sweep_place(&answers->sweep);
    return true;
}

void answer_sweeps(const Overview *overview, const Family *family,
                   void (*use)(const Overview *overview, const Family *family,
                               const AnswerSweep *sweep, void *context),
                   void *context) {
    const size_t least = values_min(family);
    for (size_t axis = 0; family->count >= least && axis < family->head->answer.count; axis++) {
        for (size_t i = 0; i < family->count; i++) {
            AnswerSweep answers = {.axis = axis};
            if (!is_first_of_its_kind(family, i, axis) ||
                !take_answers(overview, family, i, &answers)) {
                continue;
            }
            /* A line between two points needs an axis that has something between them. */
            const size_t needed = answers.sweep.numbers ? least : VALUES_ENOUGH;
            if (answers.sweep.value_count >= needed) {
                use(overview, family, &answers, context);
            }
            sweep_close(&answers.sweep);
        }
    }
}
