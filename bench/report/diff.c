/* A report about two runs. */

#include "report_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"
#include "backend.h"
#include "base.h"
#include "ceilings.h"
#include "machine.h"
#include "results.h"
#include "status.h"
#include "variant.h"

/* === Overview diff machines =================================================================== */

/* A cell that both runs have: the same algorithm, variant, input, size, answer and tuning point. */
typedef struct DiffCell {
    const Row *a, *b;
    Ratio kernel, end_to_end; /* median of B / median of A; NAN where one of them has no time */
} DiffCell;

/* An algorithm, input and answer point that both runs have. */
typedef struct DiffGroup {
    const RunGroup *a, *b;
    bool other_input; /* of the same name, with other content: nothing of it is compared */
    DiffCell *cells;  /* in the order of A; none where `other_input` */
    size_t count;
} DiffGroup;

typedef struct Diff {
    const OverviewRun *a, *b;
    RunGroups a_groups, b_groups;
    DiffGroup *groups; /* in the order of A */
    size_t count;
} Diff;

static void value_cell(const char *text, Document *document, DocTable *table) {
    const bool known = text[0] != '\0';
    table_cell(document, table,
               &(DocCell){.text = known ? text : "not known",
                          .number = NAN,
                          .kind = known ? CELL_PLAIN : CELL_MISSING});
}

static void add_pair(const char *what, const char *a, const char *b, Document *document,
                     DocTable *table) {
    table_words(document, table, what);
    value_cell(a, document, table);
    value_cell(b, document, table);
}

static DocTable *pair_table(const Diff *diff, const char *name, const char *caption,
                            Document *document) {
    DocTable *table = document_table(document, name, caption);
    table_column(document, table, &(DocColumn){.title = "fact"});
    table_column(document, table,
                 &(DocColumn){.title = document_text(document, "A: %s", diff->a->name)});
    table_column(document, table,
                 &(DocColumn){.title = document_text(document, "B: %s", diff->b->name)});
    return table;
}

static bool facts_differ(const Fact *a, const Fact *b) {
    return a == NULL || b == NULL || a->kind != b->kind || strcmp(a->text, b->text) != 0 ||
           a->number != b->number;
}

/* Empty where it is not known. */
static void fact_text(const Fact *fact, char text[FACT_VALUE_SIZE]) {
    text[0] = '\0';
    if (fact != NULL) {
        fact_value_words(fact, text, FACT_VALUE_SIZE);
    }
}

static void add_fact(const char *key, const Fact *a, const Fact *b, Document *document,
                     DocTable *table) {
    char words[FACT_KEY_SIZE];
    char left[FACT_VALUE_SIZE];
    char right[FACT_VALUE_SIZE];
    fact_key_words(key, words);
    fact_text(a, left);
    fact_text(b, right);
    add_pair(words, left, right, document, table);
}

/* The facts of A in their order, then those that only B has. */
static void add_facts(const Diff *diff, bool only_differing, Document *document, DocTable *table) {
    const Machine *machines[] = {&diff->a->stored->machine, &diff->b->stored->machine};
    for (size_t m = 0; m < 2; m++) {
        for (size_t i = 0; i < machines[m]->count; i++) {
            const char *key = machines[m]->facts[i].key;
            const Fact *a = machine_fact(machines[0], key);
            const Fact *b = machine_fact(machines[1], key);
            const bool told = m == 1 && a != NULL;
            if (!told && (!only_differing || facts_differ(a, b))) {
                add_fact(key, a, b, document, table);
            }
        }
    }
}

/* "hot", "cold", or both where a file was put together of both. */
static const char *cache_words(const StoredRun *stored) {
    size_t cold = 0;
    for (size_t i = 0; i < stored->results.count; i++) {
        cold += stored->results.rows[i].cold ? 1 : 0;
    }
    if (cold == 0) {
        return "hot";
    }
    return cold == stored->results.count ? "cold" : "hot and cold";
}

static void add_pair_if_other(const char *what, const char *a, const char *b, Document *document,
                              DocTable *table) {
    if (strcmp(a, b) != 0) {
        add_pair(what, a, b, document, table);
    }
}

static void add_request(const Diff *diff, Document *document, DocTable *table) {
    const StoredRun *a = diff->a->stored;
    const StoredRun *b = diff->b->stored;
    char lines[2][COMMAND_LINE_SIZE];
    command_line_text(&a->arguments, lines[0], sizeof lines[0]);
    command_line_text(&b->arguments, lines[1], sizeof lines[1]);
    add_pair_if_other("started", a->started, b->started, document, table);
    add_pair_if_other("arguments", lines[0], lines[1], document, table);
    add_pair_if_other("caches", cache_words(a), cache_words(b), document, table);
    add_pair_if_other("run complete", a->complete ? "yes" : "no", b->complete ? "yes" : "no",
                      document, table);
}

static void tell_warnings(const char *letter, const StoredRun *stored, Document *document) {
    Warnings warnings;
    run_warnings(stored, &warnings);
    for (size_t i = 0; i < warnings.count; i++) {
        document_add(document, BLOCK_ITEM, "%s: %s.", letter, warnings.text[i]);
    }
    if (stored->ignored > 0) {
        document_add(document, BLOCK_ITEM,
                     "%s: %zu rows are of algorithms, variants or axes that this version does not "
                     "have; they are left out.",
                     letter, stored->ignored);
    }
}

