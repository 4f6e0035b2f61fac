/* What the machine remembers of runs, for the rows of one. */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "fnv.h"
#include "machine.h"
#include "paths.h"
#include "results.h"
#include "results_internal.h"
#include "run_options.h"
#include "run_record.h"
#include "spread_files.h"

enum { PATH_SIZE = 4096 };

/* === Applying ================================================================================= */

/* What the machine remembers, and the same without runs that are minutes apart: these say nothing
 * of another hour, so that an interval by them alone is still one of its time. */
typedef struct Known {
    const LaunchSpread *all;
    LaunchSpread far;
    double elapsed;
} Known;

/* End-to-end times are those of the kernel where nothing is transferred. */
static LaunchMemory memory_of(const Known *known, const Row *row, size_t series, double seconds) {
    const SpreadKind time = spread_kind_of(row->threads, series > 0);
    const SpreadKind ratio = spread_ratio_of(row->threads, series > 0);
    const bool reaches = run_spread_width(&known->far, time, seconds) > 0;
    const double width = run_spread_width(known->all, time, seconds);
    return (LaunchMemory){.time = width > 0 ? width
                                            : width_of_close_launches(row_series_of(row, series)),
                          .ratio = run_spread_width(known->all, ratio, seconds),
                          .within = reaches ? 0 : known->elapsed};
}

void memory_apply(const RunRecord *record, Results *results) {
    const size_t launches = results_launches(results);
    const bool close = launches > 1 && record->elapsed < LAUNCHES_APART * ((double)launches - 1);
    Known known = {.all = &record->machine->spread,
                   .far = record->machine->spread,
                   .elapsed = record->elapsed};
    memset(known.far.runs[RUNS_MINUTES], 0, sizeof known.far.runs[RUNS_MINUTES]);
    for (size_t i = 0; i < results->count; i++) {
        Row *row = &results->rows[i];
        row_complete_summaries(row);
        const double seconds[ROW_TIMES] = {row->kernel_summary.median,
                                           row->end_to_end_summary.median,
                                           row->with_alloc_summary.median};
        for (size_t series = 0; series < ROW_TIMES; series++) {
            const LaunchMemory nothing = {.time = 0};
            const bool several = samples_launches(row_series_of(row, series)) > 1;
            const LaunchMemory memory =
                close && several ? memory_of(&known, row, series, seconds[series]) : nothing;
            row_set_memory(row, series, &memory);
        }
    }
}

/* === Adding =================================================================================== */

/* What measures: the build, since a program that was built anew may be another of the same commit,
 * and the options that change times and are in no row. */
static uint64_t hash_of_program(const RunRecord *record) {
    const Machine *machine = record->machine;
    char id[MACHINE_ID_SIZE];
    struct stat info = {.st_size = 0};
    machine_id(machine, id);
    uint64_t hash = fnv_bytes(FNV_START, id, strlen(id));
    for (size_t i = 0; i < machine->count; i++) {
        const Fact *fact = &machine->facts[i];
        if (fact->identity && fact->kind == FACT_TEXT) {
            hash = fnv_bytes(hash, fact->text, strlen(fact->text) + 1);
        }
    }
    hash = fnv_bytes(hash, &record->options->pinned, sizeof record->options->pinned);
    hash = fnv_bytes(hash, &record->options->interleave, sizeof record->options->interleave);
    if (stat(program_again(), &info) == 0) {
        hash = fnv_bytes(hash, &info.st_size, sizeof info.st_size);
        hash = fnv_bytes(hash, &info.st_mtim, sizeof info.st_mtim);
    }
    return hash;
}

/* As row_same_cell, with the input itself; and which of its numbers. */
static uint64_t hash_of_cell(const Row *row, const char *number, uint64_t program) {
    char name[CELL_NAME_SIZE], rest[128];
    row_name(row, name, sizeof name);
    snprintf(rest, sizeof rest, "%" PRId32 "x%" PRId32 " %" PRId32 " %d %d %016" PRIx64 " %s",
             row->width, row->height, row->images, row->cold, row->weak, row->input_hash, number);
    return fnv_bytes(fnv_bytes(program, name, strlen(name) + 1), rest, strlen(rest));
}

enum { ROW_TIMES_MOST = 6 };

static bool may_be_remembered(Ratio ratio) {
    return isfinite(ratio.value) && ratio.value != 1 && ratio.disturber == DISTURBER_NONE;
}

/* Both times and their speedups. A speedup of exactly 1 is that of a cell over itself. What was
 * disturbed would widen the intervals of runs that are not. */
static size_t times_of_row(const Row *row, uint64_t program, RunTime times[ROW_TIMES_MOST]) {
    const Summary *summaries[] = {&row->kernel_summary, &row->end_to_end_summary};
    const Ratio ratios[][2] = {
        {ROW_RATIO(row, speedup), ROW_RATIO(row, speedup_vs_best_cpu)},
        {ROW_RATIO(row, speedup_end_to_end), ROW_RATIO(row, speedup_end_to_end_vs_best_cpu)},
    };
    static const char *const names[][3] = {
        {"time", "over seq", "over CPU"},
        {"end to end", "end to end over seq", "end to end over CPU"}};
    size_t count = 0;
    for (size_t i = 0; i < (row->threads == 0 ? 2 : 1); i++) {
        const double seconds = summaries[i]->median;
        if (row->status != CELL_OK ||
            row_disturber(row, i > 0 ? TIME_END_TO_END : TIME_KERNEL) != DISTURBER_NONE ||
            samples_launches(row_series_of(row, i)) < REMEMBERED_LAUNCHES_MIN) {
            continue;
        }
        times[count++] = (RunTime){.cell = hash_of_cell(row, names[i][0], program),
                                   .kind = spread_kind_of(row->threads, i > 0),
                                   .seconds = seconds,
                                   .value = seconds};
        for (size_t k = 0; k < 2; k++) {
            if (may_be_remembered(ratios[i][k])) {
                times[count++] = (RunTime){.cell = hash_of_cell(row, names[i][k + 1], program),
                                           .kind = spread_ratio_of(row->threads, i > 0),
                                           .seconds = seconds,
                                           .value = ratios[i][k].value};
            }
        }
    }
    return count;
}

Status memory_add(const RunRecord *record, const Results *results) {
    char path[PATH_SIZE];
    if (record->options->pass > 0 || results_launches(results) < REMEMBERED_LAUNCHES_MIN) {
        return status_ok();
    }
    STATUS_TRY(launch_spread_path(record->machine, path, sizeof path));
    RunTime *times = malloc((results->count + 1) * ROW_TIMES_MOST * sizeof *times);
    STATUS_MEMORY(times, "for the times of the run");
    const uint64_t program = hash_of_program(record);
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        count += times_of_row(&results->rows[i], program, &times[count]);
    }
    const double began = (double)time(NULL) - record->elapsed;
    const Status status = run_times_add(path, floor(began), times, count);
    free(times);
    return status;
}
