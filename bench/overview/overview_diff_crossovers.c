/* Crossovers of two runs: of devices over processors in each, and of one run over the other. */
#include <math.h>
#include <stdlib.h>

#include "overview_diff_parts.h"

enum { PHRASE_SIZE = 256 };

/* The phrase where `challenger` (NULL: the fastest CPU variant) of one group goes below `champion`
 * of another; "" when one of them has no time. */
static Status phrase(const RunGroup *challenger_group, const Variant *challenger,
                     const RunGroup *champion_group, const Variant *champion, TimeKind kind,
                     char text[PHRASE_SIZE]) {
    CurvePoint *left = NULL;
    CurvePoint *right = NULL;
    size_t left_count = 0;
    size_t right_count = 0;
    text[0] = '\0';
    Status status = run_curve(challenger_group, challenger, kind, &left, NULL, &left_count);
    if (status_is_ok(&status)) {
        status = run_curve(champion_group, champion, kind, &right, NULL, &right_count);
    }
    if (status_is_ok(&status) && left_count > 0 && right_count > 0) {
        const Crossover crossover = crossover_find(left, left_count, right, right_count);
        crossover_words(&crossover, size_text_of(challenger_group->rows[0]), text, PHRASE_SIZE);
    }
    free(left);
    free(right);
    return status;
}

static void add_phrase(const RunGroup *challenger_group, const Variant *challenger,
                       const RunGroup *champion_group, const Variant *champion, TimeKind kind,
                       Document *document, DocTable *table) {
    char text[PHRASE_SIZE];
    const Status status =
        phrase(challenger_group, challenger, champion_group, champion, kind, text);
    document->failed = document->failed || !status_is_ok(&status);
    const bool known = text[0] != '\0';
    table_cell(document, table,
               &(DocCell){.text = known ? text : "not measured",
                          .number = NAN,
                          .kind = known ? CELL_PLAIN : CELL_MISSING});
}

static bool is_timed(const RunGroup *group, const Variant *variant) {
    for (size_t i = 0; i < group->count; i++) {
        if (group->rows[i]->variant == variant &&
            !isnan(row_seconds(group->rows[i], TIME_KERNEL))) {
            return true;
        }
    }
    return false;
}

static const TimeKind kinds[] = {TIME_KERNEL, TIME_END_TO_END};
static const char *const kind_names[] = {"kernel", "end to end"};

static DocTable *device_table(Document *document) {
    DocTable *table = document_table(document, "diff-crossovers",
                                     "Where a device overtakes the fastest CPU variant");
    table_column(document, table, &(DocColumn){.title = "of"});
    table_column(document, table, &(DocColumn){.title = "variant"});
    for (size_t i = 0; i < 2; i++) {
        table_column(document, table, &(DocColumn){.title = "A", .group = kind_names[i]});
        table_column(document, table, &(DocColumn){.title = "B", .group = kind_names[i]});
    }
    return table;
}

static DocTable *run_table(Document *document) {
    DocTable *table = document_table(document, "diff-winner", "Where B is ahead of A");
    table_column(document, table, &(DocColumn){.title = "of"});
    table_column(document, table, &(DocColumn){.title = "variant"});
    for (size_t i = 0; i < 2; i++) {
        table_column(document, table, &(DocColumn){.title = kind_names[i]});
    }
    return table;
}

static void add_device(const DiffGroup *group, const Variant *variant, Document *document,
                       DocTable *table) {
    table_words(document, table, group->a->title);
    table_words(document, table, variant->name);
    for (size_t i = 0; i < 2; i++) {
        add_phrase(group->a, variant, group->a, NULL, kinds[i], document, table);
        add_phrase(group->b, variant, group->b, NULL, kinds[i], document, table);
    }
}

static void add_runs(const DiffGroup *group, const Variant *variant, Document *document,
                     DocTable *table) {
    table_words(document, table, group->a->title);
    table_words(document, table, variant->name);
    for (size_t i = 0; i < 2; i++) {
        add_phrase(group->b, variant, group->a, variant, kinds[i], document, table);
    }
}

/* Calls `add` for each variant of each group that is compared and that `wanted` takes; the table is
 * made with the first. False when there was none. */
typedef struct CrossoverTable {
    DocTable *(*open)(Document *document);
    bool (*wanted)(const DiffGroup *group, const Variant *variant);
    void (*add)(const DiffGroup *group, const Variant *variant, Document *document,
                DocTable *table);
} CrossoverTable;

static bool fill_table(const Diff *diff, const CrossoverTable *of, Document *document) {
    DocTable *table = NULL;
    bool any = false;
    for (size_t i = 0; i < diff->count; i++) {
        const Variant *variants[DIFF_VARIANTS_MAX];
        const DiffGroup *group = &diff->groups[i];
        const size_t count = group->other_input ? 0 : diff_variants(group, variants);
        for (size_t v = 0; v < count; v++) {
            if (of->wanted(group, variants[v])) {
                table = any ? table : of->open(document);
                any = true;
                of->add(group, variants[v], document, table);
            }
        }
    }
    return any;
}

static bool is_device(const DiffGroup *group, const Variant *variant) {
    return !variant_is_on_cpu(variant) &&
           (is_timed(group->a, variant) || is_timed(group->b, variant));
}

static bool is_in_both(const DiffGroup *group, const Variant *variant) {
    return is_timed(group->a, variant) && is_timed(group->b, variant);
}

void diff_tell_crossovers(const Diff *diff, Document *document) {
    static const CrossoverTable devices = {
        .open = device_table, .wanted = is_device, .add = add_device};
    static const CrossoverTable runs = {.open = run_table, .wanted = is_in_both, .add = add_runs};
    document_heading(document, 2, "Crossovers");
    document_add(document, BLOCK_PARAGRAPH,
                 "Each variant at its fastest tuning of each size; between the sizes measured by "
                 "interpolation on logarithmic axes. In parentheses the first and the last size "
                 "that the 95%% intervals of the medians allow.");
    if (!fill_table(diff, &devices, document)) {
        document_add(document, BLOCK_PARAGRAPH,
                     "Nothing that both runs have was timed on a device.");
    }
    if (!fill_table(diff, &runs, document)) {
        document_add(document, BLOCK_PARAGRAPH, "No variant was timed in both runs.");
    }
}
