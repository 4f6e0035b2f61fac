/* LaTeX: tables with the rules of the package booktabs. */
#ifndef BENCH_LATEX_H
#define BENCH_LATEX_H

#include "document.h"

/* One table as a `table` environment with caption and label "tab:<name>", to be \input. Everything
 * that is not ASCII is written so that pdflatex takes it. STATUS_FILE when it cannot be written. */
Status latex_table_write(const DocTable *table, const char *path);
/* A document that inputs every table of `document` from the folder of `path`; pdflatex turns it
 * into a PDF as it is. */
Status latex_tables_write(const Document *document, const char *path);

#endif
