#include <string.h>

#include "axis_catalog.h"
#include "options_table.h"
#include "options_values.h"
#include "suggest.h"
#include "text_list.h"

RunOptions options_default(void) {
    const RunOptions options = {
        .seed = 1,
        .ci_width = 0.01,
        .min_reps = 15,
        .max_time = 10.0,
        .max_cell = 60.0,
        .warmup = 3,
        .interleave = true,
        .roof = true,
        .pairs = 100,
        .plot = true,
        .alpha = 0.01,
        .threshold = 0.05,
    };
    return options;
}

static void *member(RunOptions *options, const Option *option) {
    return (unsigned char *)options + option->member;
}

static Status store_count(const Option *option, const char *value, RunOptions *options) {
    uint64_t number;
    STATUS_TRY(parse_count(value, (uint64_t)option->minimum, OPTION_COUNT_MAX, &number));
    *(int *)member(options, option) = (int)number;
    return status_ok();
}

Status option_store(const Option *option, const char *value, RunOptions *options) {
    switch (option->kind) {
    case OPTION_SET: *(bool *)member(options, option) = true; break;
    case OPTION_CLEAR: *(bool *)member(options, option) = false; break;
    case OPTION_TEXT: *(const char **)member(options, option) = value; break;
    case OPTION_COUNT: return store_count(option, value, options);
    case OPTION_SEED: return parse_count(value, 0, UINT64_MAX, member(options, option));
    case OPTION_DURATION: return parse_duration(value, member(options, option));
    case OPTION_RATIO: return parse_ratio(value, member(options, option));
    case OPTION_HANDLED: return option->handle(value, options);
    case OPTION_ACTION: break;
    }
    return status_ok();
}

/* One argument taken apart: --flag or --flag=value. */
typedef struct Argument {
    char flag[LIST_WORD_SIZE];
    const char *value; /* NULL: none in this argument */
} Argument;

static Status unexpected_argument(OptionScope scope, const char *text) {
    const char *letters = text + strspn(text, "-");
    if (text[0] == '-' && option_find(letters, scope) != NULL) {
        return status_make(STATUS_USAGE, "unknown option '%.40s'; write --%s", text, letters);
    }
    return status_make(STATUS_USAGE,
                       "unexpected argument '%.60s'; options begin with --, and lists have commas "
                       "and no spaces",
                       text);
}

static Status split_argument(OptionScope scope, const char *text, Argument *argument) {
    if (strncmp(text, "--", 2) != 0 || text[2] == '\0' || text[2] == '=') {
        return unexpected_argument(scope, text);
    }
    const size_t length = strcspn(text + 2, "=");
    if (length >= sizeof argument->flag) {
        return status_make(STATUS_USAGE, "unknown option '%.40s…'", text);
    }
    memcpy(argument->flag, text + 2, length);
    argument->flag[length] = '\0';
    argument->value = text[2 + length] == '=' ? text + 2 + length + 1 : NULL;
    return status_ok();
}

static Status unknown_option(OptionScope scope, const AxisCatalog *catalog, const char *flag) {
    Suggestion suggestion = suggest_start(flag);
    for (size_t i = 0; i < option_row_count; i++) {
        if ((option_rows[i].scopes & (unsigned)scope) != 0) {
            suggest_offer(&suggestion, option_rows[i].flag);
        }
    }
    for (size_t i = 0; i < catalog->count; i++) {
        suggest_offer(&suggestion, catalog->axes[i]->name);
    }
    if (suggestion.nearest != NULL) {
        return status_make(STATUS_USAGE, "unknown option '--%s'; did you mean '--%s'?", flag,
                           suggestion.nearest);
    }
    return status_make(STATUS_USAGE, "unknown option '--%s'; --help lists the options", flag);
}

