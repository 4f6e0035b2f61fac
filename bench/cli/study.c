/* The command `bench study`. */

#include "study.h"
#include "claim.h"
#include "cli.h"
#include "cli_internal.h"
#include "paths.h"
#include "table.h"
#include "terminal.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "peers.h"
#include "run.h"
#include "text.h"

/* === Options ================================================================================== */

typedef struct StudyOptions {
    const char *name;    /* NULL only with `list` */
    DeviceChoice device; /* all, none or one */
    const char *data;    /* NULL: the folder that datasets/fetch fills */
    const char *out;     /* NULL: <time>-<study> in the folder of runs; never with `render` */
    const char *steps;   /* names with commas between; NULL: all */
    int32_t launches;    /* 0: STUDY_LAUNCHES, with `quick` one */
    double spread;       /* seconds, of a step; -1: as `run` has it by default */
    double budget;       /* seconds of all steps; INFINITY: until all is decided; 0: none */
    bool quick, resume, render, force, dry_run, quiet, list, check;
} StudyOptions;

enum { STUDY_LAUNCHES = MEDIAN_INTERVAL_MIN };

static Status read_device(const Option *option, const char *value, void *of) {
    StudyOptions *options = of;
    (void)option;
    const Status status = device_choice_read(value, true, &options->device);
    return status_is_ok(&status) && options->device.count < 2
               ? status
               : status_make(STATUS_USAGE,
                             "'%.40s' is no device; write all, cpu, or the number of a CUDA device",
                             value);
}

/* What the folder of an earlier run settles. */
static const char *const measuring[] = {"quick", "launches", "spread", "device",
                                        "data",  "steps",    NULL};

/* What says otherwise how many launches there are, and when. */
static const char *const paces[] = {"launches", "spread", NULL};

static Status check(void *of, const OptionsGiven *given) {
    const StudyOptions *options = of;
    if (options->list) {
        return status_ok();
    }
    if (options->name == NULL) {
        return status_make(STATUS_USAGE,
                           "study: name a study; bench study --list names those there are");
    }
    const char *again = options->render ? "--render" : options->resume ? "--resume" : NULL;
    if (again != NULL && options->out == NULL) {
        return status_make(STATUS_USAGE,
                           "%s: name the folder of the study that was run with --out DIR", again);
    }
    if (options->render && (options->resume || options->dry_run)) {
        return status_make(STATUS_USAGE, "--render: nothing is measured; leave out %s",
                           options->resume ? "--resume" : "--dry-run");
    }
    const char *settled = again != NULL ? options_first_given(given, measuring) : NULL;
    if (settled != NULL) {
        return status_make(STATUS_USAGE, "%s: %s; leave out --%s", again,
                           options->render ? "nothing is measured"
                                           : "the folder of --out tells how to measure",
                           settled);
    }
    const char *pace = options->budget > 0 ? options_first_given(given, paces) : NULL;
    if (pace != NULL) {
        return status_make(STATUS_USAGE,
                           "--budget and --%s cannot be combined: launches of a budget follow "
                           "each other while there is time; write one",
                           pace);
    }
    if (options->render && options->budget > 0) {
        return status_make(STATUS_USAGE, "--render: nothing is measured; leave out --budget");
    }
    if (options->check && options->dry_run) {
        return status_make(STATUS_USAGE, "--check needs numbers, and --dry-run measures none; "
                                         "leave one out");
    }
    return status_ok();
}

#define MEMBER(name) .member = offsetof(StudyOptions, name)

static const char *const device_words[] = {"all", "cpu", NULL};

static const StudyOptions defaults = {.spread = -1};

