/*
 * What every room of the harness uses: texts, numbers, lists, files, CSV, JSON, tables, options,
 * statistics, clock, registry.
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
#include "status.h"
#include "variant.h"

/* --- Visible ---------------------------------------------------------------------------------- */

/*
 * Texts that come from outside (arguments, names of files and folders, what stored files hold) as
 * text that is safe to write. Paths are not changed where they enter, since they name files; each
 * writer passes texts through the one function of its language. Names of inputs and facts of the
 * machine, which are compared with stored ones, are made visible once, where they are taken.
 *
 *   terminal       visible_line and its siblings (here), text_table_print
 *   JSON           visible_json_write (here), for json_file_write and all others
 *   HTML, SVG, XML html_escape
 *   Markdown       markdown_text and its siblings
 *   LaTeX          latex_text
 *   CSV            csv_write_field, csv_write_comment
 *   gnuplot        chart_text
 *   file names     chart_name_append, document_slug
 *
 * All of these build on visible_character, which makes the text valid UTF-8 without characters that
 * nobody sees but programs obey.
 */

enum { VISIBLE_ESCAPE_SIZE = 12 };

/*
 * Takes the character at the start of a text that does not end there; returns its bytes. `escape`
 * is empty when they can be written as they are. Otherwise it is what stands for them, a backslash
 * and letters and digits: "\xff" for a byte that is no UTF-8 and for a control of ASCII, "\u202e"
 * for other controls (C1, line separators, overrides of the direction) and for numbers that Unicode
 * never makes characters. The controls in `kept` are left alone.
 */
size_t visible_character(const char *text, const char *kept, char escape[VISIBLE_ESCAPE_SIZE]);

/* Copies a text for a terminal, on one line; what does not fit `size` is cut between characters. */
void text_visible(const char *text, char *visible, size_t size);

/* Writes a text of any length for a terminal, on one line. */
void text_visible_print(FILE *stream, const char *text);

/* Writes one printf-like line for a terminal, and its end. What is longer than two paths is cut. */
void visible_line(FILE *stream, const char *format, ...) STATUS_PRINTF(2, 3);

/* Writes JSON that was built of texts from outside: controls become \u escapes, which a reader
 * takes for the same text, and bytes that are no UTF-8 stand as "\xff" within the string. */
void visible_json_write(FILE *stream, const char *json);

/* --- Text list -------------------------------------------------------------------------------- */

/* Comma lists on the command line, and texts that grow in a buffer. */

enum { LIST_WORD_SIZE = 64 };

/* Takes the next word of a comma list into `word` and moves `*list` past it; `*list` becomes NULL
 * after the last word. STATUS_USAGE for an empty word or one that is too long for any name. */
Status list_next(const char **list, char word[LIST_WORD_SIZE]);

/* Appends a printf-like text to the string in `buffer`, cut between characters to `size`. */
void text_append(char *buffer, size_t size, const char *format, ...) STATUS_PRINTF(3, 4);

/* --- Suggest ---------------------------------------------------------------------------------- */

/* The nearest known name to a misspelt one. */

/* Collects candidates one at a time, because names live in tables of different kinds. */
typedef struct Suggestion {
    const char *given;
    const char *nearest; /* NULL while nothing is close enough */
    size_t distance;
} Suggestion;

Suggestion suggest_start(const char *given);
/* `name` must outlive the suggestion. The first of equally near names is kept. */
void suggest_offer(Suggestion *suggestion, const char *name);

enum { SUGGEST_TEXT_SIZE = 96 };
/* Writes "; did you mean 'NAME'?", or nothing when no name is close. Returns `text`. */
const char *suggest_text(const Suggestion *suggestion, char text[SUGGEST_TEXT_SIZE]);

/* --- Text wrap -------------------------------------------------------------------------------- */

/* Text in columns on a terminal of 100 columns. */

/*
 * Prints `term` at `indent` and `text` from column `column` on, broken between words before
 * TEXT_COLUMNS and continued at the same column; a term that reaches the column gets a line of its
 * own. Ends the line.
 */
void text_entry(FILE *stream, size_t indent, const char *term, size_t column, const char *text);

/* --- Number text ------------------------------------------------------------------------------ */

/* Numbers as text that every program reads the same way. */

/* Nine significant digits, all of them for a whole number below 1e15, a point as decimal separator
 * in every locale, empty for NAN and infinities: a number that was not measured is an empty field.
 */
void number_text(double number, char *text, size_t size);

