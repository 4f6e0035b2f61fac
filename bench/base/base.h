/*
 * What every room of the harness uses: texts, numbers, files, CSV, JSON, tables, options,
 * clock, child processes, drawing, registry.
 */

#ifndef BENCH_BASE_BASE_H
#define BENCH_BASE_BASE_H

#include <cjson/cJSON.h>
#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "algorithm.h"
#include "backend.h"
#include "files.h"
#include "interrupt.h"
#include "list.h"
#include "random.h"
#include "status.h"
#include "variant.h"

/* --- Text from outside ------------------------------------------------------------------------ */

/*
 * Arguments, names of files and folders and the contents of stored files may hold any bytes. They
 * are kept as they are, since paths name files, and every writer escapes them with the function of
 * its language. Names of inputs and facts of the machine, which are compared with stored ones, are
 * escaped once, where they are read.
 *
 *   terminal       visible_line, text_visible, text_visible_print, table_print
 *   JSON           visible_json_write, which json_file_write uses
 *   HTML, SVG, XML html_escape
 *   manual pages   roff_text, roff_paragraph
 *   Markdown       markdown_text, markdown_cell_text, markdown_code, markdown_link_path
 *   LaTeX          latex_text
 *   CSV            csv_write_field, csv_write_comment
 *   gnuplot        chart_text, gnuplot_text_write
 *   file names     chart_name_append, document_slug
 *
 * All of these use visible_character: what they write is valid UTF-8 without invisible characters
 * that control terminals and other programs.
 */

enum { VISIBLE_ESCAPE_SIZE = 12 };

/*
 * Returns the number of bytes of the first character of a text that is not empty. `escape` is empty
 * when they can be written as they are; otherwise it is the text to write instead: "\xff" for a
 * byte that is not UTF-8 and for an ASCII control, "\u202e" for other controls (C1, line
 * separators, changes of direction) and for noncharacters of Unicode. The ASCII controls in `kept`
 * are not escaped.
 */
size_t visible_character(const char *text, const char *kept, char escape[VISIBLE_ESCAPE_SIZE]);

/* Writes the first character of a text, or its escape. Returns as visible_character does. */
size_t visible_put(FILE *stream, const char *text, const char *kept);

/* Copies a text for a terminal, on one line, cut between characters to `size`. */
void text_visible(const char *text, char *visible, size_t size);

/* Writes a text of any length for a terminal, on one line. */
void text_visible_print(FILE *stream, const char *text);

/* Writes one printf-like line for a terminal and its line end. Cut to the length of two paths. */
void visible_line(FILE *stream, const char *format, ...) STATUS_PRINTF(2, 3);

/* Writes JSON that holds such texts: controls become \u escapes, which readers decode to the same
 * text; bytes that are not UTF-8 become "\xff" in the string. */
void visible_json_write(FILE *stream, const char *json);

/* --- Comma lists, and appending to a text ----------------------------------------------------- */

enum { LIST_WORD_SIZE = 64 };

/* Copies the next word of a comma list to `word` and moves `*list` past it; `*list` becomes NULL
 * after the last word. STATUS_USAGE when the word is empty or too long for any name. */
Status list_next(const char **list, char word[LIST_WORD_SIZE]);

/* Appends a printf-like text to the string in `buffer`, cut between characters to `size`. */
void text_append(char *buffer, size_t size, const char *format, ...) STATUS_PRINTF(3, 4);

/* --- Hash index ------------------------------------------------------------------------------- */

/* Finds items of an array by a hash: the items are numbered from 0 on, in the order in which their
 * hashes are added. Starts zeroed. */
typedef struct HashIndex {
    uint64_t *hashes;     /* of each item */
    size_t *next;         /* the next item of the same bucket; HASH_INDEX_END: none */
    size_t *first, *last; /* of each bucket */
    size_t count, buckets;
} HashIndex;

#define HASH_INDEX_END SIZE_MAX

/* The next item has this hash. STATUS_SKIP without memory. */
Status hash_index_add(HashIndex *index, uint64_t hash);

/* The items of a hash in ascending order: hash_index_first, then hash_index_next of each, up to
 * HASH_INDEX_END. Items that are not equal may have the same hash. */
size_t hash_index_first(const HashIndex *index, uint64_t hash);
size_t hash_index_next(const HashIndex *index, size_t item);
void hash_index_release(HashIndex *index);

/* --- Suggestions ------------------------------------------------------------------------------ */

/* The known name that is most similar to a misspelt one. Names are offered one at a time, since
 * they are in tables of different types. */
enum { SUGGEST_KNOWN_SIZE = STATUS_WHY_SIZE / 2, SUGGEST_TEXT_SIZE = 96 };

typedef struct Suggestion {
    const char *given;
    const char *nearest; /* NULL: none is similar enough so far */
    size_t distance;
    char known[SUGGEST_KNOWN_SIZE]; /* names with commas between; "…": there are more */
} Suggestion;

Suggestion suggest_start(const char *given);
/* `name` must outlive the suggestion. Of equally similar names the first is kept. */
void suggest_offer(Suggestion *suggestion, const char *name);

/* Writes "; did you mean 'NAME'?", or "" when no name is similar. Returns `text`. */
const char *suggest_text(const Suggestion *suggestion, char text[SUGGEST_TEXT_SIZE]);

/* STATUS_USAGE "'GIVEN' is no NOUN; did you mean 'NAME'? (known: A, B)". */
Status suggest_unknown(const Suggestion *suggestion, const char *noun);

/* --- Wrapped text ----------------------------------------------------------------------------- */

/* Prints `term` at column `indent` and `text` from column `column`, wrapped between words, and ends
 * the line. A line has at most 100 columns, and no more than the window of a terminal, where the
 * text begins in its first two fifths. A term that reaches the text gets a line of its own. */
void text_entry(FILE *stream, size_t indent, const char *term, size_t column, const char *text);

/* --- Terminal --------------------------------------------------------------------------------- */

/* Columns that output is fitted to, and those of a stream that is no terminal. */
enum { TERMINAL_LEAST = 60, TERMINAL_USUAL = 80, TERMINAL_MOST = 200 };

/* False for NULL. */
bool stream_is_terminal(FILE *stream);

/* Columns of the window that the stream is shown in, between TERMINAL_LEAST and TERMINAL_MOST;
 * TERMINAL_USUAL where there is none. */
int terminal_columns(FILE *stream);

typedef enum ColourChoice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } ColourChoice;

/* Reads "auto", "always" or "never"; false for anything else. */
bool colour_choice_parse(const char *text, ColourChoice *choice);

/* For the whole process. COLOUR_AUTO, with which it starts: where a stream is a terminal that is
 * not dumb, unless NO_COLOR is set. */
void terminal_choose_colour(ColourChoice choice);
bool terminal_has_colour(FILE *stream);

typedef enum Ink { INK_PLAIN, INK_FASTER, INK_SLOWER, INK_STRONG, INK_FAINT } Ink;

/* Writes a text made visible, on one line, in that ink where the stream has colour. */
void terminal_write(FILE *stream, Ink ink, const char *text);

