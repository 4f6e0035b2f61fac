/* The journal: rows that are stored beside results.json until that is written again. */

#include "journal.h"
#include "files.h"
#include "json.h"
#include "paths.h"
#include "results_internal.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Most bytes of a file that is read, packed and unpacked. */
enum { FILE_MOST = 1 << 30 };

static const char *const list_names[] = {"benchmarks", "failures", "skipped"};

enum { LISTS = sizeof list_names / sizeof list_names[0] };

/* results.json.gz has the journal of results.json: a killed run may have been packed later. */
static Status journal_path(const char *json_path, char path[ATOMIC_FILE_PATH_SIZE]) {
    const size_t length = strlen(json_path) - (text_ends(json_path, ".gz") ? strlen(".gz") : 0);
    return path_make(path, ATOMIC_FILE_PATH_SIZE, "%.*s.journal", (int)length, json_path);
}

/* --- Writing ---------------------------------------------------------------------------------- */

static Status cannot_write(const char *json_path) {
    return status_make(STATUS_FILE, "cannot write %.200s.journal: %s", json_path, strerror(errno));
}

/* Writes the tree as a line and deletes it. NULL stands for a tree that could not be allocated. */
static Status write_line(const Journal *journal, const char *json_path, cJSON *line) {
    char *text = line != NULL ? cJSON_PrintUnformatted(line) : NULL;
    cJSON_Delete(line);
    STATUS_MEMORY(text, "for a row of %.200s", json_path);
    const bool written = fprintf(journal->stream, "%s\n", text) > 0 && fflush(journal->stream) == 0;
    cJSON_free(text);
    return written ? status_ok() : cannot_write(json_path);
}

static cJSON *header_of(const Journal *journal) {
    cJSON *header = cJSON_CreateObject();
    return json_whole(header, json_add_text(header, "date", journal->date) &&
                                  json_add_number(header, "elapsed_s", journal->elapsed));
}

/* Creates the file exclusively: an existing file or link is removed, not followed. */
static Status create(Journal *journal, const char *json_path) {
    const mode_t all = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH; /* but umask's */
    char path[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(journal_path(json_path, path));
    unlink(path);
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, all);
    if (file < 0) {
        return cannot_write(json_path);
    }
    journal->stream = fdopen(file, "w");
    if (journal->stream == NULL) {
        close(file);
        return cannot_write(json_path);
    }
    return write_line(journal, json_path, header_of(journal));
}

static cJSON *line_of(const Row *row) {
    cJSON *line = cJSON_CreateObject();
    const char *list = NULL;
    cJSON *entry = row_json_entry(row, &list);
    if (!cJSON_AddItemToObject(line, "entry", entry)) {
        cJSON_Delete(entry);
        return json_whole(line, false);
    }
    return json_whole(line, json_add_text(line, "list", list));
}

Status journal_add(Journal *journal, const char *json_path, const Row *row) {
    if (journal->stream == NULL) {
        STATUS_TRY(create(journal, json_path));
    }
    return write_line(journal, json_path, line_of(row));
}

void journal_close(Journal *journal) {
    if (journal->stream != NULL) {
        fclose(journal->stream);
        journal->stream = NULL;
    }
}

void journal_remove(Journal *journal, const char *json_path) {
    char path[ATOMIC_FILE_PATH_SIZE];
    journal_close(journal);
    const Status status = journal_path(json_path, path);
    if (status_is_ok(&status)) {
        unlink(path);
    }
}

/* --- Reading ---------------------------------------------------------------------------------- */

static bool same_run(const cJSON *header, const cJSON *root) {
    const cJSON *context = cJSON_GetObjectItemCaseSensitive(root, "context");
    const char *ours = json_text(header, "date");
    const char *date = json_text(context, "date");
    return ours != NULL && date != NULL && strcmp(ours, date) == 0 &&
           json_number_or(header, "elapsed_s", NAN) == json_number_or(context, "elapsed_s", NAN);
}

static void remove_entry(cJSON *const lists[LISTS], const char *name) {
    for (size_t i = 0; i < LISTS; i++) {
        cJSON *next;
        for (cJSON *entry = lists[i]->child; entry != NULL; entry = next) {
            const char *other = json_text(entry, "name");
            next = entry->next;
            if (other != NULL && strcmp(other, name) == 0) {
                cJSON_Delete(cJSON_DetachItemViaPointer(lists[i], entry));
            }
        }
    }
}

/* Adds the entry as the last cell: readers find its place in the plan by its name. */
static bool place_entry(cJSON *const lists[LISTS], cJSON *line, double cell) {
    const char *list = json_text(line, "list");
    const cJSON *entry = cJSON_GetObjectItemCaseSensitive(line, "entry");
    const char *name = json_text(entry, "name");
    for (size_t i = 0; list != NULL && name != NULL && i < LISTS; i++) {
        if (strcmp(list, list_names[i]) == 0) {
            remove_entry(lists, name);
            cJSON *moved = cJSON_DetachItemFromObjectCaseSensitive(line, "entry");
            cJSON_DeleteItemFromObjectCaseSensitive(moved, "cell");
            return cJSON_AddNumberToObject(moved, "cell", cell) != NULL &&
                   cJSON_AddItemToArray(lists[i], moved);
        }
    }
    return false;
}

/* Adds the rows of a journal, up to the first invalid line. */
static void merge(char *text, cJSON *root) {
    cJSON *lists[LISTS];
    double cell = 0;
    for (size_t i = 0; i < LISTS; i++) {
        lists[i] = cJSON_GetObjectItemCaseSensitive(root, list_names[i]);
        if (!cJSON_IsArray(lists[i])) {
            return;
        }
        cell += cJSON_GetArraySize(lists[i]);
    }
    bool first = true;
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        cJSON *object = cJSON_Parse(line);
        const bool good = first ? same_run(object, root) : place_entry(lists, object, cell++);
        cJSON_Delete(object);
        if (!good) {
            return;
        }
        first = false;
    }
}

Status journal_read_results(const char *json_path, cJSON **root) {
    char path[ATOMIC_FILE_PATH_SIZE];
    if (text_ends(json_path, ".csv")) {
        return status_make(STATUS_FILE,
                           "%s: a run is read from its results.json; name that, or the folder",
                           json_path);
    }
    STATUS_TRY(json_file_read(json_path, "a stored run", FILE_MOST, root));
    const Status named = journal_path(json_path, path);
    struct stat info;
    char *text;
    size_t length;
    if (!status_is_ok(&named) || stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
        return status_ok();
    }
    const Status status = file_text_read(path, "a journal", FILE_MOST, &text, &length);
    if (status_is_ok(&status)) {
        merge(text, *root);
        free(text);
    }
    return status_ok();
}
