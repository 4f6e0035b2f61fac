#include <cjson/cJSON.h>
#include <math.h>

#include "compare_formats.h"
#include "visible.h"

/* A number that is not known has no key. */
static bool add_number(cJSON *object, const char *key, double number) {
    return !isfinite(number) || cJSON_AddNumberToObject(object, key, number) != NULL;
}

static bool add_text(cJSON *object, const char *key, const char *text) {
    return text[0] == '\0' || cJSON_AddStringToObject(object, key, text) != NULL;
}

static bool add_cell(cJSON *list, const ComparedCell *cell) {
    const CellJudgement *judgement = &cell->judgement;
    cJSON *object = cJSON_CreateObject();
    if (!cJSON_AddItemToArray(list, object)) {
        cJSON_Delete(object);
        return false;
    }
    return add_text(object, "name", cell->before->name) &&
           add_text(object, "change", change_name(judgement->change)) &&
           add_text(object, "why", judgement->why) &&
           add_number(object, "old_median_s", cell->before->median) &&
           add_number(object, "new_median_s", cell->now->median) &&
           add_number(object, "old_samples", (double)cell->before->samples.count) &&
           add_number(object, "new_samples", (double)cell->now->samples.count) &&
           add_number(object, "ratio", judgement->ratio.value) &&
           add_number(object, "ratio_ci_low", judgement->ratio.low) &&
           add_number(object, "ratio_ci_high", judgement->ratio.high) &&
           add_number(object, "p", judgement->p) &&
           cJSON_AddBoolToObject(object, "p_exact", judgement->exact) != NULL;
}

static bool add_names(cJSON *root, const char *key, const char *const *names, size_t count) {
    cJSON *list = cJSON_AddArrayToObject(root, key);
    bool complete = list != NULL;
    for (size_t i = 0; i < count && complete; i++) {
        complete = cJSON_AddItemToArray(list, cJSON_CreateString(names[i]));
    }
    return complete;
}

static bool add_summary(cJSON *root, const Comparison *comparison) {
    bool complete = add_text(root, "old", comparison->before->path) &&
                    add_text(root, "new", comparison->now->path) &&
                    add_text(root, "difference", comparison->difference) &&
                    add_number(root, "alpha", comparison->criteria.alpha) &&
                    add_number(root, "threshold", comparison->criteria.threshold) &&
                    add_number(root, "noise_floor", comparison->noise_floor) &&
                    add_number(root, "old_total_s", comparison->old_total) &&
                    add_number(root, "new_total_s", comparison->new_total) &&
                    add_number(root, "total_ratio", comparison_total_ratio(comparison));
    for (CellChange change = CHANGE_SAME; change < CHANGE_COUNT && complete; change++) {
        complete = add_number(root, change_name(change), (double)comparison->changes[change]);
    }
    return complete;
}

static bool fill(cJSON *root, const Comparison *comparison) {
    cJSON *cells = add_summary(root, comparison) ? cJSON_AddArrayToObject(root, "cells") : NULL;
    bool complete = cells != NULL;
    for (size_t i = 0; i < comparison->count && complete; i++) {
        complete = add_cell(cells, &comparison->cells[i]);
    }
    return complete &&
           add_names(root, "missing_cells", comparison->missing, comparison->missing_count) &&
           add_names(root, "new_cells", comparison->added, comparison->added_count);
}

Status compare_print_json(FILE *stream, const Comparison *comparison, bool strict) {
    (void)strict;
    cJSON *root = cJSON_CreateObject();
    char *text = root != NULL && fill(root, comparison) ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    if (text == NULL) {
        return status_skip("no memory left to write the comparison as JSON");
    }
    visible_json_write(stream, text);
    fputc('\n', stream);
    cJSON_free(text);
    return status_ok();
}
