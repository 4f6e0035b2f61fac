/* The command `bench study`. */

#include "cli_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base.h"
#include "files.h"
#include "interrupt.h"
#include "run.h"
#include "status.h"
#include "study.h"

/* === Study options ============================================================================ */

/* The options of `bench study`. */

typedef struct StudyOptions {
    const char *name;   /* NULL only with `list` or `help` */
    const char *device; /* "all", "cpu" or a number */
    const char *data;   /* NULL: the folder that datasets/fetch fills */
    const char *out;    /* NULL: reports/runs/<time>-<study>; never with `render` */
    const char *steps;  /* names with commas between; NULL: all */
    bool quick, render, dry_run, quiet, list, help;
} StudyOptions;

enum { DEVICE_MAX = 255 };

static Status set_quick(const char *value, void *of) {
    (void)value;
    StudyOptions *options = of;
    options->quick = true;
    return status_ok();
}

static Status set_device(const char *value, void *of) {
    StudyOptions *options = of;
    uint64_t number = 0;
    if (strcmp(value, "all") != 0 && strcmp(value, "cpu") != 0) {
        const Status status = parse_count(value, 0, DEVICE_MAX, &number);
        if (!status_is_ok(&status)) {
            return status_make(STATUS_USAGE,
                               "'%.40s' is no device; write all, cpu, or the number of a CUDA "
                               "device",
                               value);
        }
    }
    options->device = value;
    return status_ok();
}

static Status set_data(const char *value, void *of) {
    StudyOptions *options = of;
    options->data = value;
    return status_ok();
}

static Status set_out(const char *value, void *of) {
    StudyOptions *options = of;
    options->out = value;
    return status_ok();
}

static Status set_steps(const char *value, void *of) {
    StudyOptions *options = of;
    options->steps = value;
    return status_ok();
}

static Status set_render(const char *value, void *of) {
    (void)value;
    StudyOptions *options = of;
    options->render = true;
    return status_ok();
}

static Status set_dry_run(const char *value, void *of) {
    (void)value;
    StudyOptions *options = of;
    options->dry_run = true;
    return status_ok();
}

static Status set_quiet(const char *value, void *of) {
    (void)value;
    StudyOptions *options = of;
    options->quiet = true;
    return status_ok();
}

static Status set_list(const char *value, void *of) {
    (void)value;
    StudyOptions *options = of;
    options->list = true;
    return status_ok();
}

static Status set_help(const char *value, void *of) {
    (void)value;
    StudyOptions *options = of;
    options->help = true;
    return status_ok();
}

static Status set_name(const char *word, void *of) {
    StudyOptions *options = of;
    if (options->name != NULL) {
        return status_make(STATUS_USAGE, "study: unexpected argument '%.60s'; name one study",
                           word);
    }
    options->name = word;
    return status_ok();
}

static const FlagRow flag_rows[] = {
    {.flag = "list", .set = set_list, .help = "the studies there are, and what each is of"},
    {.flag = "quick",
     .set = set_quick,
     .help = "fewer repetitions and smaller inputs, as the study says: minutes in place of hours"},
    {.flag = "device",
     .argument = "all|cpu|N",
     .set = set_device,
     .help = "cpu hides all CUDA devices from the steps, a number all others. Default: all"},
    {.flag = "data",
     .argument = "DIR",
     .set = set_data,
     .help = "folder of the data that steps measure on. Default: datasets/cache, which "
             "datasets/fetch fills"},
    {.flag = "out",
     .argument = "DIR",
     .set = set_out,
     .help = "where the report, its tables and figures, and the files of the steps go. Default: "
             "reports/runs/<time>-NAME"},
    {.flag = "steps",
     .argument = "LIST",
     .set = set_steps,
     .help = "run only these steps; of the others, take what an earlier run left in the folder of "
             "--out: a long study in parts"},
    {.flag = "render",
     .set = set_render,
     .help = "measure nothing: make the report again from the folder of --out"},
    {.flag = "dry-run", .set = set_dry_run, .help = "print the command line of each step and stop"},
    {.flag = "quiet", .set = set_quiet, .help = "nothing on standard error but errors"},
    {.flag = "help", .set = set_help, .help = "this text"},
};
static const FlagTable flag_table = {.command = "study",
                                     .rows = flag_rows,
                                     .count = sizeof flag_rows / sizeof flag_rows[0],
                                     .word = set_name};

static void study_options_print_help(FILE *stream) {
    flags_print_help(stream, &flag_table);
}

static Status check(const StudyOptions *options) {
    if (options->name == NULL) {
        return status_make(STATUS_USAGE,
                           "study: name a study; bench study --list names those there are");
    }
    if (options->render && options->out == NULL) {
        return status_make(STATUS_USAGE,
                           "--render: name the folder of the study that was run with --out DIR");
    }
    if (options->render && (options->steps != NULL || options->dry_run || options->quick)) {
        return status_make(STATUS_USAGE, "--render: nothing is measured; leave out %s",
                           options->steps != NULL ? "--steps"
                           : options->dry_run     ? "--dry-run"
                                                  : "--quick");
    }
    return status_ok();
}

