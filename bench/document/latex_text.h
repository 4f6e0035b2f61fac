/* Texts as pdflatex takes them: nothing in them is markup, and every character is something. */
#ifndef BENCH_LATEX_TEXT_H
#define BENCH_LATEX_TEXT_H

#include <stddef.h>
#include <stdio.h>

/*
 * Letters of Latin-1 and Latin Extended-A are left as UTF-8, which LaTeX reads since 2018 (some
 * need the font encoding T1); other characters become commands that need no package, and those for
 * which there is none stand as their code: [U+4E2D].
 */
void latex_text(FILE *stream, const char *text);

/* Characters, about what it takes of a line. */
size_t latex_text_width(const char *text);

#endif
