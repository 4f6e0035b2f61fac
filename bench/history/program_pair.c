/* Two programs that are measured in turns. */

#include "child_process.h"
#include "clock.h"
#include "commands.h"
#include "history_internal.h"
#include "paths.h"
#include "progress.h"
#include "python.h"
#include "run_options.h"
#include "stored_run.h"
#include "supervisor.h"
#include "two_runs.h"
#include "zygote.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const side_names[SIDES] = {[SIDE_OLD] = "old", [SIDE_NEW] = "new"};

typedef struct Turns {
    const ProgramPair *pair;
    MeasuredRun *runs;
    Progress progress;
    int launches;                       /* of each side; with a budget not known at first */
    char folder[ATOMIC_FILE_PATH_SIZE]; /* of the launch */
    char results[ATOMIC_FILE_PATH_SIZE];
} Turns;

/* === How many ================================================================================= */

/* Launches of a side that have an interval, at least. */
static int fewest_pairs(size_t cells, double alpha) {
    int pairs = MEDIAN_INTERVAL_MIN;
    while (pairs < LAUNCHES_MAX && !(mann_whitney_least_p((size_t)pairs, (size_t)pairs) <
                                     alpha / (double)(cells > 0 ? cells : 1))) {
        pairs++;
    }
    return pairs;
}

int pairs_of_budget(double budget, double first, double later, size_t cells, double alpha) {
    const int least = fewest_pairs(cells, alpha);
    const double room = 1 + floor((budget - first) / fmax(later, 1e-3));
    return room < least ? least : room < LAUNCHES_MAX ? (int)room : LAUNCHES_MAX;
}

/* Pairs whose times say how long the others will take. */
enum { TIMED_PAIRS = 2 };

static void choose_launches(Turns *turns, double first, double later) {
    const ProgramPair *pair = turns->pair;
    const size_t old = turns->runs[SIDE_OLD].count, now = turns->runs[SIDE_NEW].count;
    const size_t cells = old > now ? old : now;
    turns->launches = pairs_of_budget(pair->budget, first, later, cells, pair->alpha);
    const bool over = first + (turns->launches - 1) * later > pair->budget &&
                      turns->launches == fewest_pairs(cells, pair->alpha);
    progress_replan(&turns->progress, (size_t)turns->launches * SIDES,
                    (turns->launches - TIMED_PAIRS) * later);
    if (pair->notes != NULL) {
        char text[200];
        snprintf(text, sizeof text, "budget: %d pairs of launches%s", turns->launches,
                 over ? ", the fewest that can show a change of one cell; they take longer than it"
                      : "");
        progress_note(&turns->progress, text);
    }
}

/* === One launch =============================================================================== */

/* The command line of one process: its own request, and what is measured. */
static Status write_arguments(const ProgramPair *pair, int side, RunOptions *own,
                              ArgumentList *list) {
    const char *module = pair->builds[side]->module;
    if (module[0] != '\0') {
        options_give_value(&own->given, "plugin", module);
    }
    own->plot = false;
    options_give(&own->given, "no-plot");
    STATUS_TRY(argument_list_add(list, "bench"));
    STATUS_TRY(options_print(own, &own->given, list));
    return pair->request->words.argc > 0
               ? argument_list_add_all(list, (const char *const *)pair->request->words.argv)
               : status_ok();
}

/* The request of one launch. With a budget each takes the share of samples that the most launches
 * have, so that all take the same. */
static Status launch_arguments(const Turns *turns, int side, int launch, ArgumentList *list) {
    const ProgramPair *pair = turns->pair;
    char first[ATOMIC_FILE_PATH_SIZE];
    RunOptions own = pair->request->run;
    own.pass = launch;
    own.launches = pair->budget > 0 ? LAUNCHES_MAX : pair->launches;
    options_give(&own.given, "pass");
    own.out = turns->folder;
    options_give(&own.given, "out");
    own.quiet = true;
    options_give(&own.given, "quiet");
    if (launch > 1) {
        STATUS_TRY(
            path_make(first, sizeof first, "%.4000s/%s/launch-1", pair->folder, side_names[side]));
        own.first = first;
        options_give(&own.given, "first");
    }
    return write_arguments(pair, side, &own, list);
}

static const char modules_variable[] = "BENCH_PATH";

