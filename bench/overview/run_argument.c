/* Arguments of a stored run: its command line is kept as one line that a shell takes. */
#include <stdio.h>
#include <string.h>

#include "overview_parts.h"

/* The end of the word at `text`; blanks within single quotes are part of it. */
static const char *word_end(const char *text) {
    bool quoted = false;
    for (; *text != '\0' && (quoted || *text != ' '); text++) {
        quoted ^= *text == '\'';
    }
    return text;
}

static const char *next_word(const char *text) {
    const char *end = word_end(text);
    return end + strspn(end, " ");
}

static void copy_word(const char *word, char *value, size_t size) {
    size_t used = 0;
    for (const char *end = word_end(word); word < end && used + 1 < size; word++) {
        if (*word != '\'') {
            value[used++] = *word;
        }
    }
    value[used] = '\0';
}

bool run_argument(const OverviewRun *run, const char *flag, char *value, size_t size) {
    const size_t length = strlen(flag);
    bool given = false;
    value[0] = '\0';
    /* Given twice, the last counts. */
    for (const char *word = run->stored->argv; *word != '\0'; word = next_word(word)) {
        const size_t letters = (size_t)(word_end(word) - word);
        if (strncmp(word, flag, length) != 0) {
            continue;
        }
        if (letters > length && word[length] == '=') {
            copy_word(word + length + 1, value, size);
            given = true;
        } else if (letters == length) {
            const char *next = next_word(word);
            value[0] = '\0';
            if (strncmp(next, "--", 2) != 0) {
                copy_word(next, value, size);
            }
            given = true;
        }
    }
    return given;
}
