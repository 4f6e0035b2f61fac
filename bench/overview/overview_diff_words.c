/* The summary of a difference, in sentences that are computed from its cells. */
#include <math.h>
#include <stdlib.h>

#include "overview_diff_parts.h"
#include "text_list.h"

enum { SENTENCE_SIZE = 1024 };

/* Of the times of one kind. */
typedef struct DiffTally {
    TimeKind kind;
    size_t cells, verdicts[DIFF_VERDICTS];
    const DiffCell *least, *greatest; /* by their ratio */
} DiffTally;

static const Ratio *ratio_of(const DiffCell *cell, TimeKind kind) {
    return kind == TIME_KERNEL ? &cell->kernel : &cell->end_to_end;
}

static void count_cell(const DiffCell *cell, DiffTally *tally) {
    const Ratio *ratio = ratio_of(cell, tally->kind);
    if (isnan(ratio->value)) {
        return;
    }
    tally->cells++;
    tally->verdicts[diff_verdict(ratio)]++;
    if (tally->least == NULL || ratio->value < ratio_of(tally->least, tally->kind)->value) {
        tally->least = cell;
    }
    if (tally->greatest == NULL || ratio->value > ratio_of(tally->greatest, tally->kind)->value) {
        tally->greatest = cell;
    }
}

static DiffTally count_cells(const Diff *diff, TimeKind kind) {
    DiffTally tally = {.kind = kind};
    for (size_t i = 0; i < diff->count; i++) {
        for (size_t j = 0; j < diff->groups[i].count; j++) {
            count_cell(&diff->groups[i].cells[j], &tally);
        }
    }
    return tally;
}

static const char *kind_words(TimeKind kind) {
    return kind == TIME_KERNEL ? "kernel time" : "time end to end";
}

static void tell_counts(const DiffTally *tally, Document *document) {
    char text[SENTENCE_SIZE] = "";
    text_append(text, sizeof text, "Both runs have %zu cell%s with a verified %s. ", tally->cells,
                tally->cells == 1 ? "" : "s", kind_words(tally->kind));
    text_append(text, sizeof text,
                "B is faster on %zu of them and slower on %zu; on %zu no difference is seen",
                tally->verdicts[DIFF_B_FASTER], tally->verdicts[DIFF_B_SLOWER],
                tally->verdicts[DIFF_NOT_SEEN]);
    if (tally->verdicts[DIFF_UNSURE] > 0) {
        text_append(text, sizeof text, ", and %zu ha%s too few samples to say",
                    tally->verdicts[DIFF_UNSURE], tally->verdicts[DIFF_UNSURE] == 1 ? "s" : "ve");
    }
    document_add(document, BLOCK_PARAGRAPH, "%s.", text);
}

/* "0.5000 (0.4940–0.5060) for lbp/cuda_naive/texture/1080p/block:16" */
static const char *extreme_text(const DiffCell *cell, TimeKind kind, Document *document) {
    char name[DIFF_NAME_SIZE];
    char ratio[OVERVIEW_TEXT_SIZE];
    row_name(cell->a, name, sizeof name);
    diff_ratio_text(ratio_of(cell, kind), ratio);
    return document_text(document, "%s for %s", ratio, name);
}

static void tell_extremes(const DiffTally *tally, Document *document) {
    const char *kind = kind_words(tally->kind);
    if (tally->cells == 1) {
        document_add(document, BLOCK_PARAGRAPH, "The %s of B over that of A is %s.", kind,
                     extreme_text(tally->least, tally->kind, document));
        return;
    }
    document_add(document, BLOCK_PARAGRAPH,
                 "The %s of B over that of A is at least %s, and at most %s.", kind,
                 extreme_text(tally->least, tally->kind, document),
                 extreme_text(tally->greatest, tally->kind, document));
}

/* --- Where another variant is the fastest ----------------------------------------------------- */

static const SizeBest *find_size(const SizeBest *list, size_t count, double size) {
    for (size_t i = 0; i < count; i++) {
        if (list[i].size == size) {
            return &list[i];
        }
    }
    return NULL;
}

