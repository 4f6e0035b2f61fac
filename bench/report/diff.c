/* What only a report of two runs has: cells of both with their ratios, and cells of one. */

#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "table.h"
#include "two_runs.h"
#include "words.h"

#include <math.h>
#include <string.h>

#include "text.h"

enum { SIDES = SIDE_UNDECIDED + 1, DIFF_NAME_SIZE = 512, DIGITS = 4 };

/* In the order of the columns of the summary. */
static const SpeedSide sides[SIDES] = {SIDE_FASTER, SIDE_SLOWER, SIDE_SAME, SIDE_UNDECIDED};

static const char *const kind_names[] = {"kernel", "with copies"};

/* === Summary ================================================================================== */

/* The cells of both that have a ratio of one kind. */
typedef struct Tally {
    size_t cells, sides[SIDES];
    Detectable detectable; /* where no change is shown */
} Tally;

static Tally tally_of(const RunReport *report, TimeKind kind) {
    Tally tally = {.cells = 0};
    for (size_t i = 0; i < report->pair_count; i++) {
        for (size_t j = 0; j < report->pairs[i].count; j++) {
            const CellPair *cell = &report->pairs[i].cells[j];
            const RunDifference *difference = &cell->difference[kind];
            if (isnan(difference->ratio.value) || row_is_roof(cell->of[0])) {
                continue;
            }
            tally.cells++;
            tally.sides[difference->side]++;
            if (!side_is_decided(difference->side)) {
                detectable_add(&tally.detectable, difference->detectable);
            }
        }
    }
    return tally;
}

/* "B faster", "as fast" */
static const char *side_title(SpeedSide side, Document *document) {
    return document_text(document, "%s%s", side_is_decided(side) ? "B " : "",
                         side_word(side, COMPARED_SPEED));
}

static void tally_row(const Tally *tally, TimeKind kind, Document *document, DocTable *table) {
    table_words(document, table, kind_names[kind]);
    table_count(document, table, tally->cells);
    for (size_t i = 0; i < SIDES; i++) {
        table_count(document, table, tally->sides[sides[i]]);
    }
}

static void tally_table(const RunReport *report, const Tally tallies[2]) {
    Document *document = report->document;
    DocTable *table =
        document_table(document, "diff-summary", "Cells with a verified time in both runs");
    TABLE_COLUMNS(document, table, WORDS("time"), NUMBERS("cells"));
    for (size_t i = 0; i < SIDES; i++) {
        TABLE_COLUMNS(document, table, NUMBERS(side_title(sides[i], document)));
    }
    for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
        if (tallies[kind].cells > 0) {
            tally_row(&tallies[kind], kind, document, table);
        }
    }
    table->note = document_text(
        document,
        "The rule is that of 'bench compare'. B is faster or slower where the exact "
        "Mann-Whitney p of the launch medians is small enough by Holm's method at %g and B/A "
        "is "
        "beyond %g. It is as fast where the interval of B/A lies within %.3f to %g.",
        judge_criteria.alpha, 1 + judge_criteria.threshold, 1 / (1 + judge_criteria.threshold),
        1 + judge_criteria.threshold);
}

/* Whether the fastest variant of either run is within the interval of the fastest of the other. */
static bool may_be_the_same(const RunPair *pair, const Row *a, const Row *b) {
    return variant_is_tied(pair->of[0], b->variant, a, SIDE_BOTH, TIME_KERNEL) ||
           variant_is_tied(pair->of[1], a->variant, b, SIDE_BOTH, TIME_KERNEL);
}

/* A row for each size that both have. Returns at how many another variant is the fastest; `tied`
 * where which is faster is undecided. */
static size_t fastest_rows(const RunPair *pair, Document *document, DocTable *table, bool *tied) {
    RowLine sizes[2];
    size_t changes = 0;
    for (size_t run = 0; run < 2; run++) {
        sizes[run] = row_line(document, pair->of[run], &along_size, (RowChoice){.variant = NULL});
    }
    for (size_t i = 0; i < sizes[0].count; i++) {
        const Row *a = sizes[0].rows[i];
        for (size_t j = 0; j < sizes[1].count; j++) {
            const Row *b = sizes[1].rows[j];
            if (row_size(a) != row_size(b)) {
                continue;
            }
            table_words(document, table, pair->of[0]->title);
            size_cell(document, table, a);
            *tied |= fastest_cell(document, table, pair->of[0], a, SIDE_BOTH, TIME_KERNEL);
            *tied |= fastest_cell(document, table, pair->of[1], b, SIDE_BOTH, TIME_KERNEL);
            const bool same = a->variant == b->variant;
            const bool open = !same && may_be_the_same(pair, a, b);
            table_words(document, table,
                        same   ? ""
                        : open ? side_word(SIDE_UNDECIDED, COMPARED_SPEED)
                               : "another");
            changes += !same && !open;
        }
    }
    return changes;
}

