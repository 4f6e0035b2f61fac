/* Folders are made with those above them, and what is in their way is named; listings are in one
 * order; paths are joined and split, and refused where they are too long. */
#include "bench/scratch_folder.h"
#include "paths.h"
#include "status_checks.h"
#include "test.h"

static bool is_folder(const char *name) {
    char path[512];
    scratch_path(test_scratch(), name, path);
    return folder_exists(path);
}

static StatusCode make(const char *name, Status (*function)(const char *path)) {
    char path[512];
    scratch_path(test_scratch(), name, path);
    return function(path).code;
}

TEST(parents_are_made_too) {
    assert_int_equal(make("a/b/c", folder_make), STATUS_OK);
    assert_true(is_folder("a/b/c"));
    assert_int_equal(make("a/b/c", folder_make), STATUS_OK); /* it is there already */
    assert_int_equal(make("d//e/", folder_make), STATUS_OK);
    assert_true(is_folder("d/e"));
}

TEST(a_file_gets_its_folder_and_is_not_made) {
    assert_int_equal(make("a/b/file.txt", folder_make_for), STATUS_OK);
    assert_true(is_folder("a/b"));
    assert_false(is_folder("a/b/file.txt"));
    assert_ok(folder_make_for("file-without-folder"));
}

TEST(a_file_in_the_way_is_named) {
    test_write("file", "");
    assert_status(folder_make(test_path("file/below/deeper")), STATUS_FILE,
                  "/file: the folder cannot be made: Not a directory");
    assert_int_equal(make("file/x.txt", folder_make_for), STATUS_FILE);
    assert_int_equal(make("file", folder_make), STATUS_FILE);
}

TEST(long_paths_are_refused) {
    char path[5000];
    memset(path, 'a', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    assert_status(folder_make(path), STATUS_FILE, "too long");
}

static int is_text(const struct dirent *entry) {
    return strstr(entry->d_name, ".txt") != NULL;
}

TEST(entries_are_listed_in_the_order_of_their_bytes) {
    static const char *const names[] = {"b.txt", "B", "a", ".hidden.txt", "ä"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        test_write(names[i], "");
    }
    FolderList list;
    assert_ok(folder_list(test_folder, NULL, &list));
    static const char *const visible[] = {"B", "a", "b.txt", "ä"};
    assert_int_equal(list.count, 4);
    for (size_t i = 0; i < list.count; i++) {
        assert_string_equal(list.entries[i]->d_name, visible[i]);
    }
    folder_list_release(&list);
    assert_ok(folder_list(test_folder, is_text, &list));
    assert_int_equal(list.count, 2);
    assert_string_equal(list.entries[0]->d_name, ".hidden.txt");
    folder_list_release(&list);
    scratch_remove_tree(test_folder);
    assert_status(folder_list(test_folder, NULL, &list), STATUS_FILE,
                  "the folder cannot be read: No such file or directory");
    folder_list_release(&list);
}

TEST(paths_are_split_at_the_last_slash) {
    static const struct {
        const char *path, *folder, *name;
    } cases[] = {{"a.csv", ".", "a.csv"},
                 {"/a.csv", "/", "a.csv"},
                 {"runs/one/a.csv", "runs/one", "a.csv"},
                 {"runs/", "runs", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char folder[16];
        assert_ok(path_folder(cases[i].path, folder, sizeof folder));
        assert_string_equal(folder, cases[i].folder);
        assert_string_equal(path_name(cases[i].path), cases[i].name);
    }
}

TEST(paths_that_do_not_fit_are_refused) {
    char path[8];
    assert_ok(path_make(path, sizeof path, "%s/%s", "abc", "xyz"));
    assert_string_equal(path, "abc/xyz");
    assert_status_is(path_make(path, sizeof path, "%s/%s", "abc", "wxyz"), STATUS_FILE,
                     "abc/wxy…: the path is too long");
    assert_ok(path_folder("1234567/x", path, sizeof path));
    assert_int_equal(path_folder("12345678/x", path, sizeof path).code, STATUS_FILE);
}

TEST(names_are_joined_to_folders) {
    static const char *const cases[][3] = {
        {"a", "x", "a/x"}, {"a/", "x", "a/x"}, {"/", "x", "/x"}, {".", "x", "x"}, {"", "x", "x"}};
    char path[4];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_ok(path_in(cases[i][0], cases[i][1], path, sizeof path));
        assert_string_equal(path, cases[i][2]);
    }
    assert_int_equal(path_in("ab", "x", path, sizeof path).code, STATUS_FILE);
}

TEST(a_name_is_longer_than_its_ending) {
    assert_true(text_ends("a.gz", ".gz"));
    assert_false(text_ends("a.gz.json", ".gz"));
    assert_false(text_ends(".gz", ".gz"));
    assert_false(text_ends("z", ".gz"));
}
