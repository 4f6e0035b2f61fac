#include "csv_records.h"

#include <stdint.h>
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

void csv_write_field(FILE *stream, const char *value) {
    /* A record that began with '#' would be read as a comment. */
    if (value[0] != '#' && strpbrk(value, ",\"\r\n") == NULL) {
        fputs(value, stream);
        return;
    }
    fputc('"', stream);
    for (const char *c = value; *c != '\0'; c++) {
        if (*c == '"') {
            fputc('"', stream);
        }
        fputc(*c, stream);
    }
    fputc('"', stream);
}
