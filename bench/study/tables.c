/* Tables of a study. */

#include "study_internal.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "report.h"
#include "results.h"

/* === Study best =============================================================================== */

typedef struct Place {
    const StudyResult *result;
    const TableResult *table;
    size_t row, column;
} Place;

static const char *text_at(const Place *place, const char *key) {
    const StudyTable *table = place->table->table;
    const CsvFrame *records =
        study_column_records(place->result, table, &table->columns[place->column]);
    const StudyValue *value = study_value(place->table, place->row, place->column);
    return study_record_text(records, value->record, key);
}

static bool is_same_work(const Place *a, const Place *b) {
    static const char *const keys[] = {"algorithm", "input", "size", "answer"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(text_at(a, keys[i]), text_at(b, keys[i])) != 0) {
            return false;
        }
    }
    return true;
}

/* Where columns are the parts of one run, a kind of time has only its own as rival; else each is a
 * way to do the work, measured as its convention has it. */
static bool are_rivals(const StudyTable *table, const StudyColumn *a, const StudyColumn *b) {
    return b->source == COLUMN_CSV && unit_is_time(b->unit) &&
           (!time_kinds_are_works(table) ||
            (same_texts(a->csv, b->csv) && same_texts(a->part, b->part)));
}

static double milliseconds_at(const Place *place) {
    const char *unit = place->table->table->columns[place->column].unit;
    return unit_milliseconds(unit) * study_value(place->table, place->row, place->column)->measured;
}

typedef struct Rivals {
    size_t count; /* times of the same work, this one too */
    bool beaten;
    bool mixed; /* there are times of other work */
} Rivals;

static void count_rival(const Place *place, const Place *other, Rivals *rivals) {
    const double time = milliseconds_at(place);
    const double rival = milliseconds_at(other);
    if (!isfinite(rival)) {
        return;
    }
    if (is_same_work(place, other)) {
        rivals->count++;
        rivals->beaten = rivals->beaten || rival < time;
    } else {
        rivals->mixed = true;
    }
}

bool study_time_is_best(const StudyResult *result, const TableResult *table, size_t row,
                        size_t column) {
    const StudyColumn *columns = table->table->columns;
    if (!unit_is_time(columns[column].unit) || columns[column].source != COLUMN_CSV ||
        !isfinite(study_value(table, row, column)->measured)) {
        return false;
    }
    const Place place = {result, table, row, column};
    Rivals down = {0}, across = {0};
    for (size_t i = 0; i < table->table->row_count; i++) {
        count_rival(&place, &(Place){result, table, i, column}, &down);
    }
    for (size_t i = 0; i < table->table->column_count; i++) {
        if (are_rivals(table->table, &columns[column], &columns[i])) {
            count_rival(&place, &(Place){result, table, row, i}, &across);
        }
    }
    const Rivals *rivals = down.mixed || down.count < 2 ? &across : &down;
    return rivals->count > 1 && !rivals->beaten;
}

/* === Study cells ============================================================================== */

enum { TIME_DIGITS = 4, RATIO_DIGITS = 3 };

/* The number with four significant digits where it is a time, three where it is a ratio, and in
 * full where it is a whole number of anything else. */
static void study_number_text(double number, const char *unit, char text[SIGNIFICANT_SIZE]) {
    const bool plain = !unit_is_time(unit) && !unit_is_ratio(unit);
    int digits = unit_is_ratio(unit) ? RATIO_DIGITS : TIME_DIGITS;
    /* All digits before the point: 12834 is not rounded to 12830. */
    const int whole = fabs(number) >= 1 ? (int)log10(fabs(number)) + 1 : 1;
    if ((plain && number == floor(number)) || whole > digits) {
        digits = whole;
    }
    significant_text(number, digits, text);
}

/* "ms", "µs", "×"; "" for a unit that is none. */
static const char *study_unit_text(const char *unit) {
    if (unit_is_ratio(unit)) {
        return "×";
    }
    const TimeUnit *time = time_unit_find(unit, TIME_US, TIME_MIN);
    if (time != NULL) {
        return time->name;
    }
    return strcmp(unit, "-") == 0 ? "" : unit;
}

static const StudyColumn *column_of(const CellPlace *place) {
    return &place->table->table->columns[place->column];
}

