#include "resume_arguments.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reporters.h"

/* Options that say where a run's files go, and whether a value follows. A stored run cannot choose
 * the files that another command writes: it may come from anybody. */
static const struct {
    const char *name;
    bool has_value;
} places[] = {{"--out", true},  {"--resume", true}, {"--csv", true},
              {"--json", true}, {"--save", true},   {"--save-table", false}};

/* How many of the arguments from `argument` on, it and its value, name a place; 0: none. */
static int place_length(const char *argument) {
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const size_t length = strlen(places[i].name);
        if (strncmp(argument, places[i].name, length) == 0) {
            if (argument[length] == '\0') {
                return places[i].has_value ? 2 : 1;
            }
            if (argument[length] == '=') {
                return 1;
            }
        }
    }
    return 0;
}

static Status append(const ArgumentList *stored, int argc, char *const *argv, ArgumentList *list) {
    STATUS_TRY(argument_list_add(list, "bench"));
    int i = stored->argc > 0 && strcmp(stored->argv[0], "run") == 0 ? 1 : 0;
    while (i < stored->argc) {
        const int length = place_length(stored->argv[i]);
        if (length == 0) {
            STATUS_TRY(argument_list_add(list, stored->argv[i]));
        }
        i += length > 0 ? length : 1;
    }
    for (i = 0; i < argc; i++) {
        STATUS_TRY(argument_list_add(list, argv[i]));
    }
    return status_ok();
}

static Status stored_line(const char *folder, char line[COMMAND_LINE_SIZE]) {
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/results.json", folder) >= (int)sizeof path) {
        return status_make(STATUS_FILE, "--resume: the folder's name is too long");
    }
    StoredRun *stored = calloc(1, sizeof *stored);
    if (stored == NULL) {
        return status_skip("no memory to read %.200s", path);
    }
    const Status status = stored_run_read(path, stored);
    if (status_is_ok(&status)) {
        snprintf(line, COMMAND_LINE_SIZE, "%s", stored->argv);
        stored_run_release(stored);
    }
    free(stored);
    return status;
}

Status resume_arguments(const char *folder, int argc, char *const *argv, ArgumentList *list) {
    *list = (ArgumentList){.argc = 0};
    char line[COMMAND_LINE_SIZE];
    STATUS_TRY(stored_line(folder, line));
    if (strlen(line) + 1 >= COMMAND_LINE_SIZE) {
        return status_make(STATUS_USAGE, "--resume: the stored command line was too long to be "
                                         "kept whole; give its arguments again");
    }
    ArgumentList stored;
    STATUS_TRY(command_line_split(line, &stored));
    const Status status = append(&stored, argc, argv, list);
    argument_list_release(&stored);
    if (!status_is_ok(&status)) {
        argument_list_release(list);
    }
    return status;
}
