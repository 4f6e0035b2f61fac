#include "study_course.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "study_places.h"
#include "study_tally.h"

/* The cells of a step's file. */
typedef struct CellCounts {
    size_t measured, verified, unverified, skipped, failed;
} CellCounts;

static CellCounts count_cells(const StepRecords *records) {
    CellCounts counts = {0};
    for (size_t i = 0; i < records->count; i++) {
        const CsvRecord *record = &records->records[i];
        const char *status = study_record_text(records, record, "status");
        const bool ok = strcmp(status, "ok") == 0;
        const bool verified = strcmp(study_record_text(records, record, "verified"), "yes") == 0;
        counts.measured += ok ? 1 : 0;
        counts.verified += ok && verified ? 1 : 0;
        counts.unverified += ok && !verified ? 1 : 0;
        counts.skipped += strcmp(status, "skip") == 0 ? 1 : 0;
        counts.failed += strcmp(status, "fail") == 0 ? 1 : 0;
    }
    return counts;
}

static void add_count(Document *document, DocTable *table, size_t count, CellKind kind) {
    table_cell(document, table,
               &(DocCell){.text = document_text(document, "%zu", count),
                          .number = (double)count,
                          .kind = count > 0 ? kind : CELL_PLAIN});
}

/* Nothing for a file that does not tell the status of its records. */
static void add_counts(Document *document, DocTable *table, const StepRecords *records) {
    enum { COLUMNS = 5 };
    if (csv_field_index(&records->header, "status") == SIZE_MAX) {
        for (int i = 0; i < COLUMNS; i++) {
            table_words(document, table, "");
        }
        return;
    }
    const CellCounts counts = count_cells(records);
    add_count(document, table, counts.measured, CELL_PLAIN);
    add_count(document, table, counts.verified, CELL_PLAIN);
    add_count(document, table, counts.unverified, CELL_BAD);
    add_count(document, table, counts.skipped, CELL_PLAIN);
    add_count(document, table, counts.failed, CELL_BAD);
}

static void add_state(Document *document, DocTable *table, const StepOutcome *outcome) {
    static const char *const words[] = {[STEP_DONE] = "done",
                                        [STEP_LEFT_OUT] = "left out",
                                        [STEP_FAILED] = "failed",
                                        [STEP_NOT_RUN] = "not run"};
    static const CellKind kinds[] = {[STEP_DONE] = CELL_PLAIN,
                                     [STEP_LEFT_OUT] = CELL_MISSING,
                                     [STEP_FAILED] = CELL_BAD,
                                     [STEP_NOT_RUN] = CELL_MISSING};
    const bool ran = outcome->state == STEP_DONE || outcome->state == STEP_FAILED;
    table_cell(document, table,
               &(DocCell){.text = words[outcome->state],
                          .number = NAN,
                          .note = outcome->why[0] != '\0' ? outcome->why : NULL,
                          .kind = kinds[outcome->state]});
    table_words(document, table, ran ? document_text(document, "%d", outcome->code) : "");
}

/* A moment has a digit after the point, a long time none. */
static void add_time(Document *document, DocTable *table, const StepOutcome *outcome) {
    const double seconds = outcome->elapsed_s;
    if (!(seconds > 0)) {
        table_words(document, table, "");
        return;
    }
    table_cell(document, table,
               &(DocCell){.text = document_text(document, "%.*f", seconds < 100 ? 1 : 0, seconds),
                          .number = seconds});
}

static bool times_are_known(const StudyResult *result) {
    for (size_t i = 0; i < result->study->step_count; i++) {
        if (result->outcomes[i].elapsed_s > 0) {
            return true;
        }
    }
    return false;
}

static void add_steps_table(const StudyResult *result, Document *document) {
    static const char *const titles[] = {"Exit code",    "Cells measured", "Verified right",
                                         "Not verified", "Skipped",        "Failed"};
    DocTable *table = document_table(document, "steps", "The steps and what became of their cells");
    table_column(document, table, &(DocColumn){.title = "Step"});
    table_column(document, table, &(DocColumn){.title = "State"});
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        table_column(document, table, &(DocColumn){.title = titles[i], .numeric = true});
    }
    const bool timed = times_are_known(result);
    if (timed) {
        table_column(document, table, &(DocColumn){.title = "Took (s)", .numeric = true});
    }
    for (size_t i = 0; i < result->study->step_count; i++) {
        table_words(document, table, result->study->steps[i].name);
        add_state(document, table, &result->outcomes[i]);
        add_counts(document, table, &result->records[i]);
        if (timed) {
            add_time(document, table, &result->outcomes[i]);
        }
    }
    if (table != NULL) {
        table->note = "A cell is one variant on one input with one choice of its parameters; its "
                      "answer is compared with that of the sequential variant.";
    }
}

static void add_commands(const StudyResult *result, Document *document) {
    const char *lines = "";
    for (size_t i = 0; i < result->study->step_count; i++) {
        const StepOutcome *outcome = &result->outcomes[i];
        const char *line =
            outcome->command[0] != '\0'
                ? document_text(document, "# %s\n%s", result->study->steps[i].name,
                                outcome->command)
                : document_text(document, "# %s: %s", result->study->steps[i].name, outcome->why);
        lines = text_joined(document, lines, "\n", line);
    }
    document_add(document, BLOCK_PARAGRAPH, "Each step is one command:");
    document_add(document, BLOCK_CODE, "%s", lines != NULL ? lines : "");
}

static void add_skipped(const StudyResult *result, Document *document) {
    Tally reasons = {0};
    for (size_t step = 0; step < result->study->step_count; step++) {
        const StepRecords *records = &result->records[step];
        for (size_t i = 0; i < records->count; i++) {
            const CsvRecord *record = &records->records[i];
            const char *status = study_record_text(records, record, "status");
            if (strcmp(status, "skip") == 0 || strcmp(status, "fail") == 0) {
                tally_add(&reasons, document, study_record_text(records, record, "why"),
                          study_record_text(records, record, "variant"));
            }
        }
    }
    if (reasons.count > 0) {
        DocTable *table = document_table(document, "skipped", "Cells without a number, by reason");
        table_column(document, table, &(DocColumn){.title = "Reason"});
        table_column(document, table, &(DocColumn){.title = "Variants"});
        table_column(document, table, &(DocColumn){.title = "Cells", .numeric = true});
        for (size_t i = 0; i < reasons.count; i++) {
            table_words(document, table, reasons.items[i].key);
            table_words(document, table, reasons.items[i].with);
            add_count(document, table, reasons.items[i].count, CELL_PLAIN);
        }
        if (table != NULL) {
            table->collapsed = true;
        }
    }
    tally_release(&reasons);
}

void study_course_add(const StudyResult *result, Document *document) {
    const StudySettings *settings = result->settings;
    const bool all = settings->device == NULL || strcmp(settings->device, "all") == 0;
    document_heading(document, 2, "How it was run");
    document_add(document, BLOCK_PARAGRAPH, "To repeat it:");
    document_add(document, BLOCK_CODE, "bench study %s%s%s%s", result->study->name,
                 settings->quick ? " --quick" : "", all ? "" : " --device ",
                 all ? "" : settings->device);
    add_steps_table(result, document);
    add_commands(result, document);
    add_skipped(result, document);
}
