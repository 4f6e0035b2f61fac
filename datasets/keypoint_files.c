#include "keypoint_files.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "fnv.h"
#include "resources.h"
#include "text_lines.h"

enum { COLUMN_X, COLUMN_Y, COLUMN_SIZE, COLUMN_ANGLE, COLUMN_COUNT, CAPACITY_FIRST = 1024 };
enum { FILE_SIZE_MAX = 1 << 29 }; /* of KEYPOINTS_MAX with columns to spare */

static const char *const column_names[COLUMN_COUNT] = {
    [COLUMN_X] = "x", [COLUMN_Y] = "y", [COLUMN_SIZE] = "size", [COLUMN_ANGLE] = "angle"};

typedef struct Detector {
    const char *name;
    float scale;
} Detector;

static const Detector detectors[] = {{.name = "sift", .scale = KEYPOINT_SCALE_SIFT},
                                     {.name = "fast", .scale = KEYPOINT_SCALE_FAST},
                                     {.name = "orb", .scale = KEYPOINT_SCALE_FAST}};

typedef struct Reading {
    TextLines lines;
    size_t columns[COLUMN_COUNT]; /* fields before each; SIZE_MAX: not named */
    size_t fields;                /* up to the last column that is needed */
    size_t capacity;              /* keypoints that there is memory for */
    KeypointList *list;
} Reading;

/* An unknown detector is an error: the size of patches depends on it. */
static Status note_comment(Reading *reading, TextSpan comment) {
    TextSpan name;
    if (!text_begins(comment, "detector:", &name)) {
        return status_ok();
    }
    for (size_t i = 0; i < sizeof detectors / sizeof detectors[0]; i++) {
        if (text_equals(name, detectors[i].name)) {
            reading->list->scale = detectors[i].scale;
            return status_ok();
        }
    }
    char excerpt[TEXT_EXCERPT_SIZE];
    return status_make(STATUS_FILE,
                       "%s: line %zu: its detector is \"%s\"; sift, fast or orb would be right",
                       reading->lines.name, reading->lines.number, text_excerpt(name, excerpt));
}

/* The next line that is no comment; `line->text` is NULL at the end. */
static Status next_line(Reading *reading, TextSpan *line) {
    TextSpan comment;
    while (text_next_line(&reading->lines, line)) {
        if (!text_is_comment(*line, &comment)) {
            return status_ok();
        }
        STATUS_TRY(note_comment(reading, comment));
    }
    *line = (TextSpan){0};
    return status_ok();
}

/* What stands between the fields of a line instead of commas; NULL: nothing that is known. */
static const char *other_separator(TextSpan line) {
    if (line.size == 0 || memchr(line.text, ',', line.size) != NULL) {
        return NULL;
    }
    return memchr(line.text, ';', line.size) != NULL    ? "semicolons"
           : memchr(line.text, '\t', line.size) != NULL ? "tabs"
                                                        : NULL;
}

static Status check_columns(const Reading *reading, TextSpan line) {
    const char *separator = other_separator(line);
    if (separator != NULL) {
        return status_make(STATUS_FILE,
                           "%s: line %zu: has %s between its fields; commas would be right",
                           reading->lines.name, reading->lines.number, separator);
    }
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        if (reading->columns[i] == SIZE_MAX) {
            return status_make(STATUS_FILE,
                               "%s: line %zu: names no column \"%s\"; x, y, size and angle are "
                               "needed, in any order",
                               reading->lines.name, reading->lines.number, column_names[i]);
        }
    }
    return status_ok();
}

/* Of columns of the same name the first counts. */
static Status read_header(Reading *reading) {
    TextSpan line, field;
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        reading->columns[i] = SIZE_MAX;
    }
    STATUS_TRY(next_line(reading, &line));
    if (line.text == NULL) {
        return status_make(STATUS_FILE,
                           "%s: has no line that names columns; x, y, size and angle are needed",
                           reading->lines.name);
    }
    TextSpan rest = line;
    for (size_t at = 0; text_next_field(&rest, &field); at++) {
        for (size_t i = 0; i < COLUMN_COUNT; i++) {
            if (reading->columns[i] == SIZE_MAX && text_equals(field, column_names[i])) {
                reading->columns[i] = at;
                reading->fields = at + 1;
            }
        }
    }
    return check_columns(reading, line);
}

