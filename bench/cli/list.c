/* The command `bench list`. */

#include "algorithm.h"
#include "axis.h"
#include "backend.h"
#include "cli_internal.h"
#include "machine.h"
#include "run_options.h"
#include "variant.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datasets.h"
#include "image_sets.h"
#include "json.h"
#include "list.h"
#include "registry.h"
#include "run.h"
#include "text.h"

enum { TERM_INDENT = 4, TEXT_COLUMN = 22, LINE_SIZE = 1024 };

static void print_axes(FILE *stream, size_t indent, const Axis *const *axes) {
    for (; axes != NULL && *axes != NULL; axes++) {
        char term[LIST_WORD_SIZE], text[LINE_SIZE];
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
    if (variant->peer != NULL) {
        text_append(text, sizeof text, "; other people's code (%s): swept with --peers",
                    variant->peer->library);
    }
    if (variant->on_request) {
        text_append(text, sizeof text, "; on request: swept where --variants names it");
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

/* How devices are called and linked, of those facts that there are. */
static const struct {
    const char *fact, *name, *key;
} device_facts[] = {
    {fact_gpu_devices, "chosen:", "chosen"},
    {fact_gpu_pcie, "PCIe:", "pcie"},
    {fact_gpu_links, "links:", "links"},
};

enum { DEVICE_FACTS = sizeof device_facts / sizeof device_facts[0] };

void list_print_links(FILE *stream, const Machine *machine) {
    for (size_t i = 0; i < DEVICE_FACTS; i++) {
        const char *text = machine_text(machine, device_facts[i].fact);
        if (text[0] != '\0') {
            text_entry(stream, TERM_INDENT + 2, device_facts[i].name, TEXT_COLUMN, text);
        }
    }
}

static void print_devices(FILE *stream) {
    static Machine machine;
    machine_read(&machine);
    fputs("Devices\n", stream);
    for (size_t i = 0; i < registry_backend_count(); i++) {
        const Backend *backend = registry_backend(i);
        char description[STATUS_WHY_SIZE] = "";
        const Status found = backend->probe(description, sizeof description);
        char text[LINE_SIZE];
        snprintf(text, sizeof text, "%s%s", status_is_ok(&found) ? "" : "not available here: ",
                 status_is_ok(&found) ? description : found.why);
        text_entry(stream, TERM_INDENT, backend->name, TEXT_COLUMN, text);
        if (backend == &cuda_backend) {
            list_print_links(stream, &machine);
        }
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

/* Without a choice all are. */
static bool is_selected(const RunOptions *options, const Algorithm *algorithm) {
    for (size_t i = 0; i < options->algorithm_count; i++) {
        if (options->algorithms[i] == algorithm) {
            return true;
        }
    }
    return options->algorithm_count == 0;
}

void list_print(FILE *stream, const RunOptions *options) {
    fputs("Algorithms and their variants\n\n", stream);
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        const Algorithm *algorithm = registry_algorithm(i);
        if (is_selected(options, algorithm)) {
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

/* === Short list =============================================================================== */

enum { SHORT_COLUMN = 22 };

/* Why variants cannot run here, each reason once. */
typedef struct Reason {
    char why[STATUS_WHY_SIZE];
    size_t variants;
} Reason;

typedef struct ReasonList {
    Reason *items;
    size_t count, capacity;
} ReasonList;

static Status add_reason(ReasonList *list, const char *why) {
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].why, why) == 0) {
            list->items[i].variants++;
            return status_ok();
        }
    }
    STATUS_TRY(LIST_ROOM(NULL, list->items, list->count, list->capacity, "reasons"));
    Reason *reason = &list->items[list->count++];
    *reason = (Reason){.variants = 1};
    snprintf(reason->why, sizeof reason->why, "%s", why);
    return status_ok();
}

static Status print_short_line(FILE *stream, const Algorithm *algorithm, ReasonList *reasons) {
    const size_t count = registry_variant_count(algorithm);
    size_t here = 0;
    char term[LIST_WORD_SIZE];
    for (size_t v = 0; v < count; v++) {
        const Status available = registry_variant_available(registry_variant(algorithm, v));
        if (status_is_ok(&available)) {
            here++;
        } else {
            STATUS_TRY(add_reason(reasons, available.why));
        }
    }
    snprintf(term, sizeof term, "%-10s %2zu of %2zu", algorithm->name, here, count);
    text_entry(stream, 0, term, SHORT_COLUMN, algorithm->summary);
    return status_ok();
}

static Status print_short(FILE *stream, ReasonList *reasons) {
    text_entry(stream, 0, "algorithm run here", SHORT_COLUMN, "(variants, of all there are)");
    for (size_t i = 0; i < registry_algorithm_count(); i++) {
        STATUS_TRY(print_short_line(stream, registry_algorithm(i), reasons));
    }
    for (size_t i = 0; i < reasons->count; i++) {
        char text[LINE_SIZE + STATUS_WHY_SIZE], why[LINE_SIZE];
        text_visible(reasons->items[i].why, why, sizeof why);
        snprintf(text, sizeof text, "%zu variants cannot run here: %s", reasons->items[i].variants,
                 why);
        text_entry(stream, 0, "", 0, text);
    }
    text_entry(stream, 0, "", 0,
               "'bench list NAME' shows the variants and axes of one, 'bench list --all' "
               "everything: devices, sizes and synthetic inputs too.");
    return status_ok();
}

Status list_show(FILE *stream, const RunOptions *options) {
    if (options->algorithm_count > 0) {
        list_print(stream, options);
        return status_ok();
    }
    ReasonList reasons = {.items = NULL};
    const Status status = print_short(stream, &reasons);
    free(reasons.items);
    return status;
}

/* === JSON ===================================================================================== */

static bool add_state(cJSON *object, const Status *available) {
    const bool here = status_is_ok(available);
    return cJSON_AddBoolToObject(object, "available", here) != NULL &&
           (here || json_add_text(object, "why", available->why));
}

static bool add_axes(cJSON *object, const char *key, const Axis *const *axes) {
    cJSON *array = cJSON_AddArrayToObject(object, key);
    bool complete = array != NULL;
    for (; complete && axes != NULL && *axes != NULL; axes++) {
        const Axis *axis = *axes;
        cJSON *entry = json_add_object(array);
        complete = json_add_text(entry, "name", axis->name) &&
                   json_add_text(entry, "summary", axis->help) &&
                   json_add_text(entry, "default", axis->defaults);
        if (axis->kind == AXIS_INTEGER) {
            complete = complete && json_add_number(entry, "minimum", (double)axis->minimum) &&
                       json_add_number(entry, "maximum", (double)axis->maximum);
        } else if (axis->kind == AXIS_CHOICE) {
            cJSON *values = cJSON_AddArrayToObject(entry, "values");
            for (size_t i = 0; complete && axis->choices[i] != NULL; i++) {
                complete = cJSON_AddItemToArray(values, cJSON_CreateString(axis->choices[i]));
            }
        }
    }
    return complete;
}

static bool add_variant(cJSON *array, const Variant *variant) {
    const Status available = registry_variant_available(variant);
    cJSON *entry = json_add_object(array);
    return json_add_text(entry, "name", variant->name) &&
           json_add_text(entry, "summary", variant->summary) &&
           json_add_text(entry, "backend", variant->backend->name) &&
           (variant->improves_on == NULL ||
            json_add_text(entry, "improves_on", variant->improves_on)) &&
           cJSON_AddBoolToObject(entry, "on_request", variant->on_request) &&
           add_state(entry, &available) && add_axes(entry, "axes", variant->tuning);
}

static bool add_algorithm(cJSON *array, const Algorithm *algorithm) {
    cJSON *entry = json_add_object(array);
    bool complete = json_add_text(entry, "name", algorithm->name) &&
                    json_add_text(entry, "summary", algorithm->summary) &&
                    add_axes(entry, "axes", algorithm->answer);
    cJSON *variants = complete ? cJSON_AddArrayToObject(entry, "variants") : NULL;
    complete = variants != NULL;
    for (size_t v = 0; complete && v < registry_variant_count(algorithm); v++) {
        complete = add_variant(variants, registry_variant(algorithm, v));
    }
    return complete;
}

static bool add_links(cJSON *entry, const Machine *machine) {
    bool complete = true;
    for (size_t i = 0; complete && i < DEVICE_FACTS; i++) {
        const char *text = machine_text(machine, device_facts[i].fact);
        complete = text[0] == '\0' || json_add_text(entry, device_facts[i].key, text);
    }
    return complete;
}

static bool add_device(cJSON *array, const Backend *backend, const Machine *machine) {
    char description[STATUS_WHY_SIZE] = "";
    const Status found = backend->probe(description, sizeof description);
    cJSON *entry = json_add_object(array);
    return json_add_text(entry, "name", backend->name) &&
           json_add_text(entry, "description", description) && add_state(entry, &found) &&
           (backend != &cuda_backend || add_links(entry, machine));
}

static Status list_json(FILE *stream, const RunOptions *options) {
    static Machine machine;
    machine_read(&machine);
    cJSON *root = cJSON_CreateObject();
    cJSON *algorithms = cJSON_AddArrayToObject(root, "algorithms");
    cJSON *devices = cJSON_AddArrayToObject(root, "devices");
    bool complete = algorithms != NULL && devices != NULL;
    for (size_t i = 0; complete && i < registry_algorithm_count(); i++) {
        if (is_selected(options, registry_algorithm(i))) {
            complete = add_algorithm(algorithms, registry_algorithm(i));
        }
    }
    for (size_t i = 0; complete && i < registry_backend_count(); i++) {
        complete = add_device(devices, registry_backend(i), &machine);
    }
    return json_print(stream, json_whole(root, complete), "the list as JSON");
}

/* === Command list ============================================================================= */

typedef struct ListOptions {
    RunOptions run; /* first: --algo is its option */
    bool all, json;
} ListOptions;

static Status list(Invocation *given, void *of) {
    const ListOptions *options = of;
    (void)given;
    if (options->json) {
        return list_json(stdout, &options->run);
    }
    if (options->all) {
        list_print(stdout, &options->run);
        return status_ok();
    }
    return list_show(stdout, &options->run);
}

static const Option *own_rows(void) {
    static const Option rows[] = {
        {NULL, "NAME[,NAME...]", NULL, .takes = TAKES_LIST, .kind = OPTION_HANDLED,
         .handle = run_option_algorithms},
        {"all", NULL, "every algorithm as 'bench list NAME' shows one", .kind = OPTION_SET,
         .member = offsetof(ListOptions, all), .group = "Other"},
        {"json", NULL, "as JSON: algorithms with axes and variants, and devices",
         .kind = OPTION_SET, .member = offsetof(ListOptions, json), .group = "Other"},
        OPTIONS_END};
    return rows;
}

const Command command_list = {
    .name = "list",
    .summary = "algorithms, variants, axes, devices, sizes",
    .usage = "bench list [NAME[,NAME...]|FILE.c|FILE.cpp|FILE.cu|FILE.py] [--all] [--json]",
    .about = "Alone: a line for each algorithm, with the number of its variants that run on this "
             "machine. With names: their axes and variants, and why a variant is not available "
             "here; devices; sizes; synthetic images and image sets.",
    .examples = "bench list\n"
                "bench list lbp\n"
                "bench list --json\n",
    .words = "one algorithm, or several with commas",
    .rows = run_option_rows,
    .more_rows = own_rows,
    .scope = SCOPE_LIST,
    .size = sizeof(ListOptions),
    .run = list,
};
