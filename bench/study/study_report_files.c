#include <string.h>

#include "atomic_file.h"
#include "cache_folder.h"
#include "figure_files.h"
#include "html.h"
#include "latex.h"
#include "markdown.h"
#include "study_report.h"
#include "study_tables.h"
#include "table_csv.h"

/* <out>/<folder>/<name><suffix>, with its folder made. */
static Status file_path(const StudyResult *result, const char *folder, const char *name,
                        const char *suffix, char path[ATOMIC_FILE_PATH_SIZE]) {
    if (snprintf(path, ATOMIC_FILE_PATH_SIZE, "%s/%s%s%s", result->settings->out, folder, name,
                 suffix) >= ATOMIC_FILE_PATH_SIZE) {
        return status_make(STATUS_FILE, "%.64s…: the path is too long", path);
    }
    return cache_folder_make(path);
}

static Status write_table(const StudyResult *result, const DocTable *table) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(file_path(result, "tables/", table->name, ".csv", path));
    STATUS_TRY(table_csv_write(table, path));
    STATUS_TRY(file_path(result, "tables/", table->name, ".md", path));
    STATUS_TRY(markdown_table_write(table, path));
    STATUS_TRY(file_path(result, "tables/", table->name, ".tex", path));
    return latex_table_write(table, path);
}

static Status write_document_tables(const StudyResult *result, const Document *tables) {
    STATUS_TRY(document_status(tables));
    for (size_t i = 0; i < tables->count; i++) {
        if (tables->blocks[i].kind == BLOCK_TABLE) {
            STATUS_TRY(write_table(result, tables->blocks[i].table));
        }
    }
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(file_path(result, "tables/", "all", ".tex", path));
    return latex_tables_write(tables, path);
}

/* The tables of the study alone: those about machines and steps are the report's. */
static Status write_tables(const StudyResult *result) {
    Document tables;
    document_open(&tables, result->study->title);
    for (size_t i = 0; i < result->study->table_count; i++) {
        study_table_add(result, &result->tables[i], DIFFERENCES_HERE, &tables);
    }
    const Status status = write_document_tables(result, &tables);
    document_release(&tables);
    return status;
}

/* STATUS_SKIP with the first reason when pictures could not be made of all figures. */
static Status write_figures(const StudyResult *result, const Document *document) {
    Status skipped = status_ok();
    char folder[ATOMIC_FILE_PATH_SIZE], file[ATOMIC_FILE_PATH_SIZE];
    for (size_t i = 0; i < document->count; i++) {
        if (document->blocks[i].kind != BLOCK_CHART) {
            continue;
        }
        const DocChart *chart = document->blocks[i].chart;
        STATUS_TRY(file_path(result, "figures/", chart->name, ".csv", file));
        STATUS_TRY(file_path(result, "figures", "", "", folder));
        const Status status = figure_write(chart, folder);
        if (status.code == STATUS_SKIP) {
            skipped = status_is_ok(&skipped) ? status : skipped;
        } else {
            STATUS_TRY(status);
        }
    }
    return skipped;
}

static Status write_document(const StudyResult *result, const Document *document) {
    STATUS_TRY(document_status(document));
    STATUS_TRY(write_tables(result));
    /* Before the Markdown, which shows the pictures that are there. */
    const Status figures = write_figures(result, document);
    if (figures.code != STATUS_SKIP) {
        STATUS_TRY(figures);
    }
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(file_path(result, "", "report", ".html", path));
    STATUS_TRY(html_write(document, path));
    STATUS_TRY(file_path(result, "", "report", ".md", path));
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