/* As many digits as it takes to read the same double back, 15 to 17. */
void number_text_exact(double number, char *text, size_t size);

/* --- Significant ------------------------------------------------------------------------------ */

/* Numbers for people: so many significant digits, and no more. */

enum { SIGNIFICANT_SIZE = 48 };

/*
 * Rounded to `digits` (1…15) significant digits and written without an exponent from 1e-5 up to
 * 1e15: "12800", "0.0925", "2.50", and "1.2e-7" below; a point in every locale. An em dash for NAN,
 * "∞" for infinity.
 */
void significant_text(double number, int digits, char text[SIGNIFICANT_SIZE]);

/* --- Amount text ------------------------------------------------------------------------------ */

/* Amounts of a unit for people, with the prefix that fits. */

/* "173 kpixel", "1.23 MB/s": three significant digits; a whole number below 1000 as it is. */
void amount_text(double amount, const char *unit, char *text, size_t size);

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

/* The unit of this word, from `first` to `last`; NULL when it is none of them. */
const TimeUnit *time_unit_find(const char *word, TimeUnitIndex first, TimeUnitIndex last);

/* The largest unit up to seconds in which the time, rounded to so many significant digits, is 1 or
 * more; nanoseconds below. Digits 0: not rounded. */
const TimeUnit *time_unit_of(double seconds, int digits);

/* --- Times and ratios ------------------------------------------------------------------------- */

/* For people: three significant digits. */

enum { NUMBER_WORDS_SIZE = 128, NUMBER_DIGITS = 3 };

/* "92.5 µs" */
void seconds_text(double seconds, char text[NUMBER_WORDS_SIZE]);

/* "36.2 to 37.1"; as many digits as it takes to tell the ends apart, up to five. "" without them.
 */
void interval_text(double low, double high, char text[NUMBER_WORDS_SIZE]);

/* "36.8× (36.2–37.1)", the interval where there is one; "" for NAN. */
void ratio_text(double value, double low, double high, char text[NUMBER_WORDS_SIZE]);

/* --- Owned memory ----------------------------------------------------------------------------- */

/* Owned memory: pieces that live as long as the thing that owns them, all released at once. */

/* `size` bytes of zeros, aligned for everything, owned by `*memory` (NULL at first). NULL without
 * memory. */
void *owned_take(void **memory, size_t size);

void owned_release(void **memory);

/* --- List ------------------------------------------------------------------------------------- */

/* Arrays that grow: items, their count and a capacity, all zero at first. */

/*
 * Makes room for `needed` items of `size` bytes in the array that `items` points to. With `memory`
 * the array is of pieces that are released with it; with NULL it is of malloc, and the caller's to
 * free. STATUS_SKIP without memory, which names `what` ("cells of a run"); the array and its
 * capacity are as they were then.
 */
Status list_room(void **memory, void *items, size_t needed, size_t *capacity, size_t size,
                 const char *what);

/* The same for one more than `count` items. */
#define LIST_ROOM(memory, items, count, capacity, what)                                            \
    list_room(memory, &(items), (count) + 1, &(capacity), sizeof *(items), what)

/* --- Paths ------------------------------------------------------------------------------------ */

/* Writes a printf-like path: path_make(path, size, "%s/%s", folder, name). STATUS_FILE when it is
 * longer than `size` allows. */
Status path_make(char *path, size_t size, const char *format, ...) STATUS_PRINTF(3, 4);

/* What stands behind the last slash, within `path`. */
const char *path_name(const char *path);

/* The folder that a file is in: "." where the path names none. STATUS_FILE when it is too long. */
Status path_folder(const char *path, char *folder, size_t size);

/* --- Folder ----------------------------------------------------------------------------------- */

/* Folders: finding, listing, and making them where they are not there yet. */

/* True for links to folders too. */
bool folder_exists(const char *path);

typedef struct FolderList {
    size_t count;
    struct dirent **entries; /* owned */
} FolderList;

/* The entries for which `wanted` is not 0, in the order of their bytes, which is the same in every
 * locale; NULL: those that do not begin with a dot. Release the list in any case. STATUS_FILE when
 * the folder cannot be read. */
Status folder_list(const char *folder, int (*wanted)(const struct dirent *entry), FolderList *list);

void folder_list_release(FolderList *list);

/* Makes the folder and those above it, like `mkdir -p`. STATUS_FILE names the one that cannot be
 * made. */
Status folder_make(const char *path);

