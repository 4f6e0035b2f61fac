/* Tables of a study. */

#include "contenders.h"
#include "csv_columns.h"
#include "document.h"
#include "row.h"
#include "study_internal.h"
#include "table.h"
#include "winners.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* === Study best =============================================================================== */

/* Where columns are the parts of one run, a kind of time has only its own as rival; otherwise each
 * column is a way to do the work, measured as its convention has it. */
static bool are_rivals(const StudyTable *table, const StudyColumn *a, const StudyColumn *b) {
    return column_is_time(b) && (!time_kinds_are_works(table) || same_kind_of_time(a, b));
}

/* The times of the same work as a value's, in a column or a row. */
typedef struct Rivals {
    Contender all[RIVALS_MAX];
    size_t count, own; /* the value's place */
    bool mixed;        /* there are times of other work */
} Rivals;

static void add_rival(const StudyValue *value, const StudyValue *other, Rivals *rivals) {
    if (!isfinite(other->measured)) {
        return;
    }
    if (!step_same_work(value->records, value->record, other->records, other->record)) {
        rivals->mixed = true;
    } else if (rivals->count < RIVALS_MAX) {
        rivals->own = other == value ? rivals->count : rivals->own;
        rivals->all[rivals->count++] = study_contender(other, false);
    }
}

/* Whether it leads, or is not slower than the leader for certain. */
static bool is_best(const Rivals *rivals) {
    Lead lead;
    contenders_lead(rivals->all, rivals->count, &lead);
    const bool best = lead.first == rivals->own || !lead_is_over(&lead, &rivals->all[rivals->own]);
    lead_release(&lead);
    return best;
}

bool study_time_is_best(const TableResult *table, const StudyValue *value) {
    const StudyTable *study = table->table;
    const size_t row = (size_t)(value->row - study->rows);
    const size_t column = (size_t)(value->column - study->columns);
    if (!column_is_time(value->column) || !isfinite(value->measured)) {
        return false;
    }
    Rivals down = {.count = 0}, across = {.count = 0};
    for (size_t i = 0; i < study->row_count; i++) {
        add_rival(value, study_value(table, i, column), &down);
    }
    for (size_t i = 0; i < study->column_count; i++) {
        if (are_rivals(study, value->column, &study->columns[i])) {
            add_rival(value, study_value(table, row, i), &across);
        }
    }
    const Rivals *rivals = down.mixed || down.count < 2 ? &across : &down;
    return rivals->count > 1 && is_best(rivals);
}

/* === Study cells ============================================================================== */

enum { TIME_DIGITS = 4, RATIO_DIGITS = 3 };

/* A time with four significant digits, a ratio with three, a whole number of anything else in
 * full. */
static void study_number_text(double number, const StudyUnit *unit, char text[SIGNIFICANT_SIZE]) {
    const bool whole = unit->time == NULL && !unit->ratio && number == floor(number);
    measured_text(number, whole ? 1 : unit->ratio ? RATIO_DIGITS : TIME_DIGITS, text);
}

/* "ms", "µs", "×"; "" for a unit that is none. */
static const char *study_unit_text(const StudyUnit *unit) {
    return unit->ratio ? "×" : unit->time != NULL ? unit->time->name : unit->none ? "" : unit->name;
}

/* The facts of a value's record, each with the words around it. */
static const char *record_words(const StudyValue *value, Document *document) {
    static const struct {
        size_t member;
        const char *before, *after;
        double plain; /* numbers up to this one are left out */
    } facts[] = {{offsetof(Row, answer), "", "", -1},
                 {offsetof(Row, tuning), "", "", -1},
                 {offsetof(Row, threads), "", " threads", 1},
                 {offsetof(Row, kernel_summary.count), "", " samples", -1},
                 {offsetof(Row, batch), "batches of ", "", 1}};
    char text[CSV_VALUE_SIZE];
    if (value->record == NULL) {
        return "";
    }
    step_variant(value->records, value->record, text);
    const char *words = document_text(document, "%s", text);
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        const CsvColumn *column = csv_column_at(facts[i].member);
        study_value_text(value, column, text);
        if (text[0] != '\0' && !(study_value_number(value, column) <= facts[i].plain)) {
            words = text_joined(
                document, words, ", ",
                document_text(document, "%s%s%s", facts[i].before, text, facts[i].after));
        }
    }
    return step_verified(value->records, value->record) == VERIFIED_NO
               ? text_joined(document, words, ", ", "answer not verified")
               : words;
}

