#include "overview_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "registry.h"
#include "text_list.h"

enum { FAMILY_SHOWN_MAX = 3 };

bool overview_check(const Overview *overview, Status status) {
    if (!status_is_ok(&status)) {
        overview->document->failed = true;
    }
    return status_is_ok(&status);
}

static Family *find_family(const Overview *overview, const Row *row) {
    for (size_t i = 0; i < overview->count; i++) {
        const Row *head = overview->families[i].head;
        if (head->algorithm == row->algorithm && strcmp(head->input, row->input) == 0) {
            return &overview->families[i];
        }
    }
    return NULL;
}

static Family *add_family(Overview *overview, const Row *row) {
    if (overview->count == overview->capacity) {
        const size_t capacity = overview->capacity > 0 ? 2 * overview->capacity : 4;
        Family *grown = realloc(overview->families, capacity * sizeof *grown);
        if (grown == NULL) {
            return NULL;
        }
        overview->families = grown;
        overview->capacity = capacity;
    }
    Family *family = &overview->families[overview->count++];
    *family = (Family){.head = row};
    return family;
}

static Status add_to_family(Overview *overview, const RunGroup *group) {
    Family *family = find_family(overview, group->rows[0]);
    family = family != NULL ? family : add_family(overview, group->rows[0]);
    if (family != NULL && family->count == family->capacity) {
        const size_t capacity = family->capacity > 0 ? 2 * family->capacity : 4;
        const RunGroup **grown = realloc(family->groups, capacity * sizeof(const RunGroup *));
        if (grown != NULL) {
            family->groups = grown;
            family->capacity = capacity;
        }
    }
    if (family == NULL || family->count == family->capacity) {
        return status_skip("no memory left for the groups of a run");
    }
    family->groups[family->count++] = group;
    return status_ok();
}

static bool is_copy(const RunGroup *group) {
    return strcmp(group->rows[0]->algorithm->name, "copy") == 0;
}

/* The copy is measured with every algorithm, as its roof; it is told about when it is all there
 * is. */
static bool has_others(const RunGroups *groups) {
    for (size_t i = 0; i < groups->count; i++) {
        if (!is_copy(&groups->groups[i])) {
            return true;
        }
    }
    return false;
}

static void note_columns(Overview *overview) {
    for (size_t i = 0; i < overview->count; i++) {
        const Row *first = overview->families[0].head;
        const Row *head = overview->families[i].head;
        overview->many_algorithms |= head->algorithm != first->algorithm;
        overview->many_inputs |= strcmp(head->input, first->input) != 0;
        overview->many_answers |= overview->families[i].count > 1;
    }
}

void overview_open(const OverviewRun *run, Document *document, Overview *overview) {
    *overview = (Overview){.run = run, .results = &run->stored->results, .document = document};
    if (!overview_check(overview, run_groups_make(overview->results, &overview->groups))) {
        return;
    }
    const bool others = has_others(&overview->groups);
    for (size_t i = 0; i < overview->groups.count; i++) {
        const RunGroup *group = &overview->groups.groups[i];
        if (!(others && is_copy(group)) &&
            !overview_check(overview, add_to_family(overview, group))) {
            return;
        }
    }
    note_columns(overview);
}

void overview_close(Overview *overview) {
    for (size_t i = 0; i < overview->count; i++) {
        free(overview->families[i].groups);
    }
    free(overview->families);
    run_groups_release(&overview->groups);
    *overview = (Overview){.run = NULL};
}

bool family_shows(const Family *family, size_t index) {
    return family->count <= FAMILY_SHOWN_MAX || index == 0 || index == family->count / 2 ||
           index == family->count - 1;
}

void family_name(const Family *family, char *text, size_t size) {
    snprintf(text, size, "%s on %s", family->head->algorithm->name, family->head->input);
}