/* Words that are wrapped between blanks at `columns`; further lines begin at `indent`. */
typedef struct Flow {
    FILE *stream;
    size_t indent, columns;
    size_t at;  /* columns of the line so far */
    bool begun; /* it has a word */
} Flow;

/* Writes words made visible. Without a blank at its beginning a text belongs to the word before
 * it, which may then be that much longer than the line. */
void flow_words(Flow *flow, Ink ink, const char *words);
void flow_end(Flow *flow);

/* Writes one printf-like line made visible: whole in a file or pipe, wrapped in a terminal that is
 * narrower, where further lines begin at `indent`. */
Flow flow_whole(FILE *stream, size_t indent);
void flow_line(FILE *stream, size_t indent, const char *format, ...) STATUS_PRINTF(3, 4);

/* --- Numbers in files ------------------------------------------------------------------------- */

/* A point in every locale. Empty for NAN and infinities: the field of a number that was not
 * measured. */

/* Nine significant digits; a whole number below 1e15 in full. */
void number_text(double number, char *text, size_t size);

/* As many digits as it takes to read the same double back, 15 to 17. */
void number_text_exact(double number, char *text, size_t size);

/* --- Numbers for people ----------------------------------------------------------------------- */

/*
 * All numbers that the program prints or writes into a report. A point in every locale.
 *
 *   significant_text    "0.0925"                  so many significant digits
 *   measured_text       "12834"                   the same, and every digit before the point
 *   amount_text         "173 kpixel", "1.23 MB/s" three digits and a decimal prefix
 *   bytes_text          "12.3 GiB"                resources.h: api has no base
 *   percent_text        "99.2%"
 *   times_text          "36.7×"                   a ratio
 *   ratio_text          "36.7× (36.2–37.1)"       a ratio and its interval
 *   interval_text       "36.2 to 37.1"
 *   seconds_text        "92.5 µs"
 *   seconds_text_ascii  "92.46 us"
 *   duration_text       "1:02:05"
 */

enum { SIGNIFICANT_SIZE = 48, NUMBER_WORDS_SIZE = 128, NUMBER_DIGITS = 3 };

/*
 * Rounded to `digits` (1…15) significant digits and written without an exponent from 1e-5 up to
 * 1e15: "12800", "0.0925", "2.50", and "1.2e-7" below. An em dash for NAN, "∞" for infinity.
 */
void significant_text(double number, int digits, char text[SIGNIFICANT_SIZE]);

/* The same, but digits before the point are never rounded to zeros: "12834" and not "12830". */
void measured_text(double number, int digits, char text[SIGNIFICANT_SIZE]);

/* Three significant digits; a whole number below 1000 in full. `unit` may be empty. */
void amount_text(double amount, const char *unit, char *text, size_t size);

/* A share of 1 in percent with `decimals` decimals, or with more where a share below 1 would be
 * written as 100%. "" for NAN and infinities. */
void percent_text(double share, int decimals, char text[SIGNIFICANT_SIZE]);

/* Three significant digits. "" for NAN and infinities. */
void times_text(double ratio, char text[SIGNIFICANT_SIZE]);

/* `low` and `high` may be NAN: no interval. "" where `value` is NAN. */
void ratio_text(double value, double low, double high, char text[NUMBER_WORDS_SIZE]);

/* Three significant digits, or up to five where three write both ends the same. "" where an end is
 * NAN. */
void interval_text(double low, double high, char text[NUMBER_WORDS_SIZE]);
/* The same with other words between the ends. */
void ends_text(double low, double high, const char *between, char text[NUMBER_WORDS_SIZE]);

/* Three significant digits and the unit that fits. */
void seconds_text(double seconds, char text[NUMBER_WORDS_SIZE]);

/* For tables that are aligned by bytes: "us" for µs. */
void seconds_text_ascii(double seconds, int digits, char text[NUMBER_WORDS_SIZE]);

/* Minutes and seconds, from an hour on hours before them. */
enum { DURATION_SIZE = 32 };
void duration_text(double seconds, char text[DURATION_SIZE]);

/* --- Units of time ---------------------------------------------------------------------------- */

typedef enum TimeUnitIndex {
    TIME_NS,
    TIME_US,
    TIME_MS,
    TIME_S,
    TIME_MIN,
    TIME_UNITS
} TimeUnitIndex;

typedef struct TimeUnit {
    const char *word; /* "us": on command lines and in files */
    const char *name; /* "µs": for people */
    double seconds;
} TimeUnit;

extern const TimeUnit time_units[TIME_UNITS];

/* The unit of this word among those from `first` to `last`; NULL when there is none. */
const TimeUnit *time_unit_find(const char *word, TimeUnitIndex first, TimeUnitIndex last);

/* The largest unit up to seconds in which the time, rounded to so many significant digits, is 1 or
 * more; nanoseconds below. Digits 0: not rounded. */
const TimeUnit *time_unit_of(double seconds, int digits);

/* --- Paths ------------------------------------------------------------------------------------ */

/* Writes a printf-like path: path_make(path, size, "%s/%s", folder, name). STATUS_FILE when it is
 * longer than `size` allows. */
Status path_make(char *path, size_t size, const char *format, ...) STATUS_PRINTF(3, 4);

/* Writes "FOLDER/NAME", or NAME alone for the folder ".". STATUS_FILE as above. */
Status path_in(const char *folder, const char *name, char *path, size_t size);

/* Whether the text is longer than `ending` and ends with it. */
bool text_ends(const char *text, const char *ending);

/* The part of `path` after the last slash. */
const char *path_name(const char *path);

/* The folder of a file; "." when the path has no slash. STATUS_FILE when it is too long. */
Status path_folder(const char *path, char *folder, size_t size);

/* --- Folders ---------------------------------------------------------------------------------- */

/* Also true for links to folders. */
bool folder_exists(const char *path);

typedef struct FolderList {
    size_t count;
    struct dirent **entries; /* owned */
} FolderList;

/* Lists the entries for which `wanted` returns nonzero; NULL: those that do not begin with a dot.
 * They are sorted by their bytes, independent of the locale. Release the list in any case.
 * STATUS_FILE when the folder cannot be read. */
Status folder_list(const char *folder, int (*wanted)(const struct dirent *entry), FolderList *list);
void folder_list_release(FolderList *list);

/* A list of paths. */
typedef struct PathList {
    size_t count, capacity;
    char **paths; /* owned, as are its texts */
} PathList;

/* Appends a copy. STATUS_SKIP without memory. */
Status path_list_add(PathList *list, const char *path);

/* Appends what folder_list finds, each with the folder's path in front. */
Status path_list_add_folder(PathList *list, const char *folder,
                            int (*wanted)(const struct dirent *entry));
void path_list_release(PathList *list);

/* Makes the folder and those above it, like `mkdir -p`. STATUS_FILE names the one that cannot be
 * made. */
Status folder_make(const char *path);

/* The same for the folder of the file `path`. */
Status folder_make_for(const char *path);

