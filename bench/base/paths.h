/* Paths and folders, and where the program keeps what. */

#ifndef BENCH_BASE_PATHS_H
#define BENCH_BASE_PATHS_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>

#include "status.h"

/* --- Paths ------------------------------------------------------------------------------------ */

/* Writes a printf-like path: path_make(path, size, "%s/%s", folder, name). STATUS_FILE when it is
 * longer than `size` allows. */
Status path_make(char *path, size_t size, const char *format, ...) STATUS_PRINTF(3, 4);

/* Writes "FOLDER/NAME", or NAME alone for the folder ".". STATUS_FILE as above. */
Status path_in(const char *folder, const char *name, char *path, size_t size);

/* Whether the text is longer than `ending` and ends with it. */
bool text_ends(const char *text, const char *ending);

/* The part of `path` after the last slash. */
const char *path_name(const char *path);

/* The folder of a file; "." when the path has no slash. STATUS_FILE when it is too long. */
Status path_folder(const char *path, char *folder, size_t size);

/* --- Folders ---------------------------------------------------------------------------------- */

/* Also true for links to folders. */
bool folder_exists(const char *path);

typedef struct FolderList {
    size_t count;
    struct dirent **entries; /* owned */
} FolderList;

/* Whether it is an entry, and not the folder itself or the one above: wants all. */
int folder_entry(const struct dirent *entry);

/* Lists the entries for which `wanted` returns nonzero; NULL: those that do not begin with a dot.
 * They are sorted by their bytes, independent of the locale. Release the list in any case.
 * STATUS_FILE when the folder cannot be read. */
Status folder_list(const char *folder, int (*wanted)(const struct dirent *entry), FolderList *list);
void folder_list_release(FolderList *list);

/* A list of paths. */
typedef struct PathList {
    size_t count, capacity;
    char **paths; /* owned, as are its texts */
} PathList;

/* Appends a copy. STATUS_SKIP without memory. */
Status path_list_add(PathList *list, const char *path);

/* Appends what folder_list finds, each with the folder's path in front. */
Status path_list_add_folder(PathList *list, const char *folder,
                            int (*wanted)(const struct dirent *entry));
void path_list_release(PathList *list);

/* Makes the folder and those above it, like `mkdir -p`. STATUS_FILE names the one that cannot be
 * made. */
Status folder_make(const char *path);

/* The same for the folder of the file `path`. */
Status folder_make_for(const char *path);

/* Locks a folder against others that lock it, until `*lock` is closed or the process ends; -1 where
 * the file system knows no locks. STATUS_FILE if another has it. */
Status folder_lock(const char *path, int *lock);

/* Makes the folder and waits until nobody else has it locked; `*lock` is -1 where the file system
 * knows no locks, and after an interrupt. STATUS_FILE if it cannot be made. */
Status folder_lock_wait(const char *path, int *lock);

/* Waits for the lock of an open folder, alone or with others. False where the file system knows no
 * locks, and after an interrupt. */
bool folder_lock_open(int folder, bool alone);

/* Whether the path, from the open folder `from` (AT_FDCWD: the working folder), leads to the folder
 * that is open: it may have been removed since, and made anew. */
bool folder_is_open(int from, const char *path, int folder);

/* --- Cache folder ----------------------------------------------------------------------------- */

/* The folder for data about this machine that is kept between runs: "$XDG_CACHE_HOME/bench" or
 * "$HOME/.cache/bench". STATUS_FILE when neither variable holds an absolute path. */
Status cache_folder(char *path, size_t size);

/* --- Data folder ------------------------------------------------------------------------------ */

enum { DATA_FOLDER_PATH_SIZE = 4096 };

typedef struct DataFolder {
    const char *variable;  /* environment variable that names the folder; NULL: none does */
    const char *installed; /* path in share/bench */
    const char *source;    /* path in the source tree */
    const char *holds;     /* a file in it, which identifies it; NULL: any folder of that name */
    const char *what;      /* for messages: "the chart scripts" */
} DataFolder;

/* The file of the running program, which other programs can start; "" when unknown. */
void program_path(char *path, size_t size);

/* What this process starts to run the same program again: /proc/self/exe, or where there is no
 * /proc the path that it was started by; "" when unknown. */
const char *program_again(void);

/* Whether the program was started in its build folder, and is not an installed one. */
bool program_is_built(void);

/* The first of these that can be read: the folder that the environment names, the one installed
 * with the program, the one in the source tree it was built from. STATUS_SKIP when there is none.
 */
Status data_folder_find(const DataFolder *wanted, char *folder, size_t size);

/* --- Stored runs ------------------------------------------------------------------------------ */

/* Where runs are unless a folder is named: BENCH_RUNS, else bench-runs in the current folder;
 * reports/runs for a program that was started where it was built. */
const char *runs_folder(void);

/* What the last run is called wherever a run is an argument. */
#define LAST_RUN "latest"

/* Makes the link `latest` in the folder of runs lead to a run that has ended well. */
void last_run_note(const char *folder);

/* The run that a word names: a file or folder of this name, or else one in the folder of runs,
 * where `latest` is the last one. A name may also be written as `bench runs` shows it, escaped or
 * cut. Every other name stays as it is. `path` is `name` or a text that is kept. STATUS_FILE if
 * there is no last run, or its folder is gone; STATUS_USAGE if several are shown so. */
Status run_find(const char *name, const char **path);

/* STATUS_FILE if there is no such file or folder, and for a folder without a run, which names those
 * that are in it, as in that of a study. */
Status run_check(const char *path);

/* Whether a folder has runs in it, or in its folder `runs`. */
bool runs_are_below(const char *folder);

/* In the folder of a study, whose runs are in its folder `runs`. */
#define STUDY_FILE "study.json"

/* The names of a stored run's files in its folder, packed and not; NULL behind the last. */
extern const char *const stored_run_files[];

/* Whether the folder holds the files of a run. */
bool run_is_in(const char *folder);

#endif
