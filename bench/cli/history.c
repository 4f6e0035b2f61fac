/* The command `bench ci history`. */

#include "cli_internal.h"
#include "files.h"
#include "paths.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "history.h"
#include "list.h"
#include "text.h"

#define HISTORY_FOLDER "bench-history"

/* === Options ================================================================================== */

typedef struct HistoryOptions {
    const char *verb; /* "add"; NULL: show */
    OptionTexts runs;
    const char *folder, *html, *commit, *repository;
    double alpha;
    int32_t last; /* commits */
} HistoryOptions;

/* Without a RUN the last one is added. */
static Status add_last(OptionTexts *runs) {
    const char *last = LAST_RUN;
    STATUS_TRY(run_find(LAST_RUN, &last));
    LIST_ADD(NULL, runs->texts, runs->count, runs->capacity, "runs", last);
    return status_ok();
}

static Status check(void *of, const OptionsGiven *given) {
    HistoryOptions *options = of;
    if (options->verb != NULL && strcmp(options->verb, "add") != 0) {
        return status_make(
            STATUS_USAGE,
            "history: '%.60s' is neither nothing nor add; write bench ci history, or "
            "bench ci history add RUN",
            options->verb);
    }
    if (options->verb != NULL && options->runs.count == 0) {
        STATUS_TRY(add_last(&options->runs));
    }
    if (options->verb != NULL && options->html != NULL) {
        return status_make(STATUS_USAGE, "--html shows a history; add does not take it");
    }
    if (options->verb == NULL && options_was_given(given, "commit")) {
        return status_make(STATUS_USAGE, "--commit is of history add");
    }
    return status_ok();
}

#define MEMBER(name) .member = offsetof(HistoryOptions, name)

static const char *const verbs[] = {"add", NULL};

static const Option option_rows[] = {
    {NULL, "add", NULL, .words = verbs, .kind = OPTION_TEXT, MEMBER(verb)},
    {NULL, "RUN", NULL, .kind = OPTION_RUNS, MEMBER(runs), .most = SIZE_MAX},
    {"folder", "DIR", "the history: a file for each machine and build. Default: " HISTORY_FOLDER,
     .takes = TAKES_FOLDER, .kind = OPTION_TEXT, MEMBER(folder)},
    {"html", "FILE", "write a page with a chart for each cell", .kind = OPTION_OUTPUT,
     MEMBER(html)},
    {"alpha", "RATIO", "the largest p of a change point. Default: 5%", .kind = OPTION_RATIO,
     MEMBER(alpha)},
    {"last", "N", "how many of the newest commits of a cell are looked at. Default: 200",
     .kind = OPTION_INT, MEMBER(last), .least = 1, .most = 2000},
    {"commit", "HASH", "add: the commit that was measured. Default: as the run says",
     .kind = OPTION_TEXT, MEMBER(commit)},
    {"repo", "DIR",
     "add: the git repository that knows the commit's time, which orders the commits; unknown "
     "there, the date of the run does. Default: the current folder",
     .takes = TAKES_FOLDER, .kind = OPTION_TEXT, MEMBER(repository)},
    OPTIONS_END};

/* === Adding =================================================================================== */

static Status add_run(const HistoryOptions *options, const char *run) {
    HistoryAdded added;
    const HistoryAddition addition = {.folder = options->folder,
                                      .run = run,
                                      .commit = options->commit,
                                      .repository = options->repository};
    STATUS_TRY(history_add(&addition, stderr, &added));
    if (added.added == 0) {
        visible_line(stdout, "%s: the history has this run of %zu cell%s already; nothing added",
                     run, added.known, added.known == 1 ? "" : "s");
    } else {
        visible_line(stdout, "%s: commit %.12s, %zu cell%s added to %s", run, added.commit,
                     added.added, added.added == 1 ? "" : "s", added.path);
    }
    return status_ok();
}

/* === Showing ================================================================================== */

typedef struct Shown {
    MachineHistory *histories;
    HistoryView *views;
    size_t count;
} Shown;

