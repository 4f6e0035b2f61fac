/* The section of crossovers: from which size, or which value of an axis, a GPU is ahead. */

#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "table.h"
#include "words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "axis.h"
#include "text.h"
#include "variant.h"

enum { PHRASE_SIZE = 320, VALUES_ENOUGH = 3, VALUES_LEAST = 2 };

/* === One crossover ============================================================================ */

/* "from 4K on; undecided at 1080p"; without a place a missing time. */
static void crossover_cell(Document *document, DocTable *table, const RowCrossover *rows) {
    char text[PHRASE_SIZE] = "no time";
    size_t first = 0;
    if (rows->count > 0) {
        const Series series = row_crossover_series(rows);
        first = crossover_words(&series, text, sizeof text);
    }
    table_cell(document, table,
               &(DocCell){.text = text,
                          .first = first,
                          .number = NAN,
                          .kind = rows->count == 0 ? CELL_MISSING : CELL_PLAIN});
}

/* --- Variants of one crossover ---------------------------------------------------------------- */

enum { CROSSOVERS_MAX = 2 * TIME_KINDS };

/* Variants that are ahead at the same places, by every time and in every run. */
typedef struct CrossoverRow {
    const char *variants; /* "cuda_fast, cuda_tiled" */
    RowCrossover crossovers[CROSSOVERS_MAX];
} CrossoverRow;

static bool same_crossover(const RowCrossover *a, const RowCrossover *b) {
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        if (a->sides[i] != b->sides[i] || row_size(a->rows[i]) != row_size(b->rows[i])) {
            return false;
        }
    }
    return a->count == b->count;
}

static bool same_crossovers(const CrossoverRow *a, const CrossoverRow *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!same_crossover(&a->crossovers[i], &b->crossovers[i])) {
            return false;
        }
    }
    return true;
}

/* Joins the last row to an earlier one of the same crossovers. */
static void join_crossover_row(Document *document, CrossoverRow *rows, size_t *count,
                               size_t crossovers) {
    const CrossoverRow *last = &rows[*count - 1];
    for (size_t i = 0; i + 1 < *count; i++) {
        if (same_crossovers(&rows[i], last, crossovers)) {
            rows[i].variants = document_text(document, "%s, %s", rows[i].variants, last->variants);
            --*count;
            return;
        }
    }
}

/* === Answer sweeps ============================================================================ */

