/* Studies: study files, their steps, values and reports. */

#ifndef BENCH_STUDY_STUDY_H
#define BENCH_STUDY_STUDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "claims.h"
#include "commands.h"
#include "csv.h"
#include "device_choice.h"
#include "status.h"
#include "text_sizes.h"
#include "times.h"

typedef struct PathList PathList;     /* paths.h */
typedef struct TimeUnit TimeUnit;     /* number.h */
typedef struct Row Row;               /* row.h */
typedef struct RunOptions RunOptions; /* run_options.h */
typedef struct StoredRun StoredRun;   /* stored_run.h */

/* --- Study ------------------------------------------------------------------------------------ */

/*
 * Study: what a paper measured, as data: which commands to run, which tables and figures to make of
 * their files, and what to print beside them. Read from <folder>/study.txt, whose format
 * reports/studies/README.md describes. Nothing here knows any study.
 */

/* What a key is about. From KEY_WORK on it belongs to the work, before that to the way of doing it.
 */
typedef enum KeyKind {
    KEY_WAY, /* threads, tile, a column of any other name */
    KEY_VARIANT,
    KEY_BACKEND,
    KEY_PEER,  /* no column: whether other people's code is asked for */
    KEY_WORK,  /* algorithm, input, an axis of the answer */
    KEY_SIZE,  /* whose number is that of pixels */
    KEY_IMAGES /* of a set */
} KeyKind;

/* A condition on a record of a step's CSV: a column of that name has the text, or one of its
 * columns of the form "key:value,key:value" (answer, tuning) has that value for the key. */
typedef struct Condition {
    const char *key;
    const char *value;
    KeyKind kind; /* of the key */
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
} StepArgument;

typedef struct StepArgumentList {
    StepArgument *items;
    size_t count, capacity;
} StepArgumentList;

typedef enum StepKind {
    STEP_COMMAND, /* another one than `run` */
    STEP_RUN,
    STEP_FILE /* it runs nothing */
} StepKind;

/* `step NAME COMMAND`: one run of the program, `bench COMMAND …`. `step NAME file`: a CSV that
 * another program has written, its argument; it becomes the file that tables read. */
typedef struct StudyStep {
    const char *name, *command;
    StepKind kind;
    StepArgumentList arguments;
    StepArgumentList quick;     /* with --quick: each takes the place of the option of its name */
    StepArgumentList otherwise; /* where a file in {data} is not there: the option with the {data}
                                   value goes, these come; none: then the step is not run */
    const char *reads;          /* the CSV that tables read, within {out}: "results.csv" */
    bool on_request;            /* run only where --steps names it */
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
    COLUMN_CSV,    /* a column of the step's CSV: `csv`, or `csv`:`part` where its text is
                      "part:number,…", as stages_ms */
    COLUMN_RATIO,  /* column `over` of the same row divided by column `under` */
    COLUMN_BASE,   /* column `over` of row `base` divided by that of this row: a speedup */
    COLUMN_LINEAR, /* column `over` of the same row times `factor` and `offset` added */
    COLUMN_COST    /* of a million runs of the time in column `over`, at the price of an hour that
                      its step's --price has for the side (cpu, gpu) of its record */
} ColumnSource;

typedef struct StudyUnit {
    const char *name;     /* "ms", "us", "s", "min", "x", or any word */
    const TimeUnit *time; /* NULL: it is none of time */
    bool ratio;           /* "x" */
    bool none;            /* "-" */
} StudyUnit;

typedef struct StudyColumn {
    const char *title;
    StudyUnit unit;
    ColumnSource source;
    const char *csv, *part;
    const char *by; /* of several records the one with the least number in this column of the CSV;
                       NULL: of times the fastest, of other numbers none */
    const char *over, *under, *base; /* titles of columns, label of a row */
    double factor, offset;
    const char *step;         /* NULL: the table's */
    ConditionList conditions; /* further ones of this column */
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
    const char
        *mean_over; /* key: a number is the mean over the records of its values; NULL: none */
    bool extra;     /* not of the paper: a figure's data, or what the harness adds */
    bool shaded;    /* a confusion matrix */
    int line;
} StudyTable;

