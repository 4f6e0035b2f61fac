/* The statements of a step. */
#include <string.h>
#include <unistd.h>

#include "owned_memory.h"
#include "study_statements.h"

enum { STEPS_MAX = 256 };

Status study_read_step(StudyReader *reader) {
    Study *study = reader->study;
    const char *name = reader->words.words[1];
    STATUS_TRY(reader_check_name(reader, name));
    STATUS_TRY(reader_check_name(reader, reader->words.words[2]));
    const StudyStep *known = study_step(study, name);
    if (known != NULL) {
        return READER_ERROR(reader, name, "is the name of a step already, of line %d", known->line);
    }
    if (study->step_count == STEPS_MAX) {
        return READER_ERROR(reader, name, "is one step too many; there may be %d", STEPS_MAX);
    }
    StudyStep *step =
        OWNED_APPEND(&study->memory, study->steps, study->step_count, study->step_capacity);
    if (step == NULL) {
        return study_no_memory();
    }
    *step = (StudyStep){
        .name = name, .command = reader->words.words[2], .reads = NULL, .line = reader->words.line};
    reader->scope = STUDY_STEP;
    return status_ok();
}

/* Words of an option as its value: those after the first, with commas between them. */
static const char *join(const StudyReader *reader, size_t first) {
    const StudyLineWords *words = &reader->words;
    size_t size = 1;
    for (size_t i = first; i < words->count; i++) {
        size += strlen(words->words[i]) + 1;
    }
    char *text = owned_take(&reader->study->memory, size);
    for (size_t i = first, used = 0; text != NULL && i < words->count; i++) {
        const char *word = words->words[i];
        if (used > 0 && text[used - 1] != ',' && word[0] != ',') {
            text[used++] = ',';
        }
        while (*word != '\0') {
            text[used++] = *word++;
        }
    }
    return text;
}

/* Linux takes no argument of 32 pages or more. */
static size_t argument_most(void) {
    return 32 * (size_t)sysconf(_SC_PAGESIZE) - 1;
}

static Status add(const StudyReader *reader, StepArgumentList *list, const StepArgument *given) {
    if (given->value != NULL && strlen(given->value) > argument_most()) {
        return READER_ERROR(reader, given->option != NULL ? given->option : "argument",
                            "has a value of %zu bytes; the system takes at most %zu in one",
                            strlen(given->value), argument_most());
    }
    StepArgument *added =
        OWNED_APPEND(&reader->study->memory, list->items, list->count, list->capacity);
    if (added == NULL) {
        return study_no_memory();
    }
    *added = *given;
    added->line = reader->words.line;
    return status_ok();
}

/* The option that is the word `first` of the line, "--name" or "--name=value". */
static Status add_option(const StudyReader *reader, size_t first, StepArgumentList *list) {
    void **memory = &reader->study->memory;
    const char *word = reader->words.words[first];
    const size_t length = strcspn(word, "=");
    char *name = owned_take(memory, length + 1);
    if (name == NULL) {
        return study_no_memory();
    }
    memcpy(name, word, length);
    const char *value = word[length] == '=' ? word + length + 1 : NULL;
    if (value != NULL && first + 1 < reader->words.count) {
        return READER_ERROR(reader, reader->words.words[first + 1],
                            "is a second value of '%.40s'; write %.40s value…", name, name);
    }
    if (value == NULL && first + 1 < reader->words.count) {
        value = join(reader, first + 1);
        if (value == NULL) {
            return study_no_memory();
        }
    }
    return add(reader, list, &(StepArgument){.option = name, .value = value});
}

Status study_read_option(StudyReader *reader) {
    return add_option(reader, 0, &reader_step(reader)->arguments);
}

Status study_read_argument(StudyReader *reader) {
    return add(reader, &reader_step(reader)->arguments,
               &(StepArgument){.value = reader->words.words[1]});
}

Status study_read_quick(StudyReader *reader) {
    StudyStep *step = reader_step(reader);
    const char *word = reader->words.words[1];
    if (!reader_is_option(word)) {
        return READER_ERROR(reader, word, "is no option; write: quick --option value…");
    }
    if (step->arguments.count == 0) {
        return READER_ERROR(reader, "quick",
                            "stands before any option of its step; write it behind those that it "
                            "takes the place of");
    }
    return add_option(reader, 1, &step->quick);
}

Status study_read_otherwise(StudyReader *reader) {
    StudyStep *step = reader_step(reader);
    const StudyLineWords *words = &reader->words;
    if (reader_is_option(words->words[1])) {
        return add_option(reader, 1, &step->otherwise);
    }
    if (strcmp(words->words[1], "argument") == 0 && words->count == 3) {
        return add(reader, &step->otherwise, &(StepArgument){.value = words->words[2]});
    }
    return READER_ERROR(reader, words->words[1],
                        "is no option; write: otherwise --option value… (or: otherwise argument "
                        "TEXT)");
}

/* The file must be the step's own. */
Status study_read_reads(StudyReader *reader) {
    const char *file = reader->words.words[1];
    if (file[0] == '/' || strstr(file, "..") != NULL) {
        return READER_ERROR(reader, file, "is not in the step's folder; name a file there");
    }
    return reader_set_once(reader, &reader_step(reader)->reads);
}
