#include <stdint.h>
#include <string.h>

#include "csv_columns.h"
#include "study_machine.h"
#include "study_sources.h"
#include "study_tables.h"
#include "study_tally.h"

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

/* What each column shows, columns of one kind told together. */
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
                             DifferencesTold told, Document *document) {
    StudySources sources = {0};
    study_sources_add(result, table, SIZE_MAX, document, &sources);
    const char *before = sources.published     ? ""
                         : table->table->extra ? "The paper has no such table. "
                                               : "The paper prints no numbers of it. ";
    const char *words = study_sources_words(&sources, document);
    const char *columns = columns_words(table->table, document);
    const char *differences = sources.published ? study_differences(result, told, document) : "";
    study_sources_release(&sources);
    if (document->failed) {
        return NULL;
    }
    return document_text(document, "%s%s %s.%s%s", before, words, columns,
                         differences[0] != '\0' ? " " : "", differences);
}
