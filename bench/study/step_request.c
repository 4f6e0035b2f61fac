/* Requests of steps: the lines of the study that count, and what its settings say of a run. */

#include "options.h"
#include "paths.h"
#include "study_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "run_options.h"
#include "status.h"
#include "text.h"

Status step_path(const StudyStep *step, const StudySettings *settings, const char *file,
                 char path[ATOMIC_FILE_PATH_SIZE]) {
    return path_make(path, ATOMIC_FILE_PATH_SIZE, "%s/runs/%s%s%s", settings->out, step->name,
                     file != NULL ? "/" : "", file != NULL ? file : "");
}

/* === Lines ==================================================================================== */

static const char data_mark[] = "{data}";
static const char out_mark[] = "{out}";

/* `text` with the marks replaced, allocated; NULL without memory. */
static char *replace_marks(const char *text, const char *data, const char *out) {
    char *replaced = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&replaced, &size);
    while (stream != NULL && *text != '\0') {
        const char *behind_data = text_after(text, data_mark);
        const char *behind = behind_data != NULL ? behind_data : text_after(text, out_mark);
        if (behind != NULL) {
            fputs(behind_data != NULL ? data : out, stream);
            text = behind;
        } else {
            fputc(*text++, stream);
        }
    }
    if (stream == NULL || fclose(stream) != 0) {
        free(replaced);
        return NULL;
    }
    return replaced;
}

/* Whether each file that the value names in {data} exists; otherwise `missing` is the first that
 * does not. A name ends at a comma. */
static bool files_are_there(const char *value, const char *data, char *missing, size_t size) {
    for (const char *at = value; (at = strstr(at, data_mark)) != NULL;) {
        char path[ATOMIC_FILE_PATH_SIZE];
        const int length = (int)strcspn(at, ",");
        const char *rest = at + strlen(data_mark);
        snprintf(path, sizeof path, "%s%.*s", data, length - (int)strlen(data_mark), rest);
        if (access(path, F_OK) != 0) {
            snprintf(missing, size, "%s", path);
            return false;
        }
        at += length;
    }
    return true;
}

static bool names_data(const StepArgument *argument) {
    return argument->value != NULL && strstr(argument->value, data_mark) != NULL;
}

/* The script that downloads open data, as the user can call it: installed with the program, or in
 * the source tree. */
static void find_fetch(char *path, size_t size) {
    static const char near[] = "datasets/fetch";
    static const DataFolder scripts = {
        .installed = "datasets", .source = "datasets", .holds = "fetch", .what = "the data"};
    char folder[DATA_FOLDER_PATH_SIZE];
    snprintf(path, size, "%s", near);
    if (program_is_built() && access(near, X_OK) == 0) {
        return;
    }
    const Status status = data_folder_find(&scripts, folder, sizeof folder);
    char *whole = status_is_ok(&status) ? realpath(folder, NULL) : NULL;
    if (whole != NULL) {
        snprintf(path, size, "%s/fetch", whole);
    }
    free(whole);
}

/* The first line of a list with this option, "--algo"; NULL: there is none. */
static const StepArgument *step_option(const StepArgumentList *list, const char *option) {
    for (size_t i = 0; option != NULL && i < list->count; i++) {
        const char *known = list->items[i].option;
        if (known != NULL && strcmp(known, option) == 0) {
            return &list->items[i];
        }
    }
    return NULL;
}

enum { STEP_LISTS = 3 };

/* Whether a line of the study counts. One of `quick` takes the place of those of its option, and
 * where a stand-in is needed the lines of `otherwise` that of those, and of all that name {data}.
 */
static bool line_counts(const StudyStep *step, const StudySettings *settings, bool stands_in,
                        const StepArgumentList *list, const StepArgument *line) {
    const bool replaced = settings->quick && step_option(&step->quick, line->option) != NULL;
    if (list == &step->quick) {
        return settings->quick && !(stands_in && names_data(line));
    }
    if (list == &step->otherwise) {
        return stands_in && !replaced;
    }
    return !replaced && !(stands_in && (names_data(line) ||
                                        step_option(&step->otherwise, line->option) != NULL));
}

/* Whether a file in {data} is not there. */
static bool lacks_data(const StudyStep *step, const StudySettings *settings, char *missing,
                       size_t size) {
    const StepArgumentList *const lists[] = {&step->arguments, &step->quick};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        for (size_t j = 0; j < lists[i]->count; j++) {
            const StepArgument *line = &lists[i]->items[j];
            if (line_counts(step, settings, false, lists[i], line) && names_data(line) &&
                !files_are_there(line->value, settings->data, missing, size)) {
                return true;
            }
        }
    }
    return false;
}

