

#include "bench/fakes.h"
#include "bench/scratch_folder.h"
#include "needs.h"
#include "sweep.h"
#include "test.h"

TEST(the_folder_is_made_with_its_parents) {
    const char *path = test_path("a/b/c");
    const RunOptions options = {.out = path};
    RunFolder folder;
    assert_ok(run_folder_open(&options, &folder));
    assert_string_equal(folder.path, path);
    assert_true(folder.created);
    assert_int_equal(scratch_count(path), 0); /* trying to write left nothing */
    RunFolder other;
    assert_int_equal(run_folder_open(&options, &other).code, STATUS_FILE); /* it is locked */
    run_folder_close(&folder);
    assert_ok(run_folder_open(&options, &folder));
    assert_false(folder.created);
    run_folder_discard(&folder); /* was there before: stays */
    assert_int_equal(access(path, F_OK), 0);
    folder.created = true;
    run_folder_discard(&folder);
    run_folder_close(&folder);
    assert_int_not_equal(access(path, F_OK), 0);
}

TEST(the_default_folder_names_time_and_algorithms) {
    char before[4096];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(test_folder), 0);
    const Algorithm other = {.name = "other"};
    RunOptions options = fake_options(&fake_algorithm);
    options.algorithms[options.algorithm_count++] = &other;
    RunFolder first;
    RunFolder second;
    assert_ok(run_folder_open(&options, &first));
    assert_memory_equal(first.path, "reports/runs/2", 14); /* a year of this millennium */
    assert_says(first.path, "-fake-other");
    assert_ok(run_folder_open(&options, &second));
    assert_string_not_equal(first.path, second.path);
    run_folder_close(&first);
    run_folder_close(&second);
    assert_int_equal(chdir(before), 0);
}

static void check_refused(const RunOptions *options, const char *named) {
    RunFolder folder;
    const Status status = run_folder_open(options, &folder);
    assert_int_equal(status.code, STATUS_FILE);
    assert_says(status.why, named);
}

TEST(targets_that_cannot_be_written_are_refused) {
    char file[512];
    char run[512];
    char inner[512];
    test_write("file", "text");
    scratch_path(test_scratch(), "file", file);
    scratch_path(test_scratch(), "run", run);
    scratch_path(test_scratch(), "file/inner", inner);
    check_refused(&(RunOptions){.out = file}, file);
    check_refused(&(RunOptions){.out = inner}, file);
    check_refused(&(RunOptions){.out = run, .csv = "/no such folder/a.csv"}, "/no such folder");
    check_refused(&(RunOptions){.out = run, .json = test_folder}, test_folder);
    check_refused(&(RunOptions){.out = run, .save = inner}, file);
    assert_int_not_equal(access(run, F_OK), 0); /* no folder is left behind */
    assert_string_equal(test_read("file"), "text");
}

TEST(a_folder_without_permission_is_refused) {
    if (geteuid() == 0) {
        skip_needing(NEEDS_NO_ROOT, NULL);
    }
    chmod(test_folder, 0500);
    check_refused(&(RunOptions){.out = test_folder}, test_folder);
    chmod(test_folder, 0700);
}

TEST(results_that_are_there_survive_the_try) {
    test_write("results.csv", "kept");
    RELEASED_BY(run_folder_close) RunFolder folder;
    assert_ok(run_folder_open(&(RunOptions){.resume = test_folder}, &folder));
    char *text = test_read("results.csv");
    assert_string_equal(text, "kept");
}
