/* Texts: escaped for a terminal, comma lists, suggestions for misspelt names, wrapped lines. */

#include "base_internal.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "files.h"
#include "paths.h"
#include "terminal.h"
#include "text.h"
#include "utf8.h"

/* === Text from outside ======================================================================== */

enum { LINE_SIZE = 2 * 4096 + 512 };

/* U+2028 and U+2029 end a line; U+202A to U+202E and U+2066 to U+2069 change the direction. */
static bool is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

/* U+FFFE and U+FFFF are invalid in XML, all of these in HTML. */
static bool is_noncharacter(uint32_t code) {
    return (code >= 0xFDD0 && code <= 0xFDEF) || (code & 0xFFFE) == 0xFFFE;
}

size_t visible_character(const char *text, const char *kept, char escape[VISIBLE_ESCAPE_SIZE]) {
    uint32_t code = 0;
    const size_t length = utf8_decode(text, &code);
    escape[0] = '\0';
    if (length == 0 || !utf8_is_character(code)) {
        snprintf(escape, VISIBLE_ESCAPE_SIZE, "\\x%02x", (unsigned)(unsigned char)*text);
        return 1;
    }
    const bool harmful = is_control(code) || is_noncharacter(code);
    if (harmful && (code >= 0x80 || strchr(kept, (int)code) == NULL)) {
        snprintf(escape, VISIBLE_ESCAPE_SIZE, code < 0x80 ? "\\x%02x" : "\\u%04x", (unsigned)code);
    }
    return length;
}

void text_visible(const char *text, char *visible, size_t size) {
    size_t used = 0;
    while (*text != '\0') {
        char escape[VISIBLE_ESCAPE_SIZE];
        const size_t taken = visible_character(text, "", escape);
        const size_t length = escape[0] != '\0' ? strlen(escape) : taken;
        if (used + length >= size) {
            break;
        }
        memcpy(visible + used, escape[0] != '\0' ? escape : text, length);
        used += length;
        text += taken;
    }
    visible[used] = '\0';
}

size_t visible_put(FILE *stream, const char *text, const char *kept) {
    char escape[VISIBLE_ESCAPE_SIZE];
    const size_t taken = visible_character(text, kept, escape);
    fwrite(escape[0] != '\0' ? escape : text, 1, escape[0] != '\0' ? strlen(escape) : taken,
           stream);
    return taken;
}

void text_visible_print(FILE *stream, const char *text) {
    while (*text != '\0') {
        text += visible_put(stream, text, "");
    }
}

/* Formats, and leaves out the part of a character that is cut off at the end. */
static void format_line(char line[LINE_SIZE], const char *format, va_list arguments) {
    vsnprintf(line, LINE_SIZE, format, arguments);
    utf8_trim(line, LINE_SIZE);
}

