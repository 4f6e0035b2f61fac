/* The study file: statements, references, checks. */

#include "paths.h"
#include "prices.h"
#include "run_options.h"
#include "study_internal.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "files.h"
#include "list.h"
#include "status.h"
#include "terminal.h"
#include "text.h"
#include "utf8.h"

/* === Study ==================================================================================== */

/* The names of a list of steps, tables, columns, rows or lines. */
typedef struct Names {
    const void *items;
    size_t count, size;
    size_t name, line; /* where in an item they are */
} Names;

#define NAMES(type, member, list, list_count)                                                      \
    ((Names){list, list_count, sizeof(type), offsetof(type, member), offsetof(type, line)})
#define STEP_NAMES(study) NAMES(StudyStep, name, (study)->steps, (study)->step_count)
#define TABLE_NAMES(study) NAMES(StudyTable, name, (study)->tables, (study)->table_count)
#define COLUMN_NAMES(table) NAMES(StudyColumn, title, (table)->columns, (table)->column_count)
#define ROW_NAMES(table) NAMES(StudyRow, label, (table)->rows, (table)->row_count)

static const char *names_at(Names names, size_t index) {
    const char *item = (const char *)names.items + index * names.size;
    return *(const char *const *)(const void *)(item + names.name);
}

static int names_line(Names names, size_t index) {
    const char *item = (const char *)names.items + index * names.size;
    return *(const int *)(const void *)(item + names.line);
}