static const Option option_rows[] = {
    {NULL, "NAME", NULL, .kind = OPTION_TEXT, MEMBER(name)},
    {"list", NULL, "list the studies and their papers", .kind = OPTION_SET, MEMBER(list)},
    {"quick", NULL,
     "fewer repetitions and smaller inputs, which the study defines: minutes instead of hours",
     .kind = OPTION_SET, MEMBER(quick)},
    {"launches", "N",
     "measure every step of the command 'run' N times, each time in a new process, unless the "
     "study "
     "says how often: 6 or more give 95% intervals that are valid for the next run too. Default: "
     "6, "
     "with "
     "--quick 1",
     .kind = OPTION_INT, MEMBER(launches), .least = 1, .most = LAUNCHES_MAX},
    {"budget", "TIME|none",
     "time for everything: the first launch of every step comes first, briefly, and the whole "
     "report "
     "is written. Then launches of the steps follow each other while there is time; a step ends as "
     "in bench run --budget. Other commands than run are run once. With --resume more time, which "
     "counts what was spent",
     .words = none_word, .kind = OPTION_HANDLED, .handle = budget_read, MEMBER(budget)},
    {"spread", "TIME", "the launches of a step begin evenly over this time (see bench run --help)",
     .kind = OPTION_PAUSE, MEMBER(spread)},
    {"device", "all|cpu|N",
     "the CUDA devices of the steps: all, none (cpu), or the one with this number. Default: all",
     .words = device_words, .kind = OPTION_HANDLED, .handle = read_device},
    {"data", "DIR",
     "folder of the data that steps measure on. Default: the one that datasets/fetch fills",
     .takes = TAKES_FOLDER, .kind = OPTION_TEXT, MEMBER(data)},
    {"out", "DIR",
     "where the report, its tables and figures, and the files of the steps go. Default: "
     "<time>-NAME in the folder of runs (BENCH_RUNS)",
     .takes = TAKES_FOLDER, .kind = OPTION_TEXT, MEMBER(out)},
    {"force", NULL, "measure all again that the folder of --out holds, and replace it",
     .kind = OPTION_SET, MEMBER(force)},
    {"steps", "LIST",
     "run only these steps; use the results of an earlier run for the others, from the folder of "
     "--out: a long study in parts",
     .takes = TAKES_LIST, .kind = OPTION_TEXT, MEMBER(steps)},
    {"resume", NULL,
     "go on with the study in the folder of --out: steps that ended well stay, a sweep that was "
     "cut off goes on where it was",
     .kind = OPTION_SET, MEMBER(resume)},
    {"render", NULL, "measure nothing: make the report again from the folder of --out",
     .kind = OPTION_SET, MEMBER(render)},
    {"check", NULL,
     "say of each shape claim of the paper (fastest, crossover, trend, order): holds, does not "
     "hold, cannot be tested here; exit code 1 when one does not hold, 6 when none can be tested",
     .kind = OPTION_SET, MEMBER(check)},
    {"dry-run", NULL, "print the command line of each step and stop", .kind = OPTION_SET,
     MEMBER(dry_run)},
    {"quiet", NULL, "nothing on standard error but errors", .kind = OPTION_SET, MEMBER(quiet)},
    OPTIONS_END};

/* === Study session ============================================================================ */

/* The study, the steps to run, and the settings. */
typedef struct StudySession {
    const StudyOptions *options;
    Study study;
    Published published;
    StudyRecord record; /* texts of the settings, where they are those of an earlier run */
    StudySettings settings;
    char data[DATA_FOLDER_PATH_SIZE], out[ATOMIC_FILE_PATH_SIZE];
    bool *chosen; /* steps to run */
} StudySession;

/* The folder that datasets/fetch fills: in the source tree, as a relative path where that will do,
 * or for an installed program in the user's cache. */