/* Locks a folder against others that lock it, until `*lock` is closed or the process ends; -1 where
 * the file system knows no locks. STATUS_FILE if another has it. */
Status folder_lock(const char *path, int *lock);

/* --- Cache folder ----------------------------------------------------------------------------- */

/* The folder for data about this machine that is kept between runs: "$XDG_CACHE_HOME/bench" or
 * "$HOME/.cache/bench". STATUS_FILE when neither variable holds an absolute path. */
Status cache_folder(char *path, size_t size);

/* --- Data folder ------------------------------------------------------------------------------ */

enum { DATA_FOLDER_PATH_SIZE = 4096 };

typedef struct DataFolder {
    const char *variable;  /* environment variable that names the folder; NULL: none does */
    const char *installed; /* path in share/bench */
    const char *source;    /* path in the source tree */
    const char *holds;     /* a file in it, which identifies it; NULL: any folder of that name */
    const char *what;      /* for messages: "the chart scripts" */
} DataFolder;

/* The file of the running program, which other programs can start; "" when unknown. */
void program_path(char *path, size_t size);

/* What this process starts to run the same program again: /proc/self/exe, or where there is no
 * /proc the path that it was started by; "" when unknown. */
const char *program_again(void);

/* Whether the program was started in its build folder, and is not an installed one. */
bool program_is_built(void);

/* The first of these that can be read: the folder that the environment names, the one installed
 * with the program, the one in the source tree it was built from. STATUS_SKIP when there is none.
 */
Status data_folder_find(const DataFolder *wanted, char *folder, size_t size);

/* --- The last run ----------------------------------------------------------------------------- */

/* Where runs are unless a folder is named: BENCH_RUNS, else bench-runs in the current folder;
 * reports/runs for a program that was started where it was built. */
const char *runs_folder(void);

/* What the last run is called wherever a run is an argument. */
#define LAST_RUN "latest"

/* Makes the link `latest` in the folder of runs lead to a run that has ended well. */
void last_run_note(const char *folder);

/* The folder of the last run for the name `latest`, unless there is a file or folder of this name;
 * every other name stays as it is. `path` is `name` or a static text. STATUS_FILE if there is no
 * last run, or its folder is gone. */
Status last_run_find(const char *name, const char **path);

/* --- CSV -------------------------------------------------------------------------------------- */

/* RFC 4180, and comment lines that begin with '#'. */

enum { CSV_VALUE_SIZE = 512, CSV_FIELDS_MAX = 128 };

typedef struct CsvRecord {
    size_t count;
    int line;                     /* of a frame's record: that of its beginning, from 1 */
    char *fields[CSV_FIELDS_MAX]; /* point into the text; further fields are dropped */
} CsvRecord;

/* Reads the next record at `*cursor` and moves the cursor past it. The text is changed: fields are
 * unquoted and terminated in place. Comments and empty lines are skipped. False at the end. */
bool csv_next_record(char **cursor, CsvRecord *record);

/* The same for one record of any number of fields, of which at most `most` are kept. Returns how
 * many. */
size_t csv_split(char *text, char **fields, size_t most);

/* The index of the field of this name; SIZE_MAX when there is none. */
size_t csv_field_index(const CsvRecord *header, const char *name);

/* The text of a field; "" when the record is shorter. */
const char *csv_field(const CsvRecord *record, size_t index);

/* A comment line "# key: value". */
typedef struct CsvFact {
    const char *key, *value;
} CsvFact;

/* A whole CSV file: header, records and comments. */
typedef struct CsvFrame {
    char *text;
    CsvRecord header; /* no fields: there is none */
    CsvRecord *records;
    size_t count, capacity;
    CsvFact *facts;
    size_t fact_count, fact_capacity;
} CsvFrame;

/* The frame owns `text`, which was allocated with malloc. False without memory. Release the frame
 * in either case. */
bool csv_frame_make(char *text, CsvFrame *frame);

/* STATUS_FILE when the file cannot be read or has no header; the frame is empty then. */
Status csv_frame_read(const char *path, CsvFrame *frame);
void csv_frame_release(CsvFrame *frame);

/* The first of that key; "" when there is none. */
const char *csv_frame_fact(const CsvFrame *frame, const char *key);

/* Writes one field, in quotes if necessary. Controls except line ends and tabs are escaped. */
void csv_write_field(FILE *stream, const char *value);

/* Writes the comment "# key: text" on one line; line ends in either become blanks. */
void csv_write_comment(FILE *stream, const char *key, const char *text);

/* --- JSON files ------------------------------------------------------------------------------- */

/* Parses a whole file, plain or gzip, of at most `most` bytes, packed and unpacked; release `*root`
 * with cJSON_Delete. NaN and Infinity, which other programs write, become null. `what` names the
 * expected content in messages: "a model". STATUS_FILE with path and reason, and the line that is
 * not JSON; `*root` is NULL then. */
Status json_file_read(const char *path, const char *what, uint64_t most, cJSON **root);

/* The same of a text of `length` bytes and a NUL; `path` is for messages. */
Status json_text_read(const char *path, const char *text, size_t length, cJSON **root);

/* Whether a file has this "format" and "version". STATUS_FILE, for another format with the text
 * `otherwise` behind the path. */
Status json_format_check(const char *path, const cJSON *root, const char *format, int version,
                         const char *otherwise);

/* `root`; NULL, with the tree deleted, unless it is `complete`. */
cJSON *json_whole(cJSON *root, bool complete);

/* Both write the tree, indented, and delete it. NULL stands for a tree that could not be allocated.
 * STATUS_SKIP without memory, which names `what`; STATUS_FILE when the file cannot be written. */
Status json_print(FILE *stream, cJSON *root, const char *what);
Status json_file_write(const char *path, cJSON *root);

/* Copies the text of the key, cut to `size`; false and "" when there is none. */
bool json_copy_text(const cJSON *object, const char *key, char *text, size_t size);

/* The number or the text of that key; `fallback`, NULL, when there is none. */
double json_number_or(const cJSON *object, const char *key, double fallback);
const char *json_text(const cJSON *object, const char *key);

/* A bare NaN or Infinity is not JSON: what is not a number, or empty, has no key. False without
 * memory. */
bool json_add_number(cJSON *object, const char *key, double number);
bool json_add_text(cJSON *object, const char *key, const char *text);

/* --- Table ------------------------------------------------------------------------------------ */

/* Tables of texts and numbers, and their writers for terminals, Markdown and CSV. Those for HTML
 * and LaTeX are the room report's. */

/* What a table's cell is, for its looks and for sorting. */
typedef enum CellKind {
    CELL_PLAIN,
    CELL_STRONG,  /* the best of its kind */
    CELL_FAINT,   /* beside the point: a published number, a unit */
    CELL_MISSING, /* not run, not known; `text` is two or three words on it */
    CELL_BAD      /* a failure or a loss that must be seen */
} CellKind;

typedef struct DocCell {
    const char *text; /* as shown; NULL: empty */
    double number;    /* what sorting goes by; NAN: the text */
    const char *note; /* shown on hover, on focus and in `title`: interval, reason; NULL: none */
    CellKind kind;
    Ink ink; /* on a terminal */
} DocCell;