/* Texts point into `argv`. STATUS_USAGE is one sentence that says what would be right. */
static Status study_options_parse(int argc, char **argv, StudyOptions *options) {
    *options = (StudyOptions){.device = "all"};
    STATUS_TRY(flags_parse(&flag_table, argc, argv, options));
    return options->help || options->list ? status_ok() : check(options);
}

/* === Study session ============================================================================ */

/* What `bench study` works on: the study that was asked for, its steps that are to be run, and the
 * settings. */

typedef struct StudySession {
    const StudyOptions *options;
    Study study;
    Published published;
    StudyRecord record; /* texts of the settings, where they are those of an earlier run */
    StudySettings settings;
    char data[DATA_FOLDER_PATH_SIZE];
    char out[ATOMIC_FILE_PATH_SIZE];
    bool *chosen; /* steps to run */
} StudySession;

/* The folder that datasets/fetch fills; as a relative path where that will do. */
static void find_data(char *folder, size_t size) {
    static const char usual[] = "datasets/cache";
    static const DataFolder data = {
        .variable = "DATASETS_CACHE", .installed = "data", .source = usual, .what = "data"};
    const bool near = getenv(data.variable) == NULL && access(usual, R_OK) == 0;
    const Status found = near ? status_ok() : data_folder_find(&data, folder, size);
    if (near || !status_is_ok(&found)) {
        snprintf(folder, size, "%s", usual);
    }
}

/* Commands are the command line's own, so that only it knows which there are. */
static Status check_commands(const Study *study) {
    char path[ATOMIC_FILE_PATH_SIZE];
    snprintf(path, sizeof path, "%.4000s/study.txt", study->folder);
    for (size_t i = 0; i < study->step_count; i++) {
        const StudyStep *step = &study->steps[i];
        const Command *command = command_find(step->command);
        if (command != NULL && command->run != command_study) {
            continue;
        }
        char nearest[SUGGEST_TEXT_SIZE];
        Suggestion suggestion = suggest_start(step->command);
        for (size_t j = 0; j < command_count; j++) {
            suggest_offer(&suggestion, commands[j].name);
        }
        return study_text_error(path, step->line, step->command, "is no command of a step%s",
                                command != NULL ? "" : suggest_text(&suggestion, nearest));
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
            return status_make(STATUS_USAGE, "--steps: '%s' is no step of %.100s%s", word,
                               study->name, suggest_text(&suggestion, nearest));
        }
        chosen[step - study->steps] = true;
    }
    return status_ok();
}

static Status choose_steps(StudySession *session) {
    const size_t count = session->study.step_count;
    session->chosen = calloc(count, sizeof *session->chosen);
    if (session->chosen == NULL) {
        return status_skip("no memory left for a study");
    }
    if (session->options->steps != NULL) {
        return choose_named(&session->study, session->options->steps, session->chosen);
    }
    memset(session->chosen, !session->options->render, count * sizeof *session->chosen);
    return status_ok();
}

/* Parts of one report must be of one study, measured in one way. */
static Status check_record(const StudySession *session) {
    const StudyRecord *record = &session->record;
    if (strcmp(record->study, session->study.name) != 0) {
        return status_make(STATUS_USAGE, "--out: %.160s holds the study '%.100s'; name another",
                           session->out, record->study);
    }
    if (!session->options->render && record->quick != session->options->quick) {
        return status_make(STATUS_USAGE,
                           "--steps: the other steps in %.160s were run with%s --quick; do the "
                           "same, or name another folder",
                           session->out, record->quick ? "" : "out");
    }
    return status_ok();
}

/* What an earlier run in the folder was run with, where its steps are used. */
static Status take_record(StudySession *session) {
    const StudyOptions *options = session->options;
    char path[ATOMIC_FILE_PATH_SIZE + 16];
    snprintf(path, sizeof path, "%s/study.json", session->out);
    const bool found = access(path, F_OK) == 0;
    if (!options->render && (options->steps == NULL || !found)) {
        return status_ok();
    }
    STATUS_TRY(study_record_read(session->out, &session->record));
    STATUS_TRY(check_record(session));
    if (options->render) {
        session->settings.quick = session->record.quick;
        session->settings.device = session->record.device;
        session->settings.data = session->record.data;
    }
    return status_ok();
}

