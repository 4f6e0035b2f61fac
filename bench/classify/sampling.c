#include "sampling.h"

#include <math.h>

static const double degrees_in_turn = 360.0;
static const double radians_in_degree = 3.14159265358979323846 / 180.0;

/* More than the rounding errors of positions, which are below 2^20 pixels. */
static const double position_slack = 1e-6;

typedef struct Turn {
    double cosine, sine;
} Turn;

static Turn turn_of(double degrees) {
    const double angle = fmod(fmod(degrees, degrees_in_turn) + degrees_in_turn, degrees_in_turn);
    static const Turn quarters[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
    if (fmod(angle, 90.0) == 0.0) {
        return quarters[(int)(angle / 90.0)];
    }
    return (Turn){cos(angle * radians_in_degree), sin(angle * radians_in_degree)};
}

/* Furthest that a sample's values lie from its centre, in x or in y, over all angles. */
static double reach_of(const Sampling *sampling) {
    const double half = (sampling->crop - 1) / 2.0;
    double widest = 1.0;
    for (size_t i = 0; i < sampling->angle_count; i++) {
        const Turn turn = turn_of(sampling->angles[i]);
        const double width = fabs(turn.cosine) + fabs(turn.sine);
        widest = width > widest ? width : widest;
    }
    return widest > 1.0 ? half * widest + position_slack : half;
}

/* Bilinear interpolation at x reads the pixels floor(x) and floor(x) + 1. */
static CellGrid turned_cell(const Sampling *sampling) {
    const double half = (sampling->crop - 1) / 2.0;
    const double reach = reach_of(sampling);
    const double centre = ceil(reach - half - SAMPLING_PHASE) + half + SAMPLING_PHASE;
    const int32_t side = (int32_t)floor(centre + reach) + 2;
    return (CellGrid){.width = side, .height = side, .centre = centre};
}

CellGrid sampling_cells(const Sampling *sampling, int32_t width, int32_t height) {
    CellGrid grid = {.width = width, .height = height};
    if (sampling->angle_count > 0) {
        grid = turned_cell(sampling);
    } else if (sampling->crop > 0) {
        grid = (CellGrid){.width = sampling->crop,
                          .height = sampling->crop,
                          .centre = (sampling->crop - 1) / 2.0};
    }
    grid.columns = width / grid.width;
    grid.rows = height / grid.height;
    return grid;
}

size_t sampling_per_cell(const Sampling *sampling) {
    return sampling->angle_count > 0 ? sampling->angle_count : 1;
}

static double between(double from, double to, double share) {
    return from + (to - from) * share;
}

/* On a whole row or column there may be no next one to read. */
static uint8_t value_at(const Image *picture, double x, double y) {
    const int32_t left = (int32_t)floor(x);
    const int32_t top = (int32_t)floor(y);
    const double across = x - left;
    const double down = y - top;
    const int32_t right = across > 0 ? left + 1 : left;
    const int32_t bottom = down > 0 ? top + 1 : top;
    const uint8_t *upper = image_row(picture, top);
    const uint8_t *lower = image_row(picture, bottom);
    const double value = between(between(upper[left], upper[right], across),
                                 between(lower[left], lower[right], across), down);
    return (uint8_t)(value + 0.5);
}

void turn_square(const Image *picture, double x, double y, double degrees, int32_t side,
                 uint8_t *values) {
    const Turn turn = turn_of(degrees);
    const double half = (side - 1) / 2.0;
    for (int32_t j = 0; j < side; j++) {
        const double v = j - half;
        for (int32_t i = 0; i < side; i++) {
            const double u = i - half;
            values[(size_t)j * (size_t)side + (size_t)i] = value_at(
                picture, x + u * turn.cosine - v * turn.sine, y + u * turn.sine + v * turn.cosine);
        }
    }
}

Image sampling_cut(const Sampling *sampling, const CellGrid *grid, const Image *picture,
                   size_t cell, size_t index, uint8_t *buffer) {
    const size_t columns = (size_t)grid->columns;
    const int32_t left = (int32_t)(cell % columns) * grid->width;
    const int32_t top = (int32_t)(cell / columns) * grid->height;
    if (sampling->angle_count == 0) {
        return (Image){.width = grid->width,
                       .height = grid->height,
                       .stride = picture->stride,
                       .pixels = picture->pixels + (size_t)top * picture->stride + left};
    }
    turn_square(picture, left + grid->centre, top + grid->centre, sampling->angles[index],
                sampling->crop, buffer);
    return (Image){.width = sampling->crop,
                   .height = sampling->crop,
                   .stride = (size_t)sampling->crop,
                   .pixels = buffer};
}
