#include <string.h>

#include "study_facts.h"
#include "study_machine.h"

void study_build_add(const StudyResult *result, Document *document) {
    Tally facts = {0}, warnings = {0};
    study_facts(result, document, &facts);
    study_warnings(result, document, &warnings);
    document_heading(document, 2, "Machine and build");
    for (size_t i = 0; i < warnings.count; i++) {
        document_add(document, BLOCK_ITEM, "Warning of the runs (%s): %s", warnings.items[i].with,
                     warnings.items[i].key);
    }
    if (facts.count == 0) {
        document_add(document, BLOCK_PARAGRAPH, "No step left a file that tells them.");
    } else {
        DocTable *table = document_table(document, "machine", "Facts of machine and build");
        table_column(document, table, &(DocColumn){.title = "Fact"});
        table_column(document, table, &(DocColumn){.title = "Value"});
        for (size_t i = 0; i < facts.count; i++) {
            table_words(document, table, facts.items[i].key);
            table_words(document, table, facts.items[i].with);
        }
        if (table != NULL) {
            table->collapsed = true;
            table->note = "Where the runs of the steps differ, all their values.";
        }
    }
    tally_release(&facts);
    tally_release(&warnings);
}