/* Machines, builds, requests and warnings of both. */
static void diff_tell_machines(const Diff *diff, Document *document) {
    document_heading(document, 2, "What differs besides the times");
    DocTable *differing = pair_table(diff, "diff-facts", "Facts that differ", document);
    add_request(diff, document, differing);
    add_facts(diff, true, document, differing);
    if (differing != NULL && differing->row_count == 0) {
        differing->note = "Nothing that is known of them differs.";
    }
    DocTable *all =
        pair_table(diff, "diff-all-facts", "All facts of both machines and builds", document);
    add_facts(diff, false, document, all);
    if (all != NULL) {
        all->collapsed = true;
    }
    tell_warnings("A", diff->a->stored, document);
    tell_warnings("B", diff->b->stored, document);
}

/* === Overview diff ceilings =================================================================== */

enum { TEXT_SIZE = 48, RATIO_DIGITS = 3 };

/* On a device, by one thread, or by all there are, however many that is on either machine. */
static int where_of(const Ceiling *ceiling) {
    return ceiling->threads > 1 ? 2 : ceiling->threads;
}

static const Ceiling *find_like(const Ceilings *ceilings, const Ceiling *wanted) {
    for (size_t i = 0; i < ceilings->count; i++) {
        const Ceiling *ceiling = &ceilings->list[i];
        if (strcmp(ceiling->key, wanted->key) == 0 && ceiling->kind == wanted->kind &&
            where_of(ceiling) == where_of(wanted)) {
            return ceiling;
        }
    }
    return NULL;
}

static void add_value(const Ceiling *ceiling, Document *document, DocTable *table) {
    char text[TEXT_SIZE];
    ceiling_text(ceiling, text, sizeof text);
    table_cell(document, table, &(DocCell){.text = text, .number = ceiling->value});
}

static void add_ceiling(const Ceiling *a, const Ceiling *b, Document *document, DocTable *table) {
    static const char *const places[] = {"GPU", "one thread", "all threads"};
    table_words(document, table, a->key);
    table_words(document, table, places[where_of(a)]);
    add_value(a, document, table);
    add_value(b, document, table);
    table_number(document, table, b->value / a->value, RATIO_DIGITS);
}

static DocTable *open_table(Document *document) {
    static const char *const titles[] = {"ceiling", "on", "A", "B", "B/A"};
    DocTable *table = document_table(document, "diff-ceilings",
                                     "What both machines do at best, as measured by either run");
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        table_column(document, table, &(DocColumn){.title = titles[i], .numeric = i >= 2});
    }
    return table;
}

/* The ceilings that both have measured; nothing where there are none. */
static void diff_tell_ceilings(const Diff *diff, Document *document) {
    const Ceilings *a = &diff->a->stored->results.ceilings;
    const Ceilings *b = &diff->b->stored->results.ceilings;
    DocTable *table = NULL;
    bool any = false;
    bool differ = false;
    for (size_t i = 0; i < a->count; i++) {
        const Ceiling *other = find_like(b, &a->list[i]);
        if (other != NULL) {
            table = any ? table : open_table(document);
            any = true;
            differ = differ || other->value != a->list[i].value;
            add_ceiling(&a->list[i], other, document, table);
        }
    }
    if (table != NULL) {
        table->collapsed = !differ; /* runs of one machine share what was measured once */
    }
}

/* === Overview diff cells ====================================================================== */

enum { DIFF_VERDICTS = DIFF_UNSURE + 1, DIFF_VARIANTS_MAX = 64, DIFF_NAME_SIZE = 512 };

static void diff_release(Diff *diff);

/* Intervals are the same each time a report is made. */
static const uint64_t bootstrap_seed = 1;

static bool same_size(const Row *a, const Row *b) {
    return a->width == b->width && a->height == b->height && a->images == b->images;
}

/* The row of the group at the place of this one: same variant, size and tuning point. NULL: none.
 */
static const Row *diff_row_find(const RunGroup *group, const Row *row) {
    const Row *found = NULL;
    for (size_t i = 0; i < group->count; i++) {
        const Row *other = group->rows[i];
        if (other->variant != row->variant || !same_size(other, row) ||
            !point_equal(&other->tuning, &row->tuning)) {
            continue;
        }
        if (strcmp(other->size_name, row->size_name) == 0) {
            return other;
        }
        found = found != NULL ? found : other; /* the same size by another name */
    }
    return found;
}

/* The group of this title. NULL: none. */
static const RunGroup *diff_group_find(const RunGroups *groups, const char *title) {
    for (size_t i = 0; i < groups->count; i++) {
        if (strcmp(groups->groups[i].title, title) == 0) {
            return &groups->groups[i];
        }
    }
    return NULL;
}

/* The variants of both groups, those of A first, each once. */
static size_t diff_variants(const DiffGroup *group, const Variant *variants[DIFF_VARIANTS_MAX]) {
    const Variant *of_b[DIFF_VARIANTS_MAX];
    size_t count = run_variants(group->a, variants, DIFF_VARIANTS_MAX);
    const size_t b_count = run_variants(group->b, of_b, DIFF_VARIANTS_MAX);
    for (size_t i = 0; i < b_count && count < DIFF_VARIANTS_MAX; i++) {
        bool there = false;
        for (size_t j = 0; j < count && !there; j++) {
            there = variants[j] == of_b[i];
        }
        if (!there) {
            variants[count++] = of_b[i];
        }
    }
    return count;
}

/* The sizes of both groups with their fastest rows, ascending; the caller frees both lists. False
 * without memory, and then the document has failed. */
static bool diff_sizes(const DiffGroup *group, SizeBest **a, size_t *a_count, SizeBest **b,
                       size_t *b_count, Document *document) {
    Status status = size_best_find(group->a, a, a_count);
    if (status_is_ok(&status)) {
        status = size_best_find(group->b, b, b_count);
    }
    document->failed = document->failed || !status_is_ok(&status);
    return status_is_ok(&status);
}

