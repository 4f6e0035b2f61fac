/* Rows of a run in groups of one algorithm, input and answer, and lines of rows. */

#include "rows.h"
#include "document.h"
#include "results.h"
#include "two_runs.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm.h"
#include "axis.h"
#include "crossover.h"
#include "ratio.h"
#include "registry.h"
#include "text.h"
#include "utf8.h"
#include "variant.h"
#include "winners.h"

/* === Words ==================================================================================== */

void point_words(const Point *point, unsigned axes, char *text, size_t size) {
    text[0] = '\0';
    for (size_t i = 0; i < point->count; i++) {
        if ((axes >> i & 1) != 0) {
            text_append(text, size, "%s%s %s", text[0] != '\0' ? ", " : "", point->axes[i]->name,
                        point->values[i].text);
        }
    }
}

void name_list_add(char *list, size_t size, const char *name) {
    text_add_item(list, size, ", ", name);
}

void time_range_add(TimeRange *range, double seconds) {
    if (seconds > 0.0 && isfinite(seconds)) {
        range->logarithms += log(seconds);
        range->count++;
    }
}

TimeUnit time_unit(const TimeRange *range) {
    return range->count > 0 ? *time_unit_of(exp(range->logarithms / (double)range->count), 3)
                            : time_units[TIME_MS];
}

/* === Run groups =============================================================================== */

