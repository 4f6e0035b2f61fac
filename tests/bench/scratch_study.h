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

/* `published` holds the lines below the header; NULL: there is no such file. All steps are done and
 * read `records`. */
static inline void scratch_study_open(ScratchStudy *study_of, const char *study,
                                      const char *published, const char *records) {
    *study_of = (ScratchStudy){.folder = scratch_make()};
    scratch_write(&study_of->folder, "study.txt", study);
    scratch_write(&study_of->folder, "results.csv", records);
    if (published != NULL) {
        char text[8192];
        snprintf(text, sizeof text, "table,row,column,value,unit,machine,source\n%s", published);
        scratch_write(&study_of->folder, "published.csv", text);
    }
    assert_ok(study_file_read(study_of->folder.path, &study_of->study));
    assert_ok(published_read(&study_of->study, &study_of->published));
    study_of->outcomes = calloc(study_of->study.step_count + 1, sizeof *study_of->outcomes);
    for (size_t i = 0; i < study_of->study.step_count; i++) {
        scratch_path(&study_of->folder, "results.csv", study_of->outcomes[i].csv);
    }
}

static inline void scratch_study_make(ScratchStudy *study_of) {
    assert_ok(study_result_make(&study_of->study, &study_of->published, &study_of->settings,
                                study_of->outcomes, &study_of->result));
}

static inline void scratch_study_close(ScratchStudy *study_of) {
    study_result_release(&study_of->result);
    published_release(&study_of->published);
    study_release(&study_of->study);
    scratch_remove_tree(study_of->folder.path);
}

#endif
