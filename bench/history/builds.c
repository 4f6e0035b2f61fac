/* Commits that are built in a temporary folder. */

#include "backend.h"
#include "devices.h"
#include "history_internal.h"
#include "options.h"
#include "paths.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SUBMODULES_DEEP = 8 };
enum { TRIES = 40, ARGUMENTS_MAX = 64, JOBS_SIZE = 24, TAIL_LINES = 20 };
enum { OPTION_SIZE = 128, FACTS_LOOKED_AT = 8 /* the capability is the second */ };

/* === Folders ================================================================================== */

/* A tree that is removed. Its paths may be longer than the system takes: entries are named within
 * their folder, and a folder that lies too deep is moved up before it is looked into. */
typedef struct Removal {
    int top;
    unsigned moved; /* folders */
} Removal;

enum { DEPTH_MAX = 64 };

static bool empty_folder(Removal *removal, int folder, int depth);

static bool move_up(Removal *removal, int folder, const char *name) {
    char moved[32];
    snprintf(moved, sizeof moved, "moved-%u", removal->moved++);
    return renameat(folder, name, removal->top, moved) == 0;
}

static bool remove_folder(Removal *removal, int folder, const char *name, int depth) {
    (void)fchmodat(folder, name, S_IRWXU, 0);
    if (depth == DEPTH_MAX) {
        return move_up(removal, folder, name);
    }
    const int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const bool empty = inner >= 0 && empty_folder(removal, inner, depth + 1);
    return empty && unlinkat(folder, name, AT_REMOVEDIR) == 0;
}

static bool remove_entry(Removal *removal, int folder, const char *name, int depth) {
    return unlinkat(folder, name, 0) == 0 || errno == ENOENT ||
           remove_folder(removal, folder, name, depth);
}

/* Closes the descriptor. */
static bool empty_folder(Removal *removal, int folder, int depth) {
    DIR *list = fdopendir(folder);
    const struct dirent *entry;
    bool empty = list != NULL;
    while (list != NULL && (entry = readdir(list)) != NULL) {
        if (folder_entry(entry)) {
            empty = remove_entry(removal, folder, entry->d_name, depth) && empty;
        }
    }
    if (list != NULL) {
        closedir(list);
    } else {
        close(folder);
    }
    return empty;
}

static void remove_once(const char *folder, Removal *removal) {
    removal->top = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const int list = removal->top >= 0 ? fcntl(removal->top, F_DUPFD_CLOEXEC, 0) : -1;
    if (list >= 0 && empty_folder(removal, list, 1)) {
        rmdir(folder);
    }
    if (removal->top >= 0) {
        close(removal->top);
    }
}

/* Again where folders were moved up, and, some times, where programs that have just been killed
 * finish a file. */
void remove_tree(const char *folder) {
    const struct timespec pause = {.tv_nsec = 50000000};
    Removal removal = {.top = -1};
    for (int tries = 0; tries < TRIES;) {
        const unsigned before = removal.moved;
        remove_once(folder, &removal);
        if (access(folder, F_OK) != 0) {
            return;
        }
        if (removal.moved == before) {
            tries++;
            nanosleep(&pause, NULL);
        }
    }
}

/* Real, since compilers write it into what they build. */
Status temporary_folder_make(char folder[ATOMIC_FILE_PATH_SIZE]) {
    const char *parent = getenv("TMPDIR");
    char made[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_make(made, sizeof made, "%.3800s/bench-XXXXXX",
                         parent != NULL && parent[0] == '/' ? parent : "/tmp"));
    if (mkdtemp(made) == NULL) {
        return status_make(STATUS_FILE, "%.300s: %s; TMPDIR names a folder to work in", made,
                           strerror(errno));
    }
    char *real = realpath(made, NULL);
    const Status status =
        path_make(folder, ATOMIC_FILE_PATH_SIZE, "%s", real != NULL ? real : made);
    free(real);
    return status;
}

Status commit_builds_open(CommitBuilds *builds) {
    interrupt_hold();
    const Status status = temporary_folder_make(builds->folder);
    if (!status_is_ok(&status)) {
        builds->folder[0] = '\0';
        interrupt_release();
    }
    return status;
}