/* A hash of 0 is one that is not known. */
static bool inputs_differ(const RunGroup *a, const RunGroup *b) {
    for (size_t i = 0; i < a->count; i++) {
        for (size_t j = 0; j < b->count; j++) {
            const uint64_t left = a->rows[i]->input_hash;
            const uint64_t right = b->rows[j]->input_hash;
            if (same_size(a->rows[i], b->rows[j]) && left != 0 && right != 0 && left != right) {
                return true;
            }
        }
    }
    return false;
}

/* Whether both have a verified kernel time, so that there is a ratio. */
static bool diff_cell_compared(const DiffCell *cell) {
    return !isnan(cell->kernel.value);
}

DiffVerdict diff_verdict(const Ratio *ratio) {
    if (isnan(ratio->low) || isnan(ratio->high)) {
        return DIFF_UNSURE;
    }
    if (ratio->high < 1) {
        return DIFF_B_FASTER;
    }
    return ratio->low > 1 ? DIFF_B_SLOWER : DIFF_NOT_SEEN;
}

void diff_ratio_text(const Ratio *ratio, char text[OVERVIEW_TEXT_SIZE]) {
    enum { DIGITS = 4 };
    char value[SIGNIFICANT_SIZE];
    char low[SIGNIFICANT_SIZE];
    char high[SIGNIFICANT_SIZE];
    text[0] = '\0';
    if (isnan(ratio->value)) {
        return;
    }
    significant_text(ratio->value, DIGITS, value);
    significant_text(ratio->low, DIGITS, low);
    significant_text(ratio->high, DIGITS, high);
    if (isnan(ratio->low) || isnan(ratio->high)) {
        snprintf(text, OVERVIEW_TEXT_SIZE, "%s", value);
    } else {
        snprintf(text, OVERVIEW_TEXT_SIZE, "%.20s (%.20s–%.20s)", value, low, high);
    }
}

const char *diff_verdict_words(DiffVerdict verdict) {
    switch (verdict) {
    case DIFF_B_FASTER: return "B faster";
    case DIFF_B_SLOWER: return "B slower";
    case DIFF_NOT_SEEN: return "no difference seen";
    case DIFF_UNSURE: break;
    }
    return "too few samples";
}

static const Samples *samples_of(const Row *row, TimeKind kind) {
    return kind == TIME_KERNEL ? &row->kernel : &row->end_to_end;
}

/* Median of B / median of A; NAN where one of them has no verified time. STATUS_FAIL without
 * memory.
 */
static Status diff_ratio(const Row *a, const Row *b, TimeKind kind, Ratio *ratio) {
    *ratio = (Ratio){.value = NAN, .low = NAN, .high = NAN};
    if (isnan(row_seconds(a, kind)) || isnan(row_seconds(b, kind))) {
        return status_ok();
    }
    return ratio_of_medians(samples_of(b, kind), samples_of(a, kind), bootstrap_seed, ratio);
}

static Status fill_group(DiffGroup *group) {
    group->other_input = inputs_differ(group->a, group->b);
    if (group->other_input) {
        return status_ok();
    }
    group->cells = calloc(group->a->count, sizeof *group->cells);
    if (group->cells == NULL) {
        return status_skip("no memory left for %zu cells of two runs", group->a->count);
    }
    for (size_t i = 0; i < group->a->count; i++) {
        DiffCell cell = {.a = group->a->rows[i], .b = diff_row_find(group->b, group->a->rows[i])};
        if (cell.b != NULL) {
            STATUS_TRY(diff_ratio(cell.a, cell.b, TIME_KERNEL, &cell.kernel));
            STATUS_TRY(diff_ratio(cell.a, cell.b, TIME_END_TO_END, &cell.end_to_end));
            group->cells[group->count++] = cell;
        }
    }
    return status_ok();
}

static Status fill(Diff *diff) {
    STATUS_TRY(run_groups_make(&diff->a->stored->results, &diff->a_groups));
    STATUS_TRY(run_groups_make(&diff->b->stored->results, &diff->b_groups));
    diff->groups = calloc(diff->a_groups.count + 1, sizeof *diff->groups);
    if (diff->groups == NULL) {
        return status_skip("no memory left for two runs");
    }
    for (size_t i = 0; i < diff->a_groups.count; i++) {
        const RunGroup *a = &diff->a_groups.groups[i];
        const RunGroup *b = diff_group_find(&diff->b_groups, a->title);
        if (b != NULL) {
            diff->groups[diff->count] = (DiffGroup){.a = a, .b = b};
            STATUS_TRY(fill_group(&diff->groups[diff->count++]));
        }
    }
    return status_ok();
}

/* `a` and `b` must outlive the difference. STATUS_FAIL without memory. */
static Status diff_make(const OverviewRun *a, const OverviewRun *b, Diff *diff) {
    *diff = (Diff){.a = a, .b = b};
    const Status status = fill(diff);
    if (!status_is_ok(&status)) {
        diff_release(diff);
    }
    return status;
}

static void diff_release(Diff *diff) {
    for (size_t i = 0; i < diff->count; i++) {
        free(diff->groups[i].cells);
    }
    free(diff->groups);
    run_groups_release(&diff->a_groups);
    run_groups_release(&diff->b_groups);
    *diff = (Diff){.groups = NULL};
}

/* === Overview diff tables ===================================================================== */

enum { DIGITS = 4 };

