/* The commands `bench run`, `selftest` and `roof`. */

#include "cli_internal.h"
#include "noise_floor.h"
#include "paths.h"
#include "report.h"
#include "run_options.h"
#include "spread_files.h"
#include "stored_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ceilings_file.h"
#include "compare.h"
#include "progress.h"
#include "run.h"
#include "text.h"
#include "wall_time.h"

/* A launch of a run is no run. */
static void note_run(const RunOptions *options, const char *folder, int code) {
    if ((code == EXIT_OK || code == EXIT_WRONG) && !options->dry_run && options->pass == 0) {
        last_run_note(folder);
    }
}

/* === Baseline ================================================================================= */

/* `bench run --baseline RUN`: a run that is compared with a stored one as soon as it is made. */

/* Too large for a stack. */
typedef struct Baseline {
    RunOptions options;
    const Machine *machine;
    char folder[ATOMIC_FILE_PATH_SIZE]; /* of the run */
    Results results;
    MeasuredRun before, now, again; /* again: the stored cells, by the old program in turns */
} Baseline;

/* STATUS_SKIP with an empty reason: the run has printed why it ended with `*code`. One that ended
 * because cells failed is compared. */
static Status measure_now(Baseline *baseline, int *code) {
    Status status = runner_run(&baseline->options, baseline->machine, &baseline->results, code);
    if (!status_is_ok(&status)) {
        command_error(&status);
    }
    note_run(&baseline->options, baseline->folder, *code);
    const bool measured = *code == EXIT_OK || *code == EXIT_WRONG;
    status = measured && !baseline->options.dry_run && call_trial() == NULL
                 ? measured_run_of_results(&baseline->results, baseline->machine, &baseline->now)
                 : status_skip("%s", "");
    if (status_is_ok(&status) && *code == EXIT_WRONG &&
        measured_run_failure(&baseline->now) == NULL) {
        status = status_skip("%s", "");
    }
    results_release(&baseline->results);
    return status;
}

static Status print_comparison(const Baseline *baseline, int *code) {
    const RunOptions *options = &baseline->options;
    const CompareCriteria criteria = {.alpha = options->alpha, .threshold = options->threshold};
    Comparison comparison;
    STATUS_TRY(comparison_make(&baseline->before, &baseline->now, &criteria, false, &comparison));
    fputs(options->baseline_program != NULL
              ? "\nBoth sides were measured now, in turns.\n"
              : "\nThe old side was not measured again: a difference may be the day's.\n",
          stdout);
    const Status status = compare_print_table(stdout, &comparison);
    *code = comparison_exit_code(&comparison, options->strict);
    comparison_release(&comparison);
    return status;
}

/* The stored cells as the old program has measured them now, beside the run. */
static Status read_again(Baseline *baseline) {
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_make(path, sizeof path, "%s/baseline", baseline->folder));
    STATUS_TRY(measured_run_read(path, &baseline->again));
    const Status status = measured_run_keep(&baseline->again, &baseline->before);
    measured_run_release(&baseline->before);
    baseline->before = baseline->again;
    return status;
}

static Status run_and_compare(Baseline *baseline, int *code) {
    const RunOptions *options = &baseline->options;
    STATUS_TRY(measured_run_read(options->baseline, &baseline->before));
    const Status same = machine_comparable(&baseline->before.machine, baseline->machine);
    if (!status_is_ok(&same)) {
        return status_make(STATUS_USAGE,
                           "--baseline: %.100s is of another machine or build: %.240s",
                           options->baseline, same.why);
    }
    STATUS_TRY(measure_now(baseline, code));
    if (options->baseline_program != NULL) {
        STATUS_TRY(read_again(baseline));
    }
    return print_comparison(baseline, code);
}

/*
 * Reads the baseline, runs the request and compares. A baseline of another machine or build is
 * refused before anything is measured. With --baseline-program the stored run only says which cells
 * are compared: that program's launches alternate with those of the run. Prints the table of the
 * comparison after that of the run. Returns the exit code of the run, or of the comparison when the
 * run succeeded, and prints what went wrong.
 */
static int baseline_run(const RunOptions *options, const Machine *machine, const char *folder) {
    Baseline *baseline = calloc(1, sizeof *baseline);
    if (baseline == NULL) {
        const Status status = status_no_memory("for the baseline");
        return command_error(&status);
    }
    snprintf(baseline->folder, sizeof baseline->folder, "%s", folder);
    baseline->options = *options;
    baseline->machine = machine;
    int code = EXIT_OK;
    Status status = run_and_compare(baseline, &code);
    if (!status_is_ok(&status) && status.code != STATUS_SKIP) {
        code = command_error(&status);
    }
    measured_run_release(&baseline->before);
    measured_run_release(&baseline->now);
    free(baseline);
    return code;
}

