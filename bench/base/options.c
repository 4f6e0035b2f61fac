/* Commands: single values, the parser of a command's table of options, its help, exit codes. What
 * was read is written by option_print.c. */

#include "options.h"
#include "commands.h"
#include "exit_code.h"
#include "files.h"
#include "list.h"
#include "number.h"
#include "paths.h"
#include "terminal.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* === Values =================================================================================== */

static const double seconds_max = 1e6;

Status parse_count(const char *text, uint64_t minimum, uint64_t maximum, uint64_t *number) {
    const bool digits = text[0] != '\0' && strspn(text, "0123456789") == strlen(text);
    errno = 0;
    const unsigned long long value = digits ? strtoull(text, NULL, 10) : 0;
    if (!digits || errno != 0 || value < minimum || value > maximum) {
        return status_make(STATUS_USAGE,
                           "'%.40s' is not a whole number from %" PRIu64 " to %" PRIu64, text,
                           minimum, maximum);
    }
    *number = value;
    return status_ok();
}

/* A plain decimal number and where it ends. strtod alone would also accept "nan", "inf", exponents,
 * hexadecimal and leading spaces. */
static bool parse_decimal(const char *text, double *number, const char **end) {
    const size_t length = strspn(text, "0123456789.");
    if (length == 0 || strspn(text, ".") == length) {
        return false;
    }
    char *stop;
    *number = strtod(text, &stop);
    *end = stop;
    return stop == text + length;
}

Status duration_read(const char *text, bool pause, double *seconds) {
    double number;
    const char *word;
    if (parse_decimal(text, &number, &word)) {
        const TimeUnit *unit = time_unit_find(word[0] != '\0' ? word : "s", TIME_US, TIME_MIN);
        const double value = unit != NULL ? number * unit->seconds : -1;
        if ((pause ? value >= 0 : value > 0) && value <= seconds_max) {
            *seconds = value;
            return status_ok();
        }
    }
    return status_make(STATUS_USAGE,
                       "'%.40s' is not a time %s 0 and up to %.0f s; write 10, 10s, 500ms or 2min",
                       text, pause ? "of at least" : "above", seconds_max);
}

/* A number above 0 and below 1, as 1% or 0.01; also 1 where `whole`. */
static Status ratio_read(const char *text, bool whole, double *ratio) {
    double number;
    const char *unit;
    if (parse_decimal(text, &number, &unit) && (unit[0] == '\0' || strcmp(unit, "%") == 0)) {
        number /= unit[0] == '%' ? 100 : 1;
        if (number > 0 && (number < 1 || (whole && number == 1))) {
            *ratio = number;
            return status_ok();
        }
    }
    return status_make(STATUS_USAGE,
                       whole ? "'%.40s' is not a share above 0 and up to 1; write 10%% or 0.1"
                             : "'%.40s' is not a ratio between 0 and 1; write 1%% or 0.01",
                       text);
}

/* === Storing a value ========================================================================== */

/* A word of the row, and its place among the words. */
static Status find_word(const Option *option, const char *value, size_t *place) {
    Suggestion suggestion = suggest_start(value);
    for (size_t i = 0; option->words[i] != NULL; i++) {
        if (strcmp(option->words[i], value) == 0) {
            *place = i;
            return status_ok();
        }
        suggest_offer(&suggestion, option->words[i]);
    }
    return suggest_unknown(&suggestion, option->noun);
}

static Status store_word(const Option *option, const char *value, const char **word) {
    size_t place = 0;
    STATUS_TRY(find_word(option, value, &place));
    *word = option->words[place];
    return status_ok();
}

static Status store_choice(const Option *option, const char *value, int *choice) {
    size_t place = 0;
    STATUS_TRY(find_word(option, value, &place));
    *choice = (int)place + 1;
    return status_ok();
}

