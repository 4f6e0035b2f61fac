/* Results of a run: options, rows, what is derived from them, and their files. */

#ifndef BENCH_RESULTS_RESULTS_H
#define BENCH_RESULTS_RESULTS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "algorithm.h"
#include "axis.h"
#include "base.h"
#include "ceilings.h"
#include "machine.h"
#include "status.h"
#include "variant.h"
#include "workload.h"

/* --- Result ----------------------------------------------------------------------------------- */

/*
 * Result rows: what is known about each planned cell after a run. Times are seconds; a number that
 * was not measured is NAN (an empty CSV field, an absent JSON key; never 0). Rates and ratios are
 * derived last, by results_derive.
 */

typedef enum CellStatus { CELL_OK, CELL_SKIP, CELL_FAIL } CellStatus;

enum { RESULT_LABEL_SIZE = 160 };

/* A member for each line of row.def, which says what it is. */
typedef struct Row {
#define MEMBER(type, member) type member;
#define FIELD(type, member, json, csv) type member;
#define ARRAY(type, member, count, json, csv) type member[count];
#define PART(member, json, csv)
#define NUMBER_OF(function, json, csv)
#define TEXT_OF(function, json, csv)
#include "row.def"
} Row;

typedef struct Results {
    Row *rows;
    size_t count, capacity;
    Ceilings ceilings; /* of the machine the rows were measured on; count 0: not measured */
} Results;

/* A row with every number NAN and every text empty. */
Row row_empty(void);

/* Releases the samples a row owns. */
void row_release(Row *row);

/* "lbp/cuda_tiled/texture/1080p/tile:8": algorithm, variant, input, size, answer point, tuning. */
void row_name(const Row *row, char *name, size_t size);

/* "omp/threads:16", "simd": a variant and its tuning point. */
void variant_label(const Variant *variant, const Point *tuning, char *label, size_t size);

/* Stages of a variant, at most STAGES_MAX; 0 when its run has no parts. */
size_t variant_stage_count(const Variant *variant);

/* Sets every stage's time to NAN. */
void row_forget_stages(Row *row);

/* Takes ownership of the row's samples. STATUS_FAIL when memory runs out. */
Status results_add(Results *results, const Row *row);

void results_release(Results *results);

/* Fills base, speedups, best CPU, roof and rates of every row from the medians of all rows.
 * Resampling is seeded by `seed`. */
void results_derive(Results *results, uint64_t seed);

/* --- Options ---------------------------------------------------------------------------------- */

/* RunOptions: a whole `bench run` request, parsed and checked, as main hands it to the runner. */

enum {
    OPTIONS_ALGORITHMS_MAX = 32,
    OPTIONS_SIZES_MAX = 64,
    OPTIONS_VARIANTS_MAX = 64,
    OPTIONS_AXES_MAX = 16
};

/* A size by name, of a picture or of a set of pictures. Width and height 0: `native`, the input's
 * own. */
typedef struct SizeSpec {
    char name[WORKLOAD_SIZE_NAME_SIZE];
    int32_t width, height;
    int32_t images; /* of a set; 0: all there are. Of two sets of descriptors the rows of each. Not
                       looked at for a picture */
} SizeSpec;

/* What the person gave for one axis: --tile 4,8 is {"tile", "4,8"}. Expanded by the planner. */
typedef struct AxisRequest {
    const char *name;
    const char *list;
} AxisRequest;