/* `line NAME TABLE COLUMN`: one curve of a figure, rows of a table that have the x key. */
typedef struct StudyLine {
    const char *name, *table, *column;
    int colour; /* from 0: study_colours_set */
    int line;
} StudyLine;

/* `figure NAME TITLE`. */
typedef struct StudyFigure {
    const char *name, *title;
    const char *x_key, *x_title; /* the condition of the rows that is the horizontal axis; `size` is
                                    drawn at the number of its pixels */
    KeyKind x_kind;
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
    StudyTexts differences; /* between the paper's way and ours, named with every comparison */
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

void study_release(Study *study);

/* --- Study file ------------------------------------------------------------------------------- */

/* STATUS_FILE "<path>:<line>: '<word>' …"; a long path loses its beginning. Without a word: NULL.
 */
Status study_text_error(const char *path, int line, const char *word, const char *format, ...)
    STATUS_PRINTF(4, 5);

/*
 * Reads <folder>/study.txt and checks it whole: that steps, tables, columns and rows that are named
 * exist, and that there is no name twice. STATUS_FILE "<path>:<line>: '<word>' …" with what would
 * be right, and nothing to release.
 */
Status study_file_read(const char *folder, Study *study);

/* Finds the folder of a study: `name` itself if it holds a study.txt, else that name in the folder
 * of the program's studies (BENCH_STUDY_DIR, installed, or of the source tree). STATUS_USAGE naming
 * the study with the most similar name. */
Status study_find(const char *name, char *folder, size_t size);

/* Appends the names of the program's studies. Release the list in any case. */
Status study_names(PathList *names);

/* `bench study --list`: name and title of each. */
Status study_list(FILE *stream);

/* --- Published -------------------------------------------------------------------------------- */

/*
 * A paper's numbers: published.csv beside study.txt, with the columns
 * table,row,column,value,unit,machine,source. `table`, `row` and `column` are the names that
 * study.txt gives them, `value` is as printed ("170.73334"), `machine` what it was measured on,
 * `source` where in the paper it stands.
 */

typedef struct PublishedNumber {
    const char *table, *row, *column;
    double value;
    const char *printed; /* the value's text */
    const char *unit, *machine, *source;
    int line;
} PublishedNumber;

typedef struct Published {
    PublishedNumber *numbers;
    size_t count, capacity;
    CsvFrame frame; /* what the texts lie in */
} Published;

/* STATUS_FILE "<path>:<line>: …" for a line without a number, for a row or column that its table
 * does not have, and for a second number of a cell. A study without the file has no numbers. */
Status published_read(const Study *study, Published *published);

void published_release(Published *published);

/* --- Steps ------------------------------------------------------------------------------------ */

typedef struct StudySettings {
    bool quick;
    bool quiet;
    bool resume;          /* a sweep that was cut off goes on */
    int launches;         /* of the steps with command `run`, which name none; 0 or 1: one */
    const double *spread; /* seconds over which those begin; NULL: as `run` has it by default */
    double budget;        /* seconds for all steps; INFINITY: until all is decided; 0: none */
    double step_budget;   /* of it for the step under way, with what it has taken so far; 0: none */
    int step_launches;    /* with that: launches that it is to have then */
    bool so_far;          /* the report is of a study that goes on */
    DeviceChoice device;  /* all, none or one */
    const char *data;     /* folder of {data} */
    const char *out;      /* folder of the study's files; steps have <out>/runs/<step> */
    /* The command of a step by its name, whose options its lines are; NULL: there is none. */
    const Command *(*command)(const char *name);
    /* Whether other people's code is there to be measured beside a run's own; NULL: none is. */
    bool (*has_peers)(const RunOptions *run);
} StudySettings;

typedef enum StepState {
    STEP_DONE,
    STEP_LEFT_OUT, /* a file in {data} is not there, and nothing stands in for it, or nothing can be
                      measured here and the command left no file */
    STEP_FAILED,   /* the command ended with an error, but perhaps left rows */
    STEP_NOT_RUN   /* not reached: interrupted */
} StepState;

enum { STEP_COMMAND_SIZE = 2048 };

typedef struct StepOutcome {
    StepState state;
    int code;                        /* exit code of the command */
    bool stand_in;                   /* `otherwise` was used */
    double elapsed_s;                /* seconds that the command took; 0: not known */
    char why[STATUS_WHY_SIZE];       /* unless done: one sentence */
    char command[STEP_COMMAND_SIZE]; /* as it can be pasted into a shell */
    char csv[ATOMIC_FILE_PATH_SIZE]; /* the file its tables read, there or not */
} StepOutcome;

/* `chosen`, as long as the steps, gets those that an earlier run in the study's folder has not
 * done. Steps that were left out are among them: their data may be there now. STATUS_FILE. */
Status study_steps_unfinished(const Study *study, const StudySettings *settings, bool *chosen);

/* One line: "step 2/5 NAME: " and its command line, or why it is left out. */
void study_step_announce(FILE *stream, const Study *study, size_t index,
                         const StudySettings *settings);

/* How long the steps of a study are expected to take, in seconds. */
typedef struct StudyTime {
    double seconds;        /* of those that are known */
    size_t known, unknown; /* steps */
} StudyTime;

/* Of the steps that `chosen` has: what the same command line took in the study's folder. With
 * `plan` also what the command `run` expects of its plan, for which it times variants on a small
 * input. The others are not known. `seconds` gets that of each step, 0 for one that is not run, NAN
 * where it is not known; it may be NULL. */
StudyTime study_expect(const Study *study, const StudySettings *settings, const bool *chosen,
                       bool plan, double *seconds);

enum { STUDY_TIME_TEXT_SIZE = 120 };

/* "expected time: about 12:30, and 2 steps of unknown time" */
void study_time_text(const StudyTime *time, char text[STUDY_TIME_TEXT_SIZE]);

/*
 * Runs the steps that `chosen` has (one flag a step), and recalls the others from their folders.
 * `outcomes` has room for one a step. Prints each step on standard error, unless
 * settings->quiet. After an interrupt the steps that would be run are STEP_NOT_RUN. STATUS_FILE or
 * STATUS_FAIL when a step could not be started or recalled.
 */
Status study_steps_run(const Study *study, const StudySettings *settings, const bool *chosen,
                       StepOutcome *outcomes, bool *interrupted);

/* Whether the step is run launch by launch in a study with a budget: its request is that of a run,
 * and of no launch, share or comparison. Others are run once, as is what cannot be read. */
bool study_step_has_launches(const StudyStep *step, const StudySettings *settings);

/* With a budget the settings of the first launches: every step that has launches gets as much of it
 * as each other. */
StudySettings study_first_settings(const Study *study, const StudySettings *settings,
                                   const bool *chosen);

/*
 * The same with settings->budget. The first launch of every step comes first, briefly. Then
 * `so_far` is called with the outcomes, and one launch after the other is added, to the step that
 * has the fewest, while there is time for one. A step ends as a run with a budget does.
 */
Status study_rounds_run(const Study *study, const StudySettings *settings, const bool *chosen,
                        Status (*so_far)(void *context, const StepOutcome *outcomes), void *context,
                        StepOutcome *outcomes, bool *interrupted);

/* What a study was run with, as a file beside its report, for a report made again later. */
typedef struct StudyRecord {
    char study[128];
    bool quick;
    int launches;  /* 1 where the file is older */
    double spread; /* of the settings; -1: NULL there */
    double budget; /* the same; 0: none */
    DeviceChoice device;
    char data[ATOMIC_FILE_PATH_SIZE];
} StudyRecord;

/* Writes <out>/study.json. STATUS_FILE. */
Status study_record_write(const char *study, const StudySettings *settings);

/* STATUS_FILE when the folder has none that can be read. */
Status study_record_read(const char *out, StudyRecord *record);

/* --- Records ---------------------------------------------------------------------------------- */

/* What tables read of a step: the rows of its run, by the columns of row.def, or the lines of
 * another table. Rows of an algorithm that this version does not have are lines too: it cannot
 * derive their speedups and rates, which the table has. */
typedef struct StepRecord {
    const Row *row;        /* NULL: it is a line */
    const CsvRecord *line; /* NULL: it is a row */
} StepRecord;

typedef struct StepRecords {
    StepRecord *list;
    size_t count;
    bool rows;        /* they are those of a run; else the lines of `table` */
    StoredRun *run;   /* of the step's folder; NULL: there is none that can be read */
    StoredRun *whole; /* the same with stand-ins, where rows of `run` were ignored; else NULL */
    CsvFrame table;   /* its facts are those of the run where it has no lines */
} StepRecords;

/* --- Values ----------------------------------------------------------------------------------- */

/* A number of a study's table, measured and published. */
typedef struct StudyValue {
    const StudyRow *row;
    const StudyColumn *column;
    ConditionList conditions; /* of its records, by key: those of its column, row and table */
    double measured;          /* in the column's unit; NAN: see `why` */
    double low, high;         /* its 95% interval, or its range over seeds; NAN: none */
    size_t averaged;          /* records that it is the mean of; 0: it is of one */
    size_t seeds;             /* that low to high is the range of; 0: it is no such range */
    LaunchRange launches;     /* that it rests on; empty: of no measurement with launches */
    char why[160];       /* why it was not measured: "no CUDA device", "not run with --quick" */
    const char *missing; /* the same as a table shows it, in two or three words */
    bool wrong;          /* not measured, and should have been */
    bool skipped;        /* not measured: the run skipped what it asks for */
    const StepRecords *records; /* of its step, or of the time that it is a cost of; else NULL */
    const StepRecord *record;   /* where it is from; NULL: nowhere, or computed */
    Times times; /* seconds, of the launches that it rests on; count 0: it is no such time */
    bool median; /* it is their median */
    const struct StudyValue *over, *under; /* of a ratio: what it divides, and a factor where */
    double scale;                          /* their units differ */
    double published;                      /* NAN: the paper has none */
    const PublishedNumber *paper;          /* NULL: none */
} StudyValue;

typedef struct TableResult {
    const StudyTable *table;
    StudyValue *values; /* row by row, table->column_count each */
    size_t count;       /* of all values */
} TableResult;

/* A study's tables with their numbers. */
typedef struct StudyResult {
    const Study *study;
    const Published *published;
    const StudySettings *settings;
    StepOutcome *outcomes; /* one a step */
    StepRecords *records;  /* one a step; count 0 where there are none */
    TableResult *tables;   /* one a table */
    void *memory;          /* owns all but `outcomes` */
} StudyResult;

/* Evaluates all tables from outcomes (owned by the result from now on, allocated with malloc, one a
 * step). A file that cannot be read is a reason in its cells. STATUS_FAIL without memory. */
Status study_result_make(const Study *study, const Published *published,
                         const StudySettings *settings, StepOutcome *outcomes, StudyResult *result);

void study_result_release(StudyResult *result);

/* --- Check ------------------------------------------------------------------------------------ */

/*
 * The shape claims of the paper (what is fastest, crossovers, trends, the order of rows), each with
 * what the numbers measured here say about it: the verdicts of the report. A claim that rests on
 * cells that were not measured here is CLAIM_UNTESTED, as is one that cannot be distinguished. How
 * many times faster something is depends on the machine and is no claim. STATUS_SKIP or STATUS_FAIL
 * without memory.
 */
Status study_claims_judge(const StudyResult *result, ClaimList *list);

/* "5 of 7 tested claims of the paper hold here, 2 do not": how a page begins and the console ends.
 */
void study_claims_text(const StudyResult *result, const ClaimList *list,
                       char text[CLAIMS_TEXT_SIZE]);

/* --- Report ----------------------------------------------------------------------------------- */

/*
 * Writes into settings->out: report.html, report.md, artifact.md, artifact.tex (the appendix for
 * reviewers), tables/<name>.csv|.md|.tex, tables/all.tex, figures/<name>.csv|.svg|.pdf|.png.
 * STATUS_SKIP with the reason when all but images could be written.
 */
Status study_report_write(const StudyResult *result);

/* A line for each: what the report warns of, and the warnings of the runs with their steps. */
void study_warnings_print(FILE *stream, const StudyResult *result);

#endif