void visible_line(FILE *stream, const char *format, ...) {
    char line[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    format_line(line, format, arguments);
    va_end(arguments);
    text_visible_print(stream, line);
    fputc('\n', stream);
}

/* ASCII controls in the strings of JSON are already escaped; line ends and tabs stand between them.
 */
void visible_json_write(FILE *stream, const char *json) {
    while (*json != '\0') {
        char escape[VISIBLE_ESCAPE_SIZE];
        const size_t taken = visible_character(json, "\n\t", escape);
        if (strcmp(escape, "\\x7f") == 0) {
            fputs("\\u007f", stream);
        } else if (escape[0] != '\0' && escape[1] == 'x') {
            fprintf(stream, "\\%s", escape);
        } else if (strlen(escape) == strlen("\\u0000")) {
            fputs(escape, stream);
        } else {
            fwrite(json, 1, taken, stream);
        }
        json += taken;
    }
}

/* === Comma lists, and appending to a text ===================================================== */

Status list_next(const char **list, char word[LIST_WORD_SIZE]) {
    const char *start = *list;
    const size_t length = strcspn(start, ",");
    if (length == 0) {
        return status_make(STATUS_USAGE,
                           start[0] == '\0' ? "the list ends without a name; write names separated "
                                              "by single commas"
                                            : "there is an empty name before a comma; write names "
                                              "separated by single commas");
    }
    if (length >= LIST_WORD_SIZE) {
        return status_make(STATUS_USAGE, "'%.24s…' is too long for a name", start);
    }
    memcpy(word, start, length);
    word[length] = '\0';
    *list = start[length] == ',' ? start + length + 1 : NULL;
    return status_ok();
}

bool list_has(const char *list, const char *word) {
    const size_t length = strlen(word);
    while (list != NULL) {
        const size_t end = strcspn(list, ",");
        if (end == length && strncasecmp(list, word, length) == 0) {
            return true;
        }
        if (list[end] == '\0') {
            return false;
        }
        list += end + 1;
    }
    return true;
}

bool text_has_item(const char *text, const char *separator, const char *item) {
    const size_t length = strlen(item), between = strlen(separator);
    for (const char *found = strstr(text, item); found != NULL; found = strstr(found + 1, item)) {
        const bool begins = found == text || (found >= text + between &&
                                              memcmp(found - between, separator, between) == 0);
        const char *end = found + length;
        if (begins && (end[0] == '\0' || strncmp(end, separator, between) == 0)) {
            return true;
        }
    }
    return false;
}

void text_add_item(char *text, size_t size, const char *separator, const char *item) {
    if (!text_has_item(text, separator, item)) {
        text_append(text, size, "%s%s", text[0] != '\0' ? separator : "", item);
    }
}

void text_append(char *buffer, size_t size, const char *format, ...) {
    const size_t used = strlen(buffer);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(buffer + used, size - used, format, arguments);
    va_end(arguments);
    utf8_trim(buffer, size);
}

const char *text_after(const char *text, const char *start) {
    const size_t length = strlen(start);
    return strncmp(text, start, length) == 0 ? text + length : NULL;
}

bool text_ends(const char *text, const char *ending) {
    const size_t length = strlen(text), tail = strlen(ending);
    return length > tail && strcmp(text + length - tail, ending) == 0;
}

/* === Suggestions ============================================================================== */

static char character(const char *text, size_t index) {
    return (char)tolower((unsigned char)text[index]);
}

static size_t smaller(size_t left, size_t right) {
    return left < right ? left : right;
}

static size_t larger(size_t left, size_t right) {
    return left > right ? left : right;
}

size_t edit_distance(const char *left, const char *right) {
    const size_t rows = strnlen(left, SUGGEST_NAME_MAX);
    const size_t columns = strnlen(right, SUGGEST_NAME_MAX);
    uint8_t distance[SUGGEST_NAME_MAX + 1][SUGGEST_NAME_MAX + 1];
    for (size_t j = 0; j <= columns; j++) {
        distance[0][j] = (uint8_t)j;
    }
    for (size_t i = 1; i <= rows; i++) {
        distance[i][0] = (uint8_t)i;
        for (size_t j = 1; j <= columns; j++) {
            const char a = character(left, i - 1);
            const char b = character(right, j - 1);
            size_t best = distance[i - 1][j - 1] + (size_t)(a != b);
            best = smaller(best, distance[i - 1][j] + (size_t)1);
            best = smaller(best, distance[i][j - 1] + (size_t)1);
            const bool swapped =
                i > 1 && j > 1 && a == character(right, j - 2) && b == character(left, i - 2);
            if (swapped) {
                best = smaller(best, distance[i - 2][j - 2] + (size_t)1);
            }
            distance[i][j] = (uint8_t)best;
        }
    }
    return distance[rows][columns];
}

Suggestion suggest_start(const char *given) {
    return (Suggestion){.given = given, .distance = SIZE_MAX};
}

static bool has_same_letters(const char *left, const char *right) {
    int more[UCHAR_MAX + 1] = {0};
    for (size_t i = 0; left[i] != '\0'; i++) {
        more[(unsigned char)character(left, i)]++;
    }
    for (size_t i = 0; right[i] != '\0'; i++) {
        more[(unsigned char)character(right, i)]--;
    }
    for (size_t i = 0; i <= UCHAR_MAX; i++) {
        if (more[i] != 0) {
            return false;
        }
    }
    return true;
}

/* The largest distance of a suggestion: a third of the letters, at least one, or two when the
 * letters are the same in another order ("agol"). */
static size_t distance_allowed(const char *given, const char *name) {
    const size_t least = has_same_letters(given, name) ? 2 : 1;
    return larger(larger(strlen(given), strlen(name)) / 3, least);
}

/* Names that do not fit any more are "…". */
static void add_known(Suggestion *suggestion, const char *name) {
    static const char rest[] = ", …";
    char *known = suggestion->known;
    const size_t used = strlen(known), end = sizeof rest - 1;
    if (used >= end && strcmp(known + used - end, rest) == 0) {
        return;
    }
    const bool fits = used + strlen(", ") + strlen(name) + sizeof rest <= sizeof suggestion->known;
    text_append(known, sizeof suggestion->known, "%s%s", used > 0 && fits ? ", " : "",
                fits ? name : rest);
}

void suggest_offer(Suggestion *suggestion, const char *name) {
    add_known(suggestion, name);
    if (suggestion->given[0] == '\0' || strlen(suggestion->given) > SUGGEST_NAME_MAX) {
        return;
    }
    const size_t distance = edit_distance(suggestion->given, name);
    /* If every letter differs the names are not similar, however short they are. */
    const bool alike = distance < strlen(suggestion->given) && distance < strlen(name);
    const bool close =
        distance == 0 || (alike && distance <= distance_allowed(suggestion->given, name));
    if (close && distance < suggestion->distance) {
        suggestion->nearest = name;
        suggestion->distance = distance;
    }
}

const char *suggest_text(const Suggestion *suggestion, char text[SUGGEST_TEXT_SIZE]) {
    text[0] = '\0';
    if (suggestion->nearest != NULL) {
        snprintf(text, SUGGEST_TEXT_SIZE, "; did you mean '%s'?", suggestion->nearest);
    }
    return text;
}

Status suggest_unknown(const Suggestion *suggestion, const char *noun) {
    char nearest[SUGGEST_TEXT_SIZE];
    return status_make(STATUS_USAGE, "'%.40s' is no %s%s (known: %s)", suggestion->given, noun,
                       suggest_text(suggestion, nearest), suggestion->known);
}

/* === Wrapped text ============================================================================= */

/* A line that is longer is hard to read, in however wide a window. */
enum { TEXT_COLUMNS = 100, FLOW_WORD_SIZE = ATOMIC_FILE_PATH_SIZE };

static size_t text_columns(FILE *stream) {
    const int window = stream_is_terminal(stream) ? terminal_columns(stream) : TEXT_COLUMNS;
    return window < TEXT_COLUMNS ? (size_t)window : TEXT_COLUMNS;
}

static void spaces(FILE *stream, size_t count) {
    fprintf(stream, "%*s", (int)count, "");
}

void flow_words(Flow *flow, Ink ink, const char *words) {
    char word[FLOW_WORD_SIZE];
    while (*words != '\0') {
        const size_t blanks = strspn(words, " ");
        words += blanks;
        utf8_copy(word, sizeof word, words);
        word[strcspn(word, " ")] = '\0';
        const size_t bytes = strlen(word);
        const size_t width = utf8_width(word, bytes);
        if (bytes > 0 && blanks > 0 && flow->begun) {
            if (flow->at + 1 + width > flow->columns) {
                fputc('\n', flow->stream);
                spaces(flow->stream, flow->indent);
                flow->at = flow->indent;
            } else {
                fputc(' ', flow->stream);
                flow->at++;
            }
        }
        terminal_write(flow->stream, ink, word);
        flow->at += width;
        flow->begun |= bytes > 0;
        words += bytes;
    }
}

void flow_end(Flow *flow) {
    fputc('\n', flow->stream);
    flow->at = 0;
    flow->begun = false;
}

Flow flow_whole(FILE *stream, size_t indent) {
    const bool terminal = stream_is_terminal(stream);
    return (Flow){.stream = stream,
                  .indent = indent,
                  .columns = terminal ? (size_t)terminal_columns(stream) - 1 : SIZE_MAX};
}

void flow_line(FILE *stream, size_t indent, const char *format, ...) {
    char line[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    format_line(line, format, arguments);
    va_end(arguments);
    Flow flow = flow_whole(stream, indent);
    if (utf8_width(line, strlen(line)) <= flow.columns) {
        text_visible_print(stream, line);
    } else {
        flow.at = strspn(line, " ");
        spaces(stream, flow.at);
        flow_words(&flow, INK_PLAIN, line + flow.at);
    }
    flow_end(&flow);
}

void text_entry(FILE *stream, size_t indent, const char *term, size_t column, const char *text) {
    const size_t columns = text_columns(stream);
    size_t at = indent + utf8_width(term, strlen(term));
    if (columns < TEXT_COLUMNS && column > 2 * columns / 5) {
        column = 2 * columns / 5;
    }
    spaces(stream, indent);
    fputs(term, stream);
    if (text[0] == '\0') {
        fputc('\n', stream);
        return;
    }
    if (at >= column) {
        fputc('\n', stream);
        at = 0;
    }
    spaces(stream, column - at);
    Flow flow = {.stream = stream, .indent = column, .columns = columns, .at = column};
    flow_words(&flow, INK_PLAIN, text);
    flow_end(&flow);
}

const char *plural(size_t count, const char *one, const char *many) {
    return count == 1 ? one : many;
}