static Status read_one(const HistoryOptions *options, const char *path, Shown *shown) {
    MachineHistory *history = &shown->histories[shown->count];
    STATUS_TRY(history_read(path, stderr, history));
    const Status status =
        history_view(history, options->alpha, (size_t)options->last, &shown->views[shown->count]);
    if (!status_is_ok(&status)) {
        history_release(history);
        return status;
    }
    shown->count++;
    return status_ok();
}

static Status print(const HistoryOptions *options, const Shown *shown) {
    size_t cells = 0;
    for (size_t i = 0; i < shown->count; i++) {
        cells += shown->views[i].count;
    }
    if (cells == 0) {
        return status_make(STATUS_NO_MATCH,
                           "the history in %.200s has no cell; bench ci history add RUN adds some",
                           options->folder);
    }
    for (size_t i = 0; i < shown->count; i++) {
        if (shown->views[i].count > 0) {
            fputs(i > 0 ? "\n" : "", stdout);
            STATUS_TRY(history_print(stdout, &shown->views[i]));
        }
    }
    if (options->html != NULL) {
        STATUS_TRY(history_page_write(shown->views, shown->count, options->html));
        visible_line(stdout, "%s", options->html);
    }
    return status_ok();
}

static Status show_files(const HistoryOptions *options, const PathList *paths) {
    Shown shown = {.histories = calloc(paths->count + 1, sizeof *shown.histories),
                   .views = calloc(paths->count + 1, sizeof *shown.views)};
    Status status = shown.histories != NULL && shown.views != NULL
                        ? status_ok()
                        : status_no_memory("for %zu histories", paths->count);
    for (size_t i = 0; i < paths->count && status_is_ok(&status); i++) {
        status = input_guard_add(paths->paths[i]);
        STATUS_THEN(status, read_one(options, paths->paths[i], &shown));
    }
    STATUS_THEN(status, print(options, &shown));
    for (size_t i = 0; i < shown.count; i++) {
        history_view_release(&shown.views[i]);
        history_release(&shown.histories[i]);
    }
    free(shown.histories);
    free(shown.views);
    return status;
}

static Status show(const HistoryOptions *options) {
    PathList paths = {.count = 0};
    if (!folder_exists(options->folder)) {
        return status_make(STATUS_FILE,
                           "%.200s: there is no history in this folder yet; 'bench ci history add "
                           "RUN' begins one",
                           options->folder);
    }
    Status status = history_files(options->folder, &paths);
    STATUS_THEN(status, show_files(options, &paths));
    path_list_release(&paths);
    return status;
}

/* === Command history ========================================================================== */

static Status history(Invocation *given, void *of) {
    const HistoryOptions *options = of;
    (void)given;
    if (options->verb == NULL) {
        return show(options);
    }
    for (size_t i = 0; i < options->runs.count; i++) {
        STATUS_TRY(add_run(options, options->runs.texts[i]));
    }
    return status_ok();
}

static const HistoryOptions defaults = {
    .folder = HISTORY_FOLDER, .repository = ".", .alpha = 0.05, .last = 200};

const Command command_history = {
    .name = "history",
    .family = "ci",
    .summary = "times over commits, and the commits that changed them",
    .usage = "bench ci history [--html FILE] [options]\n"
             "bench ci history add [RUN...] [--folder DIR] [--commit HASH]",
    .about =
        "Keeps the medians of the launches of stored runs by commit, as JSON lines in a folder, "
        "and shows one line per cell: how many commits, the last time, and where the times "
        "changed. A change point is the first commit of a new level: E-divisive (Matteson and "
        "James 2014) on all launches of each commit, with a permutation test over whole commits. "
        "A clear step is found with four commits on either side, five and three, or nine and two. "
        "A run that is added again adds nothing. Cells of copy and other roofs are stored and "
        "shown last.",
    .examples = "bench ci history add runs/main --folder bench-history\n"
                "bench ci history --folder bench-history --html history.html\n",
    .words = "add and runs",
    .rows = option_rows,
    .size = sizeof(HistoryOptions),
    .defaults = &defaults,
    .check = check,
    .run = history,
};