static const char *value_interval_words(const StudyValue *value, Document *document) {
    if (!isfinite(value->low) || !isfinite(value->high)) {
        return "";
    }
    char low[SIGNIFICANT_SIZE], high[SIGNIFICANT_SIZE], words[NUMBER_WORDS_SIZE];
    study_number_text(value->low, &value->column->unit, low);
    study_number_text(value->high, &value->column->unit, high);
    if (value->seeds > 0) {
        snprintf(words, sizeof words, "%zu seeds", value->seeds);
    } else {
        interval_words(&value->launches, words, sizeof words);
    }
    const char *unit = study_unit_text(&value->column->unit);
    return document_text(document, "%s: %s to %s%s%s", words, low, high, unit[0] != '\0' ? " " : "",
                         unit);
}

/* "480 (441–519)" of a number with a range over seeds, which is part of what was measured. */
static const char *with_range(const char *number, const StudyValue *value, Document *document) {
    if (value->seeds == 0) {
        return document_text(document, "%s", number);
    }
    char low[SIGNIFICANT_SIZE], high[SIGNIFICANT_SIZE];
    study_number_text(value->low, &value->column->unit, low);
    study_number_text(value->high, &value->column->unit, high);
    return document_text(document, "%s (%s–%s)", number, low, high);
}

/* NULL for an empty text, which is no note. */
static const char *note_of(const char *text) {
    return text != NULL && text[0] != '\0' ? text : NULL;
}

/* The cell's text is two or three words where the value was not measured; its note is the interval
 * and where the number is from, or the reason. */
static DocCell measured_cell(const TableResult *table, const StudyValue *value,
                             Document *document) {
    if (!isfinite(value->measured)) {
        return (DocCell){.text = value->missing,
                         .number = NAN,
                         .note = note_of(value->why),
                         .kind = value->wrong ? CELL_BAD : CELL_MISSING};
    }
    char text[SIGNIFICANT_SIZE];
    study_number_text(value->measured, &value->column->unit, text);
    const char *interval = value_interval_words(value, document);
    const char *from = record_words(value, document);
    if (value->averaged > 0) {
        from = document_text(document, "mean over %zu values of %s", value->averaged,
                             table->table->mean_over);
    }
    return (DocCell){
        .text = with_range(text, value, document),
        .first = value->seeds > 0 ? strlen(text) : 0,
        .number = value->measured,
        .note =
            note_of(note_of(from) != NULL ? text_joined(document, interval, "; ", from) : interval),
        .kind = study_time_is_best(table, value) ? CELL_STRONG : CELL_PLAIN};
}

/* As the paper prints it, with its machine and source as note; empty where it has none. */
static DocCell published_cell(const StudyValue *value, Document *document) {
    const PublishedNumber *paper = value->paper;
    return paper == NULL
               ? (DocCell){.number = NAN, .kind = CELL_FAINT}
               : (DocCell){.text = paper->printed,
                           .number = paper->value,
                           .note =
                               note_of(text_joined(document, paper->source, ": ", paper->machine)),
                           .kind = CELL_FAINT};
}

/* === Launches ================================================================================= */

LaunchRange study_launches(const TableResult *table, size_t column) {
    LaunchRange range = {.most = 0};
    for (size_t i = 0; i < table->count; i++) {
        const StudyValue *value = &table->values[i];
        if (column == SIZE_MAX || i % table->table->column_count == column) {
            launch_range_join(&range, &value->launches);
        }
    }
    return range;
}

LaunchRange study_all_launches(const StudyResult *result) {
    LaunchRange range = {.most = 0};
    for (size_t i = 0; i < result->study->table_count; i++) {
        const LaunchRange table = study_launches(&result->tables[i], SIZE_MAX);
        launch_range_join(&range, &table);
    }
    return range;
}

const char *study_interval_sentence(const LaunchRange *range, Document *document) {
    char words[NUMBER_WORDS_SIZE];
    interval_words(range, words, sizeof words);
    return range->most == 0                      ? ""
           : range->most == 1                    ? "Intervals: 95% in this run, of one launch."
           : range->least >= MEDIAN_INTERVAL_MIN ? document_text(document, "Intervals: %s.", words)
           : range->least == range->most
               ? document_text(document, "%zu launches, too few for an interval.", range->most)
               : document_text(
                     document,
                     "%zu to %zu launches: six or more have a 95%% interval, 2 to 5 none.",
                     range->least, range->most);
}

