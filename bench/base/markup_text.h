/* Texts in languages of documents: HTML, SVG, XML, Markdown, roff, LaTeX. */

#ifndef BENCH_BASE_MARKUP_TEXT_H
#define BENCH_BASE_MARKUP_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* --- HTML, SVG and XML ------------------------------------------------------------------------ */

/* Writes a text for an element or attribute: markup becomes entities, line ends and tabs stay. NULL
 * writes nothing. */
void html_escape(FILE *stream, const char *text);

/* ` name="text"`, escaped. */
void html_attribute(FILE *stream, const char *name, const char *text);

/* --- Markdown --------------------------------------------------------------------------------- */

/* Writes a text without markup on one line: line ends become blanks, and characters that would
 * start a heading, a list or a quote are escaped. */
void markdown_text(FILE *stream, const char *text);

/* The same in a cell of a table: '|' is escaped and line ends become <br>. */
void markdown_cell_text(FILE *stream, const char *text);

/* Writes lines of code: between fences, or as HTML if they contain characters of markup. */
void markdown_code(FILE *stream, const char *text);

/* Writes the path of a file as the target of a link. */
void markdown_link_path(FILE *stream, const char *path);

/* --- Roff ------------------------------------------------------------------------------------- */

/* Writes a text in a line of a manual page. */
void roff_text(FILE *stream, const char *text);

/* Writes lines of whole words, the last with its line end; runs of white space become a blank. */
void roff_paragraph(FILE *stream, const char *text);

/* --- LaTeX -------------------------------------------------------------------------------- */

/*
 * Escapes a text for pdflatex. Letters of Latin-1 and Latin Extended-A are left as UTF-8, which
 * LaTeX reads since 2018 (some need the font encoding T1); other characters become commands that
 * need no package, and those for which there is none stand as their code: [U+4E2D].
 */
void latex_text(FILE *stream, const char *text);

/* The width of a text in a line, in characters. */
size_t latex_text_width(const char *text);

#endif
