/* The command `bench plot`. */

#include "cli_internal.h"

#include <stdio.h>
#include <string.h>

#include "base.h"
#include "report.h"
#include "results.h"
#include "run.h"
#include "status.h"

/* Charts beside the results they show, whichever of folder and file was named. */
static Status draw_run(const char *given) {
    char folder[ATOMIC_FILE_PATH_SIZE], csv[ATOMIC_FILE_PATH_SIZE];
    const size_t length = strlen(given);
    const bool is_file = length > 4 && strcmp(given + length - 4, ".csv") == 0;
    STATUS_TRY(path_make(csv, sizeof csv, "%s%s", given, is_file ? "" : "/results.csv"));
    STATUS_TRY(guard_run(given));
    STATUS_TRY(path_folder(csv, folder, sizeof folder));
    STATUS_TRY(chart_folder_check(folder));
    Results results;
    size_t ignored;
    STATUS_TRY(results_csv_read(csv, &results, &ignored));
    if (ignored > 0) {
        visible_line(stderr,
                     "bench: note: %s: %zu rows are of algorithms, variants or axes that no longer "
                     "exist; no chart has them",
                     csv, ignored);
    }
    const Status status = run_charts_draw(&results, folder);
    results_release(&results);
    return status;
}

int command_plot(const Invocation *given) {
    if (given->first >= given->argc) {
        const Status status = status_make(
            STATUS_USAGE, "plot: name the folders of the runs to draw, or their results.csv");
        return command_error(&status);
    }
    for (int i = given->first; i < given->argc; i++) {
        if (strcmp(given->argv[i], "--help") == 0) {
            command_plot_help(stdout);
            return EXIT_OK;
        }
        const Status status =
            given->argv[i][0] == '-'
                ? status_make(STATUS_USAGE, "plot: unknown option '%.60s'; --help is the only one",
                              given->argv[i])
                : draw_run(given->argv[i]);
        if (!status_is_ok(&status)) {
            return command_error(&status);
        }
    }
    return EXIT_OK;
}

void command_plot_help(FILE *stream) {
    fputs("bench plot RUN...\n\n"
          "Draws the charts of stored runs again, beside their results, without measuring. RUN is "
          "the\n"
          "folder of a run or its results.csv: a run from a machine without gnuplot is drawn on "
          "one\n"
          "that has it.\n\n"
          "Examples\n"
          "  bench plot reports/runs/*\n",
          stream);
}