static void fastest_table(const RunReport *report) {
    enum { OPEN_ROWS_MAX = 60 };
    Document *document = report->document;
    DocTable *table = document_table(document, "diff-fastest", "The variant of the fastest kernel");
    size_t changes = 0;
    bool tied = false;
    TABLE_COLUMNS(document, table, WORDS("of"), WORDS("size"), WORDS("A"), WORDS("B"),
                  WORDS("change"));
    for (size_t i = 0; i < report->pair_count; i++) {
        if (!report->pairs[i].other_input) {
            changes += fastest_rows(&report->pairs[i], document, table, &tied);
        }
    }
    table->collapsed = table->row_count > OPEN_ROWS_MAX;
    table->note = document_text(document, "Another variant at %zu of %zu sizes.%s", changes,
                                table->row_count, tied ? or_note : "");
}

void diff_summary(const RunReport *report) {
    const Tally tallies[] = {tally_of(report, TIME_KERNEL), tally_of(report, TIME_END_TO_END)};
    if (tallies[TIME_KERNEL].cells > 0) {
        tally_table(report, tallies);
        fastest_table(report);
    }
}

/* === Verdict ================================================================================== */

/* Cells that are named, of those that are faster or slower. */
enum { NAMED_MAX = 3 };

/* Inserts a cell into those that changed most. */
static void add_named(const CellPair *cell, TimeKind kind, const CellPair *named[NAMED_MAX],
                      size_t *count) {
    size_t place = *count;
    while (place > 0 &&
           difference_is_greater(&cell->difference[kind], &named[place - 1]->difference[kind])) {
        place--;
    }
    if (place == NAMED_MAX) {
        return;
    }
    *count = *count < NAMED_MAX ? *count + 1 : NAMED_MAX;
    memmove(&named[place + 1], &named[place], (*count - place - 1) * sizeof named[0]);
    named[place] = cell;
}

static size_t find_named(const RunReport *report, TimeKind kind, const CellPair *named[NAMED_MAX]) {
    size_t count = 0;
    for (size_t i = 0; i < report->pair_count; i++) {
        for (size_t j = 0; j < report->pairs[i].count; j++) {
            const CellPair *cell = &report->pairs[i].cells[j];
            const SpeedSide side = cell->difference[kind].side;
            if (side_is_decided(side)) {
                add_named(cell, kind, named, &count);
            }
        }
    }
    return count;
}

/* " Most: lbp/simd/… 1.31× slower (1.02–1.46), …"; "" where nothing changed. */
static void most_text(const RunReport *report, TimeKind kind, char *text, size_t size) {
    const CellPair *named[NAMED_MAX];
    const size_t count = find_named(report, kind, named);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        char name[DIFF_NAME_SIZE], words[NUMBER_WORDS_SIZE];
        row_name(named[i]->of[0], name, sizeof name);
        difference_words(&named[i]->difference[kind], words);
        text_append(text, size, "%s%s %s", i > 0 ? ", " : " Most: ", name, words);
    }
    text_append(text, size, "%s", count > 0 ? "." : "");
}

/* "By kernel time B is faster at 4 of 38 cells, slower at 2, as fast at 30; 2 are undecided." and
 * what changed most. */
static void tally_sentence(const RunReport *report, const Tally *tally, TimeKind kind) {
    const size_t *count = tally->sides;
    char most[NAMED_MAX * (DIFF_NAME_SIZE + NUMBER_WORDS_SIZE)];
    char seen[2 * NUMBER_WORDS_SIZE];
    detectable_words(&tally->detectable, "change", "cell", seen, sizeof seen);
    most_text(report, kind, most, sizeof most);
    document_add(report->document, BLOCK_ITEM,
                 "%s B is faster at %zu of %zu %s, slower at %zu, as fast at %zu (within %g%%); "
                 "%zu %s undecided%s%s.%s",
                 kind == TIME_KERNEL ? "By kernel time" : "With copies", count[SIDE_FASTER],
                 tally->cells, plural(tally->cells, "cell", "cells"), count[SIDE_SLOWER],
                 count[SIDE_SAME], 100 * judge_criteria.threshold, count[SIDE_UNDECIDED],
                 count[SIDE_UNDECIDED] == 1 ? "is" : "are", seen[0] != '\0' ? "; " : "", seen,
                 most);
}

