/* What goes into an archive, gathered in a temporary folder by cp, git, sha256sum and tar. */

#include "files.h"
#include "history_internal.h"
#include "interrupt.h"
#include "paths.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUMS "SHA256SUMS"

Status pack_open(Pack *pack, const char *name) {
    *pack = (Pack){.name = name};
    interrupt_hold();
    Status status = temporary_folder_make(pack->work);
    STATUS_THEN(status,
                path_make(pack->folder, sizeof pack->folder, "%.3800s/%.200s", pack->work, name));
    STATUS_THEN(status, folder_make(pack->folder));
    if (!status_is_ok(&status)) {
        pack_close(pack);
    }
    return status;
}

void pack_close(Pack *pack) {
    if (pack->work[0] != '\0') {
        remove_tree(pack->work);
    }
    if (!interrupt_requested()) {
        interrupt_release();
    }
}

Status pack_path(const Pack *pack, const char *name, char path[ATOMIC_FILE_PATH_SIZE]) {
    STATUS_TRY(path_in(pack->folder, name, path, ATOMIC_FILE_PATH_SIZE));
    return folder_make_for(path);
}

Status pack_copy(const Pack *pack, const char *from, const char *name) {
    char to[ATOMIC_FILE_PATH_SIZE];
    LastLine last = {.length = 0};
    STATUS_TRY(pack_path(pack, name, to));
    const char *const copy[] = {"cp", "-R", "-L", "--", from, to, NULL};
    return tool_run(copy, -1, false, &last);
}

Status pack_source(const Pack *pack, const char *repository, const char *commit, const char *name) {
    char to[ATOMIC_FILE_PATH_SIZE], prefix[COMMIT_SIZE + sizeof "--prefix=source-/"];
    LastLine last = {.length = 0};
    STATUS_TRY(pack_path(pack, name, to));
    snprintf(prefix, sizeof prefix, "--prefix=source-%.*s/", COMMIT_SHORT, commit);
    const char *const archive[] = {"archive", "--format=tar.gz", prefix, "-o", to, commit, NULL};
    return git_run(repository, archive, -1, &last);
}

Status pack_source_file(const Pack *pack, const char *repository, const char *commit,
                        const char *file, const char *name) {
    char to[ATOMIC_FILE_PATH_SIZE], object[ATOMIC_FILE_PATH_SIZE];
    LastLine last = {.length = 0};
    STATUS_TRY(pack_path(pack, name, to));
    STATUS_TRY(path_make(object, sizeof object, "%s:%s", commit, file));
    const char *const show[] = {"show", object, NULL};
    const int output = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (output < 0) {
        return status_make(STATUS_FILE, "%.300s cannot be written", to);
    }
    const Status status = git_run(repository, show, output, &last);
    close(output);
    if (!status_is_ok(&status)) {
        unlink(to);
    }
    return status.code == STATUS_FILE ? status_skip("commit %.12s has no %s", commit, file)
                                      : status;
}

/* === The archive ============================================================================== */

static Status list_files(const char *folder, const char *below, PathList *files) {
    FolderList list;
    Status status = folder_list(folder, folder_entry, &list);
    for (size_t i = 0; i < list.count && status_is_ok(&status); i++) {
        char path[ATOMIC_FILE_PATH_SIZE], name[ATOMIC_FILE_PATH_SIZE];
        status = path_in(folder, list.entries[i]->d_name, path, sizeof path);
        STATUS_THEN(status, path_make(name, sizeof name, "%s%s%s", below,
                                      below[0] != '\0' ? "/" : "", list.entries[i]->d_name));
        if (status_is_ok(&status)) {
            status =
                folder_exists(path) ? list_files(path, name, files) : path_list_add(files, name);
        }
    }
    folder_list_release(&list);
    return status;
}

/* sha256sum names files as they are named to it, so it is started in the folder. */
static Status write_sums(const Pack *pack, const PathList *files) {
    char path[ATOMIC_FILE_PATH_SIZE];
    ArgumentList list = {.argc = 0};
    LastLine last = {.length = 0};
    STATUS_TRY(path_in(pack->folder, SUMS, path, sizeof path));
    const int output = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (output < 0) {
        return status_make(STATUS_FILE, "%.300s cannot be written", path);
    }
    const char *const sum[] = {"env", "-C", pack->folder, "sha256sum", "--", NULL};
    Status status = argument_list_add_all(&list, sum);
    for (size_t i = 0; i < files->count && status_is_ok(&status); i++) {
        status = argument_list_add(&list, files->paths[i]);
    }
    STATUS_THEN(status, tool_run((const char *const *)list.argv, output, false, &last));
    argument_list_release(&list);
    close(output);
    return status;
}

/* The same content gives the same bytes: sorted, nobody's, of one time. */
static Status write_archive(const Pack *pack, const char *part, double when) {
    char time[32];
    LastLine last = {.length = 0};
    snprintf(time, sizeof time, "--mtime=@%.0f", when);
    const char *const tar[] = {"tar",
                               "-czf",
                               part,
                               "--sort=name",
                               "--owner=0",
                               "--group=0",
                               "--numeric-owner",
                               time,
                               "--mode=u=rwX,go=rX",
                               "-C",
                               pack->work,
                               "--",
                               pack->name,
                               NULL};
    const Status status = tool_run(tar, -1, true, &last);
    if (status.code != STATUS_FILE) {
        return status;
    }
    const char *first = last.tail + strspn(last.tail, "\n"); /* what follows says that tar ends */
    return status_make(STATUS_FILE, "the archive cannot be written: %.*s",
                       (int)strcspn(first, "\n"), first);
}

Status pack_write(const Pack *pack, const char *path, double when) {
    char part[ATOMIC_FILE_PATH_SIZE];
    PathList files = {.count = 0};
    Status status = list_files(pack->folder, "", &files);
    STATUS_THEN(status, write_sums(pack, &files));
    path_list_release(&files);
    STATUS_TRY(status);
    STATUS_TRY(atomic_file_part_make(path, part));
    status = write_archive(pack, part, when);
    if (!status_is_ok(&status)) {
        unlink(part);
        return status;
    }
    return atomic_file_rename(part, path);
}
