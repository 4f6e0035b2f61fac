#include "axis_catalog.h"

#include <string.h>

#include "registry.h"
#include "text_list.h"

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

bool options_select_variant(const RunOptions *options, const Variant *variant) {
    for (size_t i = 0; i < options->variant_count; i++) {
        if (strcmp(options->variants[i], variant->name) == 0) {
            return true;
        }
    }
    return options->variant_count == 0;
}

static bool has_axis(const Axis *const *axes, const char *name) {
    for (; axes != NULL && *axes != NULL; axes++) {
        if (strcmp((*axes)->name, name) == 0) {
            return true;
        }
    }
    return false;
}

bool axis_is_answer(const char *name) {
    for (size_t a = 0; a < registry_algorithm_count(); a++) {
        if (has_axis(registry_algorithm(a)->answer, name)) {
            return true;
        }
    }
    return false;
}

bool options_use_axis(const RunOptions *options, const char *name) {
    for (size_t a = 0; a < options->algorithm_count; a++) {
        const Algorithm *algorithm = options->algorithms[a];
        if (has_axis(algorithm->answer, name)) {
            return true;
        }
        for (size_t v = 0; v < registry_variant_count(algorithm); v++) {
            const Variant *variant = registry_variant(algorithm, v);
            if (options_select_variant(options, variant) && has_axis(variant->tuning, name)) {
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
        if (has_axis(variant->tuning, name)) {
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
        if (!has_axis(algorithm->answer, name)) {
            algorithm_owners(algorithm, name, text, size);
        }
    }
}
