/* A study's figures as charts of a document. */
#ifndef BENCH_STUDY_FIGURES_H
#define BENCH_STUDY_FIGURES_H

#include "document.h"
#include "study_result.h"

/*
 * Adds the chart of a figure: for each of its lines the measured points, and in the same colour the
 * published ones where the paper has numbers. A line of a name has the same colour in all figures
 * of the study, and times
 * are all in the unit of the figure's first line. NULL, with a paragraph in its place, when there
 * is no point to draw.
 */
DocChart *study_figure_add(const StudyResult *result, const StudyFigure *figure,
                           Document *document);

/* What must stand beside a figure: the tables it is drawn from, on which machines and how their
 * numbers were taken, the differences. */
const char *study_figure_note(const StudyResult *result, const StudyFigure *figure,
                              Document *document);

#endif
