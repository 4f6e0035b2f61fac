/* What the application `descriptors` shares with this one: its methods, and homographies in files.
 */

#ifndef BENCH_APPS_MATCH_IMAGES_MATCH_IMAGES_H
#define BENCH_APPS_MATCH_IMAGES_MATCH_IMAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

/* What describes keypoints, and how two descriptors are compared. */
typedef struct MethodFacts {
    const char *name;
    const char *algorithm;
    const char *bits; /* NULL: 256 or 512, as is asked for */
    bool euclidean;   /* distances; else bits that differ */
} MethodFacts;

size_t match_method_count(void);

/* Of method 0 … match_method_count() − 1. */
MethodFacts match_method_facts(size_t method);

/* A 3×3 matrix h, row by row, that maps (x, y) of A to ((h0 x + h1 y + h2) / w,
 * (h3 x + h4 y + h5) / w) of B, w = h6 x + h7 y + h8. */
typedef struct Homography {
    double h[9];
} Homography;

/* Reads three lines of three numbers; empty lines and those that begin with '#' are skipped. Of
 * OpenCV's XML the lines in <data> are read. STATUS_FILE naming file and line. */
Status homography_read(const char *path, Homography *homography);

#endif
