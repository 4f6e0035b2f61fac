/* The program: finds the command, runs it, and returns its exit code. */
#include <string.h>

#include "apps.h"
#include "cli.h"
#include "exit_code.h"
#include "interrupt.h"
#include "modules.h"
#include "paths.h"
#include "python.h"
#include "resources.h"
#include "status.h"
#include "stops.h"
#include "supervisor.h"
#include "wall_time.h"
#include "zygote.h"

/* The program once more, as a child of this one, which loads no module and calls no variant itself.
 */
static int supervise(char **argv) {
    const ChildProcess child = {
        .program = program_again(), .arguments = (const char *const *)argv, .saves = true};
    ChildEnd end;
    interrupt_watch();
    interrupt_guard(command_error);
    interrupt_be_silent();
    Status status = supervised_run(&child, &end);
    if (end.error != 0) {
        status = status_fail("the program cannot be started anew: %s", strerror(end.error));
    } else if (end.signal != 0 && interrupt_requested()) {
        /* It did not listen yet, as while modules are loaded. */
        status = status_make(STATUS_INTERRUPTED, "interrupted");
        return command_error(&status);
    } else if (end.signal != 0) {
        char text[END_TEXT_SIZE];
        child_end_text(&end, text);
        status = status_fail("the program ended %s", text);
        command_error(&status);
        return end.code;
    }
    return status_is_ok(&status) || status.code == STATUS_INTERRUPTED ? end.code
                                                                      : command_error(&status);
}

/* NULL: what was typed names no command, though the modules are loaded, whose algorithms it may
 * name. */
static int start(const Command *command, HelpAsked helps, Invocation *given) {
    const char *word = given->argv[given->first];
    const Status status =
        command != NULL ? command_check_member(command, word)
                        : command_not_found(given->argc - given->first, given->argv + given->first);
    if (!status_is_ok(&status)) {
        return command_error(&status);
    }
    if (helps == HELP_NONE && command->run != NULL) {
        return command_start(command, given);
    }
    command_explain(stdout, command, helps == HELP_BRIEF);
    return EXIT_OK;
}

static const Command *find_command(int argc, char **argv, int *words) {
    return command_named(argc - 1, (const char *const *)argv + 1, words);
}

static int dispatch(int argc, char **argv) {
    if (argc <= 1) {
        command_start_here(stdout);
        return EXIT_OK;
    }
    const Status compiled = source_words_take(&argc, &argv);
    if (!status_is_ok(&compiled)) {
        return command_error(&compiled);
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        commands_print(stdout);
        return EXIT_OK;
    }
    if (strcmp(word, "--version") == 0) {
        command_version(stdout);
        return EXIT_OK;
    }
    int words = 0;
    const Command *command = find_command(argc, argv, &words);
    const HelpAsked helps = command_asks_help(argc, argv);
    const bool works = command != NULL && helps == HELP_NONE;
    if (!supervisor_is_there() && !zygote_is_this() &&
        process_is_supervised(works ? command : NULL, modules_are_named(argc, argv))) {
        return supervise(argv);
    }
    if (works && (command->measures || command->delegates)) {
        const Status checked = process_check_threads();
        if (!status_is_ok(&checked)) {
            return command_error(&checked);
        }
    }
    if (works && command->measures) {
        process_pin_threads(argv);
    }
    supervisor_attach();
    zygote_attach();
    if (works && !zygote_is_this() && process_launches(command, argc, argv)) {
        zygote_want(argv);
    }
    const Status loaded = modules_start(argc, argv, command_is_option);
    if (!status_is_ok(&loaded)) {
        return zygote_is_this() ? EXIT_FILE : command_error(&loaded);
    }
    if (zygote_is_this()) {
        zygote_serve(python_file_answer, &argc, &argv);
        command = find_command(argc, argv, &words); /* that of the launch */
        supervisor_attach();
    }
    stops_watch();
    interrupt_watch();
    interrupt_guard(command_error);
    Invocation given = {.argc = argc, .argv = argv, .first = 1 + words, .code = EXIT_OK};
    return start(command, helps, &given);
}

/* Whether the command did its work, so that a failure to write its output is the only error to
 * report. With any other code an error was reported already. */
static bool did_its_work(int code) {
    return code == EXIT_OK || code == EXIT_REGRESSION || code == EXIT_AMBIGUOUS;
}

int main(int argc, char **argv) {
    wall_enter(WALL_OTHER);
    process_prepare();
    command_groups_add(app_groups, APP_GROUPS);
    const Status room = stack_check();
    const int code = status_is_ok(&room) ? dispatch(argc, argv) : command_error(&room);
    interrupt_hold(); /* only the output is left */
    const Status written = process_finish_output();
    const int whole =
        status_is_ok(&written) || !did_its_work(code) ? code : command_error(&written);
    process_end();
    supervisor_end(whole);
    return whole;
}
