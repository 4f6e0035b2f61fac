#include "baseline.h"
#include "commands.h"
#include "exit_codes.h"
#include "list_text.h"
#include "options_parse.h"
#include "output_target.h"
#include "resume_arguments.h"
#include "runner.h"

static int run_request(const RunOptions *options) {
    const Status writable = output_targets_check(options);
    if (!status_is_ok(&writable)) {
        return command_error(&writable);
    }
    Machine machine;
    machine_read(&machine);
    if (options->baseline != NULL) {
        return baseline_run(options, &machine);
    }
    Results results = {.rows = NULL};
    int code = EXIT_OK;
    const Status status = runner_run(options, &machine, &results, &code);
    results_release(&results);
    if (!status_is_ok(&status)) {
        command_error(&status);
    }
    return code;
}

/* `bench run --resume DIR`: the stored arguments, then those given now. */
static int run_resumed(const Invocation *given, const char *folder) {
    ArgumentList list;
    Status status =
        resume_arguments(folder, given->argc - given->first, given->argv + given->first, &list);
    if (!status_is_ok(&status)) {
        return command_error(&status);
    }
    RunOptions options;
    OptionsAction action;
    status = options_parse(SCOPE_RUN, list.argc - 1, list.argv + 1, &options, &action);
    if (status_is_ok(&status) && options.algorithm_count == 0) {
        status = status_make(STATUS_USAGE,
                             "--resume: '%.200s' does not say which algorithms it is "
                             "of; give its arguments again",
                             folder);
    }
    options.argc = list.argc;
    options.argv = list.argv;
    const int code = status_is_ok(&status) ? run_request(&options) : command_error(&status);
    argument_list_release(&list);
    return code;
}

int command_run(const Invocation *given) {
    RunOptions options;
    OptionsAction action;
    const Status status = options_parse(SCOPE_RUN, given->argc - given->first,
                                        given->argv + given->first, &options, &action);
    if (!status_is_ok(&status)) {
        return command_error(&status);
    }
    if (action == OPTIONS_HELP) {
        command_run_help(stdout);
        return EXIT_OK;
    }
    if (action == OPTIONS_LIST) {
        list_print(stdout, &options);
        return EXIT_OK;
    }
    if (options.resume != NULL && options.algorithm_count == 0) {
        return run_resumed(given, options.resume);
    }
    options.argc = given->argc;
    options.argv = given->argv;
    return run_request(&options);
}
