/* GitHub-flavoured Markdown. */
#ifndef BENCH_MARKDOWN_H
#define BENCH_MARKDOWN_H

#include "document.h"

/*
 * A whole document. A chart is shown as the picture `figures`/<name>.svg, relative to the file, if
 * that exists, and as its table otherwise; `figures` may be NULL. STATUS_FILE when the file cannot
 * be written.
 */
Status markdown_write(const Document *document, const char *path, const char *figures);
/* One table with its caption and note. */
Status markdown_table_write(const DocTable *table, const char *path);

#endif