static TimeUnit unit_for(const DiffGroup *group) {
    TimeRange range = {.count = 0};
    for (size_t i = 0; i < group->count; i++) {
        time_range_add(&range, row_seconds(group->cells[i].a, TIME_KERNEL));
        time_range_add(&range, row_seconds(group->cells[i].b, TIME_KERNEL));
    }
    return time_unit(&range);
}

static void add_columns(const TimeUnit *unit, Document *document, DocTable *table) {
    static const char *const kinds[] = {"kernel", "end to end"};
    table_column(document, table, &(DocColumn){.title = "variant"});
    table_column(document, table, &(DocColumn){.title = "size", .numeric = true});
    for (size_t i = 0; i < 2; i++) {
        const char *letters[] = {"A", "B"};
        for (size_t j = 0; j < 2; j++) {
            table_column(
                document, table,
                &(DocColumn){.title = document_text(document, "%s (%s)", letters[j], unit->name),
                             .group = kinds[i],
                             .numeric = true});
        }
        table_column(document, table,
                     &(DocColumn){.title = "B/A", .group = kinds[i], .numeric = true});
        table_column(document, table, &(DocColumn){.title = "difference", .group = kinds[i]});
    }
}

static void add_ratio(const Ratio *ratio, Document *document, DocTable *table) {
    char text[OVERVIEW_TEXT_SIZE];
    diff_ratio_text(ratio, text);
    const bool known = text[0] != '\0';
    table_cell(document, table,
               &(DocCell){.text = known ? text : "—",
                          .number = ratio->value,
                          .kind = known ? CELL_PLAIN : CELL_MISSING});
}

static void add_verdict(const Ratio *ratio, Document *document, DocTable *table) {
    const DiffVerdict verdict = diff_verdict(ratio);
    const bool seen = verdict == DIFF_B_FASTER || verdict == DIFF_B_SLOWER;
    table_cell(document, table,
               &(DocCell){.text = isnan(ratio->value) ? "—" : diff_verdict_words(verdict),
                          .number = NAN,
                          .kind = seen ? CELL_PLAIN : CELL_FAINT});
}

static void add_times(const DiffCell *cell, TimeKind kind, const TimeUnit *unit, Document *document,
                      DocTable *table) {
    table_number(document, table, row_seconds(cell->a, kind) / unit->seconds, DIGITS);
    table_number(document, table, row_seconds(cell->b, kind) / unit->seconds, DIGITS);
    const Ratio *ratio = kind == TIME_KERNEL ? &cell->kernel : &cell->end_to_end;
    add_ratio(ratio, document, table);
    add_verdict(ratio, document, table);
}

static void add_cell(const DiffCell *cell, const TimeUnit *unit, Document *document,
                     DocTable *table) {
    char label[RESULT_LABEL_SIZE];
    char size[OVERVIEW_TEXT_SIZE];
    variant_label(cell->a->variant, &cell->a->tuning, label, sizeof label);
    size_words(cell->a, size);
    table_words(document, table, label);
    table_cell(document, table, &(DocCell){.text = size, .number = row_size(cell->a)});
    add_times(cell, TIME_KERNEL, unit, document, table);
    add_times(cell, TIME_END_TO_END, unit, document, table);
}

/* Each cell that both have. */
static void diff_tell_cells(const DiffGroup *group, Document *document) {
    const TimeUnit unit = unit_for(group);
    DocTable *table =
        document_table(document, document_text(document, "diff-%s-cells", group->a->slug),
                       document_text(document, "Cells of %s that both runs have", group->a->title));
    add_columns(&unit, document, table);
    for (size_t i = 0; i < group->count; i++) {
        if (diff_cell_compared(&group->cells[i])) {
            add_cell(&group->cells[i], &unit, document, table);
        }
    }
    if (table != NULL) {
        table->sortable = true;
        table->note = "Medians, and the ratio of those of B to those of A with its 95% bootstrap "
                      "interval: below 1, B is faster. Where the interval has 1 in it, no "
                      "difference is seen.";
    }
}

/* --- Cells that only one has ------------------------------------------------------------------ */

typedef struct Missing {
    Document *document;
    DocTable *table; /* NULL until there is a cell */
    size_t neither;
} Missing;

static void open_missing_table(Missing *missing) {
    Document *document = missing->document;
    missing->table =
        document_table(document, "diff-missing", "Cells that only one of the runs has a time of");
    static const char *const titles[] = {"cell", "only in", "kernel", "why not in the other"};
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        table_column(document, missing->table, &(DocColumn){.title = titles[i], .numeric = i == 2});
    }
    if (missing->table != NULL) {
        missing->table->collapsed = true;
        missing->table->sortable = true;
    }
}

/* `other` is the row without a time; NULL: there is none. */
static const char *reason_of(const Row *other, Document *document) {
    if (other == NULL) {
        return "not in that run";
    }
    return document_text(document, "%s: %s", other->status == CELL_FAIL ? "failed" : "skipped",
                         other->why[0] != '\0' ? other->why : "no reason was stored");
}

static void add_missing(const Row *row, const Row *other, const char *letter, Missing *missing) {
    if (missing->table == NULL) {
        open_missing_table(missing);
    }
    char name[DIFF_NAME_SIZE];
    char time[OVERVIEW_TEXT_SIZE];
    const double seconds = row_seconds(row, TIME_KERNEL);
    row_name(row, name, sizeof name);
    seconds_text(seconds, time);
    table_words(missing->document, missing->table, name);
    table_words(missing->document, missing->table, letter);
    table_cell(missing->document, missing->table, &(DocCell){.text = time, .number = seconds});
    table_words(missing->document, missing->table, reason_of(other, missing->document));
}

