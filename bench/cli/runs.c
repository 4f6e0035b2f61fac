/* The commands `bench runs`: the stored runs, the newest first; and `bench machine`. */

#include "algorithm.h"
#include "cli_internal.h"
#include "command_line.h"
#include "commands.h"
#include "files.h"
#include "paths.h"
#include "stored_run.h"
#include "terminal.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "json.h"
#include "list.h"
#include "text.h"
#include "utf8.h"
#include "verdict.h"

enum { RUNS_SHOWN = 20, NAME_MOST = 36, MACHINE_MOST = 12, NARROW = 72, DATE_SIZE = 32, DAY = 10 };

typedef struct RunsOptions {
    const char *folder; /* NULL: the folder of runs */
    bool all, json;
} RunsOptions;

/* A folder that holds a run, or runs of a study. */
typedef struct Entry {
    const char *path; /* of the list of paths */
    time_t changed;
    bool study, complete;
    size_t cells, launches;
    char date[DATE_SIZE]; /* ISO 8601, UTC */
    char algorithms[LIST_WORD_SIZE], machine[NUMBER_WORDS_SIZE];
    char headline[HEADLINE_SIZE]; /* or why the run cannot be read */
} Entry;

typedef struct Entries {
    PathList paths;
    Entry *items;
    size_t count, capacity, earlier;
} Entries;

/* === Finding ================================================================================== */