/* A sentence on the numbers that have a range over seeds; "" where none has. */
static const char *seeds_sentence(const TableResult *table, Document *document) {
    size_t seeds = 0;
    for (size_t i = 0; i < table->count; i++) {
        seeds = table->values[i].seeds > seeds ? table->values[i].seeds : seeds;
    }
    return seeds > 0 ? document_text(document,
                                     " Medians of %zu seeds; in brackets the least and the "
                                     "greatest.",
                                     seeds)
                     : "";
}

/* A sentence on numbers that are means over the values of a key; "" where they are not. */
static const char *mean_sentence(const StudyTable *table, Document *document) {
    return table->mean_over != NULL
               ? document_text(document, " Each is the mean over all values of “%s”.",
                               table->mean_over)
               : "";
}

const char *study_launches_sentence(const StudyResult *result, Document *document) {
    const LaunchRange range = study_all_launches(result);
    return range.most == 0 ? "No number rests on launches."
           : range.most == 1
               ? "Every cell was measured in one launch, a process that measures every cell. Its "
                 "intervals are valid for that run alone: the next launch is often outside of them."
               : document_text(
                     document,
                     "A launch is one process that measures every cell, and counts as one "
                     "value, its median. %s",
                     study_interval_sentence(&range, document));
}

/* === Study table note ========================================================================= */

enum { FEW_COLUMNS = 3 };

/* "kernel_ms_mean (kernel time, arithmetic mean)" */
static const char *csv_words(const StudyColumn *column, Document *document) {
    const CsvColumn *known = csv_column_find(column->csv);
    const char *of = column->by != NULL
                         ? document_text(document, ", of the record with the least %s", column->by)
                         : "";
    return known != NULL ? document_text(document, "%s%s (%s)%s",
                                         column->part != NULL ? "from the list " : "", column->csv,
                                         known->meaning, of)
                         : document_text(document, "“%s” in the step's file", column->csv);
}

/* "Time"; "Sort (sort)" where it is one number of a list. */
static const char *title_words(const StudyColumn *column, Document *document) {
    const char *title = text_listed(document, column->title);
    return column->part != NULL ? document_text(document, "%s (%s)", title, column->part) : title;
}

static const char *computed_words(const StudyColumn *column, Document *document) {
    const char *over = text_listed(document, column->over);
    if (column->source == COLUMN_LINEAR) {
        const char *product = document_text(document, "%s × %.10g", over, column->factor);
        return column->offset == 0
                   ? product
                   : document_text(document, "%s %s %.10g", product, column->offset < 0 ? "−" : "+",
                                   fabs(column->offset));
    }
    if (column->source == COLUMN_COST) {
        return document_text(document,
                             "what a million runs of %s cost at the price of an hour (the step's "
                             "--price)",
                             over);
    }
    if (column->source == COLUMN_RATIO) {
        return document_text(document, "%s ÷ %s", over, text_listed(document, column->under));
    }
    return document_text(document, "%s of %s ÷ %s of the row", over,
                         text_listed(document, column->base), over);
}

/* A sentence for each kind of column: what it shows. The last one is without its full stop. */
static const char *columns_words(const StudyTable *table, Document *document) {
    Tally kinds = {0};
    for (size_t i = 0; i < table->column_count; i++) {
        const StudyColumn *column = &table->columns[i];
        const char *kind = column->source == COLUMN_CSV ? csv_words(column, document)
                                                        : computed_words(column, document);
        tally_add(&kinds, document, kind, title_words(column, document));
    }
    const char *words = "";
    for (size_t i = 0; i < kinds.count; i++) {
        const TallyItem *kind = &kinds.items[i];
        const bool all = kind->count == table->column_count && kind->count > FEW_COLUMNS;
        const char *one = document_text(document, "%s %s %s", all ? "Each column" : kind->with,
                                        all || kind->count == 1 ? "is" : "are", kind->key);
        words = text_joined(document, words, ". ", one);
    }
    return words;
}

bool study_has_paper(const StudyResult *result) {
    return result->study->citation != NULL ||
           (result->published != NULL && result->published->count > 0);
}

