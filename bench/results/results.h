/* Results of a run: its options, its rows, what is derived from them, and their files. */

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
#include "judge.h"
#include "machine.h"
#include "status.h"
#include "variant.h"
#include "workload.h"

/* --- Rows ------------------------------------------------------------------------------------- */

/*
 * A row is the result of one planned cell. Times are seconds; a number that was not measured is
 * NAN: an empty CSV field, an absent JSON key, never 0. results_derive adds rates and ratios at the
 * end.
 */

typedef enum CellStatus { CELL_OK, CELL_SKIP, CELL_FAIL } CellStatus;

enum { RESULT_LABEL_SIZE = 160, CELL_NAME_SIZE = 512 /* of row_name */ };

/* One member for each line of row.def, which describes it. */
typedef struct Row {
#define MEMBER(type, member) type member;
#define FIELD(type, member, json, csv) type member;
#define ARRAY(type, member, count, json, csv) type member[count];
#define PART(member, json, csv)
#define NUMBER_OF(function, json, csv)
#define TEXT_OF(function, json, csv)
#include "row.def"
} Row;

enum { MEASURED_TEXT_SIZE = 200 };

typedef struct Results {
    Row *rows;
    size_t count, capacity;
    Ceilings ceilings; /* of the machine on which the rows were measured; count 0: none */
    char measured[MEASURED_TEXT_SIZE]; /* where and when, results_measured; empty: not known */
    HashIndex cells;                   /* of the rows that results_find knows */
    HashIndex workloads;               /* of the rows that results_derive has seen */
} Results;

/* The GPUs that the rows ran on: the device of the row on most of them, or else `model`. "2 ×
 * NVIDIA H200" where eight were there and two worked. */
const char *results_gpus(const Results *results, const char *model);

/* "NVIDIA H200; Intel(R) Xeon(R) Processor, 16 threads; 2026-11-20", with the GPUs of the rows.
 * What is not known may be empty or 0. */
void results_measured(Results *results, const char *gpu, const char *cpu, int threads,
                      const char *started);

/* A row with every number NAN and every text empty. */
Row row_empty(void);

/* Frees the samples of a row. */
void row_release(Row *row);

/* Fills `copy` with the row and samples of its own, to release with row_release. Where memory runs
 * out, STATUS_SKIP, and nothing needs releasing. */
Status row_copy(const Row *row, Row *copy);

/* Lets go of the samples, which another row owns now. */
void row_forget_samples(Row *row);

/* Makes all summaries of samples those of none. */
void row_forget_summaries(Row *row);

/* Writes "lbp/cuda_tiled/texture/1080p/tile:8": algorithm, variant, input, size, answer point,
 * tuning point. */
void row_name(const Row *row, char *name, size_t size);

/* Whether two rows are of the same cell: name, size and mode. */
bool row_same_cell(const Row *a, const Row *b);

/* Whether two rows are of one algorithm, workload, answer point and mode, so that their times may
 * be divided. */
bool row_same_question(const Row *a, const Row *b);

/* Writes "omp/threads:16", "simd": a variant and its tuning point. */
void variant_label(const Variant *variant, const Point *tuning, char *label, size_t size);

/* The number of stages of a variant, at most STAGES_MAX; 0: it has none. */
size_t variant_stage_count(const Variant *variant);

/* Sets every stage's time to NAN. */
void row_forget_stages(Row *row);

/* Appends a row and takes ownership of its samples. STATUS_SKIP without memory. */
Status results_add(Results *results, const Row *row);

/* The first row of the cell of `wanted`; NULL: none. Rows may be added and changed meanwhile, but
 * not moved. */
Row *results_find(Results *results, const Row *wanted);
void results_release(Results *results);

/* Sets base, speedups, best CPU, roof and rates of every row from the medians of all rows. `seed`
 * is for resampling. */
void results_derive(Results *results, uint64_t seed);

/* --- Measures of a row ------------------------------------------------------------------------ */

typedef enum TimeKind { TIME_KERNEL, TIME_END_TO_END, TIME_KINDS } TimeKind;

/* The size of a row's input: pixels of an image, images of a set, rows of descriptors. */
double row_size(const Row *row);
const char *row_size_unit(const Row *row);
/* Whether the size is counted in pixels. */
bool row_is_image(const Row *row);
/* The algorithm that is the roof of others: no variant can be faster than a copy. */
extern const char roof_algorithm[];
/* Whether a row, or a cell by its row_name, is of that one: it decides nothing. */
bool row_is_roof(const Row *row);
bool cell_is_roof(const char *name);

/* "16K (15360×8640)", "480×360", "60000 images", "100000 rows" */
void size_words(const Row *row, char text[NUMBER_WORDS_SIZE]);

