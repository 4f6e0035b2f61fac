/* The arguments that are stored with a run: as a list, and as a line of text. */

#include "command_line.h"
#include "arguments.h"
#include "results_internal.h"
#include "text.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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

static void put_text(Writer *writer, const char *text) {
    for (const char *c = text; *c != '\0'; c++) {
        put(writer, *c);
    }
}

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                            "0123456789-_=+,./:%@";

static bool is_plain(const char *argument) {
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

/* Whether the text has bytes that writers escape, so that a stored file would not keep them. */
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

/* In the syntax of a shell: --input=$'\xff.png'. Quotes and blanks are escaped too. */
static void put_escaped(Writer *writer, const char *argument) {
    static const char hex[] = "0123456789abcdef";
    const char *value = strncmp(argument, "--", 2) == 0 ? strchr(argument, '=') : NULL;
    if (value != NULL && strspn(argument, plain) > (size_t)(value - argument)) {
        while (argument <= value) {
            put(writer, *argument++);
        }
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

static void put_argument(Writer *writer, const char *argument) {
    if (needs_escapes(argument)) {
        put_escaped(writer, argument);
    } else if (!is_plain(argument)) {
        put_quoted(writer, argument);
    } else {
        put_text(writer, argument);
    }
}

void command_line_text(const ArgumentList *list, char *text, size_t size) {
    Writer writer = {.text = text, .size = size};
    text[0] = '\0';
    for (int i = 0; i < list->argc; i++) {
        put_text(&writer, i > 0 ? " " : "");
        put_argument(&writer, list->argv[i]);
    }
}

static bool add_json(cJSON *array, const char *argument) {
    if (!needs_escapes(argument) && strstr(argument, "$'") == NULL) {
        return cJSON_AddItemToArray(array, cJSON_CreateString(argument));
    }
    /* Four characters a byte, and $''. */
    Writer writer = {.size = 4 * strlen(argument) + sizeof "$''"};
    writer.text = malloc(writer.size);
    if (writer.text == NULL) {
        return false;
    }
    put_escaped(&writer, argument);
    const bool added = cJSON_AddItemToArray(array, cJSON_CreateString(writer.text));
    free(writer.text);
    return added;
}

bool arguments_json_add(cJSON *object, const ArgumentList *list) {
    cJSON *array = cJSON_AddArrayToObject(object, "argv");
    bool complete = array != NULL;
    for (int i = 0; complete && i < list->argc; i++) {
        complete = add_json(array, list->argv[i]);
    }
    return complete;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* Decodes the text after $', in which command_line_text writes bytes as \xff, up to the next quote.
 * Returns that quote or the end of the line. `*word` may be earlier in the same text. */
static const char *decode_bytes(const char *line, char **word) {
    for (; *line != '\0' && *line != '\''; line++) {
        char digits[3] = "";
        if (line[0] == '\\' && line[1] == 'x') {
            snprintf(digits, sizeof digits, "%.2s", line + 2);
        }
        const bool byte = strlen(digits) == 2 && strspn(digits, "0123456789abcdef") == 2;
        *(*word)++ = (char)(byte ? strtoul(digits, NULL, 16) : (unsigned char)*line);
        line += byte ? 3 : 0;
    }
    return line;
}

/* Copies one argument to `word`, which has room for the whole line. `open`: the line ends within
 * quotes. */
static const char *unquote(const char *line, char *word, bool *open) {
    bool quoted = false;
    for (; *line != '\0' && (quoted || *line != ' '); line++) {
        if (!quoted && strncmp(line, "$'", 2) == 0) {
            line = decode_bytes(line + 2, &word);
            if (*line == '\0') {
                quoted = true;
                break;
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
    *open = quoted;
    return line;
}

Status command_line_split(const char *line, ArgumentList *list, bool *open) {
    *list = (ArgumentList){.argc = 0};
    *open = false;
    char *word = malloc(strlen(line) + 1);
    Status status = word != NULL ? status_ok() : status_no_memory("for the arguments of a run");
    for (line += strspn(line, " "); status_is_ok(&status) && *line != '\0';
         line += strspn(line, " ")) {
        line = unquote(line, word, open);
        status = argument_list_add(list, word);
    }
    free(word);
    if (!status_is_ok(&status)) {
        argument_list_release(list);
    }
    return status;
}

/* Reverses add_json in place. False when add_json cannot have written the text. */
static bool decode_json(char *text) {
    char *word = strstr(text, "$'");
    if (word == NULL) {
        return true;
    }
    const char *end = decode_bytes(word + 2, &word);
    const bool whole = end[0] == '\'' && end[1] == '\0';
    *word = '\0';
    return whole;
}

static Status read_argument(const cJSON *item, ArgumentList *list) {
    const char *text = cJSON_GetStringValue(item);
    if (text == NULL) {
        return status_make(STATUS_FILE, "\"argv\" is not a list of texts");
    }
    STATUS_TRY(argument_list_add(list, text));
    return decode_json(list->argv[list->argc - 1])
               ? status_ok()
               : status_make(STATUS_FILE, "\"argv\" has an argument whose $'…' does not close");
}

Status arguments_json_read(const cJSON *array, ArgumentList *list) {
    Status status = cJSON_IsArray(array)
                        ? status_ok()
                        : status_make(STATUS_FILE, "\"argv\" is not a list of texts");
    *list = (ArgumentList){.argc = 0};
    for (const cJSON *item = array->child; status_is_ok(&status) && item != NULL;
         item = item->next) {
        status = read_argument(item, list);
    }
    if (!status_is_ok(&status)) {
        argument_list_release(list);
    }
    return status;
}
