#include "study_reader.h"

#include <string.h>

#include "owned_memory.h"

enum { NAME_MAX_LENGTH = 100 };

Status study_no_memory(void) {
    return status_skip("no memory left for a study");
}

StudyStep *reader_step(const StudyReader *reader) {
    return &reader->study->steps[reader->study->step_count - 1];
}

StudyTable *reader_table(const StudyReader *reader) {
    return &reader->study->tables[reader->study->table_count - 1];
}

StudyFigure *reader_figure(const StudyReader *reader) {
    return &reader->study->figures[reader->study->figure_count - 1];
}

Status reader_check_name(const StudyReader *reader, const char *name) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789-_.";
    const size_t length = strlen(name);
    if (length > NAME_MAX_LENGTH || strspn(name, letters) != length || name[0] == '.' ||
        name[0] == '-') {
        return READER_ERROR(reader, name,
                            "is no name; it has letters, digits, '-', '_' and '.', begins with a "
                            "letter or digit, and has at most %d of them",
                            NAME_MAX_LENGTH);
    }
    return status_ok();
}

bool reader_is_option(const char *word) {
    return strncmp(word, "--", 2) == 0 && word[2] != '\0' && word[2] != '=';
}

Status reader_set_once(const StudyReader *reader, const char **text) {
    if (*text != NULL) {
        return READER_ERROR(reader, reader->words.words[0], "is given twice; once is enough");
    }
    *text = reader->words.words[1];
    return status_ok();
}

Status reader_add_condition(const StudyReader *reader, const char *word,
                            ConditionList *conditions) {
    const char *sign = strchr(word, '=');
    if (sign == NULL || sign == word || sign[1] == '\0') {
        return READER_ERROR(reader, word,
                            "is no condition; write key=value, and a list without blanks");
    }
    const size_t length = (size_t)(sign - word);
    for (size_t i = 0; i < conditions->count; i++) {
        const char *key = conditions->items[i].key;
        if (strlen(key) == length && memcmp(key, word, length) == 0) {
            return READER_ERROR(reader, word, "is a second condition on '%.40s'; one is enough",
                                key);
        }
    }
    void **memory = &reader->study->memory;
    char *key = owned_take(memory, length + 1);
    Condition *added = key != NULL ? OWNED_APPEND(memory, conditions->items, conditions->count,
                                                  conditions->capacity)
                                   : NULL;
    if (added == NULL) {
        return study_no_memory();
    }
    memcpy(key, word, length);
    *added = (Condition){.key = key, .value = sign + 1};
    return status_ok();
}

Status reader_check_single(const StudyReader *reader, const char *word, const char *value) {
    return strchr(value, ',') == NULL
               ? status_ok()
               : READER_ERROR(reader, word, "has several values; only those of a row may");
}