static Status make_settings(StudySession *session) {
    const StudyOptions *options = session->options;
    find_data(session->data, sizeof session->data);
    session->settings =
        (StudySettings){.quick = options->quick,
                        .quiet = options->quiet,
                        .device = options->device,
                        .data = options->data != NULL ? options->data : session->data,
                        .out = session->out};
    if (options->out == NULL) {
        char words[128];
        snprintf(words, sizeof words, "-%.120s", session->study.name);
        run_folder_choose(words, session->out, sizeof session->out);
    } else {
        STATUS_TRY(path_make(session->out, sizeof session->out, "%s", options->out));
    }
    return take_record(session);
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

enum { NAME, MEASURED, NUMBERS, PUBLISHED, WHY, COLUMNS };

static const TextColumn columns[COLUMNS] = {
    [NAME] = {"table", .left = true},       [MEASURED] = {"measured", .left = false},
    [NUMBERS] = {"of", .left = false},      [PUBLISHED] = {"published", .left = false},
    [WHY] = {"not measured", .left = true},
};

static void fill_row(const TableResult *table, TextRow *row) {
    const size_t count = table->table->row_count * table->table->column_count;
    size_t measured = 0, published = 0;
    for (size_t i = 0; i < count; i++) {
        const StudyValue *value = &table->values[i];
        measured += !isnan(value->measured);
        published += !isnan(value->published);
        if (isnan(value->measured) && row->cells[WHY][0] == '\0') {
            text_visible(value->why, row->cells[WHY], TEXT_TABLE_CELL_SIZE);
        }
    }
    text_visible(table->table->name, row->cells[NAME], TEXT_TABLE_CELL_SIZE);
    snprintf(row->cells[MEASURED], TEXT_TABLE_CELL_SIZE, "%zu", measured);
    snprintf(row->cells[NUMBERS], TEXT_TABLE_CELL_SIZE, "%zu", count);
    snprintf(row->cells[PUBLISHED], TEXT_TABLE_CELL_SIZE, "%zu", published);
}

void study_summary_print(FILE *stream, const StudyResult *result) {
    const size_t count = result->study->table_count;
    TextRow *rows = count > 0 ? calloc(count, sizeof *rows) : NULL;
    if (rows == NULL) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        fill_row(&result->tables[i], &rows[i]);
    }
    text_table_print(stream, columns, COLUMNS, rows, count);
    free(rows);
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

/* Without --quiet the message of each step is there already. */
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

/* The report of what there is. An image that cannot be drawn is only noted. All that is left is
 * writing down, so an interrupt does not end it. */
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
    if (status_is_ok(&status)) {
        study_summary_print(stdout, &result);
        putchar('\n');
        visible_line(stdout, "%s/report.html", session->out);
        if (session->settings.quiet && *code != EXIT_OK && *code != EXIT_INTERRUPTED) {
            print_failed(session, outcomes);
        }
    }
    study_result_release(&result);
    return status;
}

static Status run(const StudySession *session, int *code) {
    bool interrupted;
    if (!session->options->render) {
        STATUS_TRY(study_record_write(session->study.name, &session->settings));
    }
    StepOutcome *outcomes = calloc(session->study.step_count, sizeof *outcomes);
    if (outcomes == NULL) {
        return status_skip("no memory left for a study");
    }
    const Status status = study_steps_run(&session->study, &session->settings, session->chosen,
                                          outcomes, &interrupted);
    if (!status_is_ok(&status)) {
        free(outcomes);
        return status;
    }
    return report(session, outcomes, code);
}

static Status run_or_show(const StudyOptions *options, int *code) {
    StudySession session;
    Status status = study_session_open(options, &session);
    if (status_is_ok(&status) && options->dry_run) {
        for (size_t i = 0; i < session.study.step_count; i++) {
            if (session.chosen[i]) {
                study_step_announce(stdout, &session.study, i, &session.settings);
            }
        }
    } else if (status_is_ok(&status)) {
        status = run(&session, code);
    }
    study_session_close(&session);
    return status;
}

int command_study(const Invocation *given) {
    StudyOptions options;
    int code = EXIT_OK;
    Status status =
        study_options_parse(given->argc - given->first, given->argv + given->first, &options);
    if (status_is_ok(&status) && options.help) {
        command_study_help(stdout);
        return EXIT_OK;
    }
    if (status_is_ok(&status)) {
        status = options.list ? study_list(stdout) : run_or_show(&options, &code);
    }
    return status_is_ok(&status) ? code : command_error(&status);
}

void command_study_help(FILE *stream) {
    fputs("bench study NAME [options]\n"
          "bench study --list\n\n"
          "Measures what a paper measured, and writes its tables and figures with the published "
          "numbers\n"
          "beside: report.html, report.md, tables as CSV, Markdown and LaTeX, figures as SVG, PDF "
          "and PNG.\n"
          "What this machine cannot run is marked. NAME is one of the list, or the folder of a "
          "study.txt;\n"
          "reports/studies/README.md describes how to write one.\n\n"
          "Examples\n"
          "  bench study lbp-2020 --quick\n"
          "  bench study lbp-2020 --device cpu --out lbp\n"
          "  bench study lbp-riu-2018 --steps gpu --out riu\n"
          "  bench study lbp-2020 --render --out lbp\n",
          stream);
    study_options_print_help(stream);
}
