/* The options of `bench run`, `list`, `roof` and `selftest`. */

#include "run_options.h"
#include "algorithm.h"
#include "axis.h"
#include "backend.h"
#include "cli.h"
#include "cli_internal.h"
#include "paths.h"
#include "variant.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "datasets.h"
#include "devices.h"
#include "registry.h"
#include "run.h"
#include "text.h"

/* === Options handlers ========================================================================= */

Status run_add_algorithm(const Algorithm *algorithm, RunOptions *options) {
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

Status option_prices(const Option *option, const char *value, void *of) {
    return prices_parse(value, (Prices *)((char *)of + option->member));
}

Status run_option_algorithms(const Option *option, const char *value, void *of) {
    (void)option;
    RunOptions *options = of;
    options->algorithm_count = 0;
    while (value != NULL) {
        char word[LIST_WORD_SIZE];
        STATUS_TRY(list_next(&value, word));
        if (strcmp(word, "all") == 0) {
            for (size_t i = 0; i < registry_algorithm_count(); i++) {
                STATUS_TRY(run_add_algorithm(registry_algorithm(i), options));
            }
            continue;
        }
        const Algorithm *algorithm = registry_find_algorithm(word);
        if (algorithm == NULL) {
            return unknown_algorithm(word);
        }
        STATUS_TRY(run_add_algorithm(algorithm, options));
    }
    return status_ok();
}

/* Names with commas between. */
static void print_name(size_t index, const char *name, FILE *stream) {
    fprintf(stream, "%s%s", index > 0 ? "," : "", name);
}

static bool are_all_algorithms(const RunOptions *options) {
    bool all = options->algorithm_count == registry_algorithm_count();
    for (size_t i = 0; all && i < options->algorithm_count; i++) {
        all = options->algorithms[i] == registry_algorithm(i);
    }
    return all;
}

void run_print_algorithms(const Option *option, const void *of, FILE *stream) {
    (void)option;
    const RunOptions *options = of;
    if (are_all_algorithms(options)) {
        fputs("all", stream);
        return;
    }
    for (size_t i = 0; i < options->algorithm_count; i++) {
        print_name(i, options->algorithms[i]->name, stream);
    }
}

static Status read_sizes(const Option *option, const char *value, void *of) {
    (void)option;
    RunOptions *options = of;
    return sizes_parse(value, options->sizes, &options->size_count);
}

static void print_sizes(const Option *option, const void *of, FILE *stream) {
    (void)option;
    const RunOptions *options = of;
    sizes_print(options->sizes, options->size_count, stream);
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
        const Variant *peer = registry_find_variant(algorithm, word);
        if (peer != NULL) {
            return peer->name;
        }
    }
    return NULL;
}

