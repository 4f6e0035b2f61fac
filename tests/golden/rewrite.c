/* Reads a stored run, derives its numbers and writes its CSV and JSON again: for golden.sh. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_options.h"
#include "run_record.h"
#include "status.h"
#include "stored_run.h"

static Status rewrite(const char *csv, const char *json, StoredRun *stored) {
    char *words[] = {"--algo", "golden", NULL};
    const RunOptions options = {.arguments = {.argc = 2, .argv = words}, .seed = 1};
    RunRecord record = {.options = &options,
                        .machine = &stored->machine,
                        .elapsed = stored->elapsed,
                        .timer_overhead_cpu = NAN,
                        .timer_overhead_cuda = NAN,
                        .complete = stored->complete,
                        .planned = stored->results.count};
    memcpy(record.started, stored->started, sizeof record.started);
    results_derive(&stored->results, options.seed);
    STATUS_TRY(report_csv(csv, &record, &stored->results));
    return report_json(json, &record, &stored->results);
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fputs("usage: rewrite RUN CSV JSON\n", stderr);
        return EXIT_FAILURE;
    }
    static StoredRun stored;
    char path[4096];
    Status status = stored_run_path(argv[1], path, sizeof path);
    if (status_is_ok(&status)) {
        status = stored_run_read(path, &stored);
    }
    if (status_is_ok(&status)) {
        status = rewrite(argv[2], argv[3], &stored);
        stored_run_release(&stored);
    }
    if (!status_is_ok(&status)) {
        fprintf(stderr, "rewrite: %s\n", status.why);
    }
    return status_is_ok(&status) ? EXIT_SUCCESS : EXIT_FAILURE;
}