static void find_data(char *folder, size_t size) {
    static const char source[] = "datasets/cache";
    static const DataFolder data = {
        .variable = "DATASETS_CACHE", .installed = "data", .source = source, .what = "data"};
    char usual[DATA_FOLDER_PATH_SIZE], cache[DATA_FOLDER_PATH_SIZE - 16];
    const Status cached = cache_folder(cache, sizeof cache);
    const bool own = status_is_ok(&cached) && !program_is_built();
    snprintf(usual, sizeof usual, "%s%s", own ? cache : source, own ? "/datasets" : "");
    const bool near = getenv(data.variable) == NULL && access(usual, R_OK) == 0;
    const Status found = near ? status_ok() : data_folder_find(&data, folder, size);
    if (near || !status_is_ok(&found)) {
        snprintf(folder, size, "%s", usual);
    }
}

static bool is_command_of_step(const Command *command) {
    return command != NULL && command != &command_study && command != &command_bisect &&
           command != &command_ci;
}

static Status unknown_command(const char *path, const StudyStep *step) {
    char nearest[SUGGEST_TEXT_SIZE];
    Suggestion suggestion = suggest_start(step->command);
    const Command *command;
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        suggest_offer(&suggestion, command->name);
    }
    return study_text_error(
        path, step->line, step->command, "is no command of a step%s",
        command_find(step->command) != NULL ? "" : suggest_text(&suggestion, nearest));
}

/* A study may come from anybody, as a stored run may: its steps load no code and start no other
 * program. */
static Status check_arguments(const char *path, const StudyStep *step, const Command *command,
                              const StepArgumentList *list) {
    for (size_t i = 0; i < list->count; i++) {
        const StepArgument *argument = &list->items[i];
        const char *word = argument->option != NULL ? argument->option : argument->value;
        const Option *row = strncmp(word, "--", 2) == 0
                                ? command_option(command, word + 2, strcspn(word + 2, "="))
                                : NULL;
        if (row != NULL && (row->role == ROLE_MODULE || row->role == ROLE_PROGRAM)) {
            return study_text_error(path, step->line, word,
                                    "names code to run, which a study may not; name modules on "
                                    "the command line of bench study");
        }
    }
    return status_ok();
}

/* Commands are checked here, since only this room knows them. */
static Status check_commands(const Study *study) {
    char path[ATOMIC_FILE_PATH_SIZE];
    snprintf(path, sizeof path, "%.4000s/study.txt", study->folder);
    for (size_t i = 0; i < study->step_count; i++) {
        const StudyStep *step = &study->steps[i];
        const Command *command = command_find(step->command);
        const StepArgumentList *const lists[] = {&step->arguments, &step->quick, &step->otherwise};
        if (step->kind == STEP_FILE) {
            continue;
        }
        if (!is_command_of_step(command)) {
            return unknown_command(path, step);
        }
        for (size_t j = 0; j < sizeof lists / sizeof lists[0]; j++) {
            STATUS_TRY(check_arguments(path, step, command, lists[j]));
        }
    }
    return status_ok();
}

static Status choose_named(const Study *study, const char *list, bool *chosen) {
    while (list != NULL) {
        char word[LIST_WORD_SIZE];
        STATUS_TRY(list_next(&list, word));
        const StudyStep *step = study_step(study, word);
        if (step == NULL) {
            char nearest[SUGGEST_TEXT_SIZE];
            Suggestion suggestion = suggest_start(word);
            for (size_t i = 0; i < study->step_count; i++) {
                suggest_offer(&suggestion, study->steps[i].name);
            }
            return status_make(STATUS_USAGE, "--steps: '%s' is no step of %.100s%s (known: %s)",
                               word, study->name, suggest_text(&suggestion, nearest),
                               suggestion.known);
        }
        chosen[step - study->steps] = true;
    }
    return status_ok();
}

static Status choose_steps(StudySession *session) {
    const size_t count = session->study.step_count;
    session->chosen = calloc(count, sizeof *session->chosen);
    STATUS_MEMORY(session->chosen, "for a study");
    if (session->options->steps != NULL) {
        return choose_named(&session->study, session->options->steps, session->chosen);
    }
    for (size_t i = 0; i < count; i++) {
        session->chosen[i] = !session->options->render && !session->study.steps[i].on_request;
    }
    return status_ok();
}