Status run_add_variant(const char *name, RunOptions *options) {
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

Status run_option_variants(const Option *option, const char *value, void *of) {
    (void)option;
    RunOptions *options = of;
    bool every = false;
    options->variant_count = 0;
    options->every_cpu = options->every_gpu = false;
    while (value != NULL) {
        char word[LIST_WORD_SIZE];
        STATUS_TRY(list_next(&value, word));
        bool cpu;
        bool *side = strcmp(word, "all") == 0      ? &every
                     : !side_word_find(word, &cpu) ? NULL
                     : cpu                         ? &options->every_cpu
                                                   : &options->every_gpu;
        if (side != NULL) {
            *side = true;
            continue;
        }
        Suggestion suggestion = suggest_start(word);
        const char *name = variant_name(word, &suggestion);
        if (name == NULL) {
            char nearest[SUGGEST_TEXT_SIZE];
            return status_make(STATUS_USAGE, "'%s' is no variant%s (see 'bench list')", word,
                               suggest_text(&suggestion, nearest));
        }
        STATUS_TRY(run_add_variant(name, options));
    }
    if (every) {
        options->variant_count = 0;
        options->every_cpu = options->every_gpu = false;
    }
    return status_ok();
}

void run_print_variants(const Option *option, const void *of, FILE *stream) {
    (void)option;
    const RunOptions *options = of;
    const char *const sides[] = {options->every_cpu ? "cpu" : NULL,
                                 options->every_gpu ? "gpu" : NULL};
    size_t printed = 0;
    for (size_t i = 0; i < 2; i++) {
        if (sides[i] != NULL) {
            print_name(printed++, sides[i], stream);
        }
    }
    for (size_t i = 0; i < options->variant_count; i++) {
        print_name(printed++, options->variants[i], stream);
    }
    fputs(printed == 0 ? "all" : "", stream);
}

static Status read_synthetic(const Option *option, const char *value, void *of) {
    (void)option;
    RunOptions *options = of;
    return synthetic_find(value, &options->synthetic);
}

static Status read_pass(const Option *option, const char *value, void *of) {
    (void)option;
    RunOptions *options = of;
    Share launch;
    if (!share_parse(value, LAUNCHES_MAX, &launch)) {
        return status_make(STATUS_USAGE,
                           "'%s' is no pass: write K/N, launch K of N, such as 2/6 (N up to %d)",
                           value, LAUNCHES_MAX);
    }
    options->pass = launch.index;
    options->launches = launch.count;
    return status_ok();
}

static void print_share(const Share *share, FILE *stream) {
    char text[SHARE_TEXT_SIZE];
    share_text(share, text);
    fputs(share->index > 0 ? text : "", stream);
}

static void print_pass(const Option *option, const void *of, FILE *stream) {
    (void)option;
    const RunOptions *options = of;
    print_share(&(Share){.index = options->pass, .count = options->launches}, stream);
}

Status budget_read(const Option *option, const char *value, void *options) {
    double *seconds = (void *)((unsigned char *)options + option->member);
    *seconds = INFINITY;
    return strcmp(value, "none") == 0 ? status_ok() : duration_read(value, false, seconds);
}

static void print_budget(const Option *option, const void *of, FILE *stream) {
    (void)option;
    const RunOptions *options = of;
    if (isfinite(options->budget)) {
        duration_print(options->budget, stream);
    } else {
        fputs("none", stream);
    }
}

Status run_option_devices(const Option *option, const char *value, void *options) {
    return device_choice_read(value, false, (void *)((unsigned char *)options + option->member));
}

void run_print_devices(const Option *option, const void *options, FILE *stream) {
    char text[DEVICE_CHOICE_SIZE];
    device_choice_text((const void *)((const unsigned char *)options + option->member), text);
    fputs(text, stream);
}

Status run_choose_devices(const RunOptions *options) {
    const DeviceChoice *devices = &options->devices;
    const Status status = devices->kind == DEVICES_LISTED
                              ? cuda_devices_choose(devices->numbers, devices->count)
                              : status_ok();
    return status_is_ok(&status) ? status
                                 : status_make(status.code, "--device: %.370s", status.why);
}

static Status read_shard(const Option *option, const char *value, void *of) {
    (void)option;
    RunOptions *options = of;
    return share_read(value, &options->share);
}

static void print_shard(const Option *option, const void *of, FILE *stream) {
    (void)option;
    const RunOptions *options = of;
    print_share(&options->share, stream);
}

/* Its place, or that behind the last. */
static size_t find_axis(const RunOptions *options, const char *name) {
    size_t i = 0;
    while (i < options->axis_count && strcmp(options->axes[i].name, name) != 0) {
        i++;
    }
    return i;
}

/* An axis has an option of its name. */
static Status read_axis(const Option *option, const char *value, void *of) {
    RunOptions *options = of;
    const size_t i = find_axis(options, option->name);
    if (i == OPTIONS_AXES_MAX) {
        return status_make(STATUS_USAGE, "more than %d axes at once; write fewer",
                           OPTIONS_AXES_MAX);
    }
    options->axes[i] = (AxisRequest){.name = option->name, .list = value};
    options->axis_count += i == options->axis_count;
    return status_ok();
}

static void print_axis(const Option *option, const void *of, FILE *stream) {
    const RunOptions *options = of;
    const size_t i = find_axis(options, option->name);
    fputs(i < options->axis_count ? options->axes[i].list : "", stream);
}

enum { AXIS_HELP_SIZE = 1024 };

/* The algorithm with this axis, if there is one alone; NULL: several have it. */
static const Algorithm *only_owner(const char *axis) {
    const Algorithm *owner = NULL;
    static RunOptions of = {.algorithm_count = 1};
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        of.algorithms[0] = registry_algorithm(i);
        if (options_use_axis(&of, axis) && owner != NULL) {
            return NULL;
        }
        owner = options_use_axis(&of, axis) ? of.algorithms[0] : owner;
    }
    return owner;
}

/* What an answer axis of this name is for algorithms with another default, where it means something
 * else. */
static void add_other_meanings(const Axis *first, char text[AXIS_HELP_SIZE]) {
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        const Algorithm *algorithm = registry_algorithm(i);
        const Axis *axis = axis_in_list(algorithm->answer, first->name);
        if (axis != NULL && strcmp(axis->defaults, first->defaults) != 0) {
            text_append(text, AXIS_HELP_SIZE, ". %s: %.300s. Default: %.100s", algorithm->name,
                        axis->help, axis->defaults);
        }
    }
}

static void set_axis_row(const Axis *axis, const Algorithm *owner, Option *row) {
    static char texts[AXIS_CATALOG_MAX][AXIS_HELP_SIZE];
    static char groups[AXIS_CATALOG_MAX][2 * LIST_WORD_SIZE];
    static size_t used;
    char owners[AXIS_HELP_SIZE / 2];
    char *text = texts[used];
    char *group = groups[used++];
    axis_owners(axis->name, owners, sizeof owners);
    snprintf(text, AXIS_HELP_SIZE, "%.300s. Default: %.100s", axis->help, axis->defaults);
    if (owner == NULL || axis_in_list(owner->answer, axis->name) == NULL) {
        text_append(text, AXIS_HELP_SIZE, ". Of: %s", owners);
        add_other_meanings(axis, text);
    }
    snprintf(group, sizeof groups[0],
             owner != NULL ? "Axes of %s (bench list %s)"
                           : "Axes of several algorithms; lists sweep: 4,8,16 or 1..8",
             owner != NULL ? owner->name : "", owner != NULL ? owner->name : "");
    *row = (Option){.name = axis->name,
                    .argument = "LIST",
                    .help = text,
                    .takes = TAKES_LIST,
                    .kind = OPTION_HANDLED,
                    .handle = read_axis,
                    .print = print_axis,
                    .group = group,
                    .scope = SCOPE_RUN | SCOPE_SELFTEST | SCOPE_PROFILE | SCOPE_VERIFY,
                    .role = ROLE_MEASURE};
}

