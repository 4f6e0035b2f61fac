/* The commands, and what help says of them. */

#ifndef BENCH_BASE_COMMANDS_H
#define BENCH_BASE_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "status.h"

typedef struct ArgumentList ArgumentList; /* arguments.h */
typedef struct Option Option;             /* options.h */

/* The whole command line, where the command's own arguments begin, and how the command ends. */
typedef struct Invocation {
    int argc;
    char **argv;
    int first;
    int code; /* exit code of a command that ends well; starts as EXIT_OK */
} Invocation;

/* So many are read at most; the rest is room for those of options_give. */
enum { OPTIONS_READ_MAX = 112, OPTIONS_GIVEN_MAX = 128 };

typedef struct Command Command;

/* An option or word that was given; the value as it was written, NULL: it has none. */
typedef struct GivenOption {
    const Option *row;
    const char *value;
} GivenOption;

/* What was given, in the order of its first mention. With the struct of options it is a request:
 * data that can be changed and written as arguments. */
typedef struct OptionsGiven {
    const Command *command; /* NULL: nobody has filled it */
    size_t count;
    GivenOption items[OPTIONS_GIVEN_MAX]; /* each row once, unless option_is_as_given */
} OptionsGiven;

/* `bench NAME …`: its options, its help and what it does. */
struct Command {
    const char *name, *summary; /* the summary is one line of `bench help` */
    const char *family;         /* `bench FAMILY NAME`, in the help of that command; NULL: in
                                   `bench help`. `bench NAME` finds it too, as earlier versions did */
    const char *usage;          /* "bench NAME …", a line for each form */
    const char *about;          /* one paragraph; wrapped where it is printed */
    const char *examples;       /* command lines, each ending in a line end; NULL: none */
    const char *notes;          /* one paragraph at the end; NULL: nothing */
    const char *words; /* its arguments that are no options, for the message when there is one
                          too many; NULL: none are allowed */
    const Option *rows;
    const Option *(*more_rows)(void); /* rows that are known at run time only; NULL: none */
    unsigned scope;                   /* its bit in Option.scope */
    size_t size;                      /* of the struct that rows are about */
    const void *defaults;             /* of such a struct; NULL: zeros */
    /* Checks options against each other and sets defaults that depend on others; may be NULL. */
    Status (*check)(void *options, const OptionsGiven *given);
    Status (*run)(Invocation *given,
                  void *options); /* NULL: a family without a command of its own */
    /* What a word that it does not take was meant to be; STATUS_OK: nothing known. May be NULL. */
    Status (*meant)(const Command *command, const char *word, int argc, char **argv);
    bool brief;     /* -h shows the rows with a brief text alone */
    bool measures;  /* calls variants, and needs pinned threads */
    bool verifies;  /* calls variants, and measures nothing */
    bool delegates; /* the programs that it starts measure */
};

/* Commands under one heading of the help, those of a family behind the others. */
typedef struct CommandGroup {
    const char *title;
    size_t count;
    const Command *const *commands;
} CommandGroup;

/*
 * Reads "--option value", "--option=value" and words into `options`, which begins as the defaults;
 * of a repeated option the last value counts. Texts point into `argv`. STATUS_USAGE is one sentence
 * with the option and what would be right. Release with options_release, whatever was returned.
 */
Status options_parse(const Command *command, int argc, char **argv, void *options);

/*
 * The same in steps. options_start sets the defaults. options_read reads arguments on top of what
 * was read before, and touches nothing else. options_complete finds stored runs by their names,
 * checks options against each other and sets defaults that depend on others. Between them the
 * request can be changed: set the member, and name its option with options_give. `given` may be a
 * member of `options`.
 */
void options_start(const Command *command, void *options, OptionsGiven *given);
Status options_read(int argc, char **argv, void *options, OptionsGiven *given);
Status options_complete(void *options, const OptionsGiven *given);

/* Says that an option counts now, whose member was set. */
void options_give(OptionsGiven *given, const char *name);
/* The same of one that is written as it was given: option_is_as_given. */
void options_give_value(OptionsGiven *given, const char *name, const char *value);

/* Forgets that any others were given. */
void options_keep(OptionsGiven *given, bool (*is_kept)(const Option *option));

/*
 * The inverse of options_read: appends what was given, with the values that `options` has now, in
 * the order of `given`. Reading it gives the same request, and defaults are not written.
 * STATUS_SKIP without memory.
 */
Status options_print(const void *options, const OptionsGiven *given, ArgumentList *list);

/* The words of one row of it: "--reps" and "5"; none where the row was not given. */
Status option_print(const Option *row, const void *options, const OptionsGiven *given,
                    ArgumentList *list);

/* Whether the option is written as it was given, each time that it was. */
bool option_is_as_given(const Option *row);

/* The command's row number `index`; NULL behind the last. */
const Option *command_row(const Command *command, size_t index);

/* The option whose name are these `length` letters; NULL when there is none. */
const Option *command_option(const Command *command, const char *name, size_t length);

/*
 * How many of the arguments from argv[index] on belong together: an option and its value are two,
 * unless it has an = or lacks the value. `*option` is the row; NULL: a word, or no option of the
 * command. Reads as options_parse does.
 */
int command_argument(const Command *command, int argc, char *const *argv, int index,
                     const Option **option);

/* The row of argument number `number` among those that are no options; of OPTION_TEXTS and
 * OPTION_RUNS all from its own on. NULL when the command takes fewer. */
const Option *command_word(const Command *command, size_t number);

/* Frees the lists of OPTION_TEXTS. */
void options_release(const Command *command, void *options);

bool options_was_given(const OptionsGiven *given, const char *name);

/* The first of these names that was given; NULL: none was. NULL behind the last name. */
const char *options_first_given(const OptionsGiven *given, const char *const *names);

/* The value as it was written last; NULL: the option has none, or was not given. */
const char *options_given_value(const OptionsGiven *given, const char *name);

/* Command lines, each ending in a line end. Of one that does not fit the rest stands below, behind
 * its first word. */
void command_print_lines(FILE *stream, size_t indent, const char *lines);

/* Its usage, what it does and its examples; then its options and notes: `bench help NAME`, at most
 * 100 columns wide. */
void command_print_start(FILE *stream, const Command *command);
void command_print_options(FILE *stream, const Command *command);

/* `bench NAME -h` of a command with Command.brief: the rows that have a brief text, in a line each,
 * and three examples. */
void command_print_brief(FILE *stream, const Command *command);

typedef enum HelpAsked { HELP_NONE, HELP_BRIEF, HELP_WHOLE } HelpAsked;

/* Whether -h or --help is among the arguments, which counts whatever else is there. */
HelpAsked command_asks_help(int argc, char **argv);

/* Parses the arguments and runs the command. Returns the exit code; an error has had its line. */
int command_start(const Command *command, Invocation *given);

/* What a line of another process of ours says, behind the "bench: " of command_error; NULL: it has
 * no such beginning. */
const char *command_message(const char *line);

/* One line on standard error, "bench: " and the reason, with control characters made visible.
 * Returns the exit code that the status stands for. */
int command_error(const Status *status);

/* A whole number in a text of decimal digits alone. STATUS_USAGE with what would be right. */
Status parse_count(const char *text, uint64_t minimum, uint64_t maximum, uint64_t *number);

#endif