/* "16K", "480×360", "60000": for tables, whose notes have the rest. */
void size_short(const Row *row, char text[NUMBER_WORDS_SIZE]);

/* That for sizes of rows like this one. */
SizeText *row_size_text(const Row *row);

const Summary *row_summary(const Row *row, TimeKind kind);
const Samples *row_samples(const Row *row, TimeKind kind);

/* Median in seconds; NAN where the row has no verified time. */
double row_seconds(const Row *row, TimeKind kind);

typedef enum SpeedupOver { OVER_SEQ, OVER_BEST_CPU } SpeedupOver;

/* How many times as fast a row is, with its interval, or with the least and the greatest of a few
 * launches; NAN where it is not known. */
Ratio row_ratio(const Row *row, SpeedupOver over, TimeKind kind);

/* --- Scaling ---------------------------------------------------------------------------------- */

/*
 * How a variant scales over its workers: GPUs (tuning axis `gpus`) or threads of the CPU
 * (`threads`). Rows of one scaling differ in their number of workers: strong scaling has one
 * question, weak scaling (--weak, of GPUs alone) one question of each worker, since the work grows
 * with them: the rows of an image, the images of a set, or the algorithm's weak_axis.
 */

/* How many times what grows with --weak is that of one worker: N, or √N where the work is in
 * proportion to its square (Algorithm.weak_power). */
double weak_factor(const Algorithm *algorithm, int workers);

/* "gpus" or "threads", always the same pointer of each; NULL: the variant has neither axis. */
const char *row_scaling_axis(const Row *row);

/* The value of that axis; 0: the variant has none. */
int row_workers(const Row *row);

/* The value of the axis `gpus`; 0: the variant has none. */
int row_gpus(const Row *row);

/* "GPU" or "GPUs", "thread" or "threads". */
const char *workers_noun(const char *axis, int count);

/* Whether two rows, of 1 and 4 workers or of as many, are of one scaling. */
bool row_same_scaling(const Row *a, const Row *b);

/* The measured row of one worker of this row's scaling; NULL: none. */
const Row *row_on_one(const Results *results, const Row *row);

/* 1: as much faster as there are workers (strong), or no slower with them (weak). NAN where it is
 * not known. */
Ratio row_efficiency(const Row *row, TimeKind kind);

/* Efficiency times workers: how many times the work of one is done in its time. */
Ratio row_over_one(const Row *row, TimeKind kind);

/* --- Winners ---------------------------------------------------------------------------------- */

/*
 * The fastest of the cells that answer the same question as a row. The least of several medians is
 * too small, since the luck of a cell makes it the winner: so the samples that choose the winner
 * are not those that give its time. With several launches the median over them chooses, and the
 * time is the median over the launches, each with the winner of the others. In one launch odd turns
 * choose, and where others are tied even ones give the time; without enough samples, all do both.
 */

typedef struct Winner {
    const Row *row;                   /* NULL: no cell is measured */
    double seconds;                   /* its kernel time */
    bool halved;                      /* chosen by odd turns, seconds of even ones */
    const Row *tied[WINNER_TIES_MAX]; /* others within the winner's interval, as far as there is
                                         room */
    size_t tied_count;                /* of all of them */
} Winner;

/* Of the CPU cells. After results_derive. */
Winner results_best_cpu(const Results *results, const Row *row);

/* Of the tuning points of the row's variant. After results_derive. */
Winner results_best_tuning(const Results *results, const Row *row);

/* Writes " (tied with 8, simd)", or nothing when no other cell is tied. */
void winner_ties_text(const Winner *winner, char *text, size_t size);

/* --- Prices ----------------------------------------------------------------------------------- */

/* Of an hour of the machine with the GPU, and of the one without, in any currency; 0: not given. */
typedef struct Prices {
    double gpu, cpu;
} Prices;

/* Reads "gpu=3.2,cpu=0.8". STATUS_USAGE with what would be right. */
Status prices_parse(const char *text, Prices *prices);
bool prices_given(const Prices *prices);

/* --- Options ---------------------------------------------------------------------------------- */

/* The options of `bench run`, parsed and checked. They point at texts of the command line. */

enum {
    OPTIONS_ALGORITHMS_MAX = 32,
    OPTIONS_SIZES_MAX = 64,
    OPTIONS_VARIANTS_MAX = 64,
    OPTIONS_AXES_MAX = 16
};

/* A named size of an image or an image set. Width and height 0: `native`, the input's own. */
typedef struct SizeSpec {
    char name[WORKLOAD_SIZE_NAME_SIZE];
    int32_t width, height;
    int32_t images; /* of a set, 0: all; for descriptors the rows of each of both sets; unused for a
                       single image */
} SizeSpec;

