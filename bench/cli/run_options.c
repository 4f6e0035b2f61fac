/* The options of `bench run`, `list`, `roof` and `selftest`. */

#include "cli_internal.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "algorithm.h"
#include "axis.h"
#include "base.h"
#include "datasets.h"
#include "results.h"
#include "run.h"
#include "status.h"
#include "workload.h"

/* === Options handlers ========================================================================= */

static Status add_algorithm(const Algorithm *algorithm, RunOptions *options) {
    for (size_t i = 0; i < options->algorithm_count; i++) {
        if (options->algorithms[i] == algorithm) {
            return status_ok();
        }
    }
    if (options->algorithm_count == OPTIONS_ALGORITHMS_MAX) {
        return status_make(STATUS_USAGE, "more than %d algorithms; write fewer",
                           OPTIONS_ALGORITHMS_MAX);
    }
    options->algorithms[options->algorithm_count++] = algorithm;
    return status_ok();
}

static Status unknown_algorithm(const char *name) {
    char known[STATUS_WHY_SIZE] = "";
    Suggestion suggestion = suggest_start(name);
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        const char *other = registry_algorithm(i)->name;
        suggest_offer(&suggestion, other);
        text_append(known, sizeof known, "%s%s", i == 0 ? "" : ", ", other);
    }
    char nearest[SUGGEST_TEXT_SIZE];
    return status_make(STATUS_USAGE, "'%s' is no algorithm%s (known: %s; see 'bench list')", name,
                       suggest_text(&suggestion, nearest), known);
}

/* What OPTION_HANDLED rows do with a value. */
static Status option_take_algorithms(const char *value, RunOptions *options) {
    options->algorithm_count = 0;
    while (value != NULL) {
        char word[LIST_WORD_SIZE];
        STATUS_TRY(list_next(&value, word));
        if (strcmp(word, "all") == 0) {
            for (size_t i = 0; i < registry_algorithm_count(); i++) {
                STATUS_TRY(add_algorithm(registry_algorithm(i), options));
            }
            continue;
        }
        const Algorithm *algorithm = registry_find_algorithm(word);
        if (algorithm == NULL) {
            return unknown_algorithm(word);
        }
        STATUS_TRY(add_algorithm(algorithm, options));
    }
    return status_ok();
}

static Status option_take_sizes(const char *value, RunOptions *options) {
    return sizes_parse(value, options->sizes, &options->size_count);
}

/* The registry's own text of a variant's name, so that options own nothing; NULL: unknown. */
static const char *variant_name(const char *word, Suggestion *suggestion) {
    for (size_t a = 0; a < registry_algorithm_count(); a++) {
        const Algorithm *algorithm = registry_algorithm(a);
        for (size_t v = 0; v < registry_variant_count(algorithm); v++) {
            const char *name = registry_variant(algorithm, v)->name;
            if (strcmp(name, word) == 0) {
                return name;
            }
            suggest_offer(suggestion, name);
        }
    }
    return NULL;
}

static Status add_variant(const char *name, RunOptions *options) {
    for (size_t i = 0; i < options->variant_count; i++) {
        if (strcmp(options->variants[i], name) == 0) {
            return status_ok();
        }
    }
    if (options->variant_count == OPTIONS_VARIANTS_MAX) {
        return status_make(STATUS_USAGE, "more than %d variants; write fewer, or all",
                           OPTIONS_VARIANTS_MAX);
    }
    options->variants[options->variant_count++] = name;
    return status_ok();
}

static Status option_take_variants(const char *value, RunOptions *options) {
    bool every = false;
    options->variant_count = 0;
    while (value != NULL) {
        char word[LIST_WORD_SIZE];
        STATUS_TRY(list_next(&value, word));
        if (strcmp(word, "all") == 0) {
            every = true;
            continue;
        }
        Suggestion suggestion = suggest_start(word);
        const char *name = variant_name(word, &suggestion);
        if (name == NULL) {
            char nearest[SUGGEST_TEXT_SIZE];
            return status_make(STATUS_USAGE, "'%s' is no variant%s (see 'bench list')", word,
                               suggest_text(&suggestion, nearest));
        }
        STATUS_TRY(add_variant(name, options));
    }
    if (every) {
        options->variant_count = 0;
    }
    return status_ok();
}

static Status option_take_synthetic(const char *value, RunOptions *options) {
    return synthetic_find(value, &options->synthetic);
}

static Status option_take_density(const char *value, RunOptions *options) {
    return parse_share(value, &options->density);
}

static Status option_take_format(const char *value, RunOptions *options) {
    static const char *const formats[] = {"table", "json"};
    Suggestion suggestion = suggest_start(value);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(formats[i], value) == 0) {
            options->format = formats[i];
            return status_ok();
        }
        suggest_offer(&suggestion, formats[i]);
    }
    char nearest[SUGGEST_TEXT_SIZE];
    return status_make(STATUS_USAGE, "'%.40s' is no format%s (known: table, json)", value,
                       suggest_text(&suggestion, nearest));
}

/* === Options table ============================================================================ */

/* The table of options, for the parser and for help. Not for other modules. */