void commit_builds_close(CommitBuilds *builds) {
    if (builds->folder[0] != '\0') {
        remove_tree(builds->folder);
        builds->folder[0] = '\0';
        if (!interrupt_requested()) {
            interrupt_release();
        }
    }
}

/* Paths of all commits have the same length: the length of a path can shift where a program's
 * memory lies. */
static Status commit_folder(const CommitBuilds *builds, const char *commit,
                            char folder[ATOMIC_FILE_PATH_SIZE]) {
    return path_make(folder, ATOMIC_FILE_PATH_SIZE, "%.3900s/%.12s", builds->folder, commit);
}

void commit_builds_drop(const CommitBuilds *builds, const char *commit) {
    char folder[ATOMIC_FILE_PATH_SIZE];
    const Status status = commit_folder(builds, commit, folder);
    if (status_is_ok(&status)) {
        remove_tree(folder);
    }
}

/* === Building ================================================================================= */

/* Where the repository begins, and where in it the person is: git packs the files below a folder
 * alone, and they may need others. */
static Status find_place(CommitBuilds *builds) {
    static const char *const where[] = {"rev-parse", "--show-cdup", "--show-prefix", NULL};
    char *text = NULL;
    if (builds->top[0] != '\0') {
        return status_ok();
    }
    STATUS_TRY(git_read(builds->repository, where, &text));
    const size_t up = strcspn(text, "\n");
    const char *place = text + up + (text[up] == '\n');
    Status status = path_make(builds->top, sizeof builds->top, "%.3000s/%.*s", builds->repository,
                              (int)up, text);
    STATUS_THEN(status, path_make(builds->place, sizeof builds->place, "%.*s",
                                  (int)strcspn(place, "\n"), place));
    free(text);
    return status;
}

/* A repository's commit, and where its files go. */
typedef struct Tree {
    const char *repository, *commit, *source;
} Tree;

static Status unpack_tree(const CommitBuilds *builds, const Tree *tree, const char *archive,
                          int depth);

/* What git archive leaves out: the files of the commit that stands at `path`. One that is not here
 * is named, since not every build needs it. */
static Status unpack_submodule(const CommitBuilds *builds, const Tree *tree, const char *archive,
                               const char *commit, const char *path, int depth) {
    char repository[ATOMIC_FILE_PATH_SIZE], source[ATOMIC_FILE_PATH_SIZE];
    char git[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_make(repository, sizeof repository, "%.3000s/%.1000s", tree->repository, path));
    STATUS_TRY(path_make(git, sizeof git, "%.4000s/.git", repository));
    STATUS_TRY(path_make(source, sizeof source, "%.3000s/%.1000s", tree->source, path));
    const Tree inner = {repository, commit, source};
    Status status = access(git, F_OK) == 0 && depth < SUBMODULES_DEEP
                        ? unpack_tree(builds, &inner, archive, depth + 1)
                        : status_make(STATUS_FILE, "it is not checked out");
    if (status.code == STATUS_FILE) {
        visible_line(builds->notes,
                     "bench: note: without submodule %s of %.*s (%.200s); 'git submodule update "
                     "--init' fetches it",
                     path, COMMIT_SHORT, tree->commit, status.why);
        status = status_ok();
    }
    return status;
}

/* Of lines as "160000 commit 0123…\tlib". */
static Status unpack_submodules(const CommitBuilds *builds, const Tree *tree, const char *archive,
                                int depth) {
    const char *const list[] = {"-c", "core.quotePath=false", "ls-tree", "-r", tree->commit, NULL};
    char *text = NULL;
    Status status = git_read(tree->repository, list, &text);
    char *rest = NULL;
    for (char *line = text != NULL ? strtok_r(text, "\n", &rest) : NULL;
         status_is_ok(&status) && line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        char *path = strchr(line, '\t');
        const char *commit = text_after(line, "160000 commit ");
        if (path != NULL && commit != NULL) {
            *path = '\0';
            status = unpack_submodule(builds, tree, archive, commit, path + 1, depth);
        }
    }
    free(text);
    return status;
}

