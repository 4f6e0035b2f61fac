#include "flag_table.h"

#include <stdbool.h>
#include <string.h>

#include "suggest.h"
#include "text_list.h"
#include "text_wrap.h"

enum { TERM_INDENT = 2, TEXT_COLUMN = 32 };

void flags_print_help(FILE *stream, const FlagTable *table) {
    fputs("\nOptions\n", stream);
    for (size_t i = 0; i < table->count; i++) {
        const FlagRow *row = &table->rows[i];
        char term[LIST_WORD_SIZE];
        snprintf(term, sizeof term, "--%s%s%s", row->flag, row->argument != NULL ? " " : "",
                 row->argument != NULL ? row->argument : "");
        text_entry(stream, TERM_INDENT, term, TEXT_COLUMN, row->help);
    }
}

static Status unknown(const FlagTable *table, const char *argument) {
    char name[LIST_WORD_SIZE];
    const char *letters = argument + strspn(argument, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(letters, "="), letters);
    Suggestion suggestion = suggest_start(name);
    for (size_t i = 0; i < table->count; i++) {
        suggest_offer(&suggestion, table->rows[i].flag);
    }
    if (suggestion.nearest != NULL) {
        return status_make(STATUS_USAGE, "%s: unknown option '%.60s'; did you mean '--%s'?",
                           table->command, argument, suggestion.nearest);
    }
    return status_make(STATUS_USAGE, "%s: unknown option '%.60s'; --help lists the options",
                       table->command, argument);
}

static const FlagRow *find(const FlagTable *table, const char *name, size_t length) {
    for (size_t i = 0; i < table->count; i++) {
        const FlagRow *row = &table->rows[i];
        if (strlen(row->flag) == length && strncmp(row->flag, name, length) == 0) {
            return row;
        }
    }
    return NULL;
}

/* `*index` is at an argument that begins with a dash; it is left at the last one that was used. */
static Status parse_flag(const FlagTable *table, int argc, char **argv, int *index, void *options) {
    const char *argument = argv[*index];
    const size_t length = strcspn(argument, "=");
    const bool dashed = strncmp(argument, "--", 2) == 0;
    const FlagRow *row = dashed ? find(table, argument + 2, length - 2) : NULL;
    if (row == NULL) {
        return unknown(table, argument);
    }
    const char *value = argument[length] == '=' ? argument + length + 1 : NULL;
    if (row->argument == NULL && value != NULL) {
        return status_make(STATUS_USAGE, "--%s takes no value; write --%s", row->flag, row->flag);
    }
    if (row->argument != NULL && value == NULL && *index + 1 < argc &&
        strncmp(argv[*index + 1], "--", 2) != 0) {
        value = argv[++*index];
    }
    if (row->argument != NULL && (value == NULL || value[0] == '\0')) {
        return status_make(STATUS_USAGE, "--%s needs a value; write --%s %s", row->flag, row->flag,
                           row->argument);
    }
    const Status status = row->set(value, options);
    return status_is_ok(&status) ? status
                                 : status_make(status.code, "--%s: %s", row->flag, status.why);
}

Status flags_parse(const FlagTable *table, int argc, char **argv, void *options) {
    for (int i = 0; i < argc; i++) {
        const bool flag = argv[i][0] == '-' && argv[i][1] != '\0';
        STATUS_TRY(flag ? parse_flag(table, argc, argv, &i, options)
                        : table->word(argv[i], options));
    }
    return status_ok();
}
