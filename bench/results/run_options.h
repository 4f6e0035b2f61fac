/* What a run is asked to do: RunOptions. */

#ifndef BENCH_RESULTS_RUN_OPTIONS_H
#define BENCH_RESULTS_RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arguments.h"
#include "commands.h"
#include "device_choice.h"
#include "prices.h"
#include "samples.h"
#include "share.h"
#include "size_spec.h"
#include "status.h"

typedef struct Algorithm Algorithm; /* algorithm.h */
typedef struct Axis Axis;           /* axis.h */
typedef struct Results Results;     /* results.h */
typedef struct RunCharts RunCharts; /* run_record.h */
typedef struct Variant Variant;     /* variant.h */

/* --- Options ---------------------------------------------------------------------------------- */

/* The options of `bench run`, parsed and checked. They point at texts of the command line. */

enum { OPTIONS_ALGORITHMS_MAX = 32, OPTIONS_VARIANTS_MAX = 64 };

typedef enum RoofFormat { ROOF_USUAL, ROOF_TABLE, ROOF_JSON } RoofFormat;

typedef struct RunOptions {
    size_t algorithm_count;
    const Algorithm *algorithms[OPTIONS_ALGORITHMS_MAX];
    size_t size_count;
    SizeSpec sizes[OPTIONS_SIZES_MAX]; /* of images: --sizes */
    size_t set_size_count;
    SizeSpec set_sizes[OPTIONS_SIZES_MAX]; /* of sets: --images × --side */
    const char *images, *side;             /* texts of these lists; NULL: not given */
    size_t variant_count;                  /* with neither of the next two 0: all */
    const char *variants[OPTIONS_VARIANTS_MAX];
    bool every_cpu, every_gpu; /* those of a side too, but for those on request */
    bool peers;                /* and other people's libraries */
    size_t axis_count;
    AxisRequest axes[OPTIONS_AXES_MAX];

    bool weak; /* the work grows with the values of the axis gpus; not of a single one */

    const char *input;          /* file or folder; NULL: synthetic */
    const char *second;         /* file of the other image of a pair; NULL: the input, turned */
    const char *labels;         /* file of an image set's labels; NULL: the one beside the input */
    const char *keypoints_file; /* list of keypoints; NULL: they are detected in the image */
    const char *weights;        /* comma list of files, or "random"; NULL: the trained ones */
    const char *synthetic;      /* kind; "texture" by default, "digits" for sets */
    uint64_t seed;              /* default 1 */
    double density; /* share of ones in a synthetic image, 0…1; 0: default of its kind */

    /* Processes that the whole run is repeated in; with `budget` at most so many. Default: as many
     * as `budget` has room for, with a baseline 8, of a fixed number of samples 1. */
    int launches;
    double budget; /* seconds that the launches may take together, INFINITY until every side is
                      decided; 0: as many launches as asked for. Of one launch (`pass`): seconds of
                      samples, all cells together */
    /* Asked of the rows of all launches so far whether a run with a budget may end; it is heeded
     * after launches 6, 9 and 12. NULL: when the question of each algorithm, input and answer is
     * decided (bench/run/budget.h). */
    bool (*may_end)(void *context, const Results *whole);
    void *may_end_context;
    int stop_after; /* launches of a budget after which the run stops, to be gone on with; 0: none
                     */
    bool every_tuning; /* launches of a budget leave out no tuning for being slower than another */
    const char *leave_out; /* of a launch: places of the plan's cells that it does not measure,
                              "3-7,12"; NULL: none */
    int pass;              /* this process is that launch of them, from 1; 0: all of them */
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
    double max_long;      /* of the first launch's long runs together: half of a budget; 0: any */
    int warmup;           /* 0, the default: measure_warmups */
    bool cold;            /* flush caches before each sample */
    bool pinned;          /* the user's memory is page-locked */
    bool energy;          /* repeat each cell and read the energy counters */
    double energy_window; /* for so many seconds, default 5 */
    bool interleave;      /* take samples of compared cells in turns; default true */
    bool roof;            /* measure ceilings; default true */
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
    bool again;         /* a process that was ended has begun this run (supervisor.h) */
    bool plot;          /* default true */
    /* Draws the charts of a complete run into its folder; may be NULL. STATUS_SKIP without gnuplot.
     */
    Status (*draw)(const Results *results, const char *folder, RunCharts *charts);
    /* Draws a saved histogram as <name>.svg and <name>.png in `folder`; may be NULL. STATUS_SKIP
     * without gnuplot. */
    Status (*draw_histogram)(const char *folder, const char *name, const uint64_t *counts,
                             size_t bins);
    bool dry_run;
    bool list;     /* as `bench list`; measure nothing */
    bool all;      /* print all rows instead of the summary */
    Prices prices; /* of an hour; 0: not given */
    bool quiet;
    bool fresh;        /* roof: measure again what is stored */
    RoofFormat format; /* roof */

    DeviceChoice devices;   /* never DEVICES_NONE */
    OptionsGiven given;     /* what of this was asked for; the rest are defaults */
    const char *program;    /* as it was called, for the record; NULL: "bench" */
    ArgumentList arguments; /* as they were written, for the record; lent */
} RunOptions;

/* Without options. */
extern const RunOptions run_defaults;

/* The command whose options these are: bench/cli. */
extern const Command command_run;

/* Reads the arguments of a stored run, or of a study's line, as far as this version knows them: an
 * option whose value it cannot read was given, and has its default. */
void request_recall(const ArgumentList *arguments, RunOptions *request);

/* STATUS_USAGE if one of two stored runs had --pinned or --cold and the other had not: times from
 * ordinary and from page-locked memory, or with warm and with flushed caches, are no times of one
 * cell. The names are for the message. */
Status request_check_memory(const ArgumentList *arguments, const char *name,
                            const ArgumentList *others, const char *other_name);

/* The launches of a run with a budget: at least, those that are wanted, and at most. */
enum { BUDGET_LAUNCHES_MIN = 3, BUDGET_LAUNCHES = MEDIAN_INTERVAL_MIN, BUDGET_LAUNCHES_MAX = 12 };

/* Seconds from the beginning of one launch to the next. Closer together they see one moment of a
 * machine that others use: of launches 15 s apart 85% of the intervals contained the next run, of
 * these 95% (reports/coverage-study.md). */
#define LAUNCHES_APART 30

/* Seconds of a run that nobody has given another measure of: whoever gives an option that is one
 * has so many samples or launches, however long that takes. */
#define BUDGET_SECONDS 60
bool options_are_exact(const OptionsGiven *given);

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

/* Whether the word is that of a side, "cpu" or "gpu" (also "cuda"), and which. */
bool side_word_find(const char *word, bool *cpu);
/* Whether the word is the variant's name, or that of its side; and whether one of a list is. */
bool variant_is_named(const Variant *variant, const char *word);
bool variant_is_in_list(const Variant *variant, const char *list);

/* Whether `options` has variants of this name, and whether it selects them, by name or not. */
bool options_name_variant(const RunOptions *options, const Variant *variant);
bool options_select_variant(const RunOptions *options, const Variant *variant);

/* Whether the axis belongs to a selected algorithm or to a selected variant of one. */
bool options_use_axis(const RunOptions *options, const char *name);

/* Writes the algorithms and variants with a tuning axis, "lbp (omp, cuda_tiled), copy (omp)", or
 * the algorithms with an answer axis, "lacunarity". */
void axis_owners(const char *name, char *text, size_t size);

#endif