static Status store_words(const Option *option, const char *value, unsigned *bits) {
    *bits = 0;
    while (value != NULL) {
        char word[LIST_WORD_SIZE];
        size_t place = 0;
        STATUS_TRY(list_next(&value, word));
        STATUS_TRY(find_word(option, word, &place));
        *bits |= 1U << place;
    }
    return status_ok();
}

static Status store_text(const Option *option, const char *value, OptionTexts *list) {
    if (list->count == option->most) {
        return status_make(STATUS_USAGE, "there are more than %" PRIu64 "; name fewer",
                           option->most);
    }
    LIST_ADD(NULL, list->texts, list->count, list->capacity, "arguments", value);
    return status_ok();
}

static Status store_int(const Option *option, const char *value, int32_t *number) {
    uint64_t whole = 0;
    STATUS_TRY(parse_count(value, option->least, option->most, &whole));
    *number = (int32_t)whole;
    return status_ok();
}

static Status store_real(const Option *option, const char *value, double *number) {
    const char *end = "";
    double real = 0;
    if (!parse_decimal(value, &real, &end) || *end != '\0' || real <= (double)option->least ||
        real > (double)option->most) {
        return status_make(STATUS_USAGE,
                           "'%.40s' is no %s; write a number above %" PRIu64 " and up to %" PRIu64,
                           value, option->noun, option->least, option->most);
    }
    *number = real;
    return status_ok();
}

/* `value` is NULL for options without one. */
static Status store(const Option *option, const char *value, void *options) {
    void *member = (unsigned char *)options + option->member;
    switch (option->kind) {
    case OPTION_SET: *(bool *)member = true; break;
    case OPTION_CLEAR: *(bool *)member = false; break;
    case OPTION_TEXT:
    case OPTION_RUN:
    case OPTION_INPUT:
    case OPTION_INPUT_LIST:
    case OPTION_OUTPUT:
    case OPTION_FOLDER: *(const char **)member = value; break;
    case OPTION_RUNS:
    case OPTION_TEXTS:
    case OPTION_REST: return store_text(option, value, member);
    case OPTION_INT: return store_int(option, value, member);
    case OPTION_WHOLE: return parse_count(value, option->least, option->most, member);
    case OPTION_REAL: return store_real(option, value, member);
    case OPTION_DURATION:
    case OPTION_PAUSE: return duration_read(value, option->kind == OPTION_PAUSE, member);
    case OPTION_RATIO:
    case OPTION_SHARE: return ratio_read(value, option->kind == OPTION_SHARE, member);
    case OPTION_WORD: return store_word(option, value, member);
    case OPTION_CHOICE: return store_choice(option, value, member);
    case OPTION_WORDS: return store_words(option, value, member);
    case OPTION_HANDLED: return option->handle(option, value, options);
    }
    return status_ok();
}

/* === What every command has =================================================================== */

static Status read_colour(const Option *option, const char *value, void *of) {
    (void)option;
    (void)of;
    ColourChoice choice;
    if (!colour_choice_parse(value, &choice)) {
        return status_make(STATUS_USAGE, "'%.40s' is none of auto, always and never", value);
    }
    return status_ok();
}

static void choose_colour(const GivenOption *given) {
    ColourChoice choice;
    if (given->row->handle == read_colour && colour_choice_parse(given->value, &choice)) {
        terminal_choose_colour(choice);
    }
}

/* The program has looked for it before: for help, which says nothing in stored arguments, and for
 * what modules_start has loaded, or by. */
static Status read_before(const Option *option, const char *value, void *of) {
    (void)option;
    (void)value;
    (void)of;
    return status_ok();
}

static const char *const colour_words[] = {"auto", "always", "never", NULL};

