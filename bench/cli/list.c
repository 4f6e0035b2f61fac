/* The command `bench list`. */

#include "cli_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "datasets.h"
#include "image_sets.h"
#include "run.h"

enum { TERM_INDENT = 4, TEXT_COLUMN = 22, LINE_SIZE = 1024 };

static void print_axes(FILE *stream, size_t indent, const Axis *const *axes) {
    for (; axes != NULL && *axes != NULL; axes++) {
        char term[LIST_WORD_SIZE];
        char text[LINE_SIZE];
        snprintf(term, sizeof term, "--%s LIST", (*axes)->name);
        snprintf(text, sizeof text, "%s. Default: %s", (*axes)->help, (*axes)->defaults);
        text_entry(stream, indent, term, TEXT_COLUMN, text);
    }
}

static void print_variant(FILE *stream, const Variant *variant) {
    char text[LINE_SIZE];
    snprintf(text, sizeof text, "%s", variant->summary);
    if (variant->improves_on != NULL) {
        text_append(text, sizeof text, "; improves on %s", variant->improves_on);
    }
    text_entry(stream, TERM_INDENT, variant->name, TEXT_COLUMN, text);
    print_axes(stream, TERM_INDENT + 2, variant->tuning);
    const Status available = registry_variant_available(variant);
    if (!status_is_ok(&available)) {
        snprintf(text, sizeof text, "not available here: %s", available.why);
        text_entry(stream, TERM_INDENT, "", TEXT_COLUMN, text);
    }
}

/* The input of an algorithm, where it is not one image. */
static const char *const input_texts[INPUT_KINDS] = {
    [WORKLOAD_IMAGE_SET] = "image sets, labelled or not: --images and --side, not --sizes",
    [WORKLOAD_KEYPOINTS] =
        "images with keypoints: --keypoints-file, or those that fast finds; and --weights",
    [WORKLOAD_DESCRIPTORS] = "two sets of descriptors, synthetic",
};

static void print_algorithm(FILE *stream, const Algorithm *algorithm) {
    text_entry(stream, 0, algorithm->name, TEXT_COLUMN, algorithm->summary);
    if (input_texts[algorithm->input] != NULL) {
        text_entry(stream, 2, "input:", TEXT_COLUMN, input_texts[algorithm->input]);
    }
    if (algorithm->answer != NULL && algorithm->answer[0] != NULL) {
        text_entry(stream, 2, "axes of the answer:", TEXT_COLUMN, "");
        print_axes(stream, TERM_INDENT, algorithm->answer);
        text_entry(stream, 2, "variants:", TEXT_COLUMN, "");
    }
    for (size_t v = 0; v < registry_variant_count(algorithm); v++) {
        print_variant(stream, registry_variant(algorithm, v));
    }
    fputc('\n', stream);
}

static void print_devices(FILE *stream) {
    fputs("Devices\n", stream);
    for (size_t i = 0; i < registry_backend_count(); i++) {
        const Backend *backend = registry_backend(i);
        char description[STATUS_WHY_SIZE] = "";
        const Status found = backend->probe(description, sizeof description);
        char text[LINE_SIZE];
        snprintf(text, sizeof text, "%s%s", status_is_ok(&found) ? "" : "not available here: ",
                 status_is_ok(&found) ? description : found.why);
        text_entry(stream, TERM_INDENT, backend->name, TEXT_COLUMN, text);
    }
    fputc('\n', stream);
}

static void list_sizes(FILE *stream) {
    for (size_t i = 0; i < named_size_count; i++) {
        const SizeSpec *size = &named_sizes[i].size;
        char text[LINE_SIZE];
        if (size->width == 0) {
            snprintf(text, sizeof text, "the input's own size (default with --input)");
        } else {
            snprintf(text, sizeof text, "%" PRId32 "x%" PRId32 "%s", size->width, size->height,
                     named_sizes[i].in_all ? "" : " (not part of all)");
        }
        text_entry(stream, TERM_INDENT, size->name, TEXT_COLUMN, text);
    }
    text_entry(stream, TERM_INDENT, "WxH", TEXT_COLUMN, "any other, such as 640x480");
}

static void list_set_sizes(FILE *stream) {
    char text[LINE_SIZE];
    snprintf(text, sizeof text,
             "images, the first of the set: numbers, or all (default with --input, else %s)",
             set_images_default);
    text_entry(stream, TERM_INDENT, "--images LIST", TEXT_COLUMN, text);
    snprintf(text, sizeof text,
             "of each image, 1 to %d: 28 or 24x32 (default: the input's own, else %d)",
             IMAGE_SET_SIDE_MAX, SET_SIDE_DEFAULT);
    text_entry(stream, TERM_INDENT, "--side LIST", TEXT_COLUMN, text);
}

static void list_kinds(FILE *stream, WorkloadKind kind) {
    char text[LINE_SIZE] = "";
    const char *const *names = kind_synthetics(kind);
    for (size_t i = 0; names[i] != NULL; i++) {
        text_append(text, sizeof text, "%s%s%s", i == 0 ? "" : ", ", names[i],
                    i == 0 ? " (default)" : "");
    }
    text_entry(stream, TERM_INDENT, "--synthetic KIND", TEXT_COLUMN, text);
}

static void list_densities(FILE *stream) {
    char text[LINE_SIZE] = "";
    for (size_t i = 0; synthetic_kinds[i] != NULL; i++) {
        if (synthetic_has_density(synthetic_kinds[i])) {
            text_append(text, sizeof text, "%s%s", text[0] == '\0' ? "share of ones of " : ", ",
                        synthetic_kinds[i]);
        }
    }
    text_entry(stream, TERM_INDENT, "--density SHARE", TEXT_COLUMN, text);
}

void list_print(FILE *stream, const RunOptions *options) {
    fputs("Algorithms and their variants\n\n", stream);
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        const Algorithm *algorithm = registry_algorithm(i);
        bool selected = options->algorithm_count == 0;
        for (size_t a = 0; a < options->algorithm_count; a++) {
            selected = selected || options->algorithms[a] == algorithm;
        }
        if (selected) {
            print_algorithm(stream, algorithm);
        }
    }
    print_devices(stream);
    fputs("Sizes\n", stream);
    list_sizes(stream);
    fputs("\nSizes of image sets\n", stream);
    list_set_sizes(stream);
    fputs("\nSynthetic images\n", stream);
    list_kinds(stream, WORKLOAD_IMAGE);
    list_densities(stream);
    fputs("\nSynthetic image sets\n", stream);
    list_kinds(stream, WORKLOAD_IMAGE_SET);
    fputs("\nSynthetic sets of descriptors\n", stream);
    list_kinds(stream, WORKLOAD_DESCRIPTORS);
}

static Status list(Invocation *given, void *options) {
    (void)given;
    list_print(stdout, options);
    return status_ok();
}

const Command command_list = {
    .name = "list",
    .summary = "algorithms, variants, axes, devices, sizes",
    .usage = "bench list [--algo NAME[,NAME...]]",
    .about = "Algorithms with their axes and variants, and why a variant is not available on this "
             "machine; devices; sizes; synthetic images and image sets.",
    .examples = "bench list\n"
                "bench list --algo lbp\n",
    .rows = run_option_rows,
    .scope = SCOPE_LIST,
    .size = sizeof(RunOptions),
    .defaults = &run_defaults,
    .check = run_options_check,
    .run = list,
};