/* === Command run ============================================================================== */

/* Whether the process that was ended has stored results there: it may have been ended before it
 * said so. With --force they may be those that are to be replaced. */
static bool has_begun_results(const RunOptions *request, const char *folder) {
    char path[ATOMIC_FILE_PATH_SIZE];
    const Status status = stored_run_in(folder, path, sizeof path);
    return supervisor_kept(KEPT_RESULTS) != NULL ||
           (request->again && !request->force && status_is_ok(&status) && access(path, F_OK) == 0);
}

/* The folder of the run, which a process that was ended may have begun. */
static Status choose_folder(RunOptions *request, char folder[ATOMIC_FILE_PATH_SIZE]) {
    const char *begun = supervisor_kept(KEPT_FOLDER);
    request->again = begun != NULL;
    if (begun != NULL) {
        STATUS_TRY(path_make(folder, ATOMIC_FILE_PATH_SIZE, "%s", begun));
    } else {
        STATUS_TRY(run_folder_path(request, folder, ATOMIC_FILE_PATH_SIZE));
        supervisor_keep(KEPT_FOLDER, folder);
    }
    if (request->resume == NULL && has_begun_results(request, folder)) {
        request->resume = folder;
    } else if (request->resume == NULL) {
        request->out = folder;
        request->force |= request->again; /* files that were begun are of the process that ended */
    }
    return status_ok();
}

static int run_in_folder(const RunOptions *request, const Machine *machine, const char *folder) {
    static Results results;
    int code = EXIT_OK;
    const Status status = runner_run(request, machine, &results, &code);
    note_run(request, folder, code);
    results_release(&results);
    if (!status_is_ok(&status)) {
        command_error(&status);
    }
    return code;
}

static int run_request(const RunOptions *options) {
    const Status writable = output_targets_check(options);
    if (!status_is_ok(&writable)) {
        return command_error(&writable);
    }
    static Machine machine;
    const WallPart before = wall_enter(WALL_START);
    machine_read(&machine);
    wall_leave(before);
    for (size_t i = 0; i < options->algorithm_count; i++) {
        machine_add_module(&machine, options->algorithms[i]);
    }
    RunOptions request = *options;
    request.draw = run_charts_draw;
    request.draw_histogram = histogram_draw;
    char folder[ATOMIC_FILE_PATH_SIZE];
    const Status chosen = choose_folder(&request, folder);
    if (!status_is_ok(&chosen)) {
        return command_error(&chosen);
    }
    const int code = options->baseline != NULL ? baseline_run(&request, &machine, folder)
                                               : run_in_folder(&request, &machine, folder);
    run_folder_leave(options, folder);
    return code;
}

/* A request that is not on the command line as it is: its record is what it is printed as. */
static Status run_changed(Invocation *given, RunOptions *options) {
    Status status = options_print(options, &options->given, &options->arguments);
    options->program = given->argv[0];
    if (status_is_ok(&status)) {
        given->code = run_request(options);
    }
    argument_list_release(&options->arguments);
    return status;
}

/* `bench run --resume DIR`: the stored request, then what is given now. */
static Status run_resumed(Invocation *given, const RunOptions *now) {
    ArgumentList stored;
    RunOptions options;
    Status status = resume_request(now->resume, &now->given, given->argc - given->first,
                                   given->argv + given->first, &stored, &options);
    STATUS_THEN(status, options_complete(&options, &options.given));
    if (status_is_ok(&status) && options.algorithm_count == 0) {
        status = status_make(STATUS_USAGE,
                             "--resume: '%.200s' does not name its algorithms; give the arguments "
                             "of the run again",
                             now->resume);
    }
    STATUS_THEN(status, run_changed(given, &options));
    argument_list_release(&stored);
    return status;
}

static Status run(Invocation *given, void *of) {
    RunOptions *options = of;
    if (options->list) {
        return list_show(stdout, options);
    }
    if (options->resume != NULL && options->algorithm_count == 0) {
        return run_resumed(given, options);
    }
    /* A share is recorded by its number, which a later command finds no scheduler to ask for. */
    if (options->share.count > 0) {
        return run_changed(given, options);
    }
    options->program = given->argv[0];
    options->arguments = (ArgumentList){.argc = given->argc - 1, .argv = given->argv + 1};
    given->code = run_request(options);
    return status_ok();
}