/* Whether two answer points differ in nothing but, perhaps, the axis. */
static bool same_but_for(const RunGroup *a, const RunGroup *b, size_t axis) {
    const Point *answer = &a->rows[0]->answer;
    return point_equal_but(answer, &b->rows[0]->answer, answer->axes[axis]->name);
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
            if (!row_is_timed(row)) {
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

/* How many values a sweep of numbers has at least: three, or two where the family has one size and
 * no axis of three, so that there is nothing else to compare. */
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

/* The rows with a time of the groups that are like the first but for the axis, at their largest
 * size. */
static AnswerSweep sweep_of(Document *document, const Family *family, size_t first, size_t axis) {
    AnswerSweep sweep = {.first = family->groups[first], .place = axis};
    const Row *largest = NULL;
    for (size_t i = first; i < family->count; i++) {
        const Row *row = group_largest(family->groups[i]);
        if (same_but_for(family->groups[i], sweep.first, axis) && row != NULL) {
            largest = largest == NULL || row_size(row) > row_size(largest) ? row : largest;
        }
    }
    for (size_t i = first; largest != NULL && i < family->count; i++) {
        const RunGroup *group = family->groups[i];
        for (size_t j = 0; same_but_for(group, sweep.first, axis) && j < group->count; j++) {
            if (row_size(group->rows[j]) == row_size(largest) && row_is_timed(group->rows[j])) {
                group_add(document, &sweep.rows, group->rows[j]);
            }
        }
    }
    sweep.axis =
        row_axis(document, &sweep.rows, false, sweep.first->rows[0]->answer.axes[axis]->name);
    return sweep;
}

size_t answer_sweeps(const RunPage *page, const Family *family, AnswerSweep **sweeps) {
    Document *document = page->document;
    const size_t least = values_min(family);
    const size_t axes = family->count >= least ? family->head->answer.count : 0;
    size_t count = 0;
    *sweeps = document_allocate(document, (axes * family->count + 1) * sizeof **sweeps);
    for (size_t axis = 0; *sweeps != NULL && axis < axes; axis++) {
        for (size_t i = 0; i < family->count; i++) {
            if (!is_first_of_its_kind(family, i, axis)) {
                continue;
            }
            const AnswerSweep sweep = sweep_of(document, family, i, axis);
            /* A line between two points needs an axis that has something between them. */
            if (sweep.axis.count >= (sweep.axis.numbers ? least : VALUES_ENOUGH)) {
                (*sweeps)[count++] = sweep;
            }
        }
    }
    return count;
}

/* --- Crossovers along an axis ----------------------------------------------------------------- */

static const char crossover_note[] =
    "Each variant at its fastest tuning, by its side at each place measured; between and outside "
    "of them nothing is claimed.";

static DocTable *open_answers_table(Document *document, const Family *family,
                                    const AnswerSweep *sweep, bool others) {
    const char *axis = sweep->axis.name;
    char size[REPORT_TEXT_SIZE];
    size_words(sweep->rows.rows[0], size);
    DocTable *table = document_table(
        document, document_text(document, "crossover-%s-%s", family_slug(document, family), axis),
        document_text(document,
                      "%s at %s: for which %s each GPU variant is faster than the fastest CPU "
                      "variant",
                      family_name(document, family), size, axis));
    if (others) {
        TABLE_COLUMNS(document, table, WORDS("answer"));
    }
    TABLE_COLUMNS(document, table, WORDS("variant"));
    const char *group = document_text(document, "ahead, by %s", axis);
    TABLE_COLUMNS(document, table, WORDS("kernel time", .group = group),
                  WORDS("with copies", .group = group));
    table->sortable = true;
    table->note = crossover_note;
    return table;
}

/* For which values of each axis of the answer that is a number a device is ahead; a table for each
 * axis. */
static void answer_crossovers(const RunPage *page, const Family *family) {
    Document *document = page->document;
    AnswerSweep *sweeps;
    DocTable *table = NULL;
    size_t axis = SIZE_MAX; /* of the table */
    const size_t sweep_count = answer_sweeps(page, family, &sweeps);
    for (size_t i = 0; i < sweep_count; i++) {
        const AnswerSweep *sweep = &sweeps[i];
        const Variant *variants[VARIANTS_MAX];
        const char *others =
            answer_words_without(document, family, &sweep->rows.rows[0]->answer, sweep->place);
        if (!sweep->axis.numbers) {
            continue;
        }
        if (axis != sweep->place) {
            table = open_answers_table(document, family, sweep, others[0] != '\0');
            axis = sweep->place;
        }
        const size_t count = device_variants(&sweep->rows, variants);
        for (size_t j = 0; j < count; j++) {
            if (others[0] != '\0') {
                table_words(document, table, others);
            }
            table_words(document, table, variants[j]->name);
            for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
                const RowCrossover crossover =
                    group_crossover(document, &sweep->rows, &sweep->axis, variants[j], kind);
                crossover_cell(document, table, &crossover);
            }
        }
    }
}

/* === One size ================================================================================= */

/* The sides of a device at the answer points of the one size. */
typedef struct AheadCount {
    size_t points, sides[SIDE_UNDECIDED + 1];
} AheadCount;

static const char *ahead_words(Document *document, const AheadCount *count, bool several) {
    const char *text = several ? document_text(document, "ahead at %zu of %zu",
                                               count->sides[SIDE_FASTER], count->points)
                               : "";
    for (SpeedSide side = SIDE_SAME; side <= SIDE_UNDECIDED; side++) {
        const size_t points = count->sides[side];
        if (!several && points > 0) {
            return side_word(side, COMPARED_LEAD);
        }
        if (points > 0 && !side_is_decided(side)) {
            text = document_text(document, "%s, %s at %zu", text, side_word(side, COMPARED_SPEED),
                                 points);
        }
    }
    return count->points == 0 ? "no time" : text;
}

/* Whether the device is ahead at the one size; of several answer points, at how many. */
static void ahead_cell(Document *document, DocTable *table, const Family *family,
                       const Variant *variant, TimeKind kind) {
    enum { NAMES_SIZE = 1024 };
    char names[NAMES_SIZE] = "";
    AheadCount count = {.points = 0};
    for (size_t i = 0; i < family->count; i++) {
        const RunGroup *group = family->groups[i];
        const RowCrossover rows = group_crossover(document, group, &along_size, variant, kind);
        if (rows.count > 0) {
            count.points++;
            count.sides[rows.sides[0]]++;
        }
        if (rows.count > 0 && rows.sides[0] == SIDE_FASTER) {
            text_append(names, sizeof names, "%s%s", names[0] != '\0' ? "; " : "",
                        answer_words(document, family, &group->rows[0]->answer, true));
        }
    }
    table_cell(
        document, table,
        &(DocCell){.text = ahead_words(document, &count, family->count > 1),
                   .number = count.points > 0 ? (double)count.sides[SIDE_FASTER] : (double)NAN,
                   .note = names[0] != '\0' ? names : NULL,
                   .kind = count.points == 0 ? CELL_MISSING : CELL_PLAIN});
}

/* Where one size was measured: at how many answer points each variant on a device is ahead. */
static void one_size_table(Document *document, const Family *family) {
    const char *name = family_name(document, family);
    const Variant *variants[VARIANTS_MAX];
    const size_t count = device_variants(family->groups[0], variants);
    char size[REPORT_TEXT_SIZE] = "one size";
    for (size_t i = 0; i < family->count; i++) {
        const Row *row = group_largest(family->groups[i]);
        if (row != NULL) {
            size_words(row, size);
        }
    }
    document_add(document, BLOCK_PARAGRAPH,
                 "%s: only %s was measured on both sides, so no crossover over sizes can be given.",
                 name, size);
    DocTable *table = document_table(
        document, document_text(document, "crossover-%s", family_slug(document, family)),
        document_text(document, "%s at %s: who is ahead of the fastest CPU variant%s", name, size,
                      family->count > 1 ? ", in answer points" : ""));
    TABLE_COLUMNS(document, table, WORDS("variant"), WORDS("by kernel time"), WORDS("with copies"));
    for (size_t i = 0; i < count; i++) {
        table_words(document, table, variants[i]->name);
        ahead_cell(document, table, family, variants[i], TIME_KERNEL);
        ahead_cell(document, table, family, variants[i], TIME_END_TO_END);
    }
    table->sortable = true;
    table->note = crossover_note;
}

/* --- From what size on ------------------------------------------------------------------------ */

/* Of a variant, or of the fastest for NULL: by kernel time in every run, then end to end. */
static CrossoverRow crossover_row(const RunReport *report, const Variant *variant,
                                  const RunGroup *const groups[]) {
    CrossoverRow row = {.variants = variant != NULL ? variant->name : "fastest GPU variant"};
    size_t count = 0;
    for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
        for (size_t run = 0; run < report->count; run++) {
            row.crossovers[count++] =
                group_crossover(report->document, groups[run], &along_size, variant, kind);
        }
    }
    return row;
}

