/* Every kind of option row, on a command that is made for it. */
#include "commands.h"
#include "options.h"
#include "test.h"

enum { WORDS_MAX = 32, SCOPE = 2, OTHER_SCOPE = 4 };

typedef struct Values {
    const char *first, *text, *word;
    OptionTexts rest, many, behind;
    int32_t count;
    uint64_t whole;
    double real, seconds, ratio, share;
    unsigned words;
    bool set, cleared, checked;
    int handled, choice;
} Values;

static const char *const colours[] = {"red", "green", "blue", NULL};

static Status handle(const Option *option, const char *value, void *of) {
    Values *values = of;
    values->handled++;
    return strcmp(value, option->name) == 0 ? status_ok()
                                            : status_make(STATUS_USAGE, "is not its own name");
}

static Status check(void *of, const OptionsGiven *given) {
    Values *values = of;
    values->checked = options_was_given(given, "count") && !options_was_given(given, "whole");
    return status_ok();
}

static const Option *more(void) {
    static const Option rows[] = {
        {"extra", "VALUE", NULL, .kind = OPTION_HANDLED, .handle = handle}, OPTIONS_END};
    return rows;
}

#define MEMBER(name) .member = offsetof(Values, name)

static const Option rows[] = {
    {NULL, "FIRST", NULL, .kind = OPTION_TEXT, MEMBER(first)},
    {NULL, "REST", NULL, .kind = OPTION_TEXTS, MEMBER(rest), .most = 3},
    {NULL, "BEHIND", NULL, .kind = OPTION_REST, MEMBER(behind), .most = 3},
    {"text", "TEXT", "a text", .kind = OPTION_TEXT, MEMBER(text)},
    {"many", "TEXT", "texts", .kind = OPTION_TEXTS, MEMBER(many), .most = 2},
    {"count", "N", "a number", .kind = OPTION_INT, MEMBER(count), .least = 2, .most = 9},
    {"whole", "N", "a number", .kind = OPTION_WHOLE, MEMBER(whole), .most = UINT64_MAX},
    {"real", "F", "a number", .kind = OPTION_REAL, MEMBER(real), .most = 10, .noun = "length"},
    {"time", "TIME", "a time", .kind = OPTION_DURATION, MEMBER(seconds)},
    {"ratio", "RATIO", "a ratio", .kind = OPTION_RATIO, MEMBER(ratio)},
    {"share", "SHARE", "a share", .kind = OPTION_SHARE, MEMBER(share)},
    {"colour", "NAME", "a colour", .kind = OPTION_WORD, MEMBER(word), .words = colours,
     .noun = "colour"},
    {"shade", "NAME", "a colour", .kind = OPTION_CHOICE, MEMBER(choice), .words = colours,
     .noun = "colour"},
    {"colours", "LIST", "colours", .kind = OPTION_WORDS, MEMBER(words), .words = colours,
     .noun = "colour"},
    {"set", NULL, "sets", .kind = OPTION_SET, MEMBER(set)},
    {"clear", NULL, "clears", .kind = OPTION_CLEAR, MEMBER(cleared), .scope = SCOPE},
    {"hidden", NULL, "of another command", .kind = OPTION_SET, MEMBER(set), .scope = OTHER_SCOPE},
    OPTIONS_END};

static const Values defaults = {.count = 5, .cleared = true};

static const Command command = {.name = "sample",
                                .usage = "bench sample",
                                .about = "About.",
                                .words = "some words",
                                .rows = rows,
                                .more_rows = more,
                                .scope = SCOPE,
                                .size = sizeof(Values),
                                .defaults = &defaults,
                                .check = check};

static Status parse(const char *line, Values *values) {
    static char text[512];
    char *words[WORDS_MAX];
    int count = 0;
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
        words[count++] = word;
    }
    return options_parse(&command, count, words, values);
}