/* Those of several algorithms, then those of one, algorithm by algorithm. Filled anew when modules
 * have been loaded, before any option is read. */
const Option *run_axis_rows(void) {
    static Option rows[AXIS_CATALOG_MAX + 1]; /* OPTIONS_END is zeros */
    static size_t filled_for;                 /* algorithms */
    if (filled_for == registry_algorithm_count()) {
        return rows;
    }
    const AxisCatalog catalog = axis_catalog();
    const Algorithm *owners[AXIS_CATALOG_MAX];
    for (size_t i = 0; i < catalog.count; i++) {
        owners[i] = only_owner(catalog.axes[i]->name);
    }
    size_t count = 0;
    filled_for = registry_algorithm_count();
    for (size_t a = 0; a <= registry_algorithm_count(); a++) {
        const Algorithm *owner = a > 0 ? registry_algorithm(a - 1) : NULL;
        for (size_t i = 0; i < catalog.count; i++) {
            if (owners[i] == owner) {
                set_axis_row(catalog.axes[i], owner, &rows[count++]);
            }
        }
    }
    return rows;
}

/* === Options table ============================================================================ */

enum { COUNT_MAX = 1000000 };

enum {
    RUN = SCOPE_RUN,
    ROOF = SCOPE_ROOF,
    LIST = SCOPE_LIST,
    SELFTEST = SCOPE_SELFTEST,
    PROFILE = SCOPE_PROFILE
};

const char *const all_word[] = {"all", NULL};
const char *const none_word[] = {"none", NULL};
static const char *const random_word[] = {"random", NULL};
static const char *const auto_word[] = {"auto", NULL};
static const char *const roof_formats[] = {"table", "json", NULL};

#define MEMBER(name) .member = offsetof(RunOptions, name)
#define SET(name) .kind = OPTION_SET, MEMBER(name)
#define CLEAR(name) .kind = OPTION_CLEAR, MEMBER(name)
#define TEXT(name) .kind = OPTION_TEXT, MEMBER(name)
#define OUTPUT(name) .kind = OPTION_OUTPUT, MEMBER(name)
#define COUNT(name) .kind = OPTION_INT, MEMBER(name), .least = 1, .most = COUNT_MAX
#define HANDLED(...) .kind = OPTION_HANDLED, .handle = __VA_ARGS__
#define READ(name) .kind = OPTION_INPUT, MEMBER(name)
#define READ_LIST(name) .kind = OPTION_INPUT_LIST, MEMBER(name)
#define ROLE(name) .role = ROLE_##name

#define WHAT(commands) .group = "What is measured", .scope = commands
#define HOW(commands) .group = "How it is measured", .scope = commands
#define COMPARED(commands) .group = "What it is compared with", .scope = commands
#define WHERE(commands) .group = "What is written, and where", .scope = commands
#define OTHER(commands) .group = "Other", .scope = commands

