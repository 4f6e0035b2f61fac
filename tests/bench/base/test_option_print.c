/* A request is printed as the arguments that are read into the same request: every option of every
 * command, with values drawn at random. */
#include "cli.h"
#include "command_line.h"
#include "option_samples.h"
#include "run_options.h"
#include "status_checks.h"
#include "test.h"

#include "apps.h"
#include "cli_internal.h"

enum { TRIALS = 60, WORDS_MOST = 3 };

typedef struct Asked {
    const Command *command;
    void *options;
    OptionsGiven given;
} Asked;

static Asked request_of(const Command *command, const ArgumentList *list) {
    Asked request = {.command = command, .options = malloc(command->size)};
    assert_non_null(request.options);
    options_start(command, request.options, &request.given);
    const Status status = options_read(list->argc, list->argv, request.options, &request.given);
    if (status.code != STATUS_OK) {
        for (int i = 0; i < list->argc; i++) {
            print_error("%s\n", list->argv[i]);
        }
        fail_msg("bench %s: %s", command->name, status.why);
    }
    return request;
}

static void request_release(Asked *request) {
    options_release(request->command, request->options);
    free(request->options);
}

static ArgumentList printed(const Asked *request) {
    ArgumentList list = {.argc = 0};
    assert_ok(options_print(request->options, &request->given, &list));
    return list;
}

static const void *member_of(const Option *row, const Asked *request) {
    return (const unsigned char *)request->options + row->member;
}

static bool same_text(const char *left, const char *right) {
    return left == right || (left != NULL && right != NULL && strcmp(left, right) == 0);
}

static bool same_texts(const OptionTexts *left, const OptionTexts *right) {
    bool same = left->count == right->count;
    for (size_t i = 0; same && i < left->count; i++) {
        same = same_text(left->texts[i], right->texts[i]);
    }
    return same;
}

/* Of options with a `handle` the printed texts are compared. */
static bool same_member(const Option *row, const Asked *left, const Asked *right) {
    const void *a = member_of(row, left), *b = member_of(row, right);
    switch (row->kind) {
    case OPTION_SET:
    case OPTION_CLEAR: return *(const bool *)a == *(const bool *)b;
    case OPTION_TEXTS:
    case OPTION_RUNS:
    case OPTION_REST: return same_texts(a, b);
    case OPTION_CHOICE: return *(const int *)a == *(const int *)b;
    case OPTION_INT: return *(const int32_t *)a == *(const int32_t *)b;
    case OPTION_WHOLE: return *(const uint64_t *)a == *(const uint64_t *)b;
    case OPTION_REAL:
    case OPTION_DURATION:
    case OPTION_PAUSE:
    case OPTION_RATIO:
    case OPTION_SHARE: return memcmp(a, b, sizeof(double)) == 0;
    case OPTION_WORDS: return *(const unsigned *)a == *(const unsigned *)b;
    case OPTION_HANDLED: return true;
    default: return same_text(*(const char *const *)a, *(const char *const *)b);
    }
}

static void check_same(const Asked *left, const Asked *right) {
    const Option *row;
    for (size_t i = 0; (row = command_row(left->command, i)) != NULL; i++) {
        if (!same_member(row, left, right)) {
            fail_msg("bench %s: %s is another", left->command->name,
                     row->name != NULL ? row->name : row->argument);
        }
    }
}

static void check_same_list(const ArgumentList *left, const ArgumentList *right) {
    assert_int_equal(left->argc, right->argc);
    for (int i = 0; i < left->argc; i++) {
        assert_string_equal(left->argv[i], right->argv[i]);
    }
}

/* The value of the last "--name value" or "--name=value"; NULL: there is none. */
static const char *last_value(const ArgumentList *list, const char *name) {
    const size_t length = strlen(name);
    const char *value = NULL;
    for (int i = 0; i < list->argc; i++) {
        const char *word = list->argv[i];
        if (strncmp(word, "--", 2) == 0 && strncmp(word + 2, name, length) == 0) {
            const char *end = word + 2 + length;
            value = *end == '=' ? end + 1 : *end == '\0' ? list->argv[i + 1] : value;
        }
    }
    return value;
}

