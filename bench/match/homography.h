/* Homography: the map between two pictures of one plane. */
#ifndef BENCH_HOMOGRAPHY_H
#define BENCH_HOMOGRAPHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

/* A place in picture A and the one in picture B that shows the same; pixels. */
typedef struct Correspondence {
    double xa, ya, xb, yb;
} Correspondence;

/* A 3×3 matrix h, row by row, that takes (x, y) of A to ((h0 x + h1 y + h2) / w,
 * (h3 x + h4 y + h5) / w) of B, w = h6 x + h7 y + h8. */
typedef struct Homography {
    double h[9];
} Homography;

enum { HOMOGRAPHY_POINTS = 4 }; /* correspondences that determine one */

/* Where a place of A lies in B; false when that is at infinity. */
bool homography_map(const Homography *homography, double x, double y, double mapped[2]);

/* Pixels of B between where the place of A is mapped to and that of B; INFINITY where there is no
 * such distance. */
double homography_error(const Homography *homography, const Correspondence *place);

/* The least-squares solution of the linear equations of at least HOMOGRAPHY_POINTS correspondences,
 * after both sets are moved and scaled to mean 0 and mean distance √2 (R. Hartley, "In defence of
 * the eight-point algorithm", 1997); exact for four. False when they do not determine one. */
bool homography_fit(const Correspondence *places, size_t count, Homography *homography);

/* Mean distance in B of where two of them take the corners of a picture A; pixels, or INFINITY. */
double homography_corner_error(const Homography *one, const Homography *other, int32_t width,
                               int32_t height);

/* Reads three lines of three numbers; empty lines and those that begin with '#' are passed over.
 * STATUS_FILE naming file and line. */
Status homography_read(const char *path, Homography *homography);

#endif