const Option run_option_rows[] = {
    {"algo", "NAME[,NAME...]|all", "algorithms; 'bench list' names them",
     .brief = "what is computed; 'bench list' names them", .takes = TAKES_LIST, .words = all_word,
     HANDLED(run_option_algorithms, .print = run_print_algorithms), MEMBER(algorithms),
     WHAT(RUN | LIST | SELFTEST | PROFILE), ROLE(MEASURE)},
    {"sizes", "LIST|all",
     "names (1080p, 4K, 512), WxH (640x480), native; all is 360p to 16K. Default: native with "
     "--input, else 1080p",
     .brief = "1080p, 4K, 640x480; all is 360p to 16K", .takes = TAKES_LIST, .words = all_word,
     HANDLED(read_sizes, .print = print_sizes), WHAT(RUN | SELFTEST | PROFILE), ROLE(MEASURE)},
    {"images", "LIST|all",
     "for algorithms that take image sets: number of images, from the start of the set. "
     "Default: all with --input, else 1000",
     .takes = TAKES_LIST, .words = all_word, TEXT(images), WHAT(RUN | SELFTEST | PROFILE),
     ROLE(MEASURE)},
    {"side", "LIST",
     "size of each image of a set, pixels: 28, or WxH such as 24x32. Default: the input's own, "
     "else 28",
     .takes = TAKES_LIST, TEXT(side), WHAT(RUN | SELFTEST | PROFILE), ROLE(MEASURE)},
    {"input", "FILE|DIR",
     "an image (PNG, JPEG, PBM, PGM, PPM, raw), an array of numbers (PFM, NPY), or a folder of "
     "them; for algorithms that take image sets an IDX file, gzipped or not, or a folder of images "
     "of one size",
     .brief = "your own image, or a folder of images", READ(input), WHAT(RUN | SELFTEST | PROFILE),
     ROLE(MEASURE)},
    {"second", "FILE",
     "for algorithms that take two images: the other one, of the size of --input. Default: the "
     "input turned by half a turn",
     READ(second), WHAT(RUN | SELFTEST | PROFILE), ROLE(MEASURE)},
    {"labels", "FILE",
     "labels of an image set, an IDX file. Default: the file beside --input with 'labels' instead "
     "of 'images' in its name, or the names of its folders",
     READ(labels), WHAT(RUN | SELFTEST | PROFILE), ROLE(MEASURE)},
    ORIENT_OPTION(WHAT(RUN | SELFTEST | PROFILE), ROLE(MEASURE)),
    {"synthetic", "KIND",
     "kind of synthetic image or set; 'bench list --all' names them. Default: texture; for image "
     "sets "
     "digits, for descriptors pairs",
     HANDLED(read_synthetic), WHAT(RUN | SELFTEST | PROFILE), ROLE(MEASURE)},
    {"seed", "N",
     "seed of synthetic images, of random choices in algorithms, and of resampling. Default: 1",
     .kind = OPTION_WHOLE, MEMBER(seed), .most = UINT64_MAX, WHAT(RUN | SELFTEST | PROFILE),
     ROLE(MEASURE)},
    {"density", "SHARE",
     "share of ones in a binary synthetic image (random, even, clustered, cantor): 10% or 0.1. "
     "Default: (3/4)^L, where 2^L is the longer side, rounded up to a power of two",
     .kind = OPTION_SHARE, MEMBER(density), WHAT(RUN | SELFTEST | PROFILE), ROLE(MEASURE)},
    {"keypoints-file", "FILE",
     "keypoints to describe: CSV with columns x, y, size and angle, in pixels of --input, the "
     "strongest first. Default: the keypoints that fast finds, then random ones",
     READ_LIST(keypoints_file), WHAT(RUN | SELFTEST | PROFILE), ROLE(MEASURE)},
    {"weights", "FILE[,FILE]|random",
     "weights of the descriptors; random: untrained ones. Default: the trained ones",
     .words = random_word, READ_LIST(weights), WHAT(RUN | SELFTEST | PROFILE), ROLE(MEASURE)},
    {"variants", "LIST|all",
     "implementations, by name; cpu and gpu: all of that side. Default: all but those on request "
     "(see 'bench list')",
     .brief = "seq, simd, omp, cuda_fast …, or cpu, or gpu", .takes = TAKES_LIST, .words = all_word,
     HANDLED(run_option_variants, .print = run_print_variants), MEMBER(variants),
     WHAT(RUN | SELFTEST | PROFILE), ROLE(MEASURE)},
    {"peers", NULL,
     "measure what other people's libraries take too: 'bench peers' lists them, and installs them "
     "when asked to. One that is absent is skipped",
     SET(peers), WHAT(RUN), ROLE(MEASURE)},
    {"weak", NULL,
     "keep the work of each GPU: with --gpus N there are N times the rows of the image, images of "
     "the set, candidates of adaboost, or keypoints of descriptors; √N times those of matching",
     SET(weak), WHAT(RUN), ROLE(MEASURE)},
    {"max-cell", "TIME",
     "skip seq where one run is estimated to take longer, and end a call of a module's that does. "
     "Default: 60s, and the long runs of the first launch together half of --budget",
     .kind = OPTION_DURATION, MEMBER(max_cell), WHAT(RUN), ROLE(MEASURE)},

    {"budget", "TIME|none",
     "time for everything: launches, each a new process that measures all cells, follow each other "
     "as long as there is time, at least 3 and at most 12. They end at 6 if every side is decided "
     "then. none: they end only then. Default: 60s, unless --launches or the number of samples is "
     "given",
     .brief = "time for everything. Default: 60s", .words = none_word,
     HANDLED(budget_read, .print = print_budget), MEMBER(budget), HOW(RUN), ROLE(PACE)},
    {"stop-after", "N",
     "with --budget: stop when N launches are in, if the budget does not end the run sooner; "
     "--resume goes on",
     .kind = OPTION_INT, MEMBER(stop_after), .least = 1, .most = BUDGET_LAUNCHES_MAX, HOW(RUN),
     ROLE(ONCE)},
    {"every-tuning", NULL,
     "with --budget: later launches measure all tunings, as a curve over threads or tiles needs. "
     "Default: not those that were clearly slower than another one of their variant",
     SET(every_tuning), HOW(RUN), ROLE(PACE)},
    {"launches", "N",
     "measure everything exactly N times, each time in a new process: 6 or more give 95% intervals "
     "that the next run of the program keeps to. Default: see --budget; with --baseline 8",
     .kind = OPTION_INT, MEMBER(launches), .least = 1, .most = LAUNCHES_MAX, HOW(RUN), ROLE(RUN)},
    {"spread", "TIME",
     "with --launches: launches begin evenly over this time, so that they see a shared machine's "
     "quiet and busy minutes: 10min; 0: one after the other. Default: six or more begin at least "
     "30 s after each other, with --baseline 0",
     .kind = OPTION_PAUSE, MEMBER(spread), HOW(RUN | SELFTEST), ROLE(PACE)},
    {"launches", "[N]",
     "measure how far N launches of the program lie apart, instead of pairs. Default: 6",
     .kind = OPTION_INT, MEMBER(launches), .least = 2, .most = LAUNCHES_MAX, .otherwise = "6",
     HOW(SELFTEST), ROLE(RUN)},
    {"pass", "K/N",
     "measure only launch K of N, such as on another machine; 'bench runs merge' joins launches",
     HANDLED(read_pass, .print = print_pass), HOW(RUN), ROLE(RUN)},
    DEVICE_OPTION(MEMBER(devices), HOW(RUN | SELFTEST | ROOF), ROLE(RUN)),
    {"shard", "I/N|auto",
     "measure only share I of N of the plan, such as on another machine; 'bench runs merge' joins "
     "shares. Cells that are compared with each other stay in one share. auto: as Slurm, Open MPI "
     "or PMI tell this process",
     .words = auto_word, HANDLED(read_shard, .print = print_shard), HOW(RUN), ROLE(SHARE)},
    {"first", "RUN",
     "with --pass: verify answers by those of launch 1, stored in RUN, instead of by seq",
     .kind = OPTION_RUN, MEMBER(first), HOW(RUN), ROLE(FREE)},
    {"reps", "N", "take exactly N samples, instead of as many as needed", COUNT(reps),
     HOW(RUN | SELFTEST), ROLE(MEASURE)},
    {"ci-width", "RATIO",
     "stop when the 95% interval of the median is this narrow: 1% or 0.01. Default: 1%",
     .kind = OPTION_RATIO, MEMBER(ci_width), HOW(RUN | SELFTEST), ROLE(MEASURE)},
    {"min-reps", "N", "samples to take before stopping by --ci-width. Default: 15", COUNT(min_reps),
     HOW(RUN | SELFTEST), ROLE(MEASURE)},
    {"max-time", "TIME", "longest sampling of one cell: 10, 10s, 500ms or 2min. Default: 10s",
     .kind = OPTION_DURATION, MEMBER(max_time), HOW(RUN | SELFTEST), ROLE(MEASURE)},
    {"warmup", "N", "uncounted runs before the samples. Default: 3; 1 of 5 ms or more",
     COUNT(warmup), HOW(RUN | SELFTEST), ROLE(MEASURE)},
    {"cold", NULL, "flush the caches before each sample", SET(cold), HOW(RUN | SELFTEST),
     ROLE(MEASURE)},
    {"hot", NULL, "leave the caches as they are (default)", CLEAR(cold), HOW(RUN | SELFTEST),
     ROLE(MEASURE)},
    {"pinned", NULL, "page-lock the host memory that uploads and downloads use", SET(pinned),
     HOW(RUN), ROLE(MEASURE)},
    {"energy", NULL,
     "measure the energy of a run of each variant's fastest tuning, which takes 6 s more in each "
     "of three launches or more",
     SET(energy), HOW(RUN), ROLE(RUN)},
    {"energy-window", "TIME", "length of such a measurement; shorter ones miss more. Default: 5s",
     .kind = OPTION_DURATION, MEMBER(energy_window), HOW(RUN), ROLE(RUN)},
    {"no-interleave", NULL,
     "sample one cell after the other, instead of the cells of an input in turns",
     CLEAR(interleave), HOW(RUN | ROOF), ROLE(MEASURE)},
    {"pairs", "N", "how often each cell is compared with itself. Default: 100", COUNT(pairs),
     HOW(SELFTEST), ROLE(RUN)},
    {"no-roof", NULL, "do not measure the ceilings", CLEAR(roof), HOW(RUN), ROLE(RUN)},

    {"baseline", "RUN", "compare with a stored run, by launches, as 'bench compare' does",
     .kind = OPTION_RUN, MEMBER(baseline), COMPARED(RUN), ROLE(COMPARE)},
    {"baseline-program", "FILE",
     "the program that the baseline is of: its launches alternate with those of this one, so that "
     "the machine is the same for both; the stored run only says which cells are compared",
     .takes = TAKES_FILE, TEXT(baseline_program), COMPARED(RUN), ROLE(PROGRAM)},
    {"alpha", "RATIO", "probability of a false alarm in the comparison. Default: 0.01",
     .kind = OPTION_RATIO, MEMBER(alpha), COMPARED(RUN), ROLE(COMPARE)},
    /* --threshold is an axis of lacunarity. */
    {"baseline-threshold", "RATIO", "change of the median that does not matter yet. Default: 5%",
     .kind = OPTION_RATIO, MEMBER(threshold), COMPARED(RUN), ROLE(COMPARE)},
    {"strict", NULL, "end with exit code 7 when a cell is undecided and none is slower",
     SET(strict), COMPARED(RUN), ROLE(COMPARE)},

    {"out", "DIR",
     "folder of the run. Default: <time>-<algorithms> in the folder of runs (BENCH_RUNS)",
     .brief = "folder of the run. Default: one of its own", .takes = TAKES_FOLDER, TEXT(out),
     WHERE(RUN), ROLE(WRITE)},
    FORCE_OPTION(MEMBER(force), WHERE(RUN), ROLE(WRITE)),
    {"csv", "FILE", "another copy of the CSV; 'bench help columns' explains it", OUTPUT(csv),
     WHERE(RUN), ROLE(WRITE)},
    {NULL, "RUN", NULL, .kind = OPTION_RUN, MEMBER(profiled), .scope = PROFILE, ROLE(WRITE)},
    {"csv", "FILE", "another copy of the table, with every kernel", OUTPUT(csv), WHERE(PROFILE),
     ROLE(WRITE)},
    {"inside", "N", NULL, COUNT(inside), .scope = PROFILE, ROLE(ACT)},
    {"max-long", "TIME", NULL, .kind = OPTION_DURATION, MEMBER(max_long), .scope = RUN, ROLE(PACE)},
    {"leave-out", "LIST", NULL, .takes = TAKES_LIST, TEXT(leave_out), .scope = RUN, ROLE(FREE)},
    {"json", "FILE", "another copy of the JSON (Google Benchmark's schema)", OUTPUT(json),
     WHERE(RUN), ROLE(WRITE)},
    {"save", "DIR",
     "write every verified answer there: images as PNG, tables as CSV, descriptors as hexadecimal "
     "digits. An answer that differs from seq's within the algorithm's tolerance is a file of its "
     "own with the variant's name",
     .takes = TAKES_FOLDER, TEXT(save), WHERE(RUN), ROLE(WRITE)},
    {"save-table", NULL,
     "write the full table behind an answer as well (lacunarity: how often each box mass occurs); "
     "needs --save",
     SET(save_table), WHERE(RUN), ROLE(WRITE)},
    {"plot", NULL, "draw charts with gnuplot (default)", SET(plot), WHERE(RUN), ROLE(FREE)},
    {"no-plot", NULL, "draw no charts", CLEAR(plot), WHERE(RUN), ROLE(FREE)},
    {"resume", "DIR",
     "continue a run that was interrupted, on the same machine and build, with its arguments",
     .takes = TAKES_FOLDER, TEXT(resume), WHERE(RUN), ROLE(WRITE)},

    {"fresh", NULL, "measure again, even if the stored ceilings are less than a week old",
     SET(fresh), HOW(ROOF), ROLE(RUN)},
    {"format", "table|json", "a table, or the ceilings as JSON. Default: table",
     .kind = OPTION_CHOICE, MEMBER(format), .words = roof_formats, .noun = "format", WHERE(ROOF),
     ROLE(FREE)},

    {"dry-run", NULL, "print how long it would take, and the plan, and measure nothing",
     .brief = "say how long it would take; measure nothing", SET(dry_run), OTHER(RUN), ROLE(ACT)},
    {"list", NULL, "the same as 'bench list'", SET(list), OTHER(RUN), ROLE(ACT)},
    {"all", NULL, "print all rows instead of the summary", SET(all), OTHER(RUN), ROLE(FREE)},
    {"price", "LIST",
     "what an hour of the machine with the GPU costs, and one of the machine without: "
     "gpu=3.2,cpu=0.8. The summary and reports of the run then say who is cheaper, and from what "
     "size on",
     .takes = TAKES_LIST, HANDLED(option_prices), MEMBER(prices), OTHER(RUN), ROLE(FREE)},
    {"quiet", NULL, "no progress and no notes on standard error",
     .brief = "no progress and no notes", SET(quiet), OTHER(RUN | ROOF | SELFTEST | PROFILE),
     ROLE(FREE)},
    OPTIONS_END};

