/* What a study has for reviewers: the checklist of its runs and the artifact appendix. */

#include "document.h"
#include "study_internal.h"

#include <stddef.h>

#include "report.h"

StudyRuns study_runs(const StudyResult *result, Document *document) {
    const size_t steps = result->study->step_count;
    StudyRuns runs = {.runs = document_allocate(document, (steps + 1) * sizeof *runs.runs)};
    for (size_t i = 0; runs.runs != NULL && i < steps; i++) {
        if (result->records[i].run != NULL) {
            runs.runs[runs.count++] =
                (ReportRun){.stored = result->records[i].run, .name = result->study->steps[i].name};
        }
    }
    return runs;
}

void study_checklist_add(const StudyRuns *runs, Document *document) {
    document_heading(document, 2, "For reviewers");
    if (runs->count == 0) {
        document_add(document, BLOCK_PARAGRAPH,
                     "No step left a results.json, whose rows would answer the reviewers' "
                     "checklist.");
        return;
    }
    checklist_add(runs->runs, runs->count, document);
}

Status study_artifact_write(const StudyResult *result, const StudyRuns *runs) {
    const Study *study = result->study;
    Document document;
    ClaimList claims = {.items = NULL};
    Status status = study_claims_judge(result, &claims);
    document_open(&document, NULL);
    document.title = document_text(&document, "Artifact appendix: %s", study->name);
    ArtifactStep *steps = document_allocate(&document, (study->step_count + 1) * sizeof *steps);
    for (size_t i = 0; steps != NULL && i < study->step_count; i++) {
        const StepOutcome *outcome = &result->outcomes[i];
        steps[i] = (ArtifactStep){.name = study->steps[i].name,
                                  .command = outcome->command,
                                  .seconds = outcome->elapsed_s};
    }
    artifact_build(&(Artifact){.runs = runs->runs,
                               .count = runs->count,
                               .study = study->name,
                               .title = study->title,
                               .citation = study->citation,
                               .repeat = study_command(result, &document),
                               .check = document_text(&document, "%s --check",
                                                      study_command(result, &document)),
                               .steps = steps,
                               .step_count = study->step_count,
                               .claims = &claims},
                   &document);
    STATUS_THEN(status, artifact_write(&document, result->settings->out, NULL));
    claims_release(&claims);
    document_release(&document);
    return status;
}