const Command command_run = {
    .name = "run",
    .summary = "verify and measure; the default command",
    .usage = "bench [run] --algo NAME[,NAME...]|all [options]\n"
             "bench [run] FILE.c|FILE.cpp|FILE.cu|FILE.py [options]",
    .about = "Plans the sweep, verifies every variant against the sequential one, measures the "
             "correct ones, prints a summary, and writes results.csv, results.json and charts "
             "into a folder. '--option value' and '--option=value' are the same; the last of a "
             "repeated option counts. FILE is an algorithm of your own in C, C++ or CUDA, which "
             "'bench new-algorithm' writes: it is compiled when it, or what it includes, has "
             "changed. Exit code 5 when the compiler refuses it. A file of Python (FILE.py) has "
             "functions "
             "that are marked with @bench.variant.",
    .examples = "bench --algo lbp --sizes all\n"
                "bench --algo lbp --sizes 1080p,4K --variants seq,simd,omp --threads 1,2,4\n"
                "bench --algo lbp --input photo.jpg --save answers --out runs/photo\n"
                "bench --algo lbp --sizes 640x480 --synthetic noise --reps 20 --no-plot\n"
                "bench --algo haar --images 1000,10000 --side 28\n"
                "bench --algo haar --input train-images-idx3-ubyte.gz --images all\n"
                "bench --algo lbp --sizes all --dry-run\n"
                "bench --resume runs/photo\n"
                "bench run blur.cu --sizes all\n",
    .notes = "'bench list NAME' has the axes of an algorithm. Threads are pinned: without "
             "OMP_PROC_BIND or OMP_PLACES in the environment, "
             "OMP_PROC_BIND=close and OMP_PLACES=cores are used. Set either to choose otherwise.",
    .rows = run_option_rows,
    .more_rows = run_axis_rows,
    .scope = SCOPE_RUN,
    .size = sizeof(RunOptions),
    .defaults = &run_defaults,
    .check = run_options_check,
    .run = run,
    .meant = word_meant,
    .brief = true,
    .measures = true,
};

/* === Command selftest ========================================================================= */

enum { PATH_SIZE = 4096 };

static double percent(size_t part, size_t whole) {
    return 100.0 * (double)part / (double)whole;
}

static Status print_table(const SelftestResult *result) {
    TextTable table = TEXT_TABLE(WORDS("cell"), NUMBERS("pairs"), NUMBERS("not 1"),
                                 NUMBERS("beyond 5%"), NUMBERS("median"), NUMBERS("95th"));
    for (size_t i = 0; i < result->count; i++) {
        const NoiseCell *cell = &result->cells[i];
        text_table_put(&table, "%s", cell->name);
        text_table_put(&table, "%zu", cell->pairs);
        text_table_put(&table, "%.1f%%", percent(cell->excluding_one, cell->pairs));
        text_table_put(&table, "%.1f%%", percent(cell->beyond_threshold, cell->pairs));
        text_table_put(&table, "%.2f%%", 100 * cell->typical);
        text_table_put(&table, "%.2f%%", 100 * cell->floor);
    }
    text_entry(
        stdout, 0, "", 0,
        "Each cell against itself: how often the interval of the ratio does not contain 1, how "
        "often all of it is beyond 5%, and how far the ratio is from 1 (median and 95th "
        "percentile)");
    putchar('\n');
    return text_table_end(&table, stdout, table_print);
}