/* Whether the folder tells how to measure, not the options. */
static bool is_settled(const StudyOptions *options) {
    return options->render || options->resume;
}

/* Parts of one report must be of one study, measured in one way. */
static Status check_record(const StudySession *session) {
    const StudyRecord *record = &session->record;
    if (strcmp(record->study, session->study.name) != 0) {
        return status_make(STATUS_USAGE, "--out: %.160s holds the study '%.100s'; name another",
                           session->out, record->study);
    }
    if (!is_settled(session->options) && record->quick != session->options->quick) {
        return status_make(STATUS_USAGE,
                           "--steps: the other steps in %.160s were run with%s --quick; do the "
                           "same, or name another folder",
                           session->out, record->quick ? "" : "out");
    }
    return status_ok();
}

/* Reads the settings of the earlier run in the folder, if its steps are used. */
static Status read_record(StudySession *session) {
    const StudyOptions *options = session->options;
    char path[ATOMIC_FILE_PATH_SIZE + 16];
    snprintf(path, sizeof path, "%s/" STUDY_FILE, session->out);
    const bool found = access(path, F_OK) == 0;
    if (!is_settled(options) && (options->steps == NULL || !found)) {
        return found && !options->force && !options->dry_run
                   ? status_make(STATUS_USAGE,
                                 "%.250s holds a study already, which would be lost; go on with it "
                                 "by --resume, name another folder, or replace it with --force",
                                 session->out)
                   : status_ok();
    }
    STATUS_TRY(study_record_read(session->out, &session->record));
    STATUS_TRY(check_record(session));
    if (is_settled(options)) {
        session->settings.resume = options->resume;
        session->settings.quick = session->record.quick;
        session->settings.launches = session->record.launches;
        session->settings.spread = session->record.spread >= 0 ? &session->record.spread : NULL;
        if (options->budget > 0 && session->record.budget <= 0) {
            return status_make(STATUS_USAGE,
                               "--resume: the study in %.250s was begun without --budget; leave it "
                               "out",
                               session->out);
        }
        session->settings.budget = options->budget > 0 ? options->budget : session->record.budget;
        session->settings.device = session->record.device;
        session->settings.data = session->record.data;
    }
    return options->resume && !(session->settings.budget > 0)
               ? study_steps_unfinished(&session->study, &session->settings, session->chosen)
               : status_ok();
}

static Status make_settings(StudySession *session) {
    const StudyOptions *options = session->options;
    find_data(session->data, sizeof session->data);
    session->settings =
        (StudySettings){.quick = options->quick,
                        .launches = options->launches > 0 ? options->launches
                                    : options->quick      ? 1
                                                          : STUDY_LAUNCHES,
                        .spread = options->spread >= 0 ? &options->spread : NULL,
                        .budget = options->budget,
                        .quiet = options->quiet,
                        .device = options->device,
                        .data = options->data != NULL ? options->data : session->data,
                        .out = session->out,
                        .command = command_find,
                        .has_peers = peers_are_there};
    if (options->out == NULL) {
        char words[128];
        snprintf(words, sizeof words, "-%.120s", session->study.name);
        run_folder_choose(words, session->out, sizeof session->out);
    } else {
        STATUS_TRY(path_make(session->out, sizeof session->out, "%s", options->out));
    }
    return read_record(session);
}

/* Finds, reads and checks everything, and writes nothing. The session must stay where it is; close
 * it in any case. STATUS_USAGE, STATUS_FILE. */
static Status study_session_open(const StudyOptions *options, StudySession *session) {
    char folder[ATOMIC_FILE_PATH_SIZE];
    *session = (StudySession){.options = options};
    STATUS_TRY(study_find(options->name, folder, sizeof folder));
    STATUS_TRY(study_file_read(folder, &session->study));
    STATUS_TRY(check_commands(&session->study));
    STATUS_TRY(published_read(&session->study, &session->published));
    STATUS_TRY(choose_steps(session));
    return make_settings(session);
}

