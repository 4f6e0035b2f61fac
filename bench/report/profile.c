/* The section "What the GPU's counters say": the profile beside a run's results. */

#include "profile.h"
#include "document.h"
#include "report.h"
#include "report_internal.h"
#include "stored_run.h"

void profile_section(const RunPage *page) {
    const Profile *profile = &page->run->stored->profile;
    Document *document = page->document;
    if (profile->count == 0) {
        return;
    }
    document_heading(document, 2, "What the GPU's counters say");
    DocTable *table = document_table(document, "profile", "Counters of Nsight Compute");
    table_columns(document, table, profile_columns, profile_column_count);
    for (size_t i = 0; i < profile->count; i++) {
        for (size_t column = 0; column < profile_column_count; column++) {
            char text[PROFILE_TEXT_SIZE];
            profile_field(&profile->rows[i], column, text);
            table_words(document, table, document_text(document, "%s", text));
        }
    }
    table->note = "One run of each cell, after two uncounted ones, by bench profile: shares of "
                  "what memory, caches and pipes can do; occupancy of what fits a "
                  "multiprocessor; active threads are those of "
                  "a warp for which an instruction is executed, of 32; why warps wait, in "
                  "cycles between two instructions of a "
                  "warp. Kernels stand under their cell. In the profiler caches are cold, so "
                  "times are longer than those above.";
}
