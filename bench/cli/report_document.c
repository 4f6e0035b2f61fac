#include "report_document.h"

#include <stdlib.h>
#include <string.h>

#include "report_paths.h"
#include "text_list.h"
#include "visible.h"

enum { LOWEST_HEADING = 4, NUMBER_ROOM = 16, DEFAULT_SEED = 1 };

/* --- Reading ---------------------------------------------------------------------------------- */

static bool is_taken(const ReportRuns *runs, size_t index) {
    for (size_t i = 0; i < index; i++) {
        if (strcmp(runs->names[i], runs->names[index]) == 0) {
            return true;
        }
    }
    return false;
}

/* The seed that the run resampled with. */
static uint64_t seed_of(const StoredRun *stored) {
    const OverviewRun run = {.stored = stored};
    char value[NUMBER_ROOM * 2];
    return run_argument(&run, "--seed", value, sizeof value) ? strtoull(value, NULL, 10)
                                                             : DEFAULT_SEED;
}

/* Files keep no verdicts on the behaviour of samples: they are derived again. */
static Status read_run(const char *run, StoredRun *stored) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(report_run_file(run, path));
    STATUS_TRY(stored_run_read(path, stored));
    if (stored->results.count > 0) {
        results_derive(&stored->results, seed_of(stored));
        return status_ok();
    }
    const size_t ignored = stored->ignored;
    stored_run_release(stored);
    return ignored > 0 ? status_skip("%.200s has no rows but %zu of algorithms, variants or axes "
                                     "that this version does not have",
                                     path, ignored)
                       : status_skip("%.200s has no rows: nothing was measured", path);
}

static bool has_namesake(const ReportRuns *runs, size_t index) {
    for (size_t i = 0; i < runs->count; i++) {
        if (i != index && strcmp(runs->names[i], runs->names[index]) == 0) {
            return true;
        }
    }
    return false;
}

/* Where two are called alike, their paths tell them apart, and a number where the path is the same.
 */
static void name_runs(const ReportOptions *options, ReportRuns *runs) {
    bool alike[REPORT_RUNS_MAX];
    for (size_t i = 0; i < runs->count; i++) {
        report_run_name(options->runs[i], runs->names[i], REPORT_NAME_SIZE);
    }
    for (size_t i = 0; i < runs->count; i++) {
        alike[i] = has_namesake(runs, i);
    }
    for (size_t i = 0; i < runs->count; i++) {
        if (alike[i]) {
            text_visible(options->runs[i], runs->names[i], REPORT_NAME_SIZE - NUMBER_ROOM);
        }
        if (alike[i] && is_taken(runs, i)) {
            text_append(runs->names[i], REPORT_NAME_SIZE, " (%zu)", i + 1);
        }
    }
}

Status report_runs_read(const ReportOptions *options, ReportRuns *runs) {
    *runs = (ReportRuns){.stored = calloc(options->run_count, sizeof *runs->stored),
                         .names = calloc(options->run_count, sizeof *runs->names)};
    Status status = runs->stored != NULL && runs->names != NULL
                        ? status_ok()
                        : status_skip("no memory left for %zu runs", options->run_count);
    while (status_is_ok(&status) && runs->count < options->run_count) {
        status = read_run(options->runs[runs->count], &runs->stored[runs->count]);
        runs->count += status_is_ok(&status) ? 1 : 0;
    }
    if (!status_is_ok(&status)) {
        report_runs_release(runs);
        return status;
    }
    name_runs(options, runs);
    return status_ok();
}

void report_runs_release(ReportRuns *runs) {
    for (size_t i = 0; i < runs->count; i++) {
        stored_run_release(&runs->stored[i]);
    }
    free(runs->stored);
    free(runs->names);
    *runs = (ReportRuns){.stored = NULL};
}

/* --- Building --------------------------------------------------------------------------------- */

/* Blocks from `first` on are those of one run among several: their headings go one level down, and
 * the names of their files begin with the run's number, so that no two runs write the same file. */
static void put_below(Document *document, size_t first, size_t number) {
    for (size_t i = first; i < document->count; i++) {
        Block *block = &document->blocks[i];
        if (block->kind == BLOCK_HEADING && block->level < LOWEST_HEADING) {
            block->level++;
        } else if (block->kind == BLOCK_TABLE) {
            block->table->name = document_text(document, "run%zu-%s", number, block->table->name);
        } else if (block->kind == BLOCK_CHART) {
            block->chart->name = document_text(document, "run%zu-%s", number, block->chart->name);
        }
    }
}

static void add_contents(const ReportRuns *runs, Document *document) {
    document_add(document, BLOCK_PARAGRAPH, "%zu runs, one after the other:", runs->count);
    for (size_t i = 0; i < runs->count; i++) {
        const StoredRun *stored = &runs->stored[i];
        const Fact *processor = machine_fact(&stored->machine, "cpu_model");
        const Fact *device = machine_fact(&stored->machine, "gpu_model");
        document_add(document, BLOCK_ITEM, "%s: %zu cells, started %s%s%s%s%s", runs->names[i],
                     stored->results.count, stored->started, processor != NULL ? ", on " : "",
                     processor != NULL ? processor->text : "", device != NULL ? " with " : "",
                     device != NULL ? device->text : "");
    }
}

static void add_runs(const ReportRuns *runs, Document *document) {
    if (runs->count > 1) {
        add_contents(runs, document);
    }
    for (size_t i = 0; i < runs->count; i++) {
        const OverviewRun run = {.stored = &runs->stored[i], .name = runs->names[i]};
        if (runs->count > 1) {
            document_heading(document, 2, run.name);
        }
        const size_t first = document->count;
        overview_build(&run, document);
        if (runs->count > 1) {
            put_below(document, first, i + 1);
        }
    }
}

static void make_title(const ReportOptions *options, const ReportRuns *runs, char *title,
                       size_t size) {
    if (options->title != NULL) {
        snprintf(title, size, "%s", options->title);
    } else if (options->diff) {
        snprintf(title, size, "%s and %s side by side", runs->names[0], runs->names[1]);
    } else if (runs->count == 1) {
        snprintf(title, size, "Benchmark report: %s", runs->names[0]);
    } else {
        snprintf(title, size, "Benchmark report of %zu runs", runs->count);
    }
}

void report_document_build(const ReportOptions *options, const ReportRuns *runs,
                           Document *document) {
    char title[4 * REPORT_NAME_SIZE];
    make_title(options, runs, title, sizeof title);
    document_open(document, title);
    if (options->diff) {
        const OverviewRun a = {.stored = &runs->stored[0], .name = runs->names[0]};
        const OverviewRun b = {.stored = &runs->stored[1], .name = runs->names[1]};
        overview_diff_build(&a, &b, document);
    } else {
        add_runs(runs, document);
    }
}
