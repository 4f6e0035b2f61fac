/*
 * Sampling: which pieces of a picture are classified.
 *
 * Without `crop` the picture is the only sample. With it, cells of equal size that do not overlap
 * are laid over the picture from its first pixel on, row by row; what is left at the right and at
 * the bottom is not used. Each cell gives one sample of crop × crop pixels, or one for each angle:
 * the square turned about a point near the cell's centre, values between pixels by bilinear
 * interpolation, rounded to nearest. The cell is the smallest that holds every pixel that any of
 * its samples reads, so samples of different cells share no pixel and none has a border inside.
 *
 * Angles are in degrees. The square turns clockwise as seen on a screen (x to the right, y down),
 * so what it shows turns the other way.
 *
 * Interpolation blurs, and how much depends on where between the pixels a value lies: in whole
 * pixels it changes nothing, at half pixels it averages. A crop at 0° has one such phase all over,
 * a turned one has all of them. Texture descriptors see the difference in blur more than that of
 * the textures, so that a model made at 0° without blur fails at other angles. Therefore crops at
 * multiples of 90° are taken off the whole pixels too, by a fraction f in x and in y at which white
 * noise loses as much as it does on average over all phases: the variance that is left is
 * (f² + (1−f)²)² at phase f, and (2/3)² on average, so f = (1 − 1/√3) / 2.
 */
#ifndef BENCH_SAMPLING_H
#define BENCH_SAMPLING_H

#include <stddef.h>
#include <stdint.h>

#include "image.h"

#define SAMPLING_PHASE 0.21132486540518711775

enum { SAMPLING_ANGLES_MAX = 64 };

typedef struct Sampling {
    int32_t crop;                       /* side of a sample in pixels; 0: whole pictures */
    size_t angle_count;                 /* 0: crops are not turned and lie on whole pixels */
    double angles[SAMPLING_ANGLES_MAX]; /* degrees */
} Sampling;

/* The cells of one picture. */
typedef struct CellGrid {
    int32_t width, height; /* of a cell, in pixels */
    int32_t columns, rows; /* 0 where the picture is smaller than a cell */
    double centre; /* of the samples, from the middle of the cell's first pixel, in x and y */
} CellGrid;

CellGrid sampling_cells(const Sampling *sampling, int32_t width, int32_t height);

/* Samples of one cell. */
size_t sampling_per_cell(const Sampling *sampling);

/*
 * Sample `index` of cell `cell` (row by row). `buffer` has room for crop × crop bytes, which are
 * used when there are angles. The sample's pixels lie in the picture or in the buffer, and belong
 * to their owner.
 */
Image sampling_cut(const Sampling *sampling, const CellGrid *grid, const Image *picture,
                   size_t cell, size_t index, uint8_t *buffer);

/* The square of `side` × `side` values round (x, y), turned by `degrees`, to dense rows in
 * `values`. Turns by multiples of 90° are exact. Every pixel that is needed must be in the picture.
 */
void turn_square(const Image *picture, double x, double y, double degrees, int32_t side,
                 uint8_t *values);

#endif