/* Cells of `group` that `others` has no time of; those of neither are counted once, with A. */
static void tell_group(const RunGroup *group, const RunGroup *others, const char *letter,
                       Missing *missing) {
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        const Row *other = diff_row_find(others, row);
        const bool has = !isnan(row_seconds(row, TIME_KERNEL));
        const bool other_has = other != NULL && !isnan(row_seconds(other, TIME_KERNEL));
        if (has && !other_has) {
            add_missing(row, other, letter, missing);
        } else if (!has && !other_has && (letter[0] == 'A' || other == NULL)) {
            missing->neither++;
        }
    }
}

static size_t tell_whole_groups(const RunGroups *groups, const RunGroups *others,
                                const char *letter, Document *document) {
    size_t count = 0;
    for (size_t i = 0; i < groups->count; i++) {
        if (diff_group_find(others, groups->groups[i].title) == NULL) {
            document_add(document, BLOCK_ITEM, "Only %s has %s: %zu cell%s.", letter,
                         groups->groups[i].title, groups->groups[i].count,
                         groups->groups[i].count == 1 ? "" : "s");
            count++;
        }
    }
    return count;
}

/* Cells that only one run has a time of, and why. */
static void diff_tell_missing(const Diff *diff, Document *document) {
    document_heading(document, 2, "What only one run has");
    Missing missing = {.document = document};
    size_t groups = tell_whole_groups(&diff->a_groups, &diff->b_groups, "A", document);
    groups += tell_whole_groups(&diff->b_groups, &diff->a_groups, "B", document);
    for (size_t i = 0; i < diff->count; i++) {
        if (!diff->groups[i].other_input) {
            tell_group(diff->groups[i].a, diff->groups[i].b, "A", &missing);
            tell_group(diff->groups[i].b, diff->groups[i].a, "B", &missing);
        }
    }
    if (groups == 0 && missing.table == NULL) {
        document_add(document, BLOCK_PARAGRAPH,
                     "Every cell that one run has a time of, the other "
                     "has too.");
    }
    if (missing.neither > 0) {
        document_add(document, BLOCK_PARAGRAPH, "%zu cell%s a time in neither run.",
                     missing.neither, missing.neither == 1 ? " has" : "s have");
    }
}

/* === Overview diff words ====================================================================== */

enum { SENTENCE_SIZE = 1024 };

/* Of the times of one kind. */
typedef struct DiffTally {
    TimeKind kind;
    size_t cells, verdicts[DIFF_VERDICTS];
    const DiffCell *least, *greatest; /* by their ratio */
} DiffTally;

static const Ratio *ratio_of(const DiffCell *cell, TimeKind kind) {
    return kind == TIME_KERNEL ? &cell->kernel : &cell->end_to_end;
}

static void count_cell(const DiffCell *cell, DiffTally *tally) {
    const Ratio *ratio = ratio_of(cell, tally->kind);
    if (isnan(ratio->value)) {
        return;
    }
    tally->cells++;
    tally->verdicts[diff_verdict(ratio)]++;
    if (tally->least == NULL || ratio->value < ratio_of(tally->least, tally->kind)->value) {
        tally->least = cell;
    }
    if (tally->greatest == NULL || ratio->value > ratio_of(tally->greatest, tally->kind)->value) {
        tally->greatest = cell;
    }
}

static DiffTally count_cells(const Diff *diff, TimeKind kind) {
    DiffTally tally = {.kind = kind};
    for (size_t i = 0; i < diff->count; i++) {
        for (size_t j = 0; j < diff->groups[i].count; j++) {
            count_cell(&diff->groups[i].cells[j], &tally);
        }
    }
    return tally;
}

static const char *kind_words(TimeKind kind) {
    return kind == TIME_KERNEL ? "kernel time" : "time end to end";
}

static void tell_counts(const DiffTally *tally, Document *document) {
    char text[SENTENCE_SIZE] = "";
    text_append(text, sizeof text, "Both runs have %zu cell%s with a verified %s. ", tally->cells,
                tally->cells == 1 ? "" : "s", kind_words(tally->kind));
    text_append(text, sizeof text,
                "B is faster on %zu of them and slower on %zu; on %zu no difference is seen",
                tally->verdicts[DIFF_B_FASTER], tally->verdicts[DIFF_B_SLOWER],
                tally->verdicts[DIFF_NOT_SEEN]);
    if (tally->verdicts[DIFF_UNSURE] > 0) {
        text_append(text, sizeof text, ", and %zu ha%s too few samples to say",
                    tally->verdicts[DIFF_UNSURE], tally->verdicts[DIFF_UNSURE] == 1 ? "s" : "ve");
    }
    document_add(document, BLOCK_PARAGRAPH, "%s.", text);
}

/* "0.5000 (0.4940–0.5060) for lbp/cuda_naive/texture/1080p/block:16" */
static const char *extreme_text(const DiffCell *cell, TimeKind kind, Document *document) {
    char name[DIFF_NAME_SIZE];
    char ratio[OVERVIEW_TEXT_SIZE];
    row_name(cell->a, name, sizeof name);
    diff_ratio_text(ratio_of(cell, kind), ratio);
    return document_text(document, "%s for %s", ratio, name);
}

static void tell_extremes(const DiffTally *tally, Document *document) {
    const char *kind = kind_words(tally->kind);
    if (tally->cells == 1) {
        document_add(document, BLOCK_PARAGRAPH, "The %s of B over that of A is %s.", kind,
                     extreme_text(tally->least, tally->kind, document));
        return;
    }
    document_add(document, BLOCK_PARAGRAPH,
                 "The %s of B over that of A is at least %s, and at most %s.", kind,
                 extreme_text(tally->least, tally->kind, document),
                 extreme_text(tally->greatest, tally->kind, document));
}

