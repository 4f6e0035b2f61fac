/*
 * Axes and points: the parameters that a sweep varies.
 *
 * An answer axis changes the answer (a radius, a threshold); a tuning axis must not (a tile width,
 * a thread count). An axis is named as its command-line option is, without the dashes. A point is
 * one value for each axis of a list, in the order of the list.
 */
#ifndef BENCH_API_AXIS_H
#define BENCH_API_AXIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Workload Workload; /* workload.h */

enum { AXIS_TEXT_SIZE = 32, AXIS_VALUES_MAX = 1024, POINT_AXES_MAX = 8 };

typedef enum AxisKind {
    AXIS_INTEGER = 0, /* whole numbers minimum…maximum; the number is in AxisValue.number */
    AXIS_CHOICE = 1,  /* one word of `choices`; its index is in AxisValue.number */
    AXIS_TEXT = 2     /* text that `check` accepts; AxisValue.number is 0 */
} AxisKind;

typedef struct AxisValue {
    int64_t number;
    char text[AXIS_TEXT_SIZE]; /* as printed in results: "8", "bilinear", "24:3" */
} AxisValue;

FIXED_SIZE(AxisValue, 40);

typedef struct AxisValues {
    uint32_t struct_bytes;
    size_t count;
    AxisValue values[AXIS_VALUES_MAX];
} AxisValues;

typedef struct Axis {
    uint32_t struct_bytes; /* sizeof(Axis) */
    const char *name;      /* option and result key: "tile" for --tile */
    const char *help;      /* one line, with the unit */
    const char *defaults;  /* values without the option: "4,8,16,32", "all" */
    AxisKind kind;
    int64_t minimum, maximum;   /* AXIS_INTEGER: inclusive; INT64_MAX: only defaults are verified */
    const char *const *choices; /* AXIS_CHOICE: words, NULL-terminated */
    Status (*check)(const char *value); /* AXIS_TEXT: STATUS_USAGE with what would be right */
    /* May be NULL: adds the values of a special word ("all", "log", "paper"). STATUS_NO_MATCH when
     * the axis has no such word; then the ordinary rules apply. */
    Status (*expand)(const char *word, const Workload *workload, AxisValues *values);
    const char *title; /* in charts that are files: "tile width (pixels)"; NULL: the name */
} Axis;

typedef struct Point {
    uint32_t struct_bytes;
    size_t count;
    const Axis *axes[POINT_AXES_MAX];
    AxisValue values[POINT_AXES_MAX];
} Point;

/*
 * Parses a comma list ("4,8,16"), with ranges for integers ("1..8", "0..255:16"), into `values`.
 * Duplicates are dropped, the order is kept. Special words may depend on the workload, whose
 * dimensions are filled; its pixels may be absent. STATUS_USAGE says what would be right.
 */
Status axis_parse(const Axis *axis, const char *list, const Workload *workload, AxisValues *values);

/* The axis of this name in a NULL-terminated list, which may be NULL; NULL when there is none. */
const Axis *axis_in_list(const Axis *const *axes, const char *name);

/* The value of the named axis; NULL when the point has none of this name. */
const AxisValue *point_value(const Point *point, const char *name);

/* The value of the named axis, which must be in the point; if it is not, `fallback` (integers) or
 * "" (text). */
int64_t point_integer(const Point *point, const char *name, int64_t fallback);
const char *point_text(const Point *point, const char *name);

/* The same axes at the same values, in the same order. */
bool point_equal(const Point *a, const Point *b);

/* The same values by name, but for that of one axis. */
bool point_equal_but(const Point *a, const Point *b, const char *name);

/* Writes "tile:8,threads:4" (empty for a point without axes), cut to `size`. */
void point_format(const Point *point, char *text, size_t size);

/* Appends an integer unless the list has it. STATUS_USAGE when the list is full. */
Status axis_values_add(AxisValues *values, int64_t number);

#ifdef __cplusplus
}
#endif

#endif
