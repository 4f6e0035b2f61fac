/* The command line. */

#ifndef BENCH_CLI_CLI_H
#define BENCH_CLI_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "commands.h"
#include "status.h"

/* --- Commands --------------------------------------------------------------------------------- */

/* Adds groups of commands, which the caller keeps; before anything else here is called. */
void command_groups_add(const CommandGroup *groups, size_t count);

/* By its own name, whatever its family; NULL when there is no such command. */
const Command *command_find(const char *name);

/* The command that the first word names, or the first two: "match" and "app match" are the same.
 * `*used` is how many they are. Words that begin with an option are those of `run`. NULL when there
 * is no such command. */
const Command *command_named(int count, const char *const *words, int *used);

/* What is wrong with words that name no command: what they were meant to be, as "lbp" and
 * "photo.jpg" are arguments of a run, or "'NAME' is no command; did you mean …?" */
Status command_not_found(int argc, char **argv);

/* Prints `bench help NAME`, or what is used most. */
void command_explain(FILE *stream, const Command *command, bool brief);

/* STATUS_USAGE if the word behind a family, which may be a command itself, is a misspelt one of its
 * commands, or must be one. NULL: there is no word. */
Status command_check_member(const Command *command, const char *word);

/*
 * The words of a command line that name a file with an algorithm (bench.h): `bench run blur.cu` and
 * `bench blur.cu` become `bench run --plugin MODULE --algo blur`; a --algo that is given stays, and
 * a command without one has the module alone. The files are compiled. `*argv` is then a list
 * that stays as long as the process. Errors as source_file_compile.
 */
Status source_words_take(int *argc, char ***argv);

/* Whether `bench run` has an option of this name besides those for axes. */
bool command_is_option(const char *name);

/* "'NAME' is no command; did you mean …? (known: run, list …)" */
Status command_unknown(const char *name);

/* `bench` alone: what to type first and the commands in groups, in at most 80 columns. */
void command_start_here(FILE *stream);

/* `bench --help` and `bench --version`. */
void commands_print(FILE *stream);
void command_version(FILE *stream);

/* --- Process ---------------------------------------------------------------------------------- */

/* Opens descriptors 0 to 2 if they are closed, so that no result file becomes standard output;
 * makes a write to a closed pipe fail instead of ending the process; sends warnings about images to
 * standard error. A library that ends the process before process_end ends it with EXIT_NO_SAMPLE,
 * after what was measured is written. */
void process_prepare(void);
void process_end(void);

/* Checks OpenMP's settings in the environment: STATUS_USAGE for OMP_NUM_THREADS, and as
 * thread_team_prepare. */
Status process_check_threads(void);

/*
 * Gives OpenMP threads fixed places, unless the environment sets them (OMP_PROC_BIND,
 * OMP_PLACES, GOMP_CPU_AFFINITY or KMP_AFFINITY). The OpenMP runtime reads its settings when it is
 * loaded, so the program is started once more with them set; does not return then. Leaves the
 * environment as it was when that is not possible: unpinned threads measure worse, not wrongly.
 */
void process_pin_threads(char **argv);

/* Whether the command measures by launches, each a process of its own, as far as its options tell
 * without those of modules. */
bool process_launches(const Command *command, int argc, char **argv);

/* Whether the command is carried out by a child of this process: one that calls variants, and any
 * where modules are loaded. Not where BENCH_SUPERVISE is "no", as profilers and debuggers want it
 * that follow one process; of those that are noticed it is assumed. NULL: no command. */
bool process_is_supervised(const Command *command, bool modules);

/* Flushes standard output. STATUS_FILE when it could not be written; a reader that closed the pipe
 * is no error. */
Status process_finish_output(void);

#endif