/* --- Where another variant is the fastest ----------------------------------------------------- */

static const SizeBest *find_size(const SizeBest *list, size_t count, double size) {
    for (size_t i = 0; i < count; i++) {
        if (list[i].size == size) {
            return &list[i];
        }
    }
    return NULL;
}

static void tell_other_winner(const Row *a, const Row *b, const DiffGroup *group,
                              Document *document) {
    char size[OVERVIEW_TEXT_SIZE];
    size_words(a, size);
    document_add(document, BLOCK_ITEM,
                 "%s at %s: the kernel of %s is the fastest in A, that of %s in B.",
                 group->a->title, size, a->variant->name, b->variant->name);
}

/* Sizes with a fastest variant in both, and those where it is another one. */
typedef struct Winners {
    size_t sizes, changes;
} Winners;

static void compare_winners(const DiffGroup *group, const SizeBest *a, size_t a_count,
                            const SizeBest *b, size_t b_count, Document *document,
                            Winners *winners) {
    for (size_t i = 0; i < a_count; i++) {
        const SizeBest *other = find_size(b, b_count, a[i].size);
        const Row *left = a[i].fastest[TIME_KERNEL];
        const Row *right = other != NULL ? other->fastest[TIME_KERNEL] : NULL;
        if (left == NULL || right == NULL) {
            continue;
        }
        winners->sizes++;
        if (left->variant != right->variant) {
            winners->changes++;
            tell_other_winner(left, right, group, document);
        }
    }
}

static void tell_winners_of(const DiffGroup *group, Document *document, Winners *winners) {
    SizeBest *a = NULL;
    SizeBest *b = NULL;
    size_t a_count = 0;
    size_t b_count = 0;
    if (diff_sizes(group, &a, &a_count, &b, &b_count, document)) {
        compare_winners(group, a, a_count, b, b_count, document, winners);
    }
    free(a);
    free(b);
}

static void tell_winners(const Diff *diff, Document *document) {
    Winners winners = {.sizes = 0};
    for (size_t i = 0; i < diff->count; i++) {
        if (!diff->groups[i].other_input) {
            tell_winners_of(&diff->groups[i], document, &winners);
        }
    }
    if (winners.sizes > 0 && winners.changes == 0) {
        document_add(
            document, BLOCK_PARAGRAPH,
            "The same variant has the fastest kernel in both runs, at every size that both have.");
    }
}

static void tell_other_inputs(const Diff *diff, Document *document) {
    for (size_t i = 0; i < diff->count; i++) {
        if (diff->groups[i].other_input) {
            document_add(document, BLOCK_WARNING,
                         "%s: the input has the same name in both runs and other content; its "
                         "times are not compared.",
                         diff->groups[i].a->title);
        }
    }
}

/* "lbp, meadow.jpg; copy, meadow.jpg", the first few. */
static void group_list(const RunGroups *groups, char *text, size_t size) {
    enum { NAMED = 3 };
    snprintf(text, size, "%s", groups->count == 0 ? "nothing" : "");
    for (size_t i = 0; i < groups->count && i < NAMED; i++) {
        text_append(text, size, "%s%s", i > 0 ? "; " : "", groups->groups[i].title);
    }
    if (groups->count > NAMED) {
        text_append(text, size, "; and %zu more", groups->count - NAMED);
    }
}

static void tell_nothing_compared(const Diff *diff, Document *document) {
    char a[SENTENCE_SIZE];
    char b[SENTENCE_SIZE];
    group_list(&diff->a_groups, a, sizeof a);
    group_list(&diff->b_groups, b, sizeof b);
    document_add(document, BLOCK_WARNING,
                 "No cell was verified and timed in both runs, on the same input: no times are "
                 "compared. A has %s. B has %s.",
                 a, b);
}

/* On how many cells which run is faster, by how much, and where the fastest variant is another. */
static void diff_tell_summary(const Diff *diff, Document *document) {
    document_heading(document, 2, "Summary");
    document_add(document, BLOCK_PARAGRAPH,
                 "A is %s, B is %s. This shows both side by side; whether a change of one machine "
                 "is a regression is judged by 'bench compare'.",
                 diff->a->name, diff->b->name);
    tell_other_inputs(diff, document);
    const DiffTally kernel = count_cells(diff, TIME_KERNEL);
    const DiffTally end_to_end = count_cells(diff, TIME_END_TO_END);
    if (kernel.cells == 0) {
        tell_nothing_compared(diff, document);
        return;
    }
    tell_counts(&kernel, document);
    tell_extremes(&kernel, document);
    if (end_to_end.cells > 0) {
        tell_counts(&end_to_end, document);
        tell_extremes(&end_to_end, document);
    }
    tell_winners(diff, document);
}

/* === Overview diff crossovers ================================================================= */

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