typedef struct DocColumn {
    const char *title;
    const char *group; /* heading over neighbouring columns of the same group; NULL: none */
    bool numeric;      /* to the right */
    int rank; /* on a terminal that is too narrow the highest are left out first; 0: never */
} DocColumn;

typedef struct DocTable {
    const char *name; /* file name without suffix: "table-1"; unique in the document */
    const char *caption;
    const char *note; /* below: conventions, machines; NULL: none */
    DocColumn *columns;
    size_t column_count, column_capacity;
    DocCell *cells; /* row by row, column_count each */
    size_t row_count, cell_count, cell_capacity;
    bool collapsed; /* HTML: closed until it is opened */
    bool sortable;  /* HTML: by its columns */
    bool shaded;    /* HTML: numeric cells get a background by their share of the row's sum */
    bool wraps;     /* a narrow terminal has texts on several lines; elsewhere the table is whole */
} DocTable;

/* Columns first, then rows, cell by cell: each row has one cell a column. Texts are copied into
 * `*memory`, to be released with owned_release. False without memory. */
bool table_add_column(void **memory, DocTable *table, const DocColumn *column);
bool table_add_cell(void **memory, DocTable *table, const DocCell *cell);

/* NULL outside the table. */
const DocCell *table_at(const DocTable *table, size_t row, size_t column);
/* A cell's text, "" where there is none. */
const char *table_text_at(const DocTable *table, size_t row, size_t column);

bool table_has_groups(const DocTable *table);
/* How many neighbouring columns from this one on have its group; 1 for a column without one. */
size_t table_group_span(const DocTable *table, size_t column);

enum { TABLE_TITLE_SIZE = 512 };
/* Group and title of a column: "Time (ms): measured". */
void table_full_title(const DocColumn *column, char title[TABLE_TITLE_SIZE]);

/* Titles, a rule and the rows, aligned for a terminal; columns in which every row is empty are left
 * out, and those of a rank where the window is too narrow for all. Not for several threads. */
void table_print(FILE *stream, const DocTable *table);

/* Titles and rows as GitHub-flavoured Markdown. */
void table_print_markdown(FILE *stream, const DocTable *table);

/* A header line, then a line a row. In numeric columns numbers are written in full where a cell has
 * one; all else as its text. */
void table_print_csv(FILE *stream, const DocTable *table);

/* --- A command's table ------------------------------------------------------------------------ */

enum { TEXT_TABLE_COLUMNS_MAX = 16 }; /* on a terminal; further ones are left out */

/* A table that is filled cell by cell and printed once. */
typedef struct TextTable {
    DocTable table;
    void *memory;
    bool failed; /* there was no memory */
} TextTable;

/* A table of these columns without rows; end it with text_table_end. Without a rank it wraps. */
TextTable text_table_start(const DocColumn *columns, size_t count);

/* Appends a cell, printf-like, of at most 1023 bytes. */
void text_table_put(TextTable *table, const char *format, ...) STATUS_PRINTF(2, 3);
/* Appends an empty cell. */
void text_table_skip(TextTable *table);
/* Appends a cell of this kind and of any length. */
void text_table_put_kind(TextTable *table, CellKind kind, const char *text);
void text_table_put_cell(TextTable *table, const DocCell *cell);
/* Appends a cell in this ink. */
void text_table_put_ink(TextTable *table, Ink ink, const char *text);

/* Writes the table, unless there was no memory for it, and releases it. STATUS_SKIP without
 * memory. */
Status text_table_end(TextTable *table, FILE *stream,
                      void (*write)(FILE *stream, const DocTable *table));

/* --- Clock ------------------------------------------------------------------------------------ */

/* Seconds of the monotonic host clock, with which all CPU times are measured, without the time in
 * which the process was stopped (stops.h). Only differences have a meaning. */
double clock_now(void);

/* CPU seconds used by all threads of this process. */
double clock_process_cpu(void);

/* --- Progress --------------------------------------------------------------------------------- */

/*
 * The state of a long computation, shown on standard error or another stream: how much is done,
 * what is under way, and about how long is left. On a terminal one line is drawn again and again,
 * cut to the window. Elsewhere a line is written every ten seconds at most, and one at the end.
 * Quiet, or without a stream, nothing is shown. Safe to call from several threads at once.
 *
 * Work is counted in any unit: steps of equal work, or the seconds that were predicted of each.
 */

enum { PROGRESS_LINE_SIZE = 512 };

typedef struct Progress {
    FILE *stream;
    bool quiet, terminal;
    bool relayed;          /* lines are for the program that started this one (progress_relay) */
    bool patient;          /* progress_be_patient */
    bool priced;           /* work is in predicted seconds */
    double (*clock)(void); /* clock_now; another one in tests */
    size_t done, total;    /* cells, or steps */
    double work;           /* what was left to do at the start, and is not left out since */
    double worked;         /* of that, in steps that have ended */
    double under_way;      /* of that, in steps that have begun */
    double started, shown; /* when the last line was written; negative: there is none */
    double seen, seen_at;  /* work done, and when it was last found to have grown */
    double estimated;      /* when `ends` was */
    double ends;           /* when all is expected to be done; NAN: not known yet */
    double promised;       /* seconds left, the least that a line has named */
    double share;          /* largest one so far */
    size_t written;        /* lines of a stream that is no terminal */
    size_t written_done;   /* number in the last of them, and its percent */
    int written_percent;
    char name[64];     /* what was shown last, or its beginning */
    size_t line_width; /* columns of the line that is on the terminal now */
} Progress;

/* `total` steps, of which `to_run` need time, each as much as the others. */
void progress_start(Progress *progress, FILE *stream, size_t total, size_t to_run, bool quiet);

/* Elsewhere than on a terminal nothing is written in the first ten seconds: for what usually takes
 * less. */
void progress_be_patient(Progress *progress);

/* What is to be done will take about so many seconds: from now on work is in predicted seconds. */
void progress_expect(Progress *progress, double seconds);

/* Shows what is under way, and of that what is known so far, such as "0.123 ms"; NULL: nothing. The
 * name is cut first where the window is narrow. */
void progress_show(Progress *progress, const char *name, const char *known);

/* A step has ended that was `work` of the whole; 0: it took no time. */
void progress_done(Progress *progress, double work);

/* So many have ended, whatever their work: for what another process does. */
void progress_count(Progress *progress, size_t done);

/* So much of the whole is not going to be done. */
void progress_leave_out(Progress *progress, double work);

/* So much of the whole is done of steps that have not ended. */
void progress_under_way(Progress *progress, double work);

/* For many short steps of equal work: `done` is their number so far. A number below the last one,
 * of a thread that was overtaken, is ignored. */
void progress_steps(Progress *progress, size_t done, const char *what);

/* A line of its own, also when quiet. */
void progress_note(Progress *progress, const char *text);

/* The line "warning: …", which warnings_again repeats. `subject` is the cell that it is about;
 * NULL: the whole machine or run. Also when quiet. */
