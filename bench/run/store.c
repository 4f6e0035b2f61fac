/* The rows of a run: kept in the order of the plan, written to the run's files as they come. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "interrupt.h"
#include "plan.h"
#include "run.h"
#include "sweep.h"
#include "wall_time.h"

/* === Files ==================================================================================== */

bool store_has_result(const RowStore *store) {
    for (size_t i = 0; i < store->results->count; i++) {
        if (store->results->rows[i].status != CELL_SKIP) {
            return true;
        }
    }
    return false;
}

static void set_trouble(RowStore *store, const Status *status) {
    if (!status_is_ok(status) && status_is_ok(&store->trouble)) {
        progress_note(&store->progress, status->why);
    }
    store->trouble = *status;
}

static Status write_files(RowStore *store) {
    STATUS_TRY(report_csv(store->folder->csv, store->record, store->results));
    STATUS_TRY(report_json(store->folder->json, store->record, store->results));
    journal_remove(&store->journal, store->folder->json);
    store->journal = (Journal){.date = store->record->started, .elapsed = store->record->elapsed};
    return status_ok();
}

void store_note_throttling(RowStore *store) {
    const Throttling since = throttling_since(cpu_quota_here(), &store->throttling);
    machine_set_throttling(store->machine, &store->throttled_before, &since);
}

void store_write(RowStore *store) {
    const double started = clock_now();
    if (store->folder->holds_results && !store_has_result(store)) {
        return;
    }
    const WallPart before = wall_enter(WALL_WRITING);
    store->record->wall = wall_time();
    store->record->elapsed = store->elapsed_before + started - store->started;
    store_note_throttling(store);
    memory_apply(store->record, store->results);
    /* Whoever joins launches resamples those of cells that have one, at the end. */
    if (store->record->options->pass > 0 || store->joined_so_far) {
        results_derive_values(store->results);
    } else {
        results_derive(store->results, store->record->options->seed);
    }
    const Status status = write_files(store);
    set_trouble(store, &status);
    if (status_is_ok(&status) && supervisor_kept(KEPT_RESULTS) == NULL) {
        supervisor_keep(KEPT_RESULTS, store->folder->path);
    }
    write_clock_count(&store->writes, started, clock_now());
    wall_leave(before);
}

/* A launch is read once it has ended: it writes its files at its first row, which the journal goes
 * on from, and at its end. */
static bool can_write(const RowStore *store) {
    if (store->record->options->pass > 0) {
        return store->writes.written < 0;
    }
    return write_is_due(&store->writes, 0, clock_now());
}

/* Writes the files whole, or the row alone to the journal beside them while rewriting would take
 * too large a share of the time: a run that is killed loses nothing. Rows of skipped cells are
 * written with the next. */
static void write_row(RowStore *store, const Row *row) {
    if (row->status == CELL_SKIP) {
        return;
    }
    if (can_write(store)) {
        store_write(store);
    } else if (store->journal.date != NULL) { /* there is a results.json that it belongs to */
        const Status status = journal_add(&store->journal, store->folder->json, row);
        set_trouble(store, &status);
    }
}

void store_catch_up(RowStore *store) {
    if (store->journal.stream != NULL && can_write(store)) {
        interrupt_hold();
        store_write(store);
        interrupt_release();
    }
}

/* === Rows ===================================================================================== */

/* The number of rows of cells up to `index`. */
static size_t place_of(const RowStore *store, size_t index) {
    size_t place = store->results->count;
    while (place > 0 && store->places[place - 1] > index) {
        place--;
    }
    return place;
}

const Row *store_row(const RowStore *store, size_t index) {
    const size_t place = place_of(store, index);
    return place > 0 && store->places[place - 1] == index ? &store->results->rows[place - 1] : NULL;
}

/* Moves the last row, that of cell `index`, to its place in the order of the plan. */
static void sort_in(RowStore *store, size_t place, size_t index) {
    Row *rows = store->results->rows;
    const size_t last = store->results->count - 1;
    const Row row = rows[last];
    memmove(&rows[place + 1], &rows[place], (last - place) * sizeof *rows);
    memmove(&store->places[place + 1], &store->places[place],
            (last - place) * sizeof *store->places);
    rows[place] = row;
    store->places[place] = index;
}

static Status put_row(RowStore *store, size_t index, Row *row) {
    const size_t place = place_of(store, index);
    if (place > 0 && store->places[place - 1] == index) {
        row_release(&store->results->rows[place - 1]);
        store->results->rows[place - 1] = *row;
        return status_ok();
    }
    const Status status = results_add(store->results, row);
    if (!status_is_ok(&status)) {
        row_release(row);
        return status;
    }
    sort_in(store, place, index);
    return status_ok();
}

/* A cell without times is not tried again by a process that goes on after another was ended, though
 * a run that is resumed does. */
static void decided_key(size_t index, char key[32]) {
    snprintf(key, 32, "decided %zu", index);
}

static void note_decided(size_t index, const Row *row) {
    char key[32];
    decided_key(index, key);
    if (row->status != CELL_OK) {
        supervisor_keep(key, "");
    }
}

static bool was_decided(size_t index) {
    char key[32];
    decided_key(index, key);
    return supervisor_kept(key) != NULL;
}

static void finish_cell(RowStore *store, size_t index, bool ran) {
    store->finished[index] = true;
    store->finished_count++;
    if (plan_cell_is_runnable(&store->plan->cells[index])) {
        progress_done(&store->progress, ran ? store->prices[index] : 0);
    }
}

