/* Texts within HTML, SVG and other XML, in elements and attributes: shown as they were written. */
#ifndef BENCH_HTML_TEXT_H
#define BENCH_HTML_TEXT_H

#include <stdio.h>

/* Signs of markup become entities; line ends and tabs stay. NULL: nothing. */
void html_escape(FILE *stream, const char *text);

/* ` name="text"`, escaped. */
void html_attribute(FILE *stream, const char *name, const char *text);

#endif
