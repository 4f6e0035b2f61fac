#include "sweep_rows.h"

#include <string.h>

#include "available_memory.h"
#include "clock.h"
#include "interrupt.h"

/* Seconds, and share of the time, that writing the files over and over may take in all. */
static const double write_seconds = 0.25;
static const double write_share = 0.05;

/* --- Files ------------------------------------------------------------------------------------ */

bool sweep_has_result(const Sweep *sweep) {
    for (size_t i = 0; i < sweep->results->count; i++) {
        if (sweep->results->rows[i].status != CELL_SKIP) {
            return true;
        }
    }
    return false;
}

static void keep_trouble(Sweep *sweep, const Status *status) {
    if (!status_is_ok(status) && status_is_ok(&sweep->file_trouble)) {
        progress_note(&sweep->progress, status->why);
    }
    sweep->file_trouble = *status;
}

static Status write_files(Sweep *sweep) {
    STATUS_TRY(report_csv(sweep->folder->csv, sweep->record, sweep->results));
    STATUS_TRY(report_json(sweep->folder->json, sweep->record, sweep->results));
    journal_remove(&sweep->journal, sweep->folder->json);
    sweep->journal = (Journal){.date = sweep->record->started, .elapsed = sweep->record->elapsed};
    return status_ok();
}

void sweep_write(Sweep *sweep) {
    const double started = clock_now();
    if (sweep->folder->holds_results && !sweep_has_result(sweep)) {
        return;
    }
    sweep->record->elapsed = sweep->elapsed_before + started - sweep->started;
    results_derive(sweep->results, sweep->options->seed);
    const Status status = write_files(sweep);
    keep_trouble(sweep, &status);
    sweep->latest_write = clock_now() - started;
    sweep->writing += sweep->latest_write;
}

static bool can_write(const Sweep *sweep) {
    const double allowed = write_seconds + write_share * (clock_now() - sweep->started);
    return sweep->writing + sweep->latest_write <= allowed;
}

/* Rows of cells that were left out go along with the next. */
static void store(Sweep *sweep, const Row *row) {
    if (row->status == CELL_SKIP) {
        return;
    }
    if (can_write(sweep)) {
        sweep_write(sweep);
    } else if (sweep->journal.date != NULL) { /* there is a results.json that it goes with */
        const Status status = journal_add(&sweep->journal, sweep->folder->json, row);
        keep_trouble(sweep, &status);
    }
}

void sweep_catch_up(Sweep *sweep) {
    if (sweep->journal.stream != NULL && can_write(sweep)) {
        interrupt_hold();
        sweep_write(sweep);
        interrupt_release();
    }
}

/* --- Rows ------------------------------------------------------------------------------------- */

/* How many rows there are of cells up to `index`. */
static size_t place_of(const Sweep *sweep, size_t index) {
    size_t place = sweep->results->count;
    while (place > 0 && sweep->places[place - 1] > index) {
        place--;
    }
    return place;
}

const Row *sweep_row(const Sweep *sweep, size_t index) {
    const size_t place = place_of(sweep, index);
    return place > 0 && sweep->places[place - 1] == index ? &sweep->results->rows[place - 1] : NULL;
}

/* Moves the last row, that of cell `index`, to its place, of which the other rows know. */
static void sort_in(Sweep *sweep, size_t place, size_t index) {
    Row *rows = sweep->results->rows;
    const size_t last = sweep->results->count - 1;
    const Row row = rows[last];
    memmove(&rows[place + 1], &rows[place], (last - place) * sizeof *rows);
    memmove(&sweep->places[place + 1], &sweep->places[place],
            (last - place) * sizeof *sweep->places);
    rows[place] = row;
    sweep->places[place] = index;
}

static Status put_row(Sweep *sweep, size_t index, Row *row) {
    const size_t place = place_of(sweep, index);
    if (place > 0 && sweep->places[place - 1] == index) {
        row_release(&sweep->results->rows[place - 1]);
        sweep->results->rows[place - 1] = *row;
        return status_ok();
    }
    const Status status = results_add(sweep->results, row);
    if (!status_is_ok(&status)) {
        row_release(row);
        return status;
    }
    sort_in(sweep, place, index);
    return status_ok();
}

static void finish_cell(Sweep *sweep, size_t index, bool ran) {
    sweep->finished[index] = true;
    sweep->finished_count++;
    progress_done(&sweep->progress, ran);
}

static Status add_row(Sweep *sweep, size_t index, Row *row, bool ran) {
    STATUS_TRY(put_row(sweep, index, row));
    finish_cell(sweep, index, ran);
    store(sweep, row);
    return status_ok();
}

Status sweep_add_row(Sweep *sweep, size_t index, Row *row, bool ran) {
    interrupt_hold();
    const Status status = add_row(sweep, index, row, ran);
    interrupt_release();
    return status;
}

static Status add_samples(Sweep *sweep, size_t index, Row *row) {
    STATUS_TRY(put_row(sweep, index, row));
    store(sweep, row);
    return status_ok();
}

Status sweep_add_samples(Sweep *sweep, size_t index, Row *row) {
    interrupt_hold();
    const Status status = add_samples(sweep, index, row);
    interrupt_release();
    return status;
}

static Status keep_row(Sweep *sweep, size_t index, Row *row) {
    STATUS_TRY(put_row(sweep, index, row));
    if (resume_is_finished(row)) {
        sweep->progress.to_run -= status_is_ok(&sweep->plan->cells[index].ready);
        finish_cell(sweep, index, false);
    }
    return status_ok();
}

Status sweep_keep_row(Sweep *sweep, size_t index, Row *row) {
    interrupt_hold();
    const Status status = keep_row(sweep, index, row);
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
