#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "overview_diff_parts.h"
#include "significant.h"

/* Intervals are the same each time a report is made. */
static const uint64_t bootstrap_seed = 1;

static bool same_size(const Row *a, const Row *b) {
    return a->width == b->width && a->height == b->height && a->images == b->images;
}

const Row *diff_row_find(const RunGroup *group, const Row *row) {
    const Row *found = NULL;
    for (size_t i = 0; i < group->count; i++) {
        const Row *other = group->rows[i];
        if (other->variant != row->variant || !same_size(other, row) ||
            !point_equal(&other->tuning, &row->tuning)) {
            continue;
        }
        if (strcmp(other->size_name, row->size_name) == 0) {
            return other;
        }
        found = found != NULL ? found : other; /* the same size by another name */
    }
    return found;
}

const RunGroup *diff_group_find(const RunGroups *groups, const char *title) {
    for (size_t i = 0; i < groups->count; i++) {
        if (strcmp(groups->groups[i].title, title) == 0) {
            return &groups->groups[i];
        }
    }
    return NULL;
}

size_t diff_variants(const DiffGroup *group, const Variant *variants[DIFF_VARIANTS_MAX]) {
    const Variant *of_b[DIFF_VARIANTS_MAX];
    size_t count = run_variants(group->a, variants, DIFF_VARIANTS_MAX);
    const size_t b_count = run_variants(group->b, of_b, DIFF_VARIANTS_MAX);
    for (size_t i = 0; i < b_count && count < DIFF_VARIANTS_MAX; i++) {
        bool there = false;
        for (size_t j = 0; j < count && !there; j++) {
            there = variants[j] == of_b[i];
        }
        if (!there) {
            variants[count++] = of_b[i];
        }
    }
    return count;
}

bool diff_sizes(const DiffGroup *group, SizeBest **a, size_t *a_count, SizeBest **b,
                size_t *b_count, Document *document) {
    Status status = size_best_find(group->a, a, a_count);
    if (status_is_ok(&status)) {
        status = size_best_find(group->b, b, b_count);
    }
    document->failed = document->failed || !status_is_ok(&status);
    return status_is_ok(&status);
}

/* A hash of 0 is one that is not known. */
static bool inputs_differ(const RunGroup *a, const RunGroup *b) {
    for (size_t i = 0; i < a->count; i++) {
        for (size_t j = 0; j < b->count; j++) {
            const uint64_t left = a->rows[i]->input_hash;
            const uint64_t right = b->rows[j]->input_hash;
            if (same_size(a->rows[i], b->rows[j]) && left != 0 && right != 0 && left != right) {
                return true;
            }
        }
    }
    return false;
}

bool diff_cell_compared(const DiffCell *cell) {
    return !isnan(cell->kernel.value);
}

DiffVerdict diff_verdict(const Ratio *ratio) {
    if (isnan(ratio->low) || isnan(ratio->high)) {
        return DIFF_UNSURE;
    }
    if (ratio->high < 1) {
        return DIFF_B_FASTER;
    }
    return ratio->low > 1 ? DIFF_B_SLOWER : DIFF_NOT_SEEN;
}

void diff_ratio_text(const Ratio *ratio, char text[OVERVIEW_TEXT_SIZE]) {
    enum { DIGITS = 4 };
    char value[SIGNIFICANT_SIZE];
    char low[SIGNIFICANT_SIZE];
    char high[SIGNIFICANT_SIZE];
    text[0] = '\0';
    if (isnan(ratio->value)) {
        return;
    }
    significant_text(ratio->value, DIGITS, value);
    significant_text(ratio->low, DIGITS, low);
    significant_text(ratio->high, DIGITS, high);
    if (isnan(ratio->low) || isnan(ratio->high)) {
        snprintf(text, OVERVIEW_TEXT_SIZE, "%s", value);
    } else {
        snprintf(text, OVERVIEW_TEXT_SIZE, "%.20s (%.20s–%.20s)", value, low, high);
    }
}

const char *diff_verdict_words(DiffVerdict verdict) {
    switch (verdict) {
    case DIFF_B_FASTER: return "B faster";
    case DIFF_B_SLOWER: return "B slower";
    case DIFF_NOT_SEEN: return "no difference seen";
    case DIFF_UNSURE: break;
    }
    return "too few samples";
}

static const Samples *samples_of(const Row *row, TimeKind kind) {
    return kind == TIME_KERNEL ? &row->kernel : &row->end_to_end;
}

Status diff_ratio(const Row *a, const Row *b, TimeKind kind, Ratio *ratio) {
    *ratio = (Ratio){.value = NAN, .low = NAN, .high = NAN};
    if (isnan(row_seconds(a, kind)) || isnan(row_seconds(b, kind))) {
        return status_ok();
    }
    return ratio_of_medians(samples_of(b, kind), samples_of(a, kind), bootstrap_seed, ratio);
}

static Status fill_group(DiffGroup *group) {
    group->other_input = inputs_differ(group->a, group->b);
    if (group->other_input) {
        return status_ok();
    }
    group->cells = calloc(group->a->count, sizeof *group->cells);
    if (group->cells == NULL) {
        return status_skip("no memory left for %zu cells of two runs", group->a->count);
    }
    for (size_t i = 0; i < group->a->count; i++) {
        DiffCell cell = {.a = group->a->rows[i], .b = diff_row_find(group->b, group->a->rows[i])};
        if (cell.b != NULL) {
            STATUS_TRY(diff_ratio(cell.a, cell.b, TIME_KERNEL, &cell.kernel));
            STATUS_TRY(diff_ratio(cell.a, cell.b, TIME_END_TO_END, &cell.end_to_end));
            group->cells[group->count++] = cell;
        }
    }
    return status_ok();
}

static Status fill(Diff *diff) {
    STATUS_TRY(run_groups_make(&diff->a->stored->results, &diff->a_groups));
    STATUS_TRY(run_groups_make(&diff->b->stored->results, &diff->b_groups));
    diff->groups = calloc(diff->a_groups.count + 1, sizeof *diff->groups);
    if (diff->groups == NULL) {
        return status_skip("no memory left for two runs");
    }
    for (size_t i = 0; i < diff->a_groups.count; i++) {
        const RunGroup *a = &diff->a_groups.groups[i];
        const RunGroup *b = diff_group_find(&diff->b_groups, a->title);
        if (b != NULL) {
            diff->groups[diff->count] = (DiffGroup){.a = a, .b = b};
            STATUS_TRY(fill_group(&diff->groups[diff->count++]));
        }
    }
    return status_ok();
}

Status diff_make(const OverviewRun *a, const OverviewRun *b, Diff *diff) {
    *diff = (Diff){.a = a, .b = b};
    const Status status = fill(diff);
    if (!status_is_ok(&status)) {
        diff_release(diff);
    }
    return status;
}

void diff_release(Diff *diff) {
    for (size_t i = 0; i < diff->count; i++) {
        free(diff->groups[i].cells);
    }
    free(diff->groups);
    run_groups_release(&diff->a_groups);
    run_groups_release(&diff->b_groups);
    *diff = (Diff){.groups = NULL};
}
