#include "sweep_rows.h"

#include <string.h>

#include "available_memory.h"
#include "clock.h"
#include "interrupt.h"

/* Seconds between checkpoints, and the share of the time that writing them may take. */
static const double checkpoint_interval = 2;
static const double checkpoint_share = 0.05;

void sweep_write(Sweep *sweep) {
    sweep->record->elapsed = sweep->elapsed_before + clock_now() - sweep->started;
    results_derive(sweep->results, sweep->options->seed);
    Status status = report_csv(sweep->folder->csv, sweep->record, sweep->results);
    if (status_is_ok(&status)) {
        status = report_json(sweep->folder->json, sweep->record, sweep->results);
    }
    if (!status_is_ok(&status) && status_is_ok(&sweep->file_trouble)) {
        progress_note(&sweep->progress, status.why);
    }
    sweep->file_trouble = status;
}

static void write_checkpoint(Sweep *sweep) {
    const double started = clock_now();
    if (started < sweep->next_checkpoint) {
        return;
    }
    sweep_write(sweep);
    const double took = clock_now() - started;
    const double pause = took / checkpoint_share;
    sweep->next_checkpoint =
        clock_now() + (pause > checkpoint_interval ? pause : checkpoint_interval);
}

/* Moves the last row, that of cell `index`, to its place. */
static void sort_in(Sweep *sweep, size_t index) {
    Row *rows = sweep->results->rows;
    const size_t last = sweep->results->count - 1;
    size_t place = last;
    while (place > 0 && sweep->places[place - 1] > index) {
        place--;
    }
    const Row row = rows[last];
    memmove(&rows[place + 1], &rows[place], (last - place) * sizeof *rows);
    memmove(&sweep->places[place + 1], &sweep->places[place],
            (last - place) * sizeof *sweep->places);
    rows[place] = row;
    sweep->places[place] = index;
}

static Status add_row(Sweep *sweep, size_t index, Row *row, bool ran) {
    const Status status = results_add(sweep->results, row);
    if (!status_is_ok(&status)) {
        row_release(row);
        return status;
    }
    sort_in(sweep, index);
    sweep->finished[index] = true;
    progress_done(&sweep->progress, ran);
    write_checkpoint(sweep);
    return status_ok();
}

Status sweep_add_row(Sweep *sweep, size_t index, Row *row, bool ran) {
    interrupt_hold();
    const Status status = add_row(sweep, index, row, ran);
    interrupt_release();
    return status;
}

Status sweep_add_failure(Sweep *sweep, size_t index, const Status *why) {
    const PlanCell *cell = &sweep->plan->cells[index];
    Row row = plan_row(sweep->plan, cell, sweep->options->cold);
    row.status = why->code == STATUS_FAIL ? CELL_FAIL : CELL_SKIP;
    memcpy(row.why, why->why, sizeof row.why);
    /* One that was expected to run and cannot leaves less to do. */
    sweep->progress.to_run -= status_is_ok(&cell->ready);
    return sweep_add_row(sweep, index, &row, false);
}

Status sweep_add_failures(Sweep *sweep, CellRange range, const Status *why) {
    for (size_t i = range.first; i < range.end; i++) {
        if (!sweep->finished[i]) {
            STATUS_TRY(sweep_add_failure(sweep, i, why));
        }
    }
    return status_ok();
}

bool sweep_has_pending(const Sweep *sweep, CellRange range) {
    for (size_t i = range.first; i < range.end; i++) {
        if (!sweep->finished[i]) {
            return true;
        }
    }
    return false;
}

Status sweep_check_memory(uint64_t bytes, uint64_t held) {
    const uint64_t available = available_memory();
    if (bytes <= available) {
        return status_ok();
    }
    char needed[32];
    char free_now[32];
    format_bytes(bytes + held, needed, sizeof needed);
    format_bytes(available + held, free_now, sizeof free_now);
    return status_skip("needs %s, %s free", needed, free_now);
}
