/* What `bench study` works on: the study that was asked for, its steps that are to be run, and the
 * settings. */
#ifndef BENCH_STUDY_SESSION_H
#define BENCH_STUDY_SESSION_H

#include "data_folder.h"
#include "published.h"
#include "study_options.h"
#include "study_record.h"

typedef struct StudySession {
    const StudyOptions *options;
    Study study;
    Published published;
    StudyRecord record; /* texts of the settings, where they are those of an earlier run */
    StudySettings settings;
    char data[DATA_FOLDER_PATH_SIZE];
    char out[ATOMIC_FILE_PATH_SIZE];
    bool *chosen; /* steps to run */
} StudySession;

/* Finds, reads and checks everything, and writes nothing. The session must stay where it is; close
 * it in any case. STATUS_USAGE, STATUS_FILE. */
Status study_session_open(const StudyOptions *options, StudySession *session);
void study_session_close(StudySession *session);

#endif
