/* What files of this room and tests share. */

#ifndef BENCH_CLI_CLI_INTERNAL_H
#define BENCH_CLI_CLI_INTERNAL_H

#include <stddef.h>
#include <stdio.h>

#include "base.h"
#include "cli.h"
#include "results.h"
#include "status.h"
#include "study.h"

/* --- Options parse ---------------------------------------------------------------------------- */

/* The command line's options: from arguments to RunOptions. */

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

/* --- Set sizes -------------------------------------------------------------------------------- */

/* Sizes of sets of pictures: how many, and how large each is. */

/* What a synthetic set has when nothing is given. */
enum { SET_SIDE_DEFAULT = 28 };

extern const char set_images_default[]; /* "1000" */

/*
 * Every number of `images` at every size of `sides`, the sides varying fastest. `images` is a comma
 * list of numbers from 1 on and `all` (SizeSpec.images 0); `sides` is one of SIDE or WxH, or NULL:
 * the input's own (width and height 0). Names are "1000" and "1000x16x16", with sides only where
 * they were given. Repeated sizes are dropped. STATUS_USAGE names the option and says what would be
 * right.
 */
Status set_sizes_parse(const char *images, const char *sides, SizeSpec sizes[OPTIONS_SIZES_MAX],
                       size_t *count);

/* --- List text -------------------------------------------------------------------------------- */

/* What there is to choose from, as text for people. */

/* The selected algorithms (all when none is) with axes, variants and why one is not available;
 * devices, sizes and synthetic kinds of pictures and of sets. At most 100 columns. */
void list_print(FILE *stream, const RunOptions *options);

/* --- Commands --------------------------------------------------------------------------------- */

/* Commands: `bench NAME …`. Adding one is a row in commands.c and a function. */

extern const Command commands[];
extern const size_t command_count;

int command_run(const Invocation *given);
int command_list(const Invocation *given);
int command_roof(const Invocation *given);
int command_plot(const Invocation *given);
int command_compare(const Invocation *given);
int command_study(const Invocation *given);
int command_report(const Invocation *given);
int command_selftest(const Invocation *given);
int command_help(const Invocation *given);

void command_run_help(FILE *stream);
void command_list_help(FILE *stream);
void command_roof_help(FILE *stream);
void command_plot_help(FILE *stream);
void command_compare_help(FILE *stream);
void command_study_help(FILE *stream);
void command_report_help(FILE *stream);
void command_selftest_help(FILE *stream);
void command_help_help(FILE *stream);

/* --- Study summary ---------------------------------------------------------------------------- */

/* What a study measured, for the terminal. */

/* A line a table: how many of its numbers were measured and published, and why some were not. */
void study_summary_print(FILE *stream, const StudyResult *result);

/* The exit code that the steps amount to: EXIT_INTERRUPTED before EXIT_WRONG before any other.
 * Steps that had nothing to measure, as where there is no device, are none of them. */
int study_exit_code(const StudyResult *result);

#endif
