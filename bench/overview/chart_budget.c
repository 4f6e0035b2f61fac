#include "chart_budget.h"

/* Before the first chart of the report. */
static void introduce(Document *document) {
    document_add(document, BLOCK_PARAGRAPH,
                 "Each variant at its fastest tuning. Whiskers are 95%% intervals; where none are "
                 "seen they are smaller than the mark. Solid lines count the kernel alone, dashed "
                 "ones the whole way with upload and download. A variant has the same colour in "
                 "every chart.");
}

bool budget_takes(ChartBudget *budget) {
    const bool room = budget->left > 0;
    if (room && !budget->introduced) {
        introduce(budget->document);
        budget->introduced = true;
    }
    budget->left -= room;
    budget->drawn += room;
    budget->left_out += !room;
    return room;
}