/* Not a worktree of git, which a killed process would leave registered. */
static Status unpack_tree(const CommitBuilds *builds, const Tree *tree, const char *archive,
                          int depth) {
    const char *const pack[] = {"archive", "--format=tar", "-o", archive, tree->commit, NULL};
    const char *const extract[] = {"tar", "-xf", archive, "-C", tree->source, NULL};
    LastLine last = {.length = 0};
    STATUS_TRY(folder_make(tree->source));
    STATUS_TRY(git_run(tree->repository, pack, -1, &last));
    STATUS_TRY(tool_run(extract, -1, true, &last));
    unlink(archive);
    return unpack_submodules(builds, tree, archive, depth);
}

/* The files of the commit, with those of its submodules. */
static Status unpack(CommitBuilds *builds, const char *commit, const char *folder,
                     const char *source) {
    char archive[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(find_place(builds));
    STATUS_TRY(path_make(archive, sizeof archive, "%.4000s/source.tar", folder));
    const Tree tree = {builds->top, commit, source};
    return unpack_tree(builds, &tree, archive, 0);
}

/* The status of a tool that does not build a commit, whose last lines say why. */
static Status not_built(const CommitBuilds *builds, const Status *status, const char *commit,
                        const LastLine *last) {
    if (status->code != STATUS_FILE) {
        return *status;
    }
    visible_line(builds->notes, "bench: note: the end of the build of %.*s:", COMMIT_SHORT, commit);
    print_tail(builds->notes, last, TAIL_LINES);
    return status_skip("commit %.*s cannot be built: %.300s", COMMIT_SHORT, commit,
                       last->ended[0] != '\0' ? last->ended : status->why);
}

static bool begins_with(const OptionTexts *texts, const char *start) {
    for (size_t i = 0; i < texts->count; i++) {
        if (text_after(texts->texts[i], start) != NULL) {
            return true;
        }
    }
    return false;
}

static const char *compute_capability(const DeviceFact *facts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(facts[i].key, "gpu_compute_capability") == 0) {
            return facts[i].text;
        }
    }
    return NULL;
}

/* cmake's option for the kernels that can run here: those of the one device, or none. False where
 * the user says which, and where it is not known: there are several devices, or a device that this
 * program was built without. */
static bool kernels_option(const OptionTexts *cmake, char *option, size_t size) {
    DeviceFact facts[FACTS_LOOKED_AT];
    if (begins_with(cmake, "-DWITH_CUDA") || begins_with(cmake, "-DCMAKE_CUDA_ARCHITECTURES")) {
        return false;
    }
    const int devices = cuda_devices_count();
    const char *capability =
        devices == 1 ? compute_capability(facts, cuda_device_facts(facts, FACTS_LOOKED_AT)) : NULL;
    const size_t major = capability != NULL ? strspn(capability, "0123456789") : 0;
    if (major > 0 && capability[major] == '.') {
        snprintf(option, size, "-DCMAKE_CUDA_ARCHITECTURES=%.*s%.4s-real", (int)major, capability,
                 capability + major + 1);
        return true;
    }
    snprintf(option, size, "-DWITH_CUDA=OFF");
    return devices == 0 && access("/dev/nvidia0", F_OK) != 0;
}

static Status configure(const CommitBuilds *builds, const char *source, const char *build,
                        LastLine *last) {
    const char *arguments[ARGUMENTS_MAX] = {"cmake", "-S", source, "-B", build};
    char kernels[OPTION_SIZE];
    size_t count = 5;
    arguments[count++] = "-DCMAKE_BUILD_TYPE=Release";
    if (kernels_option(builds->cmake, kernels, sizeof kernels)) {
        arguments[count++] = kernels;
    }
    for (size_t i = 0; i < builds->cmake->count && count + 1 < ARGUMENTS_MAX; i++) {
        arguments[count++] = builds->cmake->texts[i];
    }
    return tool_run(arguments, -1, true, last);
}

