/* What files of this room and tests share. */

#ifndef BENCH_HISTORY_HISTORY_INTERNAL_H
#define BENCH_HISTORY_HISTORY_INTERNAL_H

#include "history.h"

/* --- Programs that are started ---------------------------------------------------------------- */

enum { TAIL_SIZE = 4096 };

/* The end of what a program wrote, and its last line that is not empty. Starts zeroed. */
typedef struct LastLine {
    char ended[64]; /* "cmake ended with exit code 1"; "": nothing did */
    char text[300];
    size_t length; /* of the line so far */
    char tail[TAIL_SIZE];
    size_t tail_length;
} LastLine;

/* For ChildProcess.take; `context` is a LastLine. */
void keep_last_line(void *context, const char *bytes, size_t count);

/* Prints the last lines, made visible. */
void print_tail(FILE *stream, const LastLine *last, size_t lines);

/* Runs a program, found in PATH, to its end, without variables that name a repository of git;
 * `output` and `group` as in ChildProcess. STATUS_FAIL if it cannot be started, STATUS_FILE with
 * its last line if it fails, STATUS_INTERRUPTED. */
Status tool_run(const char *const *arguments, int output, bool group, LastLine *last);

/* The same of git, in a repository, with the arguments behind its name, at most 20: whatever the
 * settings of the person, its output is the same. */
Status git_run(const char *repository, const char *const *arguments, int output, LastLine *last);

/* --- Builds ----------------------------------------------------------------------------------- */

/* Makes the module of a commit, whose files are in the real path `source`, and writes its path;
 * `folder` is where what is compiled is kept. Status as of commit_builds_build, and STATUS_FILE
 * with `last` where the command fails. */
Status commit_module_make(const CommitBuilds *builds, const char *commit, const char *folder,
                          const char *source, char module[ATOMIC_FILE_PATH_SIZE], LastLine *last);

#endif
