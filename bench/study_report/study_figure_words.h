/* A figure in words, for those who cannot see it. */
#ifndef BENCH_STUDY_FIGURE_WORDS_H
#define BENCH_STUDY_FIGURE_WORDS_H

#include "document.h"

/* What is drawn over what, and each curve's least and greatest value with its place. */
const char *study_figure_words(const DocChart *chart, Document *document);

#endif
