#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "exit_codes.h"
#include "options_parse.h"
#include "output_target.h"
#include "registry.h"
#include "runner.h"
#include "sizes.h"

/* Bytes per second of the fastest verified row; NAN without one. `threads` is 0 on a device. */
static double best_rate(const Results *results, const Backend *backend, int threads,
                        const char *size_name) {
    double best = NAN;
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        const bool here = row->variant->backend == backend && row->threads == threads &&
                          strcmp(row->size_name, size_name) == 0;
        const double rate = row->cost.bytes / row->kernel_summary.median;
        if (here && row->status == CELL_OK && row->verified && !(rate <= best)) {
            best = rate;
        }
    }
    return best;
}

static int most_threads(const Results *results) {
    int most = 1;
    for (size_t i = 0; i < results->count; i++) {
        most = results->rows[i].threads > most ? results->rows[i].threads : most;
    }
    return most;
}

static void print_rate(double rate) {
    if (isnan(rate)) {
        printf("%18s", "-");
    } else {
        printf("%18.1f", rate / 1e9);
    }
}

static void print_ceilings(const RunOptions *options, const Results *results) {
    const int threads = most_threads(results);
    char many[32];
    snprintf(many, sizeof many, "CPU, %d threads", threads);
    printf("\nCopy ceilings, GB/s (bytes read and written, median)\n");
    printf("%-12s%18s%18s%18s\n", "size", "CPU, 1 thread", many, "GPU");
    for (size_t i = 0; i < options->size_count; i++) {
        const char *size_name = options->sizes[i].name;
        printf("%-12s", size_name);
        print_rate(best_rate(results, &cpu_backend, 1, size_name));
        print_rate(best_rate(results, &cpu_backend, threads, size_name));
        print_rate(best_rate(results, &cuda_backend, 0, size_name));
        putchar('\n');
    }
}

static Status roof_request(const Invocation *given, RunOptions *options, OptionsAction *action) {
    STATUS_TRY(options_parse(SCOPE_ROOF, given->argc - given->first, given->argv + given->first,
                             options, action));
    const Algorithm *copy = registry_find_algorithm("copy");
    if (copy == NULL) {
        return status_make(STATUS_NO_MATCH, "this program was built without the algorithm copy");
    }
    options->algorithms[0] = copy;
    options->algorithm_count = 1;
    options->plot = false;
    options->argc = given->argc;
    options->argv = given->argv;
    /* One size for the caches and two for the memory behind them. */
    return options->size_count > 0
               ? status_ok()
               : sizes_parse("1080p,4K,8K", options->sizes, &options->size_count);
}

int command_roof(const Invocation *given) {
    RunOptions options;
    OptionsAction action;
    Status status = roof_request(given, &options, &action);
    if (!status_is_ok(&status)) {
        return command_error(&status);
    }
    if (action == OPTIONS_HELP) {
        command_roof_help(stdout);
        return EXIT_OK;
    }
    status = output_targets_check(&options);
    if (!status_is_ok(&status)) {
        return command_error(&status);
    }
    Machine machine;
    machine_read(&machine);
    Results results = {.rows = NULL};
    int code = EXIT_OK;
    status = runner_run(&options, &machine, &results, &code);
    if (status_is_ok(&status)) {
        print_ceilings(&options, &results);
    } else {
        command_error(&status);
    }
    results_release(&results);
    return code;
}
