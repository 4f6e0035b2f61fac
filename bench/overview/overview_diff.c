/* The difference of two stored runs, section by section. */
#include "overview_diff_parts.h"

static bool has_compared(const DiffGroup *group) {
    for (size_t i = 0; i < group->count; i++) {
        if (diff_cell_compared(&group->cells[i])) {
            return true;
        }
    }
    return false;
}

/* The charts of runs of many answer points would be a thousand lines in one page. */
static void tell_groups(const Diff *diff, Document *document) {
    enum { CHARTED_MAX = 12 };
    size_t charted = 0;
    for (size_t i = 0; i < diff->count; i++) {
        const DiffGroup *group = &diff->groups[i];
        if (!group->other_input) {
            document_heading(document, 2, group->a->title);
            if (charted++ < CHARTED_MAX) {
                diff_tell_charts(diff, group, document);
            }
            if (has_compared(group)) {
                diff_tell_cells(group, document);
            }
        }
    }
    if (charted > CHARTED_MAX) {
        document_add(document, BLOCK_PARAGRAPH,
                     "Charts are drawn of the first %d of these; the tables have the numbers of "
                     "all.",
                     CHARTED_MAX);
    }
}

void overview_diff_build(const OverviewRun *a, const OverviewRun *b, Document *document) {
    Diff diff;
    const Status status = diff_make(a, b, &diff);
    if (!status_is_ok(&status)) {
        document->failed = true;
        return;
    }
    diff_tell_summary(&diff, document);
    diff_tell_machines(&diff, document);
    diff_tell_ceilings(&diff, document);
    tell_groups(&diff, document);
    diff_tell_crossovers(&diff, document);
    diff_tell_missing(&diff, document);
    diff_release(&diff);
}