/* From which size on a device is ahead, in either run; and B ahead of A. */
static void diff_tell_crossovers(const Diff *diff, Document *document) {
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

/* === Overview diff charts ===================================================================== */

typedef struct RunCurve {
    CurvePoint *points;
    const Row **rows;
    size_t count;
} RunCurve;

typedef struct CurvePair {
    RunCurve a, b;
} CurvePair;

static void release_curves(CurvePair *pair) {
    free(pair->a.points);
    free(pair->a.rows);
    free(pair->b.points);
    free(pair->b.rows);
}

/* False without memory, and then the document has failed. */
static bool make_curves(const DiffGroup *group, const Variant *variant, Document *document,
                        CurvePair *pair) {
    *pair = (CurvePair){.a = {.points = NULL}};
    RunCurve *curves[] = {&pair->a, &pair->b};
    const RunGroup *groups[] = {group->a, group->b};
    for (size_t i = 0; i < 2; i++) {
        const Status status = run_curve(groups[i], variant, TIME_KERNEL, &curves[i]->points,
                                        &curves[i]->rows, &curves[i]->count);
        if (!status_is_ok(&status)) {
            document->failed = true;
            release_curves(pair);
            return false;
        }
    }
    return true;
}

/* What is drawn of a group. */
typedef struct DiffDrawing DiffDrawing;
typedef struct DiffPlan {
    ChartMeasure measure; /* not looked at by the ratio of the runs */
    bool devices_only;
    DocChart *(*open)(const DiffDrawing *drawing); /* all but the x axis and the series */
    void (*draw)(DiffDrawing *drawing, const CurvePair *pair); /* one variant */
} DiffPlan;

struct DiffDrawing {
    const Diff *diff;
    const DiffGroup *group;
    const DiffPlan *plan;
    TimeUnit unit;
    Document *document;
    DocChart *chart; /* NULL until there is something to draw */
};

static void add_tick(const DiffDrawing *drawing, const SizeBest *size) {
    char label[OVERVIEW_TEXT_SIZE];
    size_short(size->fastest[TIME_KERNEL], label);
    chart_tick(drawing->document, &drawing->chart->x, size->size, label);
}

/* The sizes of both runs, each once, ascending. */
static void name_sizes(const DiffDrawing *drawing, const SizeBest *a, size_t a_count,
                       const SizeBest *b, size_t b_count) {
    size_t i = 0;
    size_t j = 0;
    while (i < a_count || j < b_count) {
        const bool from_a = j == b_count || (i < a_count && a[i].size <= b[j].size);
        const double size = from_a ? a[i].size : b[j].size;
        add_tick(drawing, from_a ? &a[i] : &b[j]);
        i += i < a_count && a[i].size == size ? 1 : 0;
        j += j < b_count && b[j].size == size ? 1 : 0;
    }
}

static void set_size_axis(const DiffDrawing *drawing) {
    const DiffGroup *group = drawing->group;
    const Row *any = group->a->rows[0];
    SizeBest *a = NULL;
    SizeBest *b = NULL;
    size_t a_count = 0;
    size_t b_count = 0;
    drawing->chart->x.log = true;
    drawing->chart->x.title =
        document_text(drawing->document, "size (%s)",
                      row_is_picture(any) ? "by number of pixels" : row_size_unit(any));
    if (diff_sizes(group, &a, &a_count, &b, &b_count, drawing->document)) {
        name_sizes(drawing, a, a_count, b, b_count);
    }
    free(a);
    free(b);
}

/* A chart without a series would be an empty frame: it is made with the first. */
static ChartSeries *add_series(DiffDrawing *drawing, const char *name, SeriesStyle style,
                               const Row *row) {
    if (drawing->chart == NULL) {
        drawing->chart = drawing->plan->open(drawing);
        if (drawing->chart == NULL) {
            return NULL;
        }
        set_size_axis(drawing);
    }
    return chart_series(drawing->document, drawing->chart, name, style, variant_colour(row));
}

static void add_point(const DiffDrawing *drawing, ChartSeries *series, const Row *row,
                      ChartPoint point) {
    char label[OVERVIEW_TEXT_SIZE];
    size_short(row, label);
    point.x = row_size(row);
    point.label = label;
    chart_point(drawing->document, series, &point);
}

/* --- Both runs in one chart ------------------------------------------------------------------- */

static void draw_curve(DiffDrawing *drawing, const RunCurve *curve, const char *run,
                       SeriesStyle style) {
    ChartSeries *series = NULL;
    for (size_t i = 0; i < curve->count; i++) {
        const Row *row = curve->rows[i];
        const ChartPoint point =
            measure_point(row, drawing->plan->measure, TIME_KERNEL, &drawing->unit);
        if (isnan(point.y)) {
            continue;
        }
        if (series == NULL) {
            const char *name = document_text(drawing->document, "%s, %s", row->variant->name, run);
            series = add_series(drawing, name, style, row);
        }
        add_point(drawing, series, row, point);
    }
}

static void draw_both(DiffDrawing *drawing, const CurvePair *pair) {
    draw_curve(drawing, &pair->a, drawing->diff->a->name, SERIES_MEASURED);
    draw_curve(drawing, &pair->b, drawing->diff->b->name, SERIES_SECONDARY);
}

static DocChart *open_both(const DiffDrawing *drawing) {
    Document *document = drawing->document;
    const ChartMeasure measure = drawing->plan->measure;
    const RunGroup *group = drawing->group->a;
    DocChart *chart = measure_chart(
        document, document_text(document, "diff-%s-%s", group->slug, measure_slug(measure)),
        document_text(document, "%s: %s", group->title, measure_words(measure)), measure,
        &drawing->unit);
    if (chart != NULL) {
        chart->description = document_text(
            document,
            "The %s of each variant%s at its fastest tuning against the size of the input, "
            "logarithmic; %s with solid lines, %s with dashed ones.",
            measure_words(measure), drawing->plan->devices_only ? " on a device" : "",
            drawing->diff->a->name, drawing->diff->b->name);
    }
    return chart;
}

/* --- B over A --------------------------------------------------------------------------------- */

static void draw_ratios(DiffDrawing *drawing, const CurvePair *pair) {
    ChartSeries *series = NULL;
    for (size_t i = 0, j = 0; i < pair->a.count && j < pair->b.count;) {
        if (pair->a.points[i].x < pair->b.points[j].x) {
            i++;
            continue;
        }
        if (pair->b.points[j].x < pair->a.points[i].x) {
            j++;
            continue;
        }
        const Row *row = pair->a.rows[i];
        Ratio ratio;
        const Status status = diff_ratio(row, pair->b.rows[j], TIME_KERNEL, &ratio);
        drawing->document->failed = drawing->document->failed || !status_is_ok(&status);
        if (series == NULL) {
            series = add_series(drawing, row->variant->name, SERIES_MEASURED, row);
        }
        add_point(drawing, series, row,
                  (ChartPoint){.y = ratio.value, .low = ratio.low, .high = ratio.high});
        i++;
        j++;
    }
}

static DocChart *open_ratios(const DiffDrawing *drawing) {
    Document *document = drawing->document;
    const RunGroup *group = drawing->group->a;
    DocChart *chart =
        document_chart(document, document_text(document, "diff-%s-ratio", group->slug),
                       document_text(document, "%s: time of B over time of A", group->title));
    if (chart != NULL) {
        chart->y.log = true;
        chart->y.title = "median of B / median of A, kernel";
        chart->reference = 1;
        chart->description = document_text(
            document,
            "Ratio of the kernel times of %s (B) to those of %s (A), each variant at its fastest "
            "tuning in either, with 95%% intervals; below 1, B is faster.",
            drawing->diff->b->name, drawing->diff->a->name);
    }
    return chart;
}

/* --- A group's charts ------------------------------------------------------------------------- */

static void draw(const Diff *diff, const DiffGroup *group, const DiffPlan *plan, TimeUnit unit,
                 Document *document) {
    DiffDrawing drawing = {
        .diff = diff, .group = group, .plan = plan, .unit = unit, .document = document};
    const Variant *variants[DIFF_VARIANTS_MAX];
    const size_t count = diff_variants(group, variants);
    for (size_t i = 0; i < count; i++) {
        CurvePair pair;
        if ((!plan->devices_only || !variant_is_on_cpu(variants[i])) &&
            make_curves(group, variants[i], document, &pair)) {
            plan->draw(&drawing, &pair);
            release_curves(&pair);
        }
    }
}

/* What is to be known of the timed rows of both runs. */
typedef struct TimedRows {
    TimeRange times;
    bool device;
    double least, greatest; /* sizes */
} TimedRows;

static TimedRows look_at_rows(const DiffGroup *group) {
    TimedRows seen = {.least = INFINITY, .greatest = 0};
    const RunGroup *groups[] = {group->a, group->b};
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < groups[i]->count; j++) {
            const Row *row = groups[i]->rows[j];
            const double seconds = row_seconds(row, TIME_KERNEL);
            if (!isnan(seconds)) {
                time_range_add(&seen.times, seconds);
                seen.device = seen.device || !variant_is_on_cpu(row->variant);
                seen.least = fmin(seen.least, row_size(row));
                seen.greatest = fmax(seen.greatest, row_size(row));
            }
        }
    }
    return seen;
}