/* STATUS_SKIP where nothing stands in for a missing file. */
static Status check_stand_in(const StudyStep *step, const char *missing) {
    if (step->kind == STEP_FILE) {
        return status_skip("%.400s is not there; another program writes it, which the study names",
                           missing);
    }
    if (step->otherwise.count == 0) {
        char fetch[DATA_FOLDER_PATH_SIZE];
        find_fetch(fetch, sizeof fetch);
        return status_skip("%.200s is not there; get it with %.200s %.60s, if that has it, or name "
                           "the folder that holds it with --data FOLDER",
                           missing, fetch, path_name(missing));
    }
    return status_ok();
}

/* === Request ================================================================================== */

/* What a step asks of its command. Released with request_release. */
typedef struct StepRequest {
    ArgumentList lines; /* of the study, which the options point at */
    void *options;      /* of given.command */
    OptionsGiven given;
} StepRequest;

static void request_release(StepRequest *request) {
    if (request->options != NULL) {
        options_release(request->given.command, request->options);
    }
    free(request->options);
    argument_list_release(&request->lines);
}

/* "--option", "--option=value", or a word, with the marks replaced. */
static Status add_line(const StepArgument *line, const char *data, const char *out,
                       ArgumentList *lines) {
    const char *const parts[] = {line->option != NULL ? line->option : "",
                                 line->option != NULL && line->value != NULL ? "=" : "",
                                 line->value != NULL ? line->value : ""};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    for (size_t i = 0; stream != NULL && i < sizeof parts / sizeof parts[0]; i++) {
        fputs(parts[i], stream);
    }
    char *replaced = stream != NULL && fclose(stream) == 0 ? replace_marks(text, data, out) : NULL;
    const Status status = replaced != NULL ? argument_list_add(lines, replaced)
                                           : status_no_memory("for a step's command line");
    free(replaced);
    free(text);
    return status;
}

static Status read_lines(const StudyStep *step, const StudySettings *settings, bool stands_in,
                         const char *out, StepRequest *request) {
    const StepArgumentList *const lists[STEP_LISTS] = {&step->arguments, &step->quick,
                                                       &step->otherwise};
    for (size_t i = 0; i < STEP_LISTS; i++) {
        for (size_t j = 0; j < lists[i]->count; j++) {
            const StepArgument *line = &lists[i]->items[j];
            STATUS_TRY(line_counts(step, settings, stands_in, lists[i], line)
                           ? add_line(line, settings->data, out, &request->lines)
                           : status_ok());
        }
    }
    return options_read(request->lines.argc, request->lines.argv, request->options,
                        &request->given);
}

/* `more`: its lines are those of the run that goes on. Release it, whatever is returned. */
static Status request_make(const StudyStep *step, const StudySettings *settings, bool more,
                           bool stands_in, const char *out, StepRequest *request) {
    const Command *command = settings->command(step->command);
    *request = (StepRequest){.options = NULL};
    if (command == NULL) {
        return status_make(STATUS_USAGE, "'%.60s' is no command", step->command);
    }
    request->options = malloc(command->size);
    STATUS_MEMORY(request->options, "for a step's command line");
    options_start(command, request->options, &request->given);
    return more ? status_ok() : read_lines(step, settings, stands_in, out, request);
}

Status step_prices(const StudyStep *step, Prices *prices) {
    ArgumentList lines = {.argc = 0};
    Status status = status_ok();
    for (size_t i = 0; step->kind == STEP_RUN && status_is_ok(&status) && i < step->arguments.count;
         i++) {
        status = add_line(&step->arguments.items[i], data_mark, out_mark, &lines);
    }
    RunOptions request;
    request_recall(&lines, &request);
    *prices = request.prices;
    argument_list_release(&lines);
    return !status_is_ok(&status) || prices_given(prices)
               ? status
               : status_make(STATUS_USAGE, "the step '%.60s' has no --price gpu=NUMBER,cpu=NUMBER",
                             step->name);
}

/* === What the study sets of a run ============================================================= */

bool study_step_has_launches(const StudyStep *step, const StudySettings *settings) {
    char out[ATOMIC_FILE_PATH_SIZE], missing[ATOMIC_FILE_PATH_SIZE];
    const Status named = step_path(step, settings, NULL, out);
    if (step->kind != STEP_RUN || !status_is_ok(&named)) {
        return false;
    }
    StepRequest request;
    const bool stands_in = lacks_data(step, settings, missing, sizeof missing);
    const Status status = request_make(step, settings, false, stands_in, out, &request);
    const RunOptions *run = request.options;
    const bool has =
        status_is_ok(&status) && run->pass == 0 && run->share.count == 0 && run->baseline == NULL;
    request_release(&request);
    return has;
}

/* Whether the settings give this step time of a budget. */
static bool has_budget(const StudyStep *step, const StudySettings *settings) {
    return settings->step_budget > 0 && study_step_has_launches(step, settings);
}

