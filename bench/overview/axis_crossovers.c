/* Crossovers over an axis of the answer: from which value on a variant on a device is ahead of the
 * fastest one on the CPU. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axis_sweep.h"
#include "overview_table.h"
#include "significant.h"

enum { PHRASE_SIZE = 320 };

/* The points are in the order of their values, which is ascending. */
static size_t curve_of(const AxisSweep *sweep, const Variant *variant, TimeKind kind,
                       CurvePoint *points) {
    size_t count = 0;
    for (size_t i = 0; i < sweep->value_count; i++) {
        const Row *row = sweep_fastest(sweep, variant, kind, i);
        if (row != NULL) {
            const Summary *summary = row_summary(row, kind);
            points[count++] = (CurvePoint){.x = sweep->places[i],
                                           .value = row_seconds(row, kind),
                                           .low = summary->ci_low,
                                           .high = summary->ci_high};
        }
    }
    return count;
}

static Crossover compare(const Overview *overview, const AxisSweep *sweep, const Variant *device,
                         TimeKind kind) {
    Crossover crossover = {.kind = CROSSOVER_UNKNOWN, .x = NAN};
    CurvePoint *points = calloc(2 * sweep->value_count + 1, sizeof *points);
    if (points == NULL) {
        overview_check(overview, status_skip("no memory left for a curve"));
        return crossover;
    }
    CurvePoint *champion = points + sweep->value_count;
    const size_t device_count = curve_of(sweep, device, kind, points);
    const size_t cpu_count = curve_of(sweep, NULL, kind, champion);
    crossover = crossover_find(points, device_count, champion, cpu_count);
    free(points);
    return crossover;
}

static void value_text(double value, char *text, size_t size) {
    char number[SIGNIFICANT_SIZE];
    if (value == floor(value) && value < 1e9) {
        snprintf(text, size, "%.0f", value);
    } else {
        significant_text(value, OVERVIEW_DIGITS, number);
        snprintf(text, size, "%s", number);
    }
}

static void phrase_cell(const Overview *overview, DocTable *table, const AxisSweep *sweep,
                        const Variant *variant, TimeKind kind) {
    char text[PHRASE_SIZE] = "";
    const Crossover crossover = compare(overview, sweep, variant, kind);
    if (crossover.points > 0) {
        crossover_words(&crossover, value_text, text, sizeof text);
    }
    crossover_cell(overview->document, table, text);
}

typedef struct Target {
    DocTable *table; /* of the axis that is named; NULL: none yet */
    size_t axis;
    bool many; /* the family varies other axes too */
} Target;

static void open_table(const Overview *overview, const Family *family, const AnswerSweep *answers,
                       Target *target) {
    Document *document = overview->document;
    const char *axis = answers->sweep.axis;
    char name[256];
    char slug[64];
    char size[OVERVIEW_TEXT_SIZE];
    char others[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    family_name(family, name, sizeof name);
    document_slug(name, slug, sizeof slug);
    size_words(answers->sweep.rows[0], size);
    answer_words_without(family, answers->first, answers->axis, others, sizeof others);
    target->axis = answers->axis;
    target->many = others[0] != '\0';
    target->table = document_table(
        document, document_text(document, "crossover-%s-%s", slug, axis),
        document_text(document,
                      "%s at %s: for which %s each GPU variant is faster than the fastest CPU "
                      "variant",
                      name, size, axis));
    if (target->many) {
        table_column(document, target->table, &(DocColumn){.title = "answer"});
    }
    table_column(document, target->table, &(DocColumn){.title = "variant"});
    const char *group = document_text(document, "ahead, by %s", axis);
    table_column(document, target->table, &(DocColumn){.title = "kernel time", .group = group});
    table_column(document, target->table, &(DocColumn){.title = "end to end", .group = group});
    if (target->table != NULL) {
        target->table->sortable = true;
        target->table->note = document_text(
            document,
            "Each variant at its fastest tuning. Places between two values of %s are interpolated "
            "on logarithmic axes; in parentheses, where the 95%% intervals of the times put them. "
            "Outside the values measured nothing is claimed.",
            axis);
    }
}

static void add_sweep(const Overview *overview, const Family *family, const AnswerSweep *answers,
                      void *context) {
    Target *target = context;
    const AxisSweep *sweep = &answers->sweep;
    const RunGroup rows = {.rows = sweep->rows, .count = sweep->count};
    const Variant *variants[VARIANTS_MAX];
    const size_t count = run_variants(&rows, variants, VARIANTS_MAX);
    if (!sweep->numbers) {
        return;
    }
    if (target->table == NULL || target->axis != answers->axis) {
        open_table(overview, family, answers, target);
    }
    for (size_t i = 0; i < count; i++) {
        if (variant_is_on_cpu(variants[i])) {
            continue;
        }
        if (target->many) {
            char others[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
            answer_words_without(family, answers->first, answers->axis, others, sizeof others);
            table_words(overview->document, target->table, others);
        }
        table_words(overview->document, target->table, variants[i]->name);
        phrase_cell(overview, target->table, sweep, variants[i], TIME_KERNEL);
        phrase_cell(overview, target->table, sweep, variants[i], TIME_END_TO_END);
    }
}

void answer_crossovers(const Overview *overview, const Family *family) {
    Target target = {.table = NULL};
    answer_sweeps(overview, family, add_sweep, &target);
}