void progress_warning(Progress *progress, const char *subject, const char *text);

/* Leaves the terminal with an empty line, for what others write. */
void progress_pause(Progress *progress);

/* The same for good; elsewhere writes the last line. */
void progress_end(Progress *progress);

/* Prints the warnings of this process once more below its results, each once: those of the whole
 * machine, then those of cells. Does nothing where they still stand just above. Afterwards there
 * are none. Flush standard output before. */
void warnings_again(FILE *stream);

/* A program that starts this one as a child draws one line for both. From now on children of this
 * process write their progress for it to their standard error, also when quiet. */
void progress_relay(void);

/* A line of a child's standard error. */
typedef struct RelayedProgress {
    size_t done, total;
    double share;      /* of its work */
    double left;       /* seconds; NAN: not known */
    const char *name;  /* points into the line */
    const char *known; /* the same; NULL: nothing */
} RelayedProgress;

/* Whether the line is one of progress. Its tab becomes the end of the name. */
bool progress_read(char *line, RelayedProgress *relayed);

/* When a long computation stores its state: writing costs a small share of its time. */
typedef struct WriteClock {
    double started, written; /* monotonic seconds; written: end of the last write, negative: none */
    double spent, latest;    /* seconds of all writes, and of the last one */
} WriteClock;

WriteClock write_clock_start(double now);

/* Whether the last write is `least` seconds old, and another one as long would keep the share of
 * all writes below 5% (besides a quarter of a second). The first one is due at once. */
bool write_is_due(const WriteClock *clock, double least, double now);

/* Counts a write from `began` to `now`. */
void write_clock_count(WriteClock *clock, double began, double now);

/* --- Child process ---------------------------------------------------------------------------- */

/*
 * All programs are started with this, without a shell, and waited for. A child never outlives this
 * process. An interrupt of this process is sent to the child or kills it.
 */

typedef struct ChildProcess {
    const char *program;          /* a path, or a name to search for in PATH */
    const char *const *arguments; /* with the program's name first, NULL last */
    char **environment;           /* NULL: ours */
    int output;                   /* descriptor of its standard output; -1: same as its errors */
    double limit;                 /* seconds after which it is killed; 0: none */
    /* On SIGTERM the child saves its results and exits: it is sent our signals. Otherwise an
     * interrupt kills it. */
    bool saves;
    /* It starts programs of its own, as a compiler driver does: it is killed together with them.
     * Not with `saves`. */
    bool group;
    /* Receives its standard error, piece by piece. NULL: its streams are ours, and `output` does
     * not count. */
    void (*take)(void *context, const char *bytes, size_t count);
    /* Asked now and then, with the seconds since it was asked last: whether the child hangs, so
     * that it is killed. NULL: never. */
    bool (*hangs)(void *context, double passed);
    void *context;
    int kept; /* a descriptor above 2 that the child has too; 0: none */
} ChildProcess;

typedef struct ChildEnd {
    int error;  /* errno when the program could not be started; 0: it was started */
    int code;   /* exit code; 128 + signal */
    int signal; /* the signal that ended it; 0: none */
    bool late;  /* it was killed at `limit`, or because it hung */
} ChildEnd;

/* Our environment without the variables of these names, NULL behind the last, and with another, a
 * text "NAME=VALUE"; NULL: none. The caller frees the array, not the texts. NULL without memory. */
char **environment_without(const char *const *names, char *added);

/* Runs the program with an empty standard input, on every processor that this process may use, and
 * waits for its end. STATUS_FAIL when no process can be created; `end` says how the program ended.
 * STATUS_INTERRUPTED when this process was interrupted before or meanwhile: it stays held
 * (interrupt.h), and the caller has to end soon. */
Status child_process_run(const ChildProcess *process, ChildEnd *end);

/* --- Supervised processes --------------------------------------------------------------------- */

/*
 * A module's code, or a defect of the program's own, can end a process: by a signal, by exit(), by
 * a call that never comes back. So the process that calls such code is the child of another one,
 * its supervisor, and tells it in shared memory what it is about to call. If it ends otherwise than
 * by saying that it does, the supervisor starts the program again, and the call that ended it is
 * not made again: it fails with what happened. So every error that has a row or a line has one.
 *
 * Damage that one call does may kill another one later. A subject that was not alone in its process
 * is therefore tried once more by itself, where the program offers that: if it survives, the damage
 * was another's. If what it is held to dies after it, it is the one that is not called again.
 */

/* Runs the program as child_process_run does, again and again until it has ended by itself, and
 * adds to that its `hangs` and `kept`. `end` is that of the last process; a program that cannot be
 * supervised, or that ended while it called nothing, is not started again. */
Status supervised_run(const ChildProcess *process, ChildEnd *end);

/* "by signal 11 (Segmentation fault)", "with exit code 3": how the process ended. */
enum { END_TEXT_SIZE = 96 };
void child_end_text(const ChildEnd *end, char text[END_TEXT_SIZE]);

/* --- In the supervised process; without a supervisor these do nothing --- */

/* Whether a supervisor has started this process, which it learns from its environment. */
bool supervisor_is_there(void);
/* Takes over the memory that is shared, and the variable out of the environment. */
void supervisor_attach(void);
bool supervisor_is_attached(void);
/* The process ends by itself, with this code. */
void supervisor_end(int code);

/* What is called. */
typedef enum CallStep {
    CALL_NONE,
    CALL_LOAD,
    CALL_AVAILABLE,
    CALL_AXIS,
    CALL_LAYOUT,
    CALL_COST,
    CALL_OPEN,
    CALL_UPLOAD,
    CALL_RUN,
    CALL_STAGE,
    CALL_WAIT, /* for what a device was given to do */
    CALL_DOWNLOAD,
    CALL_STREAM,
    CALL_COMPARE,
    CALL_WRITE,
    CALL_ASK, /* for a fact of an open state */
    CALL_CLOSE,
    CALL_STEPS
} CallStep;

enum { CALL_SUBJECT_SIZE = 1024 };

/* What the calls to come are about, the same text for the same calls in every process, and seconds
 * that each may take; 0: as many as it likes. Subjects of one `owner` are the work of the same
 * code; NULL: of nobody's. STATUS_FAIL with what happened, if the subject has ended a process. */
Status call_about(const char *subject, const void *owner, double limit);
/* The calls to come are made for somebody else, as an oracle's are: what all calls of that subject
 * begin with; "": for themselves. */
void call_on_behalf(const char *subject);
/* STATUS_FAIL with what happened, if this very subject has ended a process. */
Status call_refused(const char *subject);
/* The same for any subject that begins so. */
Status call_refused_like(const char *beginning);
/* How often there was a new subject. */
unsigned call_subjects(void);

/* Before a call and, with CALL_NONE, after it. Costs about a nanosecond. */
void call_step(CallStep step);

/* From now on a subject can be tried by itself: the program looks at call_trial. */
void call_offer_trials(void);
/* The subject that alone is to be called in this process; NULL: there is no trial. The process then
 * ends without a word. */
const char *call_trial(void);

