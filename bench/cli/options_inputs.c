/* What a request is measured on: whether its inputs and sizes suit the selected algorithms, which
 * take pictures, or sets of pictures; and the defaults of both. */
#include "datasets.h"
#include "input_kinds.h"
#include "options_table.h"
#include "set_sizes.h"
#include "sizes.h"
#include "text_list.h"

enum { NAMES_SIZE = STATUS_WHY_SIZE / 4 };

static Status check_sets_only(const OptionsGiven *given, const RunOptions *options) {
    static const char *const flags[] = {"images", "side", "labels"};
    if (kind_is_wanted(options, WORKLOAD_IMAGE_SET)) {
        return status_ok();
    }
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (options_was_given(given, flags[i])) {
            char names[NAMES_SIZE];
            kind_algorithms(options, WORKLOAD_IMAGE, names, sizeof names);
            return status_make(STATUS_USAGE,
                               "--%s is for algorithms that take sets of pictures; %s takes one "
                               "picture: write --sizes",
                               flags[i], names);
        }
    }
    return status_ok();
}

static Status check_pictures_only(const OptionsGiven *given, const RunOptions *options) {
    char names[NAMES_SIZE];
    if (kind_is_wanted(options, WORKLOAD_IMAGE)) {
        return status_ok();
    }
    kind_algorithms(options, WORKLOAD_IMAGE_SET, names, sizeof names);
    if (options_was_given(given, "sizes")) {
        return status_make(STATUS_USAGE,
                           "--sizes is for algorithms that take one picture; %s takes a set of "
                           "them: write --images and --side",
                           names);
    }
    if (options_was_given(given, "density")) {
        return status_make(STATUS_USAGE,
                           "--density is the share of ones in binary synthetic images; %s takes "
                           "sets of pictures, which have none: leave it out",
                           names);
    }
    return status_ok();
}

/* One file or folder cannot be both. */
static Status check_one_kind(const RunOptions *options) {
    if (options->input == NULL || !kind_is_wanted(options, WORKLOAD_IMAGE) ||
        !kind_is_wanted(options, WORKLOAD_IMAGE_SET)) {
        return status_ok();
    }
    char pictures[NAMES_SIZE];
    char sets[NAMES_SIZE];
    kind_algorithms(options, WORKLOAD_IMAGE, pictures, sizeof pictures);
    kind_algorithms(options, WORKLOAD_IMAGE_SET, sets, sizeof sets);
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

/* Of one of the kinds that are wanted; the other then has its default. */
static Status check_synthetic(const RunOptions *options) {
    static const WorkloadKind kinds[] = {WORKLOAD_IMAGE, WORKLOAD_IMAGE_SET};
    WorkloadKind wanted = WORKLOAD_IMAGE;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kind_is_wanted(options, kinds[i])) {
            wanted = kinds[i];
            if (options->synthetic == NULL ||
                kind_find_synthetic(wanted, options->synthetic) != NULL) {
                return status_ok();
            }
        }
    }
    char names[NAMES_SIZE];
    char known[NAMES_SIZE];
    kind_algorithms(options, wanted, names, sizeof names);
    list_synthetics(wanted, known, sizeof known);
    return status_make(STATUS_USAGE, "--synthetic: '%s' is a %s; %s takes %s: write %s",
                       options->synthetic,
                       wanted == WORKLOAD_IMAGE ? "set of pictures" : "single picture", names,
                       wanted == WORKLOAD_IMAGE ? "single pictures" : "sets of them", known);
}

static void complete_synthetic(RunOptions *options) {
    if (options->input == NULL && options->synthetic == NULL) {
        const bool pictures = kind_is_wanted(options, WORKLOAD_IMAGE);
        options->synthetic = kind_synthetics(pictures ? WORKLOAD_IMAGE : WORKLOAD_IMAGE_SET)[0];
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
    STATUS_TRY(check_sets_only(given, options));
    STATUS_TRY(check_pictures_only(given, options));
    STATUS_TRY(check_one_kind(options));
    STATUS_TRY(check_labels(options));
    STATUS_TRY(check_synthetic(options));
    complete_synthetic(options);
    STATUS_TRY(check_density(options));
    if (kind_is_wanted(options, WORKLOAD_IMAGE)) {
        STATUS_TRY(complete_sizes(options));
    }
    return kind_is_wanted(options, WORKLOAD_IMAGE_SET) ? complete_set_sizes(options) : status_ok();
}
