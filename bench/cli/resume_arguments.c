#include "resume_arguments.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line.h"
#include "reporters.h"

static Status add(ArgumentList *list, const char *text, size_t length) {
    char **grown = realloc(list->argv, ((size_t)list->argc + 2) * sizeof *grown);
    if (grown == NULL) {
        return status_fail("no memory for the arguments of the stored run");
    }
    list->argv = grown;
    char *copy = strndup(text, length);
    if (copy == NULL) {
        return status_fail("no memory for the arguments of the stored run");
    }
    list->argv[list->argc++] = copy;
    list->argv[list->argc] = NULL;
    return status_ok();
}

void resume_arguments_release(ArgumentList *list) {
    for (int i = 0; i < list->argc; i++) {
        free(list->argv[i]);
    }
    free(list->argv);
    *list = (ArgumentList){.argc = 0};
}

/* Copies what stands between $' and the next quote, where command_line_text writes bytes as \xff;
 * returns that quote, or NULL when there is none. */
static const char *take_bytes(const char *line, char **word) {
    for (; *line != '\0' && *line != '\''; line++) {
        char digits[3] = "";
        if (line[0] == '\\' && line[1] == 'x') {
            snprintf(digits, sizeof digits, "%.2s", line + 2);
        }
        const bool byte = strlen(digits) == 2 && strspn(digits, "0123456789abcdef") == 2;
        *(*word)++ = (char)(byte ? strtoul(digits, NULL, 16) : (unsigned char)*line);
        line += byte ? 3 : 0;
    }
    return *line == '\'' ? line : NULL;
}

/* Copies one argument to `word`, which is as long as the line; NULL when quotes do not close. */
static const char *unquote(const char *line, char *word) {
    bool quoted = false;
    for (; *line != '\0' && (quoted || *line != ' '); line++) {
        if (!quoted && strncmp(line, "$'", 2) == 0) {
            line = take_bytes(line + 2, &word);
            if (line == NULL) {
                return NULL;
            }
        } else if (*line == '\'') {
            quoted = !quoted;
        } else if (*line == '\\' && !quoted && line[1] != '\0') {
            *word++ = *++line;
        } else {
            *word++ = *line;
        }
    }
    *word = '\0';
    return quoted ? NULL : line;
}

static Status split_into(const char *line, char *word, ArgumentList *list) {
    for (line += strspn(line, " "); *line != '\0'; line += strspn(line, " ")) {
        line = unquote(line, word);
        if (line == NULL) {
            return status_make(STATUS_FILE, "the stored command line has an open quote");
        }
        STATUS_TRY(add(list, word, strlen(word)));
    }
    return status_ok();
}

Status arguments_split(const char *line, ArgumentList *list) {
    *list = (ArgumentList){.argc = 0};
    char *word = malloc(strlen(line) + 1);
    if (word == NULL) {
        return status_fail("no memory for the arguments of the stored run");
    }
    const Status status = split_into(line, word, list);
    free(word);
    if (!status_is_ok(&status)) {
        resume_arguments_release(list);
    }
    return status;
}

static bool names_place(const char *argument) {
    return strcmp(argument, "--out") == 0 || strcmp(argument, "--resume") == 0;
}

static bool holds_place(const char *argument) {
    return strncmp(argument, "--out=", 6) == 0 || strncmp(argument, "--resume=", 9) == 0;
}

static Status append(const ArgumentList *stored, int argc, char *const *argv, ArgumentList *list) {
    STATUS_TRY(add(list, "bench", strlen("bench")));
    for (int i = 0; i < stored->argc; i++) {
        const char *argument = stored->argv[i];
        const bool command = i == 0 && strcmp(argument, "run") == 0;
        if (names_place(argument)) {
            i++;
        } else if (!command && !holds_place(argument)) {
            STATUS_TRY(add(list, argument, strlen(argument)));
        }
    }
    for (int i = 0; i < argc; i++) {
        STATUS_TRY(add(list, argv[i], strlen(argv[i])));
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
        return status_fail("no memory to read %.200s", path);
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
    STATUS_TRY(arguments_split(line, &stored));
    const Status status = append(&stored, argc, argv, list);
    resume_arguments_release(&stored);
    if (!status_is_ok(&status)) {
        resume_arguments_release(list);
    }
    return status;
}
