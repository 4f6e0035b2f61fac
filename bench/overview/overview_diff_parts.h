/* The parts of a difference of two runs, A and B, for the files that tell of it. */
#ifndef BENCH_OVERVIEW_DIFF_PARTS_H
#define BENCH_OVERVIEW_DIFF_PARTS_H

#include "overview.h"
#include "overview_text.h"
#include "run_groups.h"
#include "size_best.h"
#include "stats.h"

/* A cell that both runs have: the same algorithm, variant, input, size, answer and tuning point. */
typedef struct DiffCell {
    const Row *a, *b;
    Ratio kernel, end_to_end; /* median of B / median of A; NAN where one of them has no time */
} DiffCell;

/* An algorithm, input and answer point that both runs have. */
typedef struct DiffGroup {
    const RunGroup *a, *b;
    bool other_input; /* of the same name, with other content: nothing of it is compared */
    DiffCell *cells;  /* in the order of A; none where `other_input` */
    size_t count;
} DiffGroup;

typedef struct Diff {
    const OverviewRun *a, *b;
    RunGroups a_groups, b_groups;
    DiffGroup *groups; /* in the order of A */
    size_t count;
} Diff;

typedef enum DiffVerdict {
    DIFF_B_FASTER, /* the whole interval is below 1 */
    DIFF_B_SLOWER, /* above 1 */
    DIFF_NOT_SEEN, /* 1 is within it */
    DIFF_UNSURE    /* too few samples for an interval */
} DiffVerdict;

enum { DIFF_VERDICTS = DIFF_UNSURE + 1, DIFF_VARIANTS_MAX = 64, DIFF_NAME_SIZE = 512 };

/* `a` and `b` must outlive the difference. STATUS_FAIL without memory. */
Status diff_make(const OverviewRun *a, const OverviewRun *b, Diff *diff);
void diff_release(Diff *diff);

/* Median of B / median of A; NAN where one of them has no verified time. STATUS_FAIL without
 * memory.
 */
Status diff_ratio(const Row *a, const Row *b, TimeKind kind, Ratio *ratio);
/* Whether both have a verified kernel time, so that there is a ratio. */
bool diff_cell_compared(const DiffCell *cell);
DiffVerdict diff_verdict(const Ratio *ratio);
/* "1.004 (0.998–1.010)": more digits than an overview has, since much is decided close to 1. "" for
 * NAN. */
void diff_ratio_text(const Ratio *ratio, char text[OVERVIEW_TEXT_SIZE]);
/* "B faster", "B slower", "no difference seen", "too few samples". */
const char *diff_verdict_words(DiffVerdict verdict);
/* The row of the group at the place of this one: same variant, size and tuning point. NULL: none.
 */
const Row *diff_row_find(const RunGroup *group, const Row *row);
/* The variants of both groups, those of A first, each once. */
size_t diff_variants(const DiffGroup *group, const Variant *variants[DIFF_VARIANTS_MAX]);
/* The sizes of both groups with their fastest rows, ascending; the caller frees both lists. False
 * without memory, and then the document has failed. */
bool diff_sizes(const DiffGroup *group, SizeBest **a, size_t *a_count, SizeBest **b,
                size_t *b_count, Document *document);
/* The group of this title. NULL: none. */
const RunGroup *diff_group_find(const RunGroups *groups, const char *title);

/* --- The sections, in their order ------------------------------------------------------------- */

/* On how many cells which run is faster, by how much, and where the fastest variant is another. */
void diff_tell_summary(const Diff *diff, Document *document);
/* Machines, builds, requests and warnings of both. */
void diff_tell_machines(const Diff *diff, Document *document);
/* The ceilings that both have measured; nothing where there are none. */
void diff_tell_ceilings(const Diff *diff, Document *document);
/* Times and speedups of both, and the ratio of their times, by size. */
void diff_tell_charts(const Diff *diff, const DiffGroup *group, Document *document);
/* Each cell that both have. */
void diff_tell_cells(const DiffGroup *group, Document *document);
/* From which size on a device is ahead, in either run; and B ahead of A. */
void diff_tell_crossovers(const Diff *diff, Document *document);
/* Cells that only one run has a time of, and why. */
void diff_tell_missing(const Diff *diff, Document *document);

#endif