static const Option common_rows[] = {
    {"plugin", "FILE", "load the algorithm of a module; may be repeated; see also BENCH_PATH",
     .takes = TAKES_FILE, .kind = OPTION_HANDLED, .handle = read_before, .role = ROLE_MODULE},
    {"python", "PROGRAM", "Python of algorithms in it. Default: BENCH_PYTHON, else python3",
     .kind = OPTION_HANDLED, .handle = read_before, .role = ROLE_MODULE},
    {"color", "WHEN", "colours on the terminal: auto, always or never. Default: auto",
     .kind = OPTION_HANDLED, .handle = read_colour, .words = colour_words, .role = ROLE_FREE},
    {"help", NULL, "this text", .kind = OPTION_HANDLED, .handle = read_before, .role = ROLE_ACT},
    OPTIONS_END};

/* === Finding an option ======================================================================== */

static bool is_end(const Option *row) {
    return row->name == NULL && row->argument == NULL;
}

const Option *command_row(const Command *command, size_t index) {
    const Option *tables[] = {
        command->rows, command->more_rows != NULL ? command->more_rows() : NULL, common_rows};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        for (const Option *row = tables[i]; row != NULL && !is_end(row); row++) {
            const bool has = row->scope == 0 || (row->scope & command->scope) != 0;
            if (has && index-- == 0) {
                return row;
            }
        }
    }
    return NULL;
}

const Option *command_option(const Command *command, const char *name, size_t length) {
    const Option *row;
    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        if (row->name != NULL && strlen(row->name) == length &&
            strncmp(row->name, name, length) == 0) {
            return row;
        }
    }
    return NULL;
}

static Status unknown_option(const Command *command, const char *name, size_t length) {
    const Option *row;
    char given[LIST_WORD_SIZE];
    snprintf(given, sizeof given, "%.*s", (int)length, name);
    Suggestion suggestion = suggest_start(given);
    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        if (row->name != NULL) {
            suggest_offer(&suggestion, row->name);
        }
    }
    if (suggestion.nearest != NULL) {
        return status_make(STATUS_USAGE, "unknown option '--%s'; did you mean '--%s'?", given,
                           suggestion.nearest);
    }
    return status_make(STATUS_USAGE, "unknown option '--%s'; --help lists the options", given);
}

/* === Parsing ================================================================================== */

typedef struct Parser {
    int argc;
    char **argv;
    int index;    /* of the argument that is read */
    size_t words; /* arguments before it that are no options */
    void *options;
    OptionsGiven *given;
} Parser;

static bool is_option(const char *argument) {
    return strncmp(argument, "--", 2) == 0 && strspn(argument + 2, "=") == 0 && argument[2] != '\0';
}

/* Whether the argument behind this one can be its value. It may begin with one dash ("-5", judged
 * later); with two it is the next option. */
static bool value_follows(int argc, char *const *argv, int index) {
    return index + 1 < argc && strncmp(argv[index + 1], "--", 2) != 0;
}

int command_argument(const Command *command, int argc, char *const *argv, int index,
                     const Option **option) {
    const char *word = argv[index];
    const size_t length = is_option(word) ? strcspn(word + 2, "=") : 0;
    *option = length > 0 ? command_option(command, word + 2, length) : NULL;
    const bool apart = *option != NULL && (*option)->argument != NULL && word[2 + length] == '\0';
    return apart && value_follows(argc, argv, index) ? 2 : 1;
}

/* The value of an option that needs one: behind its =, or the next argument. */
static Status find_value(Parser *parser, const Option *option, const char **value) {
    if (*value == NULL) {
        if (!value_follows(parser->argc, parser->argv, parser->index)) {
            *value = option->otherwise;
            if (*value != NULL) {
                return status_ok();
            }
            return status_make(STATUS_USAGE, "--%s needs a value; write --%s %s", option->name,
                               option->name, option->argument);
        }
        *value = parser->argv[++parser->index];
    }
    if ((*value)[0] == '\0') {
        return status_make(STATUS_USAGE, "--%s: the value is empty; write --%s %s", option->name,
                           option->name, option->argument);
    }
    return status_ok();
}

bool option_is_as_given(const Option *row) {
    return row->kind == OPTION_HANDLED && row->print == NULL;
}

