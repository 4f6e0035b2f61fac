/* The folder that commits are built in goes, whatever builds have left in it. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "history_internal.h"
#include "test.h"

/* Folders within each other, `depth` of them, whose names are `length` letters, each with a file
 * and a folder that may not be written to. */
static void make_deep(const char *top, int depth, size_t length) {
    char name[256] = "";
    int folder = open(top, O_RDONLY | O_DIRECTORY);
    memset(name, 'd', length);
    for (int i = 0; i < depth; i++) {
        assert_true(folder >= 0);
        assert_int_equal(mkdirat(folder, name, 0700), 0);
        assert_int_equal(mkdirat(folder, "locked", 0500), 0);
        const int file = openat(folder, "file", O_WRONLY | O_CREAT, 0400);
        assert_true(file >= 0);
        close(file);
        const int inner = openat(folder, name, O_RDONLY | O_DIRECTORY);
        close(folder);
        folder = inner;
    }
    close(folder);
}

/* Paths that are longer than the system takes, by long names and by many. */
TEST(a_folder_goes_whatever_is_in_it) {
    static const struct {
        int depth;
        size_t length;
    } cases[] = {{1, 1}, {30, 200}, {3000, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CommitBuilds builds = {.quiet = true};
        char folder[ATOMIC_FILE_PATH_SIZE];
        assert_int_equal(commit_builds_open(&builds).code, STATUS_OK);
        snprintf(folder, sizeof folder, "%s", builds.folder);
        make_deep(folder, cases[i].depth, cases[i].length);
        commit_builds_close(&builds);
        assert_int_not_equal(access(folder, F_OK), 0);
    }
}