/* Modules of the person's own are none of the commit's, and may have the same names: their places,
 * to be given to show_modules. NULL: there are none. */
static char *hide_modules(const CommitBuild *build) {
    const char *places = build->module[0] != '\0' ? getenv(modules_variable) : NULL;
    char *own = places != NULL ? strdup(places) : NULL;
    if (own != NULL) {
        unsetenv(modules_variable);
    }
    return own;
}

static void show_modules(char *places) {
    if (places != NULL) {
        setenv(modules_variable, places, 1);
        free(places);
    }
}

/* `last` NULL: its streams are ours. A module's launches are this program's, and may be forked. */
static Status start_program(const ProgramPair *pair, int side, const ArgumentList *list,
                            LastLine *last, ChildEnd *end) {
    const CommitBuild *build = pair->builds[side];
    const bool own = build->module[0] != '\0';
    char *places = hide_modules(build);
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const ChildProcess process = {.program = own ? program_again() : build->program,
                                  .arguments = (const char *const *)list->argv,
                                  .output = nothing,
                                  .saves = true,
                                  .take = last != NULL ? keep_last_line : NULL,
                                  .context = last};
    zygote_choose((size_t)side);
    const Status status =
        own && last != NULL ? supervised_run(&process, end) : child_process_run(&process, end);
    zygote_choose(0);
    show_modules(places);
    if (nothing >= 0) {
        close(nothing);
    }
    STATUS_TRY(status);
    return end->error == 0
               ? status_ok()
               : status_fail("%.200s cannot be started: %s", process.program, strerror(end->error));
}

/* === Files of Python ========================================================================== */

/* What is imported is imported once for all launches of the side, where that takes long. */
static Status start_zygote(const ProgramPair *pair, int side) {
    ArgumentList list = {.argc = 0};
    if (!python_file_is_named(pair->builds[side]->module)) {
        return status_ok();
    }
    RunOptions own = pair->request->run;
    Status status = write_arguments(pair, side, &own, &list);
    if (status_is_ok(&status)) {
        char *places = hide_modules(pair->builds[side]);
        zygote_choose((size_t)side);
        zygote_want(list.argv);
        char *text = zygote_next_text();
        if (text == NULL || !python_file_forks(text)) {
            zygote_end(); /* the launches say what is wrong */
        }
        free(text);
        zygote_choose(0);
        show_modules(places);
    }
    argument_list_release(&list);
    return status;
}

static void end_zygotes(void) {
    for (size_t side = 0; side < SIDES; side++) {
        zygote_choose(side);
        zygote_end();
    }
    zygote_choose(0);
}

/* === All launches ============================================================================= */

static Status run_program(const Turns *turns, int side, int launch, const ArgumentList *list) {
    ChildEnd end;
    LastLine last = {.length = 0};
    STATUS_TRY(start_program(turns->pair, side, list, &last, &end));
    /* A cell that failed is in the results, and the comparison says so. Later launches leave it
     * out, and have nothing to measure where all failed. */
    const bool known = measured_run_failure(&turns->runs[side]) != NULL;
    const bool failed = (end.code == EXIT_WRONG || (end.code == EXIT_NO_SAMPLE && known)) &&
                        access(turns->results, F_OK) == 0;
    return end.code == EXIT_OK || failed
               ? status_ok()
               : status_make(end.code == EXIT_NO_SAMPLE ? STATUS_SKIP : STATUS_FAIL,
                             "launch %d of the %s program ended with exit code %d: %.250s", launch,
                             side_names[side], end.code, last.text);
}

static Status add_launch(const Turns *turns, int side) {
    MeasuredRun *launch = calloc(1, sizeof *launch);
    STATUS_MEMORY(launch, "for a launch");
    Status status = measured_run_read(turns->folder, launch);
    if (status_is_ok(&status)) {
        status = measured_run_join(&turns->runs[side], launch);
        measured_run_release(launch);
    }
    free(launch);
    return status;
}

