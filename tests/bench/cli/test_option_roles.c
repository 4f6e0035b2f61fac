/* Options by their roles: what of a stored command line other commands take over. A stored run may
 * come from anybody. */
#include "apps.h"
#include "cli.h"
#include "cli_internal.h"
#include "option_samples.h"
#include "run.h"
#include "run_options.h"
#include "scratch_folder.h"
#include "test.h"

static void check_role(const Option *row) {
    if (row->role == ROLE_UNDECIDED) {
        fail_msg("--%s has no role: see OptionRole", row->name != NULL ? row->name : row->argument);
    }
}

/* Whoever adds an option decides what it is to a command that takes a stored one over. The table of
 * a run has rows of other commands too. */
TEST(every_option_of_a_run_has_a_role) {
    const Option *row;
    for (size_t i = 0; (row = command_row(&command_run, i)) != NULL; i++) {
        check_role(row);
    }
    for (row = run_option_rows; row->name != NULL || row->argument != NULL; row++) {
        check_role(row);
    }
}

/* What an option that names a file does with it is its kind; nothing else opens one. */
TEST(what_names_a_file_says_so) {
    const Option *row;
    for (size_t i = 0; (row = command_row(&command_run, i)) != NULL; i++) {
        const char *argument = row->argument != NULL ? row->argument : "";
        const bool file = strstr(argument, "FILE") != NULL || strstr(argument, "DIR") != NULL ||
                          strcmp(argument, "RUN") == 0;
        const bool read =
            row->kind == OPTION_INPUT || row->kind == OPTION_INPUT_LIST || row->kind == OPTION_RUN;
        const bool never = row->role == ROLE_WRITE || row->role == ROLE_MODULE ||
                           row->role == ROLE_PROGRAM || row->role == ROLE_ACT;
        if (file && !read && !never) {
            fail_msg("--%s names a file that is neither read nor left out", row->name);
        }
    }
}

/* What help calls a value, and what completion is told of it. */
static void check_takes(const Command *command, const Option *row) {
    static const struct {
        const char *named;
        OptionTakes takes;
        unsigned kinds; /* a bit each */
    } names[] = {
        {"RUN", TAKES_RUN, 1U << OPTION_RUN | 1U << OPTION_RUNS},
        {"FILE", TAKES_FILE, 1U << OPTION_INPUT | 1U << OPTION_OUTPUT | 1U << OPTION_INPUT_LIST},
        {"DIR", TAKES_FOLDER, 1U << OPTION_INPUT | 1U << OPTION_FOLDER},
        {"LIST", TAKES_LIST, 1U << OPTION_WORDS},
        {"[,", TAKES_LIST, 1U << OPTION_INPUT_LIST}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strstr(row->argument, names[i].named) == NULL) {
            continue;
        }
        if (row->takes != names[i].takes && (names[i].kinds >> row->kind & 1) == 0) {
            fail_msg("%s: --%s %s is completed as something else", command->name,
                     row->name != NULL ? row->name : "", row->argument);
        }
        break;
    }
    for (const char *at = row->argument; *at != '\0'; at += strcspn(at, "|"), at += *at == '|') {
        bool found = *at < 'a' || *at > 'z';
        for (size_t i = 0; !found && row->words != NULL && row->words[i] != NULL; i++) {
            const size_t length = strlen(row->words[i]);
            found = strcspn(at, "|") == length && strncmp(at, row->words[i], length) == 0;
        }
        if (!found) {
            fail_msg("%s: --%s %s: a word of it is not completed", command->name, row->name,
                     row->argument);
        }
    }
}

TEST(values_are_completed_as_help_names_them) {
    command_groups_add(app_groups, APP_GROUPS);
    const Command *command;
    for (size_t c = 0; (command = command_at(c)) != NULL; c++) {
        const Option *row;
        for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
            if (row->argument != NULL) {
                check_takes(command, row);
            }
        }
    }
}

/* Every option of a run with some value, in one list. */
static void add_every_option(ArgumentList *list) {
    const Option *row;
    Random random;
    random_seed(&random, 1);
    for (size_t i = 0; (row = command_row(&command_run, i)) != NULL; i++) {
        const bool text = row->kind == OPTION_TEXT || row->kind == OPTION_RUN ||
                          row->kind == OPTION_INPUT || row->kind == OPTION_INPUT_LIST ||
                          row->kind == OPTION_OUTPUT;
        char value[SAMPLE_SIZE] = "value";
        if (sample_is_axis(row) && strcmp(row->name, "threads") != 0) {
            continue; /* a run takes some at once only */
        }
        if (!text) {
            sample_value(row, &random, value);
        }
        sample_add(row, value, list);
    }
}