/* The option of one axis: --tile 4,8 is {"tile", "4,8"}. The planner expands it. */
typedef struct AxisRequest {
    const char *name;
    const char *list;
} AxisRequest;

/* Share `index` of `count` of a plan, from 1; count 0: all of it. */
typedef struct Share {
    int index, count;
} Share;

enum { SHARES_MAX = 10000, SHARE_TEXT_SIZE = 24 };

/* "2/4"; of at most `most`. False if the text is none. */
bool share_parse(const char *text, int most, Share *share);
void share_text(const Share *share, char text[SHARE_TEXT_SIZE]);

/* Seconds from the beginning of one launch to the next. Closer together they see one moment of a
 * machine that others use: of launches 15 s apart 85% of the intervals held for the next run, of
 * these 95% (reports/coverage-study.md). */
#define LAUNCHES_APART 30

typedef struct RunOptions {
    size_t algorithm_count;
    const Algorithm *algorithms[OPTIONS_ALGORITHMS_MAX];
    size_t size_count;
    SizeSpec sizes[OPTIONS_SIZES_MAX]; /* of images: --sizes */
    size_t set_size_count;
    SizeSpec set_sizes[OPTIONS_SIZES_MAX]; /* of sets: --images × --side */
    const char *images, *side;             /* texts of these lists; NULL: not given */
    size_t variant_count;                  /* 0: all */
    const char *variants[OPTIONS_VARIANTS_MAX];
    size_t axis_count;
    AxisRequest axes[OPTIONS_AXES_MAX];

    bool weak; /* the work grows with the values of the axis gpus; not of a single one */

    const char *input;          /* file or folder; NULL: synthetic */
    const char *labels;         /* file of an image set's labels; NULL: the one beside the input */
    const char *keypoints_file; /* list of keypoints; NULL: they are detected in the image */
    const char *weights;        /* comma list of files, or "random"; NULL: the trained ones */
    const char *synthetic;      /* kind; "texture" by default, "digits" for sets */
    uint64_t seed;              /* default 1 */
    double density; /* share of ones in a synthetic image, 0…1; 0: default of its kind */

    int launches;  /* processes that the whole run is repeated in, default 1, with a baseline 8 */
    int pass;      /* this process is that launch of them, from 1; 0: all of them */
    double spread; /* seconds that the beginnings of the launches are spread over; 0: each begins
                      when the one before has ended. Default LAUNCHES_APART for each where they have
                      an interval, with a baseline 0 */
    const char *first; /* stored first launch, whose answers were verified; NULL: none */
    Share share;       /* of the plan: only its cells are measured; count 0: all */

    int reps;             /* fixed number of samples; 0: stop by interval */
    double ci_width;      /* relative width of the median's 95% interval, default 0.01 */
    int min_reps;         /* default 15 */
    double max_time;      /* seconds of sampling per cell, default 10 */
    double max_cell;      /* seconds: seq is skipped when one run is estimated longer, default 60 */
    int warmup;           /* 0, the default: measure_warmups */
    bool cold;            /* flush caches before each sample */
    bool pinned;          /* the user's memory is page-locked */
    bool energy;          /* repeat each cell for a second and read the energy counters */
    bool interleave;      /* take samples of compared cells in turns; default true */
    bool roof;            /* measure ceilings, and `copy` at each size; default true */
    const char *profiled; /* profile: the stored run that gets it; NULL: none */
    int inside;           /* profile: number of the cell that is run in the profiler; 0: none */
    int pairs;            /* selftest: pairs for each cell, default 100 */

    const char *baseline;         /* stored run to compare with; NULL: none */
    const char *baseline_program; /* measures beside this one what it is compared with; NULL: the
                                     stored run is taken */
    double alpha;     /* probability of a false alarm in that comparison, default 0.01 */
    double threshold; /* relative change that does not matter yet, default 0.05 */
    bool strict;      /* an undecided comparison sets the exit code */

    const char *out;    /* folder; NULL: <time>-<algorithms> in the folder of runs */
    bool force;         /* replace the run that it holds */
    const char *csv;    /* extra copy of the CSV; NULL: none */
    const char *json;   /* extra copy of the JSON; NULL: none */
    const char *save;   /* folder for verified answers; NULL: none */
    bool save_table;    /* also Algorithm.write_table; needs `save` */
    const char *resume; /* run folder to continue; NULL: none */
    bool again;         /* a process that was ended has begun this run (base.h, supervisor) */
    bool plot;          /* default true */
    /* Draws the charts of a complete run into its folder; may be NULL. STATUS_SKIP without gnuplot.
     */
    Status (*draw)(const Results *results, const char *folder);
    /* Draws a saved histogram as <name>.svg and <name>.png in `folder`; may be NULL. STATUS_SKIP
     * without gnuplot. */
    Status (*draw_histogram)(const char *folder, const char *name, const uint64_t *counts,
                             size_t bins);
    bool dry_run;
    bool list;     /* as `bench list`; measure nothing */
    bool all;      /* print all rows instead of the summary */
    Prices prices; /* of an hour; 0: not given */
    bool quiet;
    bool fresh;         /* roof: measure again what is stored */
    const char *format; /* roof: "table" or "json"; NULL: "table" */

    const char *devices;    /* list of CUDA devices; NULL or "all": all */
    OptionsGiven given;     /* what of this was asked for; the rest are defaults */
    const char *program;    /* as it was called, for the record; NULL: "bench" */
    ArgumentList arguments; /* as they were written, for the record; lent */
} RunOptions;

