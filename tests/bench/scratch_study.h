/* A study in a folder of its own, evaluated: study.txt, published.csv and the CSV that its steps
 * left, all as texts. */
#ifndef TESTS_BENCH_SCRATCH_STUDY_H
#define TESTS_BENCH_SCRATCH_STUDY_H

#include "scratch_folder.h"
#include "study.h"
#include "test.h"

typedef struct ScratchStudy {
    ScratchFolder folder;
    Study study;
    Published published;
    StudySettings settings;
    StepOutcome *outcomes; /* the result's once it is made */
    StudyResult result;
} ScratchStudy;

static inline void check_ok(Status status) {
    if (!status_is_ok(&status)) {
        fail_msg("%s", status.why);
    }
}

/* `published` holds the lines below the header; NULL: there is no such file. All steps are done and
 * read `records`. */
static inline void scratch_study_open(ScratchStudy *scratch, const char *study,
                                      const char *published, const char *records) {
    *scratch = (ScratchStudy){.folder = scratch_make()};
    scratch_write(&scratch->folder, "study.txt", study);
    scratch_write(&scratch->folder, "results.csv", records);
    if (published != NULL) {
        char text[8192];
        snprintf(text, sizeof text, "table,row,column,value,unit,machine,source\n%s", published);
        scratch_write(&scratch->folder, "published.csv", text);
    }
    check_ok(study_file_read(scratch->folder.path, &scratch->study));
    check_ok(published_read(&scratch->study, &scratch->published));
    scratch->outcomes = calloc(scratch->study.step_count + 1, sizeof *scratch->outcomes);
    for (size_t i = 0; i < scratch->study.step_count; i++) {
        scratch_path(&scratch->folder, "results.csv", scratch->outcomes[i].csv);
    }
}

static inline void scratch_study_make(ScratchStudy *scratch) {
    check_ok(study_result_make(&scratch->study, &scratch->published, &scratch->settings,
                               scratch->outcomes, &scratch->result));
}

static inline void scratch_study_close(ScratchStudy *scratch) {
    study_result_release(&scratch->result);
    published_release(&scratch->published);
    study_release(&scratch->study);
    scratch_remove_tree(scratch->folder.path);
}

#endif