static Status give(OptionsGiven *given, const Option *row, const char *value) {
    for (size_t i = 0; i < given->count && !option_is_as_given(row); i++) {
        if (given->items[i].row == row) {
            given->items[i].value = value;
            return status_ok();
        }
    }
    if (given->count >= OPTIONS_READ_MAX) {
        return status_make(STATUS_USAGE, "more than %d options; write fewer", OPTIONS_READ_MAX);
    }
    given->items[given->count++] = (GivenOption){row, value};
    return status_ok();
}

static Status parse_option(Parser *parser, const char *name) {
    const Command *command = parser->given->command;
    const size_t length = strcspn(name, "=");
    const Option *option = command_option(command, name, length);
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    if (option == NULL) {
        return unknown_option(command, name, length);
    }
    if (option->argument != NULL) {
        STATUS_TRY(find_value(parser, option, &value));
    } else if (value != NULL) {
        return status_make(STATUS_USAGE, "--%s takes no value; write --%s", option->name,
                           option->name);
    }
    const Status status = store(option, value, parser->options);
    if (!status_is_ok(&status)) {
        return status_make(status.code, "--%s: %s", option->name, status.why);
    }
    return give(parser->given, option, value);
}

static bool is_list(const Option *row) {
    return row->kind == OPTION_TEXTS || row->kind == OPTION_RUNS || row->kind == OPTION_REST;
}

/* The row that has the arguments behind "--"; NULL: the command takes none. */
static const Option *rest_row(const Command *command) {
    const Option *row;
    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        if (row->kind == OPTION_REST) {
            return row;
        }
    }
    return NULL;
}

const Option *command_word(const Command *command, size_t number) {
    const Option *row;
    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        if (row->name == NULL && row->kind != OPTION_REST && (number-- == 0 || is_list(row))) {
            return row;
        }
    }
    return NULL;
}

static Status parse_word(Parser *parser, const char *word) {
    const Command *command = parser->given->command;
    const Option *row = command_word(command, parser->words++);
    const char *letters = word + strspn(word, "-");
    if (letters > word && command_option(command, letters, strlen(letters)) != NULL) {
        return status_make(STATUS_USAGE, "unknown option '%.40s'; write --%s", word, letters);
    }
    const bool dashed = letters > word && word[1] != '\0';
    if (command->words == NULL && command->meant != NULL && !dashed) {
        STATUS_TRY(command->meant(command, word, parser->argc, parser->argv));
    }
    if (command->words == NULL || dashed) {
        return status_make(STATUS_USAGE,
                           "unexpected argument '%.60s'; options begin with --, and lists have "
                           "commas and no spaces",
                           word);
    }
    if (row == NULL) {
        return status_make(STATUS_USAGE, "%s: unexpected argument '%.60s'; name %s", command->name,
                           word, command->words);
    }
    const Status status = store(row, word, parser->options);
    return status_is_ok(&status) ? give(parser->given, row, word)
                                 : status_make(status.code, "%s: %s", command->name, status.why);
}

/* What stands behind "--". */
static Status parse_rest(Parser *parser, const Option *row) {
    while (++parser->index < parser->argc) {
        const char *text = parser->argv[parser->index];
        STATUS_TRY(store(row, text, parser->options));
        STATUS_TRY(give(parser->given, row, text));
    }
    return status_ok();
}

void options_start(const Command *command, void *options, OptionsGiven *given) {
    memset(options, 0, command->size);
    if (command->defaults != NULL) {
        memcpy(options, command->defaults, command->size);
    }
    *given = (OptionsGiven){.command = command};
}

Status options_read(int argc, char **argv, void *options, OptionsGiven *given) {
    Parser parser = {.argc = argc, .argv = argv, .options = options, .given = given};
    for (; parser.index < argc; parser.index++) {
        const char *argument = argv[parser.index];
        const Option *rest = strcmp(argument, "--") == 0 ? rest_row(given->command) : NULL;
        if (rest != NULL) {
            return parse_rest(&parser, rest);
        }
        STATUS_TRY(is_option(argument) ? parse_option(&parser, argument + 2)
                                       : parse_word(&parser, argument));
    }
    return status_ok();
}

