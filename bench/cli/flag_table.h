/* Options of a command that has a table of its own, apart from those of `bench run`. */
#ifndef BENCH_FLAG_TABLE_H
#define BENCH_FLAG_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "status.h"

typedef struct FlagRow {
    const char *flag, *argument, *help; /* argument NULL: takes no value */
    /* `value` is NULL when the flag takes none. STATUS_USAGE without the flag's name, which is put
     * before it. */
    Status (*set)(const char *value, void *options);
} FlagRow;

typedef struct FlagTable {
    const char *command; /* for messages */
    const FlagRow *rows;
    size_t count;
    /* An argument that is no flag. STATUS_USAGE when there is one too many. */
    Status (*word)(const char *word, void *options);
} FlagTable;

/* Takes "--flag value", "--flag=value" and words. Texts that are kept point into `argv`.
 * STATUS_USAGE is one sentence that says what would be right. */
Status flags_parse(const FlagTable *table, int argc, char **argv, void *options);

/* "Options", and each flag with its help. */
void flags_print_help(FILE *stream, const FlagTable *table);

#endif