/* --- Named sizes ------------------------------------------------------------------------------ */

/* Image sizes that have a name, in the order of `bench list`; `all` is those with in_all. */
typedef struct NamedSize {
    SizeSpec size;
    bool in_all;
} NamedSize;

extern const NamedSize named_sizes[];
extern const size_t named_size_count;

/* The size of this name, ignoring case; NULL: there is none. */
const SizeSpec *named_size_find(const char *name);

/* Parses "640x480" or "640X480". Sides above 2^32 - 1 become 2^32 - 1, which the caller rejects.
 * False when the text has another form. */
bool size_sides_read(const char *text, uint64_t *width, uint64_t *height);

/* --- Axes of the registry --------------------------------------------------------------------- */

enum { AXIS_CATALOG_MAX = 64 };

typedef struct AxisCatalog {
    size_t count;
    const Axis *axes[AXIS_CATALOG_MAX]; /* one per name, in registry order */
} AxisCatalog;

/* Every axis of every registered algorithm and variant, each name once. */
AxisCatalog axis_catalog(void);

/* The axis of this name; NULL: there is none. */
const Axis *axis_catalog_find(const AxisCatalog *catalog, const char *name);

/* Whether any algorithm has an answer axis of this name. */
bool axis_is_answer(const char *name);

/* Whether `options` selects variants of this name. */
bool options_select_variant(const RunOptions *options, const Variant *variant);

/* Whether the axis belongs to a selected algorithm or to a selected variant of one. */
bool options_use_axis(const RunOptions *options, const char *name);

/* Writes the algorithms and variants with a tuning axis, "lbp (omp, cuda_tiled), copy (omp)", or
 * the algorithms with an answer axis, "lacunarity". */
void axis_owners(const char *name, char *text, size_t size);

/* --- Ceilings in a file ----------------------------------------------------------------------- */

/*
 * Whether ceilings contradict each other by more than noise: n threads are slower than one or more
 * than n times as fast; each of n devices is faster than among fewer; a farther memory level is
 * faster than a nearer one. `why` names the first pair.
 */
bool ceilings_contradict(const Ceilings *ceilings, char *why, size_t size);

/* `identity` identifies machine and build, a line "fact=value" each; `measured` is in seconds since
 * 1970. STATUS_FILE when the file cannot be written. */
Status ceilings_file_write(const char *path, const char *identity, int64_t measured,
                           const Ceilings *ceilings);

/* STATUS_FILE when the file cannot be read, is damaged, has no ceilings or contradictory ones, has
 * another identity, or was not measured between `earliest` and `latest`; `ceilings` is empty then.
 * The reason goes on from "the stored ceilings ": "are older than a change: kernel changed from A
 * to B".
 */
Status ceilings_file_read(const char *path, const char *identity, int64_t earliest, int64_t latest,
                          Ceilings *ceilings);

/* --- Printing ceilings ------------------------------------------------------------------------ */

/* Prints the list as a JSON document. STATUS_SKIP without memory. */
Status ceilings_print_json(FILE *stream, const Ceilings *ceilings);

/* Writes "copy_dram", "copy_dram/threads:16" or, of several devices at once, "copy_dram/gpus:2". */
void ceiling_name(const Ceiling *ceiling, char *name, size_t size);

/* Writes "232.7 GB/s", "108.5 Gop/s", "4.30 µs". */
void ceiling_text(const Ceiling *ceiling, char *text, size_t size);

/* Prints a table with headings, and a second one of several devices with a column for each number
 * of them. STATUS_SKIP without memory. */
Status ceilings_print(FILE *stream, const Ceilings *ceilings);

/* --- Verdict ---------------------------------------------------------------------------------- */

enum { VERDICT_SENTENCES = 4, VERDICT_TEXT_SIZE = 800, VERDICT_ABOUT_SIZE = 400 };

