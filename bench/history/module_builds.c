/* Modules of commits: compiled from one file, or made by a command. */

#include "history_internal.h"
#include "python.h"
#include "source_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* === Folder =================================================================================== */

/* Compilers and commands find what they name by a relative path in the commit, not in the person's
 * own files: they are started in the commit's folder. `*back` leads back. False where there is no
 * such folder. */
static bool enter_folder(const char *folder, int *back) {
    *back = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*back >= 0 && chdir(folder) == 0) {
        return true;
    }
    if (*back >= 0) {
        close(*back);
    }
    return false;
}

static Status leave_folder(int back) {
    const Status status = fchdir(back) == 0
                              ? status_ok()
                              : status_fail("the working folder is gone: %s", strerror(errno));
    close(back);
    return status;
}

/* === Module =================================================================================== */

static Status has_none(const CommitBuilds *builds, const char *commit) {
    return status_make(STATUS_NO_MATCH, "%.*s has no %.200s", COMMIT_SHORT, commit, builds->module);
}

/* STATUS_USAGE for one that is elsewhere: each commit has its own. */
static Status find_module(const CommitBuilds *builds, const char *commit, const char *source,
                          char module[ATOMIC_FILE_PATH_SIZE]) {
    char *whole = realpath(builds->module, NULL);
    const size_t length = strlen(source);
    if (whole == NULL) {
        return has_none(builds, commit);
    }
    const bool inside = strncmp(whole, source, length) == 0 && whole[length] == '/';
    const Status status = inside
                              ? path_make(module, ATOMIC_FILE_PATH_SIZE, "%s", whole)
                              : status_make(STATUS_USAGE,
                                            "%.200s is outside of the repository, where no commit "
                                            "has it; name a module of the commit",
                                            builds->module);
    free(whole);
    return status;
}

static Status run_command(const CommitBuilds *builds, LastLine *last) {
    const char *const shell[] = {"sh", "-c", builds->command, NULL};
    return builds->command != NULL ? tool_run(shell, -1, true, last) : status_ok();
}

/* Whatever a compiler does not take of a commit is the commit's; it has said so. */
static Status compile(const CommitBuilds *builds, const char *commit, const char *folder,
                      char module[ATOMIC_FILE_PATH_SIZE]) {
    SourceModule compiled;
    char kept[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_make(kept, sizeof kept, "%.4000s/module", folder));
    const Status status = source_file_compile_in(builds->module, kept, &compiled);
    if (status.code == STATUS_FILE) {
        return status_skip("commit %.*s cannot be built: %.250s", COMMIT_SHORT, commit, status.why);
    }
    STATUS_TRY(status);
    return path_make(module, ATOMIC_FILE_PATH_SIZE, "%s", compiled.path);
}

/* In the commit's folder. A file of Python is its own module, wherever it is named from. */
static Status make_module(const CommitBuilds *builds, const char *commit, const char *folder,
                          const char *source, char module[ATOMIC_FILE_PATH_SIZE], LastLine *last) {
    const bool compiled =
        source_file_is_named(builds->module) && !python_file_is_named(builds->module);
    STATUS_TRY(run_command(builds, last));
    STATUS_TRY(find_module(builds, commit, source, module));
    return compiled ? compile(builds, commit, folder, module) : status_ok();
}

Status commit_module_make(const CommitBuilds *builds, const char *commit, const char *folder,
                          const char *source, char module[ATOMIC_FILE_PATH_SIZE], LastLine *last) {
    char place[ATOMIC_FILE_PATH_SIZE];
    int back;
    STATUS_TRY(path_make(place, sizeof place, "%.3000s/%.1000s", source, builds->place));
    if (!enter_folder(place, &back)) {
        return has_none(builds, commit);
    }
    const Status status = make_module(builds, commit, folder, source, module, last);
    const Status left = leave_folder(back);
    return status_is_ok(&status) ? left : status;
}
