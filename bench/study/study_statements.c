#include "study_statements.h"

#include <string.h>

#include "owned_memory.h"
#include "suggest.h"

static Status read_study(StudyReader *reader) {
    STATUS_TRY(reader_check_name(reader, reader->words.words[1]));
    reader->scope = STUDY_HEAD;
    reader->study->name = reader->words.words[1];
    return status_ok();
}

static Status read_title(StudyReader *reader) {
    return reader_set_once(reader, &reader->study->title);
}

static Status read_citation(StudyReader *reader) {
    return reader_set_once(reader, &reader->study->citation);
}

static Status add_text(StudyReader *reader, StudyTexts *texts) {
    const char **text =
        OWNED_APPEND(&reader->study->memory, texts->items, texts->count, texts->capacity);
    if (text == NULL) {
        return study_no_memory();
    }
    *text = reader->words.words[1];
    return status_ok();
}

static Status read_about(StudyReader *reader) {
    return add_text(reader, &reader->study->about);
}

static Status read_difference(StudyReader *reader) {
    return add_text(reader, &reader->study->differences);
}

static Status read_convention(StudyReader *reader) {
    return reader_set_once(reader, reader->scope == STUDY_TABLE ? &reader_table(reader)->convention
                                                                : &reader->study->convention);
}

enum { ANYWHERE = STUDY_HEAD | STUDY_STEP | STUDY_TABLE | STUDY_FIGURE, MANY = STUDY_WORDS_MAX };

typedef struct Statement {
    const char *word;
    int scopes;         /* StudyScope, several of them */
    size_t least, most; /* arguments */
    const char *form;
    Status (*read)(StudyReader *reader);
} Statement;

/* Stands for whatever option there is. */
static const char any_option[] = "--option";

static const Statement statements[] = {
    {"study", STUDY_START, 1, 1, "study NAME", read_study},
    {"title", STUDY_HEAD, 1, 1, "title TEXT", read_title},
    {"citation", STUDY_HEAD, 1, 1, "citation TEXT", read_citation},
    {"about", STUDY_HEAD, 1, 1, "about TEXT", read_about},
    {"difference", STUDY_HEAD, 1, 1, "difference TEXT", read_difference},
    {"convention", STUDY_HEAD | STUDY_TABLE, 1, 1, "convention TEXT", read_convention},
    {"step", ANYWHERE, 2, 2, "step NAME COMMAND", study_read_step},
    {"table", ANYWHERE, 2, 2, "table NAME CAPTION", study_read_table},
    {"figure", ANYWHERE, 2, 2, "figure NAME TITLE", study_read_figure},
    {"argument", STUDY_STEP, 1, 1, "argument TEXT", study_read_argument},
    {"quick", STUDY_STEP, 1, MANY, "quick --option value…", study_read_quick},
    {"otherwise", STUDY_STEP, 1, MANY, "otherwise --option value…", study_read_otherwise},
    {"reads", STUDY_STEP, 1, 1, "reads FILE", study_read_reads},
    {any_option, STUDY_STEP, 0, MANY, "--option value…", study_read_option},
    {"from", STUDY_TABLE, 1, 1, "from STEP", study_read_from},
    {"where", STUDY_TABLE, 1, MANY, "where key=value…", study_read_where},
    {"row", STUDY_TABLE, 1, MANY, "row LABEL key=value…", study_read_row},
    {"column", STUDY_TABLE, 3, MANY, "column TITLE UNIT CSV-COLUMN", study_read_column},
    {"published", STUDY_TABLE, 1, 1, "published NAME", study_read_published},
    {"same-as", STUDY_TABLE, 1, 1, "same-as TABLE", study_read_same_as},
    {"extra", STUDY_TABLE, 0, 0, "extra", study_read_extra},
    {"shaded", STUDY_TABLE, 0, 0, "shaded", study_read_shaded},
    {"x", STUDY_FIGURE, 2, 3, "x KEY TITLE [log]", study_read_x},
    {"y", STUDY_FIGURE, 1, 2, "y TITLE [log]", study_read_y},
    {"line", STUDY_FIGURE, 3, 3, "line NAME TABLE COLUMN-TITLE", study_read_line},
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

Status study_statement_read(StudyReader *reader) {
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
    return statement->read(reader);
}
