/* Options of a command: its invocation, its table of flags, values. */

#include "base_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

/* === Invocation =============================================================================== */

int command_error(const Status *status) {
    visible_line(stderr, "bench: %s", status->why);
    return exit_code_of(status->code);
}

/* === Flag table =============================================================================== */

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

/* === Options values =========================================================================== */

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

/* A plain decimal number and where it ends. strtod alone would also take "nan", "inf", exponents,
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

Status parse_duration(const char *text, double *seconds) {
    double number;
    const char *word;
    if (parse_decimal(text, &number, &word)) {
        const TimeUnit *unit = time_unit_find(word[0] != '\0' ? word : "s", TIME_US, TIME_MIN);
        const double value = unit != NULL ? number * unit->seconds : 0;
        if (value > 0.0 && value <= seconds_max) {
            *seconds = value;
            return status_ok();
        }
    }
    return status_make(STATUS_USAGE,
                       "'%.40s' is not a time above 0 and up to %.0f s; write 10, 10s, 500ms or "
                       "2min",
                       text, seconds_max);
}

/* A number above 0, as 1% or 0.01. */
static bool parse_part(const char *text, double *part) {
    double number;
    const char *unit;
    if (!parse_decimal(text, &number, &unit)) {
        return false;
    }
    const bool percent = strcmp(unit, "%") == 0;
    *part = percent ? number / 100.0 : number;
    return (percent || unit[0] == '\0') && *part > 0.0;
}

Status parse_share(const char *text, double *share) {
    double value;
    if (parse_part(text, &value) && value <= 1.0) {
        *share = value;
        return status_ok();
    }
    return status_make(STATUS_USAGE,
                       "'%.40s' is not a share above 0 and up to 1; write 10%% or 0.1", text);
}

Status parse_ratio(const char *text, double *ratio) {
    double value;
    if (parse_part(text, &value) && value < 1.0) {
        *ratio = value;
        return status_ok();
    }
    return status_make(STATUS_USAGE, "'%.40s' is not a ratio between 0 and 1; write 1%% or 0.01",
                       text);
}