/* Times and speedups of both, and the ratio of their times, by size. */
static void diff_tell_charts(const Diff *diff, const DiffGroup *group, Document *document) {
    const TimedRows seen = look_at_rows(group);
    const DiffPlan plans[] = {
        {.measure = CHART_TIME, .open = open_both, .draw = draw_both},
        {.measure = CHART_OVER_BEST_CPU,
         .devices_only = seen.device,
         .open = open_both,
         .draw = draw_both},
        {.open = open_ratios, .draw = draw_ratios},
    };
    if (!(seen.least < seen.greatest)) {
        return; /* no line can be drawn through one size */
    }
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        draw(diff, group, &plans[i], time_unit(&seen.times), document);
    }
}

/* === Overview diff ============================================================================ */

static bool has_compared(const DiffGroup *group) {
    for (size_t i = 0; i < group->count; i++) {
        if (diff_cell_compared(&group->cells[i])) {
            return true;
        }
    }
    return false;
}

/* The charts of runs of many answer points would be a thousand lines in one page. */
static void tell_groups(const Diff *diff, Document *document) {
    enum { CHARTED_MAX = 12 };
    size_t charted = 0;
    for (size_t i = 0; i < diff->count; i++) {
        const DiffGroup *group = &diff->groups[i];
        if (!group->other_input) {
            document_heading(document, 2, group->a->title);
            if (charted++ < CHARTED_MAX) {
                diff_tell_charts(diff, group, document);
            }
            if (has_compared(group)) {
                diff_tell_cells(group, document);
            }
        }
    }
    if (charted > CHARTED_MAX) {
        document_add(document, BLOCK_PARAGRAPH,
                     "Charts are drawn of the first %d of these; the tables have the numbers of "
                     "all.",
                     CHARTED_MAX);
    }
}

void overview_diff_build(const OverviewRun *a, const OverviewRun *b, Document *document) {
    Diff diff;
    const Status status = diff_make(a, b, &diff);
    if (!status_is_ok(&status)) {
        document->failed = true;
        return;
    }
    diff_tell_summary(&diff, document);
    diff_tell_machines(&diff, document);
    diff_tell_ceilings(&diff, document);
    tell_groups(&diff, document);
    diff_tell_crossovers(&diff, document);
    diff_tell_missing(&diff, document);
    diff_release(&diff);
}
