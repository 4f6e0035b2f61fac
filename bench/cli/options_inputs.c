/* What a request is measured on: whether its inputs and sizes suit the selected algorithms, which
 * take pictures, with keypoints or without, or sets of pictures, or descriptors; and the defaults.
 */
#include "datasets.h"
#include "input_kinds.h"
#include "options_table.h"
#include "set_sizes.h"
#include "sizes.h"
#include "text_list.h"

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

Status options_check_inputs(const OptionsGiven *given, RunOptions *options) {
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
