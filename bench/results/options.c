/* What a run is asked for: options, named sizes, axes. */

#include "options.h"
#include "algorithm.h"
#include "ratio.h"
#include "registry.h"
#include "run_options.h"
#include "size_spec.h"
#include "text.h"
#include "variant.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const RunOptions run_defaults = {
    .seed = 1,
    .launches = 1,
    .ci_width = 0.01,
    .min_reps = 15,
    .max_time = 10.0,
    .max_cell = 60.0,
    .energy_window = 5.0,
    .interleave = true,
    .roof = true,
    .pairs = 100,
    .plot = true,
    .alpha = JUDGE_ALPHA,
    .threshold = JUDGE_THRESHOLD,
};

bool options_are_exact(const OptionsGiven *given) {
    static const char *const exact[] = {"launches", "pass",     "shard",    "reps", "min-reps",
                                        "ci-width", "max-time", "baseline", NULL};
    return options_first_given(given, exact) != NULL;
}

/* === Recalled ================================================================================= */

void request_recall(const ArgumentList *arguments, RunOptions *request) {
    OptionsGiven *given = &request->given;
    options_start(&command_run, request, given);
    for (int i = 0, count; i < arguments->argc; i += count) {
        char **words = arguments->argv + i;
        const Option *option;
        count = command_argument(&command_run, arguments->argc, arguments->argv, i, &option);
        if (option == NULL || option->name == NULL) {
            continue; /* the word "run", or of another version */
        }
        const Status read = options_read(count, words, request, given);
        if (!status_is_ok(&read)) {
            const char *value = strchr(words[0], '=');
            options_give_value(given, option->name,
                               value != NULL ? value + 1
                               : count > 1   ? words[1]
                                             : NULL);
        }
    }
}

/* STATUS_USAGE if one was measured with an option and the other without. */
static Status check_option(const char *option, bool with, const char *name, bool other_with,
                           const char *other_name) {
    return with == other_with
               ? status_ok()
               : status_make(STATUS_USAGE,
                             "%.150s was measured %s %s, and %.150s %s: give runs that were "
                             "measured in one way",
                             name, with ? "with" : "without", option, other_name,
                             with ? "without" : "with it");
}

Status request_check_memory(const ArgumentList *arguments, const char *name,
                            const ArgumentList *others, const char *other_name) {
    RunOptions request, other;
    request_recall(arguments, &request);
    request_recall(others, &other);
    STATUS_TRY(check_option("--pinned", request.pinned, name, other.pinned, other_name));
    return check_option("--cold", request.cold, name, other.cold, other_name);
}

/* === Shares of a plan ========================================================================= */

bool share_parse(const char *text, int most, Share *share) {
    int used = 0;
    return sscanf(text, "%9d/%9d%n", &share->index, &share->count, &used) == 2 &&
           text[used] == '\0' && share->index >= 1 && share->index <= share->count &&
           share->count <= most;
}

void share_text(const Share *share, char text[SHARE_TEXT_SIZE]) {
    snprintf(text, SHARE_TEXT_SIZE, "%d/%d", share->index, share->count);
}

/* === Named sizes ============================================================================== */

const NamedSize named_sizes[] = {
    {.size = {"360p", 480, 360, 0}, .in_all = true},
    {.size = {"480p", 640, 480, 0}, .in_all = true},
    {.size = {"720p", 1280, 720, 0}, .in_all = true},
    {.size = {"1080p", 1920, 1080, 0}, .in_all = true},
    {.size = {"4K", 3840, 2160, 0}, .in_all = true},
    {.size = {"8K", 7680, 4320, 0}, .in_all = true},
    {.size = {"16K", 15360, 8640, 0}, .in_all = true},
    {.size = {"32K", 30720, 17280, 0}, .in_all = false},
    {.size = {"512", 512, 512, 0}, .in_all = false},
    {.size = {"1024", 1024, 1024, 0}, .in_all = false},
    {.size = {"2048", 2048, 2048, 0}, .in_all = false},
    {.size = {"4096", 4096, 4096, 0}, .in_all = false},
    {.size = {"8192", 8192, 8192, 0}, .in_all = false},
    {.size = {"native", 0, 0, 0}, .in_all = false},
};

const size_t named_size_count = sizeof named_sizes / sizeof named_sizes[0];

const SizeSpec *named_size_find(const char *name) {
    for (size_t i = 0; i < named_size_count; i++) {
        if (strcasecmp(name, named_sizes[i].size.name) == 0) {
            return &named_sizes[i].size;
        }
    }
    return NULL;
}

static bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

/* Reads digits; saturates instead of overflowing. */
static const char *read_side(const char *text, uint64_t *side) {
    const uint64_t most = UINT32_MAX;
    *side = 0;
    while (is_digit(*text)) {
        *side = *side * 10 + (uint64_t)(*text++ - '0');
        *side = *side > most ? most : *side;
    }
    return text;
}

