/* Words of a command line that name a file with an algorithm, which becomes a module. */

#include "arguments.h"
#include "cli.h"
#include "options.h"
#include "run_options.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "interrupt.h"
#include "paths.h"
#include "source_file.h"
#include "text.h"

enum { NAMES_SIZE = 1024 };

/* A command line while its words are looked at, and what it becomes. */
typedef struct Words {
    const Command *command;
    int argc, first; /* of the command's own arguments */
    char **argv;
    bool chooses; /* an algorithm, which the command takes and is not given by --algo */
    ArgumentList line;
    char names[NAMES_SIZE]; /* of the files' algorithms */
} Words;

static bool is_source(const Words *words, int index) {
    const Option *option = NULL;
    const char *word = words->argv[index];
    const int count = command_argument(words->command, words->argc, words->argv, index, &option);
    return option == NULL && count == 1 && word[0] != '-' && source_file_is_named(word) &&
           !run_is_in(word); /* a run may have the name of what it is of */
}

static int argument_size(const Words *words, int index) {
    const Option *option = NULL;
    return command_argument(words->command, words->argc, words->argv, index, &option);
}

/* Where the next file is, from an argument on; the end of the line where there is none. What stands
 * behind "--" is another program's. */
static int next_source(const Words *words, int index) {
    while (index < words->argc && !is_source(words, index)) {
        index = strcmp(words->argv[index], "--") == 0 ? words->argc
                                                      : index + argument_size(words, index);
    }
    return index < words->argc ? index : words->argc;
}

static Status take_file(Words *words, const char *path) {
    SourceModule module;
    interrupt_watch(); /* an interrupt ends the compiler with all that it has started */
    STATUS_TRY(source_file_compile(path, &module));
    text_append(words->names, sizeof words->names, "%s%s", words->names[0] == '\0' ? "" : ",",
                module.name);
    const char *const plugin[] = {"--plugin", module.path, NULL};
    return argument_list_add_all(&words->line, plugin);
}

static Status add_others(Words *words, int from, int to) {
    for (int i = from; i < to; i++) {
        STATUS_TRY(argument_list_add(&words->line, words->argv[i]));
    }
    return status_ok();
}

static Status take_files(Words *words) {
    int from = words->first;
    for (int at; (at = next_source(words, from)) < words->argc; from = at + 1) {
        STATUS_TRY(add_others(words, from, at));
        STATUS_TRY(take_file(words, words->argv[at]));
    }
    const char *const chosen[] = {"--algo", words->names, NULL};
    STATUS_TRY(words->chooses ? argument_list_add_all(&words->line, chosen) : status_ok());
    return add_others(words, from, words->argc);
}

/* `bench blur.cu` is `bench run blur.cu`. */
static void find_command(Words *words) {
    const char *word = words->argv[1];
    int used = 0;
    words->command = command_named(words->argc - 1, (const char *const *)words->argv + 1, &used);
    if (words->command == NULL && source_file_is_named(word)) {
        words->command = &command_run;
    }
    words->first = 1 + used;
}

Status source_words_take(int *argc, char ***argv) {
    Words words = {.argc = *argc, .argv = *argv};
    const ArgumentList given = {.argc = *argc, .argv = *argv};
    find_command(&words);
    if (words.command == NULL || next_source(&words, words.first) == words.argc ||
        command_asks_help(*argc, *argv) != HELP_NONE) {
        return status_ok();
    }
    words.chooses = command_option(words.command, "algo", strlen("algo")) != NULL &&
                    !argument_list_has(&given, "--algo");
    Status status = add_others(&words, 0, words.first);
    if (status_is_ok(&status) && words.first == 1 && words.argv[1][0] != '-') {
        status = argument_list_add(&words.line, command_run.name);
    }
    STATUS_THEN(status, take_files(&words));
    if (!status_is_ok(&status)) {
        argument_list_release(&words.line);
        return status;
    }
    static ArgumentList taken; /* until the program ends */
    taken = words.line;
    *argc = taken.argc;
    *argv = taken.argv;
    return status;
}