static void study_session_close(StudySession *session) {
    free(session->chosen);
    published_release(&session->published);
    study_release(&session->study);
}

/* === Study summary ============================================================================ */

static void add_summary(TextTable *summary, const TableResult *table) {
    const size_t count = table->table->row_count * table->table->column_count;
    size_t measured = 0, published = 0;
    const char *why = ""; /* the first reason */
    for (size_t i = 0; i < count; i++) {
        const StudyValue *value = &table->values[i];
        measured += !isnan(value->measured);
        published += !isnan(value->published);
        if (isnan(value->measured) && why[0] == '\0') {
            why = value->why;
        }
    }
    text_table_put(summary, "%s", table->table->name);
    text_table_put(summary, "%zu", measured);
    text_table_put(summary, "%zu", count);
    text_table_put(summary, "%zu", published);
    text_table_put_kind(summary, CELL_PLAIN, why);
}

Status study_summary_print(FILE *stream, const StudyResult *result) {
    TextTable summary = TEXT_TABLE(WORDS("table"), NUMBERS("measured"), NUMBERS("of"),
                                   NUMBERS("published"), WORDS("not measured"));
    for (size_t i = 0; i < result->study->table_count; i++) {
        add_summary(&summary, &result->tables[i]);
    }
    return text_table_end(&summary, stream, table_print);
}

int study_exit_code(const StudyResult *result) {
    int worst = EXIT_OK;
    for (size_t i = 0; i < result->study->step_count; i++) {
        const int code = result->outcomes[i].code;
        if (code == EXIT_INTERRUPTED) {
            return code;
        }
        const bool ended_by_signal = code > 128;
        if (code == EXIT_WRONG || ended_by_signal) {
            worst = EXIT_WRONG;
        } else if (worst == EXIT_OK && code != EXIT_NO_SAMPLE) {
            worst = code;
        }
    }
    return worst;
}

/* === Command study ============================================================================ */

/* For --quiet; without it each step has printed its message. */
static void print_failed(const StudySession *session, const StepOutcome *outcomes) {
    size_t first = 0, count = 0;
    for (size_t i = 0; i < session->study.step_count; i++) {
        const bool failed = outcomes[i].state == STEP_FAILED && outcomes[i].code != EXIT_NO_SAMPLE;
        first = failed && count == 0 ? i : first;
        count += failed;
    }
    if (count == 1) {
        visible_line(stderr, "bench: step %s: %s", session->study.steps[first].name,
                     outcomes[first].why);
    } else if (count > 1) {
        visible_line(stderr, "bench: %zu steps failed; the first is %s: %s", count,
                     session->study.steps[first].name, outcomes[first].why);
    }
}

enum { FAILED_SHOWN = 5 };

/* What the paper says and what came out here, of the first claims that do not hold. */
static void print_failed_claims(const ClaimList *list) {
    size_t shown = 0;
    for (size_t i = 0; i < list->count; i++) {
        const JudgedClaim *claim = &list->items[i];
        if (claim->verdict == CLAIM_FAILS && shown++ < FAILED_SHOWN) {
            Flow flow = {
                .stream = stdout, .indent = 2, .columns = (size_t)terminal_columns(stdout)};
            char words[1024];
            flow_words(&flow, INK_SLOWER, "does not hold:");
            snprintf(words, sizeof words, " %s, %s; in the paper: %s; here: %s", claim->of,
                     claim->text, claim->claimed, claim->here);
            flow_words(&flow, INK_PLAIN, words);
            flow_end(&flow);
        }
    }
    if (shown > FAILED_SHOWN) {
        printf("%zu more do not hold; the page lists them\n", shown - FAILED_SHOWN);
    }
}