/* With a full stop. A part of it, the ratio, has a colour on a terminal. */
typedef struct Sentence {
    char text[VERDICT_TEXT_SIZE];
    size_t from, to; /* bytes of that part */
    Ink ink;
} Sentence;

/*
 * What a run says about one algorithm and input over its sizes or, where there is one size, over
 * the axis of the answer with the most values. Compared are the fastest GPU cell and the fastest
 * CPU cell of each; ratios are those at the largest. Of several answers the last one is shown.
 *
 *   "Kernel only, the GPU (cuda_fast) is 36.7× faster (36.2 to 37.1) than the best CPU
 *   (omp/threads:16) at 16K; it is ahead at every size."
 *   "End to end, with upload and download, the GPU (…) is 1.72× slower (…) …"
 *   "At 16K cuda_fast reaches 84% of its roof (bound by dram), omp/threads:16 43% (dram)."
 *   "On 2 GPUs cuda_multi is 1.87× faster (1.85 to 1.89) than on one (93% of ideal), end to
 * end 1.02× (51%), at 16K."
 *
 * Without a GPU the first is "The best CPU (…) is 44.9× faster (…) than seq (1 thread) at 16K.",
 * and there is no second.
 */
typedef struct RunVerdict {
    char about[VERDICT_ABOUT_SIZE]; /* "lbp on meadow.jpg"; "" without a time */
    Sentence sentences[VERDICT_SENTENCES];
    size_t count;
} RunVerdict;

/* About the algorithm and input of the row `of`. After results_derive. STATUS_FAIL without memory.
 */
Status verdict_of(const Results *results, const Row *of, RunVerdict *verdict);

/* In lines of at most so many columns. */
void sentence_print(FILE *stream, size_t columns, const Sentence *sentence);

/* --- Price ------------------------------------------------------------------------------------ */

/*
 * What a result costs: the time of a run times the price of an hour, and joules where they were
 * measured. The cheapest of a side is its fastest cell, since an hour costs the same for all
 * variants of a side; the thriftiest may be another one.
 */

enum { COST_SIZES_MAX = 256 };

/* Of one question: algorithm, input, size, answer point and mode. */
typedef struct Costs {
    const Row *question;
    const Row *cpu;                        /* the fastest; NULL: none, as below */
    const Row *gpu[TIME_KINDS];            /* by kernel time and end to end */
    double cpu_cost, gpu_cost[TIME_KINDS]; /* of one run; NAN: not known */
    Ratio cheaper[TIME_KINDS];             /* the CPU's cost over the GPU's */
    const Row *thrifty_cpu, *thrifty_gpu;  /* of the least joules */
    Ratio saves;                           /* the CPU's joules over the GPU's, which are one
                                              measurement each: the interval is 10% */
} Costs;

/* After results_derive. */
Costs costs_of(const Results *results, const Row *question, const Prices *prices);
/* Whether some cost or energy is known. */
bool costs_are_known(const Costs *costs);

/* The cost of a million runs; "" for NAN. */
void cost_text(double cost, char text[SIGNIFICANT_SIZE]);
/* "1.23 mJ"; "" for NAN. */
void joules_text(double joules, char text[NUMBER_WORDS_SIZE]);
/* What the numbers are. */
extern const char cost_note[], joules_note[];

typedef enum CostKind { COST_KERNEL, COST_END_TO_END, COST_JOULES, COST_KINDS } CostKind;

/* "Cost of the kernel: the GPU (cuda_fast) is 9.2× cheaper than the CPU (omp/threads:16) at 16K;
 * cheaper from 1.2 Mpixel on (0.9 to 1.5)." of the sizes of the series of `of`; empty where one
 * side is not known. */
void cost_sentence(const Results *results, const Row *of, const Prices *prices, CostKind kind,
                   char *text, size_t size);

/* Prints a table of all questions and the sentences of each series, fitted to the window; nothing
 * where neither a price nor an energy is known. */
void costs_print(FILE *stream, const Results *results, const Prices *prices);

/* --- Claims ----------------------------------------------------------------------------------- */

/* What a run, or a paper, says by its numbers, and whether another measurement says the same. */

typedef enum ClaimVerdict {
    CLAIM_HOLDS,
    CLAIM_FAILS,
    CLAIM_UNTESTED, /* it cannot be tested here */
    CLAIM_OPEN,     /* it can be, but nothing was measured yet */
    CLAIM_VERDICTS
} ClaimVerdict;

typedef struct JudgedClaim {
    const char *of;      /* "lbp, meadow.jpg"; "Table 1" */
    const char *place;   /* "4K"; may be empty, as the texts below */
    const char *text;    /* "cuda_fast over the best CPU, kernel time" */
    const char *claimed; /* "36.7× faster (36.2 to 37.1)" */
    const char *here;    /* the same as measured here */
    const char *why;     /* of another verdict than CLAIM_HOLDS */
    ClaimVerdict verdict;
} JudgedClaim;