/* SIZE_MAX when there is none. */
static size_t names_find(Names names, const char *name) {
    for (size_t i = 0; i < names.count; i++) {
        if (strcmp(names_at(names, i), name) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* "; did you mean 'NAME'?" with the most similar name; "" when none is similar. */
static const char *names_suggest(Names names, const char *name, char text[SUGGEST_TEXT_SIZE]) {
    Suggestion suggestion = suggest_start(name);
    for (size_t i = 0; i < names.count; i++) {
        suggest_offer(&suggestion, names_at(names, i));
    }
    return suggest_text(&suggestion, text);
}

const StudyStep *study_step(const Study *study, const char *name) {
    const size_t index = names_find(STEP_NAMES(study), name);
    return index != SIZE_MAX ? &study->steps[index] : NULL;
}

const StudyTable *study_table(const Study *study, const char *name) {
    const size_t index = names_find(TABLE_NAMES(study), name);
    return index != SIZE_MAX ? &study->tables[index] : NULL;
}

size_t study_column_index(const StudyTable *table, const char *title) {
    return names_find(COLUMN_NAMES(table), title);
}

const StudyStep *study_column_step(const Study *study, const StudyTable *table,
                                   const StudyColumn *column) {
    return study_step(study, column->step != NULL ? column->step : table->step);
}

size_t study_row_index(const StudyTable *table, const char *label) {
    return names_find(ROW_NAMES(table), label);
}

/* The condition with a key of `length` bytes; SIZE_MAX when there is none. */
static size_t find_key(const ConditionList *conditions, const char *key, size_t length) {
    for (size_t i = 0; i < conditions->count; i++) {
        if (strlen(conditions->items[i].key) == length &&
            memcmp(conditions->items[i].key, key, length) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

const Condition *condition_of(const ConditionList *conditions, const char *key) {
    const size_t index = find_key(conditions, key, strlen(key));
    return index != SIZE_MAX ? &conditions->items[index] : NULL;
}

const char *condition_value(const ConditionList *conditions, const char *key) {
    const Condition *condition = condition_of(conditions, key);
    return condition != NULL ? condition->value : NULL;
}

const char *condition_value_of(const ConditionList *conditions, KeyKind kind) {
    for (size_t i = 0; i < conditions->count; i++) {
        if (conditions->items[i].kind == kind) {
            return conditions->items[i].value;
        }
    }
    return NULL;
}

KeyKind key_kind(const char *key) {
    static const struct {
        const char *key;
        KeyKind kind;
    } known[] = {{"variant", KEY_VARIANT}, {"backend", KEY_BACKEND}, {"peer", KEY_PEER},
                 {"algorithm", KEY_WORK},  {"input", KEY_WORK},      {"width", KEY_WORK},
                 {"height", KEY_WORK},     {"size", KEY_SIZE},       {"images", KEY_IMAGES}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].key, key) == 0) {
            return known[i].kind;
        }
    }
    return axis_is_answer(key) ? KEY_WORK : KEY_WAY;
}

bool kind_is_work(KeyKind kind) {
    return kind >= KEY_WORK;
}

bool kind_is_amount(KeyKind kind) {
    return kind == KEY_SIZE || kind == KEY_IMAGES;
}

void study_release(Study *study) {
    owned_release(&study->memory);
    *study = (Study){.name = NULL};
}

/* === Study text =============================================================================== */

enum { STUDY_TEXT_MAX = 1 << 20 };

enum { PATH_SHOWN = 120, WORD_SHOWN = 61 };

Status study_text_error(const char *path, int line, const char *word, const char *format, ...) {
    char text[STATUS_WHY_SIZE];
    const size_t length = strlen(path);
    const bool cut = length > PATH_SHOWN;
    snprintf(text, sizeof text, "%s%s:%d: ", cut ? "…" : "", path + (cut ? length - PATH_SHOWN : 0),
             line);
    if (word != NULL) {
        char shown[WORD_SHOWN];
        text_visible(word, shown, sizeof shown);
        text_append(text, sizeof text, "'%s' ", shown);
    }
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, sizeof text - used, format, arguments);
    va_end(arguments);
    return status_make(STATUS_FILE, "%s", text);
}

/* Bytes of the UTF-8 character at the start of `text`; 0 for anything else. */
static size_t character_length(const char *text) {
    uint32_t code = 0;
    const size_t length = utf8_decode(text, &code);
    return utf8_is_character(code) ? length : 0;
}

/* STATUS_FILE "<path>:<line>: …" unless the bytes are such a text. */
static Status study_text_check(const char *path, const char *text, size_t length) {
    int line = 1;
    for (size_t at = 0; at < length;) {
        const unsigned char byte = (unsigned char)text[at];
        const bool blank = byte == '\t' || byte == '\n' || byte == '\r';
        if ((byte < 0x20 && !blank) || byte == 0x7f) {
            return study_text_error(path, line, NULL,
                                    "has the control character 0x%02x; text is expected", byte);
        }
        const size_t step = character_length(text + at);
        if (step == 0) {
            return study_text_error(path, line, NULL,
                                    "has the byte 0x%02x, which is not UTF-8; save it as UTF-8",
                                    byte);
        }
        line += byte == '\n';
        at += step;
    }
    return status_ok();
}

Status study_text_read(const char *path, char **text, size_t *length) {
    STATUS_TRY(file_text_read(path, "a file of a study", STUDY_TEXT_MAX, text, length));
    const Status status = study_text_check(path, *text, *length);
    if (!status_is_ok(&status)) {
        free(*text);
        *text = NULL;
    }
    return status;
}

/* === Study line =============================================================================== */

/* A line of study.txt as words. */

enum { STUDY_WORDS_MAX = 256 };

typedef struct StudyLineWords {
    const char *path; /* for messages */
    int line;
    size_t count;
    const char *words[STUDY_WORDS_MAX]; /* within the line that was given */
} StudyLineWords;

static bool is_blank(char character) {
    return character == ' ' || character == '\t' || character == '\r';
}

/* Unquotes the word at `from` in place. `*rest` is where reading goes on, behind the blank that
 * ended the word. False when a quote does not end. */
static bool unquote_word(char *from, char **rest) {
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

/* Splits a line, without its end, in place: words between blanks, double quotes around or in
 * a word that has blanks, `\"` and `\\` within them, a comment from '#' on. No words where there is
 * nothing else. STATUS_FILE naming line and word for a quote that does not end, and too many words.
 */
static Status study_line_split(char *text, StudyLineWords *words) {
    words->count = 0;
    for (;;) {
        while (is_blank(*text)) {
            text++;
        }
        if (*text == '\0' || *text == '#') {
            return status_ok();
        }
        char *word = text;
        if (!unquote_word(word, &text)) {
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

/* === Study reader ============================================================================= */

/* What the statements of study.txt are read with: where reading is, and what was read so far. */

/* What the statements belong to. */
typedef enum StudyScope {
    STUDY_START = 1, /* before `study` */
    STUDY_HEAD = 2,  /* about the whole */
    STUDY_STEP = 4,
    STUDY_TABLE = 8,
    STUDY_FIGURE = 16
} StudyScope;

typedef struct StudyReader {
    Study *study;
    StudyLineWords words; /* of the line: the statement first */
    StudyScope scope;
    void *subject;    /* what the line belongs to: the study, or its last step, table or figure */
    const char *from; /* the step of the table's `from`; NULL: it has had none */
} StudyReader;

/* The error of a word of the line. */
#define READER_ERROR(reader, word, ...)                                                            \
    study_text_error((reader)->words.path, (reader)->words.line, word, __VA_ARGS__)

enum { NAME_MAX_LENGTH = 100 };

/* STATUS_FILE unless the word can be a name: of files too. */
static Status reader_check_name(const StudyReader *reader, const char *name) {
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

/* What a name is given to, and how many names there may be. */
typedef struct NameKind {
    const char *name, *of; /* "title", "column" */
    const char *within;    /* "a table"; NULL: the study */
    int most;
    bool any_case;    /* names differ in more than their case: those of files */
    const char *hint; /* at the end of the message about a name that is given twice */
} NameKind;

static const NameKind step_kind = {"name", "step", NULL, 256, false, ""};
static const NameKind table_kind = {"name", "table", NULL, 256, true, ""};
static const NameKind figure_kind = {"name", "figure", NULL, 256, true, ""};
static const NameKind column_kind = {"title", "column", "a table", 128, false, ""};
static const NameKind line_kind = {"name", "line", "a figure", 64, false, ""};
static const NameKind row_kind = {
    "label", "row", "a table", 4096, false, "; a {key} in the label tells rows of a list apart"};

/* STATUS_FILE for a name that is given twice, or is one too many. */
static Status reader_check_new(const StudyReader *reader, const NameKind *kind, Names names,
                               const char *name) {
    for (size_t i = 0; i < names.count; i++) {
        if ((kind->any_case ? strcasecmp : strcmp)(names_at(names, i), name) == 0) {
            return READER_ERROR(reader, name, "is the %s of a %s already, of line %d%s", kind->name,
                                kind->of, names_line(names, i), kind->hint);
        }
    }
    if (names.count == (size_t)kind->most) {
        return READER_ERROR(reader, name, "is one %s too many; %s may %s %d", kind->of,
                            kind->within != NULL ? kind->within : "there",
                            kind->within != NULL ? "have" : "be", kind->most);
    }
    return status_ok();
}

/* A copy of the first `length` bytes of a text, which lives as long as the study. */
static Status reader_copy(const StudyReader *reader, const char *text, size_t length,
                          const char **copy) {
    *copy = owned_bytes(&reader->study->memory, text, length);
    STATUS_MEMORY(*copy, "for a study");
    return status_ok();
}

/* "--name", perhaps with "=value". */
static bool reader_is_option(const char *word) {
    return strncmp(word, "--", 2) == 0 && word[2] != '\0' && word[2] != '=';
}

static Status reader_append_condition(const StudyReader *reader, const Condition *condition,
                                      ConditionList *conditions) {
    LIST_ADD(&reader->study->memory, conditions->items, conditions->count, conditions->capacity,
             "conditions of a study", *condition);
    return status_ok();
}

/* Appends "key=value" to the list; STATUS_FILE for any other word, and for a second value of a key.
 */
static Status reader_add_condition(const StudyReader *reader, const char *word,
                                   ConditionList *conditions) {
    const char *sign = strchr(word, '=');
    if (sign == NULL || sign == word || sign[1] == '\0') {
        return READER_ERROR(reader, word,
                            "is no condition; write key=value, and a list without blanks");
    }
    const size_t length = (size_t)(sign - word);
    if (find_key(conditions, word, length) != SIZE_MAX) {
        return READER_ERROR(reader, word, "is a second condition on '%.*s'; one is enough",
                            (int)(length < 40 ? length : 40), word);
    }
    Condition condition = {.value = sign + 1};
    STATUS_TRY(reader_copy(reader, word, length, &condition.key));
    condition.kind = key_kind(condition.key);
    return reader_append_condition(reader, &condition, conditions);
}

/* The same of one value: only a row may have a list with commas. */
static Status reader_add_single(const StudyReader *reader, const char *word,
                                ConditionList *conditions) {
    STATUS_TRY(reader_add_condition(reader, word, conditions));
    return strchr(conditions->items[conditions->count - 1].value, ',') == NULL
               ? status_ok()
               : READER_ERROR(reader, word, "has several values; only those of a row may");
}

/* === Statements of one value ================================================================== */

/* Each reads the words of a line into the member of its subject. */

/* A text that is given once. */
static Status read_text(StudyReader *reader, void *member) {
    const char **text = member;
    if (*text != NULL) {
        return READER_ERROR(reader, reader->words.words[0], "is given twice; once is enough");
    }
    *text = reader->words.words[1];
    return status_ok();
}

/* One more text. */
static Status read_texts(StudyReader *reader, void *member) {
    StudyTexts *texts = member;
    LIST_ADD(&reader->study->memory, texts->items, texts->count, texts->capacity,
             "texts of a study", reader->words.words[1]);
    return status_ok();
}

static Status read_flag(StudyReader *reader, void *member) {
    (void)reader;
    *(bool *)member = true;
    return status_ok();
}

static Status read_conditions(StudyReader *reader, void *member) {
    for (size_t i = 1; i < reader->words.count; i++) {
        STATUS_TRY(reader_add_single(reader, reader->words.words[i], member));
    }
    return status_ok();
}

/* === Rows ===================================================================================== */

enum { CONDITIONS_MAX = 32 };

/* The next combination of values, the last list fastest: each value begins at `values` and ends at
 * a comma or the end. False after the last one. */
static bool advance(const ConditionList *lists, const char **values) {
    for (size_t i = lists->count; i-- > 0;) {
        const size_t length = strcspn(values[i], ",");
        if (values[i][length] == ',') {
            values[i] += length + 1;
            return true;
        }
        values[i] = lists->items[i].value;
    }
    return false;
}

/* Writes the label with its {key} replaced, unless `to` is NULL; its length. */
static size_t write_label(const ConditionList *conditions, const char *label, char *to) {
    size_t used = 0;
    while (*label != '\0') {
        const size_t key = *label == '{' ? strcspn(label + 1, "}") : 0;
        const size_t index = *label == '{' ? find_key(conditions, label + 1, key) : SIZE_MAX;
        const bool replaced = index != SIZE_MAX && label[key + 1] == '}';
        const char *from = replaced ? conditions->items[index].value : label;
        const size_t length = replaced ? strlen(from) : 1;
        for (size_t i = 0; to != NULL && i < length; i++) {
            to[used + i] = from[i];
        }
        used += length;
        label += replaced ? key + 2 : 1;
    }
    return used;
}

/* Every {key} is one of the row's. */
static Status check_label(const StudyReader *reader, const char *label,
                          const ConditionList *conditions) {
    for (const char *open = label; (open = strchr(open, '{')) != NULL; open++) {
        const size_t length = strcspn(open + 1, "}");
        if (open[1 + length] == '}' && find_key(conditions, open + 1, length) == SIZE_MAX) {
            return READER_ERROR(reader, label,
                                "has {%.*s}, which is no key of the row; name one of its "
                                "conditions",
                                (int)(length < 40 ? length : 40), open + 1);
        }
    }
    return status_ok();
}

static Status check_lists(const StudyReader *reader, const ConditionList *lists) {
    if (lists->count > CONDITIONS_MAX) {
        return READER_ERROR(reader, reader->words.words[1],
                            "has too many conditions; a row may have %d", CONDITIONS_MAX);
    }
    for (size_t i = 0; i < lists->count; i++) {
        const char *value = lists->items[i].value;
        if (value[0] == ',' || value[strlen(value) - 1] == ',' || strstr(value, ",,") != NULL) {
            return READER_ERROR(reader, lists->items[i].key,
                                "has an empty value in its list; write key=a,b,c without blanks");
        }
    }
    return status_ok();
}

/* Adds the row of one combination of values. */
static Status add_row(StudyReader *reader, const ConditionList *lists, const char **values) {
    void **memory = &reader->study->memory;
    StudyTable *table = reader->subject;
    StudyRow row = {.line = reader->words.line};
    for (size_t i = 0; i < lists->count; i++) {
        Condition condition = {.key = lists->items[i].key, .kind = lists->items[i].kind};
        STATUS_TRY(reader_copy(reader, values[i], strcspn(values[i], ","), &condition.value));
        STATUS_TRY(reader_append_condition(reader, &condition, &row.conditions));
    }
    const char *pattern = reader->words.words[1];
    char *label = owned_take(memory, write_label(&row.conditions, pattern, NULL) + 1);
    STATUS_MEMORY(label, "for a study");
    write_label(&row.conditions, pattern, label);
    row.label = label;
    STATUS_TRY(reader_check_new(reader, &row_kind, ROW_NAMES(table), label));
    LIST_ADD(memory, table->rows, table->row_count, table->row_capacity, "rows of a table", row);
    return status_ok();
}

static Status read_row(StudyReader *reader, void *subject) {
    const StudyTable *table = subject;
    if (table->step == NULL) {
        return READER_ERROR(reader, "row",
                            "stands before the table's step; write first: from STEP");
    }
    ConditionList lists = {.count = 0};
    for (size_t i = 2; i < reader->words.count; i++) {
        STATUS_TRY(reader_add_condition(reader, reader->words.words[i], &lists));
    }
    STATUS_TRY(check_lists(reader, &lists));
    STATUS_TRY(check_label(reader, reader->words.words[1], &lists));
    const char *values[CONDITIONS_MAX];
    for (size_t i = 0; i < lists.count; i++) {
        values[i] = lists.items[i].value;
    }
    do {
        STATUS_TRY(add_row(reader, &lists, values));
    } while (advance(&lists, values));
    return status_ok();
}

/* === Steps ==================================================================================== */

static Status read_step(StudyReader *reader, void *subject) {
    Study *study = reader->study;
    const char *const *words = reader->words.words;
    (void)subject;
    STATUS_TRY(reader_check_name(reader, words[1]));
    STATUS_TRY(reader_check_name(reader, words[2]));
    STATUS_TRY(reader_check_new(reader, &step_kind, STEP_NAMES(study), words[1]));
    STATUS_TRY(LIST_ROOM(&study->memory, study->steps, study->step_count, study->step_capacity,
                         "steps of a study"));
    StudyStep *step = &study->steps[study->step_count++];
    *step = (StudyStep){.name = words[1],
                        .command = words[2],
                        .kind = strcmp(words[2], "file") == 0             ? STEP_FILE
                                : strcmp(words[2], command_run.name) == 0 ? STEP_RUN
                                                                          : STEP_COMMAND,
                        .line = reader->words.line};
    reader->scope = STUDY_STEP;
    reader->subject = step;
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

/* An argument must be shorter than 32 pages: a limit of Linux. */
static size_t argument_most(void) {
    return 32 * (size_t)sysconf(_SC_PAGESIZE) - 1;
}

static Status add_argument(const StudyReader *reader, StepArgumentList *list,
                           const StepArgument *given) {
    if (given->value != NULL && strlen(given->value) > argument_most()) {
        return READER_ERROR(reader, given->option != NULL ? given->option : "argument",
                            "has a value of %zu bytes; the system takes at most %zu in one",
                            strlen(given->value), argument_most());
    }
    LIST_ADD(&reader->study->memory, list->items, list->count, list->capacity,
             "arguments of a step", *given);
    return status_ok();
}

/* The option that is the word `first` of the line, "--name" or "--name=value". */
static Status add_option(const StudyReader *reader, size_t first, StepArgumentList *list) {
    const char *word = reader->words.words[first];
    const size_t length = strcspn(word, "=");
    const char *name = NULL;
    STATUS_TRY(reader_copy(reader, word, length, &name));
    const char *value = word[length] == '=' ? word + length + 1 : NULL;
    if (value != NULL && first + 1 < reader->words.count) {
        return READER_ERROR(reader, reader->words.words[first + 1],
                            "is a second value of '%.40s'; write %.40s value…", name, name);
    }
    if (value == NULL && first + 1 < reader->words.count) {
        value = join(reader, first + 1);
        STATUS_MEMORY(value, "for a study");
    }
    return add_argument(reader, list, &(StepArgument){.option = name, .value = value});
}

static Status read_option(StudyReader *reader, void *arguments) {
    return add_option(reader, 0, arguments);
}

static Status read_argument(StudyReader *reader, void *arguments) {
    return add_argument(reader, arguments, &(StepArgument){.value = reader->words.words[1]});
}

static Status read_quick(StudyReader *reader, void *subject) {
    StudyStep *step = subject;
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

static Status read_otherwise(StudyReader *reader, void *otherwise) {
    const StudyLineWords *words = &reader->words;
    if (reader_is_option(words->words[1])) {
        return add_option(reader, 1, otherwise);
    }
    if (strcmp(words->words[1], "argument") == 0 && words->count == 3) {
        return add_argument(reader, otherwise, &(StepArgument){.value = words->words[2]});
    }
    return READER_ERROR(reader, words->words[1],
                        "is no option; write: otherwise --option value… (or: otherwise argument "
                        "TEXT)");
}

/* The file must be the step's own. */
static Status read_reads(StudyReader *reader, void *member) {
    const char *file = reader->words.words[1];
    if (file[0] == '/' || strstr(file, "..") != NULL) {
        return READER_ERROR(reader, file, "is not in the step's folder; name a file there");
    }
    return read_text(reader, member);
}

/* === Tables =================================================================================== */

static Status read_table(StudyReader *reader, void *subject) {
    Study *study = reader->study;
    const char *const *words = reader->words.words;
    (void)subject;
    STATUS_TRY(reader_check_name(reader, words[1]));
    if (strcasecmp(words[1], "all") == 0) {
        return READER_ERROR(reader, words[1],
                            "is what all tables together are called; choose another name");
    }
    STATUS_TRY(reader_check_new(reader, &table_kind, TABLE_NAMES(study), words[1]));
    STATUS_TRY(LIST_ROOM(&study->memory, study->tables, study->table_count, study->table_capacity,
                         "tables of a study"));
    StudyTable *table = &study->tables[study->table_count++];
    *table = (StudyTable){.name = words[1], .caption = words[2], .line = reader->words.line};
    reader->scope = STUDY_TABLE;
    reader->subject = table;
    reader->from = NULL;
    return status_ok();
}

/* May stand behind a same-as, which has given the table a step. */
static Status read_from(StudyReader *reader, void *step) {
    STATUS_TRY(read_text(reader, &reader->from));
    *(const char **)step = reader->from;
    return status_ok();
}

/* The arrays are shared. Their capacity is their count, so that one that grows is copied first. */
static Status read_same_as(StudyReader *reader, void *subject) {
    StudyTable *table = subject;
    const char *name = reader->words.words[1];
    const StudyTable *model = study_table(reader->study, name);
    if (model == NULL || model == table) {
        Names earlier = TABLE_NAMES(reader->study);
        earlier.count--;
        char nearest[SUGGEST_TEXT_SIZE];
        return READER_ERROR(reader, name, "is no earlier table%s",
                            names_suggest(earlier, name, nearest));
    }
    if (table->row_count > 0 || table->column_count > 0) {
        return READER_ERROR(reader, "same-as", "stands before the rows and columns of its table");
    }
    if (table->step == NULL) {
        table->step = model->step;
    }
    if (table->mean_over == NULL) {
        table->mean_over = model->mean_over;
    }
    table->rows = model->rows;
    table->row_count = table->row_capacity = model->row_count;
    table->columns = model->columns;
    table->column_count = table->column_capacity = model->column_count;
    return status_ok();
}

/* CSV-COLUMN [key=value…] [by CSV-COLUMN] [from STEP] */
static Status read_csv_column(const StudyReader *reader, StudyColumn *column) {
    const StudyLineWords *words = &reader->words;
    const char *source = words->words[3];
    const size_t length = strcspn(source, ":");
    if (length == 0 || (source[length] == ':' && source[length + 1] == '\0')) {
        return READER_ERROR(reader, source,
                            "is no column of a CSV; write its name, or name:part for one number "
                            "of a list");
    }
    STATUS_TRY(reader_copy(reader, source, length, &column->csv));
    column->part = source[length] == ':' ? source + length + 1 : NULL;
    for (size_t i = 4; i < words->count; i++) {
        const char *word = words->words[i];
        const bool from = strcmp(word, "from") == 0;
        if (!from && strcmp(word, "by") != 0) {
            STATUS_TRY(reader_add_single(reader, word, &column->conditions));
            continue;
        }
        const char **name = from ? &column->step : &column->by;
        if (i + 1 == words->count || *name != NULL) {
            return READER_ERROR(reader, word, "is followed by one %s, once; write: %s",
                                from ? "step" : "column of the CSV",
                                from ? "from STEP" : "by CSV-COLUMN");
        }
        *name = words->words[++i];
    }
    return status_ok();
}

/* Columns that are computed of others. */
static const struct ComputedColumn {
    const char *word;
    ColumnSource source;
    size_t arguments;
    const char *number, *form;
} computed_columns[] = {
    {"ratio", COLUMN_RATIO, 2, "two arguments", "ratio TITLE TITLE"},
    {"base", COLUMN_BASE, 2, "two arguments", "base ROW-LABEL TITLE"},
    {"cost", COLUMN_COST, 1, "one argument", "cost TITLE"},
    {"linear", COLUMN_LINEAR, 3, "three arguments", "linear TITLE FACTOR OFFSET"},
};

static Status read_number(const StudyReader *reader, const char *text, double *number) {
    *number = whole_number(text);
    return isfinite(*number)
               ? status_ok()
               : READER_ERROR(reader, text, "is no number; write: linear TITLE FACTOR OFFSET");
}

static Status read_computed_column(const StudyReader *reader, const struct ComputedColumn *computed,
                                   StudyColumn *column) {
    const char *const *given = reader->words.words + 4;
    const bool base = computed->source == COLUMN_BASE;
    if (reader->words.count != 4 + computed->arguments) {
        return READER_ERROR(reader, computed->word, "takes %s; write: %s", computed->number,
                            computed->form);
    }
    column->source = computed->source;
    column->base = base ? given[0] : NULL;
    column->over = given[base];
    column->under = computed->source == COLUMN_RATIO ? given[1] : NULL;
    if (computed->source == COLUMN_LINEAR) {
        STATUS_TRY(read_number(reader, given[1], &column->factor));
        STATUS_TRY(read_number(reader, given[2], &column->offset));
    }
    return status_ok();
}

static Status read_source(const StudyReader *reader, StudyColumn *column) {
    for (size_t i = 0; i < sizeof computed_columns / sizeof computed_columns[0]; i++) {
        if (strcmp(reader->words.words[3], computed_columns[i].word) == 0) {
            return read_computed_column(reader, &computed_columns[i], column);
        }
    }
    return read_csv_column(reader, column);
}

StudyUnit study_unit(const char *word) {
    return (StudyUnit){.name = word,
                       .time = time_unit_find(word, TIME_US, TIME_MIN),
                       .ratio = strcmp(word, "x") == 0,
                       .none = strcmp(word, "-") == 0};
}

static Status read_column(StudyReader *reader, void *subject) {
    StudyTable *table = subject;
    const char *const *words = reader->words.words;
    STATUS_TRY(reader_check_new(reader, &column_kind, COLUMN_NAMES(table), words[1]));
    StudyColumn column = {
        .title = words[1], .unit = study_unit(words[2]), .line = reader->words.line};
    STATUS_TRY(read_source(reader, &column));
    LIST_ADD(&reader->study->memory, table->columns, table->column_count, table->column_capacity,
             "columns of a table", column);
    return status_ok();
}

/* === Figures ================================================================================== */

static Status read_figure(StudyReader *reader, void *subject) {
    Study *study = reader->study;
    const char *const *words = reader->words.words;
    (void)subject;
    STATUS_TRY(reader_check_name(reader, words[1]));
    const Names names = NAMES(StudyFigure, name, study->figures, study->figure_count);
    STATUS_TRY(reader_check_new(reader, &figure_kind, names, words[1]));
    STATUS_TRY(LIST_ROOM(&study->memory, study->figures, study->figure_count,
                         study->figure_capacity, "figures of a study"));
    StudyFigure *figure = &study->figures[study->figure_count++];
    *figure = (StudyFigure){.name = words[1], .title = words[2], .line = reader->words.line};
    reader->scope = STUDY_FIGURE;
    reader->subject = figure;
    return status_ok();
}

/* `log`, where the line has a word at `index`. */
static Status read_log(const StudyReader *reader, size_t index, bool *log) {
    *log = reader->words.count > index;
    if (*log && strcmp(reader->words.words[index], "log") != 0) {
        return READER_ERROR(reader, reader->words.words[index],
                            "is not expected here; 'log' is, or nothing (in double quotes what has "
                            "blanks)");
    }
    return status_ok();
}

static Status read_x(StudyReader *reader, void *subject) {
    StudyFigure *figure = subject;
    STATUS_TRY(read_text(reader, &figure->x_key));
    figure->x_kind = key_kind(figure->x_key);
    figure->x_title = reader->words.words[2];
    return read_log(reader, 3, &figure->x_log);
}

static Status read_y(StudyReader *reader, void *subject) {
    StudyFigure *figure = subject;
    STATUS_TRY(read_text(reader, &figure->y_title));
    return read_log(reader, 2, &figure->y_log);
}

static Status read_line(StudyReader *reader, void *subject) {
    StudyFigure *figure = subject;
    const char *const *words = reader->words.words;
    const Names names = NAMES(StudyLine, name, figure->lines, figure->line_count);
    STATUS_TRY(reader_check_new(reader, &line_kind, names, words[1]));
    LIST_ADD(
        &reader->study->memory, figure->lines, figure->line_count, figure->line_capacity,
        "lines of a figure",
        (StudyLine){
            .name = words[1], .table = words[2], .column = words[3], .line = reader->words.line});
    return status_ok();
}

/* === Statements =============================================================================== */

static Status read_study(StudyReader *reader, void *name) {
    STATUS_TRY(reader_check_name(reader, reader->words.words[1]));
    reader->scope = STUDY_HEAD;
    return read_text(reader, name);
}

enum { ANYWHERE = STUDY_HEAD | STUDY_STEP | STUDY_TABLE | STUDY_FIGURE, MANY = STUDY_WORDS_MAX };

/* A statement of study.txt. `read` gets a line with an allowed number of words, none empty; its
 * STATUS_FILE names line, word and what would be right. */
typedef struct Statement {
    const char *word;
    int scopes;         /* of StudyScope */
    size_t least, most; /* arguments */
    const char *form;
    Status (*read)(StudyReader *reader, void *member);
    size_t member; /* of the subject, its offset; 0 for the subject itself */
} Statement;

/* Stands for any option. */
static const char any_option[] = "--option";

#define HEAD(word, form, read, member)                                                             \
    { word, STUDY_HEAD, 1, 1, form, read, offsetof(Study, member) }
#define STEP(word, most, form, read, member)                                                       \
    { word, STUDY_STEP, 1, most, form, read, offsetof(StudyStep, member) }
#define TABLE(word, count, most, form, read, member)                                               \
    { word, STUDY_TABLE, count, most, form, read, offsetof(StudyTable, member) }

static const Statement statements[] = {
    {"study", STUDY_START, 1, 1, "study NAME", read_study, offsetof(Study, name)},
    HEAD("title", "title TEXT", read_text, title),
    HEAD("citation", "citation TEXT", read_text, citation),
    HEAD("about", "about TEXT", read_texts, about),
    HEAD("difference", "difference TEXT", read_texts, differences),
    TABLE("convention", 1, 1, "convention TEXT", read_text, convention),
    HEAD("convention", "convention TEXT", read_text, convention),
    {"step", ANYWHERE, 2, 2, "step NAME COMMAND", read_step, 0},
    {"table", ANYWHERE, 2, 2, "table NAME CAPTION", read_table, 0},
    {"figure", ANYWHERE, 2, 2, "figure NAME TITLE", read_figure, 0},
    STEP("argument", 1, "argument TEXT", read_argument, arguments),
    {"quick", STUDY_STEP, 1, MANY, "quick --option value…", read_quick, 0},
    STEP("otherwise", MANY, "otherwise --option value…", read_otherwise, otherwise),
    STEP("reads", 1, "reads FILE", read_reads, reads),
    {"on-request", STUDY_STEP, 0, 0, "on-request", read_flag, offsetof(StudyStep, on_request)},
    {any_option, STUDY_STEP, 0, MANY, "--option value…", read_option,
     offsetof(StudyStep, arguments)},
    TABLE("from", 1, 1, "from STEP", read_from, step),
    TABLE("where", 1, MANY, "where key=value…", read_conditions, conditions),
    {"row", STUDY_TABLE, 1, MANY, "row LABEL key=value…", read_row, 0},
    {"column", STUDY_TABLE, 3, MANY, "column TITLE UNIT CSV-COLUMN", read_column, 0},
    TABLE("published", 1, 1, "published NAME", read_text, published),
    {"same-as", STUDY_TABLE, 1, 1, "same-as TABLE", read_same_as, 0},
    TABLE("mean-over", 1, 1, "mean-over KEY", read_text, mean_over),
    TABLE("extra", 0, 0, "extra", read_flag, extra),
    TABLE("shaded", 0, 0, "shaded", read_flag, shaded),
    {"x", STUDY_FIGURE, 2, 3, "x KEY TITLE [log]", read_x, 0},
    {"y", STUDY_FIGURE, 1, 2, "y TITLE [log]", read_y, 0},
    {"line", STUDY_FIGURE, 3, 3, "line NAME TABLE COLUMN-TITLE", read_line, 0},
};
static const size_t statement_count = sizeof statements / sizeof statements[0];

static const Statement *find(const char *word, int scope) {
    const char *wanted = reader_is_option(word) ? any_option : word;
    for (size_t i = 0; i < statement_count; i++) {
        if ((statements[i].scopes & scope) != 0 && strcmp(statements[i].word, wanted) == 0) {
            return &statements[i];
        }
    }
    return NULL;
}

static const char *scope_name(int scope) {
    if ((scope & STUDY_STEP) != 0) {
        return "a step";
    }
    if ((scope & STUDY_TABLE) != 0) {
        return "a table";
    }
    return (scope & STUDY_FIGURE) != 0 ? "a figure" : "the head";
}

/* A word that is no statement here: of another part of the file, or misspelt. */
static Status unknown(const StudyReader *reader, const char *word) {
    if (reader->scope == STUDY_START) {
        return READER_ERROR(reader, word, "stands before the study; begin with: study NAME");
    }
    if (find(word, STUDY_START) != NULL) {
        return READER_ERROR(reader, word, "stands once, as the first statement");
    }
    const Statement *elsewhere = find(word, ANYWHERE);
    if (elsewhere != NULL) {
        return READER_ERROR(reader, word, "is a statement of %s, and here is %s",
                            scope_name(elsewhere->scopes & ~STUDY_HEAD), scope_name(reader->scope));
    }
    char nearest[SUGGEST_TEXT_SIZE];
    Suggestion suggestion = suggest_start(word);
    for (size_t i = 0; i < statement_count; i++) {
        if ((statements[i].scopes & (int)reader->scope) != 0) {
            suggest_offer(&suggestion, statements[i].word);
        }
    }
    return READER_ERROR(reader, word, "is no statement of %s%s", scope_name(reader->scope),
                        suggest_text(&suggestion, nearest));
}

/* Reads the reader's line. */
static Status study_statement_read(StudyReader *reader) {
    const char *word = reader->words.words[0];
    const size_t arguments = reader->words.count - 1;
    const Statement *statement = find(word, reader->scope);
    if (statement == NULL) {
        return unknown(reader, word);
    }
    if (arguments < statement->least) {
        return READER_ERROR(reader, word, "needs %s; write: %s",
                            arguments == 0 ? "an argument" : "more arguments", statement->form);
    }
    if (arguments > statement->most) {
        return READER_ERROR(reader, reader->words.words[statement->most + 1],
                            "is one argument too many; write: %s (in double quotes what has "
                            "blanks)",
                            statement->form);
    }
    for (size_t i = 1; i <= arguments; i++) {
        if (reader->words.words[i][0] == '\0') {
            return READER_ERROR(reader, word, "has an empty argument; write: %s", statement->form);
        }
    }
    return statement->read(reader, (char *)reader->subject + statement->member);
}

/* === Study check ============================================================================== */

/* STATUS_FILE for a name that nothing has: `what`, of a table unless that is NULL. A NULL name is
 * right. */
static Status check_name(const char *path, int line, Names names, const char *name,
                         const char *what, const StudyTable *table) {
    if (name == NULL || names_find(names, name) != SIZE_MAX) {
        return status_ok();
    }
    char nearest[SUGGEST_TEXT_SIZE], of[160] = "";
    if (table != NULL) {
        snprintf(of, sizeof of, " of table '%.100s'", table->name);
    }
    return study_text_error(path, line, name, "is no %s%s%s", what, of,
                            names_suggest(names, name, nearest));
}

/* A cost is that of a time, and needs the prices of its step. */
static Status check_cost(const Study *study, const StudyTable *table, const StudyColumn *column,
                         const char *path) {
    const StudyColumn *time = &table->columns[study_column_index(table, column->over)];
    Prices prices;
    if (!column_is_time(time)) {
        return study_text_error(path, column->line, column->over,
                                "is no column of times, of which a cost could be made");
    }
    const Status status = step_prices(study_column_step(study, table, time), &prices);
    return status_is_ok(&status) ? status
                                 : study_text_error(path, column->line, column->title,
                                                    "is a cost, but %.200s", status.why);
}

/* A computed column comes behind those that it is computed of: so none is computed of itself,
 * however indirectly. */
static Status check_column(const Study *study, const StudyTable *table, size_t index,
                           const char *path) {
    const StudyColumn *column = &table->columns[index];
    const char *const titles[] = {column->over, column->under};
    STATUS_TRY(check_name(path, column->line, STEP_NAMES(study), column->step, "step", NULL));
    for (size_t i = 0; i < 2; i++) {
        STATUS_TRY(check_name(path, column->line, COLUMN_NAMES(table), titles[i], "column", table));
    }
    STATUS_TRY(check_name(path, column->line, ROW_NAMES(table), column->base, "row", table));
    for (size_t i = 0; i < 2; i++) {
        if (titles[i] != NULL && study_column_index(table, titles[i]) >= index) {
            return study_text_error(path, column->line, titles[i],
                                    "is no column before '%.60s', which is computed of it; write "
                                    "it first",
                                    column->title);
        }
    }
    return column->source == COLUMN_COST ? check_cost(study, table, column, path) : status_ok();
}

static Status check_table(const Study *study, const StudyTable *table, const char *path) {
    if (table->step == NULL) {
        return study_text_error(path, table->line, table->name, "has no step; write: from STEP");
    }
    STATUS_TRY(check_name(path, table->line, STEP_NAMES(study), table->step, "step", NULL));
    if (table->row_count == 0 || table->column_count == 0) {
        return study_text_error(path, table->line, table->name, "has no %s; write: %s",
                                table->row_count == 0 ? "rows" : "columns",
                                table->row_count == 0 ? "row LABEL key=value…"
                                                      : "column TITLE UNIT CSV-COLUMN");
    }
    for (size_t i = 0; i < table->column_count; i++) {
        STATUS_TRY(check_column(study, table, i, path));
    }
    return status_ok();
}

static Status check_line(const Study *study, const StudyFigure *figure, const StudyLine *line,
                         const char *path) {
    STATUS_TRY(check_name(path, line->line, TABLE_NAMES(study), line->table, "table", NULL));
    const StudyTable *table = study_table(study, line->table);
    STATUS_TRY(check_name(path, line->line, COLUMN_NAMES(table), line->column, "column", table));
    for (size_t i = 0; i < table->row_count; i++) {
        if (condition_value(&table->rows[i].conditions, figure->x_key) != NULL) {
            return status_ok();
        }
    }
    return study_text_error(path, line->line, figure->x_key,
                            "is a condition of no row of table '%.100s'; it is the figure's x",
                            table->name);
}

static Status check_figure(const Study *study, const StudyFigure *figure, const char *path) {
    if (figure->x_key == NULL || figure->y_title == NULL || figure->line_count == 0) {
        const char *form = figure->y_title == NULL ? "y TITLE" : "line NAME TABLE COLUMN-TITLE";
        form = figure->x_key == NULL ? "x KEY TITLE" : form;
        return study_text_error(path, figure->line, figure->name, "has no '%.*s'; write: %s",
                                (int)strcspn(form, " "), form, form);
    }
    for (size_t i = 0; i < figure->line_count; i++) {
        STATUS_TRY(check_line(study, figure, &figure->lines[i], path));
    }
    return status_ok();
}

/* A file has no options and is one. */
static Status check_step(const StudyStep *step, const char *path) {
    bool options = step->quick.count + step->otherwise.count > 0;
    for (size_t i = 0; i < step->arguments.count; i++) {
        options = options || step->arguments.items[i].option != NULL;
    }
    return step->kind == STEP_FILE && (options || step->arguments.count != 1)
               ? study_text_error(path, step->line, step->name,
                                  "takes a file; write one line below it: argument FILE")
               : status_ok();
}

/* STATUS_FILE "<path>:<line>: '<word>' …" for a part that is missing, and for the name of a step,
 * table, column or row that does not exist. */
static Status study_check(const Study *study, const char *path) {
    if (study->name == NULL) {
        return study_text_error(path, 1, NULL,
                                "the file has no statements; begin with: study NAME");
    }
    if (study->title == NULL || study->step_count == 0) {
        return study_text_error(path, 1, study->name, "has no %s; write: %s",
                                study->title == NULL ? "title" : "step",
                                study->title == NULL ? "title TEXT" : "step NAME COMMAND");
    }
    for (size_t i = 0; i < study->step_count; i++) {
        STATUS_TRY(check_step(&study->steps[i], path));
    }
    for (size_t i = 0; i < study->table_count; i++) {
        STATUS_TRY(check_table(study, &study->tables[i], path));
    }
    for (size_t i = 0; i < study->figure_count; i++) {
        STATUS_TRY(check_figure(study, &study->figures[i], path));
    }
    return status_ok();
}

/* === Study parse ============================================================================== */

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
    study_colours_set(study);
}

static Status parse(const char *path, const char *text, size_t length, Study *study) {
    STATUS_TRY(study_text_check(path, text, length));
    const size_t mark = strncmp(text, byte_order_mark, 3) == 0 ? 3 : 0;
    char *copy = owned_bytes(&study->memory, text, length);
    STATUS_MEMORY(copy, "for a study");
    StudyReader reader = {
        .study = study, .subject = study, .scope = STUDY_START, .words = {.path = path}};
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

/* === Study find =============================================================================== */

static const DataFolder studies = {.variable = "BENCH_STUDY_DIR",
                                   .installed = "studies",
                                   .source = "reports/studies",
                                   .what = "the studies"};

/* Writes the path of a study's folder; false when it holds no study.txt. */
static bool holds_study(const char *parent, const char *name, char *folder, size_t size) {
    char path[ATOMIC_FILE_PATH_SIZE];
    const char *slash = parent[0] != '\0' ? "/" : "";
    if (snprintf(path, sizeof path, "%s%s%s/study.txt", parent, slash, name) >= (int)sizeof path ||
        access(path, F_OK) != 0) {
        return false;
    }
    return snprintf(folder, size, "%s%s%s", parent, slash, name) < (int)size;
}

/* The names of the studies in a folder. */
static Status names_in(const char *parent, PathList *names) {
    FolderList list;
    STATUS_TRY(folder_list(parent, NULL, &list));
    Status status = status_ok();
    for (size_t i = 0; status_is_ok(&status) && i < list.count; i++) {
        char folder[ATOMIC_FILE_PATH_SIZE];
        const char *name = list.entries[i]->d_name;
        status = holds_study(parent, name, folder, sizeof folder) ? path_list_add(names, name)
                                                                  : status_ok();
    }
    folder_list_release(&list);
    return status;
}

Status study_names(PathList *names) {
    char parent[DATA_FOLDER_PATH_SIZE];
    STATUS_TRY(data_folder_find(&studies, parent, sizeof parent));
    return names_in(parent, names);
}

static Status unknown_study(const char *name, const char *parent) {
    PathList names = {.count = 0};
    const Status listed = names_in(parent, &names);
    char nearest[SUGGEST_TEXT_SIZE];
    Suggestion suggestion = suggest_start(name);
    for (size_t i = 0; i < names.count; i++) {
        suggest_offer(&suggestion, names.paths[i]);
    }
    const Status status = status_make(STATUS_USAGE,
                                      "'%.80s' is no study, and no folder with a study.txt "
                                      "(bench study --list names the studies)%s",
                                      name, suggest_text(&suggestion, nearest));
    path_list_release(&names);
    return status_is_ok(&listed) ? status : listed;
}

Status study_find(const char *name, char *folder, size_t size) {
    if (holds_study("", name, folder, size)) {
        return status_ok();
    }
    char parent[DATA_FOLDER_PATH_SIZE];
    STATUS_TRY(data_folder_find(&studies, parent, sizeof parent));
    return holds_study(parent, name, folder, size) ? status_ok() : unknown_study(name, parent);
}

/* A study that cannot be read is listed with the reason. */
static void print_entry(FILE *stream, const char *name, const char *folder) {
    Study study;
    const Status status = study_file_read(folder, &study);
    char shown[NAME_MAX + 1];
    text_visible(name, shown, sizeof shown);
    const int width = fprintf(stream, "%-20s ", shown);
    Flow flow = flow_whole(stream, 21);
    flow.at = width > 0 ? (size_t)width : 0;
    flow_words(&flow, INK_PLAIN, status_is_ok(&status) ? study.title : status.why);
    flow_end(&flow);
    if (status_is_ok(&status)) {
        study_release(&study);
    }
}

Status study_list(FILE *stream) {
    char parent[DATA_FOLDER_PATH_SIZE];
    PathList names = {.count = 0};
    STATUS_TRY(data_folder_find(&studies, parent, sizeof parent));
    const Status status = names_in(parent, &names);
    for (size_t i = 0; status_is_ok(&status) && i < names.count; i++) {
        char folder[ATOMIC_FILE_PATH_SIZE];
        if (holds_study(parent, names.paths[i], folder, sizeof folder)) {
            print_entry(stream, names.paths[i], folder);
        }
    }
    path_list_release(&names);
    return status;
}

/* === Study file =============================================================================== */

Status study_file_read(const char *folder, Study *study) {
    char path[ATOMIC_FILE_PATH_SIZE];
    char *text;
    size_t length;
    *study = (Study){.name = NULL};
    STATUS_TRY(path_make(path, sizeof path, "%s/study.txt", folder));
    STATUS_TRY(study_text_read(path, &text, &length));
    Status status = study_parse(path, text, length, study);
    free(text);
    if (!status_is_ok(&status)) {
        return status;
    }
    study->folder = owned_text(&study->memory, folder);
    if (study->folder == NULL) {
        study_release(study);
        return status_no_memory("for a study");
    }
    return status;
}
