/* The command `bench demo`: one small run and its page, beside a run that was measured on an H200,
 * so that the whole story is there without a GPU. It starts the commands `run` and `report`. */

#include "cli_internal.h"
#include "command_line.h"
#include "exit_code.h"
#include "paths.h"
#include "stored_run.h"
#include "terminal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "registry.h"
#include "run.h"
#include "run_options.h"
#include "text.h"
#include "verdict.h"

typedef struct DemoOptions {
    const char *out; /* NULL: <time>-demo in the folder of runs */
    bool force, quiet;
} DemoOptions;

typedef struct Demo {
    Invocation *given;
    bool force, quiet;
    char out[ATOMIC_FILE_PATH_SIZE];
    char stored[ATOMIC_FILE_PATH_SIZE]; /* folder of the H200's run; empty: not found */
} Demo;

/* === Steps ==================================================================================== */

/* Less than a minute with all that comes behind it; of the GPU the variants that tell the story. */
#define DEMO_VARIANTS "seq,simd,omp,cuda_naive,cuda_tiled,cuda_fast,cuda_streamed"
static const char *const run_words[] = {"--algo",     "lbp",         "--sizes", "360p,1080p,4K",
                                        "--variants", DEMO_VARIANTS, "--tile",  "16",
                                        "--budget",   "20s",         NULL};
/* Where OpenCV is installed; other libraries take most of the time at 4K. */
static const char *const peer_words[] = {"--variants", DEMO_VARIANTS ",opencv", NULL};

/* A text in lines of at most 80 columns. */
static void note(const Demo *demo, const char *text) {
    if (!demo->quiet) {
        fprintf(stderr, "\n%s\n", text);
    }
}

/* Starts a command as if it had been typed, its arguments first and `rest` behind them, both with
 * NULL behind the last. `code` is its exit code; it has printed its errors. */
static Status start(const Demo *demo, const Command *command, const char *const *words,
                    const char *const *rest, int *code) {
    ArgumentList list = {.argc = 0};
    const char *const name[] = {demo->given->argv[0], command->name, NULL};
    Status status = argument_list_add_all(&list, name);
    STATUS_THEN(status, argument_list_add_all(&list, words));
    STATUS_THEN(status, argument_list_add_all(&list, rest));
    if (status_is_ok(&status)) {
        const ArgumentList typed = {.argc = list.argc - 1, .argv = list.argv + 1};
        char line[COMMAND_LINE_SIZE];
        command_line_text(&typed, line, sizeof line);
        if (!demo->quiet) {
            visible_line(stderr, "  bench %s", line);
        }
        Invocation call = {.argc = list.argc, .argv = list.argv, .first = 2, .code = EXIT_OK};
        *code = command_start(command, &call);
    }
    argument_list_release(&list);
    return status;
}

static Status measure(const Demo *demo, int *code) {
    const char *rest[] = {"--out", demo->out, NULL, NULL, NULL, NULL, NULL};
    size_t count = 2;
    const Status peer =
        registry_variant_available(registry_find_variant(registry_find_algorithm("lbp"), "opencv"));
    for (size_t i = 0; status_is_ok(&peer) && peer_words[i] != NULL; i++) {
        rest[count++] = peer_words[i];
    }
    if (demo->force) {
        rest[count++] = "--force";
    }
    if (demo->quiet) {
        rest[count] = "--quiet";
    }
    note(demo, "1 of 3: measure local binary patterns (lbp) on the processors of this machine,\n"
               "at three sizes, in several launches. The output of each variant is compared with\n"
               "that of the plain one before it is timed. This takes about 20 seconds.");
    if (!status_is_ok(&peer) && !demo->quiet) {
        visible_line(stderr, "bench: note: %s; the run has no other people's code", peer.why);
    }
    return start(demo, &command_run, run_words, rest, code);
}

static Status write_page(const Demo *demo, int *code) {
    const bool both = demo->stored[0] != '\0';
    const char *const runs[] = {demo->out, both ? demo->stored : NULL, NULL};
    const char *const title = both ? "lbp on this machine and on an H200" : "lbp on this machine";
    const char *const rest[] = {"--title", title, "--out", demo->out, NULL};
    note(demo, both ? "3 of 3: write one page with both runs, this machine first."
                    : "3 of 3: write the page of this run.");
    return start(demo, &command_report, runs, rest, code);
}

/* === What the stored run found ================================================================ */

/* The first row of lbp; NULL: there is none. */
static const Row *row_of_lbp(const Results *results) {
    const Algorithm *algorithm = registry_find_algorithm("lbp");
    for (size_t i = 0; i < results->count; i++) {
        if (results->rows[i].algorithm == algorithm) {
            return &results->rows[i];
        }
    }
    return NULL;
}

