/* Charts: how many are drawn of what. */
#include <stdio.h>

#include "group_charts.h"
#include "overview_parts.h"

enum { CHARTS_MAX = 24 };

/* Returns whether the charts are introduced now. */
static bool family_charts(const Overview *overview, const Family *family, bool introduced) {
    Document *document = overview->document;
    ChartBudget budget = {.document = document, .introduced = introduced, .left = CHARTS_MAX};
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
                     "There is nothing to draw a line through: one size, one tuning and one answer "
                     "point have a verified time. The tables have the numbers.");
    }
    if (budget.left_out > 0) {
        document_add(document, BLOCK_PARAGRAPH,
                     "%zu more charts are left out; the table of all cells has their numbers.",
                     budget.left_out);
    }
    return budget.introduced;
}

void overview_charts(const Overview *overview) {
    bool introduced = false;
    document_heading(overview->document, 2, "Charts");
    for (size_t i = 0; i < overview->count; i++) {
        introduced = family_charts(overview, &overview->families[i], introduced);
    }
}
