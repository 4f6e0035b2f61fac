/* Folders are made with those above them, and what is in their way is named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base.h"
#include "bench/scratch_folder.h"

static bool is_folder(const ScratchFolder *root, const char *name) {
    char path[512];
    struct stat facts;
    scratch_path(root, name, path);
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

static StatusCode make(const ScratchFolder *root, const char *name,
                       Status (*function)(const char *path)) {
    char path[512];
    scratch_path(root, name, path);
    return function(path).code;
}

static void parents_are_made_too(void **state) {
    (void)state;
    ScratchFolder root = scratch_make();
    assert_int_equal(make(&root, "a/b/c", folder_make), STATUS_OK);
    assert_true(is_folder(&root, "a/b/c"));
    assert_int_equal(make(&root, "a/b/c", folder_make), STATUS_OK); /* it is there already */
    assert_int_equal(make(&root, "d//e/", folder_make), STATUS_OK);
    assert_true(is_folder(&root, "d/e"));
    scratch_remove_tree(root.path);
}

static void a_file_gets_its_folder_and_is_not_made(void **state) {
    (void)state;
    ScratchFolder root = scratch_make();
    assert_int_equal(make(&root, "a/b/file.txt", folder_make_for), STATUS_OK);
    assert_true(is_folder(&root, "a/b"));
    assert_false(is_folder(&root, "a/b/file.txt"));
    assert_int_equal(folder_make_for("file-without-folder").code, STATUS_OK);
    scratch_remove_tree(root.path);
}

static void a_file_in_the_way_is_named(void **state) {
    (void)state;
    ScratchFolder root = scratch_make();
    scratch_write(&root, "file", "");
    char path[512];
    scratch_path(&root, "file/below/deeper", path);
    const Status status = folder_make(path);
    assert_int_equal(status.code, STATUS_FILE);
    assert_non_null(strstr(status.why, "/file: the folder cannot be made: Not a directory"));
    assert_int_equal(make(&root, "file/x.txt", folder_make_for), STATUS_FILE);
    assert_int_equal(make(&root, "file", folder_make), STATUS_FILE);
    scratch_remove_tree(root.path);
}

static void long_paths_are_refused(void **state) {
    (void)state;
    char path[5000];
    memset(path, 'a', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    const Status status = folder_make(path);
    assert_int_equal(status.code, STATUS_FILE);
    assert_non_null(strstr(status.why, "too long"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parents_are_made_too),
        cmocka_unit_test(a_file_gets_its_folder_and_is_not_made),
        cmocka_unit_test(a_file_in_the_way_is_named),
        cmocka_unit_test(long_paths_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