const char *study_table_note(const StudyResult *result, const TableResult *table,
                             DifferencesShown shown, Document *document) {
    StudySources sources = {0};
    study_sources_add(result, table, SIZE_MAX, document, &sources);
    const char *before = sources.published || !study_has_paper(result) ? ""
                         : table->table->extra ? "The paper has no such table. "
                                               : "The paper prints no numbers for it. ";
    const char *words = study_sources_words(&sources, document);
    const char *columns = columns_words(table->table, document);
    const char *differences = sources.published ? study_differences(result, shown, document) : "";
    if (document->failed) {
        return NULL;
    }
    const LaunchRange launches = study_launches(table, SIZE_MAX);
    const char *intervals = study_interval_sentence(&launches, document);
    return document_text(document, "%s%s %s.%s%s%s%s%s%s", before, words, columns,
                         mean_sentence(table->table, document), intervals[0] != '\0' ? " " : "",
                         intervals, seeds_sentence(table, document),
                         differences[0] != '\0' ? " " : "", differences);
}

/* === Study tables ============================================================================= */

static const char *column_heading(const StudyColumn *column, Document *document) {
    const char *unit = study_unit_text(&column->unit);
    return document_text(document, unit[0] != '\0' ? "%s (%s)" : "%s%s", column->title, unit);
}

typedef enum Side { SIDE_MEASURED, SIDE_PUBLISHED, SIDE_COUNT } Side;

/* A document's column: one side of one of the study's columns. */
typedef struct Shown {
    size_t column;
    Side side;
} Shown;

/* The column at one of SIDE_COUNT places for each of the study's columns, in the table's order;
 * false for a side without numbers. */
static bool shown_at(const TableResult *table, size_t place, Shown *shown) {
    const size_t columns = table->table->column_count;
    *shown = table->table->shaded ? (Shown){place % columns, place / columns}
                                  : (Shown){place / SIDE_COUNT, place % SIDE_COUNT};
    return shown->side == SIDE_MEASURED || study_has_published(table, shown->column);
}

static void add_columns(const TableResult *table, Document *document, DocTable *added) {
    static const char *const sides[SIDE_COUNT] = {"measured", "published"};
    const bool compares = study_has_published(table, SIZE_MAX);
    const bool by_side = table->table->shaded;
    TABLE_COLUMNS(document, added, WORDS(""));
    Shown shown;
    for (size_t i = 0; i < table->table->column_count * SIDE_COUNT; i++) {
        if (!shown_at(table, i, &shown)) {
            continue;
        }
        const char *heading = column_heading(&table->table->columns[shown.column], document);
        const char *side = sides[shown.side];
        const DocColumn column = {.title = compares && !by_side ? side : heading,
                                  .group = !compares ? NULL
                                           : by_side ? side
                                                     : heading,
                                  .numeric = true};
        table_column(document, added, &column);
    }
}

static void add_row(const TableResult *table, size_t row, Document *document, DocTable *added) {
    Shown shown;
    table_words(document, added, table->table->rows[row].label);
    for (size_t i = 0; i < table->table->column_count * SIDE_COUNT; i++) {
        if (!shown_at(table, i, &shown)) {
            continue;
        }
        const StudyValue *value = study_value(table, row, shown.column);
        const DocCell cell = shown.side == SIDE_MEASURED ? measured_cell(table, value, document)
                                                         : published_cell(value, document);
        table_cell(document, added, &cell);
    }
}

DocTable *study_table_add(const StudyResult *result, const TableResult *table,
                          DifferencesShown shown, Document *document) {
    DocTable *added = document_table(document, table->table->name, table->table->caption);
    if (added == NULL) {
        return NULL;
    }
    added->shaded = table->table->shaded;
    added->sortable = !table->table->shaded;
    added->note = study_table_note(result, table, shown, document);
    add_columns(table, document, added);
    for (size_t row = 0; row < table->table->row_count; row++) {
        add_row(table, row, document, added);
    }
    return added;
}

const char *study_heading_text(const char *name, Document *document) {
    char heading[128];
    size_t used = 0;
    for (; name[used] != '\0' && used + 1 < sizeof heading; used++) {
        heading[used] = name[used] == '-' || name[used] == '_' ? ' ' : name[used];
    }
    heading[used] = '\0';
    if (heading[0] >= 'a' && heading[0] <= 'z') {
        heading[0] = (char)(heading[0] - 'a' + 'A');
    }
    return document_text(document, "%s", heading);
}
