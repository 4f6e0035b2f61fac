/* Options whose values are lists or names of things: what their rows of the table call. */
#include "options_table.h"

#include <string.h>

#include "input_kinds.h"
#include "options_values.h"
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

Status option_take_algorithms(const char *value, RunOptions *options) {
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

Status option_take_sizes(const char *value, RunOptions *options) {
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

Status option_take_variants(const char *value, RunOptions *options) {
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

Status option_take_synthetic(const char *value, RunOptions *options) {
    return synthetic_find(value, &options->synthetic);
}

Status option_take_density(const char *value, RunOptions *options) {
    return parse_share(value, &options->density);
}

Status option_take_format(const char *value, RunOptions *options) {
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
