#include "run_groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "registry.h"
#include "utf8.h"

static bool of_group(const RunGroup *group, const Row *row) {
    const Row *first = group->rows[0];
    return first->algorithm == row->algorithm && strcmp(first->input, row->input) == 0 &&
           point_equal(&first->answer, &row->answer);
}

/* Rows of a group mostly follow each other: the last group is looked at first. */
static RunGroup *find_group(const RunGroups *groups, const Row *row) {
    for (size_t i = groups->count; i > 0; i--) {
        if (of_group(&groups->groups[i - 1], row)) {
            return &groups->groups[i - 1];
        }
    }
    return NULL;
}

static bool slug_is_taken(const RunGroups *groups, const char *slug) {
    for (size_t i = 0; i < groups->count; i++) {
        if (strcmp(groups->groups[i].slug, slug) == 0) {
            return true;
        }
    }
    return false;
}

/* Titles may differ in what a slug has no letters for, or beyond its length. */
static void name_slug(const RunGroups *groups, RunGroup *group) {
    enum { NUMBER_ROOM = 24 };
    char slug[sizeof group->slug - NUMBER_ROOM];
    document_slug(group->title, slug, sizeof slug);
    snprintf(group->slug, sizeof group->slug, "%s", slug);
    for (size_t number = 2; slug_is_taken(groups, group->slug); number++) {
        snprintf(group->slug, sizeof group->slug, "%s-%zu", slug, number);
    }
}

/* What a title has room for of an input's name. */
enum { INPUT_TITLE_SIZE = 81 };

static void name_group(const RunGroups *groups, const Row *row, RunGroup *group) {
    char answer[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    point_format(&row->answer, answer, sizeof answer);
    for (char *comma = strchr(answer, ','); comma != NULL; comma = strchr(comma, ',')) {
        *comma = ' ';
    }
    snprintf(group->title, sizeof group->title, "%.40s, %.*s%s%.120s", row->algorithm->name,
             (int)utf8_cut(row->input, INPUT_TITLE_SIZE), row->input, answer[0] != '\0' ? ", " : "",
             answer);
    name_slug(groups, group);
}

static RunGroup *add_group(RunGroups *groups, const Row *row) {
    if (groups->count == groups->capacity) {
        const size_t capacity = groups->capacity > 0 ? 2 * groups->capacity : 16;
        RunGroup *grown = realloc(groups->groups, capacity * sizeof *grown);
        if (grown == NULL) {
            return NULL;
        }
        groups->groups = grown;
        groups->capacity = capacity;
    }
    RunGroup *group = &groups->groups[groups->count];
    *group = (RunGroup){.rows = NULL};
    name_group(groups, row, group);
    groups->count++;
    return group;
}

static bool add_row(RunGroup *group, const Row *row) {
    if (group->count == group->capacity) {
        const size_t capacity = group->capacity > 0 ? 2 * group->capacity : 32;
        const Row **grown = realloc(group->rows, capacity * sizeof(const Row *));
        if (grown == NULL) {
            return false;
        }
        group->rows = grown;
        group->capacity = capacity;
    }
    group->rows[group->count++] = row;
    return true;
}

Status run_groups_make(const Results *results, RunGroups *groups) {
    *groups = (RunGroups){.groups = NULL};
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        RunGroup *group = find_group(groups, row);
        group = group != NULL ? group : add_group(groups, row);
        if (group == NULL || !add_row(group, row)) {
            /* A group without a row has nothing to be recognised by. */
            run_groups_release(groups);
            return status_skip("no memory left for the groups of %zu rows", results->count);
        }
    }
    return status_ok();
}

void run_groups_release(RunGroups *groups) {
    for (size_t i = 0; i < groups->count; i++) {
        free(groups->groups[i].rows);
    }
    free(groups->groups);
    *groups = (RunGroups){.groups = NULL};
}

bool row_is_picture(const Row *row) {
    const WorkloadKind kind = row->algorithm->input;
    return kind != WORKLOAD_DESCRIPTORS && kind != WORKLOAD_IMAGE_SET && row->images == 0;
}

/* The two sets of descriptors have as many rows and lie one below the other. A copy takes the input
 * of the algorithm that it is the roof of, so that a set may be its input. */
double row_size(const Row *row) {
    if (row->algorithm->input == WORKLOAD_DESCRIPTORS) {
        return row->height / 2.0;
    }
    return row_is_picture(row) ? (double)row->width * row->height : row->images;
}

const char *row_size_unit(const Row *row) {
    if (row->algorithm->input == WORKLOAD_DESCRIPTORS) {
        return "rows";
    }
    return row_is_picture(row) ? "pixels" : "pictures";
}

size_t run_variants(const RunGroup *group, const Variant **variants, size_t capacity) {
    const Algorithm *algorithm = group->count > 0 ? group->rows[0]->algorithm : NULL;
    const size_t known = algorithm != NULL ? registry_variant_count(algorithm) : 0;
    size_t count = 0;
    for (size_t i = 0; i < known && count < capacity; i++) {
        const Variant *variant = registry_variant(algorithm, i);
        for (size_t row = 0; row < group->count; row++) {
            if (group->rows[row]->variant == variant) {
                variants[count++] = variant;
                break;
            }
        }
    }
    return count;
}
