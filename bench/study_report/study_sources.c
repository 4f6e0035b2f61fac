#include "study_sources.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "study_best.h"
#include "study_machine.h"
#include "study_places.h"

static bool has_times(const StudyTable *table) {
    for (size_t i = 0; i < table->column_count; i++) {
        if (study_unit_is_time(table->columns[i].unit)) {
            return true;
        }
    }
    return false;
}

/* How the paper took its times says nothing about a table without any. */
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
        const StepRecords *records = study_column_records(result, table->table, column);
        const StudyValue *value = &table->values[i];
        const long samples = strtol(study_record_text(records, value->record, "samples"), NULL, 10);
        if (study_unit_is_time(column->unit) && isfinite(value->measured) && samples > 0) {
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
