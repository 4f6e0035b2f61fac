/* Files that are there whole or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "needs.h"

static char folder[64];
static char path[128];

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/bench-test-XXXXXX");
    snprintf(path, sizeof path, "%s/file", mkdtemp(folder));
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(path);
    return rmdir(folder); /* fails when a part file was left behind */
}

static void expect_content(const char *want) {
    char text[64];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, want);
}

static void write_word(const char *word) {
    AtomicFile file;
    assert_int_equal(atomic_file_open(&file, path).code, STATUS_OK);
    fputs(word, file.stream);
    assert_int_equal(atomic_file_commit(&file).code, STATUS_OK);
}

static void committed_text_replaces_the_file(void **state) {
    (void)state;
    write_word("old");
    write_word("new");
    expect_content("new");
}

static void target_is_untouched_until_commit(void **state) {
    (void)state;
    write_word("old");
    AtomicFile file;
    assert_int_equal(atomic_file_open(&file, path).code, STATUS_OK);
    fputs("new", file.stream);
    fflush(file.stream);
    expect_content("old");
    atomic_file_abandon(&file);
    atomic_file_abandon(&file);
    expect_content("old");
}

static void missing_folder_is_named(void **state) {
    (void)state;
    AtomicFile file;
    const Status status = atomic_file_open(&file, "/tmp/no/such/folder/file");
    assert_int_equal(status.code, STATUS_FILE);
    assert_non_null(strstr(status.why, "/tmp/no/such/folder/file"));
}

static void folder_as_target_is_refused(void **state) {
    (void)state;
    AtomicFile file;
    assert_int_equal(atomic_file_open(&file, folder).code, STATUS_FILE);
}

static void full_device_shows_at_commit(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        skip_needing("/dev/full", NULL);
    }
    AtomicFile file;
    assert_int_equal(atomic_file_open(&file, "/dev/full").code, STATUS_OK);
    fputs("text", file.stream);
    assert_int_equal(atomic_file_commit(&file).code, STATUS_FILE);
}

static void overlong_path_is_refused(void **state) {
    (void)state;
    static char longest[ATOMIC_FILE_PATH_SIZE];
    memset(longest, 'a', sizeof longest - 1);
    AtomicFile file;
    assert_int_equal(atomic_file_open(&file, longest).code, STATUS_FILE);
}

/* --- Part files ------------------------------------------------------------------------------- */

static const char *in_folder(const char *name) {
    static char paths[2][512];
    static int next;
    next = !next;
    snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
    return paths[next];
}

static void make_file(const char *name) {
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static void make_old_file(const char *name) {
    struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    make_file(name);
    assert_int_equal(utimensat(AT_FDCWD, in_folder(name), times, 0), 0);
}

static void a_link_in_the_place_of_a_part_file_is_not_followed(void **state) {
    (void)state;
    make_file("victim");
    assert_int_equal(symlink("victim", in_folder("file.part")), 0);
    write_word("text");
    struct stat info;
    assert_int_equal(stat(in_folder("victim"), &info), 0);
    assert_int_equal(info.st_size, 0);
    assert_int_equal(unlink(in_folder("victim")), 0);
    assert_int_equal(unlink(in_folder("file.part")), 0);
}

static void writers_of_one_file_do_not_meet(void **state) {
    (void)state;
    AtomicFile one, other;
    assert_int_equal(atomic_file_open(&one, path).code, STATUS_OK);
    assert_int_equal(atomic_file_open(&other, path).code, STATUS_OK);
    assert_string_not_equal(one.part, other.part);
    fputs("one", one.stream);
    fputs("other", other.stream);
    assert_int_equal(atomic_file_commit(&other).code, STATUS_OK);
    expect_content("other");
    assert_int_equal(atomic_file_commit(&one).code, STATUS_OK);
    expect_content("one");
}

static void a_part_file_has_the_mode_of_any_new_file(void **state) {
    (void)state;
    const mode_t before = umask(027);
    write_word("text");
    umask(before);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
}

static void the_longest_name_can_be_written(void **state) {
    (void)state;
    char name[256] = "";
    memset(name, 'n', 255);
    AtomicFile file;
    assert_int_equal(atomic_file_open(&file, in_folder(name)).code, STATUS_OK);
    assert_string_equal(file.part + strlen(file.part) - 5, ".part");
    assert_int_equal(atomic_file_commit(&file).code, STATUS_OK);
    assert_int_equal(unlink(in_folder(name)), 0);
}

static void only_old_part_files_are_swept_up(void **state) {
    (void)state;
    static const char *const kept[] = {"new.0123abcd.part", "file.part", "old.0123abcx.part",
                                       "file.0123abcd"};
    make_old_file("results.csv.0123abcd.part");
    make_file(kept[0]);
    for (size_t i = 1; i < sizeof kept / sizeof kept[0]; i++) {
        make_old_file(kept[i]);
    }
    atomic_file_sweep(folder);
    assert_int_not_equal(access(in_folder("results.csv.0123abcd.part"), F_OK), 0);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        assert_int_equal(unlink(in_folder(kept[i])), 0);
    }
    atomic_file_sweep("/tmp/no/such/folder");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(committed_text_replaces_the_file),
        cmocka_unit_test(target_is_untouched_until_commit),
        cmocka_unit_test(missing_folder_is_named),
        cmocka_unit_test(folder_as_target_is_refused),
        cmocka_unit_test(full_device_shows_at_commit),
        cmocka_unit_test(overlong_path_is_refused),
        cmocka_unit_test(a_link_in_the_place_of_a_part_file_is_not_followed),
        cmocka_unit_test(writers_of_one_file_do_not_meet),
        cmocka_unit_test(a_part_file_has_the_mode_of_any_new_file),
        cmocka_unit_test(the_longest_name_can_be_written),
        cmocka_unit_test(only_old_part_files_are_swept_up),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
