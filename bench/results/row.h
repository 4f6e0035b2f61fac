/* A row: the result of one cell. */

#ifndef BENCH_RESULTS_ROW_H
#define BENCH_RESULTS_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "axis.h"
#include "ceilings.h"
#include "cost.h"
#include "ratio.h"
#include "samples.h"
#include "sizes.h"
#include "status.h"
#include "text_sizes.h"

typedef struct Algorithm Algorithm; /* algorithm.h */
typedef struct Variant Variant;     /* variant.h */

/*
 * A row is the result of one planned cell. Times are seconds; a number that was not measured is
 * NAN: an empty CSV field, an absent JSON key, never 0. results_derive adds rates and ratios at the
 * end.
 */

typedef enum CellStatus { CELL_OK, CELL_SKIP, CELL_FAIL } CellStatus;

enum { RESULT_LABEL_SIZE = 160, CELL_NAME_SIZE = 512 /* of row_name */ };

/* What a roof is: a copy that was measured beside the cells, or a ceiling. */
typedef struct RoofParts {
    bool copy;
    char name[CEILING_KEY_SIZE]; /* of the copy's variant, or the ceiling's key, "copy_dram" */
    int devices;                 /* of a ceiling: so many at once */
} RoofParts;

/* One member for each line of row.def, which describes it. */
typedef struct Row {
#define MEMBER(type, member) type member;
#define FIELD(type, member, json, csv) type member;
#define ARRAY(type, member, count, json, csv) type member[count];
#define PART(member, json, csv)
#define NUMBER_OF(function, json, csv)
#define TEXT_OF(function, json, csv)
#include "row.def"
} Row;

/* A row with every number NAN and every text empty. */
Row row_empty(void);

/* Frees the samples of a row. */
void row_release(Row *row);

/* Fills `copy` with the row and samples of its own, to release with row_release. Where memory runs
 * out, STATUS_SKIP, and nothing needs releasing. */
Status row_copy(const Row *row, Row *copy);

/* Lets go of the samples, which another row owns now. */
void row_forget_samples(Row *row);

/* Makes all summaries of samples those of none. */
void row_forget_summaries(Row *row);

/* Writes "lbp/cuda_tiled/texture/1080p/tile:8": algorithm, variant, input, size, answer point,
 * tuning point. */
void row_name(const Row *row, char *name, size_t size);

/* Whether they are of one variant with one tuning, on whatever input. NULL: of none. */
bool row_same_way(const Row *a, const Row *b);

/* Whether two rows are of the same cell: name, size and mode. */
bool row_same_cell(const Row *a, const Row *b);

/* The same algorithm and input; of these the same answer point; of these the same caches: one
 * question at several sizes. */
bool row_same_input(const Row *a, const Row *b);
bool row_same_answer(const Row *a, const Row *b);
bool row_same_series(const Row *a, const Row *b);

/* Whether two rows are of one algorithm, workload, answer point and mode, so that their times may
 * be divided. */
bool row_same_question(const Row *a, const Row *b);

/* Whether two rows have no time for one reason. It is a text: whoever skipped a cell wrote it, and
 * a file has nothing else of it. */
bool row_same_reason(const Row *a, const Row *b);

/* Writes "omp/threads:16", "simd": a variant and its tuning point. */
void variant_label(const Variant *variant, const Point *tuning, char *label, size_t size);

/* Writes "pr:8:1 interp:bilinear". */
void point_spaced(const Point *point, char *text, size_t size);

/* A point without one axis; NULL: with all. */
Point point_without(const Point *point, const Axis *axis);

/* The number of stages of a variant, at most STAGES_MAX; 0: it has none. */
size_t variant_stage_count(const Variant *variant);

/* Sets every stage's time to NAN. */
void row_forget_stages(Row *row);

/* Whether something disturbed a row so much that its times may be too long by a fifth or more. Of a
 * row of results that results_disturbance has looked at. */
bool row_is_disturbed(const Row *row);

/* --- Measures of a row ------------------------------------------------------------------------ */

typedef enum TimeKind { TIME_KERNEL, TIME_END_TO_END, TIME_KINDS } TimeKind;

/* The size of a row's input: pixels of an image, images of a set, rows of descriptors. */
double row_size(const Row *row);
typedef enum SizeUnit { SIZE_PIXELS, SIZE_IMAGES, SIZE_ROWS } SizeUnit;
SizeUnit row_size_unit(const Row *row);
const char *size_unit_words(SizeUnit unit);
/* Whether the size is counted in pixels. */
bool row_is_image(const Row *row);
/* Whether the processor does the work, and no device. */
bool row_is_on_cpu(const Row *row);
/* Whether pixels are what is processed. */
bool row_counts_pixels(const Row *row);
/* Whether a row is of the algorithm that is the roof of others, since no variant can be faster than
 * a copy: it decides nothing. */
bool row_is_roof(const Row *row);

/* "16K (15360×8640)", "480×360", "60000 images", "100000 rows" */
void size_words(const Row *row, char text[NUMBER_WORDS_SIZE]);

/* "16K", "480×360", "60000": for tables, whose notes have the rest. */
void size_short(const Row *row, char text[NUMBER_WORDS_SIZE]);

const Summary *row_summary(const Row *row, TimeKind kind);
const Samples *row_samples(const Row *row, TimeKind kind);

/* Median in seconds; NAN where the row has no verified time. */
double row_seconds(const Row *row, TimeKind kind);

/* Whether it has a verified kernel time. */
bool row_is_timed(const Row *row);

/* OVER_PEER: the fastest of other people's code on the same backend. */
typedef enum SpeedupOver { OVER_SEQ, OVER_BEST_CPU, OVER_PEER, SPEEDUPS_OVER } SpeedupOver;

/* How many times as fast a row is, with its interval, or with the least and the greatest of a few
 * launches; NAN where it is not known. */
Ratio row_ratio(const Row *row, SpeedupOver over, TimeKind kind);

#endif