bool size_sides_read(const char *text, uint64_t *width, uint64_t *height) {
    const char *cross = read_side(text, width);
    if (cross == text || (*cross != 'x' && *cross != 'X')) {
        return false;
    }
    const char *end = read_side(cross + 1, height);
    return end != cross + 1 && *end == '\0';
}

/* === Axes of the registry ===================================================================== */

const Axis *axis_catalog_find(const AxisCatalog *catalog, const char *name) {
    for (size_t i = 0; i < catalog->count; i++) {
        if (strcmp(catalog->axes[i]->name, name) == 0) {
            return catalog->axes[i];
        }
    }
    return NULL;
}

static void add_axes(AxisCatalog *catalog, const Axis *const *axes) {
    for (; axes != NULL && *axes != NULL; axes++) {
        if (catalog->count < AXIS_CATALOG_MAX &&
            axis_catalog_find(catalog, (*axes)->name) == NULL) {
            catalog->axes[catalog->count++] = *axes;
        }
    }
}

AxisCatalog axis_catalog(void) {
    AxisCatalog catalog = {.count = 0};
    for (size_t a = 0; a < registry_algorithm_count(); a++) {
        const Algorithm *algorithm = registry_algorithm(a);
        add_axes(&catalog, algorithm->answer);
        for (size_t v = 0; v < registry_variant_count(algorithm); v++) {
            add_axes(&catalog, registry_variant(algorithm, v)->tuning);
        }
    }
    return catalog;
}

bool side_word_find(const char *word, bool *cpu) {
    *cpu = strcmp(word, "cpu") == 0;
    return *cpu || strcmp(word, "gpu") == 0 || strcmp(word, "cuda") == 0;
}

bool variant_is_named(const Variant *variant, const char *word) {
    bool cpu;
    return strcasecmp(variant->name, word) == 0 ||
           (side_word_find(word, &cpu) && cpu == variant_is_on_cpu(variant));
}

bool variant_is_in_list(const Variant *variant, const char *list) {
    char word[LIST_WORD_SIZE];
    while (list != NULL) {
        const Status status = list_next(&list, word);
        if (!status_is_ok(&status)) {
            return false;
        }
        if (variant_is_named(variant, word)) {
            return true;
        }
    }
    return false;
}

bool options_name_variant(const RunOptions *options, const Variant *variant) {
    for (size_t i = 0; i < options->variant_count; i++) {
        if (strcmp(options->variants[i], variant->name) == 0) {
            return true;
        }
    }
    return false;
}

bool options_select_variant(const RunOptions *options, const Variant *variant) {
    if (variant->peer != NULL) {
        return options->peers || options_name_variant(options, variant);
    }
    const bool all = options->variant_count == 0 && !options->every_cpu && !options->every_gpu;
    return all || (variant_is_on_cpu(variant) ? options->every_cpu : options->every_gpu) ||
           options_name_variant(options, variant);
}

bool axis_is_answer(const char *name) {
    for (size_t a = 0; a < registry_algorithm_count(); a++) {
        if (axis_in_list(registry_algorithm(a)->answer, name) != NULL) {
            return true;
        }
    }
    return false;
}

bool options_use_axis(const RunOptions *options, const char *name) {
    for (size_t a = 0; a < options->algorithm_count; a++) {
        const Algorithm *algorithm = options->algorithms[a];
        if (axis_in_list(algorithm->answer, name) != NULL) {
            return true;
        }
        const Variant *variant = NULL;
        for (size_t v = 0; (variant = registry_any(algorithm, v)) != NULL; v++) {
            if (options_select_variant(options, variant) &&
                axis_in_list(variant->tuning, name) != NULL) {
                return true;
            }
        }
    }
    return false;
}

static void algorithm_owners(const Algorithm *algorithm, const char *name, char *text,
                             size_t size) {
    size_t found = 0;
    for (size_t v = 0; v < registry_variant_count(algorithm); v++) {
        const Variant *variant = registry_variant(algorithm, v);
        if (axis_in_list(variant->tuning, name) != NULL) {
            text_append(text, size, "%s%s", found++ == 0 ? " (" : ", ", variant->name);
        }
    }
    if (found > 0) {
        text_append(text, size, ")");
    }
}

static bool owns_axis(const Algorithm *algorithm, const char *name) {
    const RunOptions only_this = {.algorithm_count = 1, .algorithms = {algorithm}};
    return options_use_axis(&only_this, name);
}

void axis_owners(const char *name, char *text, size_t size) {
    text[0] = '\0';
    for (size_t a = 0; a < registry_algorithm_count(); a++) {
        const Algorithm *algorithm = registry_algorithm(a);
        if (!owns_axis(algorithm, name)) {
            continue;
        }
        text_append(text, size, "%s%s", text[0] == '\0' ? "" : ", ", algorithm->name);
        if (axis_in_list(algorithm->answer, name) == NULL) {
            algorithm_owners(algorithm, name, text, size);
        }
    }
}
