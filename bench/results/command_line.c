/* The command line that is stored with a run. */

#include "results_internal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "status.h"

/* --- Writing ---------------------------------------------------------------------------------- */

typedef struct Writer {
    char *text;
    size_t size, used;
} Writer;

static void put(Writer *writer, char character) {
    if (writer->used + 1 < writer->size) {
        writer->text[writer->used++] = character;
        writer->text[writer->used] = '\0';
    }
}

static bool is_plain(const char *argument) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789-_=+,./:%@";
    return argument[0] != '\0' && strspn(argument, plain) == strlen(argument);
}

static void put_quoted(Writer *writer, const char *argument) {
    put(writer, '\'');
    for (const char *c = argument; *c != '\0'; c++) {
        if (*c == '\'') {
            /* Close the quotes, an escaped quote, open them again. */
            put(writer, '\'');
            put(writer, '\\');
            put(writer, '\'');
        }
        put(writer, *c);
    }
    put(writer, '\'');
}

/* Whether the text has bytes that a stored file would show in another way than they are. */
static bool needs_escapes(const char *argument) {
    for (size_t taken = 0; *argument != '\0'; argument += taken) {
        char escape[VISIBLE_ESCAPE_SIZE];
        taken = visible_character(argument, "", escape);
        if (escape[0] != '\0') {
            return true;
        }
    }
    return false;
}

/* As a shell reads it: --input=$'\xff.png'. Quotes and blanks are escapes too. */
static void put_escaped(Writer *writer, const char *argument) {
    static const char hex[] = "0123456789abcdef";
    const char *value = strncmp(argument, "--", 2) == 0 ? strchr(argument, '=') : NULL;
    while (value != NULL && argument <= value) {
        put(writer, *argument++);
    }
    put(writer, '$');
    put(writer, '\'');
    for (const char *c = argument; *c != '\0'; c++) {
        const unsigned byte = (unsigned char)*c;
        if (byte > ' ' && byte < 0x7F && *c != '\'' && *c != '\\') {
            put(writer, *c);
            continue;
        }
        put(writer, '\\');
        put(writer, 'x');
        put(writer, hex[byte / 16]);
        put(writer, hex[byte % 16]);
    }
    put(writer, '\'');
}

void command_line_text(const RunOptions *options, char *text, size_t size) {
    Writer writer = {.text = text, .size = size};
    text[0] = '\0';
    for (int i = 1; i < options->argc; i++) {
        if (i > 1) {
            put(&writer, ' ');
        }
        if (needs_escapes(options->argv[i])) {
            put_escaped(&writer, options->argv[i]);
            continue;
        }
        if (!is_plain(options->argv[i])) {
            put_quoted(&writer, options->argv[i]);
            continue;
        }
        for (const char *c = options->argv[i]; *c != '\0'; c++) {
            put(&writer, *c);
        }
    }
}

/* --- Reading ---------------------------------------------------------------------------------- */

Status argument_list_add(ArgumentList *list, const char *argument) {
    STATUS_TRY(list_room(NULL, &list->argv, (size_t)list->argc + 2, &list->capacity,
                         sizeof *list->argv, "arguments of a run"));
    char *copy = strdup(argument);
    if (copy == NULL) {
        return status_skip("no memory for the arguments of a run");
    }
    list->argv[list->argc++] = copy;
    list->argv[list->argc] = NULL;
    return status_ok();
}

void argument_list_release(ArgumentList *list) {
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
        STATUS_TRY(argument_list_add(list, word));
    }
    return status_ok();
}

Status command_line_split(const char *line, ArgumentList *list) {
    *list = (ArgumentList){.argc = 0};
    char *word = malloc(strlen(line) + 1);
    if (word == NULL) {
        return status_skip("no memory for the arguments of a run");
    }
    const Status status = split_into(line, word, list);
    free(word);
    if (!status_is_ok(&status)) {
        argument_list_release(list);
    }
    return status;
}
