#include <string.h>

#include "axis_catalog.h"
#include "options_table.h"
#include "registry.h"
#include "text_list.h"

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

Status options_check(OptionScope scope, const OptionsGiven *given, RunOptions *options) {
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
