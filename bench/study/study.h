/*
 * Study: what a paper measured, as data: which commands to run, which tables and figures to make of
 * their files, and what to print beside them. Read from <folder>/study.txt by study_file.h; the
 * format is described for its writers in reports/studies/README.md. Nothing here knows any study.
 */
#ifndef BENCH_STUDY_H
#define BENCH_STUDY_H

#include <stdbool.h>
#include <stddef.h>

/* A condition on a record of a step's CSV: a column of that name has the text, or one of its
 * columns of the form "key:value,key:value" (answer, tuning) has that value for the key. */
typedef struct Condition {
    const char *key;
    const char *value;
} Condition;

typedef struct ConditionList {
    Condition *items;
    size_t count, capacity;
} ConditionList;

/* An option or argument of a step's command line. */
typedef struct StepArgument {
    const char *option; /* "--algo"; NULL: an argument without an option */
    const char *value;  /* NULL: an option without a value. "{data}" is the folder of the data,
                           "{out}" that of the step */
    int line;
} StepArgument;

typedef struct StepArgumentList {
    StepArgument *items;
    size_t count, capacity;
} StepArgumentList;

/* `step NAME COMMAND`: one run of the program, `bench COMMAND …`. */
typedef struct StudyStep {
    const char *name, *command;
    StepArgumentList arguments;
    StepArgumentList quick;     /* with --quick: each takes the place of the option of its name */
    StepArgumentList otherwise; /* where a file in {data} is not there: the option with the {data}
                                   value goes, these come; none: then the step is not run */
    const char *reads;          /* the CSV that tables read, within {out}: "results.csv" */
    int line;
} StudyStep;

/* `row LABEL key=value…`: one row, or one for each of a condition's values separated by commas;
 * already expanded here, {key} in the label replaced. */
typedef struct StudyRow {
    const char *label;
    ConditionList conditions;
    int line;
} StudyRow;

typedef enum ColumnSource {
    COLUMN_CSV,   /* a column of the step's CSV: `csv`, or `csv`:`part` where its text is
                     "part:number,…", as stages_ms */
    COLUMN_RATIO, /* column `over` of the same row divided by column `under` */
    COLUMN_BASE   /* column `over` of row `base` divided by that of this row: a speedup */
} ColumnSource;

typedef struct StudyColumn {
    const char *title;
    const char *unit; /* "ms", "us", "s", "x" (a ratio), or any word */
    ColumnSource source;
    const char *csv, *part;
    const char *over, *under, *base; /* titles of columns, label of a row */
    const char *step;                /* NULL: the table's */
    ConditionList conditions;        /* further ones of this column */
    int line;
} StudyColumn;

/* `table NAME CAPTION`. */
typedef struct StudyTable {
    const char *name, *caption;
    const char *step;
    const char *convention; /* how the paper took its times: "mean of 15 runs"; NULL: the study's */
    const char *published;  /* name within published.csv; the table's own unless given */
    ConditionList conditions;
    StudyRow *rows;
    size_t row_count, row_capacity;
    StudyColumn *columns;
    size_t column_count, column_capacity;
    bool extra;  /* not of the paper: a figure's data, or what the harness adds */
    bool shaded; /* a confusion matrix */
    int line;
} StudyTable;

/* `line NAME TABLE COLUMN`: one curve of a figure, rows of a table that have the x key. */
typedef struct StudyLine {
    const char *name, *table, *column;
    int line;
} StudyLine;

/* `figure NAME TITLE`. */
typedef struct StudyFigure {
    const char *name, *title;
    const char *x_key, *x_title; /* the condition of the rows that is the horizontal axis; `size` is
                                    drawn at the number of its pixels */
    const char *y_title;
    bool x_log, y_log;
    StudyLine *lines;
    size_t line_count, line_capacity;
    int line;
} StudyFigure;

typedef struct StudyTexts {
    const char **items;
    size_t count, capacity;
} StudyTexts;

typedef struct Study {
    const char *folder; /* with study.txt and published.csv */
    const char *name, *title, *citation;
    const char *convention;
    StudyTexts about;       /* paragraphs at the start */
    StudyTexts differences; /* between the paper's way and ours, told with every comparison */
    StudyStep *steps;
    size_t step_count, step_capacity;
    StudyTable *tables;
    size_t table_count, table_capacity;
    StudyFigure *figures;
    size_t figure_count, figure_capacity;
    void *memory; /* what owns the texts */
} Study;

/* NULL when there is none of that name. */
const StudyStep *study_step(const Study *study, const char *name);
const StudyTable *study_table(const Study *study, const char *name);
void study_release(Study *study);

#endif
