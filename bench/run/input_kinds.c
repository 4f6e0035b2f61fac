#include "input_kinds.h"

#include <string.h>

#include "datasets.h"
#include "image_sets.h"
#include "text_list.h"

bool kind_is_wanted(const RunOptions *options, WorkloadKind kind) {
    for (size_t i = 0; i < options->algorithm_count; i++) {
        if (options->algorithms[i]->input == kind) {
            return true;
        }
    }
    return options->algorithm_count == 0 && kind == WORKLOAD_IMAGE;
}

void kind_algorithms(const RunOptions *options, WorkloadKind kind, char *text, size_t size) {
    text[0] = '\0';
    for (size_t i = 0; i < options->algorithm_count; i++) {
        if (options->algorithms[i]->input == kind) {
            text_append(text, size, "%s%s", text[0] == '\0' ? "" : ", ",
                        options->algorithms[i]->name);
        }
    }
}

const char *const *kind_synthetics(WorkloadKind kind) {
    return kind == WORKLOAD_IMAGE_SET ? synthetic_set_kinds : synthetic_kinds;
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
