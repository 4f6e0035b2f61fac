/* Models of classes, and their file. */

#include "textures_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"
#include "json.h"
#include "status.h"
#include "text.h"

/* === Model ==================================================================================== */

Status models_create(const Scales *scales, size_t count, Models *models) {
    *models = (Models){.scales = *scales, .count = count};
    models->names = calloc(count, sizeof *models->names);
    models->histograms = calloc(count * scales->bins, sizeof *models->histograms);
    if (models->names == NULL || models->histograms == NULL) {
        models_release(models);
        return status_no_memory("for the models of %zu classes", count);
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
            return status_no_memory("for the models of %zu classes", tree->count);
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
        return status_make(STATUS_NO_MATCH, "'%.60s' is the only class; at least two are needed",
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

/* === Model file =============================================================================== */

static const char file_format[] = "bench lbp_riu models";

enum { FILE_VERSION = 1, CLASSES_MAX = 1 << 16, FILE_SIZE_MAX = 1 << 30 };

/* cJSON writes 15 digits where they are nearly right; up to here they are exactly right. */
static const double count_max = 1e15;

/* --- Writing ---------------------------------------------------------------------------------- */

/* A list of numbers; NULL when memory is short. */
static cJSON *counts_json(const uint64_t *counts, size_t bins) {
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < bins; i++) {
        cJSON_AddItemToArray(list, cJSON_CreateNumber((double)counts[i]));
    }
    return list;
}

static void add_class(cJSON *classes, const Models *models, size_t index) {
    cJSON *class = cJSON_CreateObject();
    cJSON *histograms = cJSON_CreateArray();
    cJSON_AddStringToObject(class, "name", models->names[index]);
    for (size_t i = 0; i < models->scales.count; i++) {
        const Scale *scale = &models->scales.list[i];
        cJSON_AddItemToArray(
            histograms, counts_json(model_histograms(models, index) + scale->offset, scale->bins));
    }
    cJSON_AddItemToObject(class, "histograms", histograms);
    cJSON_AddItemToArray(classes, class);
}

static cJSON *models_json(const Models *models) {
    cJSON *root = cJSON_CreateObject();
    cJSON *scales = cJSON_CreateArray();
    cJSON *classes = cJSON_CreateArray();
    cJSON_AddStringToObject(root, "format", file_format);
    cJSON_AddNumberToObject(root, "version", FILE_VERSION);
    cJSON_AddStringToObject(root, "interp", models->scales.interp);
    for (size_t i = 0; i < models->scales.count; i++) {
        cJSON *scale = cJSON_CreateObject();
        cJSON_AddStringToObject(scale, "pr", models->scales.list[i].pr);
        cJSON_AddNumberToObject(scale, "bins", (double)models->scales.list[i].bins);
        cJSON_AddItemToArray(scales, scale);
    }
    for (size_t i = 0; i < models->count; i++) {
        add_class(classes, models, i);
    }
    cJSON_AddItemToObject(root, "scales", scales);
    cJSON_AddItemToObject(root, "classes", classes);
    return root;
}

Status models_write(const char *path, const Models *models) {
    return json_file_write(path, models_json(models));
}

/* --- Reading ---------------------------------------------------------------------------------- */

static Status wrong(const char *path, const char *what) {
    return status_make(STATUS_FILE, "%.200s %s", path, what);
}

static bool is_count(const cJSON *item) {
    return cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= count_max &&
           item->valuedouble == floor(item->valuedouble);
}

static bool fits(const char *text) {
    return text != NULL && text[0] != '\0' && strlen(text) < AXIS_TEXT_SIZE;
}

static Status read_scales(const char *path, const cJSON *root, Scales *scales) {
    const char *interp = json_text(root, "interp");
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "scales");
    const int count = cJSON_GetArraySize(list);
    *scales = (Scales){.count = 0};
    if (!fits(interp) || !cJSON_IsArray(list) || count < 1 || count > SCALES_MAX) {
        return wrong(path, "does not say at which scales its histograms are");
    }
    snprintf(scales->interp, sizeof scales->interp, "%s", interp);
    const cJSON *item;
    cJSON_ArrayForEach(item, list) {
        const char *pr = json_text(item, "pr");
        const cJSON *bins = cJSON_GetObjectItemCaseSensitive(item, "bins");
        if (!fits(pr) || !is_count(bins) || bins->valuedouble < 1 || bins->valuedouble > 1e6) {
            return wrong(path, "has a scale without P:R or without its number of bins");
        }
        Scale *scale = &scales->list[scales->count++];
        *scale = (Scale){.bins = (size_t)bins->valuedouble, .offset = scales->bins};
        snprintf(scale->pr, sizeof scale->pr, "%s", pr);
        scales->bins += scale->bins;
    }
    return status_ok();
}

/* A class has as many counts as its scales ask for. Looked at before there is room for them, so
 * that the room never is more than what the file has. */
static Status check_class(const char *path, const cJSON *item, const Scales *scales) {
    const char *name = json_text(item, "name");
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(item, "histograms");
    if (name == NULL || name[0] == '\0') {
        return wrong(path, "has a class without a name");
    }
    if (!cJSON_IsArray(list) || (size_t)cJSON_GetArraySize(list) != scales->count) {
        return status_make(STATUS_FILE,
                           "%.200s: the class '%.60s' has not one histogram for each scale", path,
                           name);
    }
    const Scale *scale = scales->list;
    const cJSON *histogram;
    cJSON_ArrayForEach(histogram, list) {
        if (!cJSON_IsArray(histogram) || (size_t)cJSON_GetArraySize(histogram) != scale->bins) {
            return status_make(
                STATUS_FILE,
                "%.200s: the histogram of '%.40s' at %s has not the %zu counts it needs", path,
                name, scale->pr, scale->bins);
        }
        scale++;
    }
    return status_ok();
}

static Status read_histogram(const char *path, const char *class, const cJSON *list,
                             const Scale *scale, uint64_t *counts) {
    uint64_t sum = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, list) {
        if (!is_count(item)) {
            return status_make(STATUS_FILE,
                               "%.200s: the histogram of '%.40s' at %s holds something that is no "
                               "count: counts are whole numbers from 0 on",
                               path, class, scale->pr);
        }
        *counts = (uint64_t)item->valuedouble;
        sum += *counts++;
    }
    return sum > 0
               ? status_ok()
               : status_make(STATUS_FILE, "%.200s: the histogram of '%.40s' at %s counts nothing",
                             path, class, scale->pr);
}

