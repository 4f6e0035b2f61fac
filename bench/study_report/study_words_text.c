#include "study_words_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void words_say(Words *words, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (text != NULL) {
        vsnprintf(text, (size_t)length + 1, format, again);
        words->text =
            document_text(words->document, "%s%s", words->text != NULL ? words->text : "", text);
    } else {
        words->document->failed = true;
    }
    va_end(again);
    free(text);
}

void words_sentence(Words *words) {
    if (words->text != NULL) {
        words_say(words, " ");
    }
}

void words_end(Words *words) {
    if (words->text != NULL) {
        document_add(words->document, BLOCK_PARAGRAPH, "%s", words->text);
    }
    words->text = NULL;
}

static void drop_zeros(char *text) {
    if (strchr(text, '.') == NULL || strchr(text, 'e') != NULL) {
        return;
    }
    size_t length = strlen(text);
    while (text[length - 1] == '0') {
        text[--length] = '\0';
    }
    if (text[length - 1] == '.') {
        text[length - 1] = '\0';
    }
}

void words_number_write(double number, char text[SIGNIFICANT_SIZE]) {
    const bool near_one = number != 1 && fabs(number - 1) < 0.01;
    significant_text(number, near_one ? 4 : 3, text);
    drop_zeros(text);
}

const char *words_number(Document *document, double number) {
    char text[SIGNIFICANT_SIZE];
    words_number_write(number, text);
    const char *kept = document_text(document, "%s", text);
    return kept != NULL ? kept : "";
}

const char *words_range(Document *document, double low, double high) {
    const char *from = words_number(document, low);
    const char *to = words_number(document, high);
    const char *text = strcmp(from, to) != 0 ? document_text(document, "%s to %s", from, to) : from;
    return text != NULL ? text : "";
}

void words_item(Words *words, size_t index, size_t count, const char *item) {
    const char *between = index + 1 == count ? " and " : ", ";
    words_say(words, "%s%s", index > 0 ? between : "", item);
}