/* Ends the output with what came out. With --check all claims are listed, and set the exit code of
 * a study that had no error. */
static Status print_verdict(const StudySession *session, const StudyResult *result, int *code) {
    ClaimList list = {.items = NULL};
    Status status = study_claims_judge(result, &list);
    if (status_is_ok(&status) && session->options->check) {
        status = claims_print(stdout, &list, table_print);
        *code = *code == EXIT_OK ? (int)claims_exit_code(&list) : *code;
    } else if (status_is_ok(&status)) {
        char text[CLAIMS_TEXT_SIZE];
        print_failed_claims(&list);
        study_claims_text(result, &list, text);
        Flow flow = flow_whole(stdout, 0);
        flow_words(&flow, INK_STRONG, text);
        flow_end(&flow);
    }
    claims_release(&list);
    return status;
}

/* The report of the first launches, of a study that goes on. */
static Status report_so_far(void *context, const StepOutcome *outcomes) {
    const StudySession *session = context;
    const size_t count = session->study.step_count;
    StudySettings settings = session->settings;
    StudyResult result;
    StepOutcome *own = calloc(count, sizeof *own);
    STATUS_MEMORY(own, "for a study");
    memcpy(own, outcomes, count * sizeof *own);
    settings.so_far = true;
    interrupt_hold();
    Status status =
        study_result_make(&session->study, &session->published, &settings, own, &result);
    if (status_is_ok(&status)) {
        status = study_report_write(&result);
        study_result_release(&result);
    }
    interrupt_release();
    if (status_is_ok(&status) && !session->settings.quiet) {
        visible_line(stderr, "so far: %s/report.html", session->out);
    }
    return status.code == STATUS_SKIP || status.code == STATUS_INTERRUPTED ? status_ok() : status;
}

/* Once, where all steps would have them. */
static void note_absent_peers(const StudySession *session) {
    const StudySettings *settings = &session->settings;
    if (!settings->quiet && !session->options->render && settings->budget <= 0 &&
        !peers_are_installed()) {
        const Status asked = peers_start();
        visible_line(stderr, "bench: note: the study has no other people's code, %s%s",
                     status_is_ok(&asked) ? "of which none is installed: 'bench peers --install'"
                                          : "as Python cannot be asked what is installed: ",
                     asked.why);
    }
}

/* Writes the report. A chart that cannot be drawn is a note. An interrupt does not end this, since
 * only writing is left. */
static Status report(const StudySession *session, StepOutcome *outcomes, int *code) {
    StudyResult result;
    interrupt_hold();
    STATUS_TRY(study_result_make(&session->study, &session->published, &session->settings, outcomes,
                                 &result));
    *code = study_exit_code(&result);
    Status status = study_report_write(&result);
    if (status.code == STATUS_SKIP || status.code == STATUS_INTERRUPTED) {
        const int ended = command_error(&status);
        *code = status.code == STATUS_INTERRUPTED ? ended : *code;
        status = status_ok();
    }
    note_absent_peers(session);
    if (status_is_ok(&status)) {
        status = study_summary_print(stdout, &result);
        putchar('\n');
        study_warnings_print(stdout, &result);
        visible_line(stdout, "%s/report.html", session->out);
        STATUS_THEN(status, print_verdict(session, &result, code));
        if (*code == EXIT_INTERRUPTED) {
            visible_line(stderr, "bench: interrupted; go on with bench study %s --resume --out %s",
                         session->options->name, session->out);
        }
        if (session->settings.quiet && *code != EXIT_OK && *code != EXIT_INTERRUPTED) {
            print_failed(session, outcomes);
        }
    }
    study_result_release(&result);
    return status;
}

