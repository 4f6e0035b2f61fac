#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "results.h"
#include "run.h"

static void check_split(const char *line, int count, const char *const *words) {
    ArgumentList list;
    const Status status = command_line_split(line, &list);
    assert_int_equal(status.code, STATUS_OK);
    assert_int_equal(list.argc, count);
    for (int i = 0; i < count; i++) {
        assert_string_equal(list.argv[i], words[i]);
    }
    argument_list_release(&list);
    assert_int_equal(list.argc, 0);
}

static void words_are_taken_apart_as_by_a_shell(void **state) {
    (void)state;
    static const char *const plain[] = {"--algo", "lbp", "--sizes=64x48"};
    check_split("  --algo lbp   --sizes=64x48 ", 3, plain);
    static const char *const quoted[] = {"--out", "my runs/a", "it's", "", "a b"};
    check_split("--out 'my runs/a' 'it'\\''s' '' a\\ b", 5, quoted);
    check_split("", 0, NULL);
    check_split("   ", 0, NULL);
}

static void what_is_written_is_read_back(void **state) {
    (void)state;
    char *argv[] = {"bench", "--input",       "my 'best' photo.png", "--csv",
                    "",      "--out=a\\b;c*", "\xc3\xa9t\xc3\xa9"};
    const RunOptions options = {.argc = sizeof argv / sizeof argv[0], .argv = argv};
    char line[COMMAND_LINE_SIZE];
    command_line_text(&options, line, sizeof line);
    check_split(line, options.argc - 1, (const char *const *)(argv + 1));
}

static void an_open_quote_is_an_error(void **state) {
    (void)state;
    ArgumentList list;
    const Status status = command_line_split("--algo lbp --out 'a b", &list);
    assert_int_equal(status.code, STATUS_FILE);
    assert_int_equal(list.argc, 0);
}

static void a_folder_without_a_run_is_an_error(void **state) {
    (void)state;
    ArgumentList list;
    const Status status = resume_arguments("/no/such/folder", 0, NULL, &list);
    assert_int_equal(status.code, STATUS_FILE);
    assert_non_null(strstr(status.why, "/no/such/folder"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_taken_apart_as_by_a_shell),
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(an_open_quote_is_an_error),
        cmocka_unit_test(a_folder_without_a_run_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