typedef struct RunOptions {
    size_t algorithm_count;
    const Algorithm *algorithms[OPTIONS_ALGORITHMS_MAX];
    size_t size_count;
    SizeSpec sizes[OPTIONS_SIZES_MAX]; /* of pictures: --sizes */
    size_t set_size_count;
    SizeSpec set_sizes[OPTIONS_SIZES_MAX]; /* of sets: --images × --side */
    const char *images, *side;             /* those lists as given; NULL: not given */
    size_t variant_count;                  /* 0: all */
    const char *variants[OPTIONS_VARIANTS_MAX];
    size_t axis_count;
    AxisRequest axes[OPTIONS_AXES_MAX];

    const char *input;          /* file or folder; NULL: synthetic */
    const char *labels;         /* file of an image set's labels; NULL: the one beside the input */
    const char *keypoints_file; /* list of keypoints; NULL: they are found in the picture */
    const char *weights;        /* files with commas between, or "random"; NULL: trained ones */
    const char *synthetic;      /* kind; "texture" by default, "digits" for sets */
    uint64_t seed;              /* default 1 */
    double density;             /* share of ones of a synthetic image, 0…1; 0: the kind's own */

    int reps;        /* fixed number of samples; 0: stop by interval */
    double ci_width; /* relative width of the median's 95% interval, default 0.01 */
    int min_reps;    /* default 15 */
    double max_time; /* seconds of sampling per cell, default 10 */
    double max_cell; /* seconds: seq is skipped when one run is estimated longer, default 60 */
    int warmup;      /* default 3, at least 1 */
    bool cold;       /* flush caches before each sample */
    bool pinned;     /* the user's memory is page-locked */
    bool energy;     /* repeat each cell for a second and read the energy counters */
    bool interleave; /* sample the cells that are compared in turns; default true */
    bool roof;       /* measure ceilings, and `copy` at each size; default true */
    int pairs;       /* selftest: pairs of each cell, default 100 */

    const char *baseline;    /* stored run to compare with; NULL: none */
    double alpha;            /* probability of a false alarm in that comparison, default 0.01 */
    double threshold;        /* relative change that does not matter yet, default 0.05 */
    bool strict;             /* an ambiguous comparison counts */
    size_t only_count;       /* 0: all cells */
    const char *const *only; /* row_name of the cells to keep of the plan */

    const char *out;    /* folder; NULL: reports/runs/<time>-<algorithms> */
    const char *csv;    /* extra copy of the CSV; NULL: none */
    const char *json;   /* extra copy of the JSON; NULL: none */
    const char *save;   /* folder for verified answers; NULL: none */
    bool save_table;    /* what Algorithm.write_table writes as well; needs `save` */
    const char *resume; /* run folder to go on with; NULL: none */
    bool plot;          /* default true */
    /* Draws the charts of a complete run into its folder; NULL: nobody does. STATUS_SKIP where they
     * cannot be drawn here. */
    Status (*draw)(const Results *results, const char *folder);
    bool dry_run;
    bool quiet;
    bool fresh;         /* roof: measure again what is stored */
    const char *format; /* roof: "table" (NULL as well) or "json" */

    int argc; /* as given, for the record */
    char **argv;
} RunOptions;

/* --- Named sizes ------------------------------------------------------------------------------ */

/* Sizes of pictures that have a name, and what a size's text says. */

/* The named sizes in the order of `bench list`; `all` is those with in_all. */
typedef struct NamedSize {
    SizeSpec size;
    bool in_all;
} NamedSize;

extern const NamedSize named_sizes[];
extern const size_t named_size_count;

/* The size of a name in any case; NULL when there is none of that name. */
const SizeSpec *named_size_find(const char *name);

/* Reads "640x480", with a small or a large x. Sides over 2^32 - 1 are read as that, for the caller
 * to find too large. False when the text is not digits, an x and digits. */
bool size_sides_read(const char *text, uint64_t *width, uint64_t *height);

/* --- Axis catalog ----------------------------------------------------------------------------- */

/* Which axes there are and whose they are, read from the registry. */

enum { AXIS_CATALOG_MAX = 64 };

typedef struct AxisCatalog {
    size_t count;
    const Axis *axes[AXIS_CATALOG_MAX]; /* one per name, in registry order */
} AxisCatalog;

/* Every axis of every registered algorithm and variant, each name once. */
AxisCatalog axis_catalog(void);

/* The axis of this name in the catalogue; NULL when there is none. */
const Axis *axis_catalog_find(const AxisCatalog *catalog, const char *name);

/* Whether it is an answer axis of any algorithm. */
bool axis_is_answer(const char *name);

/* Whether `options` selects this variant (of whatever algorithm). */
bool options_select_variant(const RunOptions *options, const Variant *variant);

/* Whether the axis belongs to a selected algorithm or to a selected variant of one. */
bool options_use_axis(const RunOptions *options, const char *name);

/* Writes who has the axis: "lbp (omp, cuda_tiled), copy (omp)"; an answer axis belongs to the whole
 * algorithm: "lacunarity". */
void axis_owners(const char *name, char *text, size_t size);

/* --- Ceilings file ---------------------------------------------------------------------------- */

/* Ceilings of a machine, kept in a file, so that they need not be measured for every run, and
 * whether they can be trusted. */

/*
 * Whether ceilings contradict each other by more than noise explains: several threads below one, or
 * above as many times one; a farther level of memory above a nearer one. `why` gets the first pair.
 */
bool ceilings_contradict(const Ceilings *ceilings, char *why, size_t size);

/* `identity` says which machine and build; `measured` is in seconds since 1970. STATUS_FILE when
 * the file cannot be written. */