void diff_answer(const RunReport *report) {
    Document *document = report->document;
    document_heading(document, 2, "Verdict");
    for (size_t i = 0; i < report->pair_count; i++) {
        if (report->pairs[i].other_input) {
            document_add(document, BLOCK_WARNING,
                         "%s: the input has the same name in both runs and other content; its "
                         "times are not compared.",
                         report->pairs[i].of[0]->title);
        }
    }
    for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
        const Tally tally = tally_of(report, kind);
        if (tally.cells > 0) {
            tally_sentence(report, &tally, kind);
        } else if (kind == TIME_KERNEL) {
            document_add(document, BLOCK_WARNING,
                         "No cell was verified and timed in both runs, on the same input: no times "
                         "are compared.");
        }
    }
}

/* === Cells of both ============================================================================ */

static void difference_cell(const CellPair *cell, TimeKind kind, Document *document,
                            DocTable *table) {
    const RunDifference *difference = &cell->difference[kind];
    char words[NUMBER_WORDS_SIZE];
    const size_t first = difference_words(difference, words);
    const bool roof = row_is_roof(cell->of[0]);
    table_cell(document, table,
               &(DocCell){.text = isnan(difference->ratio.value) ? "—"
                                  : roof                         ? "roof, not judged"
                                                                 : words,
                          .first = roof ? 0 : first,
                          .number = NAN,
                          .kind = side_is_decided(difference->side) ? CELL_PLAIN : CELL_FAINT});
}

/* With four digits, since much is decided close to 1. */
static void ratio_cell(double ratio, Document *document, DocTable *table) {
    if (isnan(ratio)) {
        missing_cell(document, table, "—");
    } else {
        table_number(document, table, ratio, DIGITS);
    }
}

static void pair_row(const CellPair *cell, const TimeUnit *unit, Document *document,
                     DocTable *table) {
    char size[REPORT_TEXT_SIZE];
    size_words(cell->of[0], size);
    label_cell(document, table, cell->of[0]);
    table_value(document, table, size, row_size(cell->of[0]));
    for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
        for (size_t run = 0; run < 2; run++) {
            table_number(document, table, row_seconds(cell->of[run], kind) / unit->seconds, DIGITS);
        }
        ratio_cell(cell->difference[kind].ratio.value, document, table);
        difference_cell(cell, kind, document, table);
    }
}

/* What is shown beside the ratios of a pair, and what follows from it. */
static const char *ratio_note(const RunPair *pair, Document *document) {
    LaunchRange launches[2] = {{.most = 0}, {.most = 0}};
    pair_launches(pair, launches);
    if (launches[0].most <= 1 && launches[1].most <= 1) {
        return "Times of one launch each, and the ratio of those of B to those of A: below 1, B is "
               "faster. One launch a side does not show how far launches lie apart, so every cell "
               "is undecided.";
    }
    return document_text(
        document,
        "Medians over launches (%s), and the median of the ratios of all pairs of launches, B over "
        "A: below 1, B is faster. In parentheses, of %d launches or more on both sides: the "
        "interval of the factors that the exact Mann-Whitney test on the launches allows.",
        ratio_interval_words(pair, document), MEDIAN_INTERVAL_MIN);
}

static DocTable *open_pair_table(const RunPair *pair, const TimeUnit *unit, Document *document) {
    DocTable *table = document_table(
        document, document_text(document, "diff-%s-cells", pair->of[0]->slug),
        document_text(document, "Cells of %s that both runs have", pair->of[0]->title));
    TABLE_COLUMNS(document, table, WORDS("variant"), NUMBERS("size"));
    for (size_t kind = 0; kind < 2; kind++) {
        for (size_t run = 0; run < 2; run++) {
            const char *title = document_text(document, "%s (%s)", run_letters[run], unit->name);
            TABLE_COLUMNS(document, table, NUMBERS(title, .group = kind_names[kind]));
        }
        TABLE_COLUMNS(document, table, NUMBERS("B/A", .group = kind_names[kind]),
                      WORDS("B is", .group = kind_names[kind]));
    }
    table->collapsed = true; /* the first screen has the answer */
    table->sortable = true;
    table->note = ratio_note(pair, document);
    return table;
}