/* Starts zeroed. */
typedef struct ClaimList {
    JudgedClaim *items;
    size_t count, capacity;
    size_t verdicts[CLAIM_VERDICTS]; /* claims of each */
    void *memory;                    /* what owns the texts */
} ClaimList;

/* Appends a copy; NULL is an empty text. STATUS_SKIP without memory. */
Status claims_add(ClaimList *list, const JudgedClaim *claim);
void claims_release(ClaimList *list);

/* EXIT_REGRESSION when a claim does not hold, EXIT_NO_SAMPLE when none could be tested. */
ExitCode claims_exit_code(const ClaimList *list);

enum { CLAIMS_TEXT_SIZE = 200 };

/* "5 of 7 tested claims hold here, 2 do not; 12 more cannot be tested here". `whose`: behind the
 * word claims, with a blank before it, such as " of the paper". */
void claims_text(const ClaimList *list, const char *whose, char text[CLAIMS_TEXT_SIZE]);

/* Prints a table of all claims with `write`, then those that do not hold, the reasons why others
 * cannot be tested, and a closing line with the counts. STATUS_SKIP without memory. */
Status claims_print(FILE *stream, const ClaimList *list,
                    void (*write)(FILE *stream, const DocTable *table));

/* Adds the list "claims" and the counts. False without memory. */
bool claims_json_add(cJSON *object, const ClaimList *list);

/*
 * The claims of a stored run, each with what another run says about it:
 *
 * Speedup: of each variant at its fastest tuning over the best CPU cell of the same question
 * (algorithm, input, size, answer point, mode), by kernel time; of a device also end to end.
 * Crossover: of each device variant against the best CPU: between which two sizes it gets ahead or
 * falls behind, or that it is ahead, or behind, at every size where a side is ahead. Order: of
 * neighbours in the order of kernel times, where the interval of their ratio excludes 1.
 *
 * Intervals: order statistics of the launches from MEDIAN_INTERVAL_MIN launches on. Fewer launches
 * have Student's on logarithms, with the spread from launch to launch of both runs, if they are of
 * one machine. Where no run has two launches, the spread is a fixed factor (claims.c).
 *
 * On the same machine a speedup holds unless the intervals are more than CLAIM_TOLERANCE apart. On
 * another one, speedups differ lawfully: there it holds if the same side is ahead. Orders and
 * crossovers are about sides on any machine; on another one a crossover may lie elsewhere. What is
 * too close to tell is not tested.
 */
#define CLAIM_TOLERANCE 0.05

typedef struct RunClaims {
    const Results *claimed;
    const Results *here; /* NULL: nothing is measured; claims are CLAIM_OPEN or CLAIM_UNTESTED */
    bool same_machine;
    /* Whether claims about this row of `claimed` are asked for; NULL: all are. */
    bool (*wanted)(void *context, const Row *row);
    /* Why this row's cell cannot be measured here; NULL: it can. May be NULL. */
    const char *(*missing)(void *context, const Row *row);
    void *context;
} RunClaims;

/* STATUS_SKIP without memory. */
Status run_claims_judge(const RunClaims *claims, ClaimList *list);

/* --- Columns of results.csv ------------------------------------------------------------------- */

typedef struct CsvColumn {
    int place; /* in the file, from 1; 0: the field has no column */
    const char *name;
    const char *unit;              /* "" for words, counts and ratios */
    double scale;                  /* of the member's number */
    bool (*known)(const Row *row); /* false: the value is empty; NULL: always known */
    const char *meaning;           /* one sentence, without a full stop */
    const struct RowField *field;  /* the value */
} CsvColumn;

/* All columns, from row.def, in file order. */
const CsvColumn *csv_columns(size_t *count);

/* Prints name, unit and meaning of each column. */
void csv_columns_print(FILE *stream);

/* Prints the JSON Schema (2020-12) of results.json. */
void results_schema_print(FILE *stream);

/* --- Journal ---------------------------------------------------------------------------------- */

/*
 * The file "<results.json>.journal" has the rows that results.json does not have yet: appending a
 * line takes constant time, writing results.json grows with the rows.
 *
 * Each line is a JSON object. The first one identifies the results.json by its "date" and
 * "elapsed_s"; the others are {"list": …, "entry": …} as in report_json. An incomplete last line is
 * ignored.
 */

/* Starts zeroed. */
typedef struct Journal {
    FILE *stream;     /* NULL: not open */
    const char *date; /* RunRecord.started of its results.json */
    double elapsed;   /* RunRecord.elapsed of its results.json */
} Journal;

