#include "data_folder.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build_info.h"

static bool is_right(const char *folder, const char *holds) {
    char path[DATA_FOLDER_PATH_SIZE];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, holds != NULL ? holds : ".");
    return length > 0 && (size_t)length < sizeof path && access(path, R_OK) == 0;
}

/* Folder of the running program, without a slash at its end; empty when it cannot be told. */
static void program_folder(char *folder, size_t size) {
    const ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
}

Status data_folder_find(const DataFolder *wanted, char *folder, size_t size) {
    char program[DATA_FOLDER_PATH_SIZE];
    program_folder(program, sizeof program);
    const char *given = getenv(wanted->variable);
    const char *const candidates[][3] = {
        {given != NULL ? given : "", "", ""},
        {program, "/../share/bench/", wanted->installed},
        {program, "/../../", wanted->source},
        {BUILD_SOURCE_DIR, "/", wanted->source},
    };
    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++) {
        const char *const *parts = candidates[i];
        const int length = snprintf(folder, size, "%s%s%s", parts[0], parts[1], parts[2]);
        if (parts[0][0] != '\0' && length > 0 && (size_t)length < size &&
            is_right(folder, wanted->holds)) {
            return status_ok();
        }
    }
    return status_skip("%s were not found; %s can name their folder", wanted->what,
                       wanted->variable);
}