typedef enum OptionKind {
    OPTION_SET,      /* no value: member (bool) becomes true */
    OPTION_CLEAR,    /* no value: member (bool) becomes false */
    OPTION_TEXT,     /* member (const char *) points at the value, which is not empty */
    OPTION_COUNT,    /* member (int), from minimum to OPTION_COUNT_MAX */
    OPTION_SEED,     /* member (uint64_t) */
    OPTION_DURATION, /* member (double), seconds */
    OPTION_RATIO,    /* member (double), 0…1 exclusive, as 1% or 0.01 */
    OPTION_HANDLED,  /* `handle` does it */
    OPTION_ACTION    /* no value: `action` is what to do instead */
} OptionKind;

typedef struct Option {
    const char *flag;     /* without the dashes */
    const char *argument; /* as shown in help; NULL: takes no value */
    const char *help;
    const char *group; /* heading in help */
    unsigned scopes;   /* OptionScope bits */
    OptionKind kind;
    size_t member; /* offset in RunOptions */
    int minimum;   /* OPTION_COUNT */
    OptionsAction action;
    Status (*handle)(const char *value, RunOptions *options);
} Option;

enum { OPTION_ROWS_MAX = 64 };

/* Which rows of option_rows were given. */
typedef struct OptionsGiven {
    bool row[OPTION_ROWS_MAX];
} OptionsGiven;

#define MEMBER(name) .member = offsetof(RunOptions, name)
#define WHAT "What is measured"
#define HOW "How it is measured"
#define COMPARED "What it is compared with"
#define WHERE "What is written, and where"
#define OTHER "Other"

enum { RUN = SCOPE_RUN, ROOF = SCOPE_ROOF, LIST = SCOPE_LIST, SELFTEST = SCOPE_SELFTEST };