bool command_is_option(const char *name) {
    const Option *row;
    for (size_t i = 0; (row = &run_option_rows[i])->name != NULL || row->argument != NULL; i++) {
        if (row->name != NULL && strcmp(row->name, name) == 0) {
            return true;
        }
    }
    static const char *const of_all[] = {"plugin", "python", "color", "help"};
    bool found = false;
    for (size_t i = 0; i < sizeof of_all / sizeof of_all[0]; i++) {
        found |= strcmp(name, of_all[i]) == 0;
    }
    return found;
}

/* === Options inputs =========================================================================== */

enum { NAMES_SIZE = STATUS_WHY_SIZE / 4 };

/* Inputs in messages, in the order of their priority. */
static const struct {
    KindSet kinds;
    WorkloadKind kind;   /* whose synthetic names these are */
    const char *name;    /* an algorithm takes NAME */
    const char *instead; /* what to write instead of an option for another input */
} inputs[] = {
    {KINDS_IMAGES, WORKLOAD_IMAGE, "one image", "write --sizes"},
    {KINDS_SETS, WORKLOAD_IMAGE_SET, "an image set", "write --images and --side"},
    {KINDS_DESCRIPTORS, WORKLOAD_DESCRIPTORS, "two sets of descriptors", "leave it out"},
};

