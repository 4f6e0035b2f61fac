#include "study_figures.h"
#include "study_machine.h"
#include "study_places.h"
#include "study_sources.h"
#include "study_tables.h"

/* "Drawn from Table 7 (Sequential, CUDA); Table 8 (CUDA)." */
static const char *drawn_words(const Tally *drawn, Document *document) {
    const char *words = "";
    for (size_t i = 0; i < drawn->count; i++) {
        const TallyItem *table = &drawn->items[i];
        words = text_joined(document, words, "; ",
                            document_text(document, "%s (%s)", table->key, table->with));
    }
    return document_text(document, "Drawn from %s.", words);
}

/* A table of the paper goes by its heading; one of ours may have none. */
static const char *name_of(const StudyTable *table, Document *document) {
    return table->extra ? text_listed(document, table->caption)
                        : study_heading_text(table->name, document);
}

const char *study_figure_note(const StudyResult *result, const StudyFigure *figure,
                              Document *document) {
    StudySources sources = {0};
    Tally drawn = {0};
    for (size_t i = 0; i < figure->line_count; i++) {
        const StudyLine *line = &figure->lines[i];
        const TableResult *table = study_table_result(result, line->table);
        if (table != NULL) {
            tally_add(&drawn, document, name_of(table->table, document),
                      text_listed(document, line->column));
            study_sources_add(result, table, study_column_index(table->table, line->column),
                              document, &sources);
        }
    }
    const char *words = text_joined(document, drawn_words(&drawn, document), " ",
                                    study_sources_words(&sources, document));
    if (sources.published) {
        words = text_joined(document, words, " ",
                            study_differences(result, DIFFERENCES_ELSEWHERE, document));
    }
    tally_release(&drawn);
    study_sources_release(&sources);
    return words;
}