static const Option option_rows[] = {
    {.flag = "algo",
     .argument = "NAME[,NAME...]|all",
     .group = WHAT,
     .scopes = RUN | LIST | SELFTEST,
     .kind = OPTION_HANDLED,
     .handle = option_take_algorithms,
     .help = "algorithms; 'bench list' names them"},
    {.flag = "sizes",
     .argument = "LIST|all",
     .group = WHAT,
     .scopes = RUN | SELFTEST,
     .kind = OPTION_HANDLED,
     .handle = option_take_sizes,
     .help = "names (1080p, 4K, 512), WxH (640x480), native; all is 360p to 16K. Default: native "
             "with --input, else 1080p"},
    {.flag = "images",
     .argument = "LIST|all",
     .group = WHAT,
     .scopes = RUN | SELFTEST,
     .kind = OPTION_TEXT,
     MEMBER(images),
     .help = "for algorithms that take sets of pictures: how many, the first of the set. Default: "
             "all with --input, else 1000"},
    {.flag = "side",
     .argument = "LIST",
     .group = WHAT,
     .scopes = RUN | SELFTEST,
     .kind = OPTION_TEXT,
     MEMBER(side),
     .help = "sides of each picture of a set, pixels: 28, or WxH such as 24x32. Default: the "
             "input's own, else 28"},
    {.flag = "input",
     .argument = "FILE|DIR",
     .group = WHAT,
     .scopes = RUN | SELFTEST,
     .kind = OPTION_TEXT,
     MEMBER(input),
     .help = "an image (PNG, JPEG, PBM, PGM, PPM), or a folder of them; for algorithms that take "
             "sets an IDX file, gzipped or not, or a folder of pictures of one size"},
    {.flag = "labels",
     .argument = "FILE",
     .group = WHAT,
     .scopes = RUN | SELFTEST,
     .kind = OPTION_TEXT,
     MEMBER(labels),
     .help = "labels of the pictures of a set, an IDX file. Default: the file beside --input whose "
             "name has 'labels' for 'images', or the names of its folders"},
    {.flag = "synthetic",
     .argument = "KIND",
     .group = WHAT,
     .scopes = RUN | SELFTEST,
     .kind = OPTION_HANDLED,
     .handle = option_take_synthetic,
     .help =
         "kind of synthetic image, or set; 'bench list' names them. Default: texture, of sets of "
         "images digits, of descriptors pairs"},
    {.flag = "seed",
     .argument = "N",
     .group = WHAT,
     .scopes = RUN | SELFTEST,
     .kind = OPTION_SEED,
     MEMBER(seed),
     .help = "seed of synthetic images, of what algorithms draw, and of resampling. Default: 1"},
    {.flag = "density",
     .argument = "SHARE",
     .group = WHAT,
     .scopes = RUN | SELFTEST,
     .kind = OPTION_HANDLED,
     .handle = option_take_density,
     .help = "share of ones in the binary synthetic images (random, even, clustered, cantor): 10% "
             "or 0.1. Default: (3/4)^L, where 2^L is the least power of two that is no shorter "
             "than the longer side"},
    {.flag = "keypoints-file",
     .argument = "FILE",
     .group = WHAT,
     .scopes = RUN | SELFTEST,
     .kind = OPTION_TEXT,
     MEMBER(keypoints_file),
     .help = "keypoints to describe, CSV with columns x, y, size and angle, in pixels of --input, "
             "the strongest first. Default: those that fast finds, then random ones"},
    {.flag = "weights",
     .argument = "FILE[,FILE]|random",
     .group = WHAT,
     .scopes = RUN | SELFTEST,
     .kind = OPTION_TEXT,
     MEMBER(weights),
     .help = "weights that keypoints are described with; random: untrained ones. Default: the "
             "trained ones"},
    {.flag = "variants",
     .argument = "NAME[,NAME...]|all",
     .group = WHAT,
     .scopes = RUN | SELFTEST,
     .kind = OPTION_HANDLED,
     .handle = option_take_variants,
     .help = "implementations, CPU and GPU. Default: all"},
    {.flag = "max-cell",
     .argument = "TIME",
     .group = WHAT,
     .scopes = RUN,
     .kind = OPTION_DURATION,
     MEMBER(max_cell),
     .help = "leave seq out where one run is estimated to take longer. Default: 60s"},

    {.flag = "reps",
     .argument = "N",
     .group = HOW,
     .scopes = RUN | SELFTEST,
     .kind = OPTION_COUNT,
     MEMBER(reps),
     .minimum = 1,
     .help = "take exactly N samples, instead of as many as needed"},
    {.flag = "ci-width",
     .argument = "RATIO",
     .group = HOW,
     .scopes = RUN | SELFTEST,
     .kind = OPTION_RATIO,
     MEMBER(ci_width),
     .help = "stop when the 95% interval of the median is this narrow: 1% or 0.01. Default: 1%"},
    {.flag = "min-reps",
     .argument = "N",
     .group = HOW,
     .scopes = RUN | SELFTEST,
     .kind = OPTION_COUNT,
     MEMBER(min_reps),
     .minimum = 1,
     .help = "samples to take before stopping by --ci-width. Default: 15"},
    {.flag = "max-time",
     .argument = "TIME",
     .group = HOW,
     .scopes = RUN | SELFTEST,
     .kind = OPTION_DURATION,
     MEMBER(max_time),
     .help = "longest sampling of one cell: 10, 10s, 500ms or 2min. Default: 10s"},
    {.flag = "warmup",
     .argument = "N",
     .group = HOW,
     .scopes = RUN | SELFTEST,
     .kind = OPTION_COUNT,
     MEMBER(warmup),
     .minimum = 1,
     .help = "runs before the first sample. Default: 3"},
    {.flag = "cold",
     .group = HOW,
     .scopes = RUN | SELFTEST,
     .kind = OPTION_SET,
     MEMBER(cold),
     .help = "flush the caches before each sample"},
    {.flag = "hot",
     .group = HOW,
     .scopes = RUN | SELFTEST,
     .kind = OPTION_CLEAR,
     MEMBER(cold),
     .help = "leave the caches as they are (default)"},
    {.flag = "pinned",
     .group = HOW,
     .scopes = RUN,
     .kind = OPTION_SET,
     MEMBER(pinned),
     .help = "page-lock the host memory that uploads and downloads use"},
    {.flag = "energy",
     .group = HOW,
     .scopes = RUN,
     .kind = OPTION_SET,
     MEMBER(energy),
     .help = "measure the energy of a run, which takes a second more for each cell"},
    {.flag = "no-interleave",
     .group = HOW,
     .scopes = RUN | ROOF,
     .kind = OPTION_CLEAR,
     MEMBER(interleave),
     .help = "sample one cell after the other, instead of all of an input in turns"},
    {.flag = "pairs",
     .argument = "N",
     .group = HOW,
     .scopes = SELFTEST,
     .kind = OPTION_COUNT,
     MEMBER(pairs),
     .minimum = 1,
     .help = "how often each cell is compared with itself. Default: 100"},
    {.flag = "no-roof",
     .group = HOW,
     .scopes = RUN,
     .kind = OPTION_CLEAR,
     MEMBER(roof),
     .help = "measure neither ceilings nor the copy at each size"},

    {.flag = "baseline",
     .argument = "RUN",
     .group = COMPARED,
     .scopes = RUN,
     .kind = OPTION_TEXT,
     MEMBER(baseline),
     .help = "compare with a stored run, as 'bench compare' does; cells that look slower are "
             "measured again first"},
    {.flag = "alpha",
     .argument = "RATIO",
     .group = COMPARED,
     .scopes = RUN,
     .kind = OPTION_RATIO,
     MEMBER(alpha),
     .help = "probability of a false alarm in the comparison. Default: 0.01"},
    {.flag = "baseline-threshold", /* --threshold is an axis of lacunarity */
     .argument = "RATIO",
     .group = COMPARED,
     .scopes = RUN,
     .kind = OPTION_RATIO,
     MEMBER(threshold),
     .help = "change that does not matter yet. Default: 5%"},
    {.flag = "strict",
     .group = COMPARED,
     .scopes = RUN,
     .kind = OPTION_SET,
     MEMBER(strict),
     .help = "end with exit code 7 when a cell is ambiguous and none is slower"},

    {.flag = "out",
     .argument = "DIR",
     .group = WHERE,
     .scopes = RUN,
     .kind = OPTION_TEXT,
     MEMBER(out),
     .help = "folder of the run. Default: reports/runs/<time>-<algorithms>"},
    {.flag = "csv",
     .argument = "FILE",
     .group = WHERE,
     .scopes = RUN,
     .kind = OPTION_TEXT,
     MEMBER(csv),
     .help = "another copy of the CSV; 'bench help columns' explains it"},
    {.flag = "json",
     .argument = "FILE",
     .group = WHERE,
     .scopes = RUN,
     .kind = OPTION_TEXT,
     MEMBER(json),
     .help = "another copy of the JSON (Google Benchmark's schema)"},
    {.flag = "save",
     .argument = "DIR",
     .group = WHERE,
     .scopes = RUN,
     .kind = OPTION_TEXT,
     MEMBER(save),
     .help = "write every verified answer there: images as PNG, tables as CSV, "
             "descriptors as hexadecimal digits; what differs from seq's answer, as far as the "
             "algorithm allows, in files of its own with the variant's name"},
    {.flag = "save-table",
     .group = WHERE,
     .scopes = RUN,
     .kind = OPTION_SET,
     MEMBER(save_table),
     .help = "write the full table behind an answer as well (lacunarity: how often each box mass "
             "occurs); needs --save"},
    {.flag = "plot",
     .group = WHERE,
     .scopes = RUN,
     .kind = OPTION_SET,
     MEMBER(plot),
     .help = "draw charts with gnuplot (default)"},
    {.flag = "no-plot",
     .group = WHERE,
     .scopes = RUN,
     .kind = OPTION_CLEAR,
     MEMBER(plot),
     .help = "draw no charts"},
    {.flag = "resume",
     .argument = "DIR",
     .group = WHERE,
     .scopes = RUN,
     .kind = OPTION_TEXT,
     MEMBER(resume),
     .help = "go on with a run that was cut off, on the same machine and build, with its "
             "arguments"},

    {.flag = "fresh",
     .group = HOW,
     .scopes = ROOF,
     .kind = OPTION_SET,
     MEMBER(fresh),
     .help = "measure again, also when stored ceilings are at most a week old"},
    {.flag = "format",
     .argument = "table|json",
     .group = WHERE,
     .scopes = ROOF,
     .kind = OPTION_HANDLED,
     .handle = option_take_format,
     .help = "a table, or the ceilings as JSON. Default: table"},

    {.flag = "dry-run",
     .group = OTHER,
     .scopes = RUN,
     .kind = OPTION_SET,
     MEMBER(dry_run),
     .help = "print the plan and measure nothing"},
    {.flag = "list",
     .group = OTHER,
     .scopes = RUN,
     .kind = OPTION_ACTION,
     .action = OPTIONS_LIST,
     .help = "the same as 'bench list'"},
    {.flag = "quiet",
     .group = OTHER,
     .scopes = RUN | ROOF | SELFTEST,
     .kind = OPTION_SET,
     MEMBER(quiet),
     .help = "no progress and no notes on standard error"},
    {.flag = "help",
     .group = OTHER,
     .scopes = RUN | ROOF | LIST | SELFTEST,
     .kind = OPTION_ACTION,
     .action = OPTIONS_HELP,
     .help = "this text"},
};

