#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "atomic_file.h"
#include "data_folder.h"
#include "study_file.h"
#include "suggest.h"
#include "visible.h"

static const DataFolder studies = {.variable = "BENCH_STUDY_DIR",
                                   .installed = "studies",
                                   .source = "reports/studies",
                                   .what = "the studies"};

/* Writes the path of a study's folder; false when it holds no study.txt. */
static bool holds_study(const char *parent, const char *name, char *folder, size_t size) {
    char path[ATOMIC_FILE_PATH_SIZE];
    const char *slash = parent[0] != '\0' ? "/" : "";
    if (snprintf(path, sizeof path, "%s%s%s/study.txt", parent, slash, name) >= (int)sizeof path ||
        access(path, F_OK) != 0) {
        return false;
    }
    return snprintf(folder, size, "%s%s%s", parent, slash, name) < (int)size;
}

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

/* The entries of the folder by name; 0 when it cannot be read. */
static size_t list_folder(const char *folder, struct dirent ***entries) {
    const int count = scandir(folder, entries, is_visible, alphasort);
    return count > 0 ? (size_t)count : 0;
}

static void release_list(struct dirent **entries, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(entries[i]);
    }
    if (count > 0) {
        free(entries);
    }
}

static Status unknown(const char *name, const char *parent) {
    struct dirent **entries;
    const size_t count = list_folder(parent, &entries);
    char folder[ATOMIC_FILE_PATH_SIZE];
    char nearest[SUGGEST_TEXT_SIZE];
    Suggestion suggestion = suggest_start(name);
    for (size_t i = 0; i < count; i++) {
        if (holds_study(parent, entries[i]->d_name, folder, sizeof folder)) {
            suggest_offer(&suggestion, entries[i]->d_name);
        }
    }
    const Status status = status_make(STATUS_USAGE,
                                      "'%.80s' is no study, and no folder with a study.txt "
                                      "(bench study --list names the studies)%s",
                                      name, suggest_text(&suggestion, nearest));
    release_list(entries, count);
    return status;
}

Status study_find(const char *name, char *folder, size_t size) {
    if (holds_study("", name, folder, size)) {
        return status_ok();
    }
    char parent[DATA_FOLDER_PATH_SIZE];
    STATUS_TRY(data_folder_find(&studies, parent, sizeof parent));
    return holds_study(parent, name, folder, size) ? status_ok() : unknown(name, parent);
}

/* A study that cannot be read is listed with the reason. */
static void print_entry(FILE *stream, const char *name, const char *folder) {
    Study study;
    const Status status = study_file_read(folder, &study);
    visible_line(stream, "%-20s %s", name, status_is_ok(&status) ? study.title : status.why);
    if (status_is_ok(&status)) {
        study_release(&study);
    }
}

Status study_list(FILE *stream) {
    char parent[DATA_FOLDER_PATH_SIZE];
    STATUS_TRY(data_folder_find(&studies, parent, sizeof parent));
    struct dirent **entries;
    const size_t count = list_folder(parent, &entries);
    for (size_t i = 0; i < count; i++) {
        char folder[ATOMIC_FILE_PATH_SIZE];
        if (holds_study(parent, entries[i]->d_name, folder, sizeof folder)) {
            print_entry(stream, entries[i]->d_name, folder);
        }
    }
    release_list(entries, count);
    return status_ok();
}
