/* A document's charts and tables as files. */

#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "table.h"

#include <stdbool.h>
#include <stddef.h>

#include "files.h"
#include "paths.h"
#include "status.h"

/* === Table csv ================================================================================ */

Status table_csv_write(const DocTable *table, const char *path) {
    AtomicFile file;
    STATUS_TRY(atomic_file_open(&file, path));
    table_print_csv(file.stream, table);
    return atomic_file_commit(&file);
}

/* === Document files =========================================================================== */

/* <folder>/<name><suffix>, with its folder made. */
static Status file_path(const char *folder, const char *name, const char *suffix,
                        char path[ATOMIC_FILE_PATH_SIZE]) {
    STATUS_TRY(path_make(path, ATOMIC_FILE_PATH_SIZE, "%s/%s%s", folder, name, suffix));
    return folder_make_for(path);
}

typedef struct TableWriter {
    TableFormat format;
    const char *suffix;
    Status (*write)(const DocTable *table, const char *path);
} TableWriter;

/* mm: the narrowest column of a paper. */
static const double narrow_column = 84.7;

static double points_of(double width) {
    return width * 72.27 / 25.4;
}

/* What fits a paper's column is written so that it needs no scaling there. */
static Status write_latex(const DocTable *table, const char *path) {
    const double points = points_of(narrow_column);
    return latex_table_fits(table, points) ? latex_column_table_write(table, path, points)
                                           : latex_table_write(table, path);
}

static Status write_table(const DocTable *table, const char *folder, unsigned formats) {
    static const TableWriter writers[] = {{TABLE_CSV, ".csv", table_csv_write},
                                          {TABLE_MARKDOWN, ".md", markdown_table_write},
                                          {TABLE_LATEX, ".tex", write_latex}};
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        if ((formats & writers[i].format) != 0) {
            char path[ATOMIC_FILE_PATH_SIZE];
            STATUS_TRY(file_path(folder, table->name, writers[i].suffix, path));
            STATUS_TRY(writers[i].write(table, path));
        }
    }
    return status_ok();
}

Status document_tables_write(const Document *document, const char *folder, unsigned formats) {
    STATUS_TRY(document_status(document));
    for (size_t i = 0; i < document->count; i++) {
        if (document->blocks[i].kind == BLOCK_TABLE) {
            STATUS_TRY(write_table(document->blocks[i].table, folder, formats));
        }
    }
    if ((formats & TABLE_LATEX) == 0) {
        return status_ok();
    }
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(file_path(folder, "all", ".tex", path));
    return latex_tables_write(document, path);
}

Status document_column_tables_write(const Document *document, const char *folder, double width,
                                    size_t *left_out) {
    const double points = points_of(width);
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(document_status(document));
    STATUS_TRY(folder_make(folder));
    *left_out = 0;
    for (size_t i = 0; i < document->count; i++) {
        const Block *block = &document->blocks[i];
        if (block->kind != BLOCK_TABLE) {
            continue;
        }
        if (!latex_table_fits(block->table, points)) {
            ++*left_out;
            continue;
        }
        STATUS_TRY(file_path(folder, block->table->name, ".tex", path));
        STATUS_TRY(latex_column_table_write(block->table, path, points));
    }
    STATUS_TRY(file_path(folder, "all", ".tex", path));
    return latex_column_tables_write(document, path, points);
}

Status document_figures_write(const Document *document, const char *folder) {
    STATUS_TRY(document_status(document));
    Status lacking = status_ok();
    for (size_t i = 0; i < document->count; i++) {
        if (document->blocks[i].kind != BLOCK_CHART) {
            continue;
        }
        char path[ATOMIC_FILE_PATH_SIZE];
        STATUS_TRY(file_path(folder, document->blocks[i].chart->name, ".csv", path));
        const Status status = chart_write(document->blocks[i].chart, folder);
        if (!document_only_lacks_images(&status)) {
            return status;
        }
        STATUS_THEN(lacking, status);
    }
    return lacking;
}

bool document_only_lacks_images(const Status *status) {
    return status_is_ok(status) || status->code == STATUS_SKIP ||
           status->code == STATUS_INTERRUPTED;
}
