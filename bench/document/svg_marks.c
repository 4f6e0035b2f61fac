#include "svg_marks.h"

enum { COLOUR_COUNT = 10 };

/* Negative numbers, which nobody should give, are taken from the end. */
static unsigned wrapped(int colour, unsigned count) {
    return (unsigned)colour % count;
}

void svg_classes(FILE *stream, const ChartSeries *series) {
    static const char *const names[] = {[SERIES_MEASURED] = "measured",
                                        [SERIES_SECONDARY] = "secondary",
                                        [SERIES_PUBLISHED] = "published",
                                        [SERIES_CEILING] = "ceiling"};
    fprintf(stream, "c%u %s", wrapped(series->colour, COLOUR_COUNT), names[series->style]);
}

const char *svg_shape(const ChartSeries *series) {
    static const char *const closed[] = {
        "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",                         /* circle */
        "M-3.6-3.6h7.2v7.2h-7.2z",                                    /* square */
        "M0-4.8 4.6 3.4h-9.2z",                                       /* triangle */
        "M0-5.2 5.2 0 0 5.2-5.2 0z",                                  /* diamond */
        "M0 4.8 4.6-3.4h-9.2z",                                       /* triangle, its tip below */
        "M0-4.8 4.6-1.5 2.8 3.9h-5.6L-4.6-1.5z",                      /* pentagon */
        "M-4.8 0-2.4-4.2h4.8L4.8 0 2.4 4.2h-4.8z",                    /* hexagon */
        "M-1.7-4.6h3.4v2.9h2.9v3.4h-2.9v2.9h-3.4v-2.9h-2.9v-3.4h2.9z" /* plus with a body */
    };
    static const char *const crosses[] = {"M-4-4 4 4M4-4-4 4", "M-5 0H5M0-5V5",
                                          "M-4-4 4 4M4-4-4 4M0-5V5"};
    return series->style == SERIES_PUBLISHED
               ? crosses[wrapped(series->colour, sizeof crosses / sizeof crosses[0])]
               : closed[wrapped(series->colour, sizeof closed / sizeof closed[0])];
}

void svg_swatch(FILE *stream, const ChartSeries *series) {
    fputs("<svg class=\"swatch ", stream);
    svg_classes(stream, series);
    fputs("\" viewBox=\"0 0 32 14\" aria-hidden=\"true\"><path class=\"l\" d=\"M1 7H31\"/>"
          "<g class=\"p\" transform=\"translate(16 7)\"><path class=\"m\" d=\"",
          stream);
    fprintf(stream, "%s\"/></g></svg>", svg_shape(series));
}