/* Options with a `handle`: none is left out, and what is written as it was given is. */
static void check_handled(const Asked *request, const ArgumentList *typed,
                          const ArgumentList *list) {
    for (size_t i = 0; i < request->given.count; i++) {
        const Option *row = request->given.items[i].row;
        if (row->kind != OPTION_HANDLED || row->name == NULL || row->argument == NULL) {
            continue;
        }
        const char *now = last_value(list, row->name);
        if (now == NULL ||
            (option_is_as_given(row) && strcmp(now, last_value(typed, row->name)) != 0)) {
            fail_msg("bench %s: --%s is %s", request->command->name, row->name,
                     now != NULL ? now : "left out");
        }
    }
}

/* What is printed of a request is read as it, and then printed alike. */
static void check_round(const Asked *request, const ArgumentList *typed) {
    const ArgumentList list = printed(request);
    Asked again = request_of(request->command, &list);
    const ArgumentList more = printed(&again);
    check_handled(request, typed, &list);
    check_same(request, &again);
    check_same_list(&list, &more);
    request_release(&again);
    argument_list_release((ArgumentList *)&list);
    argument_list_release((ArgumentList *)&more);
}

static void add_words(const Command *command, Random *random, ArgumentList *list) {
    const Option *row;
    const size_t count = command->words != NULL ? random_bits(random) % WORDS_MOST : 0;
    for (size_t i = 0; i < count && (row = command_word(command, i)) != NULL; i++) {
        char value[SAMPLE_SIZE];
        sample_value(row, random, value);
        sample_add(row, value, list);
    }
}

static void add_rest(const Command *command, Random *random, ArgumentList *list) {
    const Option *row;
    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        if (row->kind == OPTION_REST && random_bits(random) % 2 == 0) {
            assert_ok(argument_list_add(list, "--"));
            assert_ok(argument_list_add(list, "--algo"));
            assert_ok(argument_list_add(list, "lbp"));
        }
    }
}

/* Each option with a chance of `chance` in 16, from a row on that is drawn. */
static void add_options(const Command *command, unsigned chance, Random *random,
                        ArgumentList *list) {
    const size_t first = random_bits(random) % 256;
    size_t count = 0, axes = 0;
    while (command_row(command, count) != NULL) {
        count++;
    }
    for (size_t i = 0; i < count; i++) {
        const Option *row = command_row(command, (i + first) % count);
        char value[SAMPLE_SIZE];
        axes += sample_is_axis(row);
        if (row->name != NULL && random_bits(random) % 16 < chance &&
            (!sample_is_axis(row) || axes <= SAMPLE_AXES_MOST)) {
            sample_value(row, random, value);
            sample_add(row, value, list);
        }
    }
}

TEST(what_is_printed_is_read_as_the_same) {
    Random random;
    random_seed(&random, 43);
    command_groups_add(app_groups, APP_GROUPS);
    const Command *command;
    for (size_t c = 0; (command = command_at(c)) != NULL; c++) {
        for (unsigned trial = 0; trial < TRIALS; trial += SWEEP_STEP) {
            RELEASED_BY(argument_list_release) ArgumentList list = {.argc = 0};
            add_words(command, &random, &list);
            add_options(command, trial % 17, &random, &list);
            add_options(command, 3, &random, &list); /* some again */
            add_rest(command, &random, &list);
            RELEASED_BY(request_release) Asked request = request_of(command, &list);
            check_round(&request, &list);
        }
    }
}