/* Ends a process that is damaged by the latest call, which has failed so. */
_Noreturn void supervisor_abandon(const char *why);

/* Where a supervisor is: STATUS_FAIL if the latest call has changed the working folder of the
 * process or the mask of its new files, which are set back; if it has closed or replaced standard
 * streams, the process is abandoned. */
Status process_state_check(void);

/* Keeps a text for the processes that follow this one; the last one of a key counts. */
void supervisor_keep(const char *key, const char *text);
/* NULL: there is none. */
const char *supervisor_kept(const char *key);

/* --- Processors ------------------------------------------------------------------------------- */

/* An OpenMP runtime that pins threads pins the first thread of a process, to one place.
 * processors_store keeps the processors that this process may use in its environment, for the same
 * program started anew with pinned threads, and for its children. False without memory. */
bool processors_store(void);
bool processors_stored(void);
void processors_forget(void);

/* Calls `work` while the calling thread may run on every processor of the process, as it could
 * before threads were pinned: a runtime that is started meanwhile sees all of them. */
void processors_free_during(void (*work)(void *context), void *context);

/* Whether this process may use the processor, and how many it may, whichever its threads are pinned
 * to. 0: not known. */
bool processor_is_allowed(int processor);
int processors_allowed(void);

/* --- HTML, SVG and XML ------------------------------------------------------------------------ */

/* Writes a text for an element or attribute: markup becomes entities, line ends and tabs stay. NULL
 * writes nothing. */
void html_escape(FILE *stream, const char *text);

/* ` name="text"`, escaped. */
void html_attribute(FILE *stream, const char *name, const char *text);

/* --- Markdown --------------------------------------------------------------------------------- */

/* Writes a text without markup on one line: line ends become blanks, and characters that would
 * start a heading, a list or a quote are escaped. */
void markdown_text(FILE *stream, const char *text);

/* The same in a cell of a table: '|' is escaped and line ends become <br>. */
void markdown_cell_text(FILE *stream, const char *text);

/* Writes lines of code: between fences, or as HTML if they contain characters of markup. */
void markdown_code(FILE *stream, const char *text);

/* Writes the path of a file as the target of a link. */
void markdown_link_path(FILE *stream, const char *path);

/* --- Roff ------------------------------------------------------------------------------------- */

/* Writes a text in a line of a manual page. */
void roff_text(FILE *stream, const char *text);

/* Writes lines of whole words, the last with its line end; runs of white space become a blank. */
void roff_paragraph(FILE *stream, const char *text);

/* --- Registry --------------------------------------------------------------------------------- */

/* All algorithms and variants: those of algorithms.def, then those of modules. */

/* Appends an algorithm of a module, which outlives the process; `cuda` may be NULL. STATUS_SKIP
 * without memory. */
Status registry_add(const Algorithm *algorithm, const VariantTable *cuda);

size_t registry_algorithm_count(void);
const Algorithm *registry_algorithm(size_t index);
/* NULL when there is no algorithm of this name. */
const Algorithm *registry_find_algorithm(const char *name);

/* The variants of an algorithm, those on the CPU first; index 0 is the oracle. */
size_t registry_variant_count(const Algorithm *algorithm);
/* NULL when `index` is past the end. */
const Variant *registry_variant(const Algorithm *algorithm, size_t index);
const Variant *registry_find_variant(const Algorithm *algorithm, const char *name);

/* The algorithm that has the variant; NULL: it is not in the registry. */
const Algorithm *registry_algorithm_of(const Variant *variant);

size_t registry_backend_count(void);
const Backend *registry_backend(size_t index);

/* STATUS_SKIP with the reason when a variant cannot run on this machine. */
Status registry_variant_available(const Variant *variant);

/* --- Modules ---------------------------------------------------------------------------------- */

/* Algorithms in shared objects of their own (module.h). */

typedef struct Module {
    const Algorithm *algorithm;
    char path[DATA_FOLDER_PATH_SIZE]; /* as it was named */
    uint64_t hash;                    /* FNV-1a 64 of the file */
} Module;

/*
 * Loads a module and adds its algorithm to the registry; one that is loaded already is left alone.
 * STATUS_FILE with the path and what is wrong: it cannot be read, it is cut off, it is for another
 * processor, it is no module, its facts differ (all that do are named), its table is incomplete, or
 * its names are taken. A file that is refused before it is loaded has not run any code.
 */
Status module_load(const char *path);

/*
 * Loads what this process needs, before its options are parsed: the files that BENCH_PATH names
 * with colons between and every *.so in the folders that it names, in the order of their names;
 * then the file of each --plugin, which is added to BENCH_PATH for programs that this one starts.
 * What BENCH_PATH names and cannot be loaded has a line on standard error; of --plugin it is the
 * status. An axis of a module may not be named like one of the program's options, which `is_option`
 * knows.
 */
Status modules_start(int argc, char **argv, bool (*is_option)(const char *name));

/* Whether this would load any: BENCH_PATH or a --plugin names something. */
bool modules_are_named(int argc, char **argv);

enum { MODULE_NAME_MAX = 31 };

/* Whether an algorithm of a module may have this name, unless it is taken: small letters, digits
 * and underscores. */
bool module_name_is_valid(const char *name);

/* NULL: the algorithm is the program's own. */
const Module *module_of(const Algorithm *algorithm);

/* Whether the variant is a module's, and its functions are so. */
bool module_has_variant(const Variant *variant);

/* A status that a module has returned, as the harness can use it: STATUS_OK, STATUS_SKIP,
 * STATUS_FAIL or, of a device, STATUS_DEVICE_LOST, with a text that ends. Any other is a failure.
 */
Status module_status(const Variant *variant, const Status *returned);

/* --- Arguments -------------------------------------------------------------------------------- */

/* Arguments of a process, without the program's name; NULL after the last. Owns its texts. Starts
 * zeroed. */
typedef struct ArgumentList {
    int argc;
    char **argv;
    size_t capacity; /* of argv; 0: argv is not owned */
} ArgumentList;

/* Appends a copy. STATUS_SKIP without memory. */
Status argument_list_add(ArgumentList *list, const char *argument);
/* The same of several, NULL behind the last. */
Status argument_list_add_all(ArgumentList *list, const char *const *arguments);
void argument_list_release(ArgumentList *list);

/* Whether an option is among the arguments: "--launches", followed by its value or with it. */
bool argument_list_has(const ArgumentList *list, const char *option);

/* --- Options ---------------------------------------------------------------------------------- */

