/* Charts: how many are drawn of what. */
#include <stdio.h>

#include "group_charts.h"
#include "overview_parts.h"

enum { CHARTS_MAX = 24 };

bool budget_takes(ChartBudget *budget) {
    const bool room = budget->left > 0;
    budget->left -= room;
    budget->drawn += room;
    budget->left_out += !room;
    return room;
}

static void family_charts(const Overview *overview, const Family *family) {
    Document *document = overview->document;
    ChartBudget budget = {.left = CHARTS_MAX};
    if (overview->count > 1) {
        char name[256];
        family_name(family, name, sizeof name);
        document_heading(document, 3, document_text(document, "Charts of %s", name));
    }
    answer_charts(overview, family, &budget);
    for (size_t i = 0; i < family->count; i++) {
        if (family_shows(family, i)) {
            size_charts(overview, family, family->groups[i], &budget);
            tuning_charts(overview, family, family->groups[i], &budget);
        }
    }
    if (budget.drawn == 0) {
        document_add(document, BLOCK_PARAGRAPH,
                     "There is nothing to draw a line through: one size, one tuning and fewer than "
                     "three answer points have a verified time. The tables have the numbers.");
    }
    if (budget.left_out > 0) {
        document_add(document, BLOCK_PARAGRAPH,
                     "%zu more charts are left out; the table of all cells has their numbers.",
                     budget.left_out);
    }
}

void overview_charts(const Overview *overview) {
    document_heading(overview->document, 2, "Charts");
    document_add(overview->document, BLOCK_PARAGRAPH,
                 "Each variant at its fastest tuning. Whiskers are 95%% intervals; where none are "
                 "seen they are smaller than the mark. Solid lines count the kernel alone, dashed "
                 "ones the whole way with upload and download. A variant has the same colour in "
                 "every chart.");
    for (size_t i = 0; i < overview->count; i++) {
        family_charts(overview, &overview->families[i]);
    }
}
