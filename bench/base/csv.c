/* CSV records: reading and writing fields. */

#include "base_internal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static bool ends_line(char character) {
    return character == '\n' || character == '\r' || character == '\0';
}

/* Unquotes one field in place. Returns where reading goes on: at the comma or the line's end, which
 * `*end` keeps since the terminating NUL may overwrite it. */
static char *take_field(char *from, char *end) {
    char *to = from;
    char *read = from;
    bool quoted = *read == '"';
    read += quoted;
    while (*read != '\0' && (quoted || (*read != ',' && !ends_line(*read)))) {
        if (quoted && *read == '"') {
            read++;
            if (*read != '"') {
                quoted = false;
                continue;
            }
        }
        *to++ = *read++;
    }
    *end = *read;
    *to = '\0';
    return read;
}

static char *skip_comments(char *text) {
    while (*text == '#' || *text == '\n' || *text == '\r') {
        if (*text == '#') {
            text += strcspn(text, "\n");
        } else {
            text++;
        }
    }
    return text;
}

bool csv_next_record(char **cursor, CsvRecord *record) {
    char *text = skip_comments(*cursor);
    record->count = 0;
    if (*text == '\0') {
        *cursor = text;
        return false;
    }
    for (;;) {
        char end;
        if (record->count < CSV_FIELDS_MAX) {
            record->fields[record->count++] = text;
        }
        text = take_field(text, &end);
        if (end != '\0') {
            text++;
        }
        if (end != ',') {
            break;
        }
    }
    *cursor = text;
    return true;
}

size_t csv_field_index(const CsvRecord *header, const char *name) {
    for (size_t i = 0; i < header->count; i++) {
        if (strcmp(header->fields[i], name) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

const char *csv_field(const CsvRecord *record, size_t index) {
    return index < record->count ? record->fields[index] : "";
}

/* Writes one character, and line ends as they are or as blanks; returns its bytes. */
static size_t write_character(FILE *stream, const char *c, bool one_line) {
    char escape[VISIBLE_ESCAPE_SIZE];
    const size_t taken = visible_character(c, "\n\r\t", escape);
    if (escape[0] != '\0') {
        fputs(escape, stream);
    } else if (one_line && ends_line(*c)) {
        fputc(' ', stream);
    } else {
        fwrite(c, 1, taken, stream);
    }
    return taken;
}

/* A spreadsheet takes a field that begins with '=' for a formula. It stays as it is: these files
 * are data, which is read back and must be what was measured. */
void csv_write_field(FILE *stream, const char *value) {
    /* A record that began with '#' would be read as a comment. */
    const bool quoted = value[0] == '#' || strpbrk(value, ",\"\r\n") != NULL;
    fputs(quoted ? "\"" : "", stream);
    for (const char *c = value; *c != '\0';) {
        if (*c == '"') {
            fputc('"', stream);
        }
        c += write_character(stream, c, false);
    }
    fputs(quoted ? "\"" : "", stream);
}

void csv_write_comment(FILE *stream, const char *key, const char *text) {
    fputs("# ", stream);
    for (const char *c = key; *c != '\0';) {
        c += write_character(stream, c, true);
    }
    fputs(": ", stream);
    for (const char *c = text; *c != '\0';) {
        c += write_character(stream, c, true);
    }
    fputc('\n', stream);
}