static Status compile(const CommitBuilds *builds, const char *build, LastLine *last) {
    char jobs[JOBS_SIZE];
    snprintf(jobs, sizeof jobs, "%ld",
             builds->jobs > 0 ? (long)builds->jobs : sysconf(_SC_NPROCESSORS_ONLN));
    const char *const arguments[] = {"cmake", "--build", build, "--parallel", jobs, NULL};
    return tool_run(arguments, -1, true, last);
}

static Status build_program(const CommitBuilds *builds, const char *commit, const char *folder,
                            const char *source, const char *program) {
    char place[ATOMIC_FILE_PATH_SIZE], build[ATOMIC_FILE_PATH_SIZE];
    LastLine last = {.length = 0};
    STATUS_TRY(path_make(place, sizeof place, "%.3000s/%.1000s", source, builds->place));
    STATUS_TRY(path_make(build, sizeof build, "%.4000s/build", folder));
    Status status = configure(builds, place, build, &last);
    STATUS_THEN(status, compile(builds, build, &last));
    if (!status_is_ok(&status)) {
        return not_built(builds, &status, commit, &last);
    }
    return access(program, X_OK) == 0
               ? status_ok()
               : status_skip("%.*s was built, but has no program %.200s in its build folder; "
                             "--program names it",
                             COMMIT_SHORT, commit, builds->program);
}

/* A link in the commit's folder leads to what was built. */
static bool find_built(const char *made, char built[ATOMIC_FILE_PATH_SIZE]) {
    const ssize_t length = readlink(made, built, ATOMIC_FILE_PATH_SIZE - 1);
    built[length > 0 ? length : 0] = '\0';
    return length > 0;
}

static Status build_module(const CommitBuilds *builds, const char *commit, const char *folder,
                           const char *source, char module[ATOMIC_FILE_PATH_SIZE]) {
    LastLine last = {.length = 0};
    const Status status = commit_module_make(builds, commit, folder, source, module, &last);
    return status.code == STATUS_FILE ? not_built(builds, &status, commit, &last) : status;
}

static Status build_in(CommitBuilds *builds, const char *commit, const char *folder,
                       CommitBuild *build) {
    char source[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(path_make(source, sizeof source, "%.4000s/source", folder));
    STATUS_TRY(unpack(builds, commit, folder, source));
    return builds->module != NULL ? build_module(builds, commit, folder, source, build->module)
                                  : build_program(builds, commit, folder, source, build->program);
}

static Status build_anew(CommitBuilds *builds, const char *commit, const char *folder,
                         CommitBuild *build) {
    if (!builds->quiet) {
        visible_line(builds->notes, "building %.*s", COMMIT_SHORT, commit);
    }
    const Status status = build_in(builds, commit, folder, build);
    if (!status_is_ok(&status)) {
        remove_tree(folder);
    }
    return status;
}

static Status module_build(CommitBuilds *builds, const char *commit, const char *folder,
                           CommitBuild *build) {
    char made[ATOMIC_FILE_PATH_SIZE];
    program_path(build->program, sizeof build->program);
    STATUS_TRY(path_make(made, sizeof made, "%.4000s/built", folder));
    if (find_built(made, build->module)) {
        return status_ok();
    }
    STATUS_TRY(build_anew(builds, commit, folder, build));
    return symlink(build->module, made) == 0
               ? status_ok()
               : status_make(STATUS_FILE, "%.300s: %s", made, strerror(errno));
}

Status commit_builds_build(CommitBuilds *builds, const char *commit, CommitBuild *build) {
    char folder[ATOMIC_FILE_PATH_SIZE];
    STATUS_TRY(commit_folder(builds, commit, folder));
    if (builds->module != NULL) {
        return module_build(builds, commit, folder, build);
    }
    build->module[0] = '\0';
    STATUS_TRY(path_make(build->program, sizeof build->program, "%.3900s/build/%.150s", folder,
                         builds->program));
    return access(build->program, X_OK) == 0 ? status_ok()
                                             : build_anew(builds, commit, folder, build);
}