TEST(values_are_stored) {
    Values values;
    assert_ok(parse(
        "--count 2 a --text=x=y --many p --many q --real 2.5 --time 500ms --ratio 1% --share 1 b "
        "--colour green --shade blue --colours blue,red --set --clear --extra extra c",
        &values));
    assert_string_equal(values.first, "a");
    assert_int_equal(values.rest.count, 2);
    assert_string_equal(values.rest.texts[1], "c");
    assert_string_equal(values.text, "x=y");
    assert_int_equal(values.many.count, 2);
    assert_string_equal(values.many.texts[0], "p");
    assert_int_equal(values.count, 2);
    assert_int_equal(values.whole, 0);
    assert_true(values.real == 2.5 && values.seconds == 0.5 && values.ratio == 0.01);
    assert_true(values.share == 1);
    assert_ptr_equal(values.word, colours[1]);
    assert_int_equal(values.choice, 3);
    assert_int_equal(values.words, 1 | 4);
    assert_true(values.set && !values.cleared && values.checked);
    assert_int_equal(values.handled, 1);
    options_release(&command, &values);
    assert_int_equal(values.many.count, 0);
}

TEST(the_defaults_come_first) {
    Values values;
    assert_ok(parse("--whole 18446744073709551615", &values));
    assert_int_equal(values.count, 5);
    assert_true(values.cleared && !values.set && !values.checked);
    assert_true(values.whole == UINT64_MAX);
    assert_null(values.first);
    assert_int_equal(values.choice, 0);
}

TEST(wrong_values_are_refused) {
    static const struct {
        const char *line, *why;
    } cases[] = {
        {"--count 1", "--count: '1' is not a whole number from 2 to 9"},
        {"--count 10", "--count: '10' is not a whole number from 2 to 9"},
        {"--real 0", "--real: '0' is no length; write a number above 0 and up to 10"},
        {"--real 10.5", "--real: '10.5' is no length; write a number above 0 and up to 10"},
        {"--real 1x", "--real: '1x' is no length; write a number above 0 and up to 10"},
        {"--shade gren",
         "--shade: 'gren' is no colour; did you mean 'green'? (known: red, green, blue)"},
        {"--colour gren",
         "--colour: 'gren' is no colour; did you mean 'green'? (known: red, green, blue)"},
        {"--colours red,x", "--colours: 'x' is no colour (known: red, green, blue)"},
        {"--colours red,", "--colours: the list ends without a name; write names separated by "
                           "single commas"},
        {"--many 1 --many 2 --many 3", "--many: there are more than 2; name fewer"},
        {"a b c d e", "sample: there are more than 3; name fewer"},
        {"--extra x", "--extra: is not its own name"},
        {"--text", "--text needs a value; write --text TEXT"},
        {"--text --set", "--text needs a value; write --text TEXT"},
        {"--text=", "--text: the value is empty; write --text TEXT"},
        {"--set=1", "--set takes no value; write --set"},
        {"-set", "unknown option '-set'; write --set"},
        {"-x", "unexpected argument '-x'; options begin with --, and lists have commas and no "
               "spaces"},
        {"--txet=1", "unknown option '--txet'; did you mean '--text'?"},
        {"--hepl", "unknown option '--hepl'; did you mean '--help'?"},
        {"--hidden", "unknown option '--hidden'; --help lists the options"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Values values;
        const Status status = parse(cases[i].line, &values);
        options_release(&command, &values);
        assert_int_equal(status.code, STATUS_USAGE);
        assert_string_equal(status.why, cases[i].why);
    }
}

/* Without words, and with the rows of this scope and those with a text only. */
TEST(help_lists_the_rows_of_the_command) {
    FILE *stream = test_stream();
    command_print_start(stream, &command);
    command_print_options(stream, &command);
    char *text = test_text(stream);
    assert_says(text, "bench sample\n\nAbout.\n\nOptions\n  --text TEXT ");
    assert_says(text, "  --clear ");
    assert_says(text, "  --help ");
    assert_null(strstr(text, "--hidden"));
    assert_null(strstr(text, "--extra"));
    assert_null(strstr(text, "FIRST"));
}

TEST(what_stands_behind_two_dashes_is_no_option) {
    char *line[] = {"one", "--set", "--", "--set", "--", "--no such"};
    Values values;
    Status status = options_parse(&command, 6, line, &values);
    assert_ok(status);
    assert_string_equal(values.first, "one");
    assert_int_equal(values.rest.count, 0);
    assert_int_equal(values.behind.count, 3);
    assert_string_equal(values.behind.texts[1], "--");
    assert_string_equal(values.behind.texts[2], "--no such");
    options_release(&command, &values);
    assert_null(values.behind.texts);
    char *many[] = {"--", "1", "2", "3", "4"};
    status = options_parse(&command, 5, many, &values);
    assert_int_equal(status.code, STATUS_USAGE);
    options_release(&command, &values);
}