enum { INPUTS = sizeof inputs / sizeof inputs[0] };

/* The first input that a selected algorithm takes; `names` are the algorithms that take it. */
static size_t first_wanted(const RunOptions *options, char names[NAMES_SIZE]) {
    size_t i = 0;
    while (i + 1 < INPUTS && !kinds_are_wanted(options, inputs[i].kinds)) {
        i++;
    }
    kinds_algorithms(options, inputs[i].kinds, names, NAMES_SIZE);
    return i;
}

/* Options for some kinds of input: --FLAG is for algorithms that take WHAT. */
static const struct {
    const char *flag;
    KindSet kinds;
    const char *what;
    const char *instead; /* NULL: that of the input that is wanted */
} flags[] = {
    {"images", KINDS_SETS, "image sets", NULL},
    {"side", KINDS_SETS, "image sets", NULL},
    {"labels", KINDS_SETS, "image sets", NULL},
    {"sizes", KINDS_IMAGES, "one image", NULL},
    {"density", KINDS_IMAGES, "one image", "leave it out"},
    {"keypoints-file", KINDS_KEYPOINTS, "keypoints", "leave it out"},
    {"weights", KINDS_KEYPOINTS, "keypoints", "leave it out"},
    {"input", KINDS_FILES, "images", "leave it out"},
    {"second", KINDS_IMAGES, "images", "leave it out"},
};

