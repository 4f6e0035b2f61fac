/* The inverse of the parser of options: a request as a list of arguments. */

#include "arguments.h"
#include "options.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "list.h"
#include "text.h"

/* === Lists of arguments ======================================================================= */

bool argument_list_has(const ArgumentList *list, const char *option) {
    const size_t length = strlen(option);
    bool has = false;
    for (int i = 0; i < list->argc && !has; i++) {
        const char *argument = list->argv[i];
        has = strncmp(argument, option, length) == 0 &&
              (argument[length] == '\0' || argument[length] == '=');
    }
    return has;
}

Status argument_list_add(ArgumentList *list, const char *argument) {
    STATUS_TRY(list_room(NULL, &list->argv, (size_t)list->argc + 2, &list->capacity,
                         sizeof *list->argv, "arguments of a run"));
    char *copy = strdup(argument);
    STATUS_MEMORY(copy, "for the arguments of a run");
    list->argv[list->argc++] = copy;
    list->argv[list->argc] = NULL;
    return status_ok();
}

Status argument_list_add_all(ArgumentList *list, const char *const *arguments) {
    for (; *arguments != NULL; arguments++) {
        STATUS_TRY(argument_list_add(list, *arguments));
    }
    return status_ok();
}

void argument_list_release(ArgumentList *list) {
    for (int i = 0; i < list->argc; i++) {
        free(list->argv[i]);
    }
    free(list->argv);
    *list = (ArgumentList){.argc = 0};
}

/* === Values =================================================================================== */

/* A double has at most so many decimals. */
enum { DECIMALS_MAX = 1074, DECIMAL_SIZE = DECIMALS_MAX + 400 };

/* The shortest decimal number that is read as this one. */
static void print_number(double number, const char *unit, FILE *stream) {
    char text[DECIMAL_SIZE];
    int decimals = 0;
    do {
        snprintf(text, sizeof text, "%.*f", decimals, number);
    } while (strtod(text, NULL) != number && decimals++ < DECIMALS_MAX);
    fprintf(stream, "%s%s", text, unit);
}

void duration_print(double seconds, FILE *stream) {
    print_number(seconds, "s", stream);
}

static void print_words(const Option *row, unsigned bits, FILE *stream) {
    const char *comma = "";
    for (size_t i = 0; row->words[i] != NULL; i++) {
        if ((bits >> i & 1) != 0) {
            fprintf(stream, "%s%s", comma, row->words[i]);
            comma = ",";
        }
    }
}

static void print_choice(const Option *row, int choice, FILE *stream) {
    fputs(choice > 0 ? row->words[choice - 1] : "", stream);
}

/* Reverses the parser's `store`, of kinds with one value. Nothing where there is no value. */
static void print_value(const Option *row, const void *options, FILE *stream) {
    const void *member = (const unsigned char *)options + row->member;
    switch (row->kind) {
    case OPTION_SET:
    case OPTION_CLEAR:
    case OPTION_TEXTS:
    case OPTION_RUNS:
    case OPTION_REST: break;
    case OPTION_TEXT:
    case OPTION_RUN:
    case OPTION_INPUT:
    case OPTION_INPUT_LIST:
    case OPTION_OUTPUT:
    case OPTION_FOLDER:
    case OPTION_WORD: {
        const char *text = *(const char *const *)member;
        fputs(text != NULL ? text : "", stream);
        break;
    }
    case OPTION_INT: fprintf(stream, "%" PRId32, *(const int32_t *)member); break;
    case OPTION_WHOLE: fprintf(stream, "%" PRIu64, *(const uint64_t *)member); break;
    case OPTION_REAL:
    case OPTION_RATIO:
    case OPTION_SHARE: print_number(*(const double *)member, "", stream); break;
    case OPTION_DURATION:
    case OPTION_PAUSE: duration_print(*(const double *)member, stream); break;
    case OPTION_CHOICE: print_choice(row, *(const int *)member, stream); break;
    case OPTION_WORDS: print_words(row, *(const unsigned *)member, stream); break;
    case OPTION_HANDLED: row->print(row, options, stream); break;
    }
}

/* === Arguments ================================================================================ */

static Status add_name(const Option *row, ArgumentList *list) {
    char name[LIST_WORD_SIZE];
    snprintf(name, sizeof name, "--%s", row->name);
    return argument_list_add(list, name);
}

/* "--name=--value": apart it would be taken for an option. */
static Status add_joined(const Option *row, const char *value, ArgumentList *list) {
    const size_t size = strlen(row->name) + strlen(value) + sizeof "--=";
    char *text = malloc(size);
    STATUS_MEMORY(text, "for the arguments of a run");
    snprintf(text, size, "--%s=%s", row->name, value);
    const Status status = argument_list_add(list, text);
    free(text);
    return status;
}

static Status add_valued(const Option *row, const char *value, ArgumentList *list) {
    if (row->name != NULL && strncmp(value, "--", 2) == 0) {
        return add_joined(row, value, list);
    }
    STATUS_TRY(row->name != NULL ? add_name(row, list) : status_ok());
    return argument_list_add(list, value);
}

static Status add_texts(const Option *row, const OptionTexts *texts, ArgumentList *list) {
    STATUS_TRY(row->kind == OPTION_REST && texts->count > 0 ? argument_list_add(list, "--")
                                                            : status_ok());
    for (size_t i = 0; i < texts->count; i++) {
        STATUS_TRY(row->kind == OPTION_REST ? argument_list_add(list, texts->texts[i])
                                            : add_valued(row, texts->texts[i], list));
    }
    return status_ok();
}

static Status add_printed(const Option *row, const void *options, ArgumentList *list) {
    char *value = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&value, &size);
    if (stream != NULL) {
        print_value(row, options, stream);
    }
    Status status = stream != NULL && fclose(stream) == 0
                        ? status_ok()
                        : status_no_memory("for the arguments of a run");
    if (status_is_ok(&status) && size > 0) {
        status = add_valued(row, value, list);
    }
    free(value);
    return status;
}

static Status add_given(const GivenOption *given, const void *options, ArgumentList *list) {
    const Option *row = given->row;
    const void *member = (const unsigned char *)options + row->member;
    switch (row->kind) {
    case OPTION_SET: return *(const bool *)member ? add_name(row, list) : status_ok();
    case OPTION_CLEAR: return *(const bool *)member ? status_ok() : add_name(row, list);
    case OPTION_TEXTS:
    case OPTION_RUNS:
    case OPTION_REST: return add_texts(row, member, list);
    default: break;
    }
    if (!option_is_as_given(row)) {
        return add_printed(row, options, list);
    }
    return given->value != NULL ? add_valued(row, given->value, list) : add_name(row, list);
}

Status option_print(const Option *row, const void *options, const OptionsGiven *given,
                    ArgumentList *list) {
    for (size_t i = 0; i < given->count; i++) {
        if (given->items[i].row == row) {
            STATUS_TRY(add_given(&given->items[i], options, list));
        }
    }
    return status_ok();
}

/* What stands behind "--" ends the options. */
Status options_print(const void *options, const OptionsGiven *given, ArgumentList *list) {
    for (int last = 0; last < 2; last++) {
        for (size_t i = 0; i < given->count; i++) {
            if ((given->items[i].row->kind == OPTION_REST) == (last == 1)) {
                STATUS_TRY(add_given(&given->items[i], options, list));
            }
        }
    }
    return status_ok();
}