/* An interrupt waits until the row is in its place and written. */
Status store_add(RowStore *store, size_t index, Row *row, bool ran) {
    interrupt_hold();
    const Status status = put_row(store, index, row);
    if (status_is_ok(&status)) {
        finish_cell(store, index, ran);
        write_row(store, row);
        note_decided(index, row);
    }
    interrupt_release();
    return status;
}

Status store_add_samples(RowStore *store, size_t index, Row *row) {
    interrupt_hold();
    const Status status = put_row(store, index, row);
    if (status_is_ok(&status)) {
        write_row(store, row);
    }
    interrupt_release();
    return status;
}

Status store_put(RowStore *store, size_t index, Row *row) {
    interrupt_hold();
    const Status status = put_row(store, index, row);
    if (status_is_ok(&status) && !store->finished[index]) {
        store->finished[index] = true;
        store->finished_count++;
    }
    interrupt_release();
    return status;
}

Status store_add_reason(RowStore *store, size_t index, const Status *why) {
    Row row = plan_row(store->plan, &store->plan->cells[index], store->record->options->cold);
    row.status = why->code == STATUS_FAIL ? CELL_FAIL : CELL_SKIP;
    memcpy(row.why, why->why, sizeof row.why);
    /* A cell that was expected to run and cannot leaves less to do. */
    progress_leave_out(&store->progress, store->prices[index]);
    return store_add(store, index, &row, false);
}

/* === Opening and closing ====================================================================== */

void store_close(RowStore *store) {
    journal_close(&store->journal);
    free(store->places);
    free(store->finished);
    free(store->prices);
    store->prices = NULL;
    store->places = NULL;
    store->finished = NULL;
}

/* Adds a row of the run that is resumed, which is written already. A finished one is the cell's
 * last; any other stands until its cell has run. */
static Status keep_row(RowStore *store, size_t index, Row *row) {
    const bool finished = resume_is_finished(row) || was_decided(index);
    STATUS_TRY(put_row(store, index, row));
    if (finished) {
        progress_leave_out(&store->progress, store->prices[index]);
        finish_cell(store, index, false);
    }
    return status_ok();
}

static Status keep_earlier_rows(RowStore *store) {
    for (size_t i = 0; store->earlier != NULL && i < store->plan->cell_count; i++) {
        const Row planned =
            plan_row(store->plan, &store->plan->cells[i], store->record->options->cold);
        Row row;
        if (resume_extract(store->earlier, &planned, &row)) {
            STATUS_TRY(keep_row(store, i, &row));
        }
    }
    return status_ok();
}

/* A file with fewer rows must not replace that of the earlier run. */
static Status check_all_kept(const RowStore *store) {
    const Row *left = NULL;
    size_t count = 0;
    for (size_t i = 0; store->earlier != NULL && i < store->earlier->results.count; i++) {
        const Row *row = &store->earlier->results.rows[i];
        if (row->algorithm != NULL && resume_is_sampled(row)) {
            left = count++ == 0 ? row : left;
        }
    }
    if (left == NULL) {
        return status_ok();
    }
    char name[CELL_NAME_SIZE];
    row_name(left, name, sizeof name);
    return status_make(STATUS_USAGE,
                       "%.100s holds %zu cell%s that this run would not have, such as %.120s; "
                       "resume with the inputs that it was started with, or start a new run",
                       store->record->options->resume, count, count == 1 ? "" : "s", name);
}

static Status set_prices(RowStore *store) {
    const RunOptions *options = store->record->options;
    History *history = calloc(1, sizeof *history); /* too large for a stack */
    double sum = 0;
    STATUS_MEMORY(history, "for the expected time");
    const WallPart before = wall_enter(WALL_ESTIMATES);
    if (store->first != NULL) {
        expect_known(store->plan, options->cold, &store->first->results, history);
    } else {
        expect_probe(options, store->plan, history);
    }
    wall_leave(before);
    for (size_t i = 0; i < store->plan->cell_count; i++) {
        store->prices[i] = expect_cell(options, store->plan, i, history);
        sum += store->prices[i];
    }
    for (int i = 0; i < 3 && options->launches > 0; i++) {
        store->launches[i] = expect_launch(options, store->plan, history, i + 1);
    }
    progress_expect(&store->progress, sum);
    free(history);
    return status_ok();
}

Status store_open(RowStore *store, FILE *notes) {
    const size_t count = store->plan->cell_count;
    const StoredRun *earlier = store->earlier;
    store->places = calloc(count, sizeof *store->places);
    store->finished = calloc(count, sizeof *store->finished);
    store->prices = calloc(count, sizeof *store->prices);
    if (store->places == NULL || store->finished == NULL || store->prices == NULL) {
        store_close(store);
        return status_no_memory("for the rows of the run");
    }
    store->started = clock_now();
    store->writes = write_clock_start(store->started);
    store->elapsed_before = earlier != NULL && isfinite(earlier->elapsed) ? earlier->elapsed : 0;
    throttling_begin(cpu_quota_here(), &store->throttling);
    if (earlier != NULL) {
        store->throttled_before = machine_throttling(&earlier->machine);
    }
    const size_t runnable = plan_runnable(store->plan);
    progress_start(&store->progress, notes, runnable, runnable,
                   store->record->options->quiet || call_trial() != NULL);
    Status status = store->progress.quiet ? status_ok() : set_prices(store);
    STATUS_THEN(status, keep_earlier_rows(store));
    STATUS_THEN(status, check_all_kept(store));
    if (!status_is_ok(&status)) {
        store_close(store);
    }
    return status;
}