enum { FLAGS = sizeof flags / sizeof flags[0] };

bool run_option_suits(const Option *option, const RunOptions *options) {
    for (size_t i = 0; i < FLAGS; i++) {
        if (strcmp(flags[i].flag, option->name) == 0) {
            return kinds_are_wanted(options, flags[i].kinds);
        }
    }
    return true;
}

static Status check_flags(const OptionsGiven *given, const RunOptions *options) {
    for (size_t i = 0; i < FLAGS; i++) {
        if (options_was_given(given, flags[i].flag) && !kinds_are_wanted(options, flags[i].kinds)) {
            char names[NAMES_SIZE];
            const size_t wanted = first_wanted(options, names);
            return status_make(STATUS_USAGE, "--%s is for algorithms that take %s; %s takes %s: %s",
                               flags[i].flag, flags[i].what, names, inputs[wanted].name,
                               flags[i].instead != NULL ? flags[i].instead
                                                        : inputs[wanted].instead);
        }
    }
    return status_ok();
}

/* One file or folder cannot be both. */
static Status check_one_kind(const RunOptions *options) {
    if (options->input == NULL || !kinds_are_wanted(options, KINDS_IMAGES) ||
        !kinds_are_wanted(options, KINDS_SETS)) {
        return status_ok();
    }
    char images[NAMES_SIZE], sets[NAMES_SIZE];
    kinds_algorithms(options, KINDS_IMAGES, images, sizeof images);
    kinds_algorithms(options, KINDS_SETS, sets, sizeof sets);
    return status_make(STATUS_USAGE,
                       "--input is either images or one image set; leave %s (sets) or %s (images) "
                       "out of --algo",
                       sets, images);
}

static Status check_labels(const RunOptions *options) {
    if (options->labels != NULL && options->input == NULL) {
        return status_make(STATUS_USAGE,
                           "--labels: the labels belong to the images of --input; write --input "
                           "FILE as well, or leave the option out: synthetic sets have labels");
    }
    return status_ok();
}

/* The synthetic input is of one of the kinds that are wanted; the others have their default. */
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
    char names[NAMES_SIZE], known[NAMES_SIZE] = "";
    const size_t wanted = first_wanted(options, names);
    const char *const *kinds = kind_synthetics(inputs[wanted].kind);
    for (size_t i = 0; kinds[i] != NULL; i++) {
        text_append(known, sizeof known, "%s%s", i == 0 ? "" : ", ", kinds[i]);
    }
    return status_make(STATUS_USAGE, "--synthetic: '%s' is %s; %s takes %s: write %s", given,
                       inputs[is].name, names, inputs[wanted].name, known);
}

static void complete_synthetic(RunOptions *options) {
    char names[NAMES_SIZE];
    if (options->input == NULL && options->synthetic == NULL) {
        options->synthetic = kind_synthetics(inputs[first_wanted(options, names)].kind)[0];
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

const char set_images_default[] = "1000";

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
                               "--images: all means all of the input and needs --input; "
                               "write a number such as 1000");
        }
        if (size->width == 0) {
            size->width = size->height = SET_SIDE_DEFAULT;
        }
    }
    return status_ok();
}