static void print_finding(const StoredRun *run) {
    const Row *row = row_of_lbp(&run->results);
    char processor[NUMBER_WORDS_SIZE];
    RunVerdict verdict = {.count = 0};
    const Status status = row != NULL ? verdict_of(&run->results, row, &verdict) : status_ok();
    machine_short_name(machine_cpu(&run->machine), processor);
    putchar('\n');
    flow_line(stdout, 2, "%s", status_is_ok(&status) ? verdict.finding : status.why);
    flow_line(stdout, 2, "%s against %s, %.0f processors, %.10s", stored_run_gpus(run), processor,
              machine_processors(&run->machine), run->started);
}

/* Without the stored run the demo goes on: a line says so. */
static void show_stored(Demo *demo) {
    static const DataFolder runs = {.variable = "BENCH_RESULTS_DIR",
                                    .installed = "results/h200",
                                    .source = "reports/results/h200",
                                    .holds = "lbp/results.json.gz",
                                    .what = "the results of the H200"};
    char folder[DATA_FOLDER_PATH_SIZE], path[ATOMIC_FILE_PATH_SIZE];
    static StoredRun run;
    note(demo, "2 of 3: read the run of the same algorithm that was measured on an H200.");
    Status status = data_folder_find(&runs, folder, sizeof folder);
    STATUS_THEN(status, path_make(demo->stored, sizeof demo->stored, "%s/lbp", folder));
    STATUS_THEN(status, stored_run_path(demo->stored, path, sizeof path));
    STATUS_THEN(status, stored_run_read(path, &run));
    if (!status_is_ok(&status)) {
        demo->stored[0] = '\0';
        visible_line(stderr, "bench: note: %s; the page has this machine alone", status.why);
        return;
    }
    char *whole = realpath(demo->stored, NULL); /* to be typed, without ".." in it */
    if (whole != NULL) {
        (void)path_make(demo->stored, sizeof demo->stored, "%s", whole);
    }
    free(whole);
    stored_run_derive(&run);
    print_finding(&run);
    stored_run_release(&run);
}

/* === Command demo ============================================================================= */

/* A program that was started by its path is not found by its name. */
static void print_next(const char *program) {
    if (strchr(program, '/') != NULL) {
        fputs("\nNext, where bench is ", stdout);
        text_visible_print(stdout, program);
        fputc('\n', stdout);
    } else {
        puts("\nNext");
    }
    puts("  bench run --algo lbp --sizes all                 every variant, 360p to 16K\n"
         "  bench run --algo lbp --input photo.jpg           your own image\n"
         "  bench study lbp-2020 --quick                     what a paper measured, beside ours");
}

static Status demo(Invocation *given, void *of) {
    const DemoOptions *options = of;
    Demo all = {.given = given, .quiet = options->quiet, .force = options->force};
    if (options->out != NULL) {
        STATUS_TRY(path_make(all.out, sizeof all.out, "%s", options->out));
    } else {
        run_folder_choose("-demo", all.out, sizeof all.out);
    }
    STATUS_TRY(measure(&all, &given->code));
    if (given->code != EXIT_OK) {
        return status_ok();
    }
    show_stored(&all);
    STATUS_TRY(write_page(&all, &given->code));
    if (given->code == EXIT_OK) {
        print_next(given->argv[0]);
    }
    return status_ok();
}

#define MEMBER(name) .member = offsetof(DemoOptions, name)

static const Option option_rows[] = {
    {"out", "DIR",
     "folder of the run and its page. Default: <time>-demo in the folder of runs (BENCH_RUNS)",
     .takes = TAKES_FOLDER, .kind = OPTION_TEXT, MEMBER(out)},
    FORCE_OPTION(MEMBER(force)),
    {"quiet", NULL, "nothing on standard error but errors", .kind = OPTION_SET, MEMBER(quiet)},
    OPTIONS_END};

const Command command_demo = {
    .name = "demo",
    .summary = "a small run and its page, beside a run on an H200, in a minute",
    .usage = "bench demo [options]",
    .about = "Measures lbp at three sizes in less than a minute, prints the results, and writes "
             "one page with this run and with the run of the same algorithm on an H200 that comes "
             "with the program: without a GPU that one shows what a GPU gains and loses. The "
             "commands it uses are printed, to be typed again with other options. The H200's run "
             "is found beside the installed program or in the source tree; BENCH_RESULTS_DIR can "
             "name the folder of such runs.",
    .examples = "bench demo\n"
                "bench demo --out demo\n",
    .rows = option_rows,
    .size = sizeof(DemoOptions),
    .run = demo,
    .measures = true,
};
