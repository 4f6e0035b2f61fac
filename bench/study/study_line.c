#include "study_line.h"

#include <stdbool.h>

#include "study_text.h"

static bool is_blank(char character) {
    return character == ' ' || character == '\t' || character == '\r';
}

/* Unquotes the word at `from` in place. `*rest` is where reading goes on, behind the blank that
 * ended the word. False when a quote does not end. */
static bool take_word(char *from, char **rest) {
    char *to = from;
    char *read = from;
    bool quoted = false;
    while (*read != '\0' && (quoted || !is_blank(*read))) {
        if (*read == '"') {
            quoted = !quoted;
            read++;
            continue;
        }
        if (quoted && *read == '\\' && (read[1] == '"' || read[1] == '\\')) {
            read++;
        }
        *to++ = *read++;
    }
    *rest = *read != '\0' ? read + 1 : read;
    *to = '\0';
    return !quoted;
}

Status study_line_split(char *text, StudyLineWords *words) {
    words->count = 0;
    for (;;) {
        while (is_blank(*text)) {
            text++;
        }
        if (*text == '\0' || *text == '#') {
            return status_ok();
        }
        char *word = text;
        if (!take_word(word, &text)) {
            return study_text_error(words->path, words->line, word,
                                    "has a double quote that does not end on its line");
        }
        if (words->count == STUDY_WORDS_MAX) {
            return study_text_error(words->path, words->line, word,
                                    "is one word too many; a line has at most %d", STUDY_WORDS_MAX);
        }
        words->words[words->count++] = word;
    }
}