static Status make_room(Reading *reading) {
    KeypointList *list = reading->list;
    if ((size_t)list->count < reading->capacity) {
        return status_ok();
    }
    if (list->count == KEYPOINTS_MAX) {
        return status_make(STATUS_FILE, "%s: line %zu: has more than %d keypoints, the most",
                           reading->lines.name, reading->lines.number, KEYPOINTS_MAX);
    }
    size_t capacity = reading->capacity > 0 ? 2 * reading->capacity : CAPACITY_FIRST;
    capacity = capacity < KEYPOINTS_MAX ? capacity : KEYPOINTS_MAX;
    Keypoint *keypoints = realloc(list->keypoints, capacity * sizeof *keypoints);
    if (keypoints == NULL) {
        return free_memory_short(reading->lines.name, capacity * sizeof *keypoints);
    }
    list->keypoints = keypoints;
    reading->capacity = capacity;
    return status_ok();
}

static Status read_columns(const Reading *reading, TextSpan line, float values[COLUMN_COUNT]) {
    TextSpan field;
    for (size_t at = 0; at < reading->fields; at++) {
        if (!text_next_field(&line, &field)) {
            return status_make(STATUS_FILE,
                               "%s: line %zu: has %zu field%s; its first line, which names the "
                               "columns, asks for at least %zu",
                               reading->lines.name, reading->lines.number, at, at == 1 ? "" : "s",
                               reading->fields);
        }
        for (size_t i = 0; i < COLUMN_COUNT; i++) {
            if (reading->columns[i] == at && !text_number(field, &values[i])) {
                return text_number_error(&reading->lines, column_names[i], field);
            }
        }
    }
    if (values[COLUMN_SIZE] < 0) {
        return status_make(STATUS_FILE, "%s: line %zu: size is %g; 0 or more would be right",
                           reading->lines.name, reading->lines.number, (double)values[COLUMN_SIZE]);
    }
    return status_ok();
}

static Status read_keypoints(Reading *reading) {
    KeypointList *list = reading->list;
    STATUS_TRY(read_header(reading));
    for (;;) {
        TextSpan line;
        float values[COLUMN_COUNT] = {0};
        STATUS_TRY(next_line(reading, &line));
        if (line.text == NULL) {
            break;
        }
        STATUS_TRY(make_room(reading));
        STATUS_TRY(read_columns(reading, line, values));
        list->keypoints[list->count++] = (Keypoint){.x = values[COLUMN_X],
                                                    .y = values[COLUMN_Y],
                                                    .size = values[COLUMN_SIZE],
                                                    .angle = values[COLUMN_ANGLE]};
    }
    return list->count > 0 ? status_ok()
                           : status_make(STATUS_FILE,
                                         "%s: holds no keypoints: nothing follows the line that "
                                         "names the columns",
                                         reading->lines.name);
}

Status keypoints_decode(const char *name, const char *text, size_t size, KeypointList *list) {
    Reading reading = {.lines = text_lines(name, text, size), .list = list};
    *list = (KeypointList){.scale = KEYPOINT_SCALE_SIFT};
    STATUS_TRY(text_check_encoding(name, text, size));
    const PlainLocale locale = plain_locale_enter();
    const Status status = read_keypoints(&reading);
    plain_locale_leave(&locale);
    if (!status_is_ok(&status)) {
        keypoints_free(list);
        return status;
    }
    list->wanted = list->count;
    return status;
}

Status keypoints_read(const char *path, KeypointList *list) {
    FileBytes file;
    *list = (KeypointList){0};
    STATUS_TRY(file_bytes_read(path, "a list of keypoints", FILE_SIZE_MAX, &file));
    const Status status = keypoints_decode(path, (const char *)file.bytes, file.size, list);
    file_bytes_free(&file);
    return status;
}

void keypoints_free(KeypointList *list) {
    free(list->keypoints);
    *list = (KeypointList){0};
}

uint64_t keypoints_hash(uint64_t hash, const KeypointList *list) {
    return fnv_bytes(hash, list->keypoints, (size_t)list->count * sizeof *list->keypoints);
}