/* The fastest GPU variant of each size, then the variants on a device of a group, or of one that
 * both runs have: those of the same crossovers in one row. */
static void crossover_rows(const RunReport *report, DocTable *table, const RunGroup *rows,
                           const RunGroup *const groups[]) {
    const Variant *variants[VARIANTS_MAX];
    CrossoverRow *list = document_allocate(report->document, (VARIANTS_MAX + 1) * sizeof *list);
    const size_t variant_count = device_variants(rows, variants);
    const size_t crossovers = TIME_KINDS * report->count, fastest = variant_count > 1;
    size_t count = fastest;
    if (list == NULL) {
        return;
    }
    if (fastest > 0) {
        list[0] = crossover_row(report, NULL, groups);
    }
    for (size_t i = 0; i < variant_count; i++) {
        size_t others = count - fastest + 1;
        list[count] = crossover_row(report, variants[i], groups);
        join_crossover_row(report->document, list + fastest, &others, crossovers);
        count = fastest + others;
    }
    for (size_t i = 0; i < count; i++) {
        if (report->count == 1) {
            group_cells(&report->of[0], table, rows->rows[0]);
        } else {
            table_words(report->document, table, groups[0]->title);
        }
        table_words(report->document, table, list[i].variants);
        for (size_t j = 0; j < crossovers; j++) {
            crossover_cell(report->document, table, &list[i].crossovers[j]);
        }
    }
}

