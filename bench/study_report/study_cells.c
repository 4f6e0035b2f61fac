#include "study_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study_best.h"
#include "study_places.h"
#include "study_result_cells.h"
#include "study_tally.h"

enum { TIME_DIGITS = 4, RATIO_DIGITS = 3 };

static bool is_ratio(const char *unit) {
    return strcmp(unit, "x") == 0;
}

void study_number_text(double number, const char *unit, char text[SIGNIFICANT_SIZE]) {
    const bool plain = !study_unit_is_time(unit) && !is_ratio(unit);
    int digits = is_ratio(unit) ? RATIO_DIGITS : TIME_DIGITS;
    /* All digits before the point: 12834 is not told as 12830. */
    const int whole = fabs(number) >= 1 ? (int)log10(fabs(number)) + 1 : 1;
    if ((plain && number == floor(number)) || whole > digits) {
        digits = whole;
    }
    significant_text(number, digits, text);
}

const char *study_unit_text(const char *unit) {
    if (is_ratio(unit)) {
        return "×";
    }
    if (strcmp(unit, "us") == 0) {
        return "µs";
    }
    return strcmp(unit, "-") == 0 ? "" : unit;
}

static const StudyColumn *column_of(const CellPlace *place) {
    return &place->table->table->columns[place->column];
}

/* What a record says of itself, each with the words around it. */
static const char *record_words(const CellPlace *place, const CsvRecord *record,
                                Document *document) {
    static const struct {
        const char *key, *before, *after;
    } facts[] = {{"variant", "", ""},         {"answer", "", ""},
                 {"tuning", "", ""},          {"threads", "", " threads"},
                 {"samples", "", " samples"}, {"batch", "batches of ", ""}};
    const StepRecords *records =
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
    const StepRecords *records = study_column_records(place->result, table, column);
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

static DocCell missing_cell(const CellPlace *place, const StudyValue *value, Document *document) {
    /* What a ratio is computed of says why. */
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

DocCell study_measured_cell(const CellPlace *place, Document *document) {
    const StudyValue *value = study_value(place->table, place->row, place->column);
    if (!isfinite(value->measured)) {
        return missing_cell(place, value, document);
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

DocCell study_published_cell(const CellPlace *place, Document *document) {
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