const char *group_title(const Overview *overview, const Family *family, const RunGroup *group) {
    char answer[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE];
    answer_words(family, group, true, answer, sizeof answer);
    return document_text(overview->document, "%s, %s%s%s", family->head->algorithm->name,
                         family->head->input, answer[0] != '\0' ? ", " : "", answer);
}

/* Groups of a family have the same axes. */
static bool axis_differs(const Family *family, size_t axis) {
    const Point *first = &family->groups[0]->rows[0]->answer;
    for (size_t i = 1; i < family->count; i++) {
        const Point *answer = &family->groups[i]->rows[0]->answer;
        if (axis < answer->count && axis < first->count &&
            strcmp(answer->values[axis].text, first->values[axis].text) != 0) {
            return true;
        }
    }
    return false;
}

static void answer_text(const Family *family, const RunGroup *group, bool differing, size_t without,
                        char *text, size_t size) {
    const Point *answer = &group->rows[0]->answer;
    text[0] = '\0';
    for (size_t i = 0; i < answer->count; i++) {
        if (i != without && axis_differs(family, i) == differing) {
            text_append(text, size, "%s%s %s", text[0] != '\0' ? ", " : "", answer->axes[i]->name,
                        answer->values[i].text);
        }
    }
}

void answer_words(const Family *family, const RunGroup *group, bool differing, char *text,
                  size_t size) {
    answer_text(family, group, differing, SIZE_MAX, text, size);
}

void answer_words_without(const Family *family, const RunGroup *group, size_t axis, char *text,
                          size_t size) {
    answer_text(family, group, true, axis, text, size);
}

const Row *group_largest(const RunGroup *group) {
    const Row *largest = NULL;
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        if (isfinite(row_seconds(row, TIME_KERNEL)) &&
            (largest == NULL || row_size(row) > row_size(largest))) {
            largest = row;
        }
    }
    return largest;
}

int variant_colour(const Row *row) {
    const size_t count = registry_variant_count(row->algorithm);
    for (size_t i = 0; i < count; i++) {
        if (registry_variant(row->algorithm, i) == row->variant) {
            return (int)i;
        }
    }
    return 0;
}

Overview overview_of_rows(const Overview *overview) {
    Overview all = *overview;
    for (size_t i = 1; i < overview->groups.count; i++) {
        const Row *first = overview->groups.groups[0].rows[0];
        const Row *row = overview->groups.groups[i].rows[0];
        all.many_algorithms |= row->algorithm != first->algorithm;
        all.many_inputs |= strcmp(row->input, first->input) != 0;
    }
    return all;
}

void group_columns(const Overview *overview, DocTable *table) {
    if (overview->many_algorithms) {
        table_column(overview->document, table, &(DocColumn){.title = "algorithm"});
    }
    if (overview->many_inputs) {
        table_column(overview->document, table, &(DocColumn){.title = "input"});
    }
    if (overview->many_answers) {
        table_column(overview->document, table, &(DocColumn){.title = "answer"});
    }
}

/* Sorted by the number that the point begins with, where it has one: "box 16" after "box 4". */
static void answer_cell(const Overview *overview, DocTable *table, const Row *row) {
    char text[POINT_AXES_MAX * 2 * AXIS_TEXT_SIZE] = "";
    const Family *family = find_family(overview, row);
    double number = NAN;
    if (family != NULL) {
        const RunGroup group = {.rows = &row, .count = 1};
        answer_words(family, &group, true, text, sizeof text);
        const char *value = strchr(text, ' ');
        if (value != NULL && strchr(text, ',') == NULL && value[1] >= '0' && value[1] <= '9') {
            number = strtod(value + 1, NULL);
        }
    }
    table_cell(overview->document, table, &(DocCell){.text = text, .number = number});
}

void group_cells(const Overview *overview, DocTable *table, const Row *row) {
    if (overview->many_algorithms) {
        table_words(overview->document, table, row->algorithm->name);
    }
    if (overview->many_inputs) {
        table_words(overview->document, table, row->input);
    }
    if (overview->many_answers) {
        answer_cell(overview, table, row);
    }
}