static void tell_other_winner(const Row *a, const Row *b, const DiffGroup *group,
                              Document *document) {
    char size[OVERVIEW_TEXT_SIZE];
    size_words(a, size);
    document_add(document, BLOCK_ITEM,
                 "%s at %s: the kernel of %s is the fastest in A, that of %s in B.",
                 group->a->title, size, a->variant->name, b->variant->name);
}

/* Sizes with a fastest variant in both, and those where it is another one. */
typedef struct Winners {
    size_t sizes, changes;
} Winners;

static void compare_winners(const DiffGroup *group, const SizeBest *a, size_t a_count,
                            const SizeBest *b, size_t b_count, Document *document,
                            Winners *winners) {
    for (size_t i = 0; i < a_count; i++) {
        const SizeBest *other = find_size(b, b_count, a[i].size);
        const Row *left = a[i].fastest[TIME_KERNEL];
        const Row *right = other != NULL ? other->fastest[TIME_KERNEL] : NULL;
        if (left == NULL || right == NULL) {
            continue;
        }
        winners->sizes++;
        if (left->variant != right->variant) {
            winners->changes++;
            tell_other_winner(left, right, group, document);
        }
    }
}

static void tell_winners_of(const DiffGroup *group, Document *document, Winners *winners) {
    SizeBest *a = NULL;
    SizeBest *b = NULL;
    size_t a_count = 0;
    size_t b_count = 0;
    if (diff_sizes(group, &a, &a_count, &b, &b_count, document)) {
        compare_winners(group, a, a_count, b, b_count, document, winners);
    }
    free(a);
    free(b);
}

static void tell_winners(const Diff *diff, Document *document) {
    Winners winners = {.sizes = 0};
    for (size_t i = 0; i < diff->count; i++) {
        if (!diff->groups[i].other_input) {
            tell_winners_of(&diff->groups[i], document, &winners);
        }
    }
    if (winners.sizes > 0 && winners.changes == 0) {
        document_add(
            document, BLOCK_PARAGRAPH,
            "The same variant has the fastest kernel in both runs, at every size that both have.");
    }
}

static void tell_other_inputs(const Diff *diff, Document *document) {
    for (size_t i = 0; i < diff->count; i++) {
        if (diff->groups[i].other_input) {
            document_add(document, BLOCK_WARNING,
                         "%s: the input has the same name in both runs and other content; its "
                         "times are not compared.",
                         diff->groups[i].a->title);
        }
    }
}

/* "lbp, meadow.jpg; copy, meadow.jpg", the first few. */
static void group_list(const RunGroups *groups, char *text, size_t size) {
    enum { NAMED = 3 };
    snprintf(text, size, "%s", groups->count == 0 ? "nothing" : "");
    for (size_t i = 0; i < groups->count && i < NAMED; i++) {
        text_append(text, size, "%s%s", i > 0 ? "; " : "", groups->groups[i].title);
    }
    if (groups->count > NAMED) {
        text_append(text, size, "; and %zu more", groups->count - NAMED);
    }
}

static void tell_nothing_compared(const Diff *diff, Document *document) {
    char a[SENTENCE_SIZE];
    char b[SENTENCE_SIZE];
    group_list(&diff->a_groups, a, sizeof a);
    group_list(&diff->b_groups, b, sizeof b);
    document_add(document, BLOCK_WARNING,
                 "No cell was verified and timed in both runs, on the same input: no times are "
                 "compared. A has %s. B has %s.",
                 a, b);
}

void diff_tell_summary(const Diff *diff, Document *document) {
    document_heading(document, 2, "Summary");
    document_add(document, BLOCK_PARAGRAPH,
                 "A is %s, B is %s. This shows both side by side; whether a change of one machine "
                 "is a regression is judged by 'bench compare'.",
                 diff->a->name, diff->b->name);
    tell_other_inputs(diff, document);
    const DiffTally kernel = count_cells(diff, TIME_KERNEL);
    const DiffTally end_to_end = count_cells(diff, TIME_END_TO_END);
    if (kernel.cells == 0) {
        tell_nothing_compared(diff, document);
        return;
    }
    tell_counts(&kernel, document);
    tell_extremes(&kernel, document);
    if (end_to_end.cells > 0) {
        tell_counts(&end_to_end, document);
        tell_extremes(&end_to_end, document);
    }
    tell_winners(diff, document);
}
