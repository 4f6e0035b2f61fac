/*
 * HTML: a document as one file that needs nothing else: style and script are within it, charts are
 * drawn in it as SVG (also without the script), each with its table behind it.
 */
#ifndef BENCH_HTML_H
#define BENCH_HTML_H

#include "document.h"

/* STATUS_FILE when it cannot be written, STATUS_FAIL when the document ran out of memory. */
Status html_write(const Document *document, const char *path);

#endif
