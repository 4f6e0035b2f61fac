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
    Suggestion suggestion = suggest_start(name);
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        suggest_offer(&suggestion, registry_algorithm(i)->name);
    }
    return suggest_unknown(&suggestion, "algorithm");
}

static Status take_algorithms(const Option *option, const char *value, void *of) {
    (void)option;
    RunOptions *options = of;
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

static Status take_sizes(const Option *option, const char *value, void *of) {
    (void)option;
    RunOptions *options = of;
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

static Status take_variants(const Option *option, const char *value, void *of) {
    (void)option;
    RunOptions *options = of;
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

static Status take_synthetic(const Option *option, const char *value, void *of) {
    (void)option;
    RunOptions *options = of;
    return synthetic_find(value, &options->synthetic);
}

/* An axis has an option of its name. */
static Status take_axis(const Option *option, const char *value, void *of) {
    RunOptions *options = of;
    size_t i = 0;
    while (i < options->axis_count && strcmp(options->axes[i].name, option->name) != 0) {
        i++;
    }
    if (i == OPTIONS_AXES_MAX) {
        return status_make(STATUS_USAGE, "more than %d axes at once; write fewer",
                           OPTIONS_AXES_MAX);
    }
    options->axes[i] = (AxisRequest){.name = option->name, .list = value};
    options->axis_count += i == options->axis_count;
    return status_ok();
}

const Option *run_axis_rows(void) {
    static Option rows[AXIS_CATALOG_MAX + 1]; /* OPTIONS_END is zeros */
    if (rows[0].name == NULL) {
        const AxisCatalog catalog = axis_catalog();
        for (size_t i = 0; i < catalog.count; i++) {
            rows[i] = (Option){.name = catalog.axes[i]->name,
                               .argument = "LIST",
                               .kind = OPTION_HANDLED,
                               .handle = take_axis};
        }
    }
    return rows;
}

/* === Options table ============================================================================ */

enum { COUNT_MAX = 1000000 };

enum { RUN = SCOPE_RUN, ROOF = SCOPE_ROOF, LIST = SCOPE_LIST, SELFTEST = SCOPE_SELFTEST };

static const char *const roof_formats[] = {"table", "json", NULL};

#define MEMBER(name) .member = offsetof(RunOptions, name)
#define WHAT .group = "What is measured"
#define HOW .group = "How it is measured"
#define COMPARED .group = "What it is compared with"
#define WHERE .group = "What is written, and where"
#define OTHER .group = "Other"

const RunOptions run_defaults = {
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

const Option run_option_rows[] = {
    {"algo", "NAME[,NAME...]|all", "algorithms; 'bench list' names them", .kind = OPTION_HANDLED,
     .handle = take_algorithms, WHAT, .scope = RUN | LIST | SELFTEST},
    {"sizes", "LIST|all",
     "names (1080p, 4K, 512), WxH (640x480), native; all is 360p to 16K. Default: native with "
     "--input, else 1080p",
     .kind = OPTION_HANDLED, .handle = take_sizes, WHAT, .scope = RUN | SELFTEST},
    {"images", "LIST|all",
     "for algorithms that take image sets: how many images, the first of the set. Default: all "
     "with --input, else 1000",
     .kind = OPTION_TEXT, MEMBER(images), WHAT, .scope = RUN | SELFTEST},
    {"side", "LIST",
     "size of each image of a set, pixels: 28, or WxH such as 24x32. Default: the input's own, "
     "else 28",
     .kind = OPTION_TEXT, MEMBER(side), WHAT, .scope = RUN | SELFTEST},
    {"input", "FILE|DIR",
     "an image (PNG, JPEG, PBM, PGM, PPM), or a folder of them; for algorithms that take image "
     "sets an IDX file, gzipped or not, or a folder of images of one size",
     .kind = OPTION_TEXT, MEMBER(input), WHAT, .scope = RUN | SELFTEST},
    {"labels", "FILE",
     "labels of an image set, an IDX file. Default: the file beside --input whose name has "
     "'labels' for 'images', or the names of its folders",
     .kind = OPTION_TEXT, MEMBER(labels), WHAT, .scope = RUN | SELFTEST},
    {"synthetic", "KIND",
     "kind of synthetic image, or set; 'bench list' names them. Default: texture; for image sets "
     "digits, for descriptors pairs",
     .kind = OPTION_HANDLED, .handle = take_synthetic, WHAT, .scope = RUN | SELFTEST},
    {"seed", "N",
     "seed of synthetic images, of random choices in algorithms, and of resampling. Default: 1",
     .kind = OPTION_WHOLE, MEMBER(seed), .most = UINT64_MAX, WHAT, .scope = RUN | SELFTEST},
    {"density", "SHARE",
     "share of ones in the binary synthetic images (random, even, clustered, cantor): 10% or 0.1. "
     "Default: (3/4)^L, where 2^L is the least power of two that is no shorter than the longer "
     "side",
     .kind = OPTION_SHARE, MEMBER(density), WHAT, .scope = RUN | SELFTEST},
    {"keypoints-file", "FILE",
     "keypoints to describe, CSV with columns x, y, size and angle, in pixels of --input, the "
     "strongest first. Default: those that fast finds, then random ones",
     .kind = OPTION_TEXT, MEMBER(keypoints_file), WHAT, .scope = RUN | SELFTEST},
    {"weights", "FILE[,FILE]|random",
     "weights that keypoints are described with; random: untrained ones. Default: the trained "
     "ones",
     .kind = OPTION_TEXT, MEMBER(weights), WHAT, .scope = RUN | SELFTEST},
    {"variants", "NAME[,NAME...]|all", "implementations, CPU and GPU. Default: all",
     .kind = OPTION_HANDLED, .handle = take_variants, WHAT, .scope = RUN | SELFTEST},
    {"max-cell", "TIME", "skip seq where one run is estimated to take longer. Default: 60s",
     .kind = OPTION_DURATION, MEMBER(max_cell), WHAT, .scope = RUN},

    {"reps", "N", "take exactly N samples, instead of as many as needed", .kind = OPTION_INT,
     MEMBER(reps), .least = 1, .most = COUNT_MAX, HOW, .scope = RUN | SELFTEST},
    {"ci-width", "RATIO",
     "stop when the 95% interval of the median is this narrow: 1% or 0.01. Default: 1%",
     .kind = OPTION_RATIO, MEMBER(ci_width), HOW, .scope = RUN | SELFTEST},
    {"min-reps", "N", "samples to take before stopping by --ci-width. Default: 15",
     .kind = OPTION_INT, MEMBER(min_reps), .least = 1, .most = COUNT_MAX, HOW,
     .scope = RUN | SELFTEST},
    {"max-time", "TIME", "longest sampling of one cell: 10, 10s, 500ms or 2min. Default: 10s",
     .kind = OPTION_DURATION, MEMBER(max_time), HOW, .scope = RUN | SELFTEST},
    {"warmup", "N", "runs before the first sample. Default: 3", .kind = OPTION_INT, MEMBER(warmup),
     .least = 1, .most = COUNT_MAX, HOW, .scope = RUN | SELFTEST},
    {"cold", NULL, "flush the caches before each sample", .kind = OPTION_SET, MEMBER(cold), HOW,
     .scope = RUN | SELFTEST},
    {"hot", NULL, "leave the caches as they are (default)", .kind = OPTION_CLEAR, MEMBER(cold), HOW,
     .scope = RUN | SELFTEST},
    {"pinned", NULL, "page-lock the host memory that uploads and downloads use", .kind = OPTION_SET,
     MEMBER(pinned), HOW, .scope = RUN},
    {"energy", NULL, "measure the energy of a run, which takes one more second for each cell",
     .kind = OPTION_SET, MEMBER(energy), HOW, .scope = RUN},
    {"no-interleave", NULL, "sample one cell after the other, instead of all of an input in turns",
     .kind = OPTION_CLEAR, MEMBER(interleave), HOW, .scope = RUN | ROOF},
    {"pairs", "N", "how often each cell is compared with itself. Default: 100", .kind = OPTION_INT,
     MEMBER(pairs), .least = 1, .most = COUNT_MAX, HOW, .scope = SELFTEST},
    {"no-roof", NULL, "measure neither ceilings nor the copy at each size", .kind = OPTION_CLEAR,
     MEMBER(roof), HOW, .scope = RUN},

    {"baseline", "RUN",
     "compare with a stored run, as 'bench compare' does; cells that look slower are measured "
     "again first",
     .kind = OPTION_TEXT, MEMBER(baseline), COMPARED, .scope = RUN},
    {"alpha", "RATIO", "probability of a false alarm in the comparison. Default: 0.01",
     .kind = OPTION_RATIO, MEMBER(alpha), COMPARED, .scope = RUN},
    /* --threshold is an axis of lacunarity. */
    {"baseline-threshold", "RATIO", "change of the median that does not matter yet. Default: 5%",
     .kind = OPTION_RATIO, MEMBER(threshold), COMPARED, .scope = RUN},
    {"strict", NULL, "end with exit code 7 when a cell is ambiguous and none is slower",
     .kind = OPTION_SET, MEMBER(strict), COMPARED, .scope = RUN},

    {"out", "DIR", "folder of the run. Default: reports/runs/<time>-<algorithms>",
     .kind = OPTION_TEXT, MEMBER(out), WHERE, .scope = RUN},
    {"csv", "FILE", "another copy of the CSV; 'bench help columns' explains it",
     .kind = OPTION_TEXT, MEMBER(csv), WHERE, .scope = RUN},
    {"json", "FILE", "another copy of the JSON (Google Benchmark's schema)", .kind = OPTION_TEXT,
     MEMBER(json), WHERE, .scope = RUN},
    {"save", "DIR",
     "write every verified answer there: images as PNG, tables as CSV, descriptors as hexadecimal "
     "digits. An answer that differs from seq's within the algorithm's tolerance is a file of its "
     "own with the variant's name",
     .kind = OPTION_TEXT, MEMBER(save), WHERE, .scope = RUN},
    {"save-table", NULL,
     "write the full table behind an answer as well (lacunarity: how often each box mass occurs); "
     "needs --save",
     .kind = OPTION_SET, MEMBER(save_table), WHERE, .scope = RUN},
    {"plot", NULL, "draw charts with gnuplot (default)", .kind = OPTION_SET, MEMBER(plot), WHERE,
     .scope = RUN},
    {"no-plot", NULL, "draw no charts", .kind = OPTION_CLEAR, MEMBER(plot), WHERE, .scope = RUN},
    {"resume", "DIR",
     "continue a run that was interrupted, on the same machine and build, with its arguments",
     .kind = OPTION_TEXT, MEMBER(resume), WHERE, .scope = RUN},

    {"fresh", NULL, "measure again, also when stored ceilings are at most a week old",
     .kind = OPTION_SET, MEMBER(fresh), HOW, .scope = ROOF},
    {"format", "table|json", "a table, or the ceilings as JSON. Default: table",
     .kind = OPTION_WORD, MEMBER(format), .words = roof_formats, .noun = "format", WHERE,
     .scope = ROOF},

    {"dry-run", NULL, "print the plan and measure nothing", .kind = OPTION_SET, MEMBER(dry_run),
     OTHER, .scope = RUN},
    {"list", NULL, "the same as 'bench list'", .kind = OPTION_SET, MEMBER(list), OTHER,
     .scope = RUN},
    {"quiet", NULL, "no progress and no notes on standard error", .kind = OPTION_SET, MEMBER(quiet),
     OTHER, .scope = RUN | ROOF | SELFTEST},
    OPTIONS_END};

/* === Options inputs =========================================================================== */

enum { NAMES_SIZE = STATUS_WHY_SIZE / 4 };

/* Inputs in messages, in the order of their priority. */
static const struct {
    KindSet kinds;
    WorkloadKind kind;   /* whose synthetic names they have */
    const char *takes;   /* an algorithm takes … */
    const char *instead; /* of an option for others */
    const char *is;      /* a synthetic name is … */
    const char *names;   /* an algorithm takes … by their names */
} inputs[] = {
    {KINDS_PICTURES, WORKLOAD_IMAGE, "one image", "write --sizes", "a single image",
     "single images"},
    {KINDS_SETS, WORKLOAD_IMAGE_SET, "an image set", "write --images and --side", "an image set",
     "image sets"},
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
        {"images", KINDS_SETS, "image sets", NULL},
        {"side", KINDS_SETS, "image sets", NULL},
        {"labels", KINDS_SETS, "image sets", NULL},
        {"sizes", KINDS_PICTURES, "one image", NULL},
        {"keypoints-file", KINDS_KEYPOINTS, "keypoints", "leave it out"},
        {"weights", KINDS_KEYPOINTS, "keypoints", "leave it out"},
        {"input", KINDS_FILES, "images", "leave it out"},
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
    char images[NAMES_SIZE];
    char sets[NAMES_SIZE];
    kinds_algorithms(options, KINDS_PICTURES, images, sizeof images);
    kinds_algorithms(options, KINDS_SETS, sets, sizeof sets);
    return status_make(STATUS_USAGE,
                       "--input is either images or one image set; leave out of --algo %s (sets), "
                       "or %s (images)",
                       sets, images);
}

static Status check_labels(const RunOptions *options) {
    if (options->labels != NULL && options->input == NULL) {
        return status_make(STATUS_USAGE,
                           "--labels belong to the images of --input; write --input FILE as "
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

/* A resumed run alone takes its stored arguments, which are parsed in their turn. */
Status run_options_check(void *of, const OptionsGiven *given) {
    RunOptions *options = of;
    const unsigned scope = given->command->scope;
    STATUS_TRY(check_conflicts(given));
    if (scope == SCOPE_SELFTEST) {
        complete_selftest(given, options);
    } else if (options->list || (options->resume != NULL && options->algorithm_count == 0)) {
        return status_ok();
    }
    return scope == SCOPE_RUN || scope == SCOPE_SELFTEST ? check_run(given, options) : status_ok();
}