/* Appends a row; creates the journal when none is open. STATUS_FILE when it cannot be written,
 * STATUS_SKIP without memory. */
Status journal_add(Journal *journal, const char *json_path, const Row *row);
void journal_close(Journal *journal);
/* Closes and removes the journal, also one of an earlier run: results.json has all rows. */
void journal_remove(Journal *journal, const char *json_path);

/* Reads a results.json like json_file_read, also a gzip one or one of another program, and adds the
 * rows of its journal, which replace entries of the same name. */
Status journal_read_results(const char *json_path, cJSON **root);

/* --- Arguments of a run ----------------------------------------------------------------------- */

/* The arguments are stored with every run: as the list "argv" in results.json, and as one line of
 * text for people ("arguments", also in the head of results.csv). */

enum { COMMAND_LINE_SIZE = 1024 };

/* Writes the arguments as one line for a shell, cut to `size`: special characters are put in single
 * quotes; an argument with controls or bytes that are not UTF-8 is written as $'\x1b'. */
void command_line_text(const ArgumentList *list, char *text, size_t size);

/* Splits a line of command_line_text into arguments as a shell would, with single quotes and
 * backslashes. For files without "argv". `open`: the line ends within quotes, so its last argument
 * is cut. STATUS_SKIP without memory; then there is nothing to release. */
Status command_line_split(const char *line, ArgumentList *list, bool *open);

/* --- Profiles --------------------------------------------------------------------------------- */

/* What a profiler counted of a cell's kernels, beside its times. */

enum { PROFILE_STALLS = 3, PROFILE_WORD_SIZE = 48 };

#define PROFILE_FILE "profile.csv"

/* Of a kernel, or of the whole cell; shares are weighed by the kernels' times. NAN: not known. */
typedef struct ProfileRow {
    char cell[CELL_NAME_SIZE];    /* as row_name writes it */
    char kernel[CELL_NAME_SIZE];  /* "": the whole cell */
    char device[FACT_VALUE_SIZE]; /* as cuda_devices_name; "": not known */
    double launches;
    double seconds;               /* all launches together, in the profiler */
    double dram, l2, l1, compute; /* percent of what each can do */
    double occupancy;             /* warps, percent of what fits a multiprocessor */
    double registers;             /* a thread, the most of all kernels */
    double control_flow; /* threads that an instruction is executed for, percent of a warp's */
    char pipe[PROFILE_WORD_SIZE]; /* the busiest pipe; "": not known */
    double pipe_used;             /* percent */
    /* Why warps wait, the most frequent first: cycles between two instructions of a warp. */
    char stalls[PROFILE_STALLS][PROFILE_WORD_SIZE];
    double stalled[PROFILE_STALLS];
} ProfileRow;

typedef struct Profile {
    ProfileRow *rows; /* of each cell the whole, then its kernels */
    size_t count, capacity;
} Profile;

/* Appends the rows of a cell, profiled on `device`, from what `ncu --csv --page raw --print-units
 * base` wrote, which is changed. STATUS_SKIP when no kernel was profiled, STATUS_FAIL for a table
 * without times. */
Status profile_add_ncu(Profile *profile, const char *cell, const char *device, char *text);

/* Appends the rows of cells that `profile` does not have. */
Status profile_keep(Profile *profile, const Profile *before);

/* profile.csv: a line for each row. STATUS_FILE. Release what was read with profile_release. */
Status profile_write(const char *path, const Profile *profile);
Status profile_read(const char *path, Profile *profile);
void profile_release(Profile *profile);

bool profile_row_is_cell(const ProfileRow *row);

/* A row for readers: titles, and the text of a column, "" where nothing is known. Kernels stand
 * indented under their cell. */
enum { PROFILE_TEXT_SIZE = 640 };
extern const DocColumn profile_columns[];
extern const size_t profile_column_count;
void profile_field(const ProfileRow *row, size_t column, char text[PROFILE_TEXT_SIZE]);

/* How a number changed from one cell to another: "2.1× faster", "+12 points", "-8"; "" for words.
 */
void profile_change(const ProfileRow *before, const ProfileRow *after, size_t column,
                    char text[PROFILE_TEXT_SIZE]);

/* --- Reporters -------------------------------------------------------------------------------- */

/* Files are written beside and renamed, so that a reader never sees half of one. */

enum { INPUT_NOTE_SIZE = WARNING_SIZE - 16 };