typedef enum OptionKind {
    OPTION_SET,        /* no value: the member (bool) becomes true */
    OPTION_CLEAR,      /* no value: the member (bool) becomes false */
    OPTION_TEXT,       /* const char *: points at the value, which is not empty */
    OPTION_RUN,        /* the same, a stored run: `latest` becomes the folder of the last one */
    OPTION_INPUT,      /* the same, a file or folder that is read */
    OPTION_INPUT_LIST, /* the same, files that are read, with commas between */
    OPTION_OUTPUT,     /* the same, a file that is written */
    OPTION_FOLDER,     /* the same, a folder that is made where it is missing, and written to */
    OPTION_TEXTS,      /* OptionTexts: gets one more text each time, at most `most` */
    OPTION_RUNS,       /* the same of stored runs */
    OPTION_REST,       /* OptionTexts: all arguments behind "--", whatever they begin with */
    OPTION_INT,        /* int32_t, from `least` to `most` */
    OPTION_WHOLE,      /* uint64_t, from `least` to `most` */
    OPTION_REAL,       /* double, above `least`, up to `most` */
    OPTION_DURATION,   /* double, seconds, above 0, up to 10^6: "10", "500ms", "2min" */
    OPTION_PAUSE,      /* the same, or 0 */
    OPTION_RATIO,      /* double, above 0, below 1: "1%" or "0.01" */
    OPTION_SHARE,      /* double, above 0, up to 1: "10%" or "0.1" */
    OPTION_WORD,       /* const char *: one of `words` */
    OPTION_WORDS,      /* unsigned: a list of `words`, bit i stands for word i */
    OPTION_HANDLED     /* `handle` reads the value */
} OptionKind;

/*
 * What an option of `bench run` is to another command that takes stored arguments over: --resume,
 * reproduce, merge, launches, bisect, ci. A stored run may come from anybody, so it loads nothing,
 * starts nothing and names no file to write. A test holds every option of a run to a decision.
 */
typedef enum OptionRole {
    ROLE_UNDECIDED,
    ROLE_MEASURE, /* what is measured and how */
    ROLE_RUN,     /* how, in one run on one machine: devices, launches, ceilings */
    ROLE_PACE,    /* when launches begin */
    ROLE_COMPARE, /* the comparison that follows all launches */
    ROLE_SHARE,   /* which part of the plan */
    ROLE_FREE,    /* changes no number: what is printed, drawn, and verified by */
    ROLE_WRITE,   /* a file or folder to write to, and what more is written there */
    ROLE_MODULE,  /* a file whose code is loaded */
    ROLE_PROGRAM, /* a program that is started */
    ROLE_ACT,     /* does something else than measure */
    ROLES
} OptionRole;

/* Every text of an option that may be repeated, or of all arguments that are no options. */
typedef struct OptionTexts {
    size_t count, capacity;
    const char **texts; /* owned; what they point at is not */
} OptionTexts;

typedef struct Option {
    const char *name;     /* without the dashes; NULL: the next argument that is no option */
    const char *argument; /* as help shows the value; NULL: takes none */
    const char *help;     /* NULL: not listed */
    OptionKind kind;
    size_t member; /* its offset in the command's struct */
    uint64_t least, most;
    const char *const *words; /* NULL behind the last */
    const char *noun;         /* of a word or real number, in "'x' is no NOUN" */
    /* STATUS_USAGE without the option's name, which the parser puts in front. */
    Status (*handle)(const struct Option *option, const char *value, void *options);
    /* Writes the value that `handle` reads into the same, or nothing where the option says nothing.
     * NULL: the option is in no member that somebody changes, and is written as it was given. */
    void (*print)(const struct Option *option, const void *options, FILE *stream);
    const char *otherwise; /* the value where none is given; NULL: one has to be */
    const char *group;     /* heading in help; NULL: "Options" */
    unsigned scope;        /* of a table that commands share: those that have the row; 0: all */
    OptionRole role;       /* of every row that `bench run` has */
} Option;

/* Behind the last row. */
#define OPTIONS_END                                                                                \
    { .name = NULL }

/* --- Commands --------------------------------------------------------------------------------- */

/* The whole command line, where the command's own arguments begin, and how the command ends. */
typedef struct Invocation {
    int argc;
    char **argv;
    int first;
    int code; /* exit code of a command that ends well; starts as EXIT_OK */
} Invocation;

/* So many are read at most; the rest is room for those of options_give. */
enum { OPTIONS_READ_MAX = 112, OPTIONS_GIVEN_MAX = 128 };

typedef struct Command Command;

/* An option or word that was given; the value as it was written, NULL: it has none. */
typedef struct GivenOption {
    const Option *row;
    const char *value;
} GivenOption;

/* What was given, in the order of its first mention. With the struct of options it is a request:
 * data that can be changed and written as arguments. */
typedef struct OptionsGiven {
    const Command *command; /* NULL: nobody has filled it */
    size_t count;
    GivenOption items[OPTIONS_GIVEN_MAX]; /* each row once, unless option_is_as_given */
} OptionsGiven;

/* `bench NAME …`: its options, its help and what it does. */
struct Command {
    const char *name, *summary; /* the summary is one line of `bench help` */
    const char *usage;          /* "bench NAME …", a line for each form */
    const char *about;          /* one paragraph; wrapped where it is printed */
    const char *examples;       /* command lines, each ending in a line end; NULL: none */
    const char *notes;          /* one paragraph at the end; NULL: nothing */
    const char *words; /* its arguments that are no options, for the message when there is one
                          too many; NULL: none are allowed */
    const Option *rows;
    const Option *(*more_rows)(void); /* rows that are known at run time only; NULL: none */
    unsigned scope;                   /* its bit in Option.scope */
    size_t size;                      /* of the struct that rows are about */
    const void *defaults;             /* of such a struct; NULL: zeros */
    /* Checks options against each other and sets defaults that depend on others; may be NULL. */
    Status (*check)(void *options, const OptionsGiven *given);
    Status (*run)(Invocation *given, void *options);
    bool measures;  /* needs pinned threads */
    bool delegates; /* the programs that it starts measure */
};

/*
 * Reads "--option value", "--option=value" and words into `options`, which begins as the defaults;
 * of a repeated option the last value counts. Texts point into `argv`. STATUS_USAGE is one sentence
 * with the option and what would be right. Release with options_release, whatever was returned.
 */
Status options_parse(const Command *command, int argc, char **argv, void *options);

/*
 * The same in steps. options_start sets the defaults. options_read reads arguments on top of what
 * was read before. options_complete checks options against each other and sets defaults that depend
 * on others. Between them the request can be changed: set the member, and name its option with
 * options_give. `given` may be a member of `options`.
 */
void options_start(const Command *command, void *options, OptionsGiven *given);
Status options_read(int argc, char **argv, void *options, OptionsGiven *given);
Status options_complete(void *options, const OptionsGiven *given);

/* Says that an option counts now, whose member was set. */
void options_give(OptionsGiven *given, const char *name);

/* Forgets that any others were given. */
void options_keep(OptionsGiven *given, bool (*is_kept)(const Option *option));

/*
 * The inverse of options_read: appends what was given, with the values that `options` has now, in
 * the order of `given`. Reading it gives the same request, and defaults are not written.
 * STATUS_SKIP without memory.
 */
Status options_print(const void *options, const OptionsGiven *given, ArgumentList *list);

/* The words of one row of it: "--reps" and "5"; none where the row was not given. */
Status option_print(const Option *row, const void *options, const OptionsGiven *given,
                    ArgumentList *list);

/* Whether the option is written as it was given, each time that it was. */
bool option_is_as_given(const Option *row);