/* Names with a line end or another control are files of somebody else's, and are shown escaped. */
static Status add_entry(const char *path, Entries *entries) {
    char file[ATOMIC_FILE_PATH_SIZE], study[ATOMIC_FILE_PATH_SIZE];
    struct stat facts;
    STATUS_TRY(path_in(path, STUDY_FILE, study, sizeof study));
    STATUS_TRY(stored_run_in(path, file, sizeof file));
    const bool is_study = !run_is_in(path) && stat(study, &facts) == 0;
    if (!is_study && stat(file, &facts) != 0) {
        return status_ok();
    }
    STATUS_TRY(LIST_ROOM(NULL, entries->items, entries->count, entries->capacity, "runs"));
    Entry *entry = &entries->items[entries->count++];
    *entry = (Entry){.path = path, .changed = facts.st_mtime, .study = is_study};
    struct tm utc;
    gmtime_r(&facts.st_mtime, &utc);
    strftime(entry->date, sizeof entry->date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return status_ok();
}

static int by_change(const void *left, const void *right) {
    const Entry *a = left, *b = right;
    const int order = (a->changed < b->changed) - (a->changed > b->changed);
    return order != 0 ? order : strcmp(b->path, a->path);
}

static int by_date(const void *left, const void *right) {
    const Entry *a = left, *b = right;
    const int order = strcmp(b->date, a->date);
    return order != 0 ? order : strcmp(b->path, a->path);
}

/* The newest ones, unless all are wanted: to read a run takes a while. */
static Status find_entries(const char *folder, bool all, Entries *entries) {
    STATUS_TRY(path_list_add_folder(&entries->paths, folder, NULL));
    for (size_t i = 0; i < entries->paths.count; i++) {
        const char *path = entries->paths.paths[i];
        if (strcmp(path_name(path), LAST_RUN) != 0 && folder_exists(path)) {
            STATUS_TRY(add_entry(path, entries));
        }
    }
    if (entries->count > 0) {
        qsort(entries->items, entries->count, sizeof *entries->items, by_change);
    }
    if (!all && entries->count > RUNS_SHOWN) {
        entries->earlier = entries->count - RUNS_SHOWN;
        entries->count = RUNS_SHOWN;
    }
    return status_ok();
}

/* === Reading ================================================================================== */

static void name_algorithms(const Results *results, char text[LIST_WORD_SIZE]) {
    text[0] = '\0';
    for (size_t i = 0; i < results->count; i++) {
        bool first = !row_is_roof(&results->rows[i]) || results->count == 1;
        for (size_t j = 0; j < i && first; j++) {
            first = results->rows[j].algorithm != results->rows[i].algorithm;
        }
        if (first) {
            text_append(text, LIST_WORD_SIZE, "%s%s", text[0] != '\0' ? "," : "",
                        results->rows[i].algorithm->name);
        }
    }
}

static Status describe_run(StoredRun *stored, Entry *entry) {
    const char *gpu = stored_run_gpus(stored);
    stored_run_derive(stored);
    for (size_t i = 0; i < stored->results.count; i++) {
        const Row *row = &stored->results.rows[i];
        const size_t launches = row->status == CELL_OK ? row->kernel_summary.launches : 0;
        entry->launches = launches > entry->launches ? launches : entry->launches;
    }
    entry->cells = stored->results.count;
    entry->complete = stored->complete;
    if (stored->started[0] != '\0') {
        snprintf(entry->date, sizeof entry->date, "%s", stored->started);
    }
    machine_short_name(gpu[0] != '\0' ? gpu : machine_cpu(&stored->machine), entry->machine);
    name_algorithms(&stored->results, entry->algorithms);
    if (stored->results.count == 0 && stored->ignored > 0) {
        snprintf(entry->headline, sizeof entry->headline, "of a module: name its file");
        return status_ok();
    }
    STATUS_TRY(results_headline(&stored->results, entry->headline));
    text_append(entry->headline, sizeof entry->headline, "%s",
                stored->complete ? "" : ", not complete");
    return status_ok();
}

static void describe_study(Entry *entry) {
    char runs[ATOMIC_FILE_PATH_SIZE];
    FolderList list = {.count = 0};
    Status status = path_in(entry->path, "runs", runs, sizeof runs);
    STATUS_THEN(status, folder_list(runs, NULL, &list));
    entry->cells = status_is_ok(&status) ? list.count : 0;
    entry->complete = true;
    snprintf(entry->headline, sizeof entry->headline, "study: %zu runs in runs/, report.html",
             entry->cells);
    folder_list_release(&list);
}

/* What cannot be read has a line too. */
static void describe(Entry *entry) {
    char path[ATOMIC_FILE_PATH_SIZE];
    StoredRun *stored = calloc(1, sizeof *stored);
    if (entry->study || stored == NULL) {
        describe_study(entry);
        free(stored);
        return;
    }
    Status status = stored_run_in(entry->path, path, sizeof path);
    STATUS_THEN(status, stored_run_read(path, stored));
    if (status_is_ok(&status)) {
        status = describe_run(stored, entry);
        stored_run_release(stored);
    }
    if (!status_is_ok(&status)) {
        const char *behind = text_after(status.why, path);
        const char *why = behind != NULL ? behind + strspn(behind, ": ") : status.why;
        snprintf(entry->headline, sizeof entry->headline, "cannot be read: %.367s", why);
    }
    free(stored);
}

/* === Printing ================================================================================= */

/* Made visible, and cut to so many columns. */
static void cut_text(const char *text, size_t columns, char *cut, size_t size) {
    char visible[ATOMIC_FILE_PATH_SIZE];
    text_visible(text, visible, sizeof visible);
    if (utf8_width(visible, strlen(visible)) <= columns) {
        utf8_copy(cut, size, visible);
        return;
    }
    size_t bytes = strlen(visible);
    while (bytes > 0 &&
           (utf8_width(visible, bytes) > columns - 1 || utf8_continues(visible[bytes]))) {
        bytes--;
    }
    snprintf(cut, size, "%.*s…", (int)bytes, visible);
}

static size_t widest(const Entries *entries, size_t offset, bool name, size_t most) {
    size_t width = 3;
    for (size_t i = 0; i < entries->count; i++) {
        char visible[ATOMIC_FILE_PATH_SIZE];
        const char *text =
            name ? path_name(entries->items[i].path) : (const char *)&entries->items[i] + offset;
        text_visible(text, visible, sizeof visible);
        const size_t own = utf8_width(visible, strlen(visible));
        width = own > width ? own : width;
    }
    return width < most ? width : most;
}

static void put_details(TextTable *table, const Entry *entry) {
    char text[ATOMIC_FILE_PATH_SIZE];
    text_table_put(table, "%.10s", entry->date);
    cut_text(entry->machine, MACHINE_MOST, text, sizeof text);
    text_table_put(table, "%s", text);
    if (entry->launches > 0) {
        text_table_put(table, "%zu", entry->launches);
    } else {
        text_table_skip(table);
    }
}

/* The result has the room that the others leave; a narrow window has the name and it alone. */
static Status print_table(const Entries *entries, bool narrow) {
    enum { RESULT_LEAST = 16, MACHINE_LEAST = 7, GAP = 2 };
    const size_t window = (size_t)terminal_columns(stdout);
    const size_t widest_machine = widest(entries, offsetof(Entry, machine), false, MACHINE_MOST);
    const size_t machine = widest_machine > MACHINE_LEAST ? widest_machine : MACHINE_LEAST;
    const size_t most = narrow ? window / 2 : NAME_MOST;
    const size_t used =
        widest(entries, 0, true, most) + GAP + (narrow ? 0 : DAY + machine + 2 + 3 * GAP);
    const size_t room = window > used + RESULT_LEAST ? window - used : RESULT_LEAST;
    TextTable table = narrow ? TEXT_TABLE(WORDS("run"), WORDS("result"))
                             : TEXT_TABLE(WORDS("run"), WORDS("date"), WORDS("machine"),
                                          NUMBERS("×"), WORDS("result"));
    for (size_t i = 0; i < entries->count; i++) {
        const Entry *entry = &entries->items[i];
        char text[ATOMIC_FILE_PATH_SIZE];
        cut_text(path_name(entry->path), most, text, sizeof text);
        text_table_put(&table, "%s", text);
        if (!narrow) {
            put_details(&table, entry);
        }
        cut_text(entry->headline, room, text, sizeof text);
        text_table_put(&table, "%s", text);
    }
    return text_table_end(&table, stdout, table_print);
}

/* The first of these folders that has a run in it; NULL: none. */
static const char *folder_of_runs(const PathList *folders) {
    for (size_t i = 0; i < folders->count; i++) {
        PathList below = {.count = 0};
        bool has = false;
        if (folder_exists(folders->paths[i])) {
            const Status status = path_list_add_folder(&below, folders->paths[i], NULL);
            for (size_t j = 0; status_is_ok(&status) && j < below.count && !has; j++) {
                has = run_is_in(below.paths[j]);
            }
            path_list_release(&below);
        }
        if (has) {
            return folders->paths[i];
        }
    }
    return NULL;
}

static Status print_list(const char *folder, const Entries *entries) {
    const char *below = entries->count == 0 ? folder_of_runs(&entries->paths) : NULL;
    if (below != NULL) {
        char line[COMMAND_LINE_SIZE];
        const char *const words[] = {below, NULL};
        ArgumentList list = {.argc = 0};
        STATUS_TRY(argument_list_add_all(&list, words));
        command_line_text(&list, line, sizeof line);
        argument_list_release(&list);
        visible_line(stdout, "%s has no run itself; further down: bench runs %s", folder, line);
        return status_ok();
    }
    if (entries->count == 0) {
        visible_line(stdout, "%s has no run yet; 'bench demo' measures one in a minute", folder);
        return status_ok();
    }
    const bool narrow = terminal_columns(stdout) < NARROW;
    STATUS_TRY(print_table(entries, narrow));
    fputc('\n', stdout);
    flow_line(stdout, 0, "%sGPU: kernel only, over the best CPU; other variants: over seq",
              narrow ? "" : "×: launches; ");
    if (entries->earlier > 0) {
        printf("%zu earlier: bench runs --all\n", entries->earlier);
    }
    flow_line(stdout, 0, "bench show RUN prints one, bench figure RUN draws it; folder: %s",
              folder);
    return status_ok();
}

static bool add_json(cJSON *array, const Entry *entry) {
    cJSON *object = json_add_object(array);
    return json_add_text(object, "name", path_name(entry->path)) &&
           json_add_text(object, "path", entry->path) &&
           json_add_text(object, "date", entry->date) &&
           json_add_text(object, "kind", entry->study ? "study" : "run") &&
           json_add_text(object, "algorithms", entry->algorithms) &&
           json_add_text(object, "machine", entry->machine) &&
           json_add_number(object, "launches", (double)entry->launches) &&
           json_add_number(object, entry->study ? "runs" : "cells", (double)entry->cells) &&
           cJSON_AddBoolToObject(object, "complete", entry->complete) != NULL &&
           json_add_text(object, "headline", entry->headline);
}

static Status print_json(const Entries *entries) {
    cJSON *array = cJSON_CreateArray();
    bool complete = array != NULL;
    for (size_t i = 0; complete && i < entries->count; i++) {
        complete = add_json(array, &entries->items[i]);
    }
    return json_print(stdout, json_whole(array, complete), "the list of runs");
}

/* === Command runs ============================================================================= */

/* A run, as by its name, is no folder of runs. */
static Status check_folder(const char *folder) {
    const char *run = folder;
    STATUS_TRY(run_find(folder, &run));
    return run_is_in(run)
               ? status_make(STATUS_USAGE, "'%.150s' is a stored run; write: bench show %.150s",
                             folder, folder)
               : status_ok();
}

static Status list_runs(const RunsOptions *options, Entries *entries) {
    STATUS_TRY(options->folder != NULL ? check_folder(options->folder) : status_ok());
    const char *folder = options->folder != NULL ? options->folder : runs_folder();
    if (options->folder != NULL || folder_exists(folder)) {
        STATUS_TRY(find_entries(folder, options->all, entries));
    }
    for (size_t i = 0; i < entries->count; i++) {
        describe(&entries->items[i]);
    }
    if (entries->count > 0) {
        qsort(entries->items, entries->count, sizeof *entries->items, by_date);
    }
    return options->json ? print_json(entries) : print_list(folder, entries);
}

static Status runs(Invocation *given, void *of) {
    Entries entries = {.items = NULL};
    (void)given;
    const Status status = list_runs(of, &entries);
    path_list_release(&entries.paths);
    free(entries.items);
    return status;
}

#define MEMBER(name) .member = offsetof(RunsOptions, name)

static const Option option_rows[] = {
    {NULL, "DIR", NULL, .kind = OPTION_INPUT, MEMBER(folder)},
    {"all", NULL, "all runs, not only the 20 that were written last", .kind = OPTION_SET,
     MEMBER(all)},
    {"json", NULL, "as JSON, with the whole headline", .kind = OPTION_SET, MEMBER(json)},
    OPTIONS_END};

const Command command_runs = {
    .name = "runs",
    .summary = "the stored runs, the newest first, a line each",
    .usage = "bench runs [DIR] [options]",
    .about = "Lists the runs in the folder of runs (BENCH_RUNS), or in DIR: when and on what they "
             "were measured, in how many launches, and what they found. Wherever a command takes a "
             "RUN, the names in this list are understood, as is 'latest'.",
    .examples = "bench runs\n"
                "bench runs reports/results/h200 --all\n"
                "bench runs --json\n",
    .words = "one folder",
    .rows = option_rows,
    .size = sizeof(RunsOptions),
    .run = runs,
};

/* === Family machine =========================================================================== */

const Command command_machine = {
    .name = "machine",
    .summary = "the machine itself: its ceilings, its noise, its GPU's counters",
    .usage = "bench machine COMMAND ...\n",
    .about = "Measures what this machine does at best, and how far its times can be trusted.",
    .examples = "bench machine roof\n"
                "bench machine selftest --launches\n",
};