static const size_t option_row_count = sizeof option_rows / sizeof option_rows[0];

_Static_assert(sizeof option_rows / sizeof option_rows[0] <= OPTION_ROWS_MAX,
               "OptionsGiven has room for every option");

/* NULL when there is no such option in the scope. */
static const Option *option_find(const char *flag, OptionScope scope) {
    for (size_t i = 0; i < option_row_count; i++) {
        if ((option_rows[i].scopes & (unsigned)scope) != 0 &&
            strcmp(option_rows[i].flag, flag) == 0) {
            return &option_rows[i];
        }
    }
    return NULL;
}

static bool options_was_given(const OptionsGiven *given, const char *flag) {
    for (size_t i = 0; i < option_row_count; i++) {
        if (given->row[i] && strcmp(option_rows[i].flag, flag) == 0) {
            return true;
        }
    }
    return false;
}

/* === Options inputs =========================================================================== */

enum { NAMES_SIZE = STATUS_WHY_SIZE / 4 };

/* Inputs in messages, in the order in which algorithms are said to take them. */
static const struct {
    KindSet kinds;
    WorkloadKind kind;   /* whose synthetic names they have */
    const char *takes;   /* an algorithm takes … */
    const char *instead; /* of an option for others */
    const char *is;      /* a synthetic name is … */
    const char *names;   /* an algorithm takes … by their names */
} inputs[] = {
    {KINDS_PICTURES, WORKLOAD_IMAGE, "one picture", "write --sizes", "a single picture",
     "single pictures"},
    {KINDS_SETS, WORKLOAD_IMAGE_SET, "a set of pictures", "write --images and --side",
     "a set of pictures", "sets of them"},
    {KINDS_DESCRIPTORS, WORKLOAD_DESCRIPTORS, "two sets of descriptors", "leave it out",
     "two sets of descriptors", "sets of descriptors"},
};

enum { INPUTS = sizeof inputs / sizeof inputs[0] };

/* Which of them the first that is wanted is. */
static size_t first_wanted(const RunOptions *options) {
    size_t i = 0;
    while (i + 1 < INPUTS && !kinds_are_wanted(options, inputs[i].kinds)) {
        i++;
    }
    return i;
}