/* Rows of a group mostly follow each other: search from the last group. */
static RunGroup *find_group(const RunGroups *groups, const Row *row) {
    for (size_t i = groups->count; i > 0; i--) {
        if (row_same_answer(groups->groups[i - 1].rows[0], row)) {
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
    point_spaced(&row->answer, answer, sizeof answer);
    snprintf(group->title, sizeof group->title, "%.40s, %.*s%s%.120s", row->algorithm->name,
             (int)utf8_cut(row->input, INPUT_TITLE_SIZE), row->input, answer[0] != '\0' ? ", " : "",
             answer);
    name_slug(groups, group);
}

void group_add(Document *document, RunGroup *group, const Row *row) {
    if (DOCUMENT_ROOM(document, group->rows, group->count, group->capacity)) {
        group->rows[group->count++] = row;
    }
}

void group_add_all(Document *document, RunGroup *group, const RunGroup *more) {
    for (size_t i = 0; i < more->count; i++) {
        group_add(document, group, more->rows[i]);
    }
}

/* NULL without memory. */
static RunGroup *add_group(Document *document, RunGroups *groups, const Row *row) {
    if (!DOCUMENT_ROOM(document, groups->groups, groups->count, groups->capacity)) {
        return NULL;
    }
    RunGroup *group = &groups->groups[groups->count];
    *group = (RunGroup){.rows = NULL};
    name_group(groups, row, group);
    groups->count++;
    return group;
}

RunGroups run_groups_make(const Results *results, Document *document) {
    RunGroups groups = {.groups = NULL};
    for (size_t i = 0; i < results->count; i++) {
        const Row *row = &results->rows[i];
        RunGroup *group = find_group(&groups, row);
        group = group != NULL ? group : add_group(document, &groups, row);
        if (group == NULL) {
            return (RunGroups){.groups = NULL};
        }
        group_add(document, group, row);
    }
    return groups;
}

bool group_has_other_images(const RunGroup *group) {
    for (size_t i = 1; i < group->count; i++) {
        const Row *row = group->rows[i], *before = group->rows[i - 1];
        if (row->images > 0 &&
            (double)row->width * row->height != (double)before->width * before->height) {
            return true;
        }
    }
    return false;
}

size_t run_variants(const RunGroup *group, const Variant *variants[VARIANTS_MAX]) {
    const Algorithm *algorithm = group->count > 0 ? group->rows[0]->algorithm : NULL;
    const size_t known = algorithm != NULL ? registry_variant_count(algorithm) : 0;
    size_t count = 0;
    for (size_t i = 0; i < known && count < VARIANTS_MAX; i++) {
        const Variant *variant = registry_variant(algorithm, i);
        for (size_t row = 0; row < group->count; row++) {
            if (group->rows[row]->variant == variant && !group->rows[row]->peer) {
                variants[count++] = variant;
                break;
            }
        }
    }
    return count;
}

size_t device_variants(const RunGroup *group, const Variant *variants[VARIANTS_MAX]) {
    const size_t count = run_variants(group, variants);
    size_t devices = 0;
    for (size_t i = 0; i < count; i++) {
        if (!variant_is_on_cpu(variants[i])) {
            variants[devices++] = variants[i];
        }
    }
    return devices;
}

/* === Lines of rows ============================================================================ */

const RowAxis along_size = {.name = NULL};

static const Point *point_of(const RowAxis *axis, const Row *row) {
    return axis->tuning ? &row->tuning : &row->answer;
}

static const AxisValue *value_of(const RowAxis *axis, const Row *row) {
    return point_value(point_of(axis, row), axis->name);
}

/* The index of the value among those of the axis; their number where it is a new one. */
static size_t index_of(const RowAxis *axis, const AxisValue *value) {
    size_t i = 0;
    while (i < axis->count && strcmp(axis->values[i].name, value->text) != 0) {
        i++;
    }
    return i;
}

static double size_place(const RowAxis *axis, const Row *row) {
    const double image = (double)row->width * row->height;
    const double size = axis->pixels ? image * (row->images > 0 ? row->images : 1) : row_size(row);
    return size > 0.0 ? size : (double)NAN;
}

double row_place(const RowAxis *axis, const Row *row) {
    if (axis->name == NULL) {
        return size_place(axis, row);
    }
    const AxisValue *value = value_of(axis, row);
    const size_t index = value != NULL ? index_of(axis, value) : axis->count;
    return index < axis->count ? axis->values[index].place : (double)NAN;
}

static int compare_places(const void *a, const void *b) {
    const double first = ((const PlacedValue *)a)->place;
    const double second = ((const PlacedValue *)b)->place;
    return (first > second) - (first < second);
}

/* Values stand at the numbers that they begin with ("8" of "8:1"), or one after the other where
 * these do not tell them apart. */
static void place_values(RowAxis *axis) {
    bool apart = true;
    axis->numbers = true;
    for (size_t i = 0; i < axis->count; i++) {
        const char *rest;
        axis->values[i].place = leading_number(axis->values[i].name, &rest);
        axis->numbers &= *rest == '\0';
        apart &= isfinite(axis->values[i].place);
        for (size_t j = 0; apart && j < i; j++) {
            apart &= axis->values[i].place != axis->values[j].place;
        }
    }
    axis->numbers &= apart;
    for (size_t i = 0; !apart && i < axis->count; i++) {
        axis->values[i].place = (double)i + 1;
    }
    qsort(axis->values, axis->count, sizeof *axis->values, compare_places);
}

RowAxis row_axis(Document *document, const RunGroup *group, bool tuning, const char *name) {
    RowAxis axis = {.name = name, .tuning = tuning};
    axis.values = document_allocate(document, (group->count + 1) * sizeof *axis.values);
    for (size_t i = 0; axis.values != NULL && i < group->count; i++) {
        const AxisValue *value = value_of(&axis, group->rows[i]);
        if (value != NULL && row_is_timed(group->rows[i]) && index_of(&axis, value) == axis.count) {
            const Point *point = point_of(&axis, group->rows[i]);
            axis.title = point->axes[value - point->values]->title;
            axis.values[axis.count++] = (PlacedValue){.name = value->text};
        }
    }
    place_values(&axis);
    return axis;
}

/* Sets of as many images have a size each where their images are not equal. */
static bool of_size(const Row *row, const Row *size) {
    return row_size(row) == row_size(size) &&
           (row->images == 0 ||
            (double)row->width * row->height == (double)size->width * size->height);
}

bool row_is_chosen(const Row *row, const RowAxis *axis, const RowChoice *choice) {
    return (choice->variant == NULL || row->variant == choice->variant) &&
           ((choice->variant != NULL && choice->side == SIDE_BOTH) ||
            row_is_of_side(row, choice->side)) &&
           (choice->answer == NULL || point_equal(&row->answer, choice->answer)) &&
           (choice->size == NULL || of_size(row, choice->size)) &&
           isfinite(row_seconds(row, choice->kind)) && isfinite(row_place(axis, row));
}

/* Rows of one place stay in their order. */
static void insert_row(const Row **rows, size_t count, const Row *row, const RowAxis *axis) {
    const double place = row_place(axis, row);
    size_t at = count;
    while (at > 0 && row_place(axis, rows[at - 1]) > place) {
        rows[at] = rows[at - 1];
        at--;
    }
    rows[at] = row;
}

static size_t choose_rows(const RunGroup *group, const RowAxis *axis, const RowChoice *choice,
                          const Row **rows) {
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++) {
        if (row_is_chosen(group->rows[i], axis, choice)) {
            insert_row(rows, count++, group->rows[i], axis);
        }
    }
    return count;
}

/* Keeps of each place the winner. */
static void keep_winners(RowLine *line, const RowAxis *axis, TimeKind kind, Rival *rivals) {
    size_t kept = 0;
    for (size_t from = 0, to = 0; from < line->count; from = to) {
        const double place = row_place(axis, line->rows[from]);
        for (to = from; to < line->count && row_place(axis, line->rows[to]) == place; to++) {
            rivals[to - from] = row_rival(line->rows[to], kind);
        }
        line->rows[kept++] = line->rows[from + winner_least(rivals, to - from)];
    }
    line->count = kept;
}

RowLine row_line(Document *document, const RunGroup *group, const RowAxis *axis, RowChoice choice) {
    RowLine line = {.rows = document_allocate(document, (group->count + 1) * sizeof(const Row *))};
    line.count = line.rows != NULL ? choose_rows(group, axis, &choice, line.rows) : 0;
    Rival *rivals = malloc((line.count + 1) * sizeof *rivals);
    if (rivals == NULL) {
        document->failed = true;
        line.count = 0;
    }
    keep_winners(&line, axis, choice.kind, rivals);
    free(rivals);
    return line;
}

bool line_has(const RowLine *line, bool (*has)(const Row *row)) {
    for (size_t i = 0; i < line->count; i++) {
        if (has(line->rows[i])) {
            return true;
        }
    }
    return false;
}

RowLine variants_at(Document *document, const RunGroup *group, const Row *size) {
    const Variant *variants[VARIANTS_MAX];
    RowLine rows = {.rows = document_allocate(document, sizeof variants)};
    const size_t count = size != NULL ? run_variants(group, variants) : 0;
    for (size_t i = 0; rows.rows != NULL && i < count; i++) {
        const RowLine line = row_line(document, group, &along_size,
                                      (RowChoice){.variant = variants[i], .size = size});
        if (line.count > 0) {
            rows.rows[rows.count++] = line.rows[0];
        }
    }
    return rows;
}

/* === Size best ================================================================================ */

size_t size_best_find(Document *document, const RunGroup *group, SizeBest **list) {
    const RowLine sizes = row_line(document, group, &along_size, (RowChoice){.variant = NULL});
    *list = document_allocate(document, (sizes.count + 1) * sizeof **list);
    for (RowSide side = SIDE_BOTH; *list != NULL && side <= SIDE_DEVICE; side++) {
        for (TimeKind kind = TIME_KERNEL; kind <= TIME_END_TO_END; kind++) {
            const RowLine line =
                row_line(document, group, &along_size, (RowChoice){.side = side, .kind = kind});
            for (size_t i = 0, j = 0; i < sizes.count; i++) {
                const double size = row_size(sizes.rows[i]);
                while (j < line.count && row_size(line.rows[j]) < size) {
                    j++;
                }
                if (j < line.count && row_size(line.rows[j]) == size) {
                    (*list)[i].of[side][kind] = line.rows[j];
                }
            }
        }
    }
    return *list != NULL ? sizes.count : 0;
}

const Row *group_largest_of(const RunGroup *group, bool (*wanted)(const Row *row)) {
    const Row *largest = NULL;
    for (size_t i = 0; i < group->count; i++) {
        const Row *row = group->rows[i];
        if (wanted(row) && (largest == NULL || row_size(row) > row_size(largest))) {
            largest = row;
        }
    }
    return largest;
}

const Row *group_largest(const RunGroup *group) {
    return group_largest_of(group, row_is_timed);
}

bool group_has_time(const RunGroup *group, const Variant *variant) {
    for (size_t i = 0; i < group->count; i++) {
        if (group->rows[i]->variant == variant && row_is_timed(group->rows[i])) {
            return true;
        }
    }
    return false;
}

/* === Crossover ================================================================================ */

RowCrossover group_crossover(Document *document, const RunGroup *group, const RowAxis *axis,
                             const Variant *device, TimeKind kind) {
    const RowLine line = row_line(
        document, group, axis, (RowChoice){.kind = kind, .side = SIDE_DEVICE, .variant = device});
    RowCrossover crossover = {.rows = line.rows, .axis = axis};
    crossover.sides = document_allocate(document, (line.count + 1) * sizeof *crossover.sides);
    for (size_t i = 0; crossover.sides != NULL && i < line.count; i++) {
        const Ratio ratio = row_won_ratio(line.rows[i], OVER_BEST_CPU, kind);
        if (!isnan(ratio.value)) {
            crossover.rows[crossover.count] = line.rows[i];
            crossover.sides[crossover.count++] = ratio_side(&ratio);
        }
    }
    return crossover;
}

static void name_row(const void *places, size_t place, char text[NUMBER_WORDS_SIZE]) {
    const RowCrossover *crossover = places;
    const Row *row = crossover->rows[place];
    if (crossover->axis->name == NULL) {
        size_short(row, text);
    } else {
        snprintf(text, NUMBER_WORDS_SIZE, "%s", value_of(crossover->axis, row)->text);
    }
}

Series row_crossover_series(const RowCrossover *crossover) {
    const bool sizes = crossover->axis->name == NULL;
    return (Series){.sides = crossover->sides,
                    .count = crossover->count,
                    .name = name_row,
                    .places = crossover,
                    .noun = sizes ? "size" : "value",
                    .nouns = sizes ? "sizes" : "values",
                    .range = true};
}

/* === Two runs ================================================================================= */

/* The launches of a row that have a time. */
static RunTimes times_of(const Row *row, TimeKind kind, double medians[LAUNCHES_MAX]) {
    RunTimes times = {.launches = medians,
                      .median = row_seconds(row, kind),
                      .held = kind == TIME_KERNEL && row->held,
                      .disturber = row_samples(row, kind)->disturber,
                      .undisturbed = row_samples(row, kind)->undisturbed};
    const size_t launches = samples_launch_medians(row_samples(row, kind), medians);
    for (size_t i = 0; i < launches; i++) {
        if (!isnan(medians[i])) {
            medians[times.count++] = medians[i];
        }
    }
    return times;
}

RunDifference rows_difference(const Row *a, const Row *b, TimeKind kind, Document *document) {
    RunDifference difference = {.side = SIDE_UNDECIDED,
                                .ratio = {.value = NAN, .low = NAN, .high = NAN}};
    if (isnan(row_seconds(a, kind)) || isnan(row_seconds(b, kind))) {
        return difference;
    }
    double of_a[LAUNCHES_MAX], of_b[LAUNCHES_MAX];
    const RunTimes before = times_of(a, kind, of_a);
    const RunTimes now = times_of(b, kind, of_b);
    if (before.count > 0 && now.count > 0) {
        const Status status = difference_measure(&before, &now, &difference);
        document->failed = document->failed || !status_is_ok(&status);
    }
    return difference;
}
