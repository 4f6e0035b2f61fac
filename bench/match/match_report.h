/* What a match is written as: tables for people, CSV, pictures. */
#ifndef BENCH_MATCH_REPORT_H
#define BENCH_MATCH_REPORT_H

#include <stdio.h>

#include "picture_match.h"

/* The pictures, a table of what each method found, one of how long its parts took, and what is
 * missing and why. */
void match_print(FILE *stream, const PictureMatch *match);

/* STATUS_USAGE when one of the files that match_write may write is an input (input_guard.h). */
Status match_files_check(const char *folder);

/* Into a folder that exists: match.csv, a line for each method; and for each that could be used
 * matches-NAME.csv, xa,ya,xb,yb,distance,inlier and, with the truth, correct, and matches-NAME.png
 * (match_drawing.h), of matches drawn by `seed`. STATUS_FILE, or STATUS_SKIP. */
Status match_write(const char *folder, const PictureMatch *match, uint64_t seed);

#endif
