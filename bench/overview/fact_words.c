#include "fact_words.h"

#include <stdio.h>
#include <string.h>

#include "available_memory.h"
#include "number_text.h"

void fact_key_words(const char *key, char words[FACT_KEY_SIZE]) {
    snprintf(words, FACT_KEY_SIZE, "%s", key);
    for (char *letter = words; *letter != '\0'; letter++) {
        *letter = (char)(*letter == '_' ? ' ' : *letter);
    }
}

static bool counts_bytes(const char *key) {
    static const char ending[] = "_bytes";
    const size_t length = strlen(key);
    const size_t tail = sizeof ending - 1;
    return length >= tail && strcmp(key + length - tail, ending) == 0;
}

void fact_value_words(const Fact *fact, char *text, size_t size) {
    if (fact->kind == FACT_TEXT) {
        snprintf(text, size, "%s", fact->text);
    } else if (counts_bytes(fact->key) && fact->number >= 0) {
        format_bytes((uint64_t)fact->number, text, size);
    } else {
        number_text(fact->number, text, size);
    }
}
