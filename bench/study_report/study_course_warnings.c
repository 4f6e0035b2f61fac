#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study_cells.h"
#include "study_course.h"
#include "study_result_cells.h"
#include "study_tally.h"

static bool names_cuda(const Condition *condition) {
    return (strcmp(condition->key, "variant") == 0 && strncmp(condition->value, "cuda", 4) == 0) ||
           (strcmp(condition->key, "backend") == 0 && strcmp(condition->value, "cuda") == 0);
}

/* Whether a number is asked of a CUDA variant's records. */
static bool is_cuda(const StudyTable *table, const StudyRow *row, const StudyColumn *column) {
    ConditionList conditions;
    bool cuda = false;
    if (column->source == COLUMN_CSV && cell_conditions(table, row, column, &conditions)) {
        for (size_t i = 0; i < conditions.count; i++) {
            cuda = cuda || names_cuda(&conditions.items[i]);
        }
        free(conditions.items);
    }
    return cuda;
}

/* The CUDA cells of a study. */
typedef struct CudaCells {
    size_t measured;
    Tally skipped; /* reasons of those that the runs came to */
    Tally other;   /* reasons of those that no run was asked for */
} CudaCells;

static void count_cuda(const StudyResult *result, const TableResult *table, Document *document,
                       CudaCells *cells) {
    const StudyTable *study = table->table;
    for (size_t i = 0; i < study->row_count * study->column_count; i++) {
        const CellPlace place = {result, table, i / study->column_count, i % study->column_count};
        const char *why = table->values[i].why;
        if (!is_cuda(study, &study->rows[place.row], &study->columns[place.column])) {
            continue;
        }
        if (isfinite(table->values[i].measured)) {
            cells->measured++;
        } else if (why[0] != '\0') {
            const bool skipped = study_cell_is_skipped(&place);
            tally_add(skipped ? &cells->skipped : &cells->other, document, why, NULL);
        }
    }
}

static void add_cuda_warning(const StudyResult *result, Document *document) {
    CudaCells cells = {0};
    for (size_t i = 0; i < result->study->table_count; i++) {
        count_cuda(result, &result->tables[i], document, &cells);
    }
    const Tally *reasons = cells.skipped.count > 0 ? &cells.skipped : &cells.other;
    if (cells.measured == 0 && reasons->count > 0) {
        document_add(document, BLOCK_WARNING, "CUDA columns were not run here: %s.",
                     tally_keys(reasons, document, "; "));
    }
    tally_release(&cells.skipped);
    tally_release(&cells.other);
}

static void add_step_warning(const StudyStep *step, const StepOutcome *outcome,
                             Document *document) {
    static const char *const words[] = {
        [STEP_LEFT_OUT] = "was left out", [STEP_FAILED] = "failed", [STEP_NOT_RUN] = "was not run"};
    if (outcome->state != STEP_DONE) {
        document_add(document, BLOCK_WARNING, "Step %s %s: %s.", step->name, words[outcome->state],
                     outcome->why[0] != '\0' ? outcome->why : "no reason is known");
    }
    const bool ran = outcome->state == STEP_DONE || outcome->state == STEP_FAILED;
    if (outcome->stand_in && ran) {
        const char *options = "";
        for (size_t i = 0; i < step->otherwise.count; i++) {
            const StepArgument *argument = &step->otherwise.items[i];
            const char *option = text_joined(document, argument->option, " ", argument->value);
            options = text_joined(document, options, " ", option);
        }
        document_add(document, BLOCK_WARNING,
                     "Step %s ran on a stand-in, since its data was not there: %s.", step->name,
                     options);
    }
}

void study_warnings_add(const StudyResult *result, Document *document) {
    if (result->settings->quick) {
        document_add(document, BLOCK_WARNING,
                     "This was run with --quick: fewer sizes or samples than the study asks for. "
                     "The numbers show that everything works, and no more.");
    }
    for (size_t i = 0; i < result->study->step_count; i++) {
        add_step_warning(&result->study->steps[i], &result->outcomes[i], document);
    }
    add_cuda_warning(result, document);
}
