#include "model.h"

#include <stdlib.h>
#include <string.h>

#include "text_list.h"

Status models_create(const Scales *scales, size_t count, Models *models) {
    *models = (Models){.scales = *scales, .count = count};
    models->names = calloc(count, sizeof *models->names);
    models->histograms = calloc(count * scales->bins, sizeof *models->histograms);
    if (models->names == NULL || models->histograms == NULL) {
        models_release(models);
        return status_skip("no memory left for the models of %zu classes", count);
    }
    return status_ok();
}

void models_release(Models *models) {
    for (size_t i = 0; models->names != NULL && i < models->count; i++) {
        free(models->names[i]);
    }
    free(models->names);
    free(models->histograms);
    *models = (Models){.count = 0};
}

static void add(uint64_t *sum, const uint64_t *histograms, size_t bins) {
    for (size_t i = 0; i < bins; i++) {
        sum[i] += histograms[i];
    }
}

/* The samples of a class follow each other. */
static bool is_first_of_class(const SampleSet *set, size_t index) {
    return index == 0 || set->list[index - 1].class_index != set->list[index].class_index;
}

Status models_make(ModelKind kind, const ClassTree *tree, const Scales *scales,
                   const SampleSet *set, Models *models) {
    STATUS_TRY(models_create(scales, tree->count, models));
    for (size_t i = 0; i < tree->count; i++) {
        models->names[i] = strdup(tree->classes[i].name);
        if (models->names[i] == NULL) {
            models_release(models);
            return status_skip("no memory left for the models of %zu classes", tree->count);
        }
    }
    for (size_t i = 0; i < set->count; i++) {
        if (kind == MODEL_ALL || is_first_of_class(set, i)) {
            add(model_histograms(models, set->list[i].class_index), sample_histograms(set, i),
                scales->bins);
        }
    }
    return status_ok();
}

size_t models_find(const Models *models, const char *name) {
    size_t index = 0;
    while (index < models->count && strcmp(models->names[index], name) != 0) {
        index++;
    }
    return index;
}

Status models_cover(const Models *models, const ClassTree *tree) {
    char missing[STATUS_WHY_SIZE / 2] = "";
    for (size_t i = 0; i < tree->count; i++) {
        const char *name = tree->classes[i].name;
        if (models_find(models, name) == models->count) {
            text_append(missing, sizeof missing, "%s%s", missing[0] == '\0' ? "" : ", ", name);
        }
    }
    if (missing[0] != '\0') {
        return status_make(STATUS_NO_MATCH, "there is no model of: %s", missing);
    }
    if (models->count < 2) {
        return status_make(STATUS_NO_MATCH,
                           "'%.60s' is the only class; it takes two to tell them apart",
                           models->names[0]);
    }
    return status_ok();
}

static bool of_same_cell(const SampleSet *set, size_t left, size_t right) {
    return set->list[left].cell == set->list[right].cell;
}

/* First sample of the cell that a sample is of. */
static size_t cell_start(const SampleSet *set, size_t index) {
    while (index > 0 && of_same_cell(set, index - 1, index)) {
        index--;
    }
    return index;
}

static size_t cell_end(const SampleSet *set, size_t index) {
    do {
        index++;
    } while (index < set->count && of_same_cell(set, index - 1, index));
    return index;
}

bool model_allows_test(ModelKind kind, const SampleSet *set, size_t index) {
    const size_t start = cell_start(set, index);
    const size_t end = cell_end(set, index);
    switch (kind) {
    case MODEL_FIRST: return !is_first_of_class(set, start);
    case MODEL_ALL:
        return !is_first_of_class(set, start) ||
               (end < set->count && set->list[end].class_index == set->list[index].class_index);
    case MODEL_STORED: break;
    }
    return true;
}

void model_without_cell(const Models *models, const SampleSet *set, size_t index,
                        uint64_t *histograms) {
    const size_t bins = models->scales.bins;
    const size_t end = cell_end(set, index);
    memcpy(histograms, model_histograms(models, set->list[index].class_index),
           bins * sizeof *histograms);
    for (size_t i = cell_start(set, index); i < end; i++) {
        const uint64_t *part = sample_histograms(set, i);
        for (size_t bin = 0; bin < bins; bin++) {
            histograms[bin] -= part[bin];
        }
    }
}
