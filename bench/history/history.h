/* The times of a program over its commits: stored runs as lines of a file, change points in them,
 * commits that are built and measured in turns, and the search for the one that changed a time. */

#ifndef BENCH_HISTORY_HISTORY_H
#define BENCH_HISTORY_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "change_points.h"
#include "compare.h"
#include "number.h"
#include "run_options.h"
#include "status.h"

typedef struct OptionTexts OptionTexts; /* options.h */
typedef struct PathList PathList;       /* paths.h */

/* --- Git -------------------------------------------------------------------------------------- */

enum { COMMIT_SIZE = 72, COMMIT_SHORT = 8, COMMIT_SUBJECT_SIZE = 200 };

/* Runs `git -C repository arguments…`; `*text` is what it wrote to standard output, to be freed.
 * `arguments` ends with NULL. STATUS_FILE with git's last line where it fails. */
Status git_read(const char *repository, const char *const *arguments, char **text);

/* The whole hash of the commit that a name stands for. STATUS_USAGE when there is none. */
Status git_commit(const char *repository, const char *name, char commit[COMMIT_SIZE]);

/* The first line of its message, made visible; "" when git does not know it. */
void git_subject(const char *repository, const char *commit, char subject[COMMIT_SUBJECT_SIZE]);

/* Whether a text is a hash, whole or shortened: safe as an argument of git. */
bool is_commit_hash(const char *text);

/* --- Temporary folders ------------------------------------------------------------------------ */

/* Makes a folder in $TMPDIR or /tmp and writes its real path. STATUS_FILE. */
Status temporary_folder_make(char folder[ATOMIC_FILE_PATH_SIZE]);

/* Removes a folder and all that is in it, however deep, and without following links. */
void remove_tree(const char *folder);

/* --- Store ------------------------------------------------------------------------------------ */

/*
 * A folder with a file for each machine and build (machine_id), of a line for each cell of each
 * run:
 *
 *   {"version":1,"run":"<hash of the run's file>","commit":"<hash>","commit_time":…,"date":"…",
 *    "machine":"<id>","machine_words":"…","build":"…","cell":"lbp/omp/texture/1080p/threads:2",
 *    "input_hash":"…","mode":"hot","held":true,"roof":true,
 *    "disturbed":"other programs","launches_s":[…]}
 *
 * The name of a cell holds algorithm, variant, input, size and points. `commit_time` is what git
 * says of the commit, in seconds since 1970; it is absent where the commit is not known there.
 * `disturbed` is measured_cell_disturber; lines of earlier versions lack it.
 */

typedef struct HistoryEntry {
    const char *run, *commit, *cell, *input_hash, *mode;
    double when;     /* seconds since 1970: commit_time, or the date of the run */
    bool held, roof; /* as of MeasuredCell */
    bool disturbed;
    const double *launches; /* seconds */
    size_t launch_count;
} HistoryEntry;

/* The file of one machine. */
typedef struct MachineHistory {
    char path[ATOMIC_FILE_PATH_SIZE];
    const char *machine, *build; /* in words, of the last line */
    HistoryEntry *entries;       /* in the order of the lines */
    size_t count, capacity;
    void *memory;
} MachineHistory;

/* Reads a file. A damaged line gets a note with its number and is left out. STATUS_FILE. */
Status history_read(const char *path, FILE *notes, MachineHistory *history);
void history_release(MachineHistory *history);

/* Appends the paths of the files in a folder. STATUS_FILE when it cannot be read. */
Status history_files(const char *folder, PathList *paths);

typedef struct HistoryAddition {
    const char *folder;
    const char *run;        /* folder or file of a stored run */
    const char *commit;     /* NULL: that of the run */
    const char *repository; /* that knows the time of the commit */
} HistoryAddition;

typedef struct HistoryAdded {
    char path[ATOMIC_FILE_PATH_SIZE];
    char commit[COMMIT_SIZE];
    size_t added, known; /* cells */
} HistoryAdded;

/*
 * Adds the cells of a run which the file of its machine does not have yet. The file is written
 * beside and renamed while a lock in the folder is held, so that several may add at once; lines
 * that are there stay as they are, damaged ones too. STATUS_USAGE when the commit is not known or
 * the run was built with changes that are in no commit; STATUS_FILE, STATUS_SKIP without a cell.
 */
Status history_add(const HistoryAddition *addition, FILE *notes, HistoryAdded *added);

/* --- Series ----------------------------------------------------------------------------------- */

