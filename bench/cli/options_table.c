#include "options_table.h"

#include <string.h>

#include "datasets.h"
#include "registry.h"
#include "sizes.h"
#include "suggest.h"
#include "text_list.h"

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

static Status handle_algorithms(const char *value, RunOptions *options) {
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

static Status handle_sizes(const char *value, RunOptions *options) {
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

static Status handle_variants(const char *value, RunOptions *options) {
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

static Status handle_synthetic(const char *value, RunOptions *options) {
    char known[STATUS_WHY_SIZE] = "";
    Suggestion suggestion = suggest_start(value);
    for (size_t i = 0; synthetic_kinds[i] != NULL; i++) {
        if (strcmp(synthetic_kinds[i], value) == 0) {
            options->synthetic = synthetic_kinds[i];
            return status_ok();
        }
        suggest_offer(&suggestion, synthetic_kinds[i]);
        text_append(known, sizeof known, "%s%s", i == 0 ? "" : ", ", synthetic_kinds[i]);
    }
    char nearest[SUGGEST_TEXT_SIZE];
    return status_make(STATUS_USAGE, "'%.40s' is no synthetic kind%s (known: %s)", value,
                       suggest_text(&suggestion, nearest), known);
}

#define MEMBER(name) .member = offsetof(RunOptions, name)
#define WHAT "What is measured"
#define HOW "How it is measured"
#define WHERE "What is written, and where"
#define OTHER "Other"

enum { RUN = SCOPE_RUN, ROOF = SCOPE_ROOF, LIST = SCOPE_LIST };

const Option option_rows[] = {
    {.flag = "algo",
     .argument = "NAME[,NAME...]|all",
     .group = WHAT,
     .scopes = RUN | LIST,
     .kind = OPTION_HANDLED,
     .handle = handle_algorithms,
     .help = "algorithms; 'bench list' names them"},
    {.flag = "sizes",
     .argument = "LIST|all",
     .group = WHAT,
     .scopes = RUN | ROOF,
     .kind = OPTION_HANDLED,
     .handle = handle_sizes,
     .help = "names (1080p, 4K, 512), WxH (640x480), native; all is 360p to 16K. Default: native "
             "with --input, else 1080p"},
    {.flag = "input",
     .argument = "FILE|DIR",
     .group = WHAT,
     .scopes = RUN,
     .kind = OPTION_TEXT,
     MEMBER(input),
     .help = "an image (PNG, JPEG, PBM, PGM, PPM), or a folder of them"},
    {.flag = "synthetic",
     .argument = "KIND",
     .group = WHAT,
     .scopes = RUN | ROOF,
     .kind = OPTION_HANDLED,
     .handle = handle_synthetic,
     .help = "kind of synthetic image; 'bench list' names them. Default: texture"},
    {.flag = "seed",
     .argument = "N",
     .group = WHAT,
     .scopes = RUN | ROOF,
     .kind = OPTION_SEED,
     MEMBER(seed),
     .help = "seed of synthetic images and of resampling. Default: 1"},
    {.flag = "variants",
     .argument = "NAME[,NAME...]|all",
     .group = WHAT,
     .scopes = RUN,
     .kind = OPTION_HANDLED,
     .handle = handle_variants,
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
     .scopes = RUN | ROOF,
     .kind = OPTION_COUNT,
     MEMBER(reps),
     .minimum = 1,
     .help = "take exactly N samples, instead of as many as needed"},
    {.flag = "ci-width",
     .argument = "RATIO",
     .group = HOW,
     .scopes = RUN | ROOF,
     .kind = OPTION_RATIO,
     MEMBER(ci_width),
     .help = "stop when the 95% interval of the median is this narrow: 1% or 0.01. Default: 1%"},
    {.flag = "min-reps",
     .argument = "N",
     .group = HOW,
     .scopes = RUN | ROOF,
     .kind = OPTION_COUNT,
     MEMBER(min_reps),
     .minimum = 1,
     .help = "samples to take before stopping by --ci-width. Default: 15"},
    {.flag = "max-time",
     .argument = "TIME",
     .group = HOW,
     .scopes = RUN | ROOF,
     .kind = OPTION_DURATION,
     MEMBER(max_time),
     .help = "longest sampling of one cell: 10, 10s, 500ms or 2min. Default: 10s"},
    {.flag = "warmup",
     .argument = "N",
     .group = HOW,
     .scopes = RUN | ROOF,
     .kind = OPTION_COUNT,
     MEMBER(warmup),
     .minimum = 1,
     .help = "runs before the first sample. Default: 3"},
    {.flag = "cold",
     .group = HOW,
     .scopes = RUN | ROOF,
     .kind = OPTION_SET,
     MEMBER(cold),
     .help = "flush the caches before each sample"},
    {.flag = "hot",
     .group = HOW,
     .scopes = RUN | ROOF,
     .kind = OPTION_CLEAR,
     MEMBER(cold),
     .help = "leave the caches as they are (default)"},
    {.flag = "pinned",
     .group = HOW,
     .scopes = RUN | ROOF,
     .kind = OPTION_SET,
     MEMBER(pinned),
     .help = "page-lock the host memory that uploads and downloads use"},
    {.flag = "no-roof",
     .group = HOW,
     .scopes = RUN,
     .kind = OPTION_CLEAR,
     MEMBER(roof),
     .help = "do not measure the copy roof at each size"},

    {.flag = "out",
     .argument = "DIR",
     .group = WHERE,
     .scopes = RUN | ROOF,
     .kind = OPTION_TEXT,
     MEMBER(out),
     .help = "folder of the run. Default: reports/runs/<time>-<algorithms>"},
    {.flag = "csv",
     .argument = "FILE",
     .group = WHERE,
     .scopes = RUN | ROOF,
     .kind = OPTION_TEXT,
     MEMBER(csv),
     .help = "another copy of the CSV; 'bench help columns' explains it"},
    {.flag = "json",
     .argument = "FILE",
     .group = WHERE,
     .scopes = RUN | ROOF,
     .kind = OPTION_TEXT,
     MEMBER(json),
     .help = "another copy of the JSON (Google Benchmark's schema)"},
    {.flag = "save",
     .argument = "DIR",
     .group = WHERE,
     .scopes = RUN,
     .kind = OPTION_TEXT,
     MEMBER(save),
     .help = "write every verified answer there: images as PNG, tables as CSV"},
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
     .scopes = RUN | ROOF,
     .kind = OPTION_SET,
     MEMBER(quiet),
     .help = "no progress and no notes on standard error"},
    {.flag = "help",
     .group = OTHER,
     .scopes = RUN | ROOF | LIST,
     .kind = OPTION_ACTION,
     .action = OPTIONS_HELP,
     .help = "this text"},
};
const size_t option_row_count = sizeof option_rows / sizeof option_rows[0];
_Static_assert(sizeof option_rows / sizeof option_rows[0] <= OPTION_ROWS_MAX,
               "OptionsGiven has room for every option");

const Option *option_find(const char *flag, OptionScope scope) {
    for (size_t i = 0; i < option_row_count; i++) {
        if ((option_rows[i].scopes & (unsigned)scope) != 0 &&
            strcmp(option_rows[i].flag, flag) == 0) {
            return &option_rows[i];
        }
    }
    return NULL;
}
