/* What the statements of study.txt are read with: where reading is, and what was read so far. */
#ifndef BENCH_STUDY_READER_H
#define BENCH_STUDY_READER_H

#include "status.h"
#include "study.h"
#include "study_line.h"
#include "study_text.h"

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
    StudyScope scope;     /* of the last step, table or figure of the study */
    bool from_given;      /* the table has a `from` */
} StudyReader;

/* The error of a word of the line. */
#define READER_ERROR(reader, word, ...)                                                            \
    study_text_error((reader)->words.path, (reader)->words.line, word, __VA_ARGS__)

Status study_no_memory(void);

/* The step, table or figure that the line belongs to. */
StudyStep *reader_step(const StudyReader *reader);
StudyTable *reader_table(const StudyReader *reader);
StudyFigure *reader_figure(const StudyReader *reader);

/* STATUS_FILE unless the word can be a name: of files too. */
Status reader_check_name(const StudyReader *reader, const char *name);

/* "--name", perhaps with "=value". */
bool reader_is_option(const char *word);

/* Sets a text that a statement may give once: its first argument. */
Status reader_set_once(const StudyReader *reader, const char **text);

/* Appends "key=value" to the list; STATUS_FILE for a word that is none, or has a key again. */
Status reader_add_condition(const StudyReader *reader, const char *word, ConditionList *conditions);

/* STATUS_FILE when the value is a list with commas, which only a row may have. */
Status reader_check_single(const StudyReader *reader, const char *word, const char *value);

#endif