/* --- Families by what they have --------------------------------------------------------------- */

/* Whether some group has a time on this side. */
static bool has_side(Document *document, const Family *family, RowSide side) {
    for (size_t i = 0; i < family->count; i++) {
        if (row_line(document, family->groups[i], &along_size, (RowChoice){.side = side}).count >
            0) {
            return true;
        }
    }
    return false;
}

/* The most sizes of a group that both sides have. */
static size_t common_sizes(Document *document, const Family *family) {
    size_t most = 0;
    for (size_t i = 0; i < family->count; i++) {
        const size_t sizes =
            group_crossover(document, family->groups[i], &along_size, NULL, TIME_KERNEL).count;
        most = sizes > most ? sizes : most;
    }
    return most;
}

static DocTable *open_crossover_table(const RunReport *report) {
    static const char *const kinds[] = {"by kernel time", "with copies"};
    Document *document = report->document;
    const bool two = report->count > 1;
    DocTable *table = document_table(document, two ? "diff-crossovers" : "crossover",
                                     "From what size on each GPU variant is faster than the "
                                     "fastest CPU variant of that size");
    if (two) {
        TABLE_COLUMNS(document, table, WORDS("of"));
    } else {
        group_columns(&report->of[0], table);
    }
    TABLE_COLUMNS(document, table, WORDS("variant"));
    for (size_t kind = 0; kind < 2; kind++) {
        for (size_t run = 0; run < report->count; run++) {
            TABLE_COLUMNS(
                document, table,
                WORDS(two ? run_letters[run] : kinds[kind], .group = two ? kinds[kind] : NULL));
        }
    }
    table->note = crossover_note;
    table->sortable = true;
    return table;
}

/* Of one run, by families: over sizes, or where there is one size over answer points. */
static DocTable *family_crossovers(const RunReport *report) {
    const RunPage *page = &report->of[0];
    Document *document = report->document;
    DocTable *table = NULL;
    for (size_t i = 0; i < page->count; i++) {
        const Family *family = &page->families[i];
        const bool devices = has_side(document, family, SIDE_DEVICE);
        if (!devices || !has_side(document, family, SIDE_CPU)) {
            document_add(
                document, BLOCK_PARAGRAPH,
                "%s: no %s variant has a verified time, so there is nothing to overtake%s.",
                family_name(document, family), devices ? "CPU" : "GPU", devices ? "" : " with");
        } else if (common_sizes(document, family) < 2) {
            one_size_table(document, family);
            answer_crossovers(page, family);
        } else {
            table = table != NULL ? table : open_crossover_table(report);
            for (size_t j = 0; j < family->count; j++) {
                crossover_rows(report, table, family->groups[j], &family->groups[j]);
            }
        }
    }
    return table;
}

