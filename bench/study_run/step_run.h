/* Running a study's steps: each is the program itself, started again, so that one that crashes or
 * loses its device takes no other with it. */
#ifndef BENCH_STEP_RUN_H
#define BENCH_STEP_RUN_H

#include <stdbool.h>

#include "atomic_file.h"
#include "status.h"
#include "study.h"

typedef struct StudySettings {
    bool quick;
    bool quiet;
    const char *device; /* "all", "cpu", or the number of a CUDA device */
    const char *data;   /* folder of {data} */
    const char *out;    /* folder of the study's files; steps have <out>/runs/<step> */
} StudySettings;

typedef enum StepState {
    STEP_DONE,
    STEP_LEFT_OUT, /* a file in {data} is not there, and nothing stands in for it */
    STEP_FAILED,   /* the command ended with an error, but perhaps left rows */
    STEP_NOT_RUN   /* not reached: interrupted */
} StepState;

typedef struct StepOutcome {
    StepState state;
    int code;                        /* exit code of the command */
    bool stand_in;                   /* `otherwise` was used */
    double elapsed_s;                /* seconds that the command took; 0: not known */
    char why[STATUS_WHY_SIZE];       /* unless done: one sentence */
    char command[2048];              /* as it can be pasted into a shell */
    char csv[ATOMIC_FILE_PATH_SIZE]; /* the file its tables read, there or not */
} StepOutcome;

/* The arguments of a step under these settings, `bench` first, NULL last; free with
 * step_arguments_release. STATUS_SKIP when a file is missing and nothing stands in for it. */
Status step_arguments(const StudyStep *step, const StudySettings *settings, char ***arguments,
                      bool *stand_in);
void step_arguments_release(char **arguments);

/* The command line as it can be pasted into a shell, with the variable that hides devices. */
void step_command(char **arguments, const StudySettings *settings, char *command, size_t size);

/* Runs one step and waits for it; what it prints goes to <out>/runs/<step>/log.txt, its standard
 * error to ours as well unless `quiet`, and its outcome to outcome.json there. Files of an earlier
 * run of it are removed. Errors of the step are its outcome; a Status only when it could not be
 * started or was interrupted: `code` is EXIT_INTERRUPTED then. */
Status step_run(const StudyStep *step, const StudySettings *settings, StepOutcome *outcome);

/* The outcome of a step that was run earlier, from the outcome.json in its folder; STEP_NOT_RUN
 * when there is none. */
Status step_recall(const StudyStep *step, const StudySettings *settings, StepOutcome *outcome);

#endif
