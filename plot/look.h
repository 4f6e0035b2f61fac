/* How variants look in charts. */

#ifndef PLOT_LOOK_H
#define PLOT_LOOK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Look: how a variant is drawn, by its name, the same in every chart, report and study. It is the
 * only place of the program that knows colours of series.
 */

typedef enum LookMarker {
    MARKER_CIRCLE,
    MARKER_SQUARE,
    MARKER_TRIANGLE,
    MARKER_DIAMOND,
    MARKER_TRIANGLE_DOWN,
    MARKER_PENTAGON,
    MARKER_COUNT
} LookMarker;

typedef struct Look {
    const char *colour;      /* "#0072B2", on white */
    const char *dark_colour; /* on a dark page */
    LookMarker marker;
    const char *dash; /* lengths of dashes and gaps, "9,3"; "": solid */
    bool hollow;      /* its marks: of variants on the CPU */
} Look;

/* The number of the look of a variant that the program knows, or of one in reserve for its side,
 * chosen by a hash of the name: the same on every machine. For chart_series, whose look is
 * look_numbered(series->colour). */
int variant_look_number(const char *name, bool device);

/* The number of a variant that the table names; -1: none. */
int variant_look_known(const char *name);

/* The looks of machines in a chart of several: neighbours in lightness are at least 15 L* apart for
 * the first four, and every one has another mark. `cpu`: the look of its processor, which is grey
 * with hollow marks. Numbers for chart_series. */
enum { MACHINE_LOOKS = 8 };
int machine_look_number(size_t machine, bool cpu);

/* 0…look_count() - 1, and again from the first. */
Look look_numbered(int number);
size_t look_count(void);

#endif