/* The command's row number `index`; NULL behind the last. */
const Option *command_row(const Command *command, size_t index);

/* The option whose name are these `length` letters; NULL when there is none. */
const Option *command_option(const Command *command, const char *name, size_t length);

/*
 * How many of the arguments from argv[index] on belong together: an option and its value are two,
 * unless it has an = or lacks the value. `*option` is the row; NULL: a word, or no option of the
 * command. Reads as options_parse does.
 */
int command_argument(const Command *command, int argc, char *const *argv, int index,
                     const Option **option);

/* The row of argument number `number` among those that are no options; of OPTION_TEXTS and
 * OPTION_RUNS all from its own on. NULL when the command takes fewer. */
const Option *command_word(const Command *command, size_t number);

/* Frees the lists of OPTION_TEXTS. */
void options_release(const Command *command, void *options);

bool options_was_given(const OptionsGiven *given, const char *name);

/* Command lines, each ending in a line end. Of one that does not fit the rest stands below, behind
 * its first word. */
void command_print_lines(FILE *stream, size_t indent, const char *lines);

/* `bench help NAME`, at most 100 columns wide. */
void command_print_help(FILE *stream, const Command *command);

/* Whether --help or -h is among the arguments, which counts whatever else is there. */
bool command_asks_help(int argc, char **argv);

/* Parses the arguments and runs the command, or prints its help where --help or -h is among them.
 * Returns the exit code; an error has had its line. */
int command_start(const Command *command, Invocation *given);

/* One line on standard error, "bench: " and the reason, with control characters made visible.
 * Returns the exit code that the status stands for. */
int command_error(const Status *status);

/* A whole number in a text of decimal digits alone. STATUS_USAGE with what would be right. */
Status parse_count(const char *text, uint64_t minimum, uint64_t maximum, uint64_t *number);

/* --- Exit codes ------------------------------------------------------------------------------- */

typedef enum ExitCode {
    EXIT_OK = 0,
    EXIT_REGRESSION = 1,
    EXIT_USAGE = 2,
    EXIT_NO_MATCH = 3,
    EXIT_WRONG = 4,
    EXIT_FILE = 5,
    EXIT_NO_SAMPLE = 6,
    EXIT_AMBIGUOUS = 7,
    EXIT_INTERRUPTED = INTERRUPT_EXIT_CODE
} ExitCode;

typedef struct ExitCodeRow {
    ExitCode code;
    const char *meaning;
} ExitCodeRow;

extern const ExitCodeRow exit_code_rows[];
extern const size_t exit_code_row_count;

/* The exit code that a status stands for when nothing else is known. */
int exit_code_of(StatusCode code);

/* --- Canvas ----------------------------------------------------------------------------------- */

typedef struct Colour {
    uint8_t red, green, blue;
} Colour;

typedef struct Canvas {
    int32_t width, height; /* pixels */
    uint8_t *rgb;          /* three bytes a pixel; owned */
} Canvas;

/* A rectangle of pixels. Drawing is clipped to the canvas. */
typedef struct Box {
    int32_t x, y, w, h;
} Box;

/* Makes a white canvas. STATUS_SKIP without memory. */
Status canvas_create(int32_t width, int32_t height, Canvas *canvas);
void canvas_release(Canvas *canvas);

/* Fills a box with a colour of opacity `share`: 1 is opaque, 0 invisible. */
void canvas_fill(Canvas *canvas, Box box, Colour colour, double share);

/* Draws the edge of a box, `thickness` pixels wide, inside it. */
void canvas_outline(Canvas *canvas, Box box, Colour colour, int32_t thickness);

/* Draws a grey image of width × height pixels at (x, y), enlarged by `scale`. */
void canvas_image(Canvas *canvas, int32_t x, int32_t y, const uint8_t *pixels, int32_t width,
                  int32_t height, int32_t scale);

typedef struct Pen {
    Colour colour;
    double share, width; /* opacity; pixels */
} Pen;

/* Draws an antialiased line; (0, 0) is the centre of the first pixel. Clipped to the canvas. */
void canvas_line(Canvas *canvas, double x0, double y0, double x1, double y1, Pen pen);

/* Draws an antialiased circle. */
void canvas_ring(Canvas *canvas, double x, double y, double radius, Pen pen);

/* --- Gnuplot ---------------------------------------------------------------------------------- */

enum { GNUPLOT_PATH_SIZE = 4096, GNUPLOT_ARGUMENTS_MAX = 5 };

/*
 * The folder of the chart scripts: BENCH_PLOT_DIR, or the one installed with the program, or the
 * one of the source tree it was built from. STATUS_SKIP when there is none.
 */
Status gnuplot_script_folder(char *folder, size_t size);

/* Runs a script with at most GNUPLOT_ARGUMENTS_MAX arguments. STATUS_SKIP when gnuplot is not
 * installed, STATUS_FILE with what it printed when it fails, or when it does not end;
 * STATUS_INTERRUPTED. */
Status gnuplot_run(const char *script, const char *const *arguments, size_t count);

/* --- Chart files ------------------------------------------------------------------------------ */

enum { CHART_NAME_SIZE = 200 };

/* Appends a part to a file name: letters, digits, '.' and '_' stay, runs of other characters become
 * one '-', which also stands between parts. The name does not begin with '.', which would hide the
 * file, nor with '-'. An empty part adds nothing. */
void chart_name_append(char name[CHART_NAME_SIZE], const char *part);

/* STATUS_FILE when charts cannot be written there: no folder, or not writable. */
Status chart_folder_check(const char *folder);

/* Writes the path of "<name>.<suffix>" in the folder. STATUS_FILE when it is too long. */
Status chart_path(const char *folder, const char *name, const char *suffix,
                  char path[ATOMIC_FILE_PATH_SIZE]);

/* Renames what gnuplot has drawn, by the suffix of `path`, if it is whole. STATUS_FILE, with
 * nothing left, when it is not: gnuplot exits with 0 on a full disk too. */
Status chart_file_keep(const char *part, const char *path);

/* The status of a failed drawing: STATUS_FILE with the reason if `part` cannot be written. */
Status chart_file_trouble(const Status *drawn, const char *part, const char *path);

/* A text as gnuplot draws it, cut to `size`: line ends and tabs become blanks, other controls
 * visible. */
void chart_text(const char *given, char *text, size_t size);

enum { CHART_TEXT_SIZE = 1024 };

/* Writes a text as a string of a gnuplot script: chart_text, cut to CHART_TEXT_SIZE, in quotes in
 * which gnuplot runs no commands. */
void gnuplot_text_write(FILE *stream, const char *text);

/* --- LaTeX -------------------------------------------------------------------------------- */

/*
 * Escapes a text for pdflatex. Letters of Latin-1 and Latin Extended-A are left as UTF-8, which
 * LaTeX reads since 2018 (some need the font encoding T1); other characters become commands that
 * need no package, and those for which there is none stand as their code: [U+4E2D].
 */
void latex_text(FILE *stream, const char *text);

/* The width of a text in a line, in characters. */
size_t latex_text_width(const char *text);

#endif