static bool has_name(const Models *models, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(models->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* Of a class that was checked. */
static Status read_class(const char *path, const cJSON *item, size_t index, Models *models) {
    const char *name = json_text(item, "name");
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(item, "histograms");
    if (has_name(models, index, name)) {
        return status_make(STATUS_FILE, "%.200s has the class '%.60s' twice", path, name);
    }
    models->names[index] = strdup(name);
    STATUS_MEMORY(models->names[index], "to read %.200s", path);
    size_t scale = 0;
    const cJSON *histogram;
    cJSON_ArrayForEach(histogram, list) {
        const Scale *at = &models->scales.list[scale++];
        STATUS_TRY(read_histogram(path, name, histogram, at,
                                  model_histograms(models, index) + at->offset));
    }
    return status_ok();
}

static Status read_models(const char *path, const cJSON *root, Models *models) {
    Scales scales;
    STATUS_TRY(json_format_check(path, root, file_format, FILE_VERSION,
                                 "holds no models; --save-model writes such files"));
    STATUS_TRY(read_scales(path, root, &scales));
    const cJSON *classes = cJSON_GetObjectItemCaseSensitive(root, "classes");
    const int count = cJSON_GetArraySize(classes);
    if (!cJSON_IsArray(classes) || count < 1 || count > CLASSES_MAX) {
        return wrong(path, "holds no classes");
    }
    const cJSON *item;
    cJSON_ArrayForEach(item, classes) {
        STATUS_TRY(check_class(path, item, &scales));
    }
    STATUS_TRY(models_create(&scales, (size_t)count, models));
    size_t index = 0;
    cJSON_ArrayForEach(item, classes) {
        STATUS_TRY(read_class(path, item, index++, models));
    }
    return status_ok();
}

Status models_read(const char *path, Models *models) {
    cJSON *root;
    *models = (Models){.count = 0};
    STATUS_TRY(json_file_read(path, "a file of models", FILE_SIZE_MAX, &root));
    const Status status = read_models(path, root, models);
    cJSON_Delete(root);
    if (!status_is_ok(&status)) {
        models_release(models);
    }
    return status;
}

/* --- Selecting -------------------------------------------------------------------------------- */

static const Scale *find_scale(const Scales *scales, const Scale *wanted) {
    for (size_t i = 0; i < scales->count; i++) {
        if (strcmp(scales->list[i].pr, wanted->pr) == 0 && scales->list[i].bins == wanted->bins) {
            return &scales->list[i];
        }
    }
    return NULL;
}

static Status check_scales(const char *path, const Scales *wanted, const Scales *there) {
    char known[STATUS_WHY_SIZE / 2] = "";
    if (strcmp(wanted->interp, there->interp) != 0) {
        return status_make(STATUS_USAGE,
                           "%.200s was made with --interp %s, which does not go with --interp %s",
                           path, there->interp, wanted->interp);
    }
    for (size_t i = 0; i < there->count; i++) {
        text_append(known, sizeof known, "%s%s", i == 0 ? "" : ", ", there->list[i].pr);
    }
    for (size_t i = 0; i < wanted->count; i++) {
        if (find_scale(there, &wanted->list[i]) == NULL) {
            return status_make(STATUS_USAGE,
                               "%.120s has no histograms of %zu bins at %s (it has %s)", path,
                               wanted->list[i].bins, wanted->list[i].pr, known);
        }
    }
    return status_ok();
}

Status models_select(const char *path, const Scales *wanted, Models *models) {
    STATUS_TRY(check_scales(path, wanted, &models->scales));
    Models selected;
    STATUS_TRY(models_create(wanted, models->count, &selected));
    for (size_t i = 0; i < models->count; i++) {
        for (size_t j = 0; j < wanted->count; j++) {
            const Scale *to = &wanted->list[j];
            const Scale *from = find_scale(&models->scales, to);
            memcpy(model_histograms(&selected, i) + to->offset,
                   model_histograms(models, i) + from->offset, to->bins * sizeof(uint64_t));
        }
        selected.names[i] = models->names[i];
        models->names[i] = NULL;
    }
    models_release(models);
    *models = selected;
    return status_ok();
}
