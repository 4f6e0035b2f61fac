/*
 * Cell: one variant at one point, from its proof to a filled row, in steps, so that several cells
 * can be sampled in turns:
 *
 *   cell_verify   alone: open, poison, upload, run, download, guards, compare, close
 *   cell_open     any number of cells at once
 *   cell_begin    after everything was poisoned: upload, warm up
 *                 … samples of cell.measurement …
 *   cell_check    directly after the last sample: compare again
 *   cell_close
 *   cell_sampled_row   to store what there is so far
 *   cell_finish   alone: transfers, end to end, stages, with allocation, each compared again; fills
 *                 the row
 *
 * Each step returns STATUS_OK, or why there will be no numbers. When interrupt_requested() is true
 * afterwards the cell is unfinished and its row means nothing.
 */
#ifndef BENCH_CELL_H
#define BENCH_CELL_H

#include "measure.h"
#include "oracle.h"
#include "plan.h"
#include "telemetry.h"

typedef struct CellJob {
    const RunOptions *options;
    const PlanCell *cell;
    const Workload *workload;
    const Oracle *oracle;
    const Output *scratch; /* guarded memory for the answer, shared by all cells */
    double timer_overhead; /* seconds, of the variant's backend */
} CellJob;

/* Does not move while its state is open. */
typedef struct Cell {
    CellJob job;
    Request request;
    Measurement measurement; /* its state is NULL while the cell is not open */
    Telemetry telemetry;
    Row row;      /* its samples are the cell's until it is taken */
    bool sampled; /* every sample is in, and the answer was right afterwards */
} Cell;

/* `row` says which cell it is. */
void cell_init(Cell *cell, const CellJob *job, const Row *row);
/* Closes the state and releases the samples, those of the row included. */
void cell_release(Cell *cell);

Status cell_verify(Cell *cell);
Status cell_open(Cell *cell);
Status cell_begin(Cell *cell, Warmth *warmth);
Status cell_check(Cell *cell);
void cell_close(Cell *cell);
Status cell_finish(Cell *cell);

/* Fills `row` with what is known of a cell that is sampled, and a copy of its samples; nothing that
 * cell_finish measures. STATUS_FAIL without memory. */
Status cell_sampled_row(const Cell *cell, Row *row);
/* Gives a verified cell the samples of such a row, as if it had taken them: what is left of it is
 * cell_finish. STATUS_FAIL without memory. */
Status cell_restore(Cell *cell, const Row *row);

/* Forgets every time measured, so that the row may say why there is none or the cell be sampled
 * again. */
void cell_drop_numbers(Cell *cell);

#endif
