/* CSV records: reading and writing fields. */

#include "csv.h"
#include "files.h"
#include "list.h"
#include "text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Most bytes of a file that is read. */
enum { FILE_MOST = 1 << 30 };

static bool ends_line(char character) {
    return character == '\n' || character == '\r' || character == '\0';
}

/* Unquotes one field in place. Returns where reading goes on: at the comma or the line's end, which
 * `*end` keeps since the terminating NUL may overwrite it. */
static char *read_field(char *from, char *end, int *line) {
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
        *line += *read == '\n' ? 1 : 0;
        *to++ = *read++;
    }
    *end = *read;
    *to = '\0';
    return read;
}

static char *skip_comments(char *text, int *line) {
    while (*text == '#' || *text == '\n' || *text == '\r') {
        if (*text == '#') {
            text += strcspn(text, "\n");
        } else {
            *line += *text++ == '\n' ? 1 : 0;
        }
    }
    return text;
}

/* `*line` is that of the cursor, and moves with it. */
static bool next_record(char **cursor, int *line, CsvRecord *record) {
    char *text = skip_comments(*cursor, line);
    record->count = 0;
    record->line = *line;
    if (*text == '\0') {
        *cursor = text;
        return false;
    }
    for (;;) {
        char end;
        if (record->count < CSV_FIELDS_MAX) {
            record->fields[record->count++] = text;
        }
        text = read_field(text, &end, line);
        if (end != '\0') {
            text++;
        }
        if (end != ',') {
            *line += end == '\n' ? 1 : 0;
            break;
        }
    }
    *cursor = text;
    return true;
}

bool csv_next_record(char **cursor, CsvRecord *record) {
    int line = 1;
    return next_record(cursor, &line, record);
}

size_t csv_split(char *text, char **fields, size_t most) {
    size_t count = 0;
    int line = 1;
    char end = ',';
    while (end == ',') {
        if (count < most) {
            fields[count++] = text;
        }
        text = read_field(text, &end, &line) + 1;
    }
    return count;
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

/* A comment line, already ended by a NUL; one without ": " is no fact. */
static bool add_fact(CsvFrame *frame, char *line) {
    line[strcspn(line, "\r")] = '\0';
    char *key = line + strspn(line, "# ");
    char *colon = strstr(key, ": ");
    if (colon == NULL || colon == key) {
        return true;
    }
    const Status room = LIST_ROOM(NULL, frame->facts, frame->fact_count, frame->fact_capacity,
                                  "comments of a table");
    if (status_is_ok(&room)) {
        *colon = '\0';
        frame->facts[frame->fact_count++] = (CsvFact){.key = key, .value = colon + 2};
    }
    return status_is_ok(&room);
}

/* Comment lines and empty lines from `*cursor` on, up to a record or the end. */
static bool add_facts(CsvFrame *frame, char **cursor, int *number) {
    while (**cursor == '#' || **cursor == '\n' || **cursor == '\r') {
        char *line = *cursor;
        const size_t length = strcspn(line, "\n");
        const bool ended = line[length] == '\n';
        *cursor = line + length + (ended ? 1 : 0);
        *number += ended ? 1 : 0;
        line[length] = '\0';
        if (*line == '#' && !add_fact(frame, line)) {
            return false;
        }
    }
    return true;
}

bool csv_frame_make(char *text, CsvFrame *frame) {
    *frame = (CsvFrame){.text = text};
    CsvRecord record;
    int line = 1;
    bool made = true;
    while ((made = made && add_facts(frame, &text, &line)) && next_record(&text, &line, &record)) {
        if (frame->header.count == 0) {
            frame->header = record;
            continue;
        }
        const Status room =
            LIST_ROOM(NULL, frame->records, frame->count, frame->capacity, "rows of a table");
        made = status_is_ok(&room);
        if (made) {
            frame->records[frame->count++] = record;
        }
    }
    return made;
}

Status csv_frame_read(const char *path, CsvFrame *frame) {
    *frame = (CsvFrame){0};
    char *text;
    size_t length;
    STATUS_TRY(file_text_read(path, "a table of results", FILE_MOST, &text, &length));
    const bool made = csv_frame_make(text, frame);
    if (made && frame->header.count > 0) {
        return status_ok();
    }
    csv_frame_release(frame);
    return status_make(STATUS_FILE,
                       made ? "%.200s: no header line; write the names of the columns"
                            : "%.200s: not enough memory for its records",
                       path);
}

void csv_frame_release(CsvFrame *frame) {
    free(frame->records);
    free(frame->facts);
    free(frame->text);
    *frame = (CsvFrame){0};
}

const char *csv_frame_fact(const CsvFrame *frame, const char *key) {
    for (size_t i = 0; i < frame->fact_count; i++) {
        if (strcmp(frame->facts[i].key, key) == 0) {
            return frame->facts[i].value;
        }
    }
    return "";
}

/* Writes one character, and line ends as they are or as blanks; returns its bytes. */
static size_t write_character(FILE *stream, const char *c, bool one_line) {
    if (one_line && ends_line(*c)) {
        fputc(' ', stream);
        return 1;
    }
    return visible_put(stream, c, "\n\r\t");
}

/* Whether some reader would cut the field at a character of it unless it is in quotes: pandas and R
 * at a '#' where heads are comments, R's read.table at an apostrophe, spreadsheets at other
 * separators. */
static bool needs_quotes(const char *value) {
    return strpbrk(value, ",;\t\"'#\r\n") != NULL;
}

/* A field that begins with '=' is a formula to a spreadsheet. It stays as it is: these files are
 * data, and readers must get back what was measured. */
void csv_write_field(FILE *stream, const char *value) {
    const bool quoted = needs_quotes(value);
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
