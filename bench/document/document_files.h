/* Every table and every chart of a document as files of their own. */
#ifndef BENCH_DOCUMENT_FILES_H
#define BENCH_DOCUMENT_FILES_H

#include "document.h"

typedef enum TableFormat { TABLE_CSV = 1, TABLE_MARKDOWN = 2, TABLE_LATEX = 4 } TableFormat;

/* Writes <folder>/<name>.csv, .md and .tex of each table, in the formats whose bits are set; with
 * TABLE_LATEX also all.tex, which inputs them all. Makes the folder. STATUS_FILE, or STATUS_FAIL
 * when the document ran out of memory. */
Status document_tables_write(const Document *document, const char *folder, unsigned formats);

/* Writes the files of figure_write for each chart. Makes the folder. STATUS_SKIP or
 * STATUS_INTERRUPTED with the first reason when all but pictures could be written. */
Status document_figures_write(const Document *document, const char *folder);
bool document_only_lacks_pictures(const Status *status);

#endif