Status ceilings_file_write(const char *path, const char *identity, int64_t measured,
                           const Ceilings *ceilings);

/* STATUS_FILE when the file cannot be read, is damaged or has no ceilings, is of another identity,
 * has ceilings that contradict each other, or was not measured between `earliest` and `latest`;
 * `ceilings` is empty then. */
Status ceilings_file_read(const char *path, const char *identity, int64_t earliest, int64_t latest,
                          Ceilings *ceilings);

/* --- Ceilings print --------------------------------------------------------------------------- */

/* Ceilings for people and for programs. */

/* The list as a JSON document. STATUS_FAIL when memory runs out. */
Status ceilings_print_json(FILE *stream, const Ceilings *ceilings);

/* "232.7 GB/s", "108.5 Gop/s", "4.3 µs". */
void ceiling_text(const Ceiling *ceiling, char *text, size_t size);

/* A table of all, with headings. */
void ceilings_print(FILE *stream, const Ceilings *ceilings);

/* --- Crossover -------------------------------------------------------------------------------- */

/* Crossover: the size from which on one curve of times is below another. */

typedef struct CurvePoint {
    double x;         /* size: above 0 */
    double value;     /* time: above 0; NAN: not measured */
    double low, high; /* its 95% interval; NAN: none, then the value counts as exact */
} CurvePoint;

typedef enum CrossoverKind {
    CROSSOVER_AT,     /* behind at the smallest sizes, ahead from `x` on */
    CROSSOVER_ALWAYS, /* ahead at every size measured */
    CROSSOVER_NEVER,  /* ahead at none */
    CROSSOVER_UNTIL,  /* ahead at the smallest sizes, behind from `x` on */
    CROSSOVER_MIXED,  /* changes more than once; `x` is where it gets ahead for good, NAN when it
                         ends behind */
    CROSSOVER_UNKNOWN /* fewer than one size has both */
} CrossoverKind;

typedef struct Crossover {
    CrossoverKind kind;
    double x;         /* by interpolation on logarithmic axes; NAN where there is none */
    double low, high; /* where the challenger could first and last get ahead (CROSSOVER_UNTIL: fall
                         behind), given the intervals; NAN: beyond the sizes measured on that side,
                         or not at all */
    double from, to;  /* least and greatest size that both have */
    size_t points;    /* sizes that both have */
} Crossover;

/* `challenger` and `champion` are sorted by x, ascending; sizes only one has are passed over. Equal
 * times count as behind. */
Crossover crossover_find(const CurvePoint *challenger, size_t challenger_count,
                         const CurvePoint *champion, size_t champion_count);

/* One phrase, "from 1.2 Mpixel on (0.9 to 1.5)", "never in this range (173 kpixel to 133 Mpixel)";
 * sizes as `size_text` writes them, which gets 32 bytes. */
void crossover_words(const Crossover *crossover,
                     void (*size_text)(double x, char *text, size_t size), char *text, size_t size);

/* --- Csv columns ------------------------------------------------------------------------------ */

/* The columns of results.csv, from row.def. */

typedef struct CsvColumn {
    int place; /* in the file, from 1; 0: the field has no column */
    const char *name;
    const char *unit;              /* "" for words, counts and ratios */
    double scale;                  /* of the member's number */
    bool (*known)(const Row *row); /* the value is empty where this is false; NULL: never */
    const char *meaning;           /* one sentence, without a full stop */
    const struct RowField *field;  /* the value */
} CsvColumn;

/* All columns in file order. */
const CsvColumn *csv_columns(size_t *count);

/* The table for people: name, unit, meaning. */
void csv_columns_print(FILE *stream);

/* --- Journal ---------------------------------------------------------------------------------- */

/*
 * Journal: rows of a run that its results.json does not have yet, in "<results.json>.journal".
 * Writing results.json takes longer the more rows there are; a line of the journal does not.
 *
 * A JSON object a line. The first says which results.json it goes with, by "date" and "elapsed_s"
 * of that file; the others are {"list": …, "entry": …} as report_json would have written them. A
 * last line that was cut off is no line.
 */

/* Starts zeroed. */
typedef struct Journal {
    FILE *stream;     /* NULL: none is open */
    const char *date; /* of the results.json that it goes with: RunRecord.started, and */
    double elapsed;   /* RunRecord.elapsed */
} Journal;

/* Adds a row, in a new journal when none is open. STATUS_FILE, or STATUS_FAIL without memory. */
Status journal_add(Journal *journal, const char *json_path, const Row *row);

