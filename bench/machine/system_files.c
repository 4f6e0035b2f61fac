#include "system_files.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 4096, NUMBER_SIZE = 64 };

const char *system_root(void) {
    const char *root = getenv("BENCH_SYSTEM_ROOT");
    return root != NULL ? root : "";
}

static bool read_line(const char *path, char *line, size_t size) {
    line[0] = '\0';
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    const bool read = fgets(line, (int)size, file) != NULL;
    line[read ? strcspn(line, "\n") : 0] = '\0';
    fclose(file);
    return read;
}

bool system_line(char *line, size_t size, const char *format, ...) {
    char path[SYSTEM_PATH_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    return read_line(path, line, size);
}

double system_number(const char *format, ...) {
    char path[SYSTEM_PATH_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    char line[NUMBER_SIZE];
    char *end = line;
    const double number = read_line(path, line, sizeof line) ? strtod(line, &end) : (double)NAN;
    return end != line ? number : (double)NAN;
}

/* "key<tabs>: value"; NULL when the line is about something else. */
static const char *value_of(const char *line, const char *key) {
    const size_t length = strlen(key);
    const char *rest = strncmp(line, key, length) == 0 ? line + length : "";
    rest += strspn(rest, " \t");
    return rest[0] == ':' ? rest + 1 + strspn(rest + 1, " \t") : NULL;
}

/* Flags alone may take a kilobyte; a key far behind in a longer line is not one. */
static bool search(FILE *file, int processor, const char *key, char *value, size_t size) {
    char line[LINE_SIZE];
    bool here = false;
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        const char *number = value_of(line, "processor");
        if (number != NULL) {
            here = strtol(number, NULL, 10) == processor;
        }
        const char *found = here ? value_of(line, key) : NULL;
        if (found != NULL) {
            snprintf(value, size, "%s", found);
            return true;
        }
    }
    return false;
}

bool system_cpuinfo(const char *root, int processor, const char *key, char *value, size_t size) {
    char path[SYSTEM_PATH_SIZE];
    snprintf(path, sizeof path, "%s/proc/cpuinfo", root);
    value[0] = '\0';
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    const bool found = search(file, processor, key, value, size);
    fclose(file);
    return found;
}

bool system_has_word(const char *text, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        const bool starts = at == text || at[-1] == ' ';
        if (starts && (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}