static void pair_table(const RunPair *pair, Document *document) {
    TimeRange range = {.count = 0};
    DocTable *table = NULL;
    for (size_t i = 0; i < pair->count; i++) {
        time_range_add(&range, row_seconds(pair->cells[i].of[0], TIME_KERNEL));
        time_range_add(&range, row_seconds(pair->cells[i].of[1], TIME_KERNEL));
    }
    const TimeUnit unit = time_unit(&range);
    for (size_t i = 0; i < pair->count; i++) {
        if (!isnan(pair->cells[i].difference[TIME_KERNEL].ratio.value)) {
            table = table != NULL ? table : open_pair_table(pair, &unit, document);
            pair_row(&pair->cells[i], &unit, document, table);
        }
    }
}

/* The charts of runs of many answer points would be a thousand lines in one page. */
void diff_groups(const RunReport *report) {
    enum { CHARTED_MAX = 12 };
    size_t charted = 0;
    for (size_t i = 0; i < report->pair_count; i++) {
        const RunPair *pair = &report->pairs[i];
        if (!pair->other_input) {
            document_heading(report->document, 2, pair->of[0]->title);
            if (charted++ < CHARTED_MAX) {
                pair_charts(report, pair);
            }
            pair_table(pair, report->document);
        }
    }
    if (charted > CHARTED_MAX) {
        document_add(report->document, BLOCK_PARAGRAPH,
                     "Charts are drawn of the first %d of these; the tables have the numbers of "
                     "all.",
                     CHARTED_MAX);
    }
}

/* === Cells of one ============================================================================= */

typedef struct Missing {
    Document *document;
    DocTable *table; /* NULL until there is a cell */
    size_t neither;
} Missing;

static void open_missing_table(Missing *missing) {
    missing->table = document_table(missing->document, "diff-missing",
                                    "Cells that only one of the runs has a time of");
    TABLE_COLUMNS(missing->document, missing->table, WORDS("cell"), WORDS("only in"),
                  NUMBERS("kernel"), WORDS("why not in the other"));
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
    char name[DIFF_NAME_SIZE], time[REPORT_TEXT_SIZE];
    const double seconds = row_seconds(row, TIME_KERNEL);
    row_name(row, name, sizeof name);
    seconds_text(seconds, time);
    table_words(missing->document, missing->table, name);
    table_words(missing->document, missing->table, letter);
    table_value(missing->document, missing->table, time, seconds);
    table_words(missing->document, missing->table, reason_of(other, missing->document));
}

/* Cells of `group` that `others` has no time of; those of neither are counted once, with A. */
static void add_missing_of(const RunGroup *group, const RunGroup *others, const char *letter,
                           Missing *missing) {
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        const Row *other = row_like(others, row);
        const bool has = !isnan(row_seconds(row, TIME_KERNEL));
        const bool other_has = other != NULL && !isnan(row_seconds(other, TIME_KERNEL));
        if (has && !other_has) {
            add_missing(row, other, letter, missing);
        } else if (!has && !other_has && (letter[0] == 'A' || other == NULL)) {
            missing->neither++;
        }
    }
}

static size_t whole_groups(const RunReport *report, size_t run) {
    const RunGroups *groups = &report->of[run].groups;
    size_t count = 0;
    for (size_t i = 0; i < groups->count; i++) {
        const RunGroup *group = &groups->groups[i];
        if (group_like(&report->of[1 - run].groups, group) == NULL) {
            document_add(report->document, BLOCK_ITEM, "Only %s has %s: %zu cell%s.",
                         run_letters[run], group->title, group->count,
                         group->count == 1 ? "" : "s");
            count++;
        }
    }
    return count;
}

void diff_missing(const RunReport *report) {
    Document *document = report->document;
    Missing missing = {.document = document};
    document_heading(document, 2, "What only one run has");
    const size_t groups = whole_groups(report, 0) + whole_groups(report, 1);
    for (size_t i = 0; i < report->pair_count; i++) {
        const RunPair *pair = &report->pairs[i];
        if (!pair->other_input) {
            add_missing_of(pair->of[0], pair->of[1], "A", &missing);
            add_missing_of(pair->of[1], pair->of[0], "B", &missing);
        }
    }
    if (groups == 0 && missing.table == NULL) {
        document_add(document, BLOCK_PARAGRAPH,
                     "Every cell that one run has a time of, the other has too.");
    }
    if (missing.neither > 0) {
        document_add(document, BLOCK_PARAGRAPH, "%zu cell%s a time in neither run.",
                     missing.neither, missing.neither == 1 ? " has" : "s have");
    }
}
