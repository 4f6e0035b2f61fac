
#include "cli_internal.h"
#include "command_line.h"
#include "run.h"
#include "run_options.h"
#include "scratch_folder.h"
#include "status_checks.h"
#include "test.h"

static void check_split(const char *line, int count, const char *const *words) {
    ArgumentList list;
    bool open;
    assert_ok(command_line_split(line, &list, &open));
    assert_false(open);
    assert_int_equal(list.argc, count);
    for (int i = 0; i < count; i++) {
        assert_string_equal(list.argv[i], words[i]);
    }
    argument_list_release(&list);
    assert_int_equal(list.argc, 0);
}

TEST(words_are_taken_apart_as_by_a_shell) {
    static const char *const plain[] = {"--algo", "lbp", "--sizes=64x48"};
    check_split("  --algo lbp   --sizes=64x48 ", 3, plain);
    static const char *const quoted[] = {"--out", "my runs/a", "it's", "", "a b"};
    check_split("--out 'my runs/a' 'it'\\''s' '' a\\ b", 5, quoted);
    check_split("", 0, NULL);
    check_split("   ", 0, NULL);
}

TEST(what_is_written_is_read_back) {
    char *argv[] = {"--input", "my 'best' photo.png", "--csv",
                    "",        "--out=a\\b;c*",       "\xc3\xa9t\xc3\xa9"};
    const ArgumentList list = {.argc = sizeof argv / sizeof argv[0], .argv = argv};
    char line[COMMAND_LINE_SIZE];
    command_line_text(&list, line, sizeof line);
    check_split(line, list.argc, (const char *const *)argv);
}

/* So a line ends that was cut. */
TEST(an_open_quote_is_told) {
    static const char *const lines[] = {"--algo lbp --out 'a b", "--algo lbp --out $'a\\x20b"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        RELEASED_BY(argument_list_release) ArgumentList list;
        bool open = false;
        assert_ok(command_line_split(lines[i], &list, &open));
        assert_true(open);
        assert_int_equal(list.argc, 4);
        assert_string_equal(list.argv[3], "a b");
    }
}

static const OptionsGiven nothing = {.command = &command_run};

/* A results.json of before "argv" has the line alone, up to COMMAND_LINE_SIZE. */
static void write_old_run(const char *folder, const char *line) {
    char path[512];
    snprintf(path, sizeof path, "%s/results.json", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "{\"context\": {\"json_schema_version\": 1, \"arguments\": \"%s\"}, "
            "\"benchmarks\": [], \"failures\": [], \"skipped\": []}\n",
            line);
    assert_int_equal(fclose(file), 0);
}

TEST(old_files_are_resumed_by_their_line) {
    ArgumentList list;
    RunOptions options;
    write_old_run(test_folder, "run --input 'my photo.png' --out gone");
    assert_ok(resume_request(test_folder, &nothing, 0, NULL, &list, &options));
    assert_int_equal(options.given.count, 1);
    assert_string_equal(options.input, "my photo.png");
    argument_list_release(&list);
    char cut[COMMAND_LINE_SIZE];
    memset(cut, 'x', sizeof cut - 1);
    cut[sizeof cut - 1] = '\0';
    const char *const lines[] = {cut, "--algo lbp --input 'my"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        write_old_run(test_folder, lines[i]);
        const Status status = resume_request(test_folder, &nothing, 0, NULL, &list, &options);
        argument_list_release(&list);
        assert_int_equal(status.code, STATUS_USAGE);
        assert_says(status.why, "too long to be kept whole");
    }
}

TEST(a_folder_without_a_run_is_an_error) {
    ArgumentList list;
    RunOptions options;
    assert_status(resume_request("/no/such/folder", &nothing, 0, NULL, &list, &options),
                  STATUS_FILE, "/no/such/folder");
}