/* The launches of a cell in all runs of a commit, but of disturbed ones only where all were. */
typedef struct CommitTime {
    const char *commit;
    double when;
    bool disturbed;          /* it is no level: the search for changes leaves it out */
    Estimate seconds;        /* median of the launches, the least and the greatest */
    ChangeSample logarithms; /* of all launches */
} CommitTime;

/* One cell on one input over the commits, oldest first. */
typedef struct HistorySeries {
    const char *name; /* the cell, and what tells it from others of that name */
    bool roof;
    CommitTime *commits;
    size_t count;
    LevelChange *changes;
    size_t change_count;
    double detectable; /* without a change point: the smallest step half way along these commits
                          that 80% of such histories would have shown; NAN, INFINITY: as of
                          RunDifference */
} HistorySeries;

/* Cells that a commit made slower, or faster. */
typedef struct ChangedCells {
    size_t count;
    double ratio; /* new / old time, of the one that changed most */
} ChangedCells;

enum { FINDING_CELLS = 3 };

/* The change points of one commit, but of roofs. */
typedef struct HistoryFinding {
    const char *commit;
    double when;
    ChangedCells slower, faster;
    const char *cells[FINDING_CELLS]; /* the first ones */
} HistoryFinding;

typedef struct HistoryView {
    const char *machine, *build;
    HistorySeries *series;
    size_t count, capacity;
    HistoryFinding *findings; /* oldest first */
    size_t finding_count, finding_capacity;
    size_t times, disturbed; /* of a cell in a run; those that were not looked at */
    double alpha;
    void *memory;
} HistoryView;

/* The series of a machine, each of its newest `most` commits, with their change points: of the
 * logarithms of the launches. The view points at texts of the history. */
Status history_view(const MachineHistory *history, double alpha, size_t most, HistoryView *view);
void history_view_release(HistoryView *view);

/* A line for each cell, then one for each finding. STATUS_SKIP without memory. */
Status history_print(FILE *stream, const HistoryView *view);

/* A page of all machines: findings, a table, and a chart for each cell. */
Status history_page_write(const HistoryView *views, size_t count, const char *path);

/* --- Builds ----------------------------------------------------------------------------------- */

/*
 * Commits, each built in a temporary folder from what git archive has of it, so that the repository
 * is only read. While a builds is open an interrupt ends the process only after its folder has
 * been removed.
 */

typedef struct CommitBuilds {
    const char *repository;   /* or a folder in one */
    const OptionTexts *cmake; /* further arguments of cmake, for every commit */
    const char *program;      /* of a build folder: "bin/bench" */
    int jobs;                 /* of the build; 0: as many as there are processors */
    /* An algorithm of one file or a shared object, by its path from `repository`. Then this program
     * is what is started, and loads it from the commit. NULL: the commit has the program. */
    const char *module;
    const char *command; /* given to a shell in the commit's folder before that; NULL: nothing */
    FILE *notes;         /* gets the end of what a failed build said */
    bool quiet;          /* no line for each commit that is built */
    char folder[ATOMIC_FILE_PATH_SIZE];
    char top[ATOMIC_FILE_PATH_SIZE];   /* of the repository */
    char place[ATOMIC_FILE_PATH_SIZE]; /* from there to `repository`: "", "filters/" */
} CommitBuilds;

/* What is measured of a commit. */
typedef struct CommitBuild {
    char program[ATOMIC_FILE_PATH_SIZE];
    char module[ATOMIC_FILE_PATH_SIZE]; /* that the program loads; "": none */
} CommitBuild;

/* Makes the folder in $TMPDIR or /tmp; the members up to it are set already. STATUS_FILE. */
Status commit_builds_open(CommitBuilds *builds);
void commit_builds_close(CommitBuilds *builds);

/*
 * Builds a commit, unless that was done before. STATUS_SKIP when it cannot be built;
 * STATUS_NO_MATCH when it has no such module; STATUS_USAGE for a module outside of the repository;
 * STATUS_FILE, STATUS_FAIL when git, tar or cmake cannot be used; STATUS_INTERRUPTED.
 */
Status commit_builds_build(CommitBuilds *builds, const char *commit, CommitBuild *build);

/* Removes what was built of a commit. */
void commit_builds_drop(const CommitBuilds *builds, const char *commit);

/* --- Archive ---------------------------------------------------------------------------------- */

/* What goes into an archive is gathered in a temporary folder. While it is open an interrupt ends
 * the process only after the folder has been removed. */
