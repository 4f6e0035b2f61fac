

#include "bench/scratch_folder.h"
#include "paths.h"
#include "test.h"

#define VARIABLE "BENCH_TEST_DATA_DIR"

TEST(the_environment_comes_first) {
    const DataFolder wanted = {
        .variable = VARIABLE, .installed = "plot", .source = "plot", .holds = "in_folder.gp"};
    char found[DATA_FOLDER_PATH_SIZE];
    setenv(VARIABLE, test_folder, 1);
    assert_ok(data_folder_find(&wanted, found, sizeof found));
    assert_string_not_equal(found, test_folder); /* it does not hold the file */
    test_write("in_folder.gp", "");
    assert_ok(data_folder_find(&wanted, found, sizeof found));
    assert_string_equal(found, test_folder);
    unsetenv(VARIABLE);
}

TEST(any_folder_will_do_where_nothing_is_held) {
    const DataFolder wanted = {.variable = VARIABLE, .installed = "no", .source = "no"};
    char found[DATA_FOLDER_PATH_SIZE];
    setenv(VARIABLE, test_folder, 1);
    assert_ok(data_folder_find(&wanted, found, sizeof found));
    assert_string_equal(found, test_folder);
    unsetenv(VARIABLE);
}

TEST(the_source_tree_comes_last) {
    const DataFolder wanted = {
        .variable = VARIABLE, .installed = "none", .source = "plot", .holds = "in_folder.gp"};
    char found[DATA_FOLDER_PATH_SIZE];
    assert_ok(data_folder_find(&wanted, found, sizeof found));
    assert_string_equal(found + strlen(found) - 5, "/plot");
}

TEST(where_there_is_none_the_variable_is_named) {
    const DataFolder wanted = {
        .variable = VARIABLE, .installed = "no", .source = "no", .what = "the pictures"};
    char found[DATA_FOLDER_PATH_SIZE];
    const Status status = data_folder_find(&wanted, found, sizeof found);
    assert_int_equal(status.code, STATUS_SKIP);
    assert_string_equal(status.why,
                        "the pictures were not found; " VARIABLE " can name their folder");
}