/* The facts of a record, each with the words around it. */
static const char *record_words(const CellPlace *place, const CsvRecord *record,
                                Document *document) {
    static const struct {
        const char *key, *before, *after;
    } facts[] = {{"variant", "", ""},         {"answer", "", ""},
                 {"tuning", "", ""},          {"threads", "", " threads"},
                 {"samples", "", " samples"}, {"batch", "batches of ", ""}};
    const CsvFrame *records =
        study_column_records(place->result, place->table->table, column_of(place));
    const char *words = "";
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        const char *text = study_record_text(records, record, facts[i].key);
        const bool one_batch = strcmp(facts[i].key, "batch") == 0 && strcmp(text, "1") == 0;
        const bool no_threads = strcmp(facts[i].key, "threads") == 0 &&
                                (strcmp(text, "0") == 0 || strcmp(text, "1") == 0);
        if (text[0] != '\0' && !one_batch && !no_threads) {
            words = text_joined(
                document, words, words != NULL && words[0] != '\0' ? ", " : "",
                document_text(document, "%s%s%s", facts[i].before, text, facts[i].after));
        }
    }
    if (strcmp(study_record_text(records, record, "verified"), "no") == 0) {
        words = text_joined(document, words, ", ", "answer not verified");
    }
    return words != NULL ? words : "";
}

static const char *interval_words(const StudyValue *value, const char *unit, Document *document) {
    if (!isfinite(value->low) || !isfinite(value->high)) {
        return "";
    }
    char low[SIGNIFICANT_SIZE], high[SIGNIFICANT_SIZE];
    study_number_text(value->low, unit, low);
    study_number_text(value->high, unit, high);
    const char *name = study_unit_text(unit);
    return document_text(document, "95%% interval %s to %s%s%s", low, high,
                         name[0] != '\0' ? " " : "", name);
}

/* The records that a cell asks for, by what became of them. */
typedef struct Asked {
    size_t measured, skipped, failed;
} Asked;

static Asked records_asked(const CellPlace *place) {
    const StudyTable *table = place->table->table;
    const StudyColumn *column = column_of(place);
    const CsvFrame *records = study_column_records(place->result, table, column);
    Asked asked = {0};
    ConditionList conditions;
    if (records == NULL || !cell_conditions(table, &table->rows[place->row], column, &conditions)) {
        return asked;
    }
    for (size_t i = 0; i < records->count; i++) {
        const CsvRecord *record = &records->records[i];
        if (step_record_matches(records, record, &conditions)) {
            const char *status = study_record_text(records, record, "status");
            const bool skipped = strcmp(status, "skip") == 0;
            const bool failed = strcmp(status, "fail") == 0;
            asked.skipped += skipped ? 1 : 0;
            asked.failed += failed ? 1 : 0;
            asked.measured += skipped || failed ? 0 : 1;
        }
    }
    free(conditions.items);
    return asked;
}

/* What is shown in place of a number: an error where there should have been one. */
static DocCell missing_words(const CellPlace *place) {
    const StepOutcome *outcome =
        study_column_outcome(place->result, place->table->table, column_of(place));
    const Asked asked = records_asked(place);
    if (asked.failed > 0 && asked.measured == 0) {
        return (DocCell){.text = "failed", .kind = CELL_BAD};
    }
    if (asked.measured > 0) {
        return (DocCell){.text = "no number", .kind = CELL_BAD};
    }
    if (asked.skipped == 0 && outcome != NULL && outcome->state != STEP_DONE) {
        static const DocCell cells[] = {
            [STEP_LEFT_OUT] = {.text = "left out", .kind = CELL_MISSING},
            [STEP_FAILED] = {.text = "step failed", .kind = CELL_BAD},
            [STEP_NOT_RUN] = {.text = "not reached", .kind = CELL_MISSING}};
        return cells[outcome->state];
    }
    const bool quick = asked.skipped == 0 &&
                       study_column_is_quick(place->result, place->table->table, column_of(place));
    return (DocCell){.text = quick ? "not with --quick" : "not run here", .kind = CELL_MISSING};
}

static DocCell add_missing_cell(const CellPlace *place, const StudyValue *value,
                                Document *document) {
    /* The reason is with what a ratio is computed of. */
    DocCell cell = column_of(place)->source == COLUMN_CSV
                       ? missing_words(place)
                       : (DocCell){.text = "—", .kind = CELL_MISSING};
    cell.number = NAN;
    cell.note = value->why[0] != '\0' ? document_text(document, "%s", value->why) : NULL;
    return cell;
}

bool study_cell_is_skipped(const CellPlace *place) {
    const Asked asked = records_asked(place);
    return asked.measured == 0 && asked.skipped > 0;
}

/* The cell's text is two or three words where the value was not measured; its note is the interval
 * and where the number is from, or the reason. */