/* A step that names neither launches nor samples would have a budget of time. */
static bool needs_launches(const StudySettings *settings, const OptionsGiven *given) {
    return settings->launches > 0 && !options_was_given(given, "launches") &&
           (settings->launches > 1 || !options_are_exact(given));
}

bool step_goes_on(const StudyStep *step, const StudySettings *settings) {
    char results[ATOMIC_FILE_PATH_SIZE];
    const Status named = step_path(step, settings, "results.json", results);
    return settings->resume && step->kind == STEP_RUN && status_is_ok(&named) &&
           access(results, F_OK) == 0;
}

static bool is_no_pace(const Option *option) {
    return option->member != offsetof(RunOptions, launches) &&
           option->member != offsetof(RunOptions, spread);
}

static void set_launches(const StudySettings *settings, RunOptions *run, OptionsGiven *given) {
    run->launches = settings->launches;
    options_give(given, "launches");
    if (settings->spread != NULL && settings->launches > 1) {
        run->spread = *settings->spread;
        options_give(given, "spread");
    }
}

/* Other people's code is measured where it is there. Not where the study says how often a run is
 * launched, or asks for something else than times; and a budget is for what the study compares. */
static bool takes_peers(const StudySettings *settings, const RunOptions *run,
                        const OptionsGiven *given) {
    static const char *const others[] = {"peers", "launches", "weak",     "save",
                                         "pass",  "shard",    "baseline", NULL};
    return options_first_given(given, others) == NULL && settings->has_peers != NULL &&
           settings->has_peers(run);
}

/* `more`: the run goes on. */
static void set_run(const StudyStep *step, const StudySettings *settings, StepUse use, bool more,
                    const char *out, StepRequest *request) {
    RunOptions *run = request->options;
    OptionsGiven *given = &request->given;
    if (more) {
        run->resume = out;
        options_give(given, "resume");
    } else if (!options_was_given(given, "out")) {
        run->out = out;
        options_give(given, "out");
    }
    if (!more && !has_budget(step, settings) && takes_peers(settings, run, given)) {
        run->peers = true;
        options_give(given, "peers");
    }
    run->plot = false;
    options_give(given, "no-plot");
    run->quiet = true;
    options_give(given, "quiet");
    if (has_budget(step, settings)) {
        options_keep(given, is_no_pace);
        run->budget = ceil(settings->step_budget * 1e3) / 1e3; /* that can be read */
        options_give(given, "budget");
        run->every_tuning = true; /* its tables and figures have them */
        options_give(given, "every-tuning");
        if (!more) { /* else the long runs of seq, which claims are about, would have half of it */
            options_give(given, "max-cell");
        }
        if (use == STEP_STARTED) {
            run->stop_after = settings->step_launches;
            options_give(given, "stop-after");
        }
    } else if (!more && needs_launches(settings, given)) {
        set_launches(settings, run, given);
    }
    if (use == STEP_PLANNED) {
        run->dry_run = true;
        options_give(given, "dry-run");
    }
}

/* === Arguments ================================================================================ */

static Status write_file(const StudyStep *step, const StudySettings *settings, ArgumentList *list) {
    char out[ATOMIC_FILE_PATH_SIZE], csv[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(step_path(step, settings, NULL, out));
    STATUS_TRY(step_path(step, settings, step->reads, csv));
    STATUS_TRY(argument_list_add(list, "cp"));
    STATUS_TRY(add_line(&step->arguments.items[0], settings->data, out, list));
    return argument_list_add(list, csv);
}

Status step_arguments(const StudyStep *step, const StudySettings *settings, StepUse use,
                      ArgumentList *list, bool *stand_in_used) {
    char missing[ATOMIC_FILE_PATH_SIZE], out[ATOMIC_FILE_PATH_SIZE];
    const char *const command[] = {"bench", step->command, NULL};
    const bool more = use == STEP_STARTED && step_goes_on(step, settings);
    const bool stands_in = !more && lacks_data(step, settings, missing, sizeof missing);
    *list = (ArgumentList){.argc = 0};
    *stand_in_used = false;
    STATUS_TRY(stands_in ? check_stand_in(step, missing) : status_ok());
    *stand_in_used = stands_in;
    if (step->kind == STEP_FILE) {
        return write_file(step, settings, list);
    }
    STATUS_TRY(step_path(step, settings, NULL, out));
    StepRequest request;
    Status status = request_make(step, settings, more, stands_in, out, &request);
    if (status_is_ok(&status) && step->kind == STEP_RUN) {
        set_run(step, settings, use, more, out, &request);
    }
    STATUS_THEN(status, argument_list_add_all(list, command));
    STATUS_THEN(status, options_print(request.options, &request.given, list));
    request_release(&request);
    return status;
}
