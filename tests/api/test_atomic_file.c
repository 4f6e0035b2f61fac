/* Files that are there whole or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "atomic_file.h"
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(committed_text_replaces_the_file),
        cmocka_unit_test(target_is_untouched_until_commit),
        cmocka_unit_test(missing_folder_is_named),
        cmocka_unit_test(folder_as_target_is_refused),
        cmocka_unit_test(full_device_shows_at_commit),
        cmocka_unit_test(overlong_path_is_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