static void write_date(char date[SPREAD_DATE_SIZE]) {
    struct tm utc;
    const time_t now = time(NULL);
    gmtime_r(&now, &utc);
    strftime(date, SPREAD_DATE_SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

static Status store(const SelftestResult *result) {
    static Machine machine;
    char path[PATH_SIZE], measured[SPREAD_DATE_SIZE];
    machine_read(&machine);
    write_date(measured);
    STATUS_TRY(noise_floor_path(&machine, path, sizeof path));
    STATUS_TRY(noise_floor_write(path, measured, SELFTEST_THRESHOLD, result->cells, result->count));
    visible_line(stdout, "%s", path);
    return status_ok();
}

static Status selftest_pairs(const RunOptions *options) {
    SelftestResult result;
    Status status = selftest_run(options, stderr, &result);
    STATUS_THEN(status, print_table(&result));
    if (status_is_ok(&status)) {
        printf("\nnoise floor of this machine: %.2f%%\n",
               100 * noise_floor_of(result.cells, result.count));
        status = store(&result);
        fflush(stdout);
        warnings_again(stderr);
    }
    selftest_release(&result);
    return status;
}

/* --- Launches --------------------------------------------------------------------------------- */

/* Of the run that measures the launches. Unless the algorithm is given: from a microsecond to a
 * tenth of a second, on one thread, on all and on the GPU; omp on `threads` threads. */
static Status launches_request(const Invocation *given, const RunOptions *now, char *threads,
                               const char *folder, RunOptions *options) {
    char *usual[] = {"--algo",     "lbp",
                     "--variants", "seq,simd,omp,cuda_fast",
                     "--sizes",    "64x64,256x256,1024x1024,2048x2048,4096x4096",
                     "--threads",  threads};
    static const char *const own[] = {"no-roof", "no-plot", "all", "out"};
    OptionsGiven *is_given = &options->given;
    options_start(&command_selftest, options, is_given);
    if (!options_was_given(&now->given, "algo")) {
        const bool one = strcmp(threads, "1") == 0 || options_was_given(&now->given, "variants");
        STATUS_TRY(options_read(one ? 6 : 8, usual, options, is_given));
    }
    STATUS_TRY(
        options_read(given->argc - given->first, given->argv + given->first, options, is_given));
    is_given->command = &command_run;
    options->roof = options->plot = false;
    options->all = true;
    options->out = folder;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        options_give(is_given, own[i]);
    }
    return options_complete(options, is_given);
}

static void put_share(TextTable *table, double share) {
    char text[SIGNIFICANT_SIZE];
    percent_text(share, share < 0.1 ? 1 : 0, text);
    text_table_put(table, "%s", text);
}

/* A change that is found more rarely than this is not seen. */
static const double power_least = 0.8;
static const double power_usual = 0.9;

static Status print_spreads(const LaunchSpread *spread) {
    TextTable table = TEXT_TABLE(WORDS("processor"), WORDS("kernel time"), NUMBERS("cells"),
                                 NUMBERS("run to run"), NUMBERS("found in 80%"),
                                 NUMBERS("found in 90%"), WORDS("measured"));
    for (size_t kind = 0; kind < SPREAD_KINDS; kind++) {
        for (size_t decade = 0; decade < SPREAD_CLASSES; decade++) {
            const Spread *pool = &spread->of[kind][decade];
            if (pool->degrees > 0) {
                text_table_put(&table, "%s", spread_kind_name(kind));
                text_table_put(&table, "%s", spread_class_name(decade));
                text_table_put(&table, "%zu", pool->cells);
                put_share(&table, pool->value);
                put_share(&table, spread_smallest_change(pool->value, power_least));
                put_share(&table, spread_smallest_change(pool->value, power_usual));
                text_table_put(&table, "%.10s", pool->measured);
            }
        }
    }
    printf("\nRun to run: standard deviation of the logarithms of launch medians. Found: the "
           "smallest change that\n%d launches a side find in 80%% or 90%% of comparisons of one "
           "cell (Mann-Whitney test, alpha %.2f)\n\n",
           SPREAD_LAUNCHES_A_SIDE, SPREAD_ALPHA);
    return text_table_end(&table, stdout, table_print);
}

enum { LINE_SIZE = 1024 };

/* Names the classes in which a regression of SELFTEST_THRESHOLD cannot be seen. */
static void print_unseen(const LaunchSpread *spread) {
    char text[LINE_SIZE];
    size_t unseen = 0;
    snprintf(text, sizeof text, "A regression of %.0f%% cannot be seen on this machine in: ",
             100 * SELFTEST_THRESHOLD);
    for (size_t kind = 0; kind < SPREAD_KINDS; kind++) {
        for (size_t decade = 0; decade < SPREAD_CLASSES; decade++) {
            const Spread *pool = &spread->of[kind][decade];
            if (pool->degrees > 0 &&
                spread_smallest_change(pool->value, power_least) > SELFTEST_THRESHOLD) {
                text_append(text, sizeof text, "%s%s, %s", unseen > 0 ? "; " : "",
                            spread_kind_name(kind), spread_class_name(decade));
                unseen++;
            }
        }
    }
    if (unseen == 0) {
        snprintf(text, sizeof text,
                 "A regression of %.0f%% can be seen on this machine in all of these",
                 100 * SELFTEST_THRESHOLD);
    }
    text_entry(stdout, 0, "", 0, text);
}

static Status store_spread(const Machine *machine, const Results *results) {
    LaunchSpread spread;
    char path[PATH_SIZE], measured[SPREAD_DATE_SIZE];
    write_date(measured);
    selftest_spread(results, measured, &spread);
    launch_spread_keep(&machine->spread, &spread);
    STATUS_TRY(print_spreads(&spread));
    print_unseen(&spread);
    STATUS_TRY(launch_spread_path(machine, path, sizeof path));
    STATUS_TRY(launch_spread_write(path, &spread));
    visible_line(stdout, "%s", path);
    return status_ok();
}

static Status measure_launches(Invocation *given, const Machine *machine,
                               const RunOptions *options) {
    static Results results;
    Status status = runner_run(options, machine, &results, &given->code);
    if (status.code == STATUS_INTERRUPTED) {
        status = status_make(STATUS_INTERRUPTED, "interrupted; no spread was stored");
    } else {
        STATUS_THEN(status, store_spread(machine, &results));
    }
    results_release(&results);
    return status;
}

static Status selftest_launches(Invocation *given, const RunOptions *now) {
    static Machine machine;
    char folder[PATH_SIZE], threads[16];
    RunOptions options;
    machine_read(&machine);
    run_folder_choose("-selftest", folder, sizeof folder);
    snprintf(threads, sizeof threads, "%d", machine.cpu_count);
    Status status = launches_request(given, now, threads, folder, &options);
    STATUS_THEN(status, options_print(&options, &options.given, &options.arguments));
    STATUS_THEN(status, measure_launches(given, &machine, &options));
    argument_list_release(&options.arguments);
    return status;
}

static Status selftest(Invocation *given, void *of) {
    const RunOptions *options = of;
    return options->launches > 1 ? selftest_launches(given, options) : selftest_pairs(options);
}

const Command command_selftest = {
    .name = "selftest",
    .family = "machine",
    .summary = "compare variants with themselves: false alarms and noise floor of this machine",
    .usage = "bench machine selftest [options]\n"
             "bench machine selftest --launches [N] [options]",
    .about = "Measures the same variant twice, as a run would, and compares it with itself, "
             "--pairs times. A comparison that finds a difference is a false alarm; the 95th "
             "percentile of |ratio - 1| is the noise floor of this machine. It is stored in the "
             "cache folder ($XDG_CACHE_HOME/bench, or else ~/.cache/bench) and with every later "
             "run. Run it under the conditions of the measurements. Without "
             "options: lbp, simd and cuda_fast, at 1080p, --max-time 1s. With --launches it "
             "measures how far launches of the program lie apart, by processor and duration, and "
             "which changes that hides; the column 'run to run' of later runs of one launch shows "
             "it. Without options: lbp, seq, simd, omp and cuda_fast, at 64x64 to 4096x4096.",
    .examples = "bench machine selftest\n"
                "bench machine selftest --launches\n"
                "bench machine selftest --algo lbp --variants omp --sizes 4K --pairs 200\n",
    .rows = run_option_rows,
    .more_rows = run_axis_rows,
    .scope = SCOPE_SELFTEST,
    .size = sizeof(RunOptions),
    .defaults = &run_defaults,
    .check = run_options_check,
    .run = selftest,
    .meant = word_meant,
    .measures = true,
};

/* === Command roof ============================================================================= */

static Status print(const RunOptions *options, const Ceilings *ceilings) {
    if (ceilings->count == 0) {
        return status_skip("no ceiling could be measured");
    }
    if (options->format == ROOF_JSON) {
        return ceilings_print_json(stdout, ceilings);
    }
    return ceilings_print(stdout, ceilings);
}

static Status roof(Invocation *given, void *of) {
    const RunOptions *options = of;
    (void)given;
    static Machine machine;
    static Ceilings ceilings;
    machine_read(&machine);
    roofs_read(&machine, options->fresh, ROOFS_ATTEMPTS, options->quiet ? NULL : stderr, &ceilings);
    return print(options, &ceilings);
}

const Command command_roof = {
    .name = "roof",
    .family = "machine",
    .summary = "measure the ceilings of this machine: bandwidth, transfers, arithmetic",
    .usage = "bench machine roof [options]",
    .about =
        "Measures the ceilings of this machine: copies within each cache and memory, on one "
        "CPU thread, on all threads and on the GPU; transfers to the GPU; arithmetic; and the same "
        "of 2, 4 ... and all GPUs at once, with copies between them and all-reduces by NCCL. No "
        "variant can be faster. Ceilings that contradict each other, or were measured on a busy "
        "machine, are measured again and not stored. Stored ones are measured again after a "
        "week, on a machine or devices that changed, or with --fresh.",
    .examples = "bench machine roof\n"
                "bench machine roof --device 0,1\n"
                "bench machine roof --fresh --format json\n",
    .rows = run_option_rows,
    .scope = SCOPE_ROOF,
    .size = sizeof(RunOptions),
    .defaults = &run_defaults,
    .check = run_options_check,
    .run = roof,
    .measures = true,
};
