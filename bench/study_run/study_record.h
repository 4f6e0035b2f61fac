/* What a study was run with, as a file beside its report, for a report made again later. */
#ifndef BENCH_STUDY_RECORD_H
#define BENCH_STUDY_RECORD_H

#include "atomic_file.h"
#include "step_run.h"

typedef struct StudyRecord {
    char study[128];
    bool quick;
    char device[32];
    char data[ATOMIC_FILE_PATH_SIZE];
} StudyRecord;

/* Writes <out>/study.json. STATUS_FILE. */
Status study_record_write(const char *study, const StudySettings *settings);

/* STATUS_FILE when the folder has none that can be read. */
Status study_record_read(const char *out, StudyRecord *record);

#endif
