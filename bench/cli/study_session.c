#include "study_session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "run_folder.h"
#include "study_file.h"
#include "study_text.h"
#include "suggest.h"
#include "text_list.h"

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
    } else if (snprintf(session->out, sizeof session->out, "%s", options->out) >=
               (int)sizeof session->out) {
        return status_make(STATUS_FILE, "%.64s…: the path is too long", options->out);
    }
    return take_record(session);
}

Status study_session_open(const StudyOptions *options, StudySession *session) {
    char folder[ATOMIC_FILE_PATH_SIZE];
    *session = (StudySession){.options = options};
    STATUS_TRY(study_find(options->name, folder, sizeof folder));
    STATUS_TRY(study_file_read(folder, &session->study));
    STATUS_TRY(check_commands(&session->study));
    STATUS_TRY(published_read(&session->study, &session->published));
    STATUS_TRY(choose_steps(session));
    return make_settings(session);
}

void study_session_close(StudySession *session) {
    free(session->chosen);
    published_release(&session->published);
    study_release(&session->study);
}