/* The same for the folder that is to hold the file `path`. */
Status folder_make_for(const char *path);

/* --- Cache folder ----------------------------------------------------------------------------- */

/* The folder where the program keeps what it knows of a machine between runs. */

/* "$XDG_CACHE_HOME/bench", or else "$HOME/.cache/bench". STATUS_FILE when neither variable holds an
 * absolute path. */
Status cache_folder(char *path, size_t size);

/* --- Data folder ------------------------------------------------------------------------------ */

/* Data folder: files that belong to the program, wherever it was installed or built. */

enum { DATA_FOLDER_PATH_SIZE = 4096 };

typedef struct DataFolder {
    const char *variable;  /* of the environment: names the folder */
    const char *installed; /* below share/bench */
    const char *source;    /* below the source tree */
    const char *holds;     /* a file that it holds; NULL: any folder of that name will do */
    const char *what;      /* for messages: "the chart scripts" */
} DataFolder;

/* The folder that the environment names, or the one installed with the program, or the one of the
 * source tree it was built from: the first that can be read. STATUS_SKIP when there is none. */
Status data_folder_find(const DataFolder *wanted, char *folder, size_t size);

/* --- Csv records ------------------------------------------------------------------------------ */

/* CSV after RFC 4180, with comment lines that begin with '#': reading records, writing fields. */

enum { CSV_VALUE_SIZE = 512 };

enum { CSV_FIELDS_MAX = 128 };

/* Of a results.csv that is read: what it is in words, and its most bytes. */
#define CSV_FILE_WORDS "a table of results"

enum { CSV_FILE_MOST = 1 << 30 };

typedef struct CsvRecord {
    size_t count;
    char *fields[CSV_FIELDS_MAX]; /* within the text that was given; fields past the last are cut */
} CsvRecord;

/* Takes the next record from `*cursor`, a text that is taken apart in place, and moves the cursor
 * behind it. Comments and empty lines are passed over. False at the end. */
bool csv_next_record(char **cursor, CsvRecord *record);

/* The index of a field; SIZE_MAX when there is none of this name. */
size_t csv_field_index(const CsvRecord *header, const char *name);

/* A field's text; empty when the record has no such field. */
const char *csv_field(const CsvRecord *record, size_t index);

/* Writes one field: in quotes only where the value needs them, controls other than line ends and
 * tabs made visible. */
void csv_write_field(FILE *stream, const char *value);

/* Writes the comment "# key: text" on one line, whatever the two hold. */
void csv_write_comment(FILE *stream, const char *key, const char *text);

/* --- Json file -------------------------------------------------------------------------------- */

/* JSON files as trees. */

/* Bytes of a results.json that is read, unpacked where it is gzip. */
enum { RUN_FILE_MOST = 1 << 30 };

/* Reads a whole file, plain or gzip, of at most `most` bytes, packed and unpacked, into `*root`;
 * release with cJSON_Delete. `what` is what it should be, "a model". STATUS_FILE with the path, and
 * what is wrong with the gzip data or the line where it stops being JSON; `*root` is NULL then. */
Status json_file_read(const char *path, const char *what, uint64_t most, cJSON **root);

/* Writes the tree, indented, and releases it; NULL is one that memory did not suffice for.
 * STATUS_FAIL without memory, STATUS_FILE when it cannot be written. */
Status json_file_write(const char *path, cJSON *root);

/* Copies the text of that key, cut to `size`; false, with an empty text, when there is none. */
bool json_copy_text(const cJSON *object, const char *key, char *text, size_t size);

/* --- Text table ------------------------------------------------------------------------------- */

/* A table of words with aligned columns, for terminals. */

enum { TEXT_TABLE_COLUMNS_MAX = 16, TEXT_TABLE_CELL_SIZE = 48 };

typedef struct TextColumn {
    const char *title;
    bool left; /* words to the left, numbers to the right */
} TextColumn;

typedef struct TextRow {
    char cells[TEXT_TABLE_COLUMNS_MAX][TEXT_TABLE_CELL_SIZE]; /* UTF-8 */
} TextRow;

/* Prints titles, a rule and the rows; columns in which every row is empty are left out. */
void text_table_print(FILE *stream, const TextColumn *columns, size_t column_count,
                      const TextRow *rows, size_t row_count);

/* --- Stats ------------------------------------------------------------------------------------ */

/* Statistics of samples: summaries, the interval of a median, ratios of medians. */

