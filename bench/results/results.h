/* The rows of a run and what is derived from them. */

#ifndef BENCH_RESULTS_RESULTS_H
#define BENCH_RESULTS_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "algorithm.h"
#include "axis.h"
#include "ceilings.h"
#include "hash_index.h"
#include "judge.h"
#include "number.h"
#include "resources.h"
#include "status.h"
#include "variant.h"
#include "workload.h"

/* --- Rows ------------------------------------------------------------------------------------- */

/*
 * A row is the result of one planned cell. Times are seconds; a number that was not measured is
 * NAN: an empty CSV field, an absent JSON key, never 0. results_derive adds rates and ratios at the
 * end.
 */

typedef enum CellStatus { CELL_OK, CELL_SKIP, CELL_FAIL } CellStatus;

enum { RESULT_LABEL_SIZE = 160, CELL_NAME_SIZE = 512 /* of row_name */ };

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

enum { MEASURED_TEXT_SIZE = 200 };

typedef struct Results {
    Row *rows;
    size_t count, capacity;
    Ceilings ceilings; /* of the machine on which the rows were measured; count 0: none */
    char measured[MEASURED_TEXT_SIZE]; /* where and when, results_measured; empty: not known */
    HashIndex cells;                   /* of the rows that results_find knows */
    HashIndex workloads;               /* of the rows that results_derive has seen */
} Results;

/* The GPUs that the rows ran on: the device of the row on most of them, or else `model`. "2 ×
 * NVIDIA H200" where eight were there and two worked. */
const char *results_gpus(const Results *results, const char *model);

/* "NVIDIA H200; Intel(R) Xeon(R) Processor, 16 threads; 2026-11-20", with the GPUs of the rows.
 * What is not known may be empty or 0. */
void results_measured(Results *results, const char *gpu, const char *cpu, int threads,
                      const char *started);

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

/* Writes "omp/threads:16", "simd": a variant and its tuning point. */
void variant_label(const Variant *variant, const Point *tuning, char *label, size_t size);

/* The number of stages of a variant, at most STAGES_MAX; 0: it has none. */
size_t variant_stage_count(const Variant *variant);

/* Sets every stage's time to NAN. */
void row_forget_stages(Row *row);

/* Appends a row and takes ownership of its samples. STATUS_SKIP without memory. */
Status results_add(Results *results, const Row *row);

/* The first row of the cell of `wanted`; NULL: none. Rows may be added and changed meanwhile, but
 * not moved. */
Row *results_find(Results *results, const Row *wanted);

/* Whether something disturbed a row so much that its times may be too long by a fifth or more. Of a
 * row of results that results_disturbance has looked at. */
bool row_is_disturbed(const Row *row);
void results_release(Results *results);

/* Sets base, speedups, best CPU, roof and rates of every row from the medians of all rows. `seed`
 * is for resampling. */
void results_derive(Results *results, uint64_t seed);

/* The same without resampling: a ratio of one launch gets no interval. */
void results_derive_values(Results *results);

/* --- Measures of a row ------------------------------------------------------------------------ */

typedef enum TimeKind { TIME_KERNEL, TIME_END_TO_END, TIME_KINDS } TimeKind;

/* The size of a row's input: pixels of an image, images of a set, rows of descriptors. */
double row_size(const Row *row);
const char *row_size_unit(const Row *row);
/* Whether the size is counted in pixels. */
bool row_is_image(const Row *row);
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

/* OVER_PEER: the fastest of other people's code on the same backend. */
typedef enum SpeedupOver { OVER_SEQ, OVER_BEST_CPU, OVER_PEER, SPEEDUPS_OVER } SpeedupOver;

/* How many times as fast a row is, with its interval, or with the least and the greatest of a few
 * launches; NAN where it is not known. */
Ratio row_ratio(const Row *row, SpeedupOver over, TimeKind kind);

/* --- Scaling ---------------------------------------------------------------------------------- */

/*
 * How a variant scales over its workers: GPUs (tuning axis `gpus`) or threads of the CPU
 * (`threads`). Rows of one scaling differ in their number of workers: strong scaling has one
 * question, weak scaling (--weak, of GPUs alone) one question of each worker, since the work grows
 * with them: the rows of an image, the images of a set, or the algorithm's weak_axis.
 */

/* How many times what grows with --weak is that of one worker: N, or √N where the work is in
 * proportion to its square (Algorithm.weak_power). */
double weak_factor(const Algorithm *algorithm, int workers);

/* "gpus" or "threads", always the same pointer of each; NULL: the variant has neither axis. */
const char *row_scaling_axis(const Row *row);

/* The value of that axis; 0: the variant has none. */
int row_workers(const Row *row);

/* The value of the axis `gpus`; 0: the variant has none. */
int row_gpus(const Row *row);

/* "GPU" or "GPUs", "thread" or "threads". */
const char *workers_noun(const char *axis, int count);

/* Whether two rows, of 1 and 4 workers or of as many, are of one scaling. */
bool row_same_scaling(const Row *a, const Row *b);

/* The measured row of one worker of this row's scaling; NULL: none. */
const Row *row_on_one(const Results *results, const Row *row);

/* 1: as much faster as there are workers (strong), or no slower with them (weak). NAN where it is
 * not known. */
Ratio row_efficiency(const Row *row, TimeKind kind);

/* Efficiency times workers: how many times the work of one is done in its time. */
Ratio row_over_one(const Row *row, TimeKind kind);

/* --- Winners ---------------------------------------------------------------------------------- */

/* The fastest of the cells that answer the same question as a row, by the judge's rule: what chose
 * the winner does not count as its time. */

typedef struct Winner {
    const Row *row;                     /* NULL: no cell is measured */
    WinnerChoice choice;                /* its time */
    const Row *tied[WINNER_TIES_MAX];   /* as many as choice.tied has */
    const Row *unsure;                  /* choice.unsure; NULL: none */
    const Row *of_launch[LAUNCHES_MAX]; /* of several launches the cell that the others find
                                           the fastest; NULL: none */
} Winner;

/* Which cells compete. Other people's code (Row.peer) does so on sides of its own alone. */
typedef enum RowSide { SIDE_BOTH, SIDE_CPU, SIDE_DEVICE, SIDE_PEER_CPU, SIDE_PEER_DEVICE } RowSide;

bool row_is_of_side(const Row *row, RowSide side);

/* The fastest of a side by one kind of time. After results_derive. */
Winner results_best(const Results *results, const Row *row, RowSide side, TimeKind kind);

/* Of the CPU cells by kernel time. A CPU variant copies nothing, so it is the best end to end too.
 */
Winner results_best_cpu(const Results *results, const Row *row);

/* The fastest of other people's code on the row's backend, as Row.best_peer names it; NULL: none
 * was measured, or the row is such code itself. */
const Row *row_best_peer(const Results *results, const Row *row);

/* Of the tuning points of the row's variant. After results_derive. */
Winner results_best_tuning(const Results *results, const Row *row);

/* Of the row that is the best of its side by this time: its luck does not count, nor that of the
 * best CPU. Over seq and over peers by kernel time only; over the best CPU of the best on a device.
 * Of other rows that of row_ratio. */
Ratio row_won_ratio(const Row *row, SpeedupOver over, TimeKind kind);

/* As a cell of which a winner is chosen, for winner_choose and winner_least. */
Rival row_rival(const Row *row, TimeKind kind);

/* Writes " (tied with 8, simd)", or nothing when no other cell is tied. */
void winner_ties_text(const Winner *winner, char *text, size_t size);

#endif
