#include <math.h>
#include <string.h>

#include "study_tally.h"
#include "study_words_parts.h"
#include "study_words_text.h"

/* A reason is part of a sentence here: without a full stop of its own. */
static void add_reason(Tally *tally, Document *document, const char *why) {
    const size_t length = strlen(why);
    const size_t kept = length > 0 && why[length - 1] == '.' ? length - 1 : length;
    const char *reason = document_text(document, "%.*s", (int)kept, why);
    tally_add(tally, document, reason != NULL && kept > 0 ? reason : "no reason is known", NULL);
}

void words_missing(Document *document, const TableResult *result) {
    const size_t cells = result->table->row_count * result->table->column_count;
    size_t missing = 0;
    Tally tally = {0};
    for (size_t i = 0; i < cells; i++) {
        if (!isfinite(result->values[i].measured)) {
            missing++;
            add_reason(&tally, document, result->values[i].why);
        }
    }
    Words words = {.document = document};
    if (missing > 0 && missing == cells) {
        words_say(&words, "No cell has a measured number: ");
    } else if (missing > 0) {
        words_say(&words, "%zu of %zu cells %s no measured number: ", missing, cells,
                  missing == 1 ? "has" : "have");
    }
    for (size_t i = 0; i < tally.count; i++) {
        words_say(&words, "%s%s", i > 0 ? "; " : "", tally.items[i].key);
        if (tally.count > 1) {
            words_say(&words, " (%zu)", tally.items[i].count);
        }
    }
    if (missing > 0) {
        words_say(&words, ".");
    }
    words_end(&words);
    tally_release(&tally);
}
