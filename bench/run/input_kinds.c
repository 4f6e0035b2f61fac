#include "input_kinds.h"

#include <string.h>

#include "datasets.h"
#include "descriptor_source.h"
#include "image_sets.h"
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