/* Of two runs, each group that both have. */
static DocTable *pair_crossovers(const RunReport *report) {
    DocTable *table = NULL;
    for (size_t i = 0; i < report->pair_count; i++) {
        const RunPair *pair = &report->pairs[i];
        const Variant *variants[VARIANTS_MAX];
        if (!pair->other_input && device_variants(&pair->rows, variants) > 0) {
            table = table != NULL ? table : open_crossover_table(report);
            crossover_rows(report, table, &pair->rows, pair->of);
        }
    }
    if (table == NULL) {
        document_add(report->document, BLOCK_PARAGRAPH,
                     "Nothing that both runs have was timed on a device.");
    }
    return table;
}

/* === Where B overtakes A ====================================================================== */

/* How B's cell differs from one of A; NULL: B has no time of it. */
static const RunDifference *difference_of(const RunPair *pair, const Row *a, TimeKind kind) {
    for (size_t i = 0; i < pair->count; i++) {
        const RunDifference *difference = &pair->cells[i].difference[kind];
        if (pair->cells[i].of[0] == a && !isnan(difference->ratio.value)) {
            return difference;
        }
    }
    return NULL;
}

/* From what size on a variant of B is ahead of the same one of A. */
static void winner_cell(const RunPair *pair, const Variant *variant, TimeKind kind,
                        Document *document, DocTable *table) {
    const RowLine a =
        row_line(document, pair->of[0], &along_size, (RowChoice){.kind = kind, .variant = variant});
    RowCrossover rows = {.axis = &along_size, .rows = a.rows};
    rows.sides = document_allocate(document, (a.count + 1) * sizeof *rows.sides);
    for (size_t i = 0; rows.sides != NULL && i < a.count; i++) {
        const RunDifference *difference = difference_of(pair, a.rows[i], kind);
        if (difference != NULL) {
            rows.rows[rows.count] = a.rows[i];
            rows.sides[rows.count++] = difference->side;
        }
    }
    crossover_cell(document, table, &rows);
}

static DocTable *open_winner_table(const RunReport *report) {
    Document *document = report->document;
    DocTable *table = document_table(document, "diff-winner", "Where B is ahead of A");
    TABLE_COLUMNS(document, table, WORDS("of"), WORDS("variant"), WORDS("kernel"),
                  WORDS("with copies"));
    table->note = "By the sides of the cells of both, each variant at A's fastest tuning.";
    return table;
}

static void winner_table(const RunReport *report) {
    Document *document = report->document;
    DocTable *table = NULL;
    for (size_t i = 0; i < report->pair_count; i++) {
        const RunPair *pair = &report->pairs[i];
        const Variant *variants[VARIANTS_MAX];
        const size_t count = pair->other_input ? 0 : run_variants(&pair->rows, variants);
        for (size_t j = 0; j < count; j++) {
            if (!group_has_time(pair->of[0], variants[j]) ||
                !group_has_time(pair->of[1], variants[j])) {
                continue;
            }
            if (table == NULL) {
                table = open_winner_table(report);
            }
            table_words(document, table, pair->of[0]->title);
            table_words(document, table, variants[j]->name);
            winner_cell(pair, variants[j], TIME_KERNEL, document, table);
            winner_cell(pair, variants[j], TIME_END_TO_END, document, table);
        }
    }
    if (table == NULL) {
        document_add(document, BLOCK_PARAGRAPH, "No variant was timed in both runs.");
    }
}

/* === Section ================================================================================== */

void crossover_section(const RunReport *report) {
    enum { OPEN_ROWS_MAX = 60 };
    document_heading(report->document, 2, "Crossover");
    DocTable *table = report->count == 1 ? family_crossovers(report) : pair_crossovers(report);
    if (table != NULL) {
        table->collapsed = table->row_count > OPEN_ROWS_MAX;
    }
    if (report->count > 1) {
        winner_table(report);
    }
}
