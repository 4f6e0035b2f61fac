#include "svg_scale.h"

#include <math.h>

double svg_round_step(double range) {
    const double rough = range / 5;
    const double power = pow(10, floor(log10(rough)));
    const double times = rough / power;
    return power * (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10);
}

bool svg_scale_shows(const SvgScale *scale, double value) {
    return isfinite(value) && (!scale->log || value > 0);
}

bool svg_scale_shows_point(const SvgScale *x, const SvgScale *y, const ChartPoint *point) {
    return svg_scale_shows(x, point->x) && svg_scale_shows(y, point->y);
}

static double on_scale(const SvgScale *scale, double value) {
    return scale->log ? log10(value) : value;
}

double svg_scale_at(const SvgScale *scale, double value) {
    const double share = (on_scale(scale, value) - scale->low) / (scale->high - scale->low);
    return scale->start + share * (scale->end - scale->start);
}

static void take(SvgScale *scale, double value) {
    if (svg_scale_shows(scale, value)) {
        scale->low = fmin(scale->low, on_scale(scale, value));
        scale->high = fmax(scale->high, on_scale(scale, value));
    }
}

/* A range of its own for a single value. */
static void widen(SvgScale *scale) {
    if (scale->high > scale->low) {
        return;
    }
    const double half = scale->log ? log10(2) : scale->low != 0 ? fabs(scale->low) / 2 : 1;
    scale->low -= half;
    scale->high += half;
}

/* Space at both ends, so that no point lies on the frame; none below 0 for what is never below. */
static void add_space(SvgScale *scale) {
    const double space = 0.05 * (scale->high - scale->low);
    scale->low = !scale->log && scale->low >= 0 ? fmax(0, scale->low - space) : scale->low - space;
    scale->high += space;
}

bool svg_scale_x(const DocChart *chart, SvgScale *scale) {
    *scale = (SvgScale){.log = chart->x.log,
                        .low = INFINITY,
                        .high = -INFINITY,
                        .start = SVG_PLOT_LEFT,
                        .end = SVG_PLOT_RIGHT};
    const SvgScale y = {.log = chart->y.log};
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        for (size_t j = 0; j < series->count; j++) {
            if (svg_scale_shows(&y, series->points[j].y)) {
                take(scale, series->points[j].x);
            }
        }
    }
    if (!(scale->low <= scale->high)) {
        return false;
    }
    widen(scale);
    add_space(scale);
    return true;
}

/* From round number to round number, and from 0 when that takes at most as much again. */
static void round_ends(SvgScale *scale) {
    if (scale->low > 0 && scale->low < scale->high / 2) {
        scale->low = 0;
    }
    if (scale->high < 0 && scale->high > scale->low / 2) {
        scale->high = 0;
    }
    const double step = svg_round_step(scale->high - scale->low);
    scale->low = floor(scale->low / step + 1e-9) * step;
    scale->high = ceil(scale->high / step - 1e-9) * step;
}

bool svg_scale_y(const DocChart *chart, SvgScale *scale) {
    *scale = (SvgScale){.log = chart->y.log,
                        .low = INFINITY,
                        .high = -INFINITY,
                        .start = SVG_PLOT_BOTTOM,
                        .end = SVG_PLOT_TOP};
    const SvgScale x = {.log = chart->x.log};
    for (size_t i = 0; i < chart->count; i++) {
        const ChartSeries *series = &chart->series[i];
        for (size_t j = 0; j < series->count; j++) {
            const ChartPoint *point = &series->points[j];
            if (svg_scale_shows_point(&x, scale, point)) {
                take(scale, point->y);
                take(scale, point->low);
                take(scale, point->high);
            }
        }
    }
    if (!(scale->low <= scale->high)) {
        return false;
    }
    take(scale, chart->reference);
    widen(scale);
    if (scale->log) {
        add_space(scale);
    } else {
        round_ends(scale);
    }
    return true;
}