/* Whether inputs, sizes and algorithms suit each other, and their defaults. */
static Status check_inputs(const OptionsGiven *given, RunOptions *options) {
    STATUS_TRY(check_flags(given, options));
    STATUS_TRY(check_one_kind(options));
    STATUS_TRY(check_labels(options));
    STATUS_TRY(check_synthetic(options));
    complete_synthetic(options);
    STATUS_TRY(check_density(options));
    if (kinds_are_wanted(options, KINDS_IMAGES)) {
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
        {"pass", "baseline", "one launch alone proves no change"},
        {"pass", "spread", "one launch alone is spread over nothing"},
        {"shard", "baseline", "a share alone has not all cells; compare the merged run"},
        {"launches", "pairs", "a cell is measured in pairs or in launches"},
        {"budget", "spread", "launches of a budget follow each other"},
        {"budget", "baseline", "a comparison has as many launches on both sides"},
        {"budget", "shard", "every share measures the same launches"},
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

static bool variant_selected(const RunOptions *options, const char *name) {
    for (size_t a = 0; a < options->algorithm_count; a++) {
        if (registry_find_variant(options->algorithms[a], name) != NULL) {
            return true;
        }
    }
    return false;
}

/* Each name is a variant of some algorithm; one of the selected algorithms has to have it. */
static Status check_variants(const RunOptions *options) {
    for (size_t i = 0; i < options->variant_count; i++) {
        if (variant_selected(options, options->variants[i])) {
            continue;
        }
        char names[STATUS_WHY_SIZE / 2];
        algorithm_names(options, names, sizeof names);
        if (options->algorithm_count > 1) {
            return status_make(STATUS_NO_MATCH, "--variants: none of %s has a variant '%s'", names,
                               options->variants[i]);
        }
        Suggestion known = suggest_start(options->variants[i]);
        for (size_t v = 0; v < registry_variant_count(options->algorithms[0]); v++) {
            suggest_offer(&known, registry_variant(options->algorithms[0], v)->name);
        }
        return status_make(STATUS_NO_MATCH, "--variants: %s has no variant '%s' (known: %s)", names,
                           options->variants[i], known.known);
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
        return status_make(
            STATUS_USAGE, "--%s: nothing that is selected of %s has this axis; it is an axis of %s",
            name, selected, owners);
    }
    return status_ok();
}

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

/* A stored run may come from anybody, so it names no program to start: not even the one that it was
 * measured with is found by itself, and a resumed run is told again. */
static Status check_baseline_program(const RunOptions *options) {
    char folder[ATOMIC_FILE_PATH_SIZE];
    if (options->baseline_program != NULL) {
        if (options->baseline == NULL) {
            return status_make(STATUS_USAGE, "--baseline-program needs the run that says which "
                                             "cells are compared; write --baseline RUN as well");
        }
        return access(options->baseline_program, X_OK) == 0
                   ? status_ok()
                   : status_make(STATUS_USAGE, "--baseline-program: %.200s is no program: %s",
                                 options->baseline_program, strerror(errno));
    }
    if (options->resume == NULL || options->baseline == NULL) {
        return status_ok();
    }
    STATUS_TRY(path_make(folder, sizeof folder, "%s/baseline", options->resume));
    return folder_exists(folder)
               ? status_make(STATUS_USAGE, "--resume: the run measures the program of its baseline "
                                           "too; write --baseline-program FILE again")
               : status_ok();
}

static Status check_run(const OptionsGiven *given, RunOptions *options) {
    if (options->algorithm_count == 0) {
        return status_make(STATUS_USAGE, "--algo is needed; write --algo NAME, one of those that "
                                         "'bench list' shows");
    }
    STATUS_TRY(check_variants(options));
    STATUS_TRY(check_axes(options));
    STATUS_TRY(check_tables(options));
    STATUS_TRY(check_baseline_program(options));
    return check_inputs(given, options);
}

/* The defaults of a self-test: a fast variant of each processor. */
static void complete_selftest(const OptionsGiven *given, RunOptions *options) {
    static const char *const usual[] = {"simd", "cuda_fast"};
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

/* Eight launches a side can prove a change of one cell among 64. */
enum { BASELINE_LAUNCHES = 8 };

static void complete_budget(const OptionsGiven *given, RunOptions *options) {
    if (!options_are_exact(given) && !options_was_given(given, "budget")) {
        options->budget = BUDGET_SECONDS;
    }
    if (options->budget > 0 && options->pass == 0 && !options_was_given(given, "launches")) {
        options->launches = BUDGET_LAUNCHES_MAX;
    }
    /* What is asked with may_end may be about seq. */
    if (options->budget > 0 && isfinite(options->budget) && options->pass == 0 &&
        options->may_end == NULL && !options_was_given(given, "max-cell")) {
        options->max_long = options->budget / 2;
    }
}

/* Launches that have an interval may begin closer together only where that is asked for. */
static void complete_spread(const OptionsGiven *given, RunOptions *options) {
    const bool whole = options->pass == 0 && options->baseline == NULL && options->budget <= 0;
    if (whole && options->launches >= MEDIAN_INTERVAL_MIN && !options_was_given(given, "spread")) {
        options->spread = LAUNCHES_APART * options->launches;
    }
}

/* --resume alone: the stored arguments are parsed and checked later (run_resumed). */
Status run_options_check(void *of, const OptionsGiven *given) {
    RunOptions *options = of;
    const unsigned scope = given->command->scope;
    options->given = *given;
    STATUS_TRY(check_conflicts(given));
    STATUS_TRY(run_choose_devices(options));
    if (options->baseline != NULL && !options_was_given(given, "launches")) {
        options->launches = BASELINE_LAUNCHES;
    }
    if (scope == SCOPE_RUN) {
        complete_budget(given, options);
    }
    if (options->stop_after > 0 && options->budget <= 0) {
        return status_make(STATUS_USAGE, "--stop-after needs launches that follow a budget; add "
                                         "--budget 60s, or write --launches alone");
    }
    if (options->spread > 0 && options->launches == 1) {
        return status_make(STATUS_USAGE, "--spread needs launches; add --launches 6");
    }
    if (options->pass > options->launches) {
        return status_make(STATUS_USAGE, "--pass: there is no launch %d of %d; write --pass alone",
                           options->pass, options->launches);
    }
    complete_spread(given, options);
    if (scope == SCOPE_SELFTEST) {
        complete_selftest(given, options);
    } else if (options->list || (options->resume != NULL && options->algorithm_count == 0)) {
        return status_ok();
    }
    const bool measures = scope == SCOPE_RUN || scope == SCOPE_SELFTEST || scope == SCOPE_PROFILE;
    return measures ? check_run(given, options) : status_ok();
}
