/* The folder that commits are built in goes, whatever builds have left in it. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend.h"
#include "history.h"
#include "options.h"
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

/* A repository of one commit, whose build makes a program of the options it was given. */
static void make_repository(const char *folder) {
    char command[1024];
    snprintf(
        command, sizeof command,
        "cd %s && git init -q . && cat >CMakeLists.txt <<'END'\n"
        "cmake_minimum_required(VERSION 3.16)\nproject(options NONE)\n"
        "file(WRITE ${CMAKE_BINARY_DIR}/program \"${WITH_CUDA}|${CMAKE_CUDA_ARCHITECTURES}\")\n"
        "execute_process(COMMAND chmod +x ${CMAKE_BINARY_DIR}/program)\nEND\n"
        "git add . && git -c user.name=t -c user.email=t@t commit -q -m one",
        folder);
    assert_int_equal(system(command), 0);
}

static void assert_options(const char *repository, const char *argument, const char *want) {
    const char *texts[] = {argument};
    const OptionTexts cmake = {.texts = texts, .count = argument != NULL ? 1 : 0};
    CommitBuilds builds = {.repository = repository,
                           .cmake = &cmake,
                           .program = "program",
                           .jobs = 1,
                           .notes = stderr,
                           .quiet = true};
    CommitBuild build;
    char options[64] = "";
    assert_ok(commit_builds_open(&builds));
    assert_string_equal(commit_builds_build(&builds, "HEAD", &build).why, "");
    FILE *file = fopen(build.program, "r");
    assert_non_null(file);
    (void)fgets(options, sizeof options, file);
    fclose(file);
    commit_builds_close(&builds);
    assert_string_equal(options, want);
}

/* Kernels that nothing here runs are not compiled, unless the user says so. */
TEST(kernels_are_those_of_the_device) {
    char folder[] = "/tmp/bench-builds-XXXXXX";
    char command[64];
    assert_non_null(mkdtemp(folder));
    make_repository(folder);
    if (cuda_devices_count() == 0 && access("/dev/nvidia0", F_OK) != 0) {
        assert_options(folder, NULL, "OFF|");
    }
    assert_options(folder, "-DWITH_CUDA=AUTO", "AUTO|");
    assert_options(folder, "-DCMAKE_CUDA_ARCHITECTURES=75-real", "|75-real");
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
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
        assert_ok(commit_builds_open(&builds));
        snprintf(folder, sizeof folder, "%s", builds.folder);
        make_deep(folder, cases[i].depth, cases[i].length);
        commit_builds_close(&builds);
        assert_int_not_equal(access(folder, F_OK), 0);
    }
}