/* Options that belong to some kinds of input: --FLAG is for algorithms that take … */
static Status check_flags(const OptionsGiven *given, const RunOptions *options) {
    static const struct {
        const char *flag;
        KindSet kinds;
        const char *what;
        const char *instead; /* NULL: as the input that is wanted has it */
    } flags[] = {
        {"images", KINDS_SETS, "sets of pictures", NULL},
        {"side", KINDS_SETS, "sets of pictures", NULL},
        {"labels", KINDS_SETS, "sets of pictures", NULL},
        {"sizes", KINDS_PICTURES, "one picture", NULL},
        {"keypoints-file", KINDS_KEYPOINTS, "keypoints", "leave it out"},
        {"weights", KINDS_KEYPOINTS, "keypoints", "leave it out"},
        {"input", KINDS_FILES, "pictures", "leave it out"},
    };
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (options_was_given(given, flags[i].flag) && !kinds_are_wanted(options, flags[i].kinds)) {
            char names[NAMES_SIZE];
            const size_t wanted = first_wanted(options);
            kinds_algorithms(options, inputs[wanted].kinds, names, sizeof names);
            return status_make(STATUS_USAGE, "--%s is for algorithms that take %s; %s takes %s: %s",
                               flags[i].flag, flags[i].what, names, inputs[wanted].takes,
                               flags[i].instead != NULL ? flags[i].instead
                                                        : inputs[wanted].instead);
        }
    }
    return status_ok();
}

static Status check_density_is_for(const OptionsGiven *given, const RunOptions *options) {
    char names[NAMES_SIZE];
    if (!options_was_given(given, "density") || kinds_are_wanted(options, KINDS_PICTURES)) {
        return status_ok();
    }
    const size_t wanted = first_wanted(options);
    kinds_algorithms(options, inputs[wanted].kinds, names, sizeof names);
    return status_make(STATUS_USAGE,
                       "--density is the share of ones in binary synthetic images; %s takes sets, "
                       "which have none: leave it out",
                       names);
}

/* One file or folder cannot be both. */
static Status check_one_kind(const RunOptions *options) {
    if (options->input == NULL || !kinds_are_wanted(options, KINDS_PICTURES) ||
        !kinds_are_wanted(options, KINDS_SETS)) {
        return status_ok();
    }
    char pictures[NAMES_SIZE];
    char sets[NAMES_SIZE];
    kinds_algorithms(options, KINDS_PICTURES, pictures, sizeof pictures);
    kinds_algorithms(options, KINDS_SETS, sets, sizeof sets);
    return status_make(STATUS_USAGE,
                       "--input is either pictures or one set of them; leave out of --algo %s "
                       "(sets), or %s (pictures)",
                       sets, pictures);
}

static Status check_labels(const RunOptions *options) {
    if (options->labels != NULL && options->input == NULL) {
        return status_make(STATUS_USAGE,
                           "--labels belong to the pictures of --input; write --input FILE as "
                           "well, or leave it out: synthetic sets have their own");
    }
    return status_ok();
}