/* Raw samples in the order they were taken; one sample is the time of one run. */
typedef struct Samples {
    double *seconds;
    size_t count, capacity;
} Samples;

typedef struct Summary {
    size_t count;
    double min, p25, median, p75, p99, mean, stddev;
    double ci_low, ci_high; /* 95% interval of the median */
} Summary;

/* Fewer samples than this have no 95% interval of the median: even from least to greatest covers
 * only 1 - 2·(1/2)^5 = 93.75% at five. */
enum { MEDIAN_INTERVAL_MIN = 6 };

/*
 * Quantile of sorted values, 0 ≤ p ≤ 1, by linear interpolation between the order statistics
 * around (n - 1)·p: type 7 of Hyndman and Fan (1996), the default of R and NumPy. NAN when n is 0.
 */
double quantile_sorted(const double *sorted, size_t n, double p);

/* A summary of nothing: every number NAN. */
Summary summary_none(void);

/* Summary of samples in any order. Numbers that the samples do not support are NAN: everything for
 * n = 0, stddev for n = 1, the interval for n < MEDIAN_INTERVAL_MIN. STATUS_FAIL without memory. */
Status summarize(const Samples *samples, Summary *summary);

/* Half the interval of the median, relative to the median; NAN when there is no interval. */
double relative_half_width(const Summary *summary);

/* Median of values in any order; sorts them in place. NAN when n is 0. */
double median_in_place(double *values, size_t n);

typedef struct Ratio {
    double value;     /* median of the numerator / median of the denominator */
    double low, high; /* 95% percentile bootstrap interval; NAN below MEDIAN_INTERVAL_MIN samples */
} Ratio;

/* Ratio of two medians with its interval. NAN when either has no samples. STATUS_FAIL without
 * memory. The same samples and seed give the same interval. */
Status ratio_of_medians(const Samples *numerator, const Samples *denominator, uint64_t seed,
                        Ratio *ratio);

/* Appends a sample. STATUS_FAIL when memory runs out. */
Status samples_add(Samples *samples, double seconds);

/* An independent copy. STATUS_FAIL when memory runs out. */
Status samples_copy(const Samples *source, Samples *copy);

void samples_release(Samples *samples);

/* --- Dip -------------------------------------------------------------------------------------- */

/*
 * The dip test of unimodality: J. A. Hartigan and P. M. Hartigan, "The Dip Test of Unimodality",
 * Annals of Statistics 13 (1985). The dip is the least distance (largest difference of distribution
 * functions) between the sample's distribution function and any unimodal one.
 */

enum { DIP_SAMPLES_MIN = 12, DIP_SAMPLES_MAX = 200 };

/* The dip of strictly ascending values, 2 ≤ n ≤ DIP_SAMPLES_MAX: from 1/(2n) to 1/4. */
double dip_of(const double *sorted, size_t n);

/*
 * The dip that 5% of uniform samples of size n exceed, for DIP_SAMPLES_MIN ≤ n ≤ DIP_SAMPLES_MAX.
 * The uniform distribution is the one that the authors take for the null hypothesis: of the common
 * unimodal ones it gives the largest dips.
 */
double dip_critical(size_t n);

/* --- Proportion ------------------------------------------------------------------------------- */

/* Proportions: the share of samples that have a property, with how far it can be trusted. */

typedef struct Proportion {
    double share;     /* count / total; NAN when nothing was counted */
    double low, high; /* 95% interval */
} Proportion;

/* The interval is Wilson's (1927), which holds its 95% for shares near 0 and 1 too, unlike the one
 * of the normal distribution around the share. */
Proportion proportion(uint64_t count, uint64_t total);

/* --- Mann whitney ----------------------------------------------------------------------------- */

/* The two-sided Mann–Whitney U test (Wilcoxon's rank-sum test). */

typedef struct MannWhitney {
    double u; /* pairs in which the first sample is the greater one; ties count one half */
    double p; /* that of a U as far from its mean as this, when both are of one distribution */
    bool exact;
} MannWhitney;

/*
 * Tests values in any order, finite, at least one on each side. With ties, or with more samples
 * than MANN_WHITNEY_EXACT_MAX, p is that of the normal approximation with the variance corrected
 * for ties and U for continuity. STATUS_FAIL when memory runs out.
 */
Status mann_whitney(const double *first, size_t first_count, const double *second,
                    size_t second_count, MannWhitney *test);

/* The least p that so many samples can give, when all of one side lie beyond the other:
 * 2 / C(first_count + second_count, first_count). */
