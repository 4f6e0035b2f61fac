#include "input_kinds.h"

#include <string.h>

#include "datasets.h"
#include "descriptor_source.h"
#include "image_sets.h"
#include "suggest.h"
#include "synthetic_descriptors.h"
#include "text_list.h"

static bool is_among(WorkloadKind kind, KindSet kinds) {
    return ((unsigned)kinds >> kind & 1U) != 0;
}

bool kinds_are_wanted(const RunOptions *options, KindSet kinds) {
    for (size_t i = 0; i < options->algorithm_count; i++) {
        if (is_among(options->algorithms[i]->input, kinds)) {
            return true;
        }
    }
    return options->algorithm_count == 0 && is_among(WORKLOAD_IMAGE, kinds);
}

bool kind_is_wanted(const RunOptions *options, WorkloadKind kind) {
    return kinds_are_wanted(options, (KindSet)(1U << kind));
}

void kinds_algorithms(const RunOptions *options, KindSet kinds, char *text, size_t size) {
    text[0] = '\0';
    for (size_t i = 0; i < options->algorithm_count; i++) {
        if (is_among(options->algorithms[i]->input, kinds)) {
            text_append(text, size, "%s%s", text[0] == '\0' ? "" : ", ",
                        options->algorithms[i]->name);
        }
    }
}

const SizeSpec *kind_sizes(const RunOptions *options, WorkloadKind kind, size_t *count) {
    if (kind == WORKLOAD_DESCRIPTORS) {
        *count = 1;
        return &descriptor_size;
    }
    const bool set = kind == WORKLOAD_IMAGE_SET;
    *count = set ? options->set_size_count : options->size_count;
    return set ? options->set_sizes : options->sizes;
}

const char *const *kind_synthetics(WorkloadKind kind) {
    switch (kind) {
    case WORKLOAD_IMAGE_SET: return synthetic_set_kinds;
    case WORKLOAD_DESCRIPTORS: return synthetic_descriptor_kinds;
    default: return synthetic_kinds;
    }
}

const char *kind_find_synthetic(WorkloadKind kind, const char *name) {
    const char *const *names = kind_synthetics(kind);
    for (size_t i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], name) == 0) {
            return names[i];
        }
    }
    return NULL;
}

/* Which of them is right depends on the algorithms, read later perhaps. */
static const struct {
    WorkloadKind kind;
    const char *before; /* its names, in a message */
} naming[] = {{WORKLOAD_IMAGE, ""},
              {WORKLOAD_IMAGE_SET, "; for sets "},
              {WORKLOAD_DESCRIPTORS, "; for descriptors "}};

static Status unknown_synthetic(const char *value) {
    char known[STATUS_WHY_SIZE] = "";
    Suggestion suggestion = suggest_start(value);
    for (size_t k = 0; k < sizeof naming / sizeof naming[0]; k++) {
        const char *const *names = kind_synthetics(naming[k].kind);
        text_append(known, sizeof known, "%s", naming[k].before);
        for (size_t i = 0; names[i] != NULL; i++) {
            suggest_offer(&suggestion, names[i]);
            text_append(known, sizeof known, "%s%s", i == 0 ? "" : ", ", names[i]);
        }
    }
    char nearest[SUGGEST_TEXT_SIZE];
    return status_make(STATUS_USAGE, "'%.40s' is no synthetic kind%s (known: %s)", value,
                       suggest_text(&suggestion, nearest), known);
}

Status synthetic_find(const char *value, const char **known) {
    for (size_t k = 0; k < sizeof naming / sizeof naming[0]; k++) {
        const char *name = kind_find_synthetic(naming[k].kind, value);
        if (name != NULL) {
            *known = name;
            return status_ok();
        }
    }
    return unknown_synthetic(value);
}