static void write_run(const char *folder, const ArgumentList *list) {
    char path[512];
    snprintf(path, sizeof path, "%s/results.json", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("{\"context\": {\"json_schema_version\": 1, \"argv\": [", file);
    for (int i = 0; i < list->argc; i++) {
        fprintf(file, "%s\"%s\"", i > 0 ? ", " : "", list->argv[i]);
    }
    fputs("]}, \"benchmarks\": [], \"failures\": [], \"skipped\": []}\n", file);
    assert_int_equal(fclose(file), 0);
}

static bool option_is_there(const ArgumentList *list, const char *name) {
    char word[64];
    snprintf(word, sizeof word, "--%s", name);
    return argument_list_has(list, word);
}

static const OptionsGiven nothing = {.command = &command_run};

/* The whole table through --resume: what names code, a program or a place to write stays behind. */
TEST(a_stored_run_names_no_code_and_no_place) {
    ArgumentList written = {.argc = 0}, stored;
    RunOptions options;
    add_every_option(&written);
    write_run(test_folder, &written);
    assert_ok(resume_request(test_folder, &nothing, 0, NULL, &stored, &options));
    static const char *const never[] = {"plugin", "baseline-program", "out",        "csv",  "json",
                                        "save",   "resume",           "save-table", "help", "list",
                                        "dry-run"};
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++) {
        assert_false(options_was_given(&options.given, never[i]));
    }
    static const char *const taken[] = {"algo",    "input", "reps",  "launches",
                                        "threads", "shard", "price", "quiet",
                                        "spread",  "alpha", "first", "device"};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        assert_true(options_was_given(&options.given, taken[i]));
    }
    argument_list_release(&stored);
    argument_list_release(&written);
}

static void resume(const char *argument, Status *status) {
    char *words[] = {"--algo", "lbp", (char *)argument};
    RELEASED_BY(argument_list_release) ArgumentList stored;
    RunOptions options;
    write_run(test_folder, &(ArgumentList){.argc = 3, .argv = words});
    *status = resume_request(test_folder, &nothing, 0, NULL, &stored, &options);
}

/* One that never ends, or whose content is made as it is read, is not opened. */
TEST(a_stored_run_names_ordinary_files_only) {
    Status status;
    static const char *const refused[] = {"--input=/dev/zero",       "--labels=/dev/zero",
                                          "--weights=a,/dev/zero",   "--keypoints-file=/dev/zero",
                                          "--input=/proc/self/maps", "--baseline=/dev/zero",
                                          "--first=/dev/zero"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        resume(refused[i], &status);
        assert_int_equal(status.code, STATUS_USAGE);
        assert_says(status.why, "is no ordinary file or folder");
    }
    static const char *const taken[] = {"--input=/no/such/file", "--weights=random", "--input=/"};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        resume(taken[i], &status);
        assert_ok(status);
    }
    resume("--of-no-version", &status);
    assert_int_equal(status.code, STATUS_USAGE);
    assert_says(status.why, "'--of-no-version' is no option of 'bench run'");
}

/* A job that is preempted resumes again and again. */
TEST(what_is_said_again_is_there_once) {
    char *before[] = {"--algo", "lbp", "--quiet", "--reps=3", "--input", "/dev/zero"};
    char *now[] = {"--resume", "run", "--quiet", "--reps", "3", "--input", "mine.png"};
    static const char *const whole[] = {"--algo", "lbp", "--resume", "run",     "--quiet",
                                        "--reps", "3",   "--input",  "mine.png"};
    ArgumentList stored, list = {.argc = 0};
    RunOptions given, options;
    options_start(&command_run, &given, &given.given);
    assert_ok(options_read(7, now, &given, &given.given));
    write_run(test_folder, &(ArgumentList){.argc = 6, .argv = before});
    assert_ok(resume_request(test_folder, &given.given, 7, now, &stored, &options));
    assert_ok(options_print(&options, &options.given, &list));
    assert_int_equal(list.argc, 9);
    for (int i = 0; i < list.argc; i++) {
        assert_string_equal(list.argv[i], whole[i]);
    }
    argument_list_release(&list);
    argument_list_release(&stored);
}

/* A launch loads the modules of this command line, and neither writes nor compares for itself. */
TEST(a_launch_has_the_modules_of_its_run) {
    ArgumentList written = {.argc = 0}, list = {.argc = 0};
    RunOptions options;
    add_every_option(&written);
    options_start(&command_run, &options, &options.given);
    assert_ok(options_read(written.argc, written.argv, &options, &options.given));
    request_keep_launch(&options.given);
    assert_ok(options_print(&options, &options.given, &list));
    assert_true(option_is_there(&list, "plugin") && option_is_there(&list, "launches"));
    assert_true(option_is_there(&list, "threads") && option_is_there(&list, "shard"));
    assert_false(option_is_there(&list, "baseline-program") || option_is_there(&list, "baseline"));
    assert_false(option_is_there(&list, "spread") || option_is_there(&list, "out") ||
                 option_is_there(&list, "dry-run"));
    argument_list_release(&list);
    argument_list_release(&written);
}

/* A run that is measured again on another machine: what is measured, and how; and the whole that
 * shares are merged into has all but the share. */
TEST(another_run_takes_what_is_measured) {
    static const char *const never[] = {
        "plugin", "baseline-program", "out",      "csv",      "json",
        "save",   "save-table",       "resume",   "help",     "list",
        "first",  "dry-run",          "baseline", "launches", "pass",
        "shard",  "device",           "energy",   "quiet",    "color"};
    static const char *const taken[] = {"sizes", "input", "reps", "cold", "threads", "spread"};
    ArgumentList given = {.argc = 0}, list;
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++) {
        assert_false(
            option_is_of_another_run(command_option(&command_run, never[i], strlen(never[i]))));
    }
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        assert_true(
            option_is_of_another_run(command_option(&command_run, taken[i], strlen(taken[i]))));
    }
    add_every_option(&given);
    assert_ok(arguments_of_plan(&command_run, &given, &list));
    assert_int_equal(list.argc, given.argc - 1);
    assert_false(option_is_there(&list, "shard"));
    argument_list_release(&list);
    argument_list_release(&given);
}