/* A number that no text gave: any bits of a double. */
TEST(every_number_is_printed_whole) {
    static const double some[] = {0.1, 1e-9,     5e-324, 0.3 - 0.2, 2.2250738585072014e-308,
                                  1e6, 0.1 + 0.2};
    RunOptions options;
    Random random;
    random_seed(&random, 7);
    options_start(&command_run, &options, &options.given);
    options_give(&options.given, "max-time");
    for (size_t i = 0; i < 500; i++) {
        RELEASED_BY(argument_list_release) ArgumentList list = {.argc = 0};
        RunOptions again;
        options.max_time = i < sizeof some / sizeof some[0]
                               ? some[i]
                               : random_unit(&random) / (double)(1 + random_bits(&random) % 1000);
        assert_ok(options_print(&options, &options.given, &list));
        options_start(&command_run, &again, &again.given);
        assert_ok(options_read(list.argc, list.argv, &again, &again.given));
        assert_memory_equal(&again.max_time, &options.max_time, sizeof options.max_time);
    }
}

static void check_print(RunOptions *options, const char *text) {
    RELEASED_BY(argument_list_release) ArgumentList list = {.argc = 0};
    char line[COMMAND_LINE_SIZE];
    assert_ok(options_print(options, &options->given, &list));
    command_line_text(&list, line, sizeof line);
    assert_string_equal(line, text);
}

/* In the order of the first mention, with the values that count; no defaults; a member that was
 * changed. */
TEST(a_request_is_changed_and_printed) {
    char *argv[] = {"--sizes", "4k,640X480",  "--algo=lbp", "--max-time", "500ms", "--reps",
                    "3",       "--tile=8,16", "--plot",     "--reps",     "5",     "--quiet"};
    RunOptions options;
    assert_ok(options_parse(&command_run, sizeof argv / sizeof argv[0], argv, &options));
    check_print(&options, "--sizes 4K,640x480 --algo lbp --max-time 0.5s --reps 5 --tile 8,16 "
                          "--plot --quiet");
    options.pass = 2;
    options.launches = 6;
    options.plot = false;
    options.reps = 9;
    options.size_count = 1;
    options.out = "--here";
    options_give(&options.given, "pass");
    options_give(&options.given, "no-plot");
    options_give(&options.given, "out");
    check_print(&options, "--sizes 4K --algo lbp --max-time 0.5s --reps 9 --tile 8,16 --quiet "
                          "--pass 2/6 --no-plot --out=--here");
    options.out = NULL;
    options.axis_count = 0;
    options.plot = true;
    check_print(&options, "--sizes 4K --algo lbp --max-time 0.5s --reps 9 --plot --quiet "
                          "--pass 2/6");
}

/* What a program of another version has more of is still asked for. */
TEST(all_stays_all) {
    char *argv[] = {"--algo", "all", "--sizes", "all", "--variants", "all"};
    RunOptions options;
    options_start(&command_run, &options, &options.given);
    assert_ok(options_read(6, argv, &options, &options.given));
    check_print(&options, "--algo all --sizes all --variants all");
}

/* None is dropped without a word, and what a launch adds has room. */
TEST(too_many_are_refused) {
    static char *argv[OPTIONS_READ_MAX + 1];
    RunOptions options;
    for (int i = 0; i <= OPTIONS_READ_MAX; i++) {
        argv[i] = (char *)"--color=never";
    }
    options_start(&command_run, &options, &options.given);
    assert_ok(options_read(OPTIONS_READ_MAX, argv, &options, &options.given));
    options_give(&options.given, "pass");
    assert_true(options_was_given(&options.given, "pass"));
    assert_status_is(options_read(1, argv, &options, &options.given), STATUS_USAGE,
                     "more than 112 options; write fewer");
}

/* === Looking into a list ====================================================================== */

TEST(options_of_a_list_are_found) {
    static char *words[] = {"--reps", "5", "--cold", "--sizes=4K", NULL};
    const ArgumentList list = {.argc = 4, .argv = words};
    assert_true(argument_list_has(&list, "--reps"));
    assert_true(argument_list_has(&list, "--sizes"));
    assert_false(argument_list_has(&list, "--size"));
    assert_true(argument_list_has(&list, "--cold"));
    assert_false(argument_list_has(&list, "--col"));
}