static bool run_is_named(const Option *row, const void *options) {
    const void *member = (const unsigned char *)options + row->member;
    return row->kind == OPTION_RUNS ? ((const OptionTexts *)member)->count > 0
                                    : *(const char *const *)member != NULL;
}

/* Options stand in stored arguments too, which are read wherever their runs are by now. */
static Status check_run(const Option *row, void *options) {
    const void *member = (unsigned char *)options + row->member;
    const char *const *texts =
        row->kind == OPTION_RUNS ? ((const OptionTexts *)member)->texts : member;
    const size_t count = row->kind == OPTION_RUNS ? ((const OptionTexts *)member)->count
                                                  : run_is_named(row, options);
    for (size_t i = 0; i < count; i++) {
        STATUS_TRY(run_check(texts[i]));
    }
    return status_ok();
}

/* Row `index` of those that are words and runs; NULL behind the last. */
static const Option *run_row(const Command *command, size_t index) {
    const Option *row;
    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        const bool is_run = row->kind == OPTION_RUN || row->kind == OPTION_RUNS;
        if (row->name == NULL && is_run && index-- == 0) {
            break;
        }
    }
    return row;
}

static Status about_command(const Command *command, const Status *status) {
    return status_is_ok(status) ? *status
                                : status_make(status->code, "%s: %s", command->name, status->why);
}

/* Finds the runs of an option by their names, and has outputs follow links. */
static Status look_up(const GivenOption *given, void *options) {
    void *member = (unsigned char *)options + given->row->member;
    const char **text = member;
    if (given->row->kind == OPTION_RUN && *text != NULL) {
        return run_find(*text, text);
    }
    if (given->row->kind == OPTION_OUTPUT && *text != NULL) {
        return output_follow_links(*text);
    }
    const OptionTexts *list = member;
    for (size_t i = 0; given->row->kind == OPTION_RUNS && i < list->count; i++) {
        STATUS_TRY(run_find(list->texts[i], &list->texts[i]));
    }
    return status_ok();
}

static Status store_run(const Option *row, const char *name, void *options) {
    STATUS_TRY(store(row, name, options));
    return look_up(&(GivenOption){.row = row}, options);
}

/* A run that no word names is the one that its row says, if those before it are named. */
static Status set_runs(const Command *command, void *options) {
    const Option *row;
    for (size_t i = 0; (row = run_row(command, i)) != NULL; i++) {
        const bool named = run_is_named(row, options);
        if (!named && row->otherwise == NULL) {
            break;
        }
        const Status status = named ? status_ok() : store_run(row, row->otherwise, options);
        STATUS_TRY(about_command(command, &status));
    }
    return status_ok();
}

static Status check_runs(const Command *command, void *options) {
    const Option *row;
    for (size_t i = 0; (row = run_row(command, i)) != NULL; i++) {
        const Status status = check_run(row, options);
        STATUS_TRY(about_command(command, &status));
    }
    return status_ok();
}

static Status look_up_all(void *options, const OptionsGiven *given) {
    for (size_t i = 0; i < given->count; i++) {
        const Option *row = given->items[i].row;
        const Status status = look_up(&given->items[i], options);
        choose_colour(&given->items[i]);
        if (!status_is_ok(&status)) {
            return row->name != NULL
                       ? status_make(status.code, "--%s: %s", row->name, status.why)
                       : status_make(status.code, "%s: %s", given->command->name, status.why);
        }
    }
    return status_ok();
}

Status options_complete(void *options, const OptionsGiven *given) {
    const Command *command = given->command;
    STATUS_TRY(look_up_all(options, given));
    STATUS_TRY(set_runs(command, options));
    STATUS_TRY(command->check != NULL ? command->check(options, given) : status_ok());
    return check_runs(command, options);
}

