/* Rows of runs for tables and charts: in groups, and as lines. */

#ifndef BENCH_CHART_ROWS_H
#define BENCH_CHART_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "crossover.h"
#include "number.h"
#include "ratio.h"
#include "row.h"
#include "row_winners.h"
#include "two_runs.h"

typedef struct Document Document; /* document.h */

/* --- Words ------------------------------------------------------------------------------------ */

/* Numbers in texts: three significant digits, with the unit that fits. */
enum { REPORT_TEXT_SIZE = NUMBER_WORDS_SIZE, REPORT_DIGITS = NUMBER_DIGITS };

/* For one unit for all times of a table, so that they can be compared at a glance. Collects times
 * without those that are NAN. Starts zeroed. */
typedef struct TimeRange {
    double logarithms;
    size_t count;
} TimeRange;

void time_range_add(TimeRange *range, double seconds);
/* The unit in which the geometric mean is from 1 to 1000; milliseconds when there are no times. */
TimeUnit time_unit(const TimeRange *range);

#define ALL_AXES (~0U)

/* "pr 8:1, interp bilinear": the axes whose bit is set. */
void point_words(const Point *point, unsigned axes, char *text, size_t size);

/* Adds a name to the list "seq, simd", unless it is in it. */
void name_list_add(char *list, size_t size, const char *name);

/* --- Rows and groups -------------------------------------------------------------------------- */

/* Rows of one algorithm, input and answer point, at any size. */
typedef struct RunGroup {
    const Row **rows; /* in the order of the run */
    size_t count, capacity;
    char title[256]; /* "lbp, meadow.jpg", "lbp_riu, texture, pr:8:1 interp:bilinear" */
    char slug[160];  /* for names of charts */
} RunGroup;

/* The rows of a run by what is compared: algorithm, input and answer point. */
typedef struct RunGroups {
    RunGroup *groups;
    size_t count, capacity;
} RunGroups;

/* The document owns them, and has failed when not all are there. */
RunGroups run_groups_make(const Results *results, Document *document);

/* The document owns the list, and has failed where the row is not in it. */
void group_add(Document *document, RunGroup *group, const Row *row);

/* All rows of another one. */
void group_add_all(Document *document, RunGroup *group, const RunGroup *more);

/* Whether the images of its sets differ, so that sizes along an axis are pixels, not images. */
bool group_has_other_images(const RunGroup *group);

/* The row of the greatest size that has a verified time; NULL when there is none. */
const Row *group_largest(const RunGroup *group);

/* The first row of the greatest size of those that are `wanted`; NULL when there is none. */
const Row *group_largest_of(const RunGroup *group, bool (*wanted)(const Row *row));

/* Whether the variant has a verified time in some row. */
bool group_has_time(const RunGroup *group, const Variant *variant);

/* The most variants that a table or a chart shows. */
enum { VARIANTS_MAX = 64 };

/* The variants of the group but for other people's code, in their order, each once; returns their
 * number. */
size_t run_variants(const RunGroup *group, const Variant *variants[VARIANTS_MAX]);

/* Likewise, of those on a device. */
size_t device_variants(const RunGroup *group, const Variant *variants[VARIANTS_MAX]);

/* --- Lines of rows ---------------------------------------------------------------------------- */

/* A value of an axis and where it stands along x. */
typedef struct PlacedValue {
    const char *name;
    double place;
} PlacedValue;

/* What lies along x: sizes, or the values of an axis of the tuning or of the answer. */
typedef struct RowAxis {
    const char *name;  /* NULL: sizes */
    const char *title; /* Axis.title */
    bool tuning;
    bool pixels;         /* a set's size is the number of pixels of all its images */
    PlacedValue *values; /* of an axis with a name: each once, ascending by place */
    size_t count;
    bool numbers; /* the values are numbers, and these are their places */
} RowAxis;

extern const RowAxis along_size;

/* The axis with the values of the rows that have a time; the document owns them. */
RowAxis row_axis(Document *document, const RunGroup *group, bool tuning, const char *name);

/* NAN: not on the axis. */
double row_place(const RowAxis *axis, const Row *row);

/* Which rows with a time of this kind make a line; a member that is zero allows all. */
typedef struct RowChoice {
    TimeKind kind;
    RowSide side;
    const Variant *variant;
    const Point *answer;
    const Row *size; /* of the size of this row */
} RowChoice;

bool row_is_chosen(const Row *row, const RowAxis *axis, const RowChoice *choice);

/* Rows, ascending by their place, each the fastest of its place. */
typedef struct RowLine {
    const Row **rows;
    size_t count;
} RowLine;

/* The document owns the rows' list. */
RowLine row_line(Document *document, const RunGroup *group, const RowAxis *axis, RowChoice choice);

/* Whether some row of the line has it. */
bool line_has(const RowLine *line, bool (*has)(const Row *row));

/* Of each variant, in their order, the fastest row of the size of this row; none for NULL. */
RowLine variants_at(Document *document, const RunGroup *group, const Row *size);

/* The fastest rows of one size of a group, by RowSide and TimeKind; NULL where there is none. */
typedef struct SizeBest {
    const Row *of[SIDE_DEVICE + 1][TIME_END_TO_END + 1];
} SizeBest;

/* Sizes with a verified kernel time, ascending; the document owns the list. Returns their number.
 */
size_t size_best_find(Document *document, const RunGroup *group, SizeBest **list);

/* The sides of a challenger along an axis, at the places with a time of both. */
typedef struct RowCrossover {
    const RowAxis *axis;
    const Row **rows; /* one of each place, ascending */
    SpeedSide *sides;
    size_t count;
} RowCrossover;

/* Of a variant on a device (NULL: the fastest of each place), each at its fastest tuning, against
 * the fastest on the CPU: the sides of row_won_ratio. The document owns the lists. */
RowCrossover group_crossover(Document *document, const RunGroup *group, const RowAxis *axis,
                             const Variant *device, TimeKind kind);

/* For crossover_words, with the range. Points at the crossover. */
Series row_crossover_series(const RowCrossover *crossover);

/* --- Two runs --------------------------------------------------------------------------------- */

/* How B differs from A, not decided yet; the ratio is NAN where one of them has no verified time.
 */
RunDifference rows_difference(const Row *a, const Row *b, TimeKind kind, Document *document);

#endif
