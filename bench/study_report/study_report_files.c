#include <string.h>

#include "atomic_file.h"
#include "document_files.h"
#include "html.h"
#include "markdown.h"
#include "study_report.h"
#include "study_tables.h"

/* <out>/<name>. */
static Status path_of(const StudyResult *result, const char *name,
                      char path[ATOMIC_FILE_PATH_SIZE]) {
    return snprintf(path, ATOMIC_FILE_PATH_SIZE, "%s/%s", result->settings->out, name) <
                   ATOMIC_FILE_PATH_SIZE
               ? status_ok()
               : status_make(STATUS_FILE, "%.64s…: the path is too long", path);
}

/* The tables of the study alone: those about machines and steps are the report's. */
static Status write_tables(const StudyResult *result) {
    char folder[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_of(result, "tables", folder));
    Document tables;
    document_open(&tables, result->study->title);
    for (size_t i = 0; i < result->study->table_count; i++) {
        study_table_add(result, &result->tables[i], DIFFERENCES_HERE, &tables);
    }
    const Status status =
        document_tables_write(&tables, folder, TABLE_CSV | TABLE_MARKDOWN | TABLE_LATEX);
    document_release(&tables);
    return status;
}

static Status write_document(const StudyResult *result, const Document *document) {
    STATUS_TRY(document_status(document));
    STATUS_TRY(write_tables(result));
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_of(result, "figures", path));
    /* Before the Markdown, which shows the pictures that are there. */
    const Status figures = document_figures_write(document, path);
    if (!document_only_lacks_pictures(&figures)) {
        return figures;
    }
    STATUS_TRY(path_of(result, "report.html", path));
    STATUS_TRY(html_write(document, path));
    STATUS_TRY(path_of(result, "report.md", path));
    STATUS_TRY(markdown_write(document, path, "figures"));
    return figures;
}

Status study_report_write(const StudyResult *result) {
    Document document;
    study_report_build(result, &document);
    const Status status = write_document(result, &document);
    document_release(&document);
    return status;
}
