#include "path_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "atomic_file.h"

Status path_list_add(PathList *list, const char *path) {
    char **grown = realloc(list->paths, (list->count + 1) * sizeof *grown);
    if (grown == NULL) {
        return status_skip("no memory left for the list of files");
    }
    list->paths = grown;
    grown[list->count] = strdup(path);
    if (grown[list->count] == NULL) {
        return status_skip("no memory left for the list of files");
    }
    list->count++;
    return status_ok();
}

void path_list_release(PathList *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->paths[i]);
    }
    free(list->paths);
    *list = (PathList){.count = 0};
}

static int is_curve(const struct dirent *entry) {
    static const char ending[] = "-curve.csv";
    const size_t length = strlen(entry->d_name);
    return length >= sizeof ending - 1 &&
           strcmp(entry->d_name + length - (sizeof ending - 1), ending) == 0;
}

/* The same order in every locale. */
static int by_bytes(const struct dirent **left, const struct dirent **right) {
    return strcmp((*left)->d_name, (*right)->d_name);
}

static Status add_entry(PathList *list, const char *folder, const char *name) {
    char path[ATOMIC_FILE_PATH_SIZE];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path) {
        return status_make(STATUS_FILE, "%.200s…: the path is too long", folder);
    }
    return path_list_add(list, path);
}

static Status add_folder(PathList *list, const char *folder) {
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, is_curve, by_bytes);
    if (count < 0) {
        return status_make(STATUS_FILE, "%s: the folder cannot be read: %s", folder,
                           strerror(errno));
    }
    Status status = count > 0
                        ? status_ok()
                        : status_make(STATUS_FILE, "%s: the folder holds no …-curve.csv", folder);
    for (int i = 0; i < count; i++) {
        if (status_is_ok(&status)) {
            status = add_entry(list, folder, entries[i]->d_name);
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

Status path_list_add_curves(PathList *list, const char *path) {
    struct stat facts;
    const bool folder = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
    return folder ? add_folder(list, path) : path_list_add(list, path);
}
