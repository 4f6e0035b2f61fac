/* What a chart says about its points, for tooltips and for those who hear it. */
#ifndef BENCH_SVG_WORDS_H
#define BENCH_SVG_WORDS_H

#include "svg_scale.h"

enum { SVG_UNIT_SIZE = 16, SVG_WORDS_SIZE = SVG_TICK_SIZE + SVG_UNIT_SIZE };

typedef struct SvgPointWords {
    char x_number[SVG_WORDS_SIZE];
    const char *x;              /* what x is called: the point's or the axis's words, or x_number */
    char value[SVG_WORDS_SIZE]; /* "0.0071 ms": the unit is what the axis's title ends in, "(ms)" */
    char interval[2 * SVG_TICK_SIZE + 8]; /* "0.0070 to 0.0073"; empty: none */
} SvgPointWords;

/* A value in a sentence: so many significant digits, and all of the whole part. */
void svg_value_text(double number, int digits, char text[SVG_TICK_SIZE]);

/* Good as long as the chart and the words are. */
void svg_point_words(const DocChart *chart, const ChartPoint *point, SvgPointWords *words);

/* "cuda_fast, 4K: 0.0071 ms (0.0070 to 0.0073)", escaped. */
void svg_point_sentence(FILE *stream, const ChartSeries *series, const SvgPointWords *words);

#endif