/* A run without its rows, as files store it. */
typedef struct RunRecord {
    const RunOptions *options;
    const Machine *machine;
    char started[32];                               /* ISO 8601, UTC */
    double elapsed;                                 /* seconds so far */
    double timer_overhead_cpu, timer_overhead_cuda; /* seconds; NAN when unknown */
    bool complete;                                  /* every planned cell has its row */
    size_t planned;                                 /* cells planned */
    const uint32_t *numbers; /* of a share: their places in the whole plan; NULL: they are all */
    Warnings warnings;
    char input_note[INPUT_NOTE_SIZE]; /* what was done to the inputs; empty: nothing */
} RunRecord;

/* Adds a warning if the process was stopped while it measured these rows. */
void results_warn_of_stops(const Results *results, Warnings *warnings);

/* One row per cell, the columns of csv_columns. STATUS_FILE when it cannot be written. */
Status report_csv(const char *path, const RunRecord *record, const Results *results);

/* Google Benchmark's schema with further keys; see bench/README.md, "The JSON file". */
Status report_json(const char *path, const RunRecord *record, const Results *results);

/* Some rows of the results, in their order. */
typedef struct RowList {
    const Row **rows;
    size_t count;
} RowList;

/* All finished rows as tables, and the cells without a time by reason. */
void report_console(FILE *stream, const RunRecord *record, const Results *results);

/* The same of these rows only; the last line counts those of the results. */
void report_rows(FILE *stream, const RunRecord *record, const Results *results,
                 const RowList *rows);

/* What a run says, in the width of the window: how much faster the GPU is (without one, the best
 * CPU than seq) at each size, the verdict in three sentences, the variants at the largest size, and
 * where the rest is. `copy` that was measured for the roof alone is left out. `folder` is that of
 * the run. */
void report_summary(FILE *stream, const RunRecord *record, const Results *results,
                    const char *folder);

/* A file of report_json: its rows with their samples, and the machine it was measured on. */
typedef struct StoredRun {
    Results results;
    Machine machine;
    ArgumentList arguments;
    bool arguments_cut; /* the file is older than "argv", and its line of text was cut */
    char started[32];   /* ISO 8601, UTC */
    double elapsed;     /* seconds; NAN when absent */
    bool complete;
    Share share;       /* of a plan; count 0: the run has all of it */
    uint32_t *numbers; /* of a share that is complete: the place of each row in the whole plan */
    char input_note[INPUT_NOTE_SIZE]; /* as RunRecord has it */
    size_t ignored; /* rows of algorithms, variants or axes that are not there; rows_ignored_text */
    Profile profile; /* of PROFILE_FILE beside the file; empty: there is none */
} StoredRun;

/* "28 rows are of algorithms, variants or axes that this version does not have, or of a module that
 * --plugin FILE loads", without an end: what becomes of them is the caller's. */
enum { ROWS_IGNORED_SIZE = 160 };
void rows_ignored_text(size_t count, char text[ROWS_IGNORED_SIZE]);

/* STATUS_FILE with the path and what is wrong. */
Status stored_run_read(const char *path, StoredRun *stored);

/* Adds the rows of one launch to those of the launches before it: the samples of a cell become
 * those of several launches, and a failure in one launch is a failure of the cell. The launches of
 * `more` are counted from `launch` on, which rises from call to call. Summaries are to be derived
 * again. STATUS_SKIP without memory. */
Status results_merge(Results *whole, const Results *more, uint32_t launch);

/* A longer time, 11 days, is none that this program has measured. */
#define SECONDS_MOST 1e6

/* Whether a time that a file names can be one: above 0 and at most SECONDS_MOST. */
bool seconds_possible(double seconds);

/* Appends the samples of an entry, and their turns if it has them. NULL, or why they are not valid:
 * a clause such as "a time is above 0 and at most 1e6 s". */
const char *samples_json_read(const cJSON *object, const char *key, Samples *samples);

/* The file of the run in a folder: its results.json or, where only that is there, its
 * results.json.gz. STATUS_FILE when the path does not fit `size`. */
Status stored_run_in(const char *folder, char *path, size_t size);

/* The names of a stored run's files in its folder, packed and not; NULL behind the last. */
extern const char *const stored_run_files[];

/* STATUS_USAGE if the folder holds a run, or the beginning of one, that another would replace. A
 * link or an empty file is none. */
Status stored_run_keep(const char *folder);

/* Removes the files of a run from its folder; charts and launches stay. */
void stored_run_remove(const char *folder);

/* The same for a run that is named by its folder or by its file. */
Status stored_run_path(const char *run, char *path, size_t size);
void stored_run_release(StoredRun *stored);

/* Reads the rows of a results.csv, also of an older version with fewer columns; members without a
 * column are those of row_empty. `ignored`: rows of algorithms, variants or axes that no longer
 * exist. STATUS_FILE when the file cannot be read or lacks a column that identifies cells. */
Status results_csv_read(const char *path, Results *results, size_t *ignored);

#endif