void journal_close(Journal *journal);
/* Closes the journal and removes it, and one that an earlier run left: results.json has it all. */
void journal_remove(Journal *journal, const char *json_path);

/* Reads a results.json, which may be of another program and gzip, with the rows that its journal
 * has beside it, which take the place of entries of the same name; as json_file_read. */
Status journal_read_results(const char *json_path, cJSON **root);

/* --- Command line ----------------------------------------------------------------------------- */

/*
 * The arguments of a run, for the record that every result carries: a list in results.json
 * ("argv"), and one line of text for people ("arguments", the head of results.csv).
 */

enum { COMMAND_LINE_SIZE = 1024 };

/* Without the program's name; NULL stands behind the last. Owns all of its text. Starts zeroed. */
typedef struct ArgumentList {
    int argc;
    char **argv;
    size_t capacity; /* of argv; 0: what argv points to is not owned */
} ArgumentList;

/* The arguments of a request; they stay the property of `options`. */
ArgumentList options_arguments(const RunOptions *options);

/* One line. An argument that a shell would take apart is put in single quotes, so that the line can
 * be pasted; one with controls or bytes that are no UTF-8 is written as $'\x1b', which keeps every
 * byte of it. Cut to `size`. */
void command_line_text(const ArgumentList *list, char *text, size_t size);

/* Takes a line of command_line_text apart as a shell would: spaces part arguments, single quotes
 * and backslashes protect. For files without "argv". `open`: the line ends within quotes, and so
 * within its last argument. STATUS_SKIP when memory is short; then there is nothing to release. */
Status command_line_split(const char *line, ArgumentList *list, bool *open);

/* Adds a copy. STATUS_FAIL when memory is short. */
Status argument_list_add(ArgumentList *list, const char *argument);

void argument_list_release(ArgumentList *list);

/* --- Reporters -------------------------------------------------------------------------------- */

/*
 * Reporters: results to files and to the console. Files are written beside and renamed, so that a
 * reader never sees half of one.
 */

enum { INPUT_NOTE_SIZE = WARNING_SIZE - 16 };

/* Everything a file says about a run besides its rows. */
typedef struct RunRecord {
    const RunOptions *options;
    const Machine *machine;
    char started[32];                               /* ISO 8601, UTC */
    double elapsed;                                 /* seconds so far */
    double timer_overhead_cpu, timer_overhead_cuda; /* seconds; NAN when unknown */
    bool complete;                                  /* every planned cell has its row */
    size_t planned;                                 /* cells planned */
    Warnings warnings;
    char input_note[INPUT_NOTE_SIZE]; /* what was done to the inputs; empty: nothing to tell of */
} RunRecord;

/* One row per cell, the columns of csv_columns. STATUS_FILE when it cannot be written. */
Status report_csv(const char *path, const RunRecord *record, const Results *results);

/* Google Benchmark's schema with further keys; see bench/README.md, "The JSON file". */
Status report_json(const char *path, const RunRecord *record, const Results *results);

/* Aligned table of the finished rows, on `stream`. */
void report_console(FILE *stream, const RunRecord *record, const Results *results);

/* Reads a file of report_json back: rows of algorithms and variants that still exist, samples
 * included, and the machine it was measured on. STATUS_FILE naming the path and what is wrong. */
typedef struct StoredRun {
    Results results;
    Machine machine;
    ArgumentList arguments;
    bool arguments_cut; /* a file of before "argv", whose line of text ends at COMMAND_LINE_SIZE */
    char started[32];   /* ISO 8601, UTC */
    double elapsed;     /* seconds; NAN when absent */
    bool complete;
    char input_note[INPUT_NOTE_SIZE]; /* as RunRecord has it */
    size_t ignored; /* rows of algorithms, variants or axes that no longer exist */
} StoredRun;

Status stored_run_read(const char *path, StoredRun *stored);

/* The file of the run in a folder: its results.json or, where only that is there, its
 * results.json.gz. STATUS_FILE when the path does not fit `size`. */
Status stored_run_in(const char *folder, char *path, size_t size);

/* The same for a run that is named by its folder or by its file. */
Status stored_run_path(const char *run, char *path, size_t size);
void stored_run_release(StoredRun *stored);

/* Reads the rows of a results.csv, also of an older version with fewer columns; what has no column
 * is as row_empty has it. `ignored`: rows of algorithms, variants or axes that no longer exist.
 * STATUS_FILE when the file cannot be read or does not say which cells its rows are. */
Status results_csv_read(const char *path, Results *results, size_t *ignored);

#endif
