/* The command `bench plot`. */

#include "cli_internal.h"
#include "paths.h"
#include "report.h"
#include "run_record.h"
#include "stored_run.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gnuplot.h"
#include "run.h"
#include "text.h"

/* The bars of several launches come from their samples, which only the JSON beside the CSV has.
 * False where it is missing or cannot be read: then the CSV has to do. */
static bool read_launches(const Results *results, const char *folder, StoredRun *stored) {
    char path[ATOMIC_FILE_PATH_SIZE];
    bool several = false;
    for (size_t i = 0; i < results->count; i++) {
        several |= results->rows[i].kernel_summary.launches > 1;
    }
    if (!several) {
        return false;
    }
    Status status = stored_run_in(folder, path, sizeof path);
    STATUS_THEN(status, stored_run_read(path, stored));
    if (!status_is_ok(&status)) {
        return false;
    }
    stored_run_derive(stored);
    return true;
}

/* Charts beside the results they show, whichever of folder and file was named. */
static Status draw_run(const char *given) {
    char folder[ATOMIC_FILE_PATH_SIZE], csv[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(text_ends(given, ".csv") ? path_make(csv, sizeof csv, "%s", given)
                                        : path_make(csv, sizeof csv, "%s/results.csv", given));
    STATUS_TRY(guard_run(given));
    STATUS_TRY(path_folder(csv, folder, sizeof folder));
    STATUS_TRY(chart_folder_check(folder));
    static Results results;
    size_t ignored;
    STATUS_TRY(results_csv_read(csv, &results, &ignored));
    if (ignored > 0) {
        char what[ROWS_IGNORED_SIZE];
        rows_ignored_text(ignored, what);
        visible_line(stderr, "bench: note: %s: %s; no chart has them", csv, what);
    }
    static StoredRun stored;
    const bool launches = read_launches(&results, folder, &stored);
    RunCharts drawn;
    const Status status = run_charts_draw(launches ? &stored.results : &results, folder, &drawn);
    if (status_is_ok(&status)) {
        visible_line(stdout, "%s: %zu chart%s, each as .svg and .png", folder, drawn.count,
                     drawn.count == 1 ? "" : "s");
    }
    if (launches) {
        stored_run_release(&stored);
    }
    results_release(&results);
    return status;
}

typedef struct PlotOptions {
    OptionTexts runs;
} PlotOptions;

static Status plot(Invocation *given, void *of) {
    const PlotOptions *options = of;
    (void)given;
    for (size_t i = 0; i < options->runs.count; i++) {
        STATUS_TRY(draw_run(options->runs.texts[i]));
    }
    return status_ok();
}

static const Option option_rows[] = {{NULL, "RUN", NULL, .kind = OPTION_RUNS,
                                      .member = offsetof(PlotOptions, runs), .most = SIZE_MAX,
                                      .otherwise = LAST_RUN},
                                     OPTIONS_END};

const Command command_plot = {
    .name = "plot",
    .family = "runs",
    .summary = "draw the charts of stored runs again",
    .usage = "bench runs plot [RUN...]",
    .about = "Draws the charts of stored runs again, beside their results, without measuring, and "
             "says how many there are. RUN "
             "is the folder of a run or its results.csv, without it the last run: a run from a "
             "machine without gnuplot is "
             "drawn on one that has it.",
    .examples = "bench runs plot latest runs/lbp\n",
    .words = "the runs to draw",
    .rows = option_rows,
    .size = sizeof(PlotOptions),
    .run = plot,
};
