/* Where values lie in a chart's drawing, and which of them its axes name. */
#ifndef BENCH_SVG_SCALE_H
#define BENCH_SVG_SCALE_H

#include "document.h"

/* The drawing and the area of the points in it, in units of the viewBox. */
enum {
    SVG_WIDTH = 640,
    SVG_HEIGHT = 400,
    SVG_PLOT_LEFT = 72,
    SVG_PLOT_RIGHT = 624,
    SVG_PLOT_TOP = 36,
    SVG_PLOT_BOTTOM = 336
};

typedef struct SvgScale {
    bool log;
    double low, high;  /* the range shown; of the decimal logarithm when `log` */
    double start, end; /* where they lie */
} SvgScale;

enum { SVG_TICKS_MAX = 128, SVG_TICK_SIZE = 48 };

typedef struct SvgTick {
    double value;
    char label[SVG_TICK_SIZE]; /* empty: a minor tick, or one without room for its name */
    bool minor;
    bool roomy; /* the name fits only where the drawing is shown large */
} SvgTick;

/* The scale that shows every point of the chart, the ends of intervals and the reference. False
 * when there is nothing to show. */
bool svg_scale_x(const DocChart *chart, SvgScale *scale);
bool svg_scale_y(const DocChart *chart, SvgScale *scale);

/* Whether the value can be shown: a number, and more than 0 on a logarithmic scale. */
bool svg_scale_shows(const SvgScale *scale, double value);
/* Whether both coordinates of a point can. */
bool svg_scale_shows_point(const SvgScale *x, const SvgScale *y, const ChartPoint *point);
double svg_scale_at(const SvgScale *scale, double value);

/* 1, 2 or 5 times a power of ten: about a fifth of the range. */
double svg_round_step(double range);

#endif
