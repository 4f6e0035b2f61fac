#include "study_parse.h"

#include <string.h>

#include "owned_memory.h"
#include "study_check.h"
#include "study_statements.h"

static const char byte_order_mark[] = "\xef\xbb\xbf";

static Status read_lines(StudyReader *reader, char *text) {
    while (*text != '\0') {
        char *next = text + strcspn(text, "\n");
        if (*next == '\n') {
            *next++ = '\0';
        }
        reader->words.line++;
        STATUS_TRY(study_line_split(text, &reader->words));
        if (reader->words.count > 0) {
            STATUS_TRY(study_statement_read(reader));
        }
        text = next;
    }
    return status_ok();
}

/* What a statement may leave open. */
static void set_defaults(Study *study) {
    for (size_t i = 0; i < study->step_count; i++) {
        if (study->steps[i].reads == NULL) {
            study->steps[i].reads = "results.csv";
        }
    }
    for (size_t i = 0; i < study->table_count; i++) {
        if (study->tables[i].published == NULL) {
            study->tables[i].published = study->tables[i].name;
        }
    }
}

static Status parse(const char *path, const char *text, size_t length, Study *study) {
    STATUS_TRY(study_text_check(path, text, length));
    const size_t mark = strncmp(text, byte_order_mark, 3) == 0 ? 3 : 0;
    char *copy = owned_take(&study->memory, length + 1);
    if (copy == NULL) {
        return study_no_memory();
    }
    memcpy(copy, text, length);
    StudyReader reader = {.study = study, .scope = STUDY_START, .words = {.path = path}};
    STATUS_TRY(read_lines(&reader, copy + mark));
    set_defaults(study);
    return study_check(study, path);
}

Status study_parse(const char *path, const char *text, size_t length, Study *study) {
    *study = (Study){.name = NULL};
    const Status status = parse(path, text, length, study);
    if (!status_is_ok(&status)) {
        study_release(study);
    }
    return status;
}