double mann_whitney_least_p(size_t first_count, size_t second_count);

/* --- Clock ------------------------------------------------------------------------------------ */

/* Clock: host time, as every CPU measurement reads it. */

/* Seconds on a clock that never goes back; only differences mean anything. */
double clock_now(void);

/* CPU seconds that all threads of this process have used. */
double clock_process_cpu(void);

/* --- Child process ---------------------------------------------------------------------------- */

/*
 * Child processes: the one way in which a program is started and waited for, without a shell.
 *
 * No child outlives this process, however that ends, and an interrupt is not waited for: it is
 * passed on, or ends the child.
 */

typedef struct ChildProcess {
    const char *program;          /* a path, or a name that is looked for in PATH */
    const char *const *arguments; /* with the program's name first, NULL last */
    char **environment;           /* NULL: ours */
    int output;                   /* descriptor of its standard output; -1: as its errors */
    double limit;                 /* seconds after which it is killed; 0: none */
    /* It saves what it has on SIGTERM and ends by itself: signals are passed on. Without this an
     * interrupt kills it. */
    bool saves;
    /* Gets what it writes to standard error, as it comes. */
    void (*take)(void *context, const char *bytes, size_t count);
    void *context;
} ChildProcess;

typedef struct ChildEnd {
    int error;  /* errno of a program that could not be started; 0: it was */
    int code;   /* exit code; 128 + signal */
    int signal; /* that ended it; 0: none */
    bool late;  /* it was killed at the limit */
} ChildEnd;

/* Standard input is empty. STATUS_FAIL when there can be no child; what became of the program is in
 * `end`. STATUS_INTERRUPTED when an interrupt came before or meanwhile: the caller ends soon, and
 * the process stays held (interrupt.h) until it has. */
Status child_process_run(const ChildProcess *process, ChildEnd *end);

/* --- Html text -------------------------------------------------------------------------------- */

/* Texts within HTML, SVG and other XML, in elements and attributes: shown as they were written. */

/* Signs of markup become entities; line ends and tabs stay. NULL: nothing. */
void html_escape(FILE *stream, const char *text);

/* ` name="text"`, escaped. */
void html_attribute(FILE *stream, const char *name, const char *text);

/* --- Markdown text ---------------------------------------------------------------------------- */

/* Texts within Markdown: nothing in them is markup. */

/* One line of text. Line ends become blanks; what would begin a heading, a list or a quote at the
 * start of a line does not. */
void markdown_text(FILE *stream, const char *text);

/* In a cell of a table: without '|' and with <br> for line ends. */
void markdown_cell_text(FILE *stream, const char *text);

/* Lines of code: between fences, or as HTML where they hold what may be taken for markup. */
void markdown_code(FILE *stream, const char *text);

/* The path of a file as the target of a link. */
void markdown_link_path(FILE *stream, const char *path);

/* --- Registry --------------------------------------------------------------------------------- */

/* Registry: every algorithm and every variant there is. The only place that reads algorithms.def.
 */

size_t registry_algorithm_count(void);
const Algorithm *registry_algorithm(size_t index);
/* NULL when there is no algorithm of this name. */
const Algorithm *registry_find_algorithm(const char *name);

/* Variants of an algorithm, CPU rows first; index 0 is the oracle. NULL past the end. */
size_t registry_variant_count(const Algorithm *algorithm);

const Variant *registry_variant(const Algorithm *algorithm, size_t index);
const Variant *registry_find_variant(const Algorithm *algorithm, const char *name);

size_t registry_backend_count(void);
const Backend *registry_backend(size_t index);

/* STATUS_SKIP with the reason when a variant cannot run on this machine. */
Status registry_variant_available(const Variant *variant);

/* --- Invocation ------------------------------------------------------------------------------- */

/* What a command is given, and how it ends. */

/* The whole command line, and where the command's own arguments begin. */
typedef struct Invocation {
    int argc;
    char **argv;
    int first;
} Invocation;

/* One line on standard error, "bench: " and the reason, with control characters made visible.
 * Returns the exit code that the status stands for. */
int command_error(const Status *status);

/* --- Flag table ------------------------------------------------------------------------------- */

/* Options of a command that has a table of its own, apart from those of `bench run`. */

typedef struct FlagRow {
    const char *flag, *argument, *help; /* argument NULL: takes no value */
    /* `value` is NULL when the flag takes none. STATUS_USAGE without the flag's name, which is put
     * before it. */
    Status (*set)(const char *value, void *options);
} FlagRow;