Status options_parse(const Command *command, int argc, char **argv, void *options) {
    OptionsGiven given;
    options_start(command, options, &given);
    STATUS_TRY(options_read(argc, argv, options, &given));
    return options_complete(options, &given);
}

void options_release(const Command *command, void *options) {
    const Option *row;
    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        if (is_list(row)) {
            OptionTexts *list = (OptionTexts *)((unsigned char *)options + row->member);
            free(list->texts);
            *list = (OptionTexts){.count = 0};
        }
    }
}

static const GivenOption *find_given(const OptionsGiven *given, const char *name) {
    for (size_t i = given->count; i-- > 0;) {
        const char *known = given->items[i].row->name;
        if (known != NULL && strcmp(known, name) == 0) {
            return &given->items[i];
        }
    }
    return NULL;
}

bool options_was_given(const OptionsGiven *given, const char *name) {
    return find_given(given, name) != NULL;
}

const char *options_first_given(const OptionsGiven *given, const char *const *names) {
    while (*names != NULL && !options_was_given(given, *names)) {
        names++;
    }
    return *names;
}

const char *options_given_value(const OptionsGiven *given, const char *name) {
    const GivenOption *item = find_given(given, name);
    return item != NULL ? item->value : NULL;
}

void options_give_value(OptionsGiven *given, const char *name, const char *value) {
    const Option *row = command_option(given->command, name, strlen(name));
    if (row != NULL && !options_was_given(given, name) && given->count < OPTIONS_GIVEN_MAX) {
        given->items[given->count++] = (GivenOption){row, value};
    }
}

void options_give(OptionsGiven *given, const char *name) {
    options_give_value(given, name, NULL);
}

void options_keep(OptionsGiven *given, bool (*is_kept)(const Option *option)) {
    size_t kept = 0;
    for (size_t i = 0; i < given->count; i++) {
        if (is_kept(given->items[i].row)) {
            given->items[kept++] = given->items[i];
        }
    }
    given->count = kept;
}

/* === Help ===================================================================================== */

enum { TERM_INDENT = 2, TEXT_COLUMN = 32, COMMAND_LINE_SIZE = 512 };

void command_print_lines(FILE *stream, size_t indent, const char *lines) {
    char line[COMMAND_LINE_SIZE];
    while (*lines != '\0') {
        const size_t length = strcspn(lines, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, lines);
        char *rest = strchr(line, ' ');
        if (rest != NULL) {
            *rest++ = '\0';
        }
        text_entry(stream, indent, line, indent + strlen(line) + 1, rest != NULL ? rest : "");
        lines += length + (lines[length] == '\n');
    }
}

static void print_row(FILE *stream, const Option *row, const char *text) {
    char term[LIST_WORD_SIZE];
    snprintf(term, sizeof term, "--%s%s%s", row->name, row->argument != NULL ? " " : "",
             row->argument != NULL ? row->argument : "");
    text_entry(stream, TERM_INDENT, term, TEXT_COLUMN, text);
}

static void print_options(FILE *stream, const Command *command) {
    const char *group = "";
    const Option *row;
    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        const char *heading = row->group != NULL ? row->group : "Options";
        if (row->help == NULL) {
            continue;
        }
        if (strcmp(group, heading) != 0) {
            group = heading;
            fprintf(stream, "\n%s\n", group);
        }
        print_row(stream, row, row->help);
    }
}

void command_print_start(FILE *stream, const Command *command) {
    command_print_lines(stream, 0, command->usage);
    text_entry(stream, 0, "", 0, command->about); /* without a term: a blank line, then the text */
    if (command->examples != NULL) {
        fputs("\nExamples\n", stream);
        command_print_lines(stream, TERM_INDENT, command->examples);
    }
}