typedef struct Pack {
    const char *name;                   /* of the one folder in the archive */
    char work[ATOMIC_FILE_PATH_SIZE];   /* holds it */
    char folder[ATOMIC_FILE_PATH_SIZE]; /* that folder */
} Pack;

/* STATUS_FILE, and nothing to close. */
Status pack_open(Pack *pack, const char *name);
void pack_close(Pack *pack);

/* Writes the path of a file of the archive, "runs/lbp", and makes its folder. */
Status pack_path(const Pack *pack, const char *name, char path[ATOMIC_FILE_PATH_SIZE]);

/* Copies a file or folder; links are followed. STATUS_FILE. */
Status pack_copy(const Pack *pack, const char *from, const char *name);

/* Adds the files of a commit as an archive of their own, and one of them alone. STATUS_FILE if git
 * cannot, STATUS_SKIP if the commit has no such file. */
Status pack_source(const Pack *pack, const char *repository, const char *commit, const char *name);
Status pack_source_file(const Pack *pack, const char *repository, const char *commit,
                        const char *file, const char *name);

/* Adds SHA256SUMS of all files, and writes a .tar.gz. All files in it have the time `when`, seconds
 * since 1970, so the same content gives the same bytes. STATUS_FILE. */
Status pack_write(const Pack *pack, const char *path, double when);

/* Seconds since 1970 of "2026-11-24T02:22:36Z", "…+01:00" or without a zone, which is UTC; NAN for
 * anything else. */
double date_seconds(const char *date);

/* --- Two programs in turns -------------------------------------------------------------------- */

enum { SIDE_OLD, SIDE_NEW, SIDES };

/* What every launch measures. */
typedef struct PairRequest {
    RunOptions run;
    ArgumentList words; /* behind it, for options that no module here has: the launch reads them */
} PairRequest;

typedef struct ProgramPair {
    const CommitBuild *builds[SIDES];
    const char *folder; /* gets old/launch-1 … and new/launch-1 … */
    const PairRequest *request;
    int launches;  /* of each side, without a budget */
    double budget; /* seconds of all launches; 0: none */
    double alpha;  /* of the comparison that follows, with a budget */
    FILE *notes;   /* for the progress; NULL: none is shown */
} ProgramPair;

/* Pairs of launches that a budget has room for, if the first takes `first` seconds, in which the
 * machine's ceilings are measured as well, and each that follows `later`; at least as many as can
 * show a change of one cell among `cells` at `alpha`. Known before any times are compared: to look
 * and then stop would raise false alarms. */
int pairs_of_budget(double budget, double first, double later, size_t cells, double alpha);

/* Measures both programs, launch by launch, old, new, new, old, …: what slows the machine down
 * slows both. STATUS_FAIL naming the launch that went wrong, STATUS_INTERRUPTED. Release both runs,
 * unless it failed. */
Status program_pair_measure(const ProgramPair *pair, MeasuredRun runs[SIDES]);

/* Runs the new program alone, which verifies and measures in one launch and prints what it finds,
 * into the folder new. `*code` is its exit code. STATUS_FAIL if it cannot be started,
 * STATUS_INTERRUPTED. */
Status program_pair_run_new(const ProgramPair *pair, int *code);

/* --- Bisection -------------------------------------------------------------------------------- */

typedef struct BisectRequest {
    const char *good, *bad; /* names of commits */
    CompareCriteria criteria;
    const PairRequest *request; /* as of ProgramPair */
    int launches;
    FILE *notes;
} BisectRequest;

typedef enum BisectEnd {
    BISECT_FOUND,
    BISECT_SEVERAL,  /* the commits between could not be built: one of them */
    BISECT_GRADUAL,  /* the last two commits do not differ by themselves */
    BISECT_NO_CHANGE /* good and bad do not differ */
} BisectEnd;

/* Builds and measures commits between two until the one that changed a cell is found, and prints
 * what it finds. STATUS_USAGE for commits that there are not, STATUS_SKIP when an end cannot be
 * built. */
Status bisect_run(const BisectRequest *request, CommitBuilds *builds, BisectEnd *end);

/* --- Accepted regressions --------------------------------------------------------------------- */

/* Accepts what lines "Bench-Accept: CELL REASON" at the end of the messages of the commits from
 * `base` to `head` say; CELL is a pattern of comparison_accept. A line without a reason gets a note
 * and accepts nothing. */
Status accept_by_trailers(const char *repository, const char *base, const char *head, FILE *notes,
                          Comparison *comparison);

#endif
