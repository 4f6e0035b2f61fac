/* The command line's options: from arguments to RunOptions. */
#ifndef BENCH_OPTIONS_PARSE_H
#define BENCH_OPTIONS_PARSE_H

#include <stdio.h>

#include "options.h"

/* Commands that take options; each option says in which it is understood. */
typedef enum OptionScope {
    SCOPE_RUN = 1,
    SCOPE_LIST = 2,
    SCOPE_ROOF = 4,
    SCOPE_SELFTEST = 8
} OptionScope;

/* What the arguments ask for besides values: --help and --list end a command early. */
typedef enum OptionsAction { OPTIONS_GO, OPTIONS_HELP, OPTIONS_LIST } OptionsAction;

/* Options as they are when nothing is given. */
RunOptions options_default(void);

/*
 * Parses and checks the arguments after the command's name. Texts in `options` point into `argv`
 * and the registry: both must outlive it. Where an option is repeated, the last one counts.
 * STATUS_USAGE is one sentence that names the option and says what would be right; STATUS_NO_MATCH
 * when the names are right and select nothing together.
 */
Status options_parse(OptionScope scope, int argc, char **argv, RunOptions *options,
                     OptionsAction *action);

/* The options of a command, grouped, with their arguments and meaning; at most 100 columns. */
void options_print_help(FILE *stream, OptionScope scope);

#endif
