/* The folder of runs, and the link to the last one. */
#include <sys/stat.h>
#include <unistd.h>

#include "bench/scratch_folder.h"
#include "paths.h"
#include "status_checks.h"
#include "test.h"

typedef struct Place {
    ScratchFolder root;
    char before[4096], here[4096];
} Place;

static void enter(void) {
    static Place place;
    place.root = scratch_make();
    test_state = &place;
    unsetenv("BENCH_RUNS");
    assert_true(getcwd(place.before, sizeof place.before) != NULL && chdir(place.root.path) == 0 &&
                getcwd(place.here, sizeof place.here) != NULL);
}

static void leave(void) {
    const Place *place = test_state;
    unsetenv("BENCH_RUNS");
    const int left = chdir(place->before);
    scratch_remove_tree(place->root.path);
    assert_int_equal(left, 0);
}

EACH_TEST(enter, leave);

static void check_link(const char *path, const char *wanted) {
    char text[4096] = "";
    assert_true(readlink(path, text, sizeof text - 1) > 0);
    assert_string_equal(text, wanted);
}

static void check_found(const char *wanted) {
    const char *path;
    assert_ok(run_find("latest", &path));
    assert_string_equal(path, wanted);
}

/* The tests are in a build folder, as the program of the source tree is. */
TEST(the_environment_names_the_folder) {
    assert_true(program_is_built());
    assert_string_equal(runs_folder(), "reports/runs");
    setenv("BENCH_RUNS", "", 1);
    assert_string_equal(runs_folder(), "reports/runs");
    setenv("BENCH_RUNS", "/else/where", 1);
    assert_string_equal(runs_folder(), "/else/where");
}

/* A folder of runs may be moved with its link; other runs are named whole. */
TEST(the_link_leads_to_the_last_run) {
    const Place *place = test_state;
    char wanted[8192];
    setenv("BENCH_RUNS", "runs", 1);
    assert_int_equal(mkdir("out", 0777), 0);
    last_run_note("out");
    snprintf(wanted, sizeof wanted, "%s/out", place->here);
    check_link("runs/latest", wanted);
    check_found(wanted);
    assert_int_equal(mkdir("runs/one", 0777), 0);
    last_run_note("runs/one");
    check_link("runs/latest", "one");
    snprintf(wanted, sizeof wanted, "%s/runs/one", place->here);
    check_found(wanted);
    assert_int_equal(mkdir("runs/deep", 0777) + mkdir("runs/deep/two", 0777), 0);
    last_run_note("runs/deep/two");
    snprintf(wanted, sizeof wanted, "%s/runs/deep/two", place->here);
    check_link("runs/latest", wanted);
    last_run_note("nowhere"); /* changes nothing */
    check_link("runs/latest", wanted);
    assert_int_equal(scratch_count("runs"), 3); /* latest, one, deep: no part of a link */
}

TEST(a_file_of_the_name_gives_way_and_a_folder_stays) {
    setenv("BENCH_RUNS", "runs", 1);
    assert_int_equal(mkdir("runs", 0777) + mkdir("runs/one", 0777), 0);
    FILE *file = fopen("runs/latest", "w");
    assert_non_null(file);
    fclose(file);
    const char *path;
    assert_status(run_find("latest", &path), STATUS_FILE,
                  "no run has ended in this folder yet (runs/latest is no");
    last_run_note("runs/one");
    check_link("runs/latest", "one");
    assert_int_equal(unlink("runs/latest") + mkdir("runs/latest", 0777), 0);
    last_run_note("runs/one");
    assert_int_equal(scratch_count("runs/latest"), 0);
    assert_int_equal(scratch_count("runs"), 2);
}

TEST(a_run_that_is_gone_is_named) {
    setenv("BENCH_RUNS", "runs", 1);
    assert_int_equal(mkdir("runs", 0777) + mkdir("runs/one", 0777), 0);
    last_run_note("runs/one");
    assert_int_equal(rmdir("runs/one"), 0);
    const char *path;
    const Status status = run_find("latest", &path);
    assert_int_equal(status.code, STATUS_FILE);
    assert_string_equal(
        status.why,
        "latest: the folder of the last run is gone: one; 'bench runs' lists those there are");
}
