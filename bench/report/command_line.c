#include "command_line.h"

#include <stdbool.h>
#include <string.h>

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

void command_line_text(const RunOptions *options, char *text, size_t size) {
    Writer writer = {.text = text, .size = size};
    text[0] = '\0';
    for (int i = 1; i < options->argc; i++) {
        if (i > 1) {
            put(&writer, ' ');
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