static Status run_locked(const StudySession *session, int *code) {
    bool interrupted = false;
    if (!session->options->render) {
        STATUS_TRY(study_record_write(session->study.name, &session->settings));
    }
    StepOutcome *outcomes = calloc(session->study.step_count, sizeof *outcomes);
    STATUS_MEMORY(outcomes, "for a study");
    const Status status =
        session->settings.budget > 0 && !session->options->render
            ? study_rounds_run(&session->study, &session->settings, session->chosen, report_so_far,
                               (void *)session, outcomes, &interrupted)
            : study_steps_run(&session->study, &session->settings, session->chosen, outcomes,
                              &interrupted);
    if (!status_is_ok(&status)) {
        free(outcomes);
        return status;
    }
    return report(session, outcomes, code);
}

static Status run(const StudySession *session, int *code) {
    int lock = -1;
    STATUS_TRY(folder_make(session->out));
    STATUS_TRY(folder_lock(session->out, &lock));
    const Status status = run_locked(session, code);
    if (lock >= 0) {
        close(lock);
    }
    return status;
}

static void print_expected(const StudySession *session) {
    char text[STUDY_TIME_TEXT_SIZE];
    if (session->settings.budget > 0) {
        if (isfinite(session->settings.budget)) {
            duration_text(session->settings.budget, text);
        } else {
            snprintf(text, sizeof text, "none: until every step has ended");
        }
        printf("budget: %s\n", text);
        return;
    }
    const StudyTime time =
        study_expect(&session->study, &session->settings, session->chosen, false, NULL);
    study_time_text(&time, text);
    printf("%s\n", text);
    if (time.known > 0) {
        printf("That is what the same steps took in this folder before.\n");
    }
    if (time.unknown > 0) {
        printf("Nothing was started. --budget TIME sets a time for all steps; the study itself "
               "begins with an\nestimate, and a line of 'bench run' with --dry-run has its own.\n");
    }
}

static Status run_or_show(const StudyOptions *options, int *code) {
    StudySession *session = malloc(sizeof *session); /* too large for a stack */
    STATUS_MEMORY(session, "for the study");
    Status status = study_session_open(options, session);
    if (status_is_ok(&status) && options->dry_run) {
        if (session->settings.budget > 0) {
            session->settings =
                study_first_settings(&session->study, &session->settings, session->chosen);
        }
        for (size_t i = 0; i < session->study.step_count; i++) {
            if (session->chosen[i] ||
                (options->steps == NULL && session->study.steps[i].on_request)) {
                study_step_announce(stdout, &session->study, i, &session->settings);
            }
        }
        print_expected(session);
    } else {
        STATUS_THEN(status, run(session, code));
    }
    study_session_close(session);
    free(session);
    return status;
}

static Status study(Invocation *given, void *of) {
    const StudyOptions *options = of;
    return options->list ? study_list(stdout) : run_or_show(options, &given->code);
}

const Command command_study = {
    .name = "study",
    .summary = "measure what a paper measured; its tables and figures, published beside ours",
    .usage = "bench study NAME [options]\n"
             "bench study --list\n",
    .about =
        "Measures what a paper measured, and writes its tables and figures beside the "
        "published ones: report.html, report.md, tables as CSV, Markdown and LaTeX, figures "
        "as SVG, PDF and PNG. What this machine cannot run is marked. Other people's code is "
        "measured too where it is installed (see 'bench peers'), except with --budget. NAME is a "
        "study of --list or the folder of a study.txt; reports/studies/README.md describes how to "
        "write one.",
    .examples = "bench study lbp-2020 --quick\n"
                "bench study lbp-2020 --budget 5min\n"
                "bench study lbp-2020 --device cpu --out lbp\n"
                "bench study lbp-riu-2018 --steps gpu --out riu\n"
                "bench study lbp-2020 --resume --out lbp\n"
                "bench study lbp-2020 --quick --check\n"
                "bench study lbp-2020 --render --out lbp\n",
    .words = "one study",
    .rows = option_rows,
    .size = sizeof(StudyOptions),
    .defaults = &defaults,
    .check = check,
    .run = study,
    .delegates = true,
};