static DocCell study_measured_cell(const CellPlace *place, Document *document) {
    const StudyValue *value = study_value(place->table, place->row, place->column);
    if (!isfinite(value->measured)) {
        return add_missing_cell(place, value, document);
    }
    const char *unit = column_of(place)->unit;
    char text[SIGNIFICANT_SIZE];
    study_number_text(value->measured, unit, text);
    const char *interval = interval_words(value, unit, document);
    const char *from = record_words(place, value->record, document);
    const char *note = from[0] != '\0' ? text_joined(document, interval, "; ", from) : interval;
    const bool best = study_time_is_best(place->result, place->table, place->row, place->column);
    return (DocCell){.text = document_text(document, "%s", text),
                     .number = value->measured,
                     .note = note != NULL && note[0] != '\0' ? note : NULL,
                     .kind = best ? CELL_STRONG : CELL_PLAIN};
}

/* As the paper prints it, with its machine and source as note; empty where it has none. */
static DocCell study_published_cell(const CellPlace *place, Document *document) {
    const StudyValue *value = study_value(place->table, place->row, place->column);
    if (value->printed == NULL) {
        return (DocCell){.number = NAN, .kind = CELL_FAINT};
    }
    const PublishedNumber *number =
        study_published_number(place->result, place->table, place->row, place->column);
    const char *note = NULL;
    if (number != NULL) {
        note = text_joined(document, number->source, ": ", number->machine);
    }
    return (DocCell){.text = value->printed,
                     .number = value->published,
                     .note = note != NULL && note[0] != '\0' ? note : NULL,
                     .kind = CELL_FAINT};
}

/* === Study sources ============================================================================ */

static bool has_times(const StudyTable *table) {
    for (size_t i = 0; i < table->column_count; i++) {
        if (unit_is_time(table->columns[i].unit)) {
            return true;
        }
    }
    return false;
}

/* How the paper took its times does not concern a table without any. */
static const char *convention_of(const StudyResult *result, const StudyTable *table) {
    if (table->convention != NULL || !has_times(table)) {
        return table->convention;
    }
    return result->study->convention;
}

static void add_samples(const StudyResult *result, const TableResult *table,
                        StudySources *sources) {
    for (size_t i = 0; i < table->table->row_count * table->table->column_count; i++) {
        const StudyColumn *column = &table->table->columns[i % table->table->column_count];
        const CsvFrame *records = study_column_records(result, table->table, column);
        const StudyValue *value = &table->values[i];
        const long samples = strtol(study_record_text(records, value->record, "samples"), NULL, 10);
        if (unit_is_time(column->unit) && isfinite(value->measured) && samples > 0) {
            sources->least =
                sources->least == 0 || samples < sources->least ? samples : sources->least;
            sources->most = samples > sources->most ? samples : sources->most;
        }
    }
}

void study_sources_add(const StudyResult *result, const TableResult *table, size_t column,
                       Document *document, StudySources *sources) {
    if (study_has_published(table, column)) {
        sources->published = true;
        tally_add(&sources->conventions, document, convention_of(result, table->table), NULL);
        study_published_machines(result, table, column, document, &sources->machines);
    }
    study_devices(result, table, column, document, &sources->devices);
    add_samples(result, table, sources);
}

/* "15 samples, on Processor P"; `unknown` where there is neither. */
static const char *words_on(const char *what, const char *machines, const char *unknown,
                            Document *document) {
    if (machines[0] == '\0') {
        return what[0] != '\0' ? what : unknown;
    }
    return text_joined(document, what, ", ", document_text(document, "on %s", machines));
}

static const char *published_words(const char *conventions, const char *machines,
                                   Document *document) {
    return machines[0] == '\0' ? text_joined(document, conventions, ", ", "machine not named")
                               : words_on(conventions, machines, "", document);
}

static const char *samples_words(const StudySources *sources, Document *document) {
    if (sources->most == 0) {
        return "";
    }
    return sources->least == sources->most
               ? document_text(document, "%ld samples each", sources->most)
               : document_text(document, "%ld to %ld samples", sources->least, sources->most);
}

const char *study_sources_words(const StudySources *sources, Document *document) {
    const char *conventions = tally_keys(&sources->conventions, document, "; ");
    const char *machines = tally_keys(&sources->machines, document, "; ");
    const char *devices = tally_keys(&sources->devices, document, "; ");
    const char *samples = samples_words(sources, document);
    if (document->failed) {
        return "";
    }
    const char *measured =
        document_text(document, "Measured: %s.", words_on(samples, devices, "nothing", document));
    return sources->published
               ? document_text(document, "Published: %s. %s",
                               published_words(conventions, machines, document), measured)
               : measured;
}

