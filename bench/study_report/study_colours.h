/* Colours of a study's curves. */
#ifndef BENCH_STUDY_COLOURS_H
#define BENCH_STUDY_COLOURS_H

#include "study.h"

/*
 * The colour of a line of one of the study's figures, from 0: lines of a name have the same one in
 * all figures, and lines of a figure have different ones, the first that are free. 0 without
 * memory.
 */
int study_line_colour(const Study *study, const StudyFigure *figure, size_t line);

#endif
