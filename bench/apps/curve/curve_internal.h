/* What this application and tests share. */

#ifndef BENCH_APPS_CURVE_CURVE_INTERNAL_H
#define BENCH_APPS_CURVE_CURVE_INTERNAL_H

#include <stddef.h>

#include "paths.h"
#include "status.h"

/* --- Curve files ------------------------------------------------------------------------------ */

/* Appends the file, or the `…-curve.csv` of a folder in the order of their names. STATUS_FILE when
 * a folder has none. */
Status path_list_add_curves(PathList *list, const char *path);

/* --- Curve set -------------------------------------------------------------------------------- */

/* Curves: lacunarity against box side, read from the files that --save writes. */

enum { CURVES_MAX = 32, CURVE_LABEL_SIZE = 128, CURVE_THRESHOLD_SIZE = 16, CURVE_TITLE_SIZE = 160 };

typedef struct LacunarityPoint {
    double box;        /* side in pixels */
    double lambda;     /* Λ */
    double normalised; /* Λ(box) / Λ(1); NAN where the file has none */
} LacunarityPoint;

/* One threshold of one file. */
typedef struct Curve {
    size_t file; /* in the list of paths */
    char threshold[CURVE_THRESHOLD_SIZE];
    char label[CURVE_LABEL_SIZE];
    size_t count, capacity;
    LacunarityPoint *points; /* owned; where Λ is defined, by box side */
} Curve;

typedef struct CurveSet {
    size_t count;
    Curve curves[CURVES_MAX];
    char title[CURVE_TITLE_SIZE]; /* what the names of all files have in common */
} CurveSet;

/*
 * Reads files with the columns box and lambda, and threshold and lambda_normalised where they have
 * them. Labels are the parts of the file names in which they differ, with the threshold where there
 * are several. STATUS_FILE when a file cannot be read, has other columns or no number where there
 * should be one; STATUS_USAGE when there are more than CURVES_MAX curves. Release with
 * curve_set_release, also after an error.
 */
Status curve_set_read(const PathList *paths, CurveSet *set);

void curve_set_release(CurveSet *set);

/* Sets the labels of all curves and the title, from the names of the set's files: at least one. */
void curve_labels_make(const PathList *paths, CurveSet *set);

/* Draws <folder>/<name>.svg and .png: Λ against the box side, both logarithmic, above log10 of the
 * normalised curve. STATUS_SKIP without gnuplot. */
Status curve_set_draw(const CurveSet *set, const char *folder, const char *name);

#endif
