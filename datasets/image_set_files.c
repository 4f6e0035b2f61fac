#include "image_set_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LABEL_MAX = 255, ROOM_AT_FIRST = 64 };

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

/* Not by the locale's order, which differs between machines. */
static int by_bytes(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int by_turns(const void *left, const void *right) {
    const SetFile *a = left;
    const SetFile *b = right;
    if (a->place != b->place) {
        return a->place < b->place ? -1 : 1;
    }
    /* Folders "7" and "07" are the same label. */
    return a->label != b->label ? (int)a->label - (int)b->label : strcmp(a->path, b->path);
}

static Status no_memory(const char *folder) {
    return status_skip("%s: no memory for the names of its files", folder);
}

/* Takes the path over. */
static Status add_file(SetFiles *files, const char *folder, char *path, size_t place,
                       uint8_t label) {
    if (files->count == files->room) {
        const size_t room = files->room == 0 ? ROOM_AT_FIRST : 2 * files->room;
        SetFile *items = realloc(files->items, room * sizeof *items);
        if (items == NULL) {
            free(path);
            return no_memory(folder);
        }
        files->items = items;
        files->room = room;
    }
    files->items[files->count++] = (SetFile){.path = path, .place = place, .label = label};
    return status_ok();
}

static char *path_in(const char *folder, const char *name) {
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path != NULL) {
        const size_t length = strlen(folder);
        const bool ends = length > 0 && folder[length - 1] == '/';
        snprintf(path, size, "%s%s%s", folder, ends ? "" : "/", name);
    }
    return path;
}

bool set_files_is_folder(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

/* Digits alone, up to LABEL_MAX. */
static bool label_of(const char *name, uint8_t *label) {
    unsigned number = 0;
    const char *at = name;
    for (; *at >= '0' && *at <= '9' && number <= LABEL_MAX; ++at) {
        number = number * 10 + (unsigned)(*at - '0');
    }
    *label = (uint8_t)number;
    return at != name && *at == '\0' && number <= LABEL_MAX;
}

/* The visible entries of a folder, in order. */
typedef struct Names {
    struct dirent **entries;
    int count;
} Names;

static void names_free(Names *names) {
    for (int i = 0; i < names->count; ++i) {
        free(names->entries[i]);
    }
    free(names->entries);
}

static Status names_list(const char *folder, Names *names) {
    *names = (Names){0};
    const int count = scandir(folder, &names->entries, is_visible, by_bytes);
    if (count < 0) {
        return status_make(STATUS_FILE, "%.250s: the folder cannot be read: %s", folder,
                           strerror(errno));
    }
    names->count = count;
    return status_ok();
}

static Status check_any(const char *folder, const Names *names) {
    return names->count > 0
               ? status_ok()
               : status_make(STATUS_FILE, "%s: the folder is empty; a set has at least one picture",
                             folder);
}

static Status add_picture(const char *folder, const char *name, size_t place, uint8_t label,
                          SetFiles *files) {
    char *path = path_in(folder, name);
    if (path == NULL) {
        return no_memory(folder);
    }
    if (set_files_is_folder(path)) {
        const Status status =
            status_make(STATUS_FILE,
                        "%.250s: is a folder among files; a set is a folder of pictures, or a "
                        "folder of nothing but folders of pictures",
                        path);
        free(path);
        return status;
    }
    return add_file(files, folder, path, place, label);
}

static Status add_pictures(const char *folder, const Names *names, uint8_t label, SetFiles *files) {
    STATUS_TRY(check_any(folder, names));
    for (int i = 0; i < names->count; ++i) {
        STATUS_TRY(add_picture(folder, names->entries[i]->d_name, (size_t)i, label, files));
    }
    return status_ok();
}

static Status check_labelled_folder(const char *path, const char *name, uint8_t *label) {
    if (!set_files_is_folder(path)) {
        return status_make(STATUS_FILE,
                           "%.250s: is a file among folders; a set is a folder of pictures, or a "
                           "folder of nothing but folders of pictures",
                           path);
    }
    if (!label_of(name, label)) {
        return status_make(STATUS_FILE,
                           "%.250s: folders of pictures are named by their label, 0 to %d", path,
                           LABEL_MAX);
    }
    return status_ok();
}

static Status add_labelled_folder(const char *path, const char *name, SetFiles *files) {
    uint8_t label = 0;
    STATUS_TRY(check_labelled_folder(path, name, &label));
    Names names;
    STATUS_TRY(names_list(path, &names));
    const Status status = add_pictures(path, &names, label, files);
    names_free(&names);
    return status;
}

static Status add_labelled_folders(const char *folder, const Names *names, SetFiles *files) {
    for (int i = 0; i < names->count; ++i) {
        const char *name = names->entries[i]->d_name;
        char *path = path_in(folder, name);
        if (path == NULL) {
            return no_memory(folder);
        }
        const Status status = add_labelled_folder(path, name, files);
        free(path);
        STATUS_TRY(status);
    }
    qsort(files->items, files->count, sizeof *files->items, by_turns);
    return status_ok();
}

/* The first entry decides which of the two kinds of folder it is. */
static Status add_all(const char *folder, const Names *names, SetFiles *files) {
    STATUS_TRY(check_any(folder, names));
    char *first = path_in(folder, names->entries[0]->d_name);
    if (first == NULL) {
        return no_memory(folder);
    }
    files->labelled = set_files_is_folder(first);
    free(first);
    return files->labelled ? add_labelled_folders(folder, names, files)
                           : add_pictures(folder, names, 0, files);
}

Status set_files_list(const char *folder, SetFiles *files) {
    *files = (SetFiles){0};
    Names names;
    STATUS_TRY(names_list(folder, &names));
    const Status status = add_all(folder, &names, files);
    names_free(&names);
    if (!status_is_ok(&status)) {
        set_files_free(files);
    }
    return status;
}

void set_files_free(SetFiles *files) {
    for (size_t i = 0; i < files->count; ++i) {
        free(files->items[i].path);
    }
    free(files->items);
    *files = (SetFiles){0};
}
