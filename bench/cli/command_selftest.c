#include <stdio.h>
#include <time.h>

#include "commands.h"
#include "exit_codes.h"
#include "options_parse.h"
#include "selftest.h"
#include "visible.h"

enum { PATH_SIZE = 4096 };

static double percent(size_t part, size_t whole) {
    return 100.0 * (double)part / (double)whole;
}

static void print_table(const SelftestResult *result) {
    printf("\nEach cell against itself: how often the interval of the ratio does not hold 1, how "
           "often all of\nit is beyond %.0f%%, and how far the ratio is from 1 (median and 95th "
           "percentile)\n\n",
           100 * SELFTEST_THRESHOLD);
    printf("%-42s %6s %10s %10s %8s %8s\n", "cell", "pairs", "not 1", "beyond 5%", "median",
           "95th");
    for (size_t i = 0; i < result->count; i++) {
        const NoiseCell *cell = &result->cells[i];
        visible_line(stdout, "%-42s %6zu %9.1f%% %9.1f%% %7.2f%% %7.2f%%", cell->name, cell->pairs,
                     percent(cell->excluding_one, cell->pairs),
                     percent(cell->beyond_threshold, cell->pairs), 100 * cell->typical,
                     100 * cell->floor);
    }
}

static Status store(const SelftestResult *result) {
    static Machine machine;
    char path[PATH_SIZE];
    char measured[32];
    struct tm utc;
    const time_t now = time(NULL);
    machine_read(&machine);
    STATUS_TRY(noise_floor_path(&machine, path, sizeof path));
    gmtime_r(&now, &utc);
    strftime(measured, sizeof measured, "%Y-%m-%dT%H:%M:%SZ", &utc);
    STATUS_TRY(noise_floor_write(path, measured, SELFTEST_THRESHOLD, result->cells, result->count));
    visible_line(stdout, "%s", path);
    return status_ok();
}

static int run(const RunOptions *options) {
    SelftestResult result;
    Status status = selftest_run(options, stderr, &result);
    if (status_is_ok(&status)) {
        print_table(&result);
        printf("\nnoise floor of this machine: %.2f%%\n",
               100 * noise_floor_of(result.cells, result.count));
        status = store(&result);
    }
    selftest_release(&result);
    return status_is_ok(&status) ? EXIT_OK : command_error(&status);
}

int command_selftest(const Invocation *given) {
    RunOptions options;
    OptionsAction action;
    const Status status = options_parse(SCOPE_SELFTEST, given->argc - given->first,
                                        given->argv + given->first, &options, &action);
    if (!status_is_ok(&status)) {
        return command_error(&status);
    }
    if (action == OPTIONS_HELP) {
        command_selftest_help(stdout);
        return EXIT_OK;
    }
    return run(&options);
}

void command_selftest_help(FILE *stream) {
    fputs("bench selftest [options]\n\n"
          "Measures the same variant twice, as a run would, and compares it with itself, --pairs "
          "times. A\n"
          "comparison that finds a difference is a false alarm; the 95th percentile of |ratio - 1| "
          "is the\n"
          "noise floor of this machine. It is kept in the folder for caches "
          "($XDG_CACHE_HOME/bench, or else\n"
          "~/.cache/bench) and stored with every later run. Best done on the machine as it will be "
          "used.\n"
          "Without options: lbp, simd and cuda_fast, at 1080p, --max-time 1s.\n\n"
          "Examples\n"
          "  bench selftest\n"
          "  bench selftest --algo lbp --variants omp --sizes 4K --pairs 200\n",
          stream);
    options_print_help(stream, SCOPE_SELFTEST);
}
