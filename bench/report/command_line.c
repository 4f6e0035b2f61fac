#include "command_line.h"

#include <stdbool.h>
#include <string.h>

#include "visible.h"

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