/* The value of an option that needs one: behind its =, or the next argument. */
static Status take_value(const Argument *argument, const char *shape, int argc, char **argv,
                         int *index, const char **value) {
    *value = argument->value;
    if (*value == NULL) {
        /* A value may begin with one dash ("-5", judged later); with two it is the next option. */
        if (*index + 1 >= argc || strncmp(argv[*index + 1], "--", 2) == 0) {
            return status_make(STATUS_USAGE, "--%s needs a value; write --%s %s", argument->flag,
                               argument->flag, shape);
        }
        *value = argv[++*index];
    }
    if ((*value)[0] == '\0') {
        return status_make(STATUS_USAGE, "--%s: the value is empty; write --%s %s", argument->flag,
                           argument->flag, shape);
    }
    return status_ok();
}

static Status store_axis(const Axis *axis, const char *list, RunOptions *options) {
    AxisRequest *request = NULL;
    for (size_t i = 0; i < options->axis_count; i++) {
        if (strcmp(options->axes[i].name, axis->name) == 0) {
            request = &options->axes[i];
        }
    }
    if (request == NULL) {
        if (options->axis_count == OPTIONS_AXES_MAX) {
            return status_make(STATUS_USAGE, "--%s: more than %d axes at once; write fewer",
                               axis->name, OPTIONS_AXES_MAX);
        }
        request = &options->axes[options->axis_count++];
    }
    *request = (AxisRequest){.name = axis->name, .list = list};
    return status_ok();
}

typedef struct Parser {
    OptionScope scope;
    int argc;
    char **argv;
    int index;
    AxisCatalog catalog;
    OptionsGiven given;
    OptionsAction action;
} Parser;

static Status parse_option(Parser *parser, const Option *option, const Argument *argument,
                           RunOptions *options) {
    const char *value = NULL;
    if (option->argument != NULL) {
        STATUS_TRY(take_value(argument, option->argument, parser->argc, parser->argv,
                              &parser->index, &value));
    } else if (argument->value != NULL) {
        return status_make(STATUS_USAGE, "--%s takes no value; write --%s", option->flag,
                           option->flag);
    }
    const Status status = option_store(option, value, options);
    if (!status_is_ok(&status)) {
        return status_make(status.code, "--%s: %s", option->flag, status.why);
    }
    parser->given.row[option - option_rows] = true;
    if (option->kind == OPTION_ACTION) {
        parser->action = option->action;
    }
    return status_ok();
}

static Status parse_argument(Parser *parser, RunOptions *options) {
    Argument argument;
    STATUS_TRY(split_argument(parser->scope, parser->argv[parser->index], &argument));
    const Option *option = option_find(argument.flag, parser->scope);
    if (option != NULL) {
        return parse_option(parser, option, &argument, options);
    }
    const Axis *axis =
        parser->scope == SCOPE_LIST ? NULL : axis_catalog_find(&parser->catalog, argument.flag);
    if (axis == NULL) {
        return unknown_option(parser->scope, &parser->catalog, argument.flag);
    }
    const char *list;
    STATUS_TRY(take_value(&argument, "LIST", parser->argc, parser->argv, &parser->index, &list));
    return store_axis(axis, list, options);
}

/* Help is given whatever else is on the line: who asks for it may well have the rest wrong. */
static bool wants_help(int argc, char **argv) {
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

Status options_parse(OptionScope scope, int argc, char **argv, RunOptions *options,
                     OptionsAction *action) {
    *options = options_default();
    if (wants_help(argc, argv)) {
        *action = OPTIONS_HELP;
        return status_ok();
    }
    Parser parser = {.scope = scope,
                     .argc = argc,
                     .argv = argv,
                     .catalog = axis_catalog(),
                     .action = OPTIONS_GO};
    for (; parser.index < argc; parser.index++) {
        STATUS_TRY(parse_argument(&parser, options));
    }
    *action = parser.action;
    if (parser.action != OPTIONS_GO) {
        return status_ok();
    }
    return options_check(scope, &parser.given, options);
}
