#include "study_report.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "study_course.h"
#include "study_figures.h"
#include "study_machine.h"
#include "study_places.h"
#include "study_tables.h"
#include "study_words.h"

/* Numbers of the paper's tables. */
typedef struct NumberCounts {
    size_t tables; /* those of the paper */
    size_t published, both,
        measured; /* printed; of these measured here; measured, printed or not */
} NumberCounts;

static NumberCounts count_numbers(const StudyResult *result) {
    NumberCounts counts = {0};
    for (size_t t = 0; t < result->study->table_count; t++) {
        const TableResult *table = &result->tables[t];
        if (table->table->extra) {
            continue;
        }
        counts.tables++;
        for (size_t i = 0; i < table->table->row_count * table->table->column_count; i++) {
            const bool published = isfinite(table->values[i].published);
            const bool measured = isfinite(table->values[i].measured);
            counts.published += published ? 1 : 0;
            counts.measured += measured ? 1 : 0;
            counts.both += published && measured ? 1 : 0;
        }
    }
    return counts;
}

static const char *plural(size_t count, const char *one, const char *many) {
    return count == 1 ? one : many;
}

/* How many of the published numbers were measured. */
static const char *both_words(const NumberCounts *counts, Document *document) {
    if (counts->both == counts->published) {
        return counts->both == 1 ? "this one" : "all of these";
    }
    return counts->both == 0 ? "none of these"
                             : document_text(document, "%zu of these", counts->both);
}

static void add_summary(const StudyResult *result, Document *document) {
    const NumberCounts counts = count_numbers(result);
    const char *machine = study_machine_words(result, document);
    const size_t besides = counts.measured - counts.both;
    const char *tables = document_text(document, "%zu %s of the paper", counts.tables,
                                       plural(counts.tables, "table", "tables"));
    if (counts.published > 0) {
        tables = document_text(
            document,
            "%s with %zu published %s. Measured here: %s, and %zu %s besides that "
            "the paper does not print.",
            tables, counts.published, plural(counts.published, "number", "numbers"),
            both_words(&counts, document), besides, plural(besides, "number", "numbers"));
    } else {
        tables = document_text(document,
                               "%s, which prints no numbers of them; %zu were measured "
                               "here.",
                               tables, besides);
    }
    document_add(document, BLOCK_PARAGRAPH, "%s Measured on: %s.", tables,
                 machine[0] != '\0' ? machine : "nothing, no step left a file");
}

static bool is_drawn(const StudyFigure *figure, const StudyTable *table) {
    for (size_t i = 0; i < figure->line_count; i++) {
        if (strcmp(figure->lines[i].table, table->name) == 0) {
            return true;
        }
    }
    return false;
}

/* The first figure that draws a table; SIZE_MAX when none does. */
static size_t figure_of(const Study *study, const StudyTable *table) {
    for (size_t i = 0; i < study->figure_count; i++) {
        if (is_drawn(&study->figures[i], table)) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* A table that is there for its figure stands with it. */
static bool stands_with_figure(const Study *study, const StudyTable *table) {
    return table->extra && figure_of(study, table) != SIZE_MAX;
}

static void add_tables(const StudyResult *result, Document *document) {
    bool any = false;
    for (size_t i = 0; i < result->study->table_count; i++) {
        const TableResult *table = &result->tables[i];
        if (stands_with_figure(result->study, table->table)) {
            continue;
        }
        if (!any) {
            document_heading(document, 2, "Tables");
            any = true;
        }
        document_heading(document, 3, study_heading_text(table->table->name, document));
        study_table_add(result, table, DIFFERENCES_ELSEWHERE, document);
        study_words_add(document, table);
    }
}

static void add_figure_tables(const StudyResult *result, size_t figure, Document *document) {
    for (size_t i = 0; i < result->study->table_count; i++) {
        const TableResult *table = &result->tables[i];
        if (table->table->extra && figure_of(result->study, table->table) == figure) {
            DocTable *added = study_table_add(result, table, DIFFERENCES_ELSEWHERE, document);
            if (added != NULL) {
                added->collapsed = true;
            }
            study_words_add(document, table);
        }
    }
}

static void add_figures(const StudyResult *result, Document *document) {
    if (result->study->figure_count > 0) {
        document_heading(document, 2, "Figures");
    }
    for (size_t i = 0; i < result->study->figure_count; i++) {
        const StudyFigure *figure = &result->study->figures[i];
        document_heading(document, 3, study_heading_text(figure->name, document));
        if (study_figure_add(result, figure, document) != NULL) {
            document_add(document, BLOCK_PARAGRAPH, "%s",
                         study_figure_note(result, figure, document));
        }
        add_figure_tables(result, i, document);
    }
}

void study_report_build(const StudyResult *result, Document *document) {
    const Study *study = result->study;
    char title[512];
    snprintf(title, sizeof title, "%s: measured again", study->title);
    document_open(document, title);
    if (study->citation != NULL) {
        document_add(document, BLOCK_PARAGRAPH, "%s", study->citation);
    }
    for (size_t i = 0; i < study->about.count; i++) {
        document_add(document, BLOCK_PARAGRAPH, "%s", study->about.items[i]);
    }
    add_summary(result, document);
    study_warnings_add(result, document);
    study_comparison_add(result, document);
    add_tables(result, document);
    add_figures(result, document);
    study_course_add(result, document);
    study_build_add(result, document);
}