void command_print_options(FILE *stream, const Command *command) {
    print_options(stream, command);
    if (command->notes != NULL) {
        text_entry(stream, 0, "", 0, command->notes);
    }
}

/* --- The few of -h ---------------------------------------------------------------------------- */

enum { BRIEF_EXAMPLES = 3 };

static void print_first_lines(FILE *stream, const char *lines, size_t count) {
    char first[COMMAND_LINE_SIZE];
    const char *end = lines;
    while (count-- > 0 && *end != '\0') {
        end += strcspn(end, "\n");
        end += *end == '\n';
    }
    snprintf(first, sizeof first, "%.*s", (int)(end - lines), lines);
    command_print_lines(stream, TERM_INDENT, first);
}

void command_print_brief(FILE *stream, const Command *command) {
    const Option *row;
    command_print_lines(stream, 0, command->usage);
    fputc('\n', stream);
    for (size_t i = 0; (row = command_row(command, i)) != NULL; i++) {
        if (row->brief != NULL) {
            print_row(stream, row, row->brief);
        }
    }
    fputs("\nExamples\n", stream);
    print_first_lines(stream, command->examples, BRIEF_EXAMPLES);
}

/* === Exit codes =============================================================================== */

const ExitCodeRow exit_code_rows[] = {
    {EXIT_OK, "everything that could be measured was measured and was right"},
    {EXIT_REGRESSION, "a comparison of two runs found a regression and no failed cell (4), or a "
                      "claim does not hold"},
    {EXIT_USAGE, "the command line asks for something that does not exist"},
    {EXIT_NO_MATCH,
     "the command line is well formed and selects nothing, or the ends of bisect do not differ"},
    {EXIT_WRONG, "a variant failed or gave a wrong answer"},
    {EXIT_FILE, "an input could not be read or an output could not be written"},
    {EXIT_NO_SAMPLE,
     "nothing could be measured: every cell was skipped, or a limit ended the program"},
    {EXIT_AMBIGUOUS,
     "a comparison was undecided (--strict) and neither 4 nor 1, or bisect cannot name one commit"},
    {EXIT_INTERRUPTED, "interrupted; what was measured is saved"},
};

const size_t exit_code_row_count = sizeof exit_code_rows / sizeof exit_code_rows[0];

int exit_code_of(StatusCode code) {
    switch (code) {
    case STATUS_OK: return EXIT_OK;
    case STATUS_USAGE: return EXIT_USAGE;
    case STATUS_NO_MATCH: return EXIT_NO_MATCH;
    case STATUS_FILE: return EXIT_FILE;
    case STATUS_INTERRUPTED: return EXIT_INTERRUPTED;
    case STATUS_SKIP:
    case STATUS_DEVICE_LOST: return EXIT_NO_SAMPLE;
    case STATUS_FAIL: break;
    }
    return EXIT_WRONG;
}

/* === Commands ================================================================================= */

HelpAsked command_asks_help(int argc, char **argv) {
    HelpAsked asked = HELP_NONE;
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            return HELP_WHOLE;
        }
        asked = strcmp(argv[i], "-h") == 0 ? HELP_BRIEF : asked;
    }
    return asked;
}

int command_start(const Command *command, Invocation *given) {
    const int argc = given->argc > given->first ? given->argc - given->first : 0;
    char **argv = given->argv + given->first;
    void *options = malloc(command->size);
    if (options == NULL) {
        const Status status = status_no_memory("for the options");
        return command_error(&status);
    }
    Status status = options_parse(command, argc, argv, options);
    STATUS_THEN(status, command->run(given, options));
    options_release(command, options);
    free(options);
    return status_is_ok(&status) ? given->code : command_error(&status);
}

static const char message_start[] = "bench: ";

const char *command_message(const char *line) {
    return text_after(line, message_start);
}

int command_error(const Status *status) {
    visible_line(stderr, "%s%s", message_start, status->why);
    return exit_code_of(status->code);
}
