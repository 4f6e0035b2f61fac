/* Texts within Markdown: nothing in them is markup. */
#ifndef BENCH_MARKDOWN_TEXT_H
#define BENCH_MARKDOWN_TEXT_H

#include <stdio.h>

/* One line of text. Line ends become blanks; what would begin a heading, a list or a quote at the
 * start of a line does not. */
void markdown_text(FILE *stream, const char *text);
/* In a cell of a table: without '|' and with <br> for line ends. */
void markdown_cell_text(FILE *stream, const char *text);
/* Lines of code: between fences, or as HTML where they hold what may be taken for markup. */
void markdown_code(FILE *stream, const char *text);
/* The path of a file as the target of a link. */
void markdown_link_path(FILE *stream, const char *path);

#endif