static void list_synthetics(WorkloadKind kind, char *text, size_t size) {
    const char *const *names = kind_synthetics(kind);
    text[0] = '\0';
    for (size_t i = 0; names[i] != NULL; i++) {
        text_append(text, size, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
}

/* Of one of the kinds that are wanted; the others then have their default. */
static Status check_synthetic(const RunOptions *options) {
    const char *given = options->synthetic;
    size_t is = 0;
    for (size_t i = 0; i < INPUTS && given != NULL; i++) {
        if (kind_find_synthetic(inputs[i].kind, given) != NULL) {
            is = i;
            if (kinds_are_wanted(options, inputs[i].kinds)) {
                return status_ok();
            }
        }
    }
    if (given == NULL) {
        return status_ok();
    }
    char names[NAMES_SIZE];
    char known[NAMES_SIZE];
    const size_t wanted = first_wanted(options);
    kinds_algorithms(options, inputs[wanted].kinds, names, sizeof names);
    list_synthetics(inputs[wanted].kind, known, sizeof known);
    return status_make(STATUS_USAGE, "--synthetic: '%s' is %s; %s takes %s: write %s", given,
                       inputs[is].is, names, inputs[wanted].names, known);
}

static void complete_synthetic(RunOptions *options) {
    if (options->input == NULL && options->synthetic == NULL) {
        options->synthetic = kind_synthetics(inputs[first_wanted(options)].kind)[0];
    }
}

static Status check_density(const RunOptions *options) {
    if (options->density > 0 &&
        (options->input != NULL || !synthetic_has_density(options->synthetic))) {
        return status_make(STATUS_USAGE,
                           "--density is the share of ones in binary synthetic images; write "
                           "--synthetic random, even, clustered or cantor as well");
    }
    return status_ok();
}

static Status complete_sizes(RunOptions *options) {
    if (options->size_count == 0) {
        options->size_count = 1;
        return size_parse(options->input != NULL ? "native" : "1080p", &options->sizes[0]);
    }
    for (size_t i = 0; i < options->size_count && options->input == NULL; i++) {
        if (options->sizes[i].width == 0) {
            return status_make(STATUS_USAGE,
                               "--sizes: native is the input's own size and needs --input; write "
                               "a name such as 1080p, or WxH");
        }
    }
    return status_ok();
}

static Status complete_set_sizes(RunOptions *options) {
    const bool synthetic = options->input == NULL;
    const char *images = options->images;
    if (images == NULL) {
        images = synthetic ? set_images_default : "all";
    }
    STATUS_TRY(
        set_sizes_parse(images, options->side, options->set_sizes, &options->set_size_count));
    for (size_t i = 0; i < options->set_size_count && synthetic; i++) {
        SizeSpec *size = &options->set_sizes[i];
        if (size->images == 0) {
            return status_make(STATUS_USAGE,
                               "--images: all are those that the input has and needs --input; "
                               "write a number such as 1000");
        }
        if (size->width == 0) {
            size->width = size->height = SET_SIDE_DEFAULT;
        }
    }
    return status_ok();
}

/* Of options_check: whether inputs, sizes and algorithms suit each other, and their defaults. */
static Status options_check_inputs(const OptionsGiven *given, RunOptions *options) {
    STATUS_TRY(check_flags(given, options));
    STATUS_TRY(check_density_is_for(given, options));
    STATUS_TRY(check_one_kind(options));
    STATUS_TRY(check_labels(options));
    STATUS_TRY(check_synthetic(options));
    complete_synthetic(options);
    STATUS_TRY(check_density(options));
    if (kinds_are_wanted(options, KINDS_PICTURES)) {
        STATUS_TRY(complete_sizes(options));
    }
    return kinds_are_wanted(options, KINDS_SETS) ? complete_set_sizes(options) : status_ok();
}

/* === Options check ============================================================================ */

static Status check_conflicts(const OptionsGiven *given) {
    static const struct {
        const char *left, *right, *why;
    } conflicts[] = {
        {"input", "synthetic", "the input is either a file or synthetic"},
        {"reps", "ci-width", "the number of samples is either fixed or set by the interval"},
        {"reps", "min-reps", "the number of samples is either fixed or set by the interval"},
        {"resume", "out", "a resumed run stays in its folder"},
    };
    for (size_t i = 0; i < sizeof conflicts / sizeof conflicts[0]; i++) {
        if (options_was_given(given, conflicts[i].left) &&
            options_was_given(given, conflicts[i].right)) {
            return status_make(STATUS_USAGE, "--%s and --%s cannot be combined: %s; write one",
                               conflicts[i].left, conflicts[i].right, conflicts[i].why);
        }
    }
    return status_ok();
}

static void algorithm_names(const RunOptions *options, char *text, size_t size) {
    text[0] = '\0';
    for (size_t i = 0; i < options->algorithm_count; i++) {
        text_append(text, size, "%s%s", i == 0 ? "" : ", ", options->algorithms[i]->name);
    }
}

static void variant_names(const RunOptions *options, char *text, size_t size) {
    text[0] = '\0';
    const Algorithm *algorithm = options->algorithms[0];
    for (size_t v = 0; v < registry_variant_count(algorithm); v++) {
        text_append(text, size, "%s%s", v == 0 ? "" : ", ", registry_variant(algorithm, v)->name);
    }
}

static bool variant_selected(const RunOptions *options, const char *name) {
    for (size_t a = 0; a < options->algorithm_count; a++) {
        if (registry_find_variant(options->algorithms[a], name) != NULL) {
            return true;
        }
    }
    return false;
}

/* Each name is some algorithm's variant; here each has to be one of a selected algorithm's. */
static Status check_variants(const RunOptions *options) {
    for (size_t i = 0; i < options->variant_count; i++) {
        if (variant_selected(options, options->variants[i])) {
            continue;
        }
        char text[STATUS_WHY_SIZE / 2];
        algorithm_names(options, text, sizeof text);
        if (options->algorithm_count > 1) {
            return status_make(STATUS_NO_MATCH, "--variants: none of %s has a variant '%s'", text,
                               options->variants[i]);
        }
        variant_names(options, text, sizeof text);
        return status_make(STATUS_NO_MATCH, "--variants: %s has no variant '%s' (it has %s)",
                           options->algorithms[0]->name, options->variants[i], text);
    }
    return status_ok();
}

static Status check_axes(const RunOptions *options) {
    for (size_t i = 0; i < options->axis_count; i++) {
        const char *name = options->axes[i].name;
        if (options_use_axis(options, name)) {
            continue;
        }
        char owners[STATUS_WHY_SIZE / 2];
        char selected[STATUS_WHY_SIZE / 4];
        axis_owners(name, owners, sizeof owners);
        algorithm_names(options, selected, sizeof selected);
        return status_make(STATUS_USAGE,
                           "--%s applies to nothing that is selected of %s; it is an axis of %s",
                           name, selected, owners);
    }
    return status_ok();
}

/* --save-table writes what an algorithm has behind its answer. */
static Status check_tables(const RunOptions *options) {
    if (options->save_table && options->save == NULL) {
        return status_make(STATUS_USAGE,
                           "--save-table needs the folder to write to; write --save DIR as well");
    }
    for (size_t i = 0; i < options->algorithm_count && options->save_table; i++) {
        if (options->algorithms[i]->write_table == NULL) {
            return status_make(STATUS_USAGE,
                               "--save-table: %s has no table behind its answer; leave the option "
                               "or the algorithm out",
                               options->algorithms[i]->name);
        }
    }
    return status_ok();
}

static Status check_run(const OptionsGiven *given, RunOptions *options) {
    if (options->algorithm_count == 0) {
        return status_make(STATUS_USAGE, "--algo is needed; write --algo NAME, one of those that "
                                         "'bench list' shows");
    }
    STATUS_TRY(check_variants(options));
    STATUS_TRY(check_axes(options));
    STATUS_TRY(check_tables(options));
    return options_check_inputs(given, options);
}

/* A self-test of nothing in particular takes a variant of each processor. */
static void complete_selftest(const OptionsGiven *given, RunOptions *options) {
    static const char *const usual[] = {"simd", "cuda_fast"};
    options->roof = false;
    if (options->algorithm_count == 0) {
        options->algorithms[0] = registry_find_algorithm("lbp");
        options->algorithm_count = options->algorithms[0] != NULL;
    }
    for (size_t i = 0; i < 2 && !options_was_given(given, "variants"); i++) {
        if (variant_selected(options, usual[i])) {
            options->variants[options->variant_count++] = usual[i];
        }
    }
    if (!options_was_given(given, "max-time")) {
        options->max_time = 1;
    }
}

/* After all arguments are read: conflicts, what has to be given, defaults that depend on others,
 * and whether variants and axes belong to the selected algorithms. */
static Status options_check(OptionScope scope, const OptionsGiven *given, RunOptions *options) {
    STATUS_TRY(check_conflicts(given));
    /* A resumed run takes its stored arguments, which are parsed in their turn. */
    const bool resume_only = options->resume != NULL && options->algorithm_count == 0;
    if (scope == SCOPE_SELFTEST) {
        complete_selftest(given, options);
    } else if (scope != SCOPE_RUN || resume_only) {
        return status_ok();
    }
    return check_run(given, options);
}

/* === Options help ============================================================================= */

enum { TERM_INDENT = 2, TEXT_COLUMN = 32 };

void options_print_help(FILE *stream, OptionScope scope) {
    const char *group = NULL;
    for (size_t i = 0; i < option_row_count; i++) {
        const Option *option = &option_rows[i];
        if ((option->scopes & (unsigned)scope) == 0) {
            continue;
        }
        if (group == NULL || strcmp(group, option->group) != 0) {
            group = option->group;
            fprintf(stream, "\n%s\n", group);
        }
        char term[LIST_WORD_SIZE];
        snprintf(term, sizeof term, "--%s%s%s", option->flag, option->argument != NULL ? " " : "",
                 option->argument != NULL ? option->argument : "");
        text_entry(stream, TERM_INDENT, term, TEXT_COLUMN, option->help);
    }
}

/* === Options ================================================================================== */

enum { OPTION_COUNT_MAX = 1000000 };

RunOptions options_default(void) {
    const RunOptions options = {
        .seed = 1,
        .ci_width = 0.01,
        .min_reps = 15,
        .max_time = 10.0,
        .max_cell = 60.0,
        .warmup = 3,
        .interleave = true,
        .roof = true,
        .pairs = 100,
        .plot = true,
        .alpha = 0.01,
        .threshold = 0.05,
    };
    return options;
}

static void *member(RunOptions *options, const Option *option) {
    return (unsigned char *)options + option->member;
}

static Status store_count(const Option *option, const char *value, RunOptions *options) {
    uint64_t number;
    STATUS_TRY(parse_count(value, (uint64_t)option->minimum, OPTION_COUNT_MAX, &number));
    *(int *)member(options, option) = (int)number;
    return status_ok();
}

/* Stores a value (NULL for options without one) where the row says. STATUS_USAGE without the
 * option's name, which the caller puts in front. */
static Status option_store(const Option *option, const char *value, RunOptions *options) {
    switch (option->kind) {
    case OPTION_SET: *(bool *)member(options, option) = true; break;
    case OPTION_CLEAR: *(bool *)member(options, option) = false; break;
    case OPTION_TEXT: *(const char **)member(options, option) = value; break;
    case OPTION_COUNT: return store_count(option, value, options);
    case OPTION_SEED: return parse_count(value, 0, UINT64_MAX, member(options, option));
    case OPTION_DURATION: return parse_duration(value, member(options, option));
    case OPTION_RATIO: return parse_ratio(value, member(options, option));
    case OPTION_HANDLED: return option->handle(value, options);
    case OPTION_ACTION: break;
    }
    return status_ok();
}

/* One argument taken apart: --flag or --flag=value. */
typedef struct Argument {
    char flag[LIST_WORD_SIZE];
    const char *value; /* NULL: none in this argument */
} Argument;

static Status unexpected_argument(OptionScope scope, const char *text) {
    const char *letters = text + strspn(text, "-");
    if (text[0] == '-' && option_find(letters, scope) != NULL) {
        return status_make(STATUS_USAGE, "unknown option '%.40s'; write --%s", text, letters);
    }
    return status_make(STATUS_USAGE,
                       "unexpected argument '%.60s'; options begin with --, and lists have commas "
                       "and no spaces",
                       text);
}

static Status split_argument(OptionScope scope, const char *text, Argument *argument) {
    if (strncmp(text, "--", 2) != 0 || text[2] == '\0' || text[2] == '=') {
        return unexpected_argument(scope, text);
    }
    const size_t length = strcspn(text + 2, "=");
    if (length >= sizeof argument->flag) {
        return status_make(STATUS_USAGE, "unknown option '%.40s…'", text);
    }
    memcpy(argument->flag, text + 2, length);
    argument->flag[length] = '\0';
    argument->value = text[2 + length] == '=' ? text + 2 + length + 1 : NULL;
    return status_ok();
}

static Status unknown_option(OptionScope scope, const AxisCatalog *catalog, const char *flag) {
    Suggestion suggestion = suggest_start(flag);
    for (size_t i = 0; i < option_row_count; i++) {
        if ((option_rows[i].scopes & (unsigned)scope) != 0) {
            suggest_offer(&suggestion, option_rows[i].flag);
        }
    }
    for (size_t i = 0; i < catalog->count; i++) {
        suggest_offer(&suggestion, catalog->axes[i]->name);
    }
    if (suggestion.nearest != NULL) {
        return status_make(STATUS_USAGE, "unknown option '--%s'; did you mean '--%s'?", flag,
                           suggestion.nearest);
    }
    return status_make(STATUS_USAGE, "unknown option '--%s'; --help lists the options", flag);
}

/* The value of an option that needs one: behind its =, or the next argument. */
static Status take_value(const Argument *argument, const char *shape, int argc, char **argv,
                         int *index, const char **value) {
    *value = argument->value;
    if (*value == NULL) {
        /* A value may begin with one dash ("-5", judged later); with two it is the next option. */
        if (*index + 1 >= argc || strncmp(argv[*index + 1], "--", 2) == 0) {
            return status_make(STATUS_USAGE, "--%s needs a value; write --%s %s", argument->flag,
                               argument->flag, shape);
        }
        *value = argv[++*index];
    }
    if ((*value)[0] == '\0') {
        return status_make(STATUS_USAGE, "--%s: the value is empty; write --%s %s", argument->flag,
                           argument->flag, shape);
    }
    return status_ok();
}

static Status store_axis(const Axis *axis, const char *list, RunOptions *options) {
    AxisRequest *request = NULL;
    for (size_t i = 0; i < options->axis_count; i++) {
        if (strcmp(options->axes[i].name, axis->name) == 0) {
            request = &options->axes[i];
        }
    }
    if (request == NULL) {
        if (options->axis_count == OPTIONS_AXES_MAX) {
            return status_make(STATUS_USAGE, "--%s: more than %d axes at once; write fewer",
                               axis->name, OPTIONS_AXES_MAX);
        }
        request = &options->axes[options->axis_count++];
    }
    *request = (AxisRequest){.name = axis->name, .list = list};
    return status_ok();
}

typedef struct Parser {
    OptionScope scope;
    int argc;
    char **argv;
    int index;
    AxisCatalog catalog;
    OptionsGiven given;
    OptionsAction action;
} Parser;

static Status parse_option(Parser *parser, const Option *option, const Argument *argument,
                           RunOptions *options) {
    const char *value = NULL;
    if (option->argument != NULL) {
        STATUS_TRY(take_value(argument, option->argument, parser->argc, parser->argv,
                              &parser->index, &value));
    } else if (argument->value != NULL) {
        return status_make(STATUS_USAGE, "--%s takes no value; write --%s", option->flag,
                           option->flag);
    }
    const Status status = option_store(option, value, options);
    if (!status_is_ok(&status)) {
        return status_make(status.code, "--%s: %s", option->flag, status.why);
    }
    parser->given.row[option - option_rows] = true;
    if (option->kind == OPTION_ACTION) {
        parser->action = option->action;
    }
    return status_ok();
}

static Status parse_argument(Parser *parser, RunOptions *options) {
    Argument argument;
    STATUS_TRY(split_argument(parser->scope, parser->argv[parser->index], &argument));
    const Option *option = option_find(argument.flag, parser->scope);
    if (option != NULL) {
        return parse_option(parser, option, &argument, options);
    }
    const Axis *axis =
        parser->scope == SCOPE_LIST ? NULL : axis_catalog_find(&parser->catalog, argument.flag);
    if (axis == NULL) {
        return unknown_option(parser->scope, &parser->catalog, argument.flag);
    }
    const char *list;
    STATUS_TRY(take_value(&argument, "LIST", parser->argc, parser->argv, &parser->index, &list));
    return store_axis(axis, list, options);
}

/* Help is given whatever else is on the line: who asks for it may well have the rest wrong. */
static bool wants_help(int argc, char **argv) {
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

Status options_parse(OptionScope scope, int argc, char **argv, RunOptions *options,
                     OptionsAction *action) {
    *options = options_default();
    if (wants_help(argc, argv)) {
        *action = OPTIONS_HELP;
        return status_ok();
    }
    Parser parser = {.scope = scope,
                     .argc = argc,
                     .argv = argv,
                     .catalog = axis_catalog(),
                     .action = OPTIONS_GO};
    for (; parser.index < argc; parser.index++) {
        STATUS_TRY(parse_argument(&parser, options));
    }
    *action = parser.action;
    if (parser.action != OPTIONS_GO) {
        return status_ok();
    }
    return options_check(scope, &parser.given, options);
}
