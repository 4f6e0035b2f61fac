/* What a study has for reviewers: the checklist of its runs and the artifact appendix. */

#include "study_internal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "files.h"
#include "report.h"

/* The results.json of a step; false where it left none. */
static bool find_run(const StepOutcome *outcome, char path[ATOMIC_FILE_PATH_SIZE]) {
    char folder[ATOMIC_FILE_PATH_SIZE];
    const Status named = path_folder(outcome->csv, folder, sizeof folder);
    const Status found = status_is_ok(&named) && outcome->csv[0] != '\0'
                             ? stored_run_in(folder, path, ATOMIC_FILE_PATH_SIZE)
                             : named;
    return outcome->csv[0] != '\0' && status_is_ok(&found) && access(path, R_OK) == 0;
}

Status study_runs_read(const StudyResult *result, StudyRuns *runs) {
    const size_t steps = result->study->step_count;
    *runs = (StudyRuns){.stored = calloc(steps + 1, sizeof *runs->stored),
                        .runs = calloc(steps + 1, sizeof *runs->runs)};
    if (runs->stored == NULL || runs->runs == NULL) {
        study_runs_release(runs);
        return status_no_memory("for the runs of a study");
    }
    for (size_t i = 0; i < steps; i++) {
        char path[ATOMIC_FILE_PATH_SIZE];
        StoredRun *stored = &runs->stored[runs->count];
        if (!find_run(&result->outcomes[i], path)) {
            continue;
        }
        /* A file of another program, or without rows, is that of no run. */
        const Status status = report_run_read(path, stored);
        if (status_is_ok(&status)) {
            runs->runs[runs->count++] =
                (OverviewRun){.stored = stored, .name = result->study->steps[i].name};
        }
    }
    return status_ok();
}

void study_runs_release(StudyRuns *runs) {
    for (size_t i = 0; i < runs->count; i++) {
        stored_run_release(&runs->stored[i]);
    }
    free(runs->stored);
    free(runs->runs);
    *runs = (StudyRuns){.stored = NULL};
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
    if (status_is_ok(&status)) {
        status = artifact_write(&document, result->settings->out, NULL);
    }
    claims_release(&claims);
    document_release(&document);
    return status;
}