static Status measure_launch(Turns *turns, int side, int launch) {
    char name[64];
    ArgumentList list = {.argc = 0};
    const double began = clock_now();
    STATUS_TRY(path_make(turns->folder, sizeof turns->folder, "%.4000s/%s/launch-%d",
                         turns->pair->folder, side_names[side], launch));
    STATUS_TRY(path_in(turns->folder, "results.json", turns->results, sizeof turns->results));
    STATUS_TRY(folder_make_for(turns->folder));
    stored_run_remove(turns->folder);
    if (launch <= TIMED_PAIRS && turns->pair->budget > 0) {
        snprintf(name, sizeof name, "%s, launch %d", side_names[side], launch);
    } else {
        snprintf(name, sizeof name, "%s, launch %d of %d", side_names[side], launch,
                 turns->launches);
    }
    progress_show(&turns->progress, name, NULL);
    Status status = launch_arguments(turns, side, launch, &list);
    STATUS_THEN(status, run_program(turns, side, launch, &list));
    argument_list_release(&list);
    STATUS_THEN(status, add_launch(turns, side));
    progress_done(&turns->progress, turns->pair->budget > 0 ? clock_now() - began : 1);
    return status;
}

/* The old program first in every other pair. */
static Status measure_all(Turns *turns) {
    double first = 0;
    for (int launch = 1; launch <= turns->launches; launch++) {
        const double began = clock_now();
        for (int turn = 0; turn < SIDES; turn++) {
            STATUS_TRY(measure_launch(turns, (turn + launch + 1) % SIDES, launch));
        }
        const double seconds = clock_now() - began;
        first = launch == 1 ? seconds : first;
        if (launch == TIMED_PAIRS && turns->pair->budget > 0) {
            choose_launches(turns, first, seconds);
        }
    }
    return status_ok();
}

/* Before anything is measured: what the person wrote may name what is not there. Of the commit's
 * own program it is known. */
static Status check_new(const ProgramPair *pair) {
    ChildEnd end = {.code = EXIT_OK};
    LastLine last = {.length = 0};
    ArgumentList list = {.argc = 0};
    if (pair->builds[SIDE_NEW]->module[0] == '\0') {
        return status_ok();
    }
    RunOptions own = pair->request->run;
    own.dry_run = true;
    options_give(&own.given, "dry-run");
    Status status = write_arguments(pair, SIDE_NEW, &own, &list);
    STATUS_THEN(status, start_program(pair, SIDE_NEW, &list, &last, &end));
    argument_list_release(&list);
    STATUS_TRY(status);
    const char *message = command_message(last.text);
    const char *why = message != NULL ? message : last.text;
    return end.code == EXIT_USAGE      ? status_make(STATUS_USAGE, "%s", why)
           : end.code == EXIT_NO_MATCH ? status_make(STATUS_NO_MATCH, "%s", why)
                                       : status_ok();
}

Status program_pair_run_new(const ProgramPair *pair, int *code) {
    ChildEnd end = {.code = EXIT_OK};
    char folder[ATOMIC_FILE_PATH_SIZE];
    ArgumentList list = {.argc = 0};
    STATUS_TRY(path_make(folder, sizeof folder, "%.4000s/%s", pair->folder, side_names[SIDE_NEW]));
    stored_run_remove(folder);
    RunOptions own = pair->request->run;
    own.out = folder;
    options_give(&own.given, "out");
    Status status = write_arguments(pair, SIDE_NEW, &own, &list);
    if (status_is_ok(&status)) {
        fflush(stdout);
        status = start_program(pair, SIDE_NEW, &list, NULL, &end);
    }
    argument_list_release(&list);
    *code = end.code;
    return status;
}

Status program_pair_measure(const ProgramPair *pair, MeasuredRun runs[SIDES]) {
    Turns turns = {.pair = pair, .runs = runs, .launches = pair->launches};
    const size_t launches = (size_t)pair->launches * SIDES;
    for (int side = 0; side < SIDES; side++) {
        runs[side] = (MeasuredRun){.count = 0};
        STATUS_TRY(path_make(runs[side].path, sizeof runs[side].path, "%.4000s/%s", pair->folder,
                             side_names[side]));
    }
    STATUS_TRY(check_new(pair));
    Status status = start_zygote(pair, SIDE_OLD);
    STATUS_THEN(status, start_zygote(pair, SIDE_NEW));
    if (status_is_ok(&status)) {
        progress_start(&turns.progress, pair->notes, launches, launches, pair->notes == NULL);
        status = measure_all(&turns);
        progress_end(&turns.progress);
    }
    end_zygotes();
    if (!status_is_ok(&status)) {
        measured_run_release(&runs[SIDE_OLD]);
        measured_run_release(&runs[SIDE_NEW]);
    }
    return status;
}