typedef struct FlagTable {
    const char *command; /* for messages */
    const FlagRow *rows;
    size_t count;
    /* An argument that is no flag. STATUS_USAGE when there is one too many. */
    Status (*word)(const char *word, void *options);
} FlagTable;

/* Takes "--flag value", "--flag=value" and words. Texts that are kept point into `argv`.
 * STATUS_USAGE is one sentence that says what would be right. */
Status flags_parse(const FlagTable *table, int argc, char **argv, void *options);

/* "Options", and each flag with its help. */
void flags_print_help(FILE *stream, const FlagTable *table);

/* --- Options values --------------------------------------------------------------------------- */

/* Single values on the command line: whole numbers, durations, ratios. */

/* Decimal digits only: no sign, no space, nothing after. STATUS_USAGE with what would be right. */
Status parse_count(const char *text, uint64_t minimum, uint64_t maximum, uint64_t *number);

/* "10", "10s", "500ms", "2min": seconds, above 0 and at most 10^6. */
Status parse_duration(const char *text, double *seconds);

/* "1%" or "0.01": above 0 and below 1. */
Status parse_ratio(const char *text, double *ratio);

/* The same, and 1 as well. */
Status parse_share(const char *text, double *share);

/* --- Exit codes ------------------------------------------------------------------------------- */

/* What the program's exit code means: the one list, for the commands and for `bench help`. */

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

/* Canvas: a colour picture that is drawn on. */

typedef struct Colour {
    uint8_t red, green, blue;
} Colour;

typedef struct Canvas {
    int32_t width, height; /* pixels */
    uint8_t *rgb;          /* three bytes a pixel; owned */
} Canvas;

/* A rectangle of pixels; what lies outside the canvas is not drawn. */
typedef struct Box {
    int32_t x, y, w, h;
} Box;

/* All white. STATUS_SKIP when memory runs out. */
Status canvas_create(int32_t width, int32_t height, Canvas *canvas);

void canvas_release(Canvas *canvas);

/* Mixes a colour into a box: share 1 covers what was there, 0 leaves it. */
void canvas_fill(Canvas *canvas, Box box, Colour colour, double share);

/* The box's edge, `thickness` pixels wide, within it. */
void canvas_outline(Canvas *canvas, Box box, Colour colour, int32_t thickness);

/* A grey picture of width × height pixels with its top left at (x, y), each pixel `scale` wide. */
void canvas_picture(Canvas *canvas, int32_t x, int32_t y, const uint8_t *pixels, int32_t width,
                    int32_t height, int32_t scale);

typedef struct Pen {
    Colour colour;
    double share, width; /* of the colour, as above; pixels */
} Pen;

/* Smooth lines between any places: (0, 0) is the centre of the first pixel. What lies outside the
 * canvas is not drawn. */
void canvas_line(Canvas *canvas, double x0, double y0, double x1, double y1, Pen pen);

/* A circle of this radius. */
void canvas_ring(Canvas *canvas, double x, double y, double radius, Pen pen);

/* --- Gnuplot ---------------------------------------------------------------------------------- */

/* Running gnuplot, without a shell between. */

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

/* The files of a chart, drawn beside and renamed. */

enum { CHART_NAME_SIZE = 200 };

/* Appends a part to a file name: letters, digits, '.' and '_' stay, runs of anything else become
 * one
 * '-', which also stands between parts. An empty part adds nothing. */
void chart_name_append(char name[CHART_NAME_SIZE], const char *part);

/* STATUS_FILE when charts cannot be written there: no folder, or not writable. */
Status chart_folder_check(const char *folder);

/* Writes the path of "<name>.<suffix>" in the folder. STATUS_FILE when it is too long. */
Status chart_path(const char *folder, const char *name, const char *suffix,
                  char path[ATOMIC_FILE_PATH_SIZE]);

/* Renames what gnuplot has drawn, by the suffix of `path`, if it is whole. STATUS_FILE, with
 * nothing left, when it is not: gnuplot ends well on a full disk too. */
Status chart_file_keep(const char *part, const char *path);

/* The status of a drawing that went wrong: STATUS_FILE where it could not be written. */
Status chart_file_trouble(const Status *drawn, const char *part, const char *path);

/* A text as gnuplot draws it, cut to `size`: line ends and tabs become blanks, other controls
 * visible. */
void chart_text(const char *given, char *text, size_t size);

#endif