void study_sources_release(StudySources *sources) {
    tally_release(&sources->conventions);
    tally_release(&sources->machines);
    tally_release(&sources->devices);
}

/* === Study table note ========================================================================= */

enum { FEW_COLUMNS = 3 };

static const char *meaning_of(const char *csv) {
    size_t count;
    const CsvColumn *columns = csv_columns(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(columns[i].name, csv) == 0) {
            return columns[i].meaning;
        }
    }
    return "";
}

/* "kernel_ms_mean (kernel time, arithmetic mean)" */
static const char *csv_words(const StudyColumn *column, Document *document) {
    const char *meaning = meaning_of(column->csv);
    const char *text =
        meaning[0] != '\0'
            ? document_text(document, "%s%s (%s)", column->part != NULL ? "from the list " : "",
                            column->csv, meaning)
            : document_text(document, "“%s” in the step's file", column->csv);
    return text != NULL ? text : "";
}

/* "Time"; "Sort (sort)" where it is one number of a list. */
static const char *title_words(const StudyColumn *column, Document *document) {
    const char *title = text_listed(document, column->title);
    return column->part != NULL ? document_text(document, "%s (%s)", title, column->part) : title;
}

static const char *computed_words(const StudyColumn *column, Document *document) {
    const char *over = text_listed(document, column->over);
    if (column->source == COLUMN_RATIO) {
        return document_text(document, "%s ÷ %s", over, text_listed(document, column->under));
    }
    return document_text(document, "%s of %s ÷ %s of the row", over,
                         text_listed(document, column->base), over);
}

/* What each column shows, columns of one kind together. */
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
        words = text_joined(document, words, "; ", one);
    }
    tally_release(&kinds);
    return words;
}

const char *study_table_note(const StudyResult *result, const TableResult *table,
                             DifferencesShown shown, Document *document) {
    StudySources sources = {0};
    study_sources_add(result, table, SIZE_MAX, document, &sources);
    const char *before = sources.published     ? ""
                         : table->table->extra ? "The paper has no such table. "
                                               : "The paper prints no numbers of it. ";
    const char *words = study_sources_words(&sources, document);
    const char *columns = columns_words(table->table, document);
    const char *differences = sources.published ? study_differences(result, shown, document) : "";
    study_sources_release(&sources);
    if (document->failed) {
        return NULL;
    }
    return document_text(document, "%s%s %s.%s%s", before, words, columns,
                         differences[0] != '\0' ? " " : "", differences);
}

/* === Study tables ============================================================================= */

static const char *column_heading(const StudyColumn *column, Document *document) {
    const char *unit = study_unit_text(column->unit);
    return document_text(document, unit[0] != '\0' ? "%s (%s)" : "%s%s", column->title, unit);
}

typedef enum Side { SIDE_MEASURED, SIDE_PUBLISHED, SIDE_COUNT } Side;

/* A document's column: one side of one of the study's columns. */
typedef struct Shown {
    size_t column;
    Side side;
} Shown;

static bool is_shown(const TableResult *table, size_t column, Side side) {
    return side == SIDE_MEASURED || study_has_published(table, column);
}

/* The `index`-th column to show, in the table's order; false past the last. */
static bool shown_at(const TableResult *table, size_t index, Shown *shown) {
    const size_t columns = table->table->column_count;
    for (size_t i = 0; columns > 0 && i < columns * SIDE_COUNT; i++) {
        *shown = table->table->shaded ? (Shown){i % columns, i < columns ? 0 : 1}
                                      : (Shown){i / SIDE_COUNT, i % SIDE_COUNT};
        if (is_shown(table, shown->column, shown->side) && index-- == 0) {
            return true;
        }
    }
    return false;
}

static void add_columns(const TableResult *table, Document *document, DocTable *added) {
    static const char *const sides[SIDE_COUNT] = {"measured", "published"};
    const bool compares = study_has_published(table, SIZE_MAX);
    const bool by_side = table->table->shaded;
    table_column(document, added, &(DocColumn){.title = ""});
    Shown shown;
    for (size_t i = 0; shown_at(table, i, &shown); i++) {
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

static void add_row(const CellPlace *first, Document *document, DocTable *added) {
    Shown shown;
    table_words(document, added, first->table->table->rows[first->row].label);
    for (size_t i = 0; shown_at(first->table, i, &shown); i++) {
        CellPlace place = *first;
        place.column = shown.column;
        const DocCell cell = shown.side == SIDE_MEASURED ? study_measured_cell(&place, document)
                                                         : study_published_cell(&place, document);
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
        add_row(&(CellPlace){.result = result, .table = table, .row = row}, document, added);
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
